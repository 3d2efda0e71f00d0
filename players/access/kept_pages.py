"""A page kept for all visitors is given again before anything else is asked about a request.

What other middlewares add to an answer is the same for all visitors of one address, language and theme, so it is kept beside
the page (players/access/public_pages.py). What is each reader's own, the secret of forms and its cookie, is made here. Everybody of
whom more is known takes the long way, and so does everybody once the page is no longer right (docs/adr/0048).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.db import DatabaseError
from django.http import HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.utils import timezone

from players.access import context, public_pages
from runtime.http import packing
from runtime.marked_cache import MarkedCache

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from datetime import datetime

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase
    from django.urls import ResolverMatch

# Cookies of a visitor that a page may depend on; one more of any kind, and it is somebody.
COOKIES: Final = (settings.LANGUAGE_COOKIE_NAME, context.THEME_COOKIE, context.CONTRAST_COOKIE)
LONGEST_COOKIE: Final = 20
# Who sends these asks for more than the page.
MORE: Final = ("HTTP_AUTHORIZATION", "HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE", "HTTP_RANGE")
ROOM: Final = 2_000


@dataclass(frozen=True, slots=True)
class KeptPage:
    """A page as it went out to somebody like this reader."""

    made: public_pages.Made
    headers: tuple[tuple[str, str], ...]
    # For the log, which leaves secret addresses out.
    route: ResolverMatch | None
    size: int = 1

    def is_right(self, _mark: Hashable, _now: datetime) -> bool:
        """Say yes: whether the page is right is asked of the page."""
        return True


KEPT: Final = MarkedCache[KeptPage](ROOM)


class KeptPagesMiddleware:
    """Gives a visitor what another one has just been given, if it still is right."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.csrf = CsrfViewMiddleware(get_response)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer from what is kept, or have the page made and keep what was added to it."""
        reader = _visitor(request)
        if reader is None:
            return self.get_response(request)
        given = self._give(request, reader)
        if given is not None:
            return given
        response = self.get_response(request)
        made = getattr(response, public_pages.MADE, None)
        # An address with parameters that the page does not know has been made another.
        is_known = _visitor(request) == reader
        if made is not None and is_known and response.status_code == 200 and not response.has_header("ETag"):
            headers = tuple(
                (name, value) for name, value in response.headers.items() if name != "Content-Length"
            )
            KEPT.put(reader, KeptPage(made, headers, request.resolver_match))
        return response

    def _give(self, request: HttpRequest, reader: Hashable) -> HttpResponseBase | None:
        now = timezone.now()
        kept = KEPT.find(reader, None, now=now)
        try:
            if kept is None or not kept.made.is_right(request, now=now):
                return None
        except DatabaseError:
            # The long way says what is the matter.
            return None
        request.resolver_match = kept.route
        # It reads the cookie first and sends it afterwards; between the two the secret is asked for.
        self.csrf.process_request(request)
        text = public_pages.text_for(request, kept.made.page)
        response = HttpResponse(text, headers={**dict(kept.headers), "Content-Length": str(len(text))})
        return self.csrf.process_response(request, response)


def _visitor(request: HttpRequest) -> Hashable | None:
    """Return all that a page depends on for a visitor, or None for somebody of whom more is known."""
    cookies = {name: value for name, value in request.COOKIES.items() if name != settings.CSRF_COOKIE_NAME}
    path = request.get_full_path()
    if (
        request.method != "GET"
        or settings.DEBUG
        or path.startswith(settings.STATIC_URL)
        or len(path) > public_pages.LONGEST_ADDRESS
        or not cookies.keys() <= set(COOKIES)
        or any(len(value) > LONGEST_COOKIE for value in cookies.values())
        or any(name in request.META for name in MORE)
    ):
        return None
    try:
        host = request.get_host()
    except DisallowedHost:
        return None
    return (
        *(request.scheme, host, path, context.language_of_visitor(request)),
        *(packing.is_accepted(request), tuple(cookies.get(name, "") for name in COOKIES)),
        public_pages.asked_for(request),
    )
