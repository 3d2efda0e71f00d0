"""The JSON API of matches: routes of all modules."""

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
# File downloads have no trailing slash.
paths: list[URLPattern] = downloads_api.paths
