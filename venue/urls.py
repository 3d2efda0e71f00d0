"""Addresses of venue."""

from django.urls import path

from runtime.lazy_imports import Module

app_name = "venue"

calls = Module("venue.calls.call_views")
push = Module("venue.player.push_views")
overlays = Module("venue.screens.overlay_views")
desk = Module("venue.desk.desk_views")
event_rooms = Module("venue.rooms.event_room_views")
called = Module("venue.player.called_views")
cards = Module("venue.rooms.card_views")
helping = Module("venue.calls.helping_views")
rooms = Module("venue.rooms.room_views")
screens = Module("venue.screens.screen_views")
streaming = Module("venue.calls.streaming_views")
wall = Module("venue.screens.wall_views")
what_if = Module("venue.desk.what_if_views")
rehearsals = Module("venue.rehearsals.rehearsal_views")

urlpatterns = [
    path("tv", wall.tv, name="tv"),
    path("tv/picture", wall.picture, name="tv_picture"),
    path("overlay/<slug:key>", overlays.overlay, name="overlay"),
    path("overlay/<slug:key>/state", overlays.state, name="overlay_state"),
    path("clubs/<slug:slug>/tables/<slug:key>/overlay/", overlays.table, name="table_overlay"),
    path("clubs/<slug:slug>/screens/", screens.club, name="screens"),
    path("clubs/<slug:slug>/screens/<slug:key>/", screens.screen, name="screen"),
    path("clubs/<slug:slug>/rooms/", rooms.club, name="rooms"),
    path("clubs/<slug:slug>/rooms/new/", rooms.create, name="open_room"),
    path("clubs/<slug:slug>/rooms/<slug:key>/tables/", rooms.add_tables, name="add_tables"),
    path("clubs/<slug:slug>/table-cards/", cards.cards, name="table_cards"),
    path("clubs/<slug:slug>/tables/<slug:key>/", rooms.table, name="table"),
    path("clubs/<slug:slug>/tables/<slug:key>/call/", calls.call, name="call"),
    path("settings/calls/", push.push, name="push"),
    path("sw.js", push.worker, name="worker"),
    path("called/", called.called, name="called"),
    path("called/<uuid:uid>/", called.answer, name="answer"),
    path("events/<slug:key>/rehearsal/", rehearsals.start, name="rehearse"),
    path("events/<slug:key>/rehearsal/play/", rehearsals.play, name="play_rehearsal"),
    path("events/<slug:key>/rehearsal/discard/", rehearsals.discard, name="discard_rehearsal"),
    path("events/<slug:key>/room/", event_rooms.event_room, name="event_room"),
    path("events/<slug:key>/breaks/plan/", event_rooms.plan, name="plan_break"),
    path("events/<slug:key>/breaks/drop/", event_rooms.drop, name="drop_break"),
    path("events/<slug:key>/what-if/", what_if.what_if, name="what_if"),
    path("events/<slug:key>/room/next/", desk.call_next, name="call_next"),
    path("events/<slug:key>/room/stream/", streaming.change, name="change_stream"),
    path("events/<slug:key>/room/move/", helping.move, name="move"),
    path("events/<slug:key>/room/table/", desk.change, name="change_table"),
]
