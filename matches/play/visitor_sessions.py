"""Visitors without an account: identified by the session, only at their boards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.contrib.auth.models import AnonymousUser

from players.models import Player, User

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest

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
