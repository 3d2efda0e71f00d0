"""Latecomers on a sheet, whose draw does not change.

They take free byes of the main draw (P14), or an empty seat in the first round of a side bracket (P16).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from draw.brackets.resolution import NOBODY, Facts, Joined, ResolvedPlace, ResolvedSheet, resolve_spots
from draw.brackets.sheet import Shape, Sheet
from draw.brackets.structure import FINAL, Bracket, Feed, Node, Structure
from draw.event import UNDECIDED, EntrantId, Field, Key, Pairing
from draw.seeding import list_seed_order

# Only seats for losers can be filled: a seat for a missing winner was forfeited.
FALLS: Final = (Feed.LOSER, Feed.FIRST)


def fill_byes(
    field: Field, structure: Structure, facts: Facts
) -> tuple[tuple[EntrantId | None, ...], tuple[tuple[EntrantId, int], ...], tuple[EntrantId, ...]]:
    """Return the lines with late entrants, the line (from 1) of each, and the late entrants without one."""
    drawn = facts.lines
    lines = list(drawn)
    placed: list[tuple[EntrantId, int]] = []
    waiting = [one.id for one in field.entrants if one.id not in set(drawn) and not one.joins]
    settled = {entrant: line - 1 for line, entrant in (field.draw.late if field.draw else ())}
    settled |= _find_recorded_lines(structure, facts.records, waiting, drawn)
    for entrant, line in settled.items():
        if entrant in waiting and line in range(len(lines)) and lines[line] is None:
            lines[line] = entrant
            placed.append((entrant, line + 1))
            waiting.remove(entrant)
    coming = [one for one in waiting if one not in field.absent and one not in facts.left]
    for line, entrant in _assign_byes(structure, replace(facts, lines=lines), coming):
        lines[line] = entrant
        placed.append((entrant, line + 1))
        waiting.remove(entrant)
    return tuple(lines), tuple(placed), tuple(waiting)


def _find_recorded_lines(
    structure: Structure,
    records: Mapping[Key, Pairing],
    waiting: Sequence[EntrantId],
    drawn: Sequence[EntrantId | None],
) -> dict[EntrantId, int]:
    """Return the lines of late entrants whose first match is on record; these must not change any more."""
    found: dict[EntrantId, int] = {}
    for node in structure.nodes[: structure.size // 2]:
        record = records.get(node.key)
        empty = [line for line in (node.a.index, node.b.index) if drawn[line] is None]
        for entrant in () if record is None else (record.a, record.b):
            if entrant in waiting and empty:
                found[entrant] = empty[0]
    return found


def _assign_byes(
    structure: Structure, facts: Facts, coming: Sequence[EntrantId]
) -> Iterator[tuple[int, EntrantId]]:
    """Yield byes with the late entrants who take them. The lowest seed loses their bye first."""
    free = [line for line, entrant in enumerate(facts.lines) if entrant is None and facts.lines[line ^ 1]]
    if not coming or not free or structure.compact:
        return  # a compact sheet has no room for another loser
    sheet, left = ResolvedSheet(structure, facts), list(coming)
    for line in sorted(free, key=list_seed_order(len(facts.lines)).__getitem__):
        changed = sheet.seat(line, left[0])
        # If the bye has already been used, filling it would invalidate a match.
        if any(sheet.spots[at].stale for at in changed):
            sheet.seat(line, None)
            continue
        yield line, left.pop(0)
        if not left:
            return


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
