"""The ranking: a list of tie-breaks, applied in order to players who are still tied."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from draw.event import EntrantId, Figure, Ranked
from draw.standings.cards import Table, TieBreak
from draw.standings.registry import TIE_BREAKS


@dataclass(slots=True)
class _Group:
    players: tuple[EntrantId, ...]
    decided_by: str = ""
    is_over: bool = False


def rank_players(table: Table, ties: Sequence[str], group: str = "") -> tuple[Ranked, ...]:
    """Rank all players. Players whom nothing separates share a rank, in the order of the cards."""
    figures: dict[EntrantId, list[tuple[str, Figure]]] = {card.player: [] for card in table.cards}
    groups = [_Group(tuple(figures))] if figures else []
    for name in ties:
        tie_break_values: dict[EntrantId, Fraction] = {}
        groups = [part for tied in groups for part in _split_group(table, name, tied, tie_break_values)]
        for player, value in tie_break_values.items():
            figures[player].append((name, value))
    ranking: list[Ranked] = []
    for tied in groups:
        rank, shared = len(ranking) + 1, len(tied.players)
        ranking += [
            Ranked(
                player,
                rank,
                shared,
                group,
                tuple(figures[player]),
                decided_by="" if number else tied.decided_by,
            )
            for number, player in enumerate(tied.players)
        ]
    return tuple(ranking)


def find_leaders(table: Table, ties: Sequence[str], players: Sequence[EntrantId]) -> tuple[EntrantId, ...]:
    """Return the first of the tied *players* by these tie-breaks; several if nothing separates them."""
    group = _Group(tuple(players))
    for name in ties:
        if len(group.players) == 1 or group.is_over:
            break
        group = next(_split_group(table, name, group, {}))
    return group.players


def _split_group(
    table: Table, name: str, group: _Group, tie_break_values: dict[EntrantId, Fraction]
) -> Iterator[_Group]:
    """Separate a group by one tie-break; add its figures to *tie_break_values*."""
    tie_break = TIE_BREAKS[name]
    if group.is_over or (len(group.players) == 1 and (tie_break.repeats or tie_break.ends)):
        yield group
        return
    parts = _separate_players(table, tie_break, group.players, tie_break_values)
    for number, players in enumerate(parts):
        yield _Group(players, name if number else group.decided_by, tie_break.ends)


def _separate_players(
    table: Table,
    tie_break: TieBreak,
    players: tuple[EntrantId, ...],
    tie_break_values: dict[EntrantId, Fraction],
) -> list[tuple[EntrantId, ...]]:
    measured = tie_break.measure(table, players)
    if measured is None:
        return [players]
    tie_break_values.update(measured)
    by_value: dict[Fraction, list[EntrantId]] = {}
    for player in sorted(players, key=lambda one: -measured[one]):
        by_value.setdefault(measured[player], []).append(player)
    parts = [tuple(part) for part in by_value.values()]
    if not tie_break.repeats or len(parts) == 1:
        return parts
    again = [
        _separate_players(table, tie_break, part, tie_break_values) if len(part) > 1 else [part]
        for part in parts
    ]
    return [part for several in again for part in several]
