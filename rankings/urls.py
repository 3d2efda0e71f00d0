from django.urls import path

from rankings.chances import chance_views as chances
from rankings.eligibility import eligibility_views as eligibility
from rankings.lists import dated_views as dated
from rankings.lists import group_views as groups
from rankings.lists import list_views as lists
from rankings.openings import opening_views as openings
from rankings.seasons import division_views as divisions
from rankings.seasons import season_views as seasons

app_name = "rankings"

CLUB = "clubs/<slug:slug>/rankings"
LIST = f"{CLUB}/lists/<slug:key>"
SEASON = f"{CLUB}/seasons/<slug:key>"

urlpatterns = [
    path("rankings/", lists.index, name="index"),
    path(f"{CLUB}/", lists.club, name="club"),
    path(f"{CLUB}/leading/", lists.club_card, name="club_card"),
    path(f"{CLUB}/new/", lists.create, name="create"),
    path(f"{CLUB}/group/", groups.group, name="group"),
    path(f"{CLUB}/group/change/", groups.change, name="change_group"),
    path(f"{LIST}/policy/", lists.amend, name="amend"),
    path(f"{LIST}/calibration/", chances.calibration, name="calibration"),
    path(f"{LIST}/dated/", dated.published, name="dated_lists"),
    path(f"{LIST}/dated/schedule/", dated.schedule, name="schedule"),
    path(f"{LIST}/dated/<str:day>/", dated.dated_list, name="dated_list"),
    path(f"{LIST}/sheet/", lists.sheet, name="list_sheet"),
    path(f"{LIST}/dated/<str:day>/sheet/", dated.sheet, name="dated_sheet"),
    path(f"{LIST}/openings/", openings.openings_page, name="openings"),
    path(f"{LIST}/openings/upload/", openings.upload, name="upload_openings"),
    path(f"{LIST}/openings/<int:number>/", openings.look_through, name="opening_import"),
    path(f"{LIST}/openings/<int:number>/undo/", openings.undo, name="undo_openings"),
    path(f"{CLUB}/hall-of-fame/", seasons.hall_of_fame, name="fame"),
    path(f"{CLUB}/seasons/", seasons.seasons_page, name="seasons"),
    path(f"{CLUB}/seasons/new/", seasons.create, name="create_season"),
    path(f"{SEASON}/", seasons.season, name="season"),
    path(f"{SEASON}/sheet/", seasons.sheet, name="season_sheet"),
    path(f"{SEASON}/change/", seasons.amend, name="amend_season"),
    path(f"{SEASON}/divisions/", divisions.divisions_page, name="divisions"),
    path(f"{SEASON}/divisions/sheet/", divisions.sheet, name="divisions_sheet"),
    path(f"{SEASON}/divisions/change/", divisions.set_up, name="amend_divisions"),
    path(f"{SEASON}/divisions/players/", divisions.place, name="division_players"),
    path(f"{SEASON}/divisions/close/", divisions.close, name="close_divisions"),
    path(f"{SEASON}/divisions/reopen/", divisions.reopen, name="reopen_divisions"),
    path(
        f"{SEASON}/divisions/<int:number>/eligibility/",
        eligibility.division_requirement,
        name="division_eligibility",
    ),
    path(
        f"{SEASON}/divisions/<int:number>/eligibility/admit/",
        eligibility.admit_to_division,
        name="admit_to_division",
    ),
    path("events/<str:key>/eligibility/", eligibility.event_requirement, name="event_eligibility"),
    path("events/<str:key>/eligibility/admit/", eligibility.admit_to_event, name="admit_to_event"),
    path(f"{CLUB}/matches/<uuid:uid>/", lists.match, name="match"),
    path("players/<str:key>/ratings/", lists.player, name="player"),
]
