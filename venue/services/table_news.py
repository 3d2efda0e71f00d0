"""What a club's own programs are told of its tables: that one has changed, and which; not what is there (ADR 28)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from players.models import Webhook
from players.services import webhooks
from runtime import prepared_queries
from venue.models import Table

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

CHANGED: Final = "table.changed"


def tell(table: int, *, now: datetime) -> None:
    """Tell that a match has come to a table or left it, or that the table is set otherwise; once in a change."""
    # Asked with every call, and few clubs have a program that listens.
    if not prepared_queries.is_there(_listening, table):
        return
    found = Table.objects.select_related("room").get(pk=table)
    webhooks.tell(
        club_id=found.room.club_id,
        what=CHANGED,
        about={"room": found.room.key, "table": found.key},
        once=f"{CHANGED}:{found.key}:{now.isoformat()}",
        now=now,
    )


def _listening(table: Any) -> QuerySet[Webhook]:
    return Webhook.objects.filter(club__rooms__tables=table, stopped_at__isnull=True)
