"""Language and time zone of each request, and headers of its response."""

from __future__ import annotations

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.middleware import get_user
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from players.access import attempts, context
from players.accounts import devices
from players.models import User
from players.names import list_time_zones


class Middleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response


class LanguageMiddleware(Middleware):
    """Middleware for the language: of the account, or else of the cookie, the browser or the only club.

    It replaces Django's LocaleMiddleware. Since it runs before the account is loaded, it loads the account itself, but
    only if there is a session cookie: for a visitor no account is queried.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        user = find_user(request)
        chosen = user.language if user else ""
        language = chosen or context.find_visitor_language(request)
        with translation.override(language):
            request.LANGUAGE_CODE = translation.get_language() or settings.LANGUAGE_CODE
            response = self.get_response(request)
        patch_vary_headers(response, ("Accept-Language",))
        response.headers.setdefault("Content-Language", language)
        return response


class PrivacyMiddleware(Middleware):
    """Middleware that keeps browsers from storing personal pages, as a club's laptop has a back button."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        is_somebody = settings.SESSION_COOKIE_NAME in request.COOKIES or "Authorization" in request.headers
        if is_somebody and not response.has_header("Cache-Control"):
            response["Cache-Control"] = "private, no-store"
        return response


class SignInMiddleware(Middleware):
    """Middleware that sets the status of rate-limited responses to 429, and adds accounts to the device cookie."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if seconds := request.META.get(attempts.RETRY_AFTER):
            response.status_code = 429
            response["Retry-After"] = str(seconds)
        if user := request.META.get(devices.NEW):
            devices.remember_user(request, response, user)
        return response


class ViewerMiddleware(Middleware):
    """Middleware for the time zone: of the account, or else of the club last visited."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Activate the time zone; a view may switch to that of its club."""
        user = find_user(request)
        name = (user.time_zone or context.get_last_time_zone(request)) if user else ""
        zone = ZoneInfo(name) if name in list_time_zones() else timezone.get_default_timezone()
        with timezone.override(zone):
            return self.get_response(request)


def find_user(request: HttpRequest) -> User | None:
    """Find the account of the session, loaded once a request; None without a session cookie."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None
    # The cache that AuthenticationMiddleware fills and request.user reads.
    user = get_user(request)
    return user if user.is_authenticated else None
