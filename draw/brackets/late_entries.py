"""Late entrants in the main draw: they take free byes, and the draw does not change (P14)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from draw.brackets.resolution import ResolvedSheet
from draw.seeding import list_seed_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from draw.brackets.resolution import Facts
    from draw.brackets.structure import Structure
    from draw.event import EntrantId, Field, Key, Pairing


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
