"""Cross-tables: everybody against everybody, or round by round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext

from tournaments.base import event_rows, labels
from tournaments.base.event_view import EntryView, EventView, MatchView, StageView
from tournaments.models import Bye, PairingState
from tournaments.pages import standings_tables

# Larger tables do not fit a screen.
WIDEST: Final = 16


@dataclass(frozen=True, slots=True)
class Cell:
    """The result against one opponent, or in one round."""

    text: str = ""
    against: str = ""
    is_won: bool = False
    is_lost: bool = False
    is_self: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    place: int
    who: EntryView
    cells: tuple[Cell, ...]
    total: str


@dataclass(frozen=True, slots=True)
class CrossTable:
    title: str
    heads: tuple[str, ...]
    rows: tuple[Row, ...]
    is_square: bool


def build_tables(view: EventView, part: StageView) -> tuple[CrossTable, ...]:
    """Return the cross-tables of a stage that is not a bracket, one for each group."""
    if part.is_sheet or not part.plays:
        return ()
    ranked = standings_tables.get_ranking(view, part)
    rank = {int(one.entrant): at for at, one in enumerate(ranked)}
    points = {
        int(one.entrant): labels.format_figure(
            dict(one.figures).get("points", dict(one.figures).get("lives"))
        )
        for one in ranked
    }
    groups: dict[str, list[MatchView]] = {}
    for play in part.plays:
        if play.bracket != "play-off":
            groups.setdefault(play.bracket, []).append(play)
    found = []
    for name in sorted(groups):
        inside = {pk for play in groups[name] for pk in (play.a_id, play.b_id) if pk is not None}
        people = sorted(
            (view.people[pk] for pk in inside if pk in view.people),
            key=lambda who: (rank.get(who.number, len(rank)), who.number),
        )
        is_square = event_rows.is_fixed(part.stage) and len(people) <= WIDEST
        make = _build_square if is_square else _build_by_round
        heads, rows = make(view, part, groups[name], people)
        found.append(
            CrossTable(
                title=labels.format_bracket(name) if name else "",
                heads=heads,
                rows=tuple(
                    Row(at, who, cells, points.get(who.number, ""))
                    for at, (who, cells) in enumerate(zip(people, rows, strict=True), 1)
                ),
                is_square=is_square,
            )
        )
    return tuple(found)


def _build_square(
    view: EventView, _part: StageView, made: Sequence[MatchView], people: Sequence[EntryView]
) -> tuple[tuple[str, ...], list[tuple[Cell, ...]]]:
    met: dict[tuple[int, int], list[Cell]] = {}
    for play in made:
        for pk, other, cell in _list_side_cells(view, play):
            if other is not None:
                met.setdefault((pk, other), []).append(cell)
    rows = [
        tuple(
            Cell(is_self=True) if one.pk == other.pk else _join_cells(met.get((one.pk, other.pk), []))
            for other in people
        )
        for one in people
    ]
    return tuple(str(at) for at in range(1, len(people) + 1)), rows


def _build_by_round(
    view: EventView, part: StageView, made: Sequence[MatchView], people: Sequence[EntryView]
) -> tuple[tuple[str, ...], list[tuple[Cell, ...]]]:
    place = {who.pk: at for at, who in enumerate(people, 1)}
    numbers = sorted({play.round for play in made})
    cells: dict[tuple[int, int], Cell] = {}
    for play in made:
        for pk, other, cell in _list_side_cells(view, play):
            against = str(place.get(other, "")) if other is not None else ""
            old = cells.get((pk, play.round))
            new = replace(cell, against=against)
            # In continuous play a player can have two opponents in a batch.
            cells[pk, play.round] = _join_cells([old, new]) if old else new
    for pk, number in Bye.objects.filter(round__stage=part.stage).values_list("entry_id", "round__number"):
        cells[pk, number] = Cell(gettext("bye"))
    rows = [tuple(cells.get((who.pk, number), Cell()) for number in numbers) for who in people]
    return tuple(str(number) for number in numbers), rows


def _list_side_cells(view: EventView, play: MatchView) -> list[tuple[int, int | None, Cell]]:
    if play.state == PairingState.BYE:
        pk = play.a_id or play.b_id
        return [] if pk is None else [(pk, None, Cell(gettext("bye")))]
    if play.a_id is None or play.b_id is None:
        return []
    a, b = _build_cells(view, play)
    return [(play.a_id, play.b_id, a), (play.b_id, play.a_id, b)]


def _build_cells(view: EventView, play: MatchView) -> tuple[Cell, Cell]:
    score_a, score_b = view.score(play)
    if play.has_no_score:
        won, lost = Cell("1", is_won=True), Cell("0", is_lost=True)
        return (won, lost) if play.winner_id == play.a_id else (lost, won)
    if play.state != PairingState.DECIDED:
        open_ = Cell("·" if play.is_open else "")
        return open_, open_
    return (
        _build_cell(score_a, score_b, won=play.winner_id == play.a_id, decided=play.winner_id is not None),
        _build_cell(score_b, score_a, won=play.winner_id == play.b_id, decided=play.winner_id is not None),
    )


def _build_cell(own: str, other: str, *, won: bool, decided: bool) -> Cell:
    is_figures = own.isdigit() and other.isdigit()
    text = f"{own}:{other}" if is_figures else own or other
    if not is_figures and decided and won:
        text = f"+ {other}".strip()
    return Cell(text, is_won=decided and won, is_lost=decided and not won)


def _join_cells(cells: Sequence[Cell]) -> Cell:
    if len(cells) == 1:
        return cells[0]
    return Cell(
        ", ".join(cell.text for cell in cells if cell.text),
        ", ".join(cell.against for cell in cells if cell.against),
        is_won=bool(cells) and all(cell.is_won for cell in cells),
        is_lost=bool(cells) and all(cell.is_lost for cell in cells),
    )
