"""Language and time of the person who asks, and the headers their browser gets."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.middleware import get_user
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from players.access import attempts, context
from players.accounts import devices
from players.names import time_zones

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

    from players.models import User


class LanguageMiddleware:
    """Speak the account's language; else the cookie's, else the browser's, else that of the installation's only club.

    Stands where Django's LocaleMiddleware would, before an account is known, so it looks it up itself,
    but only where a session cookie says that there may be one: a visitor costs nothing.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer in the language of the one who asks."""
        user = find_user(request)
        chosen = user.language if user else ""
        language = chosen or context.language_of_visitor(request)
        with translation.override(language):
            request.LANGUAGE_CODE = translation.get_language() or settings.LANGUAGE_CODE
            response = self.get_response(request)
        patch_vary_headers(response, ("Accept-Language",))
        response.headers.setdefault("Content-Language", language)
        return response


class PrivacyMiddleware:
    """Leave nothing in a browser's store that was made for somebody: the club's laptop has a back button."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Forbid to keep the answer, unless its view has said what may be kept."""
        response = self.get_response(request)
        is_somebody = settings.SESSION_COOKIE_NAME in request.COOKIES or "Authorization" in request.headers
        if is_somebody and not response.has_header("Cache-Control"):
            response["Cache-Control"] = "private, no-store"
        return response


class SignInMiddleware:
    """Say "too soon" so that programs understand it too, and let a device know who has signed in on it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer as the view does, with what the adapter and the signals have noted."""
        response = self.get_response(request)
        if seconds := request.META.get(attempts.RETRY_AFTER):
            response.status_code = 429
            response["Retry-After"] = str(seconds)
        if user := request.META.get(devices.NEW):
            devices.remember(request, response, user)
        return response


class ViewerMiddleware:
    """Show times where the viewer is: as their account says, else as the club's clock shows them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer in the time of the one who asks; a page about a club may still turn to the club's."""
        user = find_user(request)
        name = (user.time_zone or context.last_time_zone(request)) if user else ""
        zone = ZoneInfo(name) if name in time_zones() else timezone.get_default_timezone()
        with timezone.override(zone):
            return self.get_response(request)


def find_user(request: HttpRequest) -> User | None:
    """Return the account behind the session cookie, loaded once a request; None without a cookie."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None
    # The same cache that AuthenticationMiddleware fills and request.user reads.
    user = get_user(request)
    return user if user.is_authenticated else None
