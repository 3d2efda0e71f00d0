"""How a program signs in to the API: `Authorization: Bearer bp_...`, told apart from a browser's session."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import SAFE_METHODS

from players.accounts import tokens
from players.models import ApiToken, Scope, User

if TYPE_CHECKING:
    from rest_framework.request import Request


class TokenAuthentication(BaseAuthentication):
    """Let in whoever bears a token. No cookie is involved, so there is nothing to forge across sites."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """Return the account and its token; None where no token was sent.

        :raises AuthenticationFailed: the token opens nothing.
        :raises PermissionDenied: it is for reading, and this would change something.
        """
        scheme, _space, text = request.headers.get("Authorization", "").strip().partition(" ")
        if scheme.lower() != "bearer":
            return None
        now = timezone.now()
        token = tokens.find(text=text.strip())
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
        """Return what a 401 says about how to sign in (RFC 6750)."""
        return 'Bearer realm="api"'


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # drf-spectacular is not typed
    """Tokens as the schema describes them."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, Any]:
        """Return the security scheme."""
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A personal token, made in the settings. One for reading gets 403 for the rest.",
        }
