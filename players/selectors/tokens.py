"""An account's own tokens, as its settings show them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from players.models import ApiToken, User

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class TokenRow:
    """A token, without what would open anything."""

    id: int
    name: str
    scope_label: str
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None
    is_expired: bool


def list_tokens(*, user: User, now: datetime) -> tuple[TokenRow, ...]:
    """Return the account's tokens, the newest first."""
    return tuple(
        TokenRow(
            id=each.pk,
            name=each.name,
            scope_label=each.get_scope_display(),
            created_at=each.created_at,
            last_used_at=each.last_used_at,
            expires_at=each.expires_at,
            is_expired=each.expires_at is not None and each.expires_at <= now,
        )
        for each in ApiToken.objects.filter(user=user).order_by("-created_at", "-pk")
    )
