"""Agreed splits, applied to the prizes of the current results (ADR 83)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from money.models import LineKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from money.models import MoneyLine


@dataclass(frozen=True, slots=True)
class Agreement:
    """A split without a counter-entry."""

    # Its first line, by which it can be cancelled.
    line: int
    # The amounts it moves, and each player's agreed share; None if written by an older version.
    changes: Mapping[int, int]
    shares: Mapping[int, int] | None


@dataclass(frozen=True, slots=True)
class LapsedSplit:
    """A split that is void because its players' total has changed."""

    line: int
    players: tuple[int, ...]
    # The total they agreed to split, and their total now.
    agreed: int
    together: int


def list_agreements(lines: Sequence[MoneyLine]) -> list[Agreement]:
    """Return the splits that are not cancelled, the oldest first."""
    gone = {line.corrects_id for line in lines if line.corrects_id}
    items: defaultdict[int, list[MoneyLine]] = defaultdict(list)
    for line in lines:
        if line.kind == LineKind.SPLIT and line.corrects_id is None and line.pk not in gone:
            items[line.item].append(line)
    return [
        Agreement(
            rows[0].number,
            {line.entrant: line.amount for line in rows if line.entrant is not None},
            None
            if rows[0].agreed is None
            else {int(who): share for who, (_prize, share) in rows[0].agreed.items()},
        )
        for _item, rows in sorted(items.items())
    ]


def apply_splits(
    won: Mapping[int, int], splits: Sequence[Agreement]
) -> tuple[dict[int, int], list[LapsedSplit]]:
    """Apply splits to prizes; return the amounts due, and the splits that no longer fit.

    Each player gets the agreed share while the players of a split have together what they divided; otherwise it
    is void: a result was corrected, or an earlier split cancelled.
    """
    due, lapsed = defaultdict(int, won), []
    for split in splits:
        if split.shares is None:
            for who, amount in split.changes.items():
                due[who] += amount
            continue
        together, agreed = sum(due[who] for who in split.shares), sum(split.shares.values())
        if together == agreed:
            due.update(split.shares)
        else:
            lapsed.append(LapsedSplit(split.line, tuple(sorted(split.shares)), agreed, together))
    return {who: amount for who, amount in due.items() if amount}, lapsed
