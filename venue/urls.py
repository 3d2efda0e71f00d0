"""URLs of venue."""

from django.urls import path

from venue.calls import call_views as calls
from venue.calls import stream_queue_views as streaming
from venue.desk import desk_views as desk
from venue.desk import what_if_views as what_if
from venue.player import player_call_views as called
from venue.player import push_views as push
from venue.rehearsals import rehearsal_views as rehearsals
from venue.rooms import event_room_views as event_rooms
from venue.rooms import room_views as rooms
from venue.screens import screen_views as screens

app_name = "venue"

urlpatterns = [
    path("tv", screens.tv, {"template": "venue/wall/screen.html"}, name="tv"),
    path("tv/picture", screens.tv, {"template": "venue/wall/_picture.html"}, name="tv_picture"),
    path("overlay/<slug:key>", screens.overlay, {"template": "venue/overlay/page.html"}, name="overlay"),
    path(
        "overlay/<slug:key>/state",
        screens.overlay,
        {"template": "venue/overlay/_state.html"},
        name="overlay_state",
    ),
    path("clubs/<slug:slug>/tables/<slug:key>/overlay/", screens.table, name="table_overlay"),
    path("clubs/<slug:slug>/screens/", screens.club, name="screens"),
    path("clubs/<slug:slug>/screens/<slug:key>/", screens.screen, name="screen"),
    path("clubs/<slug:slug>/rooms/", rooms.club, name="rooms"),
    path("clubs/<slug:slug>/rooms/new/", rooms.create, name="open_room"),
    path("clubs/<slug:slug>/rooms/<slug:key>/tables/", rooms.add_tables, name="add_tables"),
    path("clubs/<slug:slug>/table-cards/", rooms.cards, name="table_cards"),
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
    path("events/<slug:key>/room/move/", calls.move, name="move"),
    path("events/<slug:key>/room/table/", desk.change, name="change_table"),
]
