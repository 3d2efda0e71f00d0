"""The exact expected number of rematches of a sheet when every match is a coin flip."""

from __future__ import annotations

from collections import defaultdict

from draw.brackets.structure import FINAL, Feed, Structure


def expected(structure: Structure) -> float:
    """Sum the probabilities, over all places, that its two players have met before; the title match does not count.

    After a match its two players move independently until they share a place; the player at the earlier place moves.
    A second rematch counts from the first.
    """
    to = _ways(structure)
    total = 0.0
    for start, comers in enumerate(structure.comers):
        if comers < 2:
            continue
        states: dict[tuple[int, int], float] = defaultdict(float)
        _put(states, to[Feed.WINNER].get(start), to[Feed.LOSER].get(start), 1.0)
        while states:
            pair = min(states)
            likely = states.pop(pair)
            first, second = pair
            if first == second:
                total += likely
                continue
            feeds = (Feed.WINNER, Feed.LOSER) if structure.comers[first] == 2 else (Feed.WINNER,)
            for feed in feeds:
                _put(states, to[feed].get(first), second, likely / len(feeds))
    return total


def _ways(structure: Structure) -> dict[Feed, dict[int, int]]:
    to: dict[Feed, dict[int, int]] = {feed: {} for feed in Feed}
    for index, node in enumerate(structure.nodes):
        if node.bracket != FINAL:
            for source in (node.a, node.b):
                to[source.feed][source.index] = index
    return to


def _put(states: dict[tuple[int, int], float], one: int | None, other: int | None, likely: float) -> None:
    if one is not None and other is not None:
        states[min(one, other), max(one, other)] += likely
