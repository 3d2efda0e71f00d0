"""Pages that need not be made again: their mark is the version of the event, and who is looking.

A follower's browser asks after every hint. If nothing that it shows has changed it is told so for the price of two
small queries. A whole page of somebody with an account is always made: its frame tells of their own news.
"""

from __future__ import annotations

import hashlib
from functools import wraps
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.templatetags.static import static
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers

from tournaments.models import Tournament
from tournaments.selectors import courses
from tournaments.status import Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

    View = Callable[..., HttpResponse]

# A page may renew its permission to listen for twelve hours; names change without a version.
LASTS: Final = 3600 * 2
COOKIES: Final = ("theme", "contrast", "messages")


def is_part(request: HttpRequest) -> bool:
    """Say whether htmx wants a piece of the page (a boosted link wants the whole)."""
    headers = request.headers
    return headers.get("HX-Request") == "true" and headers.get("HX-Boosted") != "true"


def unless_unchanged(view: View) -> View:
    """Answer 304 where the browser has the page as it is."""

    @wraps(view)
    def answered(request: HttpRequest, key: str) -> HttpResponse:
        mark = _mark(request, key)
        if mark is None:
            return view(request, key)
        unchanged = get_conditional_response(request, etag=mark)
        response = unchanged if unchanged is not None else view(request, key)
        if response.status_code in {200, 304}:
            response["ETag"] = mark
            response["Cache-Control"] = "private, no-cache"
            patch_vary_headers(response, ("HX-Request", "Cookie"))
        return response

    return answered


def _mark(request: HttpRequest, key: str) -> str | None:
    part = is_part(request)
    user = request.user
    if user.is_authenticated and not part:
        return None
    now = timezone.now()
    columns = ("pk", "version", "status", "changed_at", "entries_close_at")
    row = Tournament.objects.filter(key=key).values_list(*columns).first()
    if row is None or row[2] == Status.DRAFT:
        return None
    live = courses.live_mark(row[0]) if row[2] == Status.RUNNING else 0
    is_closed = row[4] is not None and row[4] <= now
    # A page holds a form's secret, which must be that of the cookie.
    secret = request.COOKIES.get(settings.CSRF_COOKIE_NAME, "")
    period = int(now.timestamp()) // LASTS
    seen = [request.COOKIES.get(name, "") for name in COOKIES]
    where = (request.get_full_path(), request.LANGUAGE_CODE, part, user.pk, secret, static("css/events.css"))
    said = "\n".join(map(str, (*row, is_closed, live, period, *seen, *where)))
    return f'W/"{hashlib.blake2b(said.encode(), digest_size=12).hexdigest()}"'
