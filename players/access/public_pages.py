"""Cache of public pages, which are rendered once for all visitors.

The cached page is that of a visitor who is not signed in, by language and theme; a request with a session, a
pending message or a token gets its own page. The CSRF token is inserted afterwards. The *state* of a page,
read from the database before rendering, is its version key.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import wraps
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.middleware.csrf import get_token
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language

from players.access import context
from runtime.versioned_cache import CachedValue, VersionedCache

View = Callable[..., HttpResponse]

MOST_BYTES: Final = 16 * 1024 * 1024
CACHE: Final = VersionedCache(MOST_BYTES)
# A page contains a stream token that is valid for five minutes; most of that must be left.
LASTS: Final = timedelta(minutes=1)
# Approximate bytes of an entry beside its text.
OVERHEAD: Final = 2_000
# Longer URLs are not cached.
LONGEST_ADDRESS: Final = 200
# Headers that change the cached page, and cookies that make a page personal: messages of the last form.
ASKED_FOR: Final = ("HTTP_HX_REQUEST", "HTTP_HX_BOOSTED", "HTTP_HX_TARGET")
PERSONAL: Final = ("messages",)


@dataclass(frozen=True, slots=True)
class PageVersion:
    mark: Hashable
    # Returns the time at which the page expires; called when it is rendered.
    until: Callable[[], datetime] | None = None


@dataclass(frozen=True, slots=True)
class CachedResponse:
    """A response without the reader's CSRF token, which belongs between the pieces."""

    pieces: tuple[bytes, ...]
    headers: tuple[tuple[str, str], ...]

    def text(self, token: str) -> bytes:
        return token.encode().join(self.pieces)


def build_entry(
    mark: Hashable,
    text: bytes,
    headers: Iterable[tuple[str, str]],
    *,
    now: datetime,
    until: datetime | None = None,
) -> CachedValue:
    """Return the cache entry of a response; it lasts for `LASTS` at most."""
    ends = now + LASTS
    response = CachedResponse(tuple(text.split(context.SECRET.encode())), tuple(headers))
    size = OVERHEAD + sum(map(len, response.pieces))
    return CachedValue(mark, response, now, min(ends, until) if until else ends, size)


def cache_page(
    state: Callable[..., PageVersion | None], *, knows: Collection[str] = (), reads: Collection[str] = ()
) -> Callable[[Callable[..., Any]], Callable[..., HttpResponse]]:
    """Cache a page for all visitors while *state* (of the view's arguments, and now) is the same.

    There is a page for each value of the query parameters that it *knows*. With one that it *reads*, such as
    a search, the page is rendered each time. A visitor's other parameters are dropped, so that they share the
    cached page.
    """

    def decorate(view: Callable[..., Any]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def answered(request: HttpRequest, **kwargs: Any) -> HttpResponse:
            key = _build_cache_key(request, knows, reads)
            now = timezone.now()
            seen = state(request, now=now, **kwargs) if key is not None else None
            if key is None or seen is None:
                return view(request, **kwargs)  # type: ignore[no-any-return]
            return _get_or_render(request, key, seen, lambda: view(request, **kwargs), now=now)

        return answered

    return decorate


def serve_page(
    request: HttpRequest,
    make: Callable[[], HttpResponse],
    *,
    state: PageVersion,
    knows: Collection[str],
    reads: Collection[str],
    now: datetime,
) -> HttpResponse:
    """Return the cached page if its state is the same, else render it with *make*."""
    key = _build_cache_key(request, knows, reads)
    return make() if key is None else _get_or_render(request, key, state, make, now=now)


def _get_or_render(
    request: HttpRequest,
    key: Hashable,
    state: PageVersion,
    make: Callable[[], HttpResponse],
    *,
    now: datetime,
) -> HttpResponse:
    if found := CACHE.find(key, state.mark, now=now):
        return _build_response(request, found.value)
    with CACHE.making(key):
        # After waiting for the lock, the page may be cached by another request.
        if found := CACHE.find(key, state.mark, now=now):
            return _build_response(request, found.value)
        return _render_and_cache(request, key, state, make, now)


def _render_and_cache(
    request: HttpRequest, key: Hashable, state: PageVersion, make: Callable[[], HttpResponse], now: datetime
) -> HttpResponse:
    until = state.until() if state.until else None
    request.META[context.SHARED] = True
    try:
        response = make()
    finally:
        # Error pages are rendered for this viewer alone.
        del request.META[context.SHARED]
    entry = build_entry(state.mark, response.content, response.items(), now=now, until=until)
    made: CachedResponse = entry.value
    if response.status_code == 200 and not response.cookies:
        CACHE.put(key, entry)
        return _build_response(request, made)
    if len(made.pieces) > 1:
        response.content = made.text(get_token(request))
    return response


def _build_response(request: HttpRequest, found: CachedResponse) -> HttpResponse:
    secret = get_token(request) if len(found.pieces) > 1 else ""
    response = HttpResponse(found.text(secret), headers=dict(found.headers))
    patch_vary_headers(response, ("Cookie",))
    return response


def _build_cache_key(request: HttpRequest, knows: Collection[str], reads: Collection[str]) -> Hashable | None:
    """Return the cache key of the request; None if its page is not cached."""
    if request.method not in {"GET", "HEAD"} or settings.DEBUG or not _is_visitor(request):
        return None
    if not request.GET.keys().isdisjoint(reads):
        return None
    _drop_unknown_parameters(request, knows)
    path = request.get_full_path()
    if len(path) > LONGEST_ADDRESS:
        return None
    viewer = context.load_viewer(request)
    host = (request.scheme, request.get_host())
    asked_for = tuple(request.META.get(name, "")[:80] for name in ASKED_FOR)
    return host, path, get_language(), viewer.theme, viewer.high_contrast, asked_for


def _is_visitor(request: HttpRequest) -> bool:
    cookies = request.COOKIES
    return (
        settings.SESSION_COOKIE_NAME not in cookies
        and not any(name in cookies for name in PERSONAL)
        and "Authorization" not in request.headers
        and not request.user.is_authenticated
    )


def _drop_unknown_parameters(request: HttpRequest, known: Collection[str]) -> None:
    """Normalise the query string: each known parameter once, with the value that `get` returns."""
    given = request.GET
    text = urlencode([(name, given[name]) for name in given if name in known])
    # Variants such as `&&` or `%66` would be separate cache entries.
    if text != request.META.get("QUERY_STRING", ""):
        request.META["QUERY_STRING"] = text
        request.GET = QueryDict(text)
