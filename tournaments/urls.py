"""URLs of events. The front page, `programme.front_views.home`, is in the URLs of `config`."""

from django.urls import path

from tournaments.desk import act_views
from tournaments.desk import door_views as door
from tournaments.desk import draws_views as draws
from tournaments.desk import games_views as games
from tournaments.desk import helping_views as helping
from tournaments.desk import lifecycle_views as desk
from tournaments.desk import papers_views as papers
from tournaments.desk import roster_file_views as roster_files
from tournaments.desk import roster_views as roster
from tournaments.desk import rounds_views as rounds
from tournaments.desk import running_views as running
from tournaments.pages import appointments_views as appointments
from tournaments.pages import player_views as player
from tournaments.pages import tabs_views as tabs
from tournaments.plan import first_event_views as first_night
from tournaments.plan import plan_views as arranging
from tournaments.programme import embeds_views as embeds
from tournaments.programme import feeds_views as feeds
from tournaments.programme import public_views as public

app_name = "tournaments"

urlpatterns = [
    path("events/", public.calendar, name="calendar"),
    path("events/<slug:key>/", public.event, name="event"),
    path("events/<slug:key>/event.ics", public.event_calendar, name="event_calendar"),
    path("events/<slug:key>/results.atom", feeds.event_results, name="results_feed"),
    # Tabs
    path("events/<slug:key>/bracket/", tabs.bracket, name="bracket"),
    path("events/<slug:key>/standings/", tabs.standings, name="standings"),
    path("events/<slug:key>/players/", tabs.players, name="players"),
    path("events/<slug:key>/schedule/", tabs.schedule, name="schedule"),
    path("events/<slug:key>/boards/", tabs.boards, name="boards"),
    # Players
    path("events/<slug:key>/enter/", public.enter, name="enter"),
    path("events/<slug:key>/cancel-entry/", public.cancel_entry, name="cancel_entry"),
    path("events/<slug:key>/check-in/", player.check_in, name="check_in"),
    path("events/<slug:key>/report/", player.report, name="report"),
    path("events/<slug:key>/confirm/", player.confirm, name="confirm"),
    path("events/<slug:key>/dispute/", player.dispute, name="dispute"),
    path("events/<slug:key>/board/", player.open_board, name="open_board"),
    path("events/<slug:key>/here/", player.here, name="here"),
    path("events/<slug:key>/times/", appointments.propose, name="propose_times"),
    path("events/<slug:key>/times/accept/", appointments.accept, name="accept_time"),
    path("events/<slug:key>/times/decline/", appointments.decline, name="decline_times"),
    path("events/<slug:key>/times/back/", appointments.take_back, name="take_times_back"),
    path("events/<slug:key>/times/cancel/", appointments.cancel, name="cancel_appointment"),
    path(
        "events/<slug:key>/appointments/<path:match>/match.ics",
        appointments.calendar,
        name="appointment_calendar",
    ),
    path("events/<slug:key>/leave/", player.leave, name="leave"),
    # Helpers
    path("events/<slug:key>/helpers/", helping.links, name="helpers"),
    path("events/<slug:key>/helpers/back/", helping.take_back, name="take_back_helper"),
    path("helping/<str:token>/", helping.take_up, name="take_up"),
    path("events/<slug:key>/helping/", helping.desk, name="helping"),
    path("events/<slug:key>/helping/here/", helping.check_in, name="helping_check_in"),
    path("events/<slug:key>/helping/games/<path:match>/", helping.enter_games, name="helping_games"),
    path("events/<slug:key>/helping/late/", helping.note_latecomer, name="note_latecomer"),
    path("events/<slug:key>/helping/result/", helping.enter_result, name="helping_result"),
    # Directors, before the start
    path("events/<slug:key>/edit/", desk.edit, name="edit"),
    path("events/<slug:key>/settings/", arranging.settings, name="arrange"),
    path("events/<slug:key>/publish/", desk.publish, name="publish"),
    path("events/<slug:key>/discard/", desk.discard, name="discard"),
    path("events/<slug:key>/again/", desk.clone, name="clone"),
    path("events/<slug:key>/roster/", roster.roster, name="roster"),
    path("events/<slug:key>/roster/names/", roster.paste, name="admit_named"),
    path("events/<slug:key>/roster/names/undo/", roster.unpaste, name="take_out_pasted"),
    path("events/<slug:key>/roster/file/", roster_files.upload, name="roster_file"),
    path("events/<slug:key>/roster/roster.csv", roster_files.download, name="roster_csv"),
    path("events/<slug:key>/roster/file/columns/", roster_files.look_through, name="roster_columns"),
    path("events/<slug:key>/roster/here/", roster.check_in, name="check_in_for"),
    path("events/<slug:key>/roster/<int:entry>/", roster.traits, name="describe"),
    path("events/<slug:key>/roster/apart/", roster.keep_apart, name="keep_apart"),
    path("events/<slug:key>/roster/release/", roster.release, name="release"),
    path("events/<slug:key>/roster/bye/", roster.unask_bye, name="unask_bye"),
    path("events/<slug:key>/players/enter/", roster.admit, name="admit"),
    path("events/<slug:key>/guests/", roster.admit_guest, name="admit_guest"),
    path("events/<slug:key>/out/", roster.take_out, name="take_out"),
    path("events/<slug:key>/draw/", draws.draw, name="draw"),
    path("events/<slug:key>/draw/first/", first_night.the_draw, name="first_draw"),
    path("events/<slug:key>/draw/make/", draws.preview, name="preview_draw"),
    path("events/<slug:key>/draw/swap/", draws.swap, name="swap_lines"),
    path("events/<slug:key>/draw/hand/", draws.by_hand, name="draw_by_hand"),
    path("events/<slug:key>/draw/publish/", draws.publish, name="publish_draw"),
    path("events/<slug:key>/start/", desk.start, name="start"),
    # Directors, while the event runs and afterwards
    path("events/<slug:key>/desk/", running.desk, name="desk"),
    path("events/<slug:key>/appointments/", appointments.of_event, name="appointments"),
    path("events/<slug:key>/desk/result/", running.enter_result, name="enter_result"),
    path("events/<slug:key>/desk/back/", running.take_back, name="take_back"),
    path("events/<slug:key>/desk/round/", running.publish_round, name="publish_round"),
    path("events/<slug:key>/desk/pair/", running.pair, name="pair"),
    path(
        "events/<slug:key>/desk/round/<int:stage>/<int:number>/", rounds.drafted_round, name="drafted_round"
    ),
    path("events/<slug:key>/desk/tie/", running.decide_tie, name="decide_tie"),
    path("events/<slug:key>/desk/approve/", running.approve, name="approve"),
    path("events/<slug:key>/desk/archive/", running.archive, name="archive"),
    path("events/<slug:key>/matches/<path:match>/", act_views.pairing, name="pairing"),
    path("events/<slug:key>/games/<path:match>/", games.games, name="games"),
    path("events/<slug:key>/acts/<slug:name>/", act_views.act, name="act"),
    path("events/<slug:key>/rulings/", act_views.log, name="rulings"),
    path("events/<slug:key>/rulings/<int:ruling>/", act_views.restore, name="restore"),
    # On paper
    path("events/<slug:key>/print/", papers.index, name="papers"),
    path("events/<slug:key>/print/draw/", papers.draw, name="paper_draw"),
    path("events/<slug:key>/print/pairings/", papers.pairings, name="paper_pairings"),
    path("events/<slug:key>/print/names/", papers.names, name="paper_names"),
    path("events/<slug:key>/print/slips/", papers.slips, name="paper_slips"),
    path("events/<slug:key>/print/score-sheet/", papers.score_sheet, name="paper_score_sheet"),
    path("events/<slug:key>/print/standings/", papers.standings, name="paper_standings"),
    path("events/<slug:key>/print/cross-table/", papers.cross, name="paper_cross"),
    path("events/<slug:key>/print/entries/", papers.entries, name="paper_entries"),
    path("events/<slug:key>/print/door/", papers.door, name="paper_door"),
    # Short, for a QR code.
    path("d/<str:code>/", door.at_the_door, name="door"),
    path("events/<slug:key>/door/let-in/", door.let_in, name="let_in"),
    path("events/<slug:key>/door/has-come/", door.has_come, name="has_come"),
    path("events/<slug:key>/door/turn-away/", door.turn_away, name="turn_away"),
    path("events/<slug:key>/finish/", desk.finish, name="finish"),
    path("events/<slug:key>/cancel/", desk.cancel, name="cancel"),
    path("events/<slug:key>/reopen/", desk.reopen, name="reopen"),
    # Embedded in other sites
    path("embed/events/<slug:key>/bracket/", embeds.bracket, name="embed_bracket"),
    path("embed/events/<slug:key>/standings/", embeds.standings, name="embed_standings"),
    path("embed/clubs/<slug:slug>/events/", embeds.club_events, name="embed_events"),
    path("clubs/<slug:slug>/events/", public.club_events, name="club_events"),
    path("clubs/<slug:slug>/events/new/", desk.create, name="create"),
    path("clubs/<slug:slug>/events.atom", feeds.club_events, name="events_feed"),
    path("clubs/<slug:slug>/events/first/", first_night.tonight, name="first_night"),
    path("clubs/<slug:slug>/events.ics", public.calendar_feed, name="calendar_feed"),
]
