"""Matches over HTTP and JSON: a module for each audience, joined here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.api import challenges, directing, downloads, play, statistics, talk

if TYPE_CHECKING:
    from django.urls import URLPattern
    from rest_framework.viewsets import ViewSetMixin

routes: list[tuple[str, type[ViewSetMixin], str]] = [
    *play.routes,
    *directing.routes,
    *challenges.routes,
    *statistics.routes,
    *talk.routes,
]
# Files are called as they are, without a slash behind.
paths: list[URLPattern] = downloads.paths
