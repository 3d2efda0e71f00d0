"""Who is in an event, as a file: the same columns that are read from one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from draw.files.tables import written
from tournaments import hooks
from tournaments.base.lines import shown_name
from tournaments.models import Entry

if TYPE_CHECKING:
    from tournaments.models import Tournament


def of(event: Tournament) -> str:
    """Return a row for each player who is in or waits: name, rating, club, and what packages above tick."""
    extra = hooks.roster_columns(event)
    ticked = {name: set(column.ticked(event)) for name, column in extra.items()}
    rows = Entry.objects.filter(tournament=event, withdrawn_at__isnull=True).select_related("player")
    head = [_("Name"), _("Rating"), _("Club"), *(str(column.title) for column in extra.values())]
    return written(
        [
            head,
            *(
                [
                    shown_name(row.player),
                    "" if row.rating is None else f"{row.rating:g}",
                    row.club,
                    *(_("yes") if row.number in ticked[name] else "" for name in extra),
                ]
                for row in rows.order_by("waits", "number")
            ),
        ]
    )
