"""Addresses of opinion."""

from django.urls import path

from runtime.lazy_imports import Module

app_name = "opinion"

positions = Module("opinion.views.positions")

urlpatterns = [
    path("position/", positions.find, name="find_position"),
    path("position/<str:xgid>/", positions.position, name="position"),
    path("position/<str:xgid>/ask/", positions.ask, name="ask_position"),
]
