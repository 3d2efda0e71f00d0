"""API authentication of visitors, by their session and only at their own board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.settings import api_settings

from matches.play import visitor_sessions

if TYPE_CHECKING:
    from rest_framework.request import Request

    from matches.play.visitor_sessions import VisitingUser


class VisitorAuthentication(BaseAuthentication):
    """Authentication of the visitor of a session, with the same CSRF protection as for accounts."""

    def authenticate(self, request: Request) -> tuple[VisitingUser, None] | None:
        """Return the visitor; None for accounts and anonymous users."""
        plain = request._request  # noqa: SLF001 - DRF's own way to the session's account
        if plain.user.is_authenticated:
            return None
        found = visitor_sessions.find_visitor(plain.session)
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
