"""Addresses of opinion."""

from django.urls import path

from runtime.lazy_imports import Module

app_name = "opinion"

pooled = Module("opinion.views.pooled")
positions = Module("opinion.views.positions")

urlpatterns = [
    path("players/<slug:key>/analysis/", pooled.player, name="player"),
    path("position/", positions.find, name="find_position"),
    path("position/<str:xgid>/", positions.position, name="position"),
    path("position/<str:xgid>/ask/", positions.ask, name="ask_position"),
]
