"""Pages that need not be made again: their mark is the state of the event, and who is looking.

A follower's browser asks after every hint. If nothing that it shows has changed it is told so for the price of two
small queries, and for the same price visitors are given what was made for another (`players.access.public_pages`). A whole
page of somebody with an account is always made: its frame tells of their own news.
"""

from __future__ import annotations

import hashlib
from functools import wraps
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.templatetags.static import static
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers

from players.access import public_pages
from tournaments.models import Entry
from tournaments.pages import page_versions
from tournaments.play import appointments

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    View = Callable[..., HttpResponse]

# A page may renew its permission to listen for twelve hours.
LASTS: Final = 3600 * 2
# What an address of an event's pages may ask: which bracket, whose way, what a screen needs of the news, how many boards, and
# in a frame its colours.
KNOWN: Final = frozenset({"show", "follow", "shows", "few", "theme"})
# What a page shows for one who has asked for it.
READ: Final = frozenset({"as", "ask"})
COOKIES: Final = ("theme", "contrast", "messages")


def is_part(request: HttpRequest) -> bool:
    """Say whether htmx wants a piece of the page (a boosted link wants the whole)."""
    headers = request.headers
    return headers.get("HX-Request") == "true" and headers.get("HX-Boosted") != "true"


def unless_unchanged(view: View) -> View:
    """Answer 304 where the browser has the page as it is; and make it once for all visitors."""

    @wraps(view)
    def answered(request: HttpRequest, key: str) -> HttpResponse:
        if request.user.is_authenticated and (not is_part(request) or _is_called(request, key)):
            return view(request, key)
        now = timezone.now()
        state = page_versions.of_event(key, now=now)
        if state is None:
            return view(request, key)
        mark = _mark(request, state, now)
        unchanged = get_conditional_response(request, etag=mark)
        response = unchanged
        if response is None:
            made = public_pages.State(state)
            response = public_pages.answer(
                request, lambda: view(request, key), state=made, knows=KNOWN, reads=READ, now=now
            )
        if response.status_code in {200, 304}:
            response["ETag"] = mark
            response["Cache-Control"] = "private, no-cache"
            patch_vary_headers(response, ("HX-Request", "Cookie"))
        return response

    return answered


def _is_called(request: HttpRequest, key: str) -> bool:
    """Say whether the one who looks is called to tables here, or has agreed on a time: their part changes with the room or the clock, which the mark does not count."""
    own = Entry.objects.filter(player__user=request.user.pk, withdrawn_at__isnull=True)
    waits = own.filter(tournament__key=key, tournament__waits_for_call=True).exists()
    return waits or appointments.is_expected(key, request.user.pk or 0)


def _mark(request: HttpRequest, state: page_versions.Mark, now: datetime) -> str:
    # A page holds a form's secret, which must be that of the cookie.
    secret = request.COOKIES.get(settings.CSRF_COOKIE_NAME, "")
    period = int(now.timestamp()) // LASTS
    seen = [request.COOKIES.get(name, "") for name in COOKIES]
    where = (request.get_full_path(), request.LANGUAGE_CODE, is_part(request), request.user.pk, secret)
    said = "\n".join(map(str, (*state, period, *seen, *where, static("css/events.css"))))
    return f'W/"{hashlib.blake2b(said.encode(), digest_size=12).hexdigest()}"'
