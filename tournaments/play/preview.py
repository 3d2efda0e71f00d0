"""Previews of acts: the act is executed, its outcome read, and rolled back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.db import transaction

from draw import comparison
from draw.event import Kind
from players.models import Player
from tournaments.base import event_rows
from tournaments.base.lines import shown_name
from tournaments.models import Report, ReportStatus, Stand
from tournaments.play import changes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from draw.comparison import PlaceChange
    from draw.event import EntrantId, Key, Pairing, Proposal
    from tournaments.base.event_rows import Rows
    from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class ActPreview:
    """The changed places, the matches whose results would be lost, and the number of reports dropped."""

    ripples: tuple[PlaceChange, ...]
    before: Proposal
    after: Proposal
    lost: tuple[Key, ...]
    dropped: int
    # Names of new players, by the entry they take over.
    seated: Mapping[EntrantId, str]


class _TakenBack(Exception):
    """Rolls the act back."""


def preview_act(tournament_id: int, act: Callable[[], object]) -> ActPreview:
    """Preview an act on this event.

    :raises TournamentError: the act is not possible.
    """
    seen: list[tuple[Rows, int, dict[EntrantId, str]]] = []
    with transaction.atomic():
        event = changes.lock(tournament_id)
        before, reported = event_rows.load(event), _reported(event)
        try:
            with transaction.atomic():
                act()
                rows = event_rows.load(event)
                seen.append((rows, _dropped(reported), _seated(before, rows)))
                raise _TakenBack
        except _TakenBack:
            pass
    after, dropped, seated = seen[0]
    return _compared(before, after, dropped, seated)


def _seated(before: Rows, after: Rows) -> dict[EntrantId, str]:
    """Names of new players by entry, read before the rollback, which may delete their rows."""
    players = {one: entry.player_id for one, entry in before.entry_by_id.items()}
    found = {
        one: entry.player_id
        for one, entry in after.entry_by_id.items()
        if players.get(one, entry.player_id) != entry.player_id
    }
    named = Player.objects.in_bulk(set(found.values())) if found else {}
    return {one: shown_name(named[pk]) for one, pk in found.items()}


def _reported(event: Tournament) -> list[int]:
    """The reports of an event that are open or disputed."""
    waiting = (ReportStatus.OPEN, ReportStatus.DISPUTED)
    rows = Report.objects.filter(pairing__tournament=event, status__in=waiting)
    return list(rows.values_list("pk", flat=True))


def _dropped(reported: Collection[int]) -> int:
    """Count these reports that were dropped without a played result replacing them."""
    rows = Report.objects.filter(pk__in=reported, status=ReportStatus.DROPPED)
    return rows.exclude(pairing__state=Stand.DECIDED, pairing__kind=Kind.PLAYED.value).count()


def _compared(before: Rows, after: Rows, dropped: int, seated: Mapping[EntrantId, str]) -> ActPreview:
    old, new = event_rows.proposal_of(before), event_rows.proposal_of(after)
    kept = _entered(after)
    lost = tuple(
        key for key, one in _entered(before).items() if key not in kept or _two(kept[key]) != _two(one)
    )
    ripples = tuple(replace(one, lost_result=one.key in lost) for one in comparison.list_changes(old, new))
    return ActPreview(ripples, old, new, lost, dropped, seated)


def _entered(rows: Rows) -> dict[Key, Pairing]:
    """Matches with an entered result."""
    return {
        one.key: one
        for batch in event_rows.event_of(rows).rounds
        for one in batch.pairings
        if one.result is not None
    }


def _two(pairing: Pairing) -> frozenset[str]:
    return frozenset((pairing.a, pairing.b))
