"""Late entrants take a free bye, without a new draw (P14)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tournaments.pairing.brackets.structure import MAIN, Feed
from tournaments.pairing.draw import seed_order

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tournaments.pairing.brackets.structure import Structure
    from tournaments.pairing.event import EntrantId, Field, Key, Pairing


def filled(
    field: Field,
    drawn: Sequence[EntrantId | None],
    structure: Structure,
    records: Mapping[Key, Pairing],
) -> tuple[tuple[EntrantId | None, ...], tuple[tuple[EntrantId, int], ...], tuple[EntrantId, ...]]:
    """Return the lines with the late ones on them, who came to which line (from 1), and who found none."""
    lines = list(drawn)
    placed: list[tuple[EntrantId, int]] = []
    waiting = [one.id for one in field.entrants if one.id not in set(drawn)]
    settled = {entrant: line - 1 for line, entrant in (field.draw.late if field.draw else ())}
    settled |= _on_record(structure, records, waiting, drawn)
    for entrant, line in settled.items():
        if entrant in waiting and line in range(len(lines)) and lines[line] is None:
            lines[line] = entrant
            placed.append((entrant, line + 1))
            waiting.remove(entrant)
    free = _free(structure, lines, records)
    away = field.absent | {one.id for one in field.entrants if one.left is not None}
    for entrant in list(waiting):
        if entrant not in away and free:
            line = free.pop(0)
            lines[line] = entrant
            placed.append((entrant, line + 1))
            waiting.remove(entrant)
    return tuple(lines), tuple(placed), tuple(waiting)


def _on_record(
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


def _free(
    structure: Structure, lines: Sequence[EntrantId | None], records: Mapping[Key, Pairing]
) -> list[int]:
    """Return the lines still to be had, in the order of seeds: the lowest seed loses his bye first."""
    if structure.compact:
        return []  # its sides were counted without byes: there is no place for one more loser
    second = {
        source.index: node
        for node in structure.nodes
        if node.bracket == MAIN and node.round == 2
        for source in (node.a, node.b)
        if source.feed is Feed.WINNER
    }
    free: list[int] = []
    for line in sorted(
        (line for line, entrant in enumerate(lines) if entrant is None),
        key=seed_order(len(lines)).__getitem__,
    ):
        next_place = second.get(line // 2)
        partner = lines[line ^ 1]
        record = None if next_place is None else records.get(next_place.key)
        started = record is not None and partner in (record.a, record.b)
        if partner is not None and not started:
            free.append(line)
    return free
