"""What an act would lead to: it is carried out, looked at, and taken back before anybody has seen it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.db import transaction

from draw import ripple
from tournaments.selectors import event_rows
from tournaments.services import changes

if TYPE_CHECKING:
    from collections.abc import Callable

    from draw.event import Key, Pairing, Proposal
    from draw.ripple import Ripple
    from tournaments.selectors.event_rows import Rows


@dataclass(frozen=True, slots=True)
class ActPreview:
    """What becomes of each place that changes, and whose results would be lost."""

    ripples: tuple[Ripple, ...]
    before: Proposal
    after: Proposal
    lost: tuple[Key, ...]


class _TakenBack(Exception):
    """Nothing of what was done remains."""


def of(tournament_id: int, act: Callable[[], object]) -> ActPreview:
    """Return what an act on this event would lead to; what it refuses, it refuses here too.

    :raises TournamentError: the act is not possible.
    """
    seen: list[Rows] = []
    with transaction.atomic():
        event = changes.lock(tournament_id)
        before = event_rows.load(event)
        try:
            with transaction.atomic():
                act()
                seen.append(event_rows.load(event))
                raise _TakenBack
        except _TakenBack:
            pass
    return _compared(before, seen[0])


def _compared(before: Rows, after: Rows) -> ActPreview:
    old, new = event_rows.proposal_of(before), event_rows.proposal_of(after)
    kept = _entered(after)
    lost = tuple(
        key for key, one in _entered(before).items() if key not in kept or _two(kept[key]) != _two(one)
    )
    ripples = tuple(replace(one, lost_result=one.key in lost) for one in ripple.differences(old, new))
    return ActPreview(ripples, old, new, lost)


def _entered(rows: Rows) -> dict[Key, Pairing]:
    """Return the matches that have a result somebody entered."""
    return {
        one.key: one
        for batch in event_rows.event_of(rows).rounds
        for one in batch.pairings
        if one.result is not None
    }


def _two(pairing: Pairing) -> frozenset[str]:
    return frozenset((pairing.a, pairing.b))
