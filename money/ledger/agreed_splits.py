"""Agreed splits, applied to the prizes of today's results (ADR 83)."""

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

    # The first of its lines, by which it is taken back.
    line: int
    # What it moves, and what each had won by the results and was to get; None where an older version wrote it.
    changes: Mapping[int, int]
    agreed: Mapping[int, tuple[int, int]] | None


@dataclass(frozen=True, slots=True)
class Lapsed:
    """A split that is void, because a correction has changed what its players get together."""

    line: int
    players: tuple[int, ...]
    # What they agreed to divide, and what they get together now.
    agreed: int
    together: int


def standing(lines: Sequence[MoneyLine]) -> list[Agreement]:
    """Return the splits that were not taken back, the oldest first."""
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
            else {int(who): (prize, share) for who, (prize, share) in rows[0].agreed.items()},
        )
        for _item, rows in sorted(items.items())
    ]


def apply(won: Mapping[int, int], splits: Sequence[Agreement]) -> tuple[dict[int, int], list[Lapsed]]:
    """Turn what entrants won into what they are due; also return the splits that no longer fit.

    While its players have won what they had won, a split moves what it moved. After a correction each gets the share agreed on,
    if together they have as much as then; else the split counts for nothing.
    """
    due, lapsed = defaultdict(int, won), []
    for split in splits:
        agreed = split.agreed
        if agreed is None or all(won.get(who, 0) == prize for who, (prize, _share) in agreed.items()):
            for who, amount in split.changes.items():
                due[who] += amount
            continue
        shares = {who: share for who, (_prize, share) in agreed.items()}
        together = sum(due[who] for who in shares)
        if together == sum(shares.values()):
            due.update(shares)
        else:
            lapsed.append(Lapsed(split.line, tuple(sorted(shares)), sum(shares.values()), together))
    return {who: amount for who, amount in due.items() if amount}, lapsed
