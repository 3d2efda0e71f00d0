"""Support for installing the site as an app: manifest, start page, offline page."""

from __future__ import annotations

import struct
from typing import Any, Final
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_safe

from players.access import context
from players.models import Club, ClubLogo
from players.models.clubs import Felt

# As <meta name="theme-color"> in templates/base.html.
PAPER: Final = "#fffdf8"
# As --felt-1 in static/css/tokens.css and tokens-felt.css.
FELT: Final = {
    Felt.GREEN: "#236b54",
    Felt.BLUE: "#2a5f8c",
    Felt.RED: "#8a3340",
    Felt.PLUM: "#69457a",
    Felt.SLATE: "#4d5b63",
}
# File, size in pixels, purpose. Maskable icons fill the square, so that a phone can crop them to any shape.
ICONS: Final = (
    ("img/mark-192.png", 192, "any"),
    ("img/mark-512.png", 512, "any"),
    ("img/mark-maskable-192.png", 192, "maskable"),
    ("img/mark-maskable-512.png", 512, "maskable"),
)


@require_safe
@cache_control(public=True, max_age=3600)
def manifest(request: HttpRequest) -> JsonResponse:
    """Return the manifest of Barpoint, or of the club in `?club=` (browsers send no cookies here)."""
    slug = request.GET.get("club", "")
    club = get_object_or_404(Club, slug=slug) if slug else None
    start = reverse("start") + (f"?{urlencode({'club': slug})}" if club else "")
    shown: dict[str, Any] = {
        # Each club is a separate app.
        "id": start,
        "name": club.name if club else "Barpoint",
        "short_name": club.name if club and len(club.name) <= 12 else club.crest if club else "Barpoint",
        "start_url": start,
        "scope": "/",
        "display": "standalone",
        "theme_color": FELT[Felt(club.felt)] if club else PAPER,
        "background_color": PAPER,
        "icons": [
            *_build_logo_icons(club),
            *(_build_icon(static(name), side, side, purpose) for name, side, purpose in ICONS),
        ],
    }
    return JsonResponse(shown, content_type="application/manifest+json")


@require_safe
@never_cache
def start(request: HttpRequest) -> HttpResponse:
    """Redirect the installed app to the user's matches; visitors to the club in `?club=` or the home page."""
    if request.user.is_authenticated:
        return redirect("careers:me")
    slug = request.GET.get("club", "")
    return redirect(get_object_or_404(Club, slug=slug) if slug else "home")


@require_safe
@cache_control(private=True, no_cache=True)
def offline(request: HttpRequest) -> HttpResponse:
    """Show the page that the service worker caches. It depends on the user only by language and colours."""
    viewer = context.load_viewer(request)
    look = {"theme": viewer.theme, "high_contrast": viewer.high_contrast}
    return HttpResponse(render_to_string("offline.html", look))


def _build_logo_icons(club: Club | None) -> list[dict[str, str]]:
    found = ClubLogo.objects.filter(club=club).first() if club and club.logo_hash else None
    if club is None or found is None:
        return []
    # Width and height in the PNG header.
    width, height = struct.unpack(">II", bytes(found.content[16:24]))
    return [_build_icon(club.logo_url, width, height, "any")]


def _build_icon(address: str, width: int, height: int, purpose: str) -> dict[str, str]:
    return {"src": address, "sizes": f"{width}x{height}", "type": "image/png", "purpose": purpose}
