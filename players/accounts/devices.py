"""Known devices, which have signed in before: wrong tries from elsewhere do not slow these down (ADR 45).

The cookie is signed and names no account: it has a mark for each account that has signed in on the device,
derived from the account and its password hash, so that a new password invalidates it.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import constant_time_compare, salted_hmac

from players.models import User

SALT = "players.devices"
# The key in request.META for the account to add to the device when the response is sent.
NEW = "players.new_device"
# Only the pages with a password field need the cookie.
PATH = "/accounts/"
SECONDS = 365 * 24 * 3600
# A club's laptop has many accounts; this limit keeps the cookie below 1.5 kB.
MOST = 30


@dataclass(frozen=True, slots=True)
class Device:
    name: str
    marks: tuple[str, ...]

    def knows(self, user: User) -> bool:
        """True if *user* has signed in on this device with the current password."""
        keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
        return any(
            constant_time_compare(mark, _compute_mark(user, key)) for key in keys for mark in self.marks
        )


def find_device(request: HttpRequest) -> Device | None:
    """Find the device of the request; None if no account has signed in on it."""
    text = request.COOKIES.get(settings.DEVICE_COOKIE_NAME)
    if not text:
        return None
    try:
        found: Any = signing.loads(text, salt=SALT, max_age=SECONDS)
        return Device(str(found["name"]), tuple(map(str, found["marks"])))
    except (signing.BadSignature, KeyError, TypeError, ValueError):
        return None


def remember_user(request: HttpRequest, response: HttpResponseBase, user: User) -> None:
    device = find_device(request) or Device(secrets.token_urlsafe(9), ())
    mark = _compute_mark(user, settings.SECRET_KEY)
    others = [each for each in device.marks if each != mark]
    device = replace(device, marks=(mark, *others[: MOST - 1]))
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        signing.dumps({"name": device.name, "marks": device.marks}, salt=SALT),
        max_age=SECONDS,
        path=PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _compute_mark(user: User, key: str) -> str:
    return salted_hmac(SALT, f"{user.pk}:{user.password}", secret=key, algorithm="sha256").hexdigest()[:32]
