"""Matches over HTTP and JSON: a module for each audience, joined here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.lobby import challenges_api
from matches.play import directing_api, play_api, talk_api
from matches.watch import downloads_api, statistics_api

if TYPE_CHECKING:
    from django.urls import URLPattern
    from rest_framework.viewsets import ViewSetMixin

routes: list[tuple[str, type[ViewSetMixin], str]] = [
    *play_api.routes,
    *directing_api.routes,
    *challenges_api.routes,
    *statistics_api.routes,
    *talk_api.routes,
]
# Files are called as they are, without a slash behind.
paths: list[URLPattern] = downloads_api.paths
