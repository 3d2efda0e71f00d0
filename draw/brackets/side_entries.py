"""Latecomers without a line: they join the first round of a side bracket, in an empty seat (P16)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from draw.brackets.resolution import NOBODY, UNDECIDED, resolve_spots
from draw.brackets.sheet import Shape
from draw.brackets.structure import FINAL, Feed
from draw.event import Key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draw.brackets.resolution import Facts, Joined, ResolvedPlace
    from draw.brackets.sheet import Sheet
    from draw.brackets.structure import Bracket, Node, Structure
    from draw.event import EntrantId

# Only seats for losers can be filled: a seat for a missing winner was forfeited.
FALLS: Final = (Feed.LOSER, Feed.FIRST)


def parse_seat(text: str) -> Joined:
    """Read a seat: the key of its place, and "a" or "b".

    >>> parse_seat("consolation/1.2/b")
    ('consolation/1.2', 'b')
    """
    key, _, seat = text.rpartition("/")
    return Key(key), seat


def find_seats(
    structure: Structure, facts: Facts, sheet: Sheet, who: EntrantId
) -> Iterator[tuple[Node, str, ResolvedPlace]]:
    """Yield the best seat for *who* in each side bracket, with the resulting state of its place.

    Filling it must not invalidate a match, must not displace an entrant, and must lead to a match.
    """
    spots = resolve_spots(structure, facts)
    shapes = {side.name: side.shape for side in sheet.sides}
    stale, seated = sum(spot.stale for spot in spots), _collect_seated(spots)
    for bracket in structure.brackets[1:]:
        if bracket.name == FINAL or shapes.get(bracket.name) == Shape.THIRD_PLACE:
            continue
        for index, seat in _list_free_seats(structure, spots, bracket):
            node = structure.nodes[index]
            after = resolve_spots(structure, replace(facts, joined={**facts.joined, (node.key, seat): who}))
            plays = any(who in (spot.a, spot.b) and spot.state in UNDECIDED for spot in after)
            if plays and sum(spot.stale for spot in after) == stale and seated <= _collect_seated(after):
                yield node, seat, after[index]
                break


def _collect_seated(spots: tuple[ResolvedPlace, ...]) -> set[EntrantId]:
    """Collect all entrants with a seat.

    Filling one seat can send a loser to a seat that another latecomer holds.
    """
    return {who for spot in spots for who in (spot.a, spot.b) if isinstance(who, str)}


def _list_free_seats(
    structure: Structure, spots: tuple[ResolvedPlace, ...], bracket: Bracket
) -> list[tuple[int, str]]:
    """List the empty seats of a first round, those with an opponent first."""
    found: list[tuple[bool, int, str]] = []
    for index in bracket.rounds[0] if bracket.rounds else ():
        node, spot = structure.nodes[index], spots[index]
        for seat, source, occupant, other in (("a", node.a, spot.a, spot.b), ("b", node.b, spot.b, spot.a)):
            if occupant is NOBODY and source.feed in FALLS:
                found.append((other is NOBODY, index, seat))
    return [(index, seat) for _, index, seat in sorted(found)]
