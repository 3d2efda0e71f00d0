"""What was proposed becomes rows, under unique keys: what is there already is left alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from draw.event import From, State
from tournaments.models import Bye, Draw, Pairing, Round, RoundStatus
from tournaments.selectors import event_rows
from tournaments.services.place_rows import PlaceRows

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from datetime import datetime

    from draw import event as pure
    from draw.fixpoint import Settled
    from tournaments.bracket_cache import Bracket
    from tournaments.models import Tournament
    from tournaments.selectors.event_rows import Rows


@dataclass
class Reconciled:
    """What had to be written."""

    opened: list[Pairing] = field(default_factory=list[Pairing])
    changed: list[Pairing] = field(default_factory=list[Pairing])
    rounds: list[Round] = field(default_factory=list[Round])
    dropped: int = 0
    passed: int = 0

    def __bool__(self) -> bool:
        return bool(self.opened or self.changed or self.rounds or self.dropped or self.passed)


class _Reconciler:
    """Holds rows against what should be, and collects what to write."""

    def __init__(self, rows: Rows, settled: Settled, undrawn: frozenset[str], now: datetime) -> None:
        event, proposal = settled.event, settled.proposal
        self.rows, self.event, self.now = rows, event, now
        self.places = [place for place in proposal.places if place.stage not in undrawn]
        self.proposed_byes = proposal.byes
        # What has fallen whole was never made: a round is published by what is left of it.
        self.batches = {
            (batch.stage, batch.number): batch for batch in event.rounds if batch.pairings or batch.byes
        }
        names = {stage.pk: stage.name for stage in rows.stages}
        self.round_by_at = {(names[batch.stage_id], batch.number): batch for batch in rows.rounds}
        self.old = {row.key: row for row in rows.pairings}
        self.done = Reconciled()
        self.place_rows = PlaceRows(
            rows.event,
            now,
            rows.stage_by_name,
            rows.draws,
            rows.entry_by_id,
            self.round_by_at,
            {one.key: one for batch in event.rounds for one in batch.pairings},
            settled.why,
        )

    # Rounds

    def store_rounds(self) -> None:
        """Make the rounds that are missing; what was not made yet is a draft, if rounds are made one by one."""
        wanted = dict.fromkeys((place.stage, place.round) for place in self.places)
        missing = [self._round(at) for at in wanted if at not in self.round_by_at]
        for at in wanted:
            if (known := self.round_by_at.get(at)) is not None:
                self._publish(known, is_draft=self._is_draft(at))
        names = {stage.pk: stage.name for stage in self.rows.stages}
        for made in Round.objects.bulk_create(missing):
            self.round_by_at[names[made.stage_id], made.number] = made
        self.done.rounds += missing

    def _is_draft(self, at: tuple[str, int]) -> bool:
        return not event_rows.is_fixed(self.rows.stage_by_name[at[0]]) and at not in self.batches

    def _round(self, at: tuple[str, int]) -> Round:
        is_draft, batch = self._is_draft(at), self.batches.get(at)
        return Round(
            stage=self.rows.stage_by_name[at[0]],
            number=at[1],
            status=RoundStatus.DRAFT if is_draft else RoundStatus.PUBLISHED,
            published_at=None if is_draft else self.now,
            absent=[] if batch is None else sorted(int(one) for one in batch.absent),
        )

    def _publish(self, known: Round, *, is_draft: bool) -> None:
        """Make a draft of a round of which nothing is left, and the other way round."""
        status = RoundStatus.DRAFT if is_draft else RoundStatus.PUBLISHED
        if known.status != status:
            known.status, known.published_at = status, None if is_draft else self.now
            known.save(update_fields=["status", "published_at"])
            self.done.rounds.append(known)

    def drop_rounds(self) -> None:
        """Drop the rounds in which there is nothing any more."""
        wanted = {(place.stage, place.round) for place in self.places}
        gone = [batch.pk for at, batch in self.round_by_at.items() if at not in wanted]
        if gone:
            Round.objects.filter(pk__in=gone).delete()
            self.done.dropped += len(gone)

    # Pairings

    def store_pairings(self) -> None:
        """Write the places that are new or have changed, and drop those that are no more."""
        fresh: list[Pairing] = []
        moved: list[Pairing] = []
        counts: dict[str, int] = {}
        for place in self.places:
            position = counts[place.stage] = counts.get(place.stage, 0) + 1
            row = self.old.pop(str(place.key), None)
            if row is None:
                fresh.append(self.place_rows.row(place, position))
            elif self.place_rows.bring(row, place, position):
                moved.append(row)
        if self.old:
            Pairing.objects.filter(pk__in=[row.pk for row in self.old.values()]).delete()
            self.done.dropped += len(self.old)
        self.place_rows.write(moved)
        Pairing.objects.bulk_create(fresh, batch_size=500)
        self.done.changed, self.done.opened = [*moved, *fresh], self.place_rows.opened

    # Byes and draws

    def store_byes(self) -> None:
        """Write who sits out a round, of rounds that are drafted too."""
        wanted = {
            (self.round_by_at[at].pk, self.rows.entry_by_id[bye.entrant].pk): bye
            for at, batch in self.batches.items()
            if at in self.round_by_at
            for bye in batch.byes
        }
        wanted |= dict(self._drafted())
        there = {(bye.round_id, bye.entry_id): bye for bye in self.rows.byes}
        gone = [bye.pk for at, bye in there.items() if not _is_same(bye, wanted.get(at))]
        kept = {at for at, bye in there.items() if bye.pk not in set(gone)}
        fresh = [
            Bye(round_id=at[0], entry_id=at[1], points=str(bye.points), asked=bye.asked)
            for at, bye in wanted.items()
            if at not in kept
        ]
        if gone:
            Bye.objects.filter(pk__in=gone).delete()
        Bye.objects.bulk_create(fresh)
        self.done.passed = len(gone) + len(fresh)

    def _drafted(self) -> Iterable[tuple[tuple[int, int], pure.Bye]]:
        passing = {bye.entrant: bye for bye in self.proposed_byes}
        for place in self.places:
            batch = self.round_by_at[place.stage, place.round]
            if batch.status == RoundStatus.DRAFT and place.state is State.BYE and place.winner in passing:
                yield (batch.pk, self.rows.entry_by_id[place.winner].pk), passing[place.winner]

    def store_late(self) -> None:
        """Keep on which lines latecomers stand: they must not move any more (P14)."""
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
                self.done.passed += 1


def file(
    rows: Rows,
    settled: Settled,
    *,
    undrawn: frozenset[str],
    now: datetime,
) -> Reconciled:
    """Write what differs; say what it was."""
    reconciler = _Reconciler(rows, settled, undrawn, now)
    reconciler.store_rounds()
    reconciler.store_pairings()
    reconciler.store_byes()
    reconciler.drop_rounds()
    reconciler.store_late()
    return reconciler.done


def _is_same(row: Bye, bye: pure.Bye | None) -> bool:
    return bye is not None and (row.points, row.asked) == (str(bye.points), bye.asked)


def store_places(event: Tournament, sheet: Bracket, changed: Sequence[int], *, now: datetime) -> None:
    """Write some places of a sheet that is kept resolved."""
    places = {str((place := sheet.place(index)).key): (index + 1, place) for index in changed}
    place_rows = PlaceRows(
        event,
        now,
        {sheet.stage.name: sheet.stage},
        {sheet.stage.pk: sheet.draw},
        sheet.entries,
        sheet.rounds,
        sheet.running.records,
    )
    rows = Pairing.objects.filter(tournament=event, key__in=places).order_by("position")
    place_rows.write([row for row in rows if place_rows.bring(row, places[row.key][1], places[row.key][0])])


def store_draws(rows: Rows, fallen: Collection[str], drawn: Sequence[Draw]) -> None:
    """Take back the draws of stages that have to begin anew, and keep those that were made."""
    if fallen:
        Draw.objects.filter(stage__in=[rows.stage_by_name[name] for name in fallen]).delete()
    for draw in drawn:
        draw.save()
