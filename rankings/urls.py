"""Addresses of rankings."""

from django.urls import path

from runtime.lazy_imports import Module

app_name = "rankings"

views = Module("rankings.views")

urlpatterns = [
    path("clubs/<slug:slug>/rankings/", views.club, name="club"),
    path("clubs/<slug:slug>/rankings/new/", views.create, name="create"),
    path("clubs/<slug:slug>/rankings/lists/<slug:key>/policy/", views.amend, name="amend"),
    path("clubs/<slug:slug>/rankings/matches/<uuid:uid>/", views.match, name="match"),
    path("players/<str:key>/ratings/", views.player, name="player"),
]
