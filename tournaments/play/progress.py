"""Progress of an event: a result is stored once, and what follows from it is created.

In an event with stages `advance` creates everything, for requests, tasks, sweeps and corrections alike; it is
idempotent. It first computes what should exist, which only reads, and then writes it. A result on a cached
bracket takes a shortcut with the same outcome (`record_result`), and a worker computes a long pairing without
a lock (`pairing_jobs`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from django.db import transaction

from draw import event as pure
from draw import fixpoint, seeding
from draw import stages as pure_stages
from draw.brackets import knockout
from draw.event import Key, Kind, Result
from draw.options import BadOption
from tournaments.base import bracket_cache, event_rows
from tournaments.base.bracket_cache import Bracket
from tournaments.base.errors import BadPlan, NotOpen
from tournaments.base.event_rows import Rows
from tournaments.models import (
    Draw,
    Entry,
    Pairing,
    PairingMode,
    PairingState,
    Round,
    RulingKind,
    Stage,
    Tournament,
)
from tournaments.play import backlog, changes, claims, news, reconciliation
from tournaments.play.reconciliation import Reconciler
from tournaments.status import Status

Settle = Callable[..., fixpoint.SettledEvent]

# Events that may still change: a finished one can be corrected.
PLAYED: Final = frozenset({Status.RUNNING, Status.FINISHED})
# The columns of a match whose result is taken back.
NO_RESULT: Final[Mapping[str, Any]] = {
    # It waits until the players who advanced from it have left their next seats.
    "state": PairingState.WAITING,
    "kind": "",
    "winner_id": None,
    "score_a": None,
    "score_b": None,
    "games": [],
    "is_derived": False,
    "is_cancelled": False,
    "decided_at": None,
    "due_at": None,
    "needs_director": "",
}


def advance_event(*, tournament_id: int, now: datetime) -> bool:
    """Advance an event; True if anything was to be done."""
    with transaction.atomic():
        event = changes.lock_event(tournament_id)
        if Status(event.status) not in PLAYED or not Stage.objects.filter(tournament=event).exists():
            return False
        before = event.status, event.over_at, event.pairing_at
        done = advance(event, now=now)
        if not done and (event.status, event.over_at, event.pairing_at) == before:
            return False
        changes.announce_change(event, now=now)
        return True


def advance(event: Tournament, *, now: datetime) -> bool:
    """Bring a locked event up to date: store the draws, rounds and places that follow from its results.

    True if rounds, places or byes were written.
    """
    return advance_rows(event_rows.load_rows(event), now=now)


def advance_rows(rows: Rows, *, now: datetime) -> bool:
    """Like `advance`, with rows read under the event's lock and kept up to date by the caller."""
    outcome = compute_outcome(rows, now=now)
    write_outcome(outcome, now=now)
    return outcome.has_written


def write_outcome(outcome: Reconciler, *, now: datetime, most: int | None = None) -> bool:
    """Write a computed outcome, *most* new places at a time; True if it is complete.

    The caller has locked the event, which has not changed since. Until the outcome is complete the event is
    marked as waiting for a worker.
    """
    if not outcome.write(most):
        return False
    _finish_or_reopen(outcome.rows, outcome.proposal, is_drawn=outcome.is_drawn, now=now)
    backlog.clear_pending(outcome.rows.event)
    return True


