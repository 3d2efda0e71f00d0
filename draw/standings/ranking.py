"""The ranking: a list of tie-breaks, applied in order to players who are still tied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from draw.standings.registry import TIE_BREAKS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draw.standings.cards import Table
    from draw.standings.values import Figure, TieBreak


class UnknownTieBreak(KeyError):
    """A name that is not in the registry."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place: rank 3 shared by two is third and fourth."""

    player: str
    rank: int
    shared: int = 1
    # The figure of each tie-break, in the order of the list; None if it was not applied or undefined.
    figures: tuple[Figure | None, ...] = ()
    # The tie-break that separated them from the one above; "" for the first, and inside a shared place.
    decided_by: str = ""


@dataclass(slots=True)
class _Group:
    """Players who are still tied."""

    players: tuple[str, ...]
    decided_by: str = ""
    is_over: bool = False


def rank_players(table: Table, ties: Sequence[str]) -> tuple[Standing, ...]:
    """Rank all players. Players whom nothing separates share a rank, in the order of the cards."""
    unknown = [name for name in ties if name not in TIE_BREAKS]
    if unknown:
        raise UnknownTieBreak(unknown[0])
    figures: dict[str, list[Figure | None]] = {card.player: [] for card in table.cards}
    groups = [_Group(tuple(figures))] if figures else []
    for name in ties:
        said: dict[str, Figure] = {}
        groups = [part for group in groups for part in _split_group(table, name, group, said)]
        for player, row in figures.items():
            row.append(said.get(player))
    standings: list[Standing] = []
    for group in groups:
        place = len(standings) + 1
        standings += [
            Standing(
                player,
                place,
                len(group.players),
                tuple(figures[player]),
                "" if number else group.decided_by,
            )
            for number, player in enumerate(group.players)
        ]
    return tuple(standings)


def find_leaders(table: Table, ties: Sequence[str], players: Sequence[str]) -> tuple[str, ...]:
    """Return the first of the tied *players* by these tie-breaks; several if nothing separates them."""
    group = _Group(tuple(players))
    for name in ties:
        if len(group.players) == 1 or group.is_over:
            break
        group = next(_split_group(table, name, group, {}))
    return group.players


def _split_group(table: Table, name: str, group: _Group, said: dict[str, Figure]) -> Iterator[_Group]:
    """Separate a group by one tie-break; add its figures to *said*."""
    tie_break = TIE_BREAKS[name]
    if group.is_over or (len(group.players) == 1 and (tie_break.repeats or tie_break.ends)):
        yield group
        return
    parts = _separate_players(table, tie_break, group.players, said)
    for number, players in enumerate(parts):
        yield _Group(players, name if number else group.decided_by, tie_break.ends)


def _separate_players(
    table: Table, tie_break: TieBreak, players: tuple[str, ...], said: dict[str, Figure]
) -> list[tuple[str, ...]]:
    measured = tie_break.measure(table, players)
    if measured is None:
        return [players]
    said.update(measured)
    by_value: dict[object, list[str]] = {}
    for player in sorted(players, key=lambda one: -measured[one].value):
        by_value.setdefault(measured[player].value, []).append(player)
    parts = [tuple(part) for part in by_value.values()]
    if not tie_break.repeats or len(parts) == 1:
        return parts
    again = [_separate_players(table, tie_break, part, said) if len(part) > 1 else [part] for part in parts]
    return [part for several in again for part in several]
