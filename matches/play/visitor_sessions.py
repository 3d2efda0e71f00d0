"""Visitors without an account: identified by the session, also for the API, and only at their boards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.request import Request
from rest_framework.settings import api_settings

from players.models import Player, User

SESSION: Final = "visitor"


class VisitingUser(AnonymousUser):
    # Satisfies IsAuthenticated of the match API, although there is no account.
    is_authenticated = True  # type: ignore[assignment]

    def __init__(self, player: Player) -> None:
        super().__init__()
        self.player = player


def find_visitor(session: Mapping[str, Any]) -> VisitingUser | None:
    key = session.get(SESSION)
    if not isinstance(key, str):
        return None
    player = Player.objects.filter(key=key, visitor__isnull=False, user__isnull=True).first()
    return None if player is None else VisitingUser(player)


def get_viewer(request: HttpRequest) -> User | AnonymousUser:
    """Return the account, else the session's visitor, else the anonymous user."""
    if isinstance(request.user, User):
        return request.user
    return find_visitor(request.session) or request.user


class VisitorAuthentication(BaseAuthentication):
    """Authentication of the visitor of a session, with the same CSRF protection as for accounts."""

    def authenticate(self, request: Request) -> tuple[VisitingUser, None] | None:
        """Return the visitor; None for accounts and anonymous users."""
        plain = request._request  # noqa: SLF001 - DRF's own way to the session's account
        if plain.user.is_authenticated:
            return None
        found = find_visitor(plain.session)
        if found is None:
            return None
        SessionAuthentication().enforce_csrf(request)
        return found, None


class VisitorScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # drf-spectacular is not typed
    target_class = VisitorAuthentication
    name = "visitor"

    def get_security_definition(self, auto_schema: object) -> dict[str, Any]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": "session",
            "description": "The session of somebody who practises without an account; at their own board alone.",
        }


AT_THE_BOARD = (
    *cast("list[type[BaseAuthentication]]", api_settings.DEFAULT_AUTHENTICATION_CLASSES),
    VisitorAuthentication,
)
