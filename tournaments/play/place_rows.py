"""Places as rows: state, result, seats and times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from draw import event as pure
from draw.event import EntrantId, Key, Kind, State
from tournaments.base import event_rows
from tournaments.models import Draw, Entry, Pairing, PairingState, Report, Round, Stage, Tournament
from tournaments.play import timing

# Values of a place at which other players meet now.
EMPTY: Final[Mapping[str, Any]] = {
    "games": [],
    "stands": {},
    "called_at": None,
    "deadline_at": None,
    "due_at": None,
    "reminded_at": None,
    "needs_director": "",
    "table": "",
    "a_here_at": None,
    "b_here_at": None,
    "a_late": 0,
    "b_late": 0,
    "match_id": None,
    "match_head": 0,
}
# Columns that are also set when a match opens.
OPENING: Final = ("called_at", "deadline_at")
# In a knock-out these decide nothing: the match is played again (P34).
REPLAYED: Final = frozenset({Kind.VOID, Kind.DRAWN})
# Up to this many rows are updated one by one, with their changed columns only.
FEW: Final = 12


@dataclass
class PlaceRows:
    """The rows of places: builds new ones, and updates existing ones to the state of their places."""

    event: Tournament
    now: datetime
    stages: Mapping[str, Stage]
    draws: Mapping[int, Draw]
    entries: Mapping[EntrantId, Entry]
    rounds: dict[tuple[str, int], Round]
    facts: Mapping[Key, pure.Pairing]
    why: Mapping[Key, tuple[pure.Reason, ...]] = field(default_factory=dict["Key", "tuple[pure.Reason, ...]"])
    # Deadlines of the matches opened now, by stage and round.
    deadlines: dict[tuple[str, int], datetime | None] = field(
        default_factory=dict[tuple[str, int], "datetime | None"]
    )
    # Rows whose former seats must be freed first.
    reseated: list[int] = field(default_factory=list[int])
    # The changed columns of each row.
    touched: dict[str, set[str]] = field(default_factory=dict[str, set[str]])

    def row(self, place: pure.Place, position: int) -> Pairing:
        fact = self.facts.get(place.key)
        values = self._build_columns(place, position) | self._build_result_columns(None, place, fact)
        # The round may be new as well, without a primary key yet.
        del values["round_id"]
        row = Pairing(
            round=self.rounds[place.stage, place.round],
            tournament_id=self.event.pk,
            stage_id=self.stages[place.stage].pk,
            key=place.key,
            opened_at=None if fact is None else self.now,
            why=[one.to_json() for one in self.why.get(place.key, ())],
            **values,
        )
        if fact is not None:
            self._open_match(row, place)
            row.due_at = timing.find_next_due(self.event, row)
        return row

    def bring(self, row: Pairing, place: pure.Place, position: int) -> bool:
        """Update a row to its place; True if anything changed."""
        fact = self.facts.get(place.key)
        values = self._build_columns(place, position)
        is_same_two = {row.a_id, row.b_id} == {values["a_id"], values["b_id"]}
        stays = row.opened_at is not None and fact is not None and is_same_two
        # It begins again, with its whole time: its result decides nothing (P34), or does not follow any more.
        is_reopened = stays and row.state == PairingState.DECIDED and place.state is State.READY
        begins = fact is not None and (is_reopened or not stays)
        if stays:
            # It is played as it began, also if it is no longer in the last round.
            values |= {"length": row.length, "rules": row.rules}
        else:
            values |= EMPTY
        if is_reopened:
            values["reminded_at"] = None
        values["running"] = _find_running(row, values, is_replayed=is_reopened and not row.is_derived)
        values["opened_at"] = self.now if begins else (row.opened_at if stays else None)
        values["why"] = self._build_reason(row, place, stays=stays, is_same_two=is_same_two)
        values |= self._build_result_columns(row, place, fact)
        changed = [name for name, value in values.items() if getattr(row, name) != value]
        if not changed:
            return False
        if row.pk is not None:
            if row.opened_at is not None and not stays:
                # It is no longer played.
                Report.objects.filter(pairing=row).delete()
            if row.state == PairingState.READY and not is_same_two:
                self.reseated.append(row.pk)
        for name in changed:
            setattr(row, name, values[name])
        if begins:
            self._open_match(row, place)
            changed += OPENING
        row.due_at = timing.find_next_due(self.event, row)
        self.touched[row.key] = {*changed, "due_at"}
        return True

    def write(self, moved: Sequence[Pairing]) -> None:
        """Write changed rows; their seats are freed first, because of the unique constraint."""
        if self.reseated:
            Pairing.objects.filter(pk__in=self.reseated, state=PairingState.READY).update(
                state=PairingState.WAITING, due_at=None
            )
        if len(moved) > FEW:
            columns = set[str]().union(*(self.touched[row.key] for row in moved), {"state"})
            names = sorted(name.removesuffix("_id") for name in columns)
            Pairing.objects.bulk_update(moved, names, batch_size=100)
            return
        for row in moved:
            values = {name: getattr(row, name) for name in self.touched[row.key] | {"state"}}
            Pairing.objects.filter(pk=row.pk).update(**values)

    def _build_reason(self, row: Pairing, place: pure.Place, *, stays: bool, is_same_two: bool) -> list[Any]:
        """Return the stored reason; a match in play keeps the one with which it was paired."""
        fresh = self.why.get(place.key)
        if stays or (is_same_two and fresh is None):
            return list(row.why)
        return [one.to_json() for one in fresh or ()]

    def _open_match(self, row: Pairing, place: pure.Place) -> None:
        stage = self.stages[place.stage]
        draw = self.draws.get(stage.pk)
        row.called_at = self.now if row.table else timing.find_call_time(self.event, stage, now=self.now)
        at = place.stage, place.round
        if at not in self.deadlines:
            last = max(number for name, number in self.rounds if name == place.stage)
            self.deadlines[at] = timing.find_deadline(
                self.event, stage, draw, place.round, self.now, last=last
            )
        row.deadline_at = self.deadlines[at]

    def _build_columns(self, place: pure.Place, position: int) -> dict[str, Any]:
        values: dict[str, Any] = {
            "round_id": self.rounds[place.stage, place.round].pk,
            "bracket": place.bracket,
            "number": place.number,
            "position": position,
            "state": place.state.value,
            "length": place.rules.length,
            "rules": event_rows.serialize_rules(place.rules),
        }
        for side, seat in (("a", place.a), ("b", place.b)):
            values |= {
                f"{side}_id": None if seat.entrant is None else self.entries[seat.entrant].pk,
                f"{side}_from": seat.origin.value,
                f"{side}_key": seat.key or "",
                f"{side}_number": seat.number,
            }
        return values

    def _build_result_columns(
        self, row: Pairing | None, place: pure.Place, fact: pure.Pairing | None
    ) -> dict[str, Any]:
        """Return the columns of the result: as entered, or as it follows from a withdrawal."""
        entered = None if fact is None else fact.result
        counts = place.result if place.state is State.DECIDED else None
        # A match to be played again may be lost by a withdrawal (P34).
        is_lost = counts is not None and counts.kind is Kind.WITHDRAWAL
        is_derived = entered is None or (is_lost and entered.kind in REPLAYED)
        result = counts if is_derived else entered
        if result is None:
            return {
                "kind": "", "winner_id": None, "score_a": None, "score_b": None,
                "is_derived": False, "is_cancelled": False, "decided_at": None,
            }  # fmt: skip
        known_since = row.decided_at if row is not None and row.is_derived == is_derived else None
        return {
            "kind": result.kind.value,
            "winner_id": None if result.winner is None else self.entries[result.winner].pk,
            "score_a": None if result.score is None else result.score[0],
            "score_b": None if result.score is None else result.score[1],
            "is_derived": is_derived,
            "is_cancelled": counts is not None and counts.kind is Kind.VOID and result.kind is not Kind.VOID,
            "decided_at": known_since or self.now,
        }


def _find_running(row: Pairing, values: Mapping[str, Any], *, is_replayed: bool) -> dict[str, Any]:
    """Return the score of the match in play, unless it is that of other players or of a play that was declared void.

    While a seat is empty it is kept: its players may be back.
    """
    seats = [values["a_id"], values["b_id"]]
    is_others = None not in seats and row.running.get("seats", seats) != seats
    return {} if is_replayed or is_others else row.running
