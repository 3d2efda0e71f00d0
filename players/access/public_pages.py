"""Public pages are made once for all visitors who may see the same.

Kept is what somebody sees who is not signed in and of whom we know nothing but language and theme; who has a session,
a message waiting or a token gets a page of their own. What is personal even then, the secret of forms, is put in
afterwards. What a page shows is said by its *state*, read from the database before the page is made.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpResponse, QueryDict
from django.middleware.csrf import get_token
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language

from players.access import context
from runtime.http import response_cache

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable
    from datetime import datetime

    from django.http import HttpRequest

    View = Callable[..., HttpResponse]

CACHE: Final = response_cache.ResponseCache()
# Longer addresses are nobody's we know.
LONGEST_ADDRESS: Final = 200
# Of these a page may depend; "messages" is what the last form had to say.
ASKED_FOR: Final = ("HTTP_HX_REQUEST", "HTTP_HX_BOOSTED", "HTTP_HX_TARGET")
PERSONAL: Final = ("messages",)


@dataclass(frozen=True, slots=True)
class State:
    """What a page is made of."""

    mark: Hashable
    # Asked when it is made: from when on time alone makes it another.
    until: Callable[[], datetime] | None = None


def page(
    state: Callable[..., State | None], *, knows: Collection[str] = (), reads: Collection[str] = ()
) -> Callable[[Callable[..., Any]], Callable[..., HttpResponse]]:
    """Make a page once for all visitors while *state* (of the view's arguments, and now) says the same.

    It *knows* these parameters of its address, and there is a page for each of their values. Where one of those that it *reads* is given,
    a search, say, it is made each time. A visitor's other parameters are dropped before the page is made, so that it is the same page.
    """

    def decorate(view: Callable[..., Any]) -> Callable[..., HttpResponse]:
        @wraps(view)
        def answered(request: HttpRequest, **kwargs: Any) -> HttpResponse:
            key = _key(request, knows, reads)
            now = timezone.now()
            seen = state(request, now=now, **kwargs) if key is not None else None
            if key is None or seen is None:
                return view(request, **kwargs)  # type: ignore[no-any-return]
            return _answer(request, key, seen, lambda: view(request, **kwargs), now=now)

        return answered

    return decorate


def answer(
    request: HttpRequest,
    make: Callable[[], HttpResponse],
    *,
    state: State,
    knows: Collection[str] = (),
    reads: Collection[str] = (),
    now: datetime,
) -> HttpResponse:
    """Answer with what was made for another visitor if it is the same, else make it."""
    key = _key(request, knows, reads)
    return make() if key is None else _answer(request, key, state, make, now=now)


def _answer(
    request: HttpRequest, key: Hashable, state: State, make: Callable[[], HttpResponse], *, now: datetime
) -> HttpResponse:
    found = CACHE.find(key, state.mark, now=now)
    if found is None:
        with CACHE.making(key):
            # Whoever waited finds what the other has made.
            found = CACHE.find(key, state.mark, now=now)
            if found is None:
                return _make(request, key, state, make, now=now)
    return _given(request, found)


def _make(
    request: HttpRequest, key: Hashable, state: State, make: Callable[[], HttpResponse], *, now: datetime
) -> HttpResponse:
    until = state.until() if state.until else None
    request.META[context.SHARED] = True
    try:
        response = make()
    finally:
        # Whatever else is shown, say that there is no such page, is this reader's own.
        del request.META[context.SHARED]
    made = response_cache.CachedResponse.of(
        state.mark, response.content, response.items(), now=now, until=until
    )
    if response.status_code == 200 and not response.cookies:
        CACHE.put(key, made)
        return _given(request, made)
    if len(made.pieces) > 1:
        response.content = made.text(get_token(request))
    return response


def _given(request: HttpRequest, found: response_cache.CachedResponse) -> HttpResponse:
    secret = get_token(request) if len(found.pieces) > 1 else ""
    response = HttpResponse(found.text(secret), headers=dict(found.headers))
    patch_vary_headers(response, ("Cookie",))
    return response


def _key(request: HttpRequest, knows: Collection[str], reads: Collection[str]) -> Hashable | None:
    """Return under what the page of this request is kept, or None where it is somebody's own."""
    if request.method not in {"GET", "HEAD"} or settings.DEBUG or not _is_visitor(request):
        return None
    if not request.GET.keys().isdisjoint(reads):
        return None
    _drop_unknown_parameters(request, knows)
    path = request.get_full_path()
    if len(path) > LONGEST_ADDRESS:
        return None
    viewer = context.look(request)
    host = (request.scheme, request.get_host())
    return host, path, get_language(), viewer.theme, viewer.high_contrast, _asked_for(request)


def _asked_for(request: HttpRequest) -> tuple[str, ...]:
    return tuple(request.META.get(name, "")[:80] for name in ASKED_FOR)


def _is_visitor(request: HttpRequest) -> bool:
    cookies = request.COOKIES
    return (
        settings.SESSION_COOKIE_NAME not in cookies
        and not any(name in cookies for name in PERSONAL)
        and "Authorization" not in request.headers
        and not request.user.is_authenticated
    )


def _drop_unknown_parameters(request: HttpRequest, known: Collection[str]) -> None:
    """Make the address of a request one that the page knows: each known parameter once, as `get` would read it."""
    given = request.GET
    text = urlencode([(name, given[name]) for name in given if name in known])
    # Written in another way, with `&&` or `%66`, it would be another page too.
    if text != request.META.get("QUERY_STRING", ""):
        request.META["QUERY_STRING"] = text
        request.GET = QueryDict(text)
