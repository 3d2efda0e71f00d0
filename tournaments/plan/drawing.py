"""The draw: previewed by the director, repeated only with a reason, then published for good (P05)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.db import transaction

from draw import lots, seeding, stages
from draw.event import EntrantId, Reason
from draw.options import BadOption
from draw.seeding import DrawnLines, place_seeds
from players.models import User
from tournaments.base import event_rows, reason_words, ties
from tournaments.base.errors import (
    AlreadyDrawn,
    BadLines,
    BadPlan,
    ByesMeet,
    NoStages,
    NotCheckedIn,
    NotDrawn,
    StageWaits,
    TiesUndecided,
    TooFewEntries,
)
from tournaments.base.event_rows import Rows
from tournaments.models import Draw, Entry, RulingKind, Stage, Tournament
from tournaments.play import backlog, capacity, changes, news, progress
from tournaments.status import OPEN, Status


def list_meeting_byes(lines: Sequence[int | None]) -> list[int]:
    """List the first of each two empty lines that would meet, counted from 1."""
    pairs = zip(lines[::2], lines[1::2], strict=False)
    return [2 * at + 1 for at, pair in enumerate(pairs) if pair == (None, None)]


def preview(*, tournament_id: int, by: User, now: datetime, stage: int = 1, reason: str = "") -> Draw:
    """Draw a stage as a preview for directors. Each further preview uses another lot and needs a reason.

    :raises NotDirector, WrongStatus, NoStages, AlreadyDrawn, StageWaits, BadPlan: nothing is drawn.
    :raises TooFewEntries, NotCheckedIn, TooManyPlayers: the number of players is not possible.
    :raises TiesUndecided: a lot would decide who is in the stage, and no director has allowed that.
    :raises ReasonNeeded: there is a draw already.
    """
    with transaction.atomic():
        event, rows, row = _lock_drawable_stage(tournament_id, by, stage)
        before = rows.draws.get(row.pk)
        if before is not None:
            reason = changes.require_reason(reason)
        attempt = 1 if before is None else before.attempt + 1
        drawn = _draw_stage(rows, row, attempt)
        draw = _build_draw(rows, row, drawn, now=now)
        draw.attempt, draw.note, draw.witnesses = attempt, "", []
        draw.save()
        act = RulingKind.DREW if before is None else RulingKind.DREW_AGAIN
        data = {"stage": stage, "attempt": attempt, "lines": draw.lines}
        changes.record_ruling(event, act, by=by, now=now, reason=reason, data=data)
        changes.announce_change(event, now=now)
        return draw


def build_blank_lines(event: Tournament, stage: int) -> tuple[int | None, ...]:
    """Return a blank sheet to be filled in by hand: the players in the order of entry, and its byes.

    Nothing is stored. The byes are at the places of the seeded sheet; they may be moved.

    :raises WrongStatus, NoStages, AlreadyDrawn, StageWaits, TooFewEntries, NotCheckedIn, TooManyPlayers,
        TiesUndecided, BadPlan: none can be filled in.
    :raises BadLines: a draw of the stage has no lines.
    """
    rows, row = _load_drawable_stage(event, stage)
    _require_lines(row)
    drawn = _draw_stage(rows, row, 1)
    order = sorted(_list_drawn_numbers(drawn))
    is_bye = [one is None for one in place_seeds([EntrantId(str(number)) for number in order])]
    there = iter(order)
    return tuple(None if empty else next(there) for empty in is_bye)


def record_hand_draw(
    *,
    tournament_id: int,
    lines: Sequence[int | None],
    by: User,
    now: datetime,
    stage: int = 1,
    witnesses: Sequence[str] = (),
    note: str = "",
) -> Draw:
    """Record a draw that was made with slips of paper.

    :raises NotDirector, WrongStatus, NoStages, AlreadyDrawn, StageWaits, TooFewEntries, NotCheckedIn,
        TooManyPlayers, TiesUndecided, BadPlan: nothing is drawn.
    :raises BadLines: the stage has no lines, or these do not have each of its players once.
    :raises ByesMeet: two empty lines would meet.
    """
    with transaction.atomic():
        event, rows, row = _lock_drawable_stage(tournament_id, by, stage)
        drawn = _draw_stage(rows, row, 1)
        _require_lines(row)
        there = _list_drawn_numbers(drawn)
        given = [number for number in lines if number is not None]
        if set(given) != there or len(given) != len(there) or len(lines) != len(drawn.lines):
            raise BadLines
        if meeting := list_meeting_byes(lines):
            raise ByesMeet(line=meeting[0], next=meeting[0] + 1)
        draw = rows.draws.get(row.pk) or Draw(stage=row)
        draw.lines, draw.method, draw.made_at = list(lines), "by hand", now
        draw.witnesses, draw.note = list(witnesses), note.strip()[:300]
        draw.why = [Reason(reason_words.FROM_A_HAT, "").to_json()]
        draw.save()
        data = {"stage": stage, "lines": draw.lines, "by_hand": True}
        changes.record_ruling(event, RulingKind.DREW, by=by, now=now, reason=draw.note, data=data)
        changes.announce_change(event, now=now)
        return draw


def swap(
    *, tournament_id: int, line_a: int, line_b: int, by: User, now: datetime, stage: int = 1, reason: str = ""
) -> Draw:
    """Exchange two lines, counted from 1, of a draw that is not published yet.

    :raises NotDirector, WrongStatus, NoStages, AlreadyDrawn, StageWaits, NotDrawn: nothing changes.
    :raises BadLines: the draw has no such lines, or two empty lines would meet.
    """
    with transaction.atomic():
        event, rows, row = _lock_drawable_stage(tournament_id, by, stage)
        draw = NotDrawn.raise_if_none(rows.draws.get(row.pk))
        _require_lines(row)
        lines = list(draw.lines)
        if line_a == line_b or not {line_a, line_b} <= set(range(1, len(lines) + 1)):
            raise BadLines
        lines[line_a - 1], lines[line_b - 1] = lines[line_b - 1], lines[line_a - 1]
        if list_meeting_byes(lines):
            raise BadLines
        draw.lines, draw.made_at = lines, now
        # Reasons about byes and clubs may be wrong now.
        lasting = {*seeding.LASTING, reason_words.EXCHANGED, reason_words.FROM_A_HAT}
        exchange = Reason(reason_words.EXCHANGED, "", (("a", line_a), ("b", line_b)))
        draw.why = [*(one for one in draw.why if one["code"] in lasting), exchange.to_json()]
        draw.save(update_fields=["lines", "made_at", "why"])
        data = {"stage": stage, "lines": [line_a, line_b], "now": lines}
        changes.record_ruling(event, RulingKind.SWAPPED, by=by, now=now, reason=reason.strip(), data=data)
        changes.announce_change(event, now=now)
        return draw


def publish(
    *,
    tournament_id: int,
    by: User,
    now: datetime,
    stage: int = 1,
    witnesses: Sequence[str] = (),
    note: str = "",
    starts_now: bool = False,
) -> Tournament:
    """Publish the draw of a stage, for good. The draw of the first stage starts the event.

    *starts_now* moves the start of an event that was announced for another time to now. If players check in,
    those who have not are taken out; they can still enter late.

    :raises NotDirector, WrongStatus, NoStages, AlreadyDrawn, StageWaits, TooFewEntries, NotCheckedIn,
        TooManyPlayers, TiesUndecided, BadPlan: nothing changes.
    :raises BadLines: the players have changed since the preview.
    """
    with transaction.atomic():
        event, rows, row = _lock_drawable_stage(tournament_id, by, stage)
        draw = rows.draws.get(row.pk)
        drawn = _draw_stage(rows, row, draw.attempt if draw else 1, is_settled=True)
        if draw is None:
            draw = _build_draw(rows, row, drawn, now=now)
        elif {one for one in draw.lines if one is not None} != _list_drawn_numbers(drawn):
            raise BadLines  # the players have changed since
        draw.published_at = event_rows.find_draw_time(rows, now=now)
        draw.witnesses = list(dict.fromkeys([*draw.witnesses, *witnesses]))
        draw.note = note.strip()[:300] or draw.note
        draw.save()
        data: dict[str, object] = {"stage": stage, "lines": draw.lines, "attempt": draw.attempt}
        if starts_now and event.status != Status.RUNNING:
            data["starts_at"] = event.starts_at.isoformat()
            event.starts_at = now
            event.save(update_fields=["starts_at"])
        if event.status != Status.RUNNING:
            data["out"] = _begin_event(event, rows, now=now)
        ruling = changes.record_ruling(
            event, RulingKind.PUBLISHED_DRAW, by=by, now=now, reason=draw.note, data=data
        )
        if stage == 1:
            news.queue_notice(event, news.News.STARTED, ruling_id=ruling.pk, by=by, now=now)
        if backlog.is_long_draw(event, row, sum(one is not None for one in draw.lines)):
            backlog.queue_job(event, at=now, now=now)
        else:
            rows.draws[row.pk] = draw
            progress.advance_rows(rows, now=now)
        changes.announce_change(event, now=now)
        return event


def start_without_director(event: Tournament, *, now: datetime) -> None:
    """Draw and start an announced event of one stage, without a director and without notices.

    The caller holds the event's lock.

    :raises TooFewEntries, NotCheckedIn: there are fewer than two players.
    """
    rows, row = _load_drawable_stage(event, 1)
    draw = _build_draw(rows, row, _draw_stage(rows, row, 1, is_settled=True), now=now)
    draw.published_at = now
    draw.save()
    rows.draws[row.pk] = draw
    _begin_event(event, rows, now=now)
    data = {"stage": 1, "lines": draw.lines, "attempt": 1}
    changes.record_ruling(event, RulingKind.PUBLISHED_DRAW, by=None, now=now, data=data)
    progress.advance_rows(rows, now=now)
    changes.announce_change(event, now=now)


def _build_draw(rows: Rows, stage: Stage, drawn: DrawnLines, *, now: datetime) -> Draw:
    """Return the row of a draw that was made now, in place of the one before if there is one."""
    draw = rows.draws.get(stage.pk) or Draw(stage=stage)
    draw.lines = [None if one is None else int(one) for one in drawn.lines]
    draw.method, draw.made_at = drawn.method, now
    draw.commitment = seeding.compute_commitment(rows.event.seed)
    draw.why = [one.to_json() for one in seeding.explain_draw(drawn, stage.name)]
    return draw


def _begin_event(event: Tournament, rows: Rows, *, now: datetime) -> list[int]:
    """Start the event; return the numbers of entries that are out because they have not checked in.

    The waiting list is kept.
    """
    there = [one for one in rows.entries if one.withdrawn_at is None and not one.waits]
    out = [one for one in there if not _is_taking_part(event, one)]
    for entry in out:
        entry.withdrawn_at = now
    Entry.objects.bulk_update(out, ["withdrawn_at"])
    # Later changes of the club's setting do not affect this event.
    needs_approval = event.club.approves_orders and not event.is_friendly
    changes.change_status(
        event, Status.PUBLISHED, Status.RUNNING, now=now, started_at=now, needs_approval=needs_approval
    )
    return [entry.number for entry in out]


def _is_taking_part(event: Tournament, entry: Entry) -> bool:
    return not entry.waits and (entry.checked_in_at is not None or not event.needs_check_in)


def _list_drawn_numbers(drawn: DrawnLines) -> set[int]:
    return {int(one) for one in drawn.lines if one is not None}


def _require_lines(stage: Stage) -> None:
    """Require a stage whose draw has lines.

    :raises BadLines: it has none.
    """
    if not event_rows.has_lines(stage):
        raise BadLines


def _lock_drawable_stage(tournament_id: int, by: User, number: int) -> tuple[Tournament, Rows, Stage]:
    """Lock the event; return it with its rows and the stage that can be drawn now."""
    event = changes.lock_for_director(tournament_id, by)
    return event, *_load_drawable_stage(event, number)


def _load_drawable_stage(event: Tournament, number: int) -> tuple[Rows, Stage]:
    changes.require_status(event, OPEN)
    rows = event_rows.load_rows(event)
    stage = NoStages.raise_if_none(next((one for one in rows.stages if one.number == number), None))
    if rows.is_drawn(stage):
        raise AlreadyDrawn
    if event.status != Status.RUNNING and number != 1:
        raise StageWaits
    return rows, stage


def _draw_stage(rows: Rows, stage: Stage, attempt: int, *, is_settled: bool = False) -> DrawnLines:
    """Draw a stage by the rule of its format.

    A trial refuses a stage that cannot be played. With *is_settled* there is none, because the caller settles
    the event in the same transaction; a long draw is tried in any case, because a worker settles it later.

    :raises StageWaits: the earlier stages are not over.
    :raises TiesUndecided: a lot would decide who is in it or has a bye, and no director has allowed that.
    :raises TooFewEntries, NotCheckedIn: there are fewer than two players.
    :raises TooManyPlayers: its format does not allow so many.
    :raises BadPlan: it cannot be played.
    """
    event = rows.event
    if event.status != Status.RUNNING:
        there = [one for one in rows.entries if one.withdrawn_at is None and _is_taking_part(event, one)]
        capacity.require_players(event, len(there), rows.stages)
        if len(there) < 2:
            raise NotCheckedIn if event.needs_check_in else TooFewEntries
        rows = replace(rows, entries=there)
    values = event_rows.build_event(rows)
    if ties.list_undecided(values, [stage]):
        raise TiesUndecided
    try:
        # The attempt at the first draw is part of the event's seed; a later one has no effect on the stages before.
        if stage.number == 1:
            values, attempt = replace(values, seed=event_rows.build_seed(rows, attempt)), 1
        # A later stage has at most all entries.
        if not is_settled or backlog.is_long_draw(event, stage, len(rows.entries)):
            stages.propose_stages(values)
        drawn = lots.draw_stage(values, stage.name, attempt=attempt)
    except BadOption as problem:
        raise BadPlan(problem=str(problem)) from problem
    if drawn is None:
        raise StageWaits
    return drawn
