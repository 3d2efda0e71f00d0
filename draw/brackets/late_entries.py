"""Late entrants take a free bye, without a new draw (P14)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from draw.brackets.resolution import ResolvedSheet
from draw.seeding import seed_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from draw.brackets.resolution import Facts
    from draw.brackets.structure import Structure
    from draw.event import EntrantId, Field, Key, Pairing


def fill_byes(
    field: Field, structure: Structure, facts: Facts
) -> tuple[tuple[EntrantId | None, ...], tuple[tuple[EntrantId, int], ...], tuple[EntrantId, ...]]:
    """Return the lines with the late ones on them, who came to which line (from 1), and who found none."""
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
    """Return the lines of late entrants whose first match has been made: it must not move any more."""
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
    """Yield who takes which bye, in the order of seeds: the lowest seed loses theirs first."""
    free = [line for line, entrant in enumerate(facts.lines) if entrant is None and facts.lines[line ^ 1]]
    if not coming or not free or structure.compact:
        return  # the sides of a compact sheet were counted without byes: no place for one more loser
    sheet, left = ResolvedSheet(structure, facts), list(coming)
    for line in sorted(free, key=seed_order(len(facts.lines)).__getitem__):
        changed = sheet.seat(line, left[0])
        # Where the bye has been used, here or on any side, somebody's match would fall.
        if any(sheet.spots[at].stale for at in changed):
            sheet.seat(line, None)
            continue
        yield line, left.pop(0)
        if not left:
            return
