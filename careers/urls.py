"""Addresses of what a player has played."""

from django.urls import path

from runtime.lazy_imports import Module

app_name = "careers"

head_to_head = Module("careers.head_to_head_views")
me = Module("careers.me_views")
results = Module("careers.results_views")

urlpatterns = [
    path("me/", me.matches, name="me"),
    path("players/<slug:key>/results/", results.player_results, name="player_results"),
    path("players/<slug:key>/record/", head_to_head.record, name="record"),
    path("players/<slug:key>/against/<slug:other>/", head_to_head.head_to_head, name="head_to_head"),
]
