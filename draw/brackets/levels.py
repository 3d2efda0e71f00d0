"""The levels at which entrants leave a sheet, from the winner down (P35)."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from draw.brackets.structure import FINAL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draw.brackets.structure import Bracket, Structure

# A level of the order: bracket, round, and whether the round was won.
Level = tuple[str, int, bool]


def list_levels(structure: Structure) -> tuple[Level, ...]:
    """List the levels from the winner down. A side bracket ranks below the last round that drops into it."""
    by_name = {bracket.name: bracket for bracket in structure.brackets}
    fed: dict[Level, list[str]] = defaultdict(list)
    for bracket in structure.brackets[1:]:
        if bracket.name != FINAL:
            fed[_find_latest_feed(bracket, structure)].append(bracket.name)

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


def _find_latest_feed(bracket: Bracket, structure: Structure) -> Level:
    latest = max(source.index for row in bracket.drops for source in row)
    node = structure.nodes[latest]
    return (node.bracket, node.round, False)
