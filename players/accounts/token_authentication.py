"""Authentication of programs by `Authorization: Bearer bp_...`."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from players.accounts import tokens
from players.models import ApiToken, Scope, User


class TokenAuthentication(BaseAuthentication):
    """Authentication by token. It uses no cookie, so no CSRF check is needed."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """Return the account and its token; None without a bearer token.

        :raises AuthenticationFailed: the token is unknown or expired, or the account is inactive.
        :raises PermissionDenied: the token is read-only, and the method is not.
        """
        scheme, _space, text = request.headers.get("Authorization", "").strip().partition(" ")
        if scheme.lower() != "bearer":
            return None
        now = timezone.now()
        token = tokens.find_token(text=text.strip())
        if token is None:
            raise exceptions.AuthenticationFailed(
                _("We do not know this token. It may have been revoked."), code="bad_token"
            )
        if token.expires_at is not None and token.expires_at <= now:
            raise exceptions.AuthenticationFailed(
                _("This token has expired. Make a new one in your settings."), code="expired_token"
            )
        if not token.user.is_active:
            raise exceptions.AuthenticationFailed(_("This account is not active."), code="inactive_account")
        tokens.note_use(token=token, now=now)
        if token.scope == Scope.READ and request.method not in SAFE_METHODS:
            raise exceptions.PermissionDenied(
                _("This token may only read. Make one that may do more in your settings."),
                code="read_only_token",
            )
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """Return the WWW-Authenticate header of a 401 (RFC 6750)."""
        return 'Bearer realm="api"'


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # drf-spectacular is not typed
    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, Any]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A personal token, made in the settings. One for reading gets 403 for the rest.",
        }
