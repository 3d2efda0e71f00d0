"""ETags of an event's pages: built from the state of the event and the viewer.

Browsers of followers reload after each notification. If nothing has changed they get 304 for two small
queries, and visitors get the cached page (`players.access.public_pages`). Whole pages for signed-in users are
always rendered, since the frame contains their own messages.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers

from players.access import public_pages
from tournaments.models import Entry
from tournaments.pages import page_versions
from tournaments.play import appointments

View = Callable[..., HttpResponse]

# In seconds; shorter than the twelve hours for which a page can renew its stream token.
LASTS: Final = 3600 * 2
# Query parameters that are part of the cache key.
KNOWN: Final = frozenset({"show", "follow", "shows", "few", "theme"})
# Query parameters of pages that are never cached.
READ: Final = frozenset({"as", "ask"})
COOKIES: Final = ("theme", "contrast", "messages")


def is_part(request: HttpRequest) -> bool:
    """True if htmx requests a part of the page; boosted links request the whole page."""
    headers = request.headers
    return headers.get("HX-Request") == "true" and headers.get("HX-Boosted") != "true"


def check_etag(view: View) -> View:
    """View decorator: answer 304 if the ETag matches, and cache the page for visitors."""

    @wraps(view)
    def answered(request: HttpRequest, key: str) -> HttpResponse:
        if request.user.is_authenticated and (not is_part(request) or _may_be_called(request, key)):
            return view(request, key)
        now = timezone.now()
        state = page_versions.compute_event_key(key, now=now)
        if state is None:
            return view(request, key)
        mark = _compute_etag(request, state, now)
        unchanged = get_conditional_response(request, etag=mark)
        response = unchanged
        if response is None:
            made = public_pages.PageVersion(state)
            response = public_pages.serve_page(
                request, lambda: view(request, key), state=made, knows=KNOWN, reads=READ, now=now
            )
        if response.status_code in {200, 304}:
            response["ETag"] = mark
            response["Cache-Control"] = "private, no-cache"
            patch_vary_headers(response, ("HX-Request", "Cookie"))
        return response

    return answered


def _may_be_called(request: HttpRequest, key: str) -> bool:
    """True if the viewer is called to tables or has an appointment in this event.

    The viewer's part of the page then depends on the tables and the clock, which are not in the ETag.
    """
    own = Entry.objects.filter(player__user=request.user.pk, withdrawn_at__isnull=True)
    waits = own.filter(tournament__key=key, tournament__waits_for_call=True).exists()
    return waits or appointments.has_agreed_time(key, request.user.pk or 0)


def _compute_etag(request: HttpRequest, state: page_versions.Mark, now: datetime) -> str:
    # A page contains the CSRF token, which must match the cookie.
    secret = request.COOKIES.get(settings.CSRF_COOKIE_NAME, "")
    period = int(now.timestamp()) // LASTS
    seen = [request.COOKIES.get(name, "") for name in COOKIES]
    where = (request.get_full_path(), request.LANGUAGE_CODE, is_part(request), request.user.pk, secret)
    text = "\n".join(map(str, (*state, period, *seen, *where, static("css/events.css"))))
    return f'W/"{hashlib.blake2b(text.encode(), digest_size=12).hexdigest()}"'
