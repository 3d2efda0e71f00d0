"""Reconciliation of rows with a proposal, under unique keys; unchanged rows are not written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from draw import event as pure
from draw.event import From, State
from draw.fixpoint import SettledEvent
from tournaments.base import event_rows
from tournaments.base.bracket_cache import Bracket
from tournaments.base.event_rows import Rows
from tournaments.models import Bye, Draw, Pairing, Round, RoundStatus, Tournament
from tournaments.play.place_rows import PlaceRows

# Rows per statement.
BATCH: Final = 500


class Reconciler:
    """The differences between rows and a proposal; new rows are built before the lock is taken.

    Stages in *undrawn* have no draw, and get no places.
    """

    def __init__(
        self, rows: Rows, settled: SettledEvent, drawn: Sequence[Draw], undrawn: frozenset[str], now: datetime
    ) -> None:
        event, proposal = settled.event, settled.proposal
        self.rows, self.now = rows, now
        self.fallen, self.drawn, self.fixed = settled.fallen, drawn, settled.fixed
        self.places = [place for place in proposal.places if place.stage not in undrawn]
        self.proposal, self.is_drawn = proposal, not undrawn
        # A batch without pairings and byes was never made.
        self.batches = {
            (batch.stage, batch.number): batch for batch in event.rounds if batch.pairings or batch.byes
        }
        names = {stage.pk: stage.name for stage in rows.stages}
        self.round_by_at = {(names[batch.stage_id], batch.number): batch for batch in rows.rounds}
        self.old = {row.key: row for row in rows.pairings}
        # Whether anything but draws was written.
        self.has_written = False
        wanted = dict.fromkeys((place.stage, place.round) for place in self.places)
        self.known = {at: self.round_by_at[at] for at in wanted if at in self.round_by_at}
        self.missing = {at: self._build_round(at) for at in wanted if at not in self.round_by_at}
        self.round_by_at |= self.missing
        facts = {one.key: one for batch in event.rounds for one in batch.pairings}
        known = rows.stage_by_name, rows.draws, rows.entry_by_id, self.round_by_at
        self.place_rows = PlaceRows(rows.event, now, *known, facts, settled.why)
        # Existing rows with their places and positions, and new rows; both not written yet.
        self.there: list[tuple[Pairing, pure.Place, int]] = []
        self.fresh: list[Pairing] = []
        self.is_begun = False
        self._build_rows()

    def write(self, most: int | None = None) -> bool:
        """Write the differences, *most* new places at a time; True if complete. The event is locked."""
        if not self.is_begun:
            # The draws of stages that restart go.
            Draw.objects.filter(stage__in=[self.rows.stage_by_name[name] for name in self.fallen]).delete()
            for draw in self.drawn:
                draw.save()
        self.is_begun = True
        self._store_rounds()
        self._store_changed()
        now, self.fresh = self.fresh[:most], self.fresh[most:] if most else []
        Pairing.objects.bulk_create(now, batch_size=BATCH)
        self.has_written |= bool(now)
        if self.fresh:
            return False
        self._store_byes()
        self._drop_rounds()
        self._store_late_lines()
        return True

    # Rounds

    def _store_rounds(self) -> None:
        """Create missing rounds; if rounds are made one by one, those not made yet are drafts."""
        for at, known in self.known.items():
            # A round that has become empty is a draft again.
            is_draft = self._is_draft(at)
            status = RoundStatus.DRAFT if is_draft else RoundStatus.PUBLISHED
            if known.status != status:
                known.status, known.published_at = status, None if is_draft else self.now
                known.save(update_fields=["status", "published_at"])
                self.has_written = True
        if self.missing:
            Round.objects.bulk_create(self.missing.values())
            self.missing, self.has_written = {}, True

    def _is_draft(self, at: tuple[str, int]) -> bool:
        return at[0] not in self.fixed and at not in self.batches

    def _build_round(self, at: tuple[str, int]) -> Round:
        is_draft, batch = self._is_draft(at), self.batches.get(at)
        return Round(
            stage=self.rows.stage_by_name[at[0]],
            number=at[1],
            status=RoundStatus.DRAFT if is_draft else RoundStatus.PUBLISHED,
            published_at=None if is_draft else self.now,
            absent=[] if batch is None else sorted(int(one) for one in batch.absent),
        )

    def _drop_rounds(self) -> None:
        """Delete rounds without places."""
        wanted = {(place.stage, place.round) for place in self.places}
        gone = [batch.pk for at, batch in self.round_by_at.items() if at not in wanted]
        if gone:
            Round.objects.filter(pk__in=gone).delete()
            self.has_written = True

    # Pairings

    def _build_rows(self) -> None:
        counts: dict[str, int] = {}
        for place in self.places:
            position = counts[place.stage] = counts.get(place.stage, 0) + 1
            row = self.old.pop(str(place.key), None)
            if row is None:
                self.fresh.append(self.place_rows.row(place, position))
            else:
                self.there.append((row, place, position))

    def _store_changed(self) -> None:
        """Write the changed places, and delete those that are not proposed."""
        moved = [one[0] for one in self.there if self.place_rows.bring(*one)]
        if self.old:
            Pairing.objects.filter(pk__in=[row.pk for row in self.old.values()]).delete()
        self.place_rows.write(moved)
        self.has_written |= bool(moved or self.old)
        self.there, self.old = [], {}

    # Byes and late lines

    def _store_byes(self) -> None:
        """Write the byes, of drafted rounds too."""
        wanted = {
            (self.round_by_at[at].pk, self.rows.entry_by_id[bye.entrant].pk): bye
            for at, batch in self.batches.items()
            if at in self.round_by_at
            for bye in batch.byes
        }
        wanted |= dict(self._list_drafted_byes())
        there = {(bye.round_id, bye.entry_id): bye for bye in self.rows.byes}
        gone = [bye.pk for at, bye in there.items() if not _is_same(bye, wanted.get(at))]
        unchanged = {at for at, bye in there.items() if bye.pk not in gone}
        fresh = [
            Bye(round_id=at[0], entry_id=at[1], points=str(bye.points), asked=bye.asked)
            for at, bye in wanted.items()
            if at not in unchanged
        ]
        if gone:
            Bye.objects.filter(pk__in=gone).delete()
        Bye.objects.bulk_create(fresh)
        self.has_written |= bool(gone or fresh)

    def _list_drafted_byes(self) -> Iterable[tuple[tuple[int, int], pure.Bye]]:
        passing = {bye.entrant: bye for bye in self.proposal.byes}
        for place in self.places:
            batch = self.round_by_at[place.stage, place.round]
            if batch.status == RoundStatus.DRAFT and place.state is State.BYE and place.winner in passing:
                yield (batch.pk, self.rows.entry_by_id[place.winner].pk), passing[place.winner]

    def _store_late_lines(self) -> None:
        """Store the lines of latecomers: they must not move any more (P14)."""
        for stage in self.rows.stages:
            draw = self.rows.draws.get(stage.pk)
            if draw is None or not event_rows.is_sheet(stage):
                continue
            drawn = {number for number in draw.lines if number is not None}
            late = sorted(
                [seat.number, int(seat.entrant)]
                for place in self.places
                if place.stage == stage.name
                for seat in (place.a, place.b)
                if seat.origin is From.DRAW and seat.entrant is not None and int(seat.entrant) not in drawn
            )
            if late != draw.late:
                draw.late = late
                draw.save(update_fields=["late"])
                self.has_written = True


def _is_same(row: Bye, bye: pure.Bye | None) -> bool:
    return bye is not None and (row.points, row.asked) == (str(bye.points), bye.asked)


def store_places(
    event: Tournament, sheet: Bracket, changed: Mapping[int, pure.Place], *, now: datetime
) -> None:
    """Write some places of a cached bracket, by their indexes in it."""
    places = {str(place.key): (index + 1, place) for index, place in changed.items()}
    stages, draws = {sheet.stage.name: sheet.stage}, {sheet.stage.pk: sheet.draw}
    known = stages, draws, sheet.entries, sheet.rounds
    place_rows = PlaceRows(event, now, *known, sheet.running.records)
    rows = Pairing.objects.filter(tournament=event, key__in=places).order_by("position")
    place_rows.write([row for row in rows if place_rows.bring(row, places[row.key][1], places[row.key][0])])
