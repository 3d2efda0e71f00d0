"""Addresses of venue."""

from django.urls import path

from runtime.lazy_imports import Module

app_name = "venue"

calls = Module("venue.views.calls")
rooms = Module("venue.views.rooms")

urlpatterns = [
    path("clubs/<slug:slug>/rooms/", rooms.club, name="rooms"),
    path("clubs/<slug:slug>/rooms/new/", rooms.create, name="open_room"),
    path("clubs/<slug:slug>/rooms/<slug:key>/tables/", rooms.add_tables, name="add_tables"),
    path("clubs/<slug:slug>/tables/<slug:key>/", rooms.table, name="table"),
    path("clubs/<slug:slug>/tables/<slug:key>/call/", calls.call, name="call"),
]
