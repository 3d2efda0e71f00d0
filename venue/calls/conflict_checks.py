"""Optimistic concurrency for acts on a room: each carries the state its caller saw (ADR 30).

The event of the match at the table is locked first, then the table (ADR 6), so that no match is called there
between check and act.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.base.errors import ChangedMeanwhile
from tournaments.models import Pairing
from tournaments.play import changes
from venue.calls import tables
from venue.models import Assignment, Room, Table

T = TypeVar("T")


def run_if_unchanged(act: Callable[[], T], *, table: Table, saw: str) -> T:
    """Carry out an act on a table if its state is the one the caller saw.

    :raises ChangedMeanwhile: the table has changed; nothing is done.
    """
    with transaction.atomic():
        before = _find_assignment(table)
        if before is not None:
            changes.lock_event(before.pairing.tournament_id)
        held = Table.objects.select_for_update(of=("self",), no_key=True).filter(pk=table.pk).first()
        require_table(held, saw)
        return act()


def require_table(table: Table | None, saw: str) -> None:
    """Require that a locked table is as the caller saw it: at the same match, or still free, held or broken.

    :raises ChangedMeanwhile: it has changed.
    """
    there = None if table is None else _find_assignment(table)
    mark = "" if table is None else tables.compute_version_key(table.state, str(there.uid) if there else "")
    if table is None or mark != saw:
        raise ChangedMeanwhile(what=_describe_table(table, there), now={"seen": mark})


def require_at_table(pairing: Pairing, label: str) -> None:
    """Require that a match of a locked event is at the table where the caller saw it; "" for none.

    :raises ChangedMeanwhile: it is elsewhere.
    """
    there = Assignment.objects.filter(pairing=pairing, ended_at__isnull=True).select_related("table").first()
    now = str(there.table) if there else ""
    if now != label:
        sentence = _("This match is at table %(label)s now.") if now else _("This match has no table now.")
        raise ChangedMeanwhile(what=sentence % {"label": now}, now={"table": now})


def require_unchanged(now: str, saw: str | None) -> None:
    """Require that the version key of settings is the one the caller saw; `saw` None skips the check.

    :raises ChangedMeanwhile: it is another.
    """
    if saw is not None and now != saw:
        raise ChangedMeanwhile(what=_("Another director has changed this since you looked."), now={})


def require_latest_call(room: Room, call: str) -> None:
    """Require that the latest call of a locked room is the one the caller saw; "" for none.

    :raises ChangedMeanwhile: there is another.
    """
    rows = Assignment.objects.filter(table__room=room, ended_at__isnull=True).order_by("-pk")
    if str(rows.values_list("uid", flat=True).first() or "") != call:
        raise ChangedMeanwhile(what=_("The tables have changed since you looked."), now={})


def _find_assignment(table: Table) -> Assignment | None:
    rows = Assignment.objects.filter(table=table, ended_at__isnull=True)
    return rows.select_related("pairing__a__player", "pairing__b__player").first()


def _describe_table(table: Table | None, there: Assignment | None) -> str:
    if table is None:
        return _("The table is gone.")
    if there is not None:
        names = [
            entry.player.public_name for entry in (there.pairing.a, there.pairing.b) if entry is not None
        ]
        return _("%(names)s are at table %(label)s now.") % {
            "names": " – ".join(names),  # noqa: RUF001
            "label": table.label,
        }
    return _("No match is called to table %(label)s now: %(state)s.") % {
        "label": table.label,
        "state": table.get_state_display(),
    }
