"""Addresses of events. The front page, `views.public.home`, is named by config."""

from django.urls import path

from tournaments.views import desk, public, roster

app_name = "tournaments"

urlpatterns = [
    path("events/", public.calendar, name="calendar"),
    path("events/<slug:key>/", public.event, name="event"),
    path("events/<slug:key>/enter/", public.enter, name="enter"),
    path("events/<slug:key>/withdraw/", public.withdraw, name="withdraw"),
    path("events/<slug:key>/edit/", desk.edit, name="edit"),
    path("events/<slug:key>/publish/", desk.publish, name="publish"),
    path("events/<slug:key>/discard/", desk.discard, name="discard"),
    path("events/<slug:key>/again/", desk.clone, name="clone"),
    path("events/<slug:key>/players/", roster.admit, name="admit"),
    path("events/<slug:key>/guests/", roster.admit_guest, name="admit_guest"),
    path("events/<slug:key>/out/", roster.take_out, name="take_out"),
    path("events/<slug:key>/start/", desk.start, name="start"),
    path("events/<slug:key>/finish/", desk.finish, name="finish"),
    path("events/<slug:key>/cancel/", desk.cancel, name="cancel"),
    path("events/<slug:key>/reopen/", desk.reopen, name="reopen"),
    path("clubs/<slug:slug>/events/", public.club_events, name="club_events"),
    path("clubs/<slug:slug>/events/new/", desk.create, name="create"),
    path("clubs/<slug:slug>/events.ics", public.calendar_feed, name="calendar_feed"),
    path("players/<slug:key>/results/", public.player_results, name="player_results"),
]
