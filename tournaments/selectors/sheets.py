"""Sheets that are kept resolved between results, so that one result costs what it changes and not the whole draw.

A board is known by the stamp of the event it was made of. Whatever else happens to the event gives it another
stamp, and a change that is rolled back keeps the old one: then the board is made anew from the rows.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple

from draw import stages as pure_stages
from draw.brackets import knockout
from draw.brackets.finish import finishing_order
from draw.event import Key, Result, State
from draw.event import Pairing as Fact
from draw.event import Round as Batch
from tournaments.models import Draw, Entry, Pairing, Round, Stage
from tournaments.selectors import plays

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from draw.brackets.resolve import Running, Spot
    from draw.brackets.structure import Structure
    from draw.event import EntrantId, Leave, MatchRules, Place, Ranked
    from tournaments.models import Tournament

MOST_BOARDS: Final = 16


@dataclass
class SheetRows:
    """One sheet: its places as they stand, and which rows they are."""

    stage: Stage
    draw: Draw
    sheet: Running
    rules: dict[tuple[str, int], MatchRules]
    entries: dict[EntrantId, Entry]
    rounds: dict[tuple[str, int], Round]

    def decide(self, key: Key, result: Result) -> list[int] | None:
        """Give an open match its result, and open those that can be played now; return the places that changed.

        None: it is no open match of this sheet, and nothing has changed.
        """
        record = self.sheet.records.get(key)
        if record is None or self.sheet.spots[self.sheet.at[key]].state is not State.READY:
            return None
        changed = dict.fromkeys(self.sheet.put(Fact(key, record.a, record.b, result)))
        for index in list(changed):
            node, spot = self.sheet.structure.nodes[index], self.sheet.spots[index]
            if spot.state is State.READY and node.key not in self.sheet.records:
                a, b = self.place(index).entrants
                changed |= dict.fromkeys(self.sheet.put(Fact(node.key, a, b)))
        return sorted(changed)

    def place(self, index: int) -> Place:
        """Return a place as it stands."""
        node = self.sheet.structure.nodes[index]
        rules = self.rules[node.bracket, node.round]
        spot = self.sheet.spots[index]
        place = knockout.place_of(self.sheet.structure, node, spot, rules, self.sheet.joined)
        # The sheet does not know what its stage is called.
        return replace(place, stage=self.stage.name) if self.stage.name else place

    @property
    def is_over(self) -> bool:
        """Say whether nothing is left to be played."""
        return not self.sheet.open


class _Kept(NamedTuple):
    stamp: str
    board: SheetRows
    # What readers look at while somebody else may be writing on the board.
    spots: tuple[Spot, ...]


_kept: OrderedDict[int, _Kept] = OrderedDict()
_lock = Lock()


def take(event: Tournament) -> SheetRows | None:
    """Return the board of an event that the caller has locked: the one that is kept, or one made of the rows.

    Whoever takes it puts it back when they are done. None: the event is no single sheet, or somebody is away.
    """
    with _lock:
        kept = _kept.pop(event.pk, None)
    if kept is not None and kept.stamp and kept.stamp == event.stamp:
        return kept.board
    return _made(event)


def keep(event: Tournament, board: SheetRows) -> None:
    """Keep a board that is as the event is by now."""
    with _lock:
        _kept[event.pk] = _Kept(event.stamp, board, tuple(board.sheet.spots))
        while len(_kept) > MOST_BOARDS:
            _kept.popitem(last=False)


def order(event: Tournament) -> tuple[Ranked, ...] | None:
    """Return the order of an event as it stands, if its board is kept."""
    found = _look(event)
    return None if found is None else finishing_order(*found)


def _look(event: Tournament) -> tuple[Structure, tuple[Spot, ...], Mapping[EntrantId, Leave]] | None:
    with _lock:
        kept = _kept.get(event.pk)
    if kept is None or not kept.stamp or kept.stamp != event.stamp:
        return None
    return kept.board.sheet.structure, kept.spots, kept.board.sheet.left


def _made(event: Tournament) -> SheetRows | None:
    stages = list(Stage.objects.filter(tournament=event).select_related("draw"))
    if len(stages) != 1 or not plays.is_sheet(stages[0]):
        return None
    stage, draw = stages[0], getattr(stages[0], "draw", None)
    entries = list(Entry.objects.filter(tournament=event, withdrawn_at__isnull=True).order_by("number"))
    if draw is None or draw.published_at is None or any(entry.is_absent for entry in entries):
        return None
    rows = plays.Rows(event, stages, {stage.pk: draw}, entries, [], [], [])
    values = plays.event_of(rows)
    field = pure_stages.field_of(values, values.stages[0], {})
    if field is None:
        return None
    field = plays.with_rounds(field, (Batch(1, tuple(_facts(rows))),))
    sheet = knockout.running(field)
    return SheetRows(
        stage,
        draw,
        sheet,
        knockout.rules_of(sheet.structure, field.stage),
        rows.entry_by_id,
        {(stage.name, one.number): one for one in Round.objects.filter(stage=stage)},
    )


def _facts(rows: plays.Rows) -> Iterator[Fact]:
    opened = Pairing.objects.filter(tournament=rows.event, opened_at__isnull=False)
    columns = ("key", "a_id", "b_id", "kind", "winner_id", "score_a", "score_b", "is_derived", "stands")
    for key, a, b, kind, winner, score_a, score_b, is_derived, stands in opened.values_list(*columns):
        result = None
        if kind and not is_derived:
            score = None if score_a is None or score_b is None else (score_a, score_b)
            result = Result(plays.KINDS[kind], rows.who(winner), score)
        yield Fact(Key(key), rows.id_by_pk[a], rows.id_by_pk[b], result, plays.stands_of(stands))