def record_result(
    event: Tournament,
    row: Pairing,
    kind: Kind,
    *,
    winner_id: int | None,
    now: datetime,
    score: tuple[int, int] | None = None,
    games: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Store the result of an open match of a locked event, once; then advance.

    On a cached bracket only the dependent places are updated (`bracket_cache`), by the same code and with the
    same outcome as `advance`. Slow processing is left to a worker.

    :raises NotOpen: the match was decided concurrently.
    """
    # Before the result is stored: the bracket must not contain it yet.
    sheet = bracket_cache.pop_bracket(event) or _build_bracket(event)
    store_result(row, kind, winner_id=winner_id, score=score, games=games, now=now)
    if sheet is None or not _advance_bracket(event, sheet, row, now=now):
        sheet = None
        if not backlog.leave_to_worker(event, now=now):
            advance(event, now=now)
    changes.announce_change(event, now=now)
    if sheet is not None:
        bracket_cache.cache_bracket(event, sheet)


def _build_bracket(event: Tournament) -> Bracket | None:
    """Build the bracket of a locked event; None if it is not a single one that is drawn, or if a player is away."""
    stages = list(Stage.objects.filter(tournament=event).select_related("draw"))
    if len(stages) != 1 or not event_rows.is_sheet(stages[0]):
        return None
    stage, draw = stages[0], getattr(stages[0], "draw", None)
    entries = list(Entry.objects.filter(tournament=event, withdrawn_at__isnull=True).order_by("number"))
    if draw is None or draw.published_at is None or any(entry.is_absent for entry in entries):
        return None
    rows = event_rows.Rows(event, stages, {stage.pk: draw}, entries, [], [], [])
    values = event_rows.build_event(rows)
    field = pure_stages.build_field(values, values.stages[0], {})
    if field is None:
        return None
    field = replace(field, rounds=(pure.Round(1, tuple(_list_facts(rows))),))
    sheet = knockout.open_sheet(field)
    rules = knockout.map_rules(sheet.structure, field.stage)
    rounds = {(stage.name, one.number): one for one in Round.objects.filter(stage=stage)}
    return Bracket(stage, draw, sheet, rules, rows.entry_by_id, rounds)


def _list_facts(rows: event_rows.Rows) -> Iterator[pure.Pairing]:
    opened = Pairing.objects.filter(tournament=rows.event, opened_at__isnull=False)
    columns = ("key", "a_id", "b_id", "kind", "winner_id", "score_a", "score_b", "is_derived", "stands")
    for key, a, b, kind, winner, score_a, score_b, is_derived, stands in opened.values_list(*columns):
        result = None
        if kind and not is_derived:
            score = None if score_a is None or score_b is None else (score_a, score_b)
            result = Result(event_rows.KINDS[kind], rows.who(winner), score)
        yield pure.Pairing(
            Key(key), rows.id_by_pk[a], rows.id_by_pk[b], result, event_rows.parse_standing_result(stands)
        )


def _advance_bracket(event: Tournament, sheet: Bracket, row: Pairing, *, now: datetime) -> bool:
    """Apply one result to a bracket; True if nothing else is to be done."""
    winner = next((one for one, entry in sheet.entries.items() if entry.pk == row.winner_id), None)
    score = None if row.score_a is None or row.score_b is None else (row.score_a, row.score_b)
    changed = sheet.decide(Key(row.key), Result(Kind(row.kind), winner, score))
    if changed is None:
        return False
    reconciliation.store_places(event, sheet, changed, now=now)
    return not sheet.is_over


def store_result(
    row: Pairing,
    kind: Kind,
    *,
    winner_id: int | None,
    now: datetime,
    score: tuple[int, int] | None = None,
    games: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Store the result of an open match, once, and drop its open reports.

    :raises NotOpen: the match was decided concurrently.
    """
    values: dict[str, Any] = {
        "state": PairingState.DECIDED.value,
        "kind": kind.value,
        "winner_id": winner_id,
        "score_a": None if score is None else score[0],
        "score_b": None if score is None else score[1],
        "games": list(games),
        "is_derived": False,
        "stands": {},
        "decided_at": now,
        "due_at": None,
        "needs_director": "",
    }
    # Compare and set: one result, even if a caller forgets the lock.
    is_open = Pairing.objects.filter(pk=row.pk, state=PairingState.READY, opened_at__isnull=False)
    if not is_open.update(**values):
        raise NotOpen
    for name, value in values.items():
        setattr(row, name, value)
    claims.drop_open_reports(row)


def compute_outcome(rows: Rows, *, now: datetime, settle: Settle = fixpoint.settle_event) -> Reconciler:
    """Compute the consequences of the rows, with the draws of automatic stages. Writes nothing.

    *settle* may run the computation in another process.
    """
    stages = rows.stages
    held = frozenset(stage.name for stage in stages if not rows.is_drawn(stage))
    try:
        event = event_rows.build_event(rows)
        settled = settle(
            event,
            held=held,
            # The stages whose rounds a director looks at before they are published.
            drafted={stage.name for stage in stages if stage.pairs == PairingMode.DRAFT},
            automatic=[stage.name for stage in stages if stage.takes and stage.pairs == PairingMode.AUTO],
        )
    except BadOption as problem:
        raise BadPlan(problem=str(problem)) from problem
    for name in settled.fallen:
        rows.draws.pop(rows.stage_by_name[name].pk, None)
    drawn = [_build_draw(rows, rows.stage_by_name[name], found, now) for name, found in settled.drawn.items()]
    undrawn = (held | settled.fallen) - settled.drawn.keys()
    return Reconciler(rows, settled, drawn, undrawn, now)


def _build_draw(rows: Rows, stage: Stage, drawn: seeding.DrawnLines, now: datetime) -> Draw:
    draw = rows.draws.get(stage.pk) or Draw(stage=stage, made_at=now)
    draw.lines = [None if one is None else int(one) for one in drawn.lines]
    draw.method, draw.published_at = drawn.method, event_rows.find_draw_time(rows, now=now)
    draw.why = [one.to_json() for one in seeding.explain_draw(drawn, stage.name)]
    rows.draws[stage.pk] = draw
    return draw


def _finish_or_reopen(rows: Rows, proposal: pure.Proposal, *, is_drawn: bool, now: datetime) -> None:
    """Set the places when the event is over, and clear them when a correction has reopened it."""
    event = rows.event
    if event.ended_early_at is not None:
        _set_places(rows, replace(proposal, ranking=pure_stages.close_ranks(proposal.ranking)))
        return
    is_over = is_drawn and proposal.finished and bool(rows.stages)
    if event.status == Status.RUNNING and event.needs_approval:
        # The rest follows when a director approves.
        if is_over != (event.over_at is not None):
            event.over_at = now if is_over else None
            event.save(update_fields=["over_at"])
    elif is_over:
        _set_places(rows, proposal)
        if event.status == Status.RUNNING:
            changes.change_status(
                event, Status.RUNNING, Status.FINISHED, now=now, finished_at=now, paused_at=None
            )
            ruling = changes.record_ruling(event, RulingKind.FINISHED, by=None, now=now)
            # The players of a friendly have agreed on the result and need no notice.
            if not event.is_friendly:
                news.queue_notice(event, news.News.RESULT, ruling_id=ruling.pk, by=None, now=now)
    elif event.status == Status.FINISHED:
        changes.change_status(event, Status.FINISHED, Status.RUNNING, now=now, finished_at=None)
        Entry.objects.filter(tournament=event, place__isnull=False).update(place=None)
        for entry in rows.entries:
            entry.place = None


def _set_places(rows: Rows, proposal: pure.Proposal) -> None:
    ranks = {one.entrant: one.rank for one in proposal.ranking}
    moved = []
    for entry in rows.entries:
        place = ranks.get(event_rows.build_entrant_id(entry))
        if entry.withdrawn_at is None and entry.place != place:
            entry.place = place
            moved.append(entry)
    Entry.objects.bulk_update(moved, ["place"])
