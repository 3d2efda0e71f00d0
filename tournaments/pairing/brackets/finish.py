"""The finishing order of a sheet: by the place an entrant went out at, ties shared (P35)."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from tournaments.pairing.brackets.resolve import NOBODY
from tournaments.pairing.brackets.structure import FINAL, Feed
from tournaments.pairing.event import Ranked, State

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tournaments.pairing.brackets.resolve import Spot
    from tournaments.pairing.brackets.structure import Bracket, Structure
    from tournaments.pairing.event import EntrantId

# A level of the order: bracket, round, and whether the round was won.
Level = tuple[str, int, bool]


def levels(structure: Structure) -> tuple[Level, ...]:
    """Return the levels from the winner down: a side bracket stands behind the last round that drops into it."""
    by_name = {bracket.name: bracket for bracket in structure.brackets}
    fed: dict[Level, list[str]] = defaultdict(list)
    for bracket in structure.brackets[1:]:
        if bracket.name != FINAL:
            fed[_latest_feed(bracket, structure)].append(bracket.name)

    def expand(name: str) -> Iterator[Level]:
        rounds = len(by_name[name].rounds)
        yield (name, rounds, True)
        for number in range(rounds, 0, -1):
            if name == FINAL and number < rounds:
                yield (name, number, True)
            yield (name, number, False)
            for side in fed[(name, number, False)]:
                yield from expand(side)

    first = [FINAL] if FINAL in by_name else []
    return tuple(level for name in (*first, structure.brackets[0].name) for level in expand(name))


def _latest_feed(bracket: Bracket, structure: Structure) -> Level:
    latest = max(source.index for row in bracket.drops for source in row)
    node = structure.nodes[latest]
    return (node.bracket, node.round, False)


def finishing_order(structure: Structure, spots: Sequence[Spot]) -> tuple[Ranked, ...]:
    """Rank those who are out, and above them, sharing the places left, those who are still in."""
    groups = out_at(structure, spots)
    ranking: list[Ranked] = []
    for level in (None, *levels(structure)):
        tied = groups.get(level, [])
        rank = len(ranking) + 1
        figures = () if level is None else (("bracket", level[0]), ("round", level[1]), ("won", level[2]))
        ranking.extend(Ranked(entrant, rank, len(tied), figures=figures) for entrant in tied)
    return tuple(ranking)


def out_at(structure: Structure, spots: Sequence[Spot]) -> dict[Level | None, list[EntrantId]]:
    """Return who went out at each level; None: still in."""
    drops_to = {
        source.index: (node.bracket, node.round, False)
        for node in structure.nodes
        for source in (node.a, node.b)
        if source.feed is Feed.LOSER
    }
    groups: dict[Level | None, list[EntrantId]] = defaultdict(list)
    for entrant, index in _last_seen(spots).items():
        node, spot = structure.nodes[index], spots[index]
        if spot.state in (State.READY, State.WAITING):
            groups[None].append(entrant)
        elif spot.winner == entrant:
            groups[(node.bracket, node.round, True)].append(entrant)
        else:
            # P33: one who left instead of dropping keeps what he had: out at the place he would have dropped to.
            groups[drops_to.get(index, (node.bracket, node.round, False))].append(entrant)
    return groups


def _last_seen(spots: Sequence[Spot]) -> dict[EntrantId, int]:
    """Return the last place each entrant is known to sit at."""
    last: dict[EntrantId, int] = {}
    for index, spot in enumerate(spots):
        for occupant in (spot.a, spot.b):
            if occupant is not None and occupant is not NOBODY:
                last[occupant] = index
    return last
