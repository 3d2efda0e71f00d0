"""Addresses of help."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.urls import URLPattern

app_name = "help"

urlpatterns: list[URLPattern] = []
