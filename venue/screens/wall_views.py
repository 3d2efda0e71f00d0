"""`/tv`: the page of a screen. No sign-in; a cookie identifies the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from venue.errors import TooManyTries
from venue.screens import screens, wall

if TYPE_CHECKING:
    from django.http import HttpRequest

COOKIE: Final = "screen"
# The longest that browsers allow; renewed at each visit.
COOKIE_LASTS: Final = 400 * 24 * 3600


@require_safe
@never_cache
def tv(request: HttpRequest, template: str) -> HttpResponse:
    """Show a screen: its letters, or its programme; or only the picture that replaces the one shown."""
    now = timezone.now()
    token = request.COOKIES.get(COOKIE, "")[:64]
    screen = screens.find_screen(token)
    try:
        if screen is None:
            screen, token = screens.open_screen(address=get_adapter().get_client_ip(request), now=now)
        else:
            screen = screens.renew_letters(screen=screen, now=now)
    except TooManyTries as refusal:
        headers = {"Retry-After": str(refusal.context["seconds"])}
        return HttpResponse(
            str(refusal), status=429, content_type="text/plain; charset=utf-8", headers=headers
        )
    response = render(request, template, {"wall": wall.build_wall(screen, now=now)})
    response.set_cookie(
        COOKIE,
        token,
        max_age=COOKIE_LASTS,
        path="/tv",
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response
