"""Consistency checks of an event's rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from draw.event import Key, Place, Proposal, State
from tournaments.base import event_rows
from tournaments.base.event_rows import Rows
from tournaments.models import Pairing, PairingMode, RoundStatus, Tournament
from tournaments.status import BEFORE_START, Status


def find_problems(event: Tournament) -> Iterator[str]:
    """Yield a sentence for each inconsistency of an event with stages."""
    if Status(event.status) in BEFORE_START:
        if Pairing.objects.filter(tournament=event).exists():
            yield f"{event.key}: matches before the draw"
        return
    rows = event_rows.load_rows(event)
    if not rows.stages:
        return
    yield from _check_seats(rows)
    if event.pairing_at is not None:
        return  # a worker is still processing the last results
    proposal = event_rows.compute_proposal(rows)
    yield from _check_places(rows, proposal)
    yield from _check_byes(rows)
    yield from _check_end(rows, proposal)


def _check_places(rows: Rows, proposal: Proposal) -> Iterator[str]:
    undrawn = {stage.name for stage in rows.stages if not rows.is_drawn(stage)}
    wanted = {place.key: place for place in proposal.places if place.stage not in undrawn}
    there = {place.key: place for place in event_rows.list_places(rows)}
    # A match that has begun keeps its length when the rules change.
    begun = {Key(row.key) for row in rows.pairings if row.opened_at is not None}
    wanted |= {key: replace(wanted[key], rules=there[key].rules) for key in begun & wanted.keys()}
    for key in wanted.keys() - there.keys():
        yield f"{rows.event.key}: {key} is missing"
    for key in there.keys() - wanted.keys():
        yield f"{rows.event.key}: {key} should not be there"
    for key in wanted.keys() & there.keys():
        if wanted[key] != there[key]:
            yield f"{rows.event.key}: {key} is {_format_place(there[key])} and should be {_format_place(wanted[key])}"
    order = [str(place.key) for place in proposal.places if place.stage not in undrawn]
    if order != [row.key for row in rows.pairings]:
        yield f"{rows.event.key}: the places are not in their order"
    yield from (f"{rows.event.key}: {stale.pairing.key} no longer fits" for stale in proposal.stale)
    drafted = {stage.pk for stage in rows.stages if stage.pairs == PairingMode.DRAFT}
    for row in rows.pairings:
        if row.state == State.READY and row.opened_at is None and row.stage_id not in drafted:
            yield f"{rows.event.key}: {row.key} could be played and is not open"


def _format_place(place: Place) -> str:
    return f"{place.state} {'-'.join(place.entrants)} {place.result} round {place.round} ({place})"


def _check_byes(rows: Rows) -> Iterator[str]:
    published = {batch.pk: batch for batch in rows.rounds}
    sheets = {stage.pk for stage in rows.stages if event_rows.is_fixed(stage)}
    of_places = {
        (row.round_id, row.a_id or row.b_id)
        for row in rows.pairings
        if row.state == State.BYE and row.stage_id not in sheets
    }
    of_rows = {(bye.round_id, bye.entry_id) for bye in rows.byes}
    for round_id, entry_id in of_places ^ of_rows:
        batch = published[round_id]
        if batch.status == RoundStatus.PUBLISHED:
            yield f"{rows.event.key}: round {batch.number}, the bye of entry {entry_id}"


def _check_seats(rows: Rows) -> Iterator[str]:
    """Check that an entry sits at most once in a round, and at most once in a bracket."""
    sheets = {stage.pk for stage in rows.stages if event_rows.is_sheet(stage)}
    everywhere: Counter[tuple[int, int | None]] = Counter()
    for row in rows.pairings:
        if row.state == State.READY:
            spot = row.stage_id if row.stage_id in sheets else row.round_id
            everywhere.update([(spot, row.a_id), (spot, row.b_id)])
    for (_, entry), times in everywhere.items():
        if times > 1:
            yield f"{rows.event.key}: entry {entry} sits {times} times"


def _check_end(rows: Rows, proposal: Proposal) -> Iterator[str]:
    """Check that the event is over when everything is played, and that all entries then have a place."""
    event = rows.event
    if event.ended_early_at is not None or event.status == Status.CANCELLED:
        return
    is_over = proposal.finished and all(rows.is_drawn(stage) for stage in rows.stages)
    is_finished = event.status == Status.FINISHED
    if is_over != (is_finished or event.over_at is not None):
        yield f"{event.key}: it is {event.status}, and {'over' if is_over else 'not over'}"
    if is_over:
        # There are no places before the approval.
        ranks = {one.entrant: one.rank for one in proposal.ranking} if is_finished else {}
        for entry in rows.entries:
            if entry.withdrawn_at is None and entry.place != ranks.get(event_rows.build_entrant_id(entry)):
                yield f"{event.key}: entry {entry.number} is placed {entry.place}"


def check_events() -> Iterator[str]:
    """Propose every event with stages again, and compare the rows with the proposal."""
    played = Tournament.objects.filter(stages__isnull=False).distinct().order_by("pk")
    for pk in played.values_list("pk", flat=True).iterator():
        yield from _list_problems(pk)


def _list_problems(pk: int) -> list[str]:
    """List the inconsistencies of an event; check again if it has changed during the check."""
    event = Tournament.objects.get(pk=pk)
    problems = list(find_problems(event))
    while problems:
        now = Tournament.objects.get(pk=pk)
        if now.version == event.version:
            break
        event, problems = now, list(find_problems(now))
    return problems
