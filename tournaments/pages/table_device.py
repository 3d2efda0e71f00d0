"""Identification of the browser that reports a result, by a random ID in a signed cookie (ADR 90).

The ID names no person.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import wraps
from typing import Final

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest
from django.http.response import HttpResponseBase

SALT: Final = "tournaments.table_device"
# Key in `request.META` of an ID that the response has to set.
NEW: Final = "tournaments.new_table_device"
BYTES: Final = 16
SECONDS: Final = 180 * 24 * 3600


def get_device(request: HttpRequest) -> str:
    """Return the browser's ID.

    A browser without one gets it with the response, if the view is decorated with `set_device_cookie`.
    """
    if found := request.META.get(NEW):
        return str(found)
    try:
        return Signer(salt=SALT).unsign(request.COOKIES.get(settings.TABLE_COOKIE_NAME, ""))
    except BadSignature:
        request.META[NEW] = secrets.token_urlsafe(BYTES)
        return str(request.META[NEW])


def set_device_cookie(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """View decorator: set the cookie if the browser got a new ID."""

    @wraps(view)
    def marking(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        if mark := request.META.get(NEW):
            response.set_cookie(
                settings.TABLE_COOKIE_NAME,
                Signer(salt=SALT).sign(mark),
                max_age=SECONDS,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response

    return marking
