"""Acts on a running event as a whole: pauses, rounds, ties, an early end, the approval."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

from draw.event import Reason
from draw.lots import TiedEntrants
from draw.new_round import BYE_POINTS
from draw.rounds import LEFT_TO_LOT
from players.models import User
from tournaments.base import event_rows, formats, reason_words, seating, ties
from tournaments.base.errors import (
    AlreadyDone,
    ChangedMeanwhile,
    LaterStageBegun,
    NoPlayoffs,
    NoRounds,
    NotDrawn,
    NotLevel,
    NotOpen,
    NotOver,
)
from tournaments.base.seating import Seats
from tournaments.models import (
    Bye,
    Entry,
    Pairing,
    PairingState,
    Round,
    RoundStatus,
    Ruling,
    RulingKind,
    Stage,
    Tournament,
)
from tournaments.play import changes, news, running_event, timing
from tournaments.status import Status


def pause_event(*, tournament_id: int, by: User, now: datetime, reason: str = "") -> Ruling:
    """Pause the event: no deadline passes, no result is entered.

    :raises NotDirector, WrongStatus, AlreadyDone: nothing changes.
    """
    with transaction.atomic():
        event = running_event.lock_running_event(tournament_id, by)
        if event.paused_at is not None:
            raise AlreadyDone
        event.paused_at = now
        event.save(update_fields=["paused_at"])
        ruling = changes.record_ruling(event, RulingKind.PAUSED, by=by, now=now, reason=reason)
        changes.announce_change(event, now=now)
        return ruling


def resume_event(*, tournament_id: int, by: User, now: datetime, reason: str = "") -> Ruling:
    """Resume the event; calls and deadlines move by as long as the pause kept them waiting.

    :raises NotDirector, WrongStatus, AlreadyDone: nothing changes.
    """
    with transaction.atomic():
        event = running_event.lock_running_event(tournament_id, by)
        if event.paused_at is None:
            raise AlreadyDone
        stood = now - event.paused_at
        timing.give_back(event, since=event.paused_at, now=now)
        event.paused_at = None
        event.save(update_fields=["paused_at"])
        data = {"seconds": round(stood.total_seconds())}
        ruling = changes.record_ruling(event, RulingKind.RESUMED, by=by, now=now, reason=reason, data=data)
        changes.announce_change(event, now=now)
        return ruling


def add_round(*, tournament_id: int, by: User, now: datetime, stage: int = 1) -> Ruling:
    """Add a round.

    :raises NotDirector, WrongStatus: nothing changes.
    :raises NoRounds: there is no such stage, or its format has no number of rounds.
    :raises LaterStageBegun: the players of a later stage follow from the places of this one.
    """
    with transaction.atomic():
        event = running_event.lock_begun_event(tournament_id, by)
        row = _get_stage(event, stage)
        rounds = row.options.get("rounds")
        if not rounds or not formats.get_format(row).can_be_extended:
            raise NoRounds
        if row not in list_last_stages(event):
            raise LaterStageBegun
        data = {"stage": stage, "rounds": rounds + 1}
        with running_event.perform_act(event, RulingKind.ADDED_ROUND, by=by, now=now, data=data) as ruling:
            row.options = row.options | {"rounds": rounds + 1}
            row.save(update_fields=["options"])
        return ruling


def list_last_stages(event: Tournament) -> list[Stage]:
    """Return the stages from which no begun stage takes players: only these can get another round, or play-offs."""
    stages = list(event.stages.all())
    if len(stages) == 1:
        return stages
    begun = set(Pairing.objects.filter(tournament=event).values_list("stage_id", flat=True).distinct())
    followed = {take["stage"] for stage in stages if stage.pk in begun for take in stage.takes}
    return [stage for stage in stages if stage.name not in followed]


def break_ties(
    *,
    tournament_id: int,
    playoff: bool,
    reason: str,
    by: User,
    now: datetime,
    stage: int = 1,
    order: Sequence[int] = (),
    tied: Sequence[int] = (),
) -> Ruling:
    """Set how relevant ties are broken: by play-offs, by lot, or by the *order* of one tie's players.

    With *tied*, the players of the tie that the director saw, it must still be one that is to be decided.

    :raises NotDirector, WrongStatus, ReasonNeeded, AlreadyDone: nothing changes.
    :raises ChangedMeanwhile: the tie of *tied* is no longer to be decided.
    :raises NoPlayoffs: the format has none, or a later stage has begun and no tie waits that can be played off.
    :raises NotLevel: the order does not name exactly the players of a tie that is to be decided.
    """
    with transaction.atomic():
        event = running_event.lock_begun_event(tournament_id, by)
        why = changes.require_reason(reason)
        row = _get_stage(event, stage)
        listed = [tie for tie in ties.list_ties(event_rows.load_rows(event)) if tie.stage == row.name]
        if tied and not _is_asked(tied, listed):
            raise ChangedMeanwhile(what=_("The event has changed since you looked."))
        if not formats.get_format(row).has_playoffs or not (listed or row in list_last_stages(event)):
            raise NoPlayoffs
        data: dict[str, Any] = {"stage": stage, "playoff": playoff}
        if order:
            row.options = _build_order_options(row, listed, order)
            data["order"] = list(order)
        else:
            row.options = _build_tie_options(row, listed, playoff=playoff)
        with running_event.perform_act(
            event, RulingKind.BREAKS_TIES, by=by, now=now, reason=why, data=data
        ) as ruling:
            row.save(update_fields=["options"])
        return ruling


def _is_asked(people: Sequence[int], tied: Sequence[TiedEntrants]) -> bool:
    return sorted(people) in [sorted(map(int, tie.entrants)) for tie in tied]


def _build_order_options(stage: Stage, tied: Sequence[TiedEntrants], order: Sequence[int]) -> dict[str, Any]:
    if not _is_asked(order, tied):
        raise NotLevel
    options: dict[str, Any] = stage.options
    return options | {"placed": [*options.get("placed", ()), " ".join(map(str, order))]}


def _build_tie_options(stage: Stage, tied: Sequence[TiedEntrants], *, playoff: bool) -> dict[str, Any]:
    options: dict[str, Any] = stage.options
    if bool(options.get("playoff")) == playoff and not tied:
        raise AlreadyDone
    if playoff and tied and not any(tie.can_play for tie in tied):
        raise NoPlayoffs
    if not playoff:
        # A finished play-off keeps its effect: the lot only decides between players who are still level.
        return options | {"lots": LEFT_TO_LOT} | ({} if tied else {"playoff": False})
    # Ties for a bye are played off too, down to the lowest place with one.
    deepest = max((tie.rank for tie in tied if tie.is_for_bye and tie.can_play), default=0)
    wanted = max(deepest, options.get("playoff_for") or 0)
    added = {"playoff": True} | ({"playoff_for": wanted} if deepest else {})
    return {name: value for name, value in options.items() if name != "lots"} | added


def publish_round(
    *,
    tournament_id: int,
    stage: int,
    number: int,
    by: User,
    now: datetime,
    exchanges: Sequence[tuple[int, int]] = (),
    reason: str = "",
) -> Ruling:
    """Publish a drafted round, after exchanging pairs of entries or byes.

    :raises NotDirector, WrongStatus, NotOpen, ReasonNeeded: nothing changes.
    :raises AlreadyDone: the round is already published.
    :raises NotInRound, SamePairing, SameEntryTwice: an exchange is invalid.
    """
    with transaction.atomic():
        event = running_event.lock_running_event(tournament_id, by)
        row = _get_stage(event, stage)
        batch = NotOpen.raise_if_none(Round.objects.filter(stage=row, number=number).first())
        if batch.status == RoundStatus.PUBLISHED:
            raise AlreadyDone
        drafted = seating.load_seats(batch)
        data: dict[str, Any] = {"stage": stage, "round": number}
        if exchanges:
            reason = changes.require_reason(reason)
            data["exchanges"] = [list(two) for two in exchanges]
        changed = seating.exchange_seats(drafted, exchanges)
        with running_event.perform_act(
            event, RulingKind.PUBLISHED_ROUND, by=by, now=now, reason=reason, data=data
        ) as ruling:
            reseat_round(event, row, batch, drafted, changed)
            _open_round(event, row, batch, now=now)
        return ruling


def _open_round(event: Tournament, stage: Stage, batch: Round, *, now: datetime) -> None:
    batch.status, batch.published_at = RoundStatus.PUBLISHED, now
    batch.save(update_fields=["status", "published_at"])
    opened = list(Pairing.objects.filter(round=batch, state=PairingState.READY, opened_at__isnull=True))
    for row in opened:
        row.opened_at, row.called_at = now, timing.find_call_time(event, stage, now=now)
        row.deadline_at = timing.find_deadline(event, stage, getattr(stage, "draw", None), batch.number, now)
        row.due_at = timing.find_next_due(event, row)
    Pairing.objects.bulk_update(opened, ["opened_at", "called_at", "deadline_at", "due_at"])


def end_event_early(*, tournament_id: int, reason: str, by: User, now: datetime) -> Ruling:
    """End the event before everything is played: the current places are final.

    :raises NotDirector, WrongStatus, ReasonNeeded: nothing changes.
    :raises NotDrawn: there is no draw yet.
    """
    with transaction.atomic():
        event = running_event.lock_running_event(tournament_id, by)
        why = changes.require_reason(reason)
        rows = event_rows.load_rows(event)
        if not rows.pairings:
            raise NotDrawn
        data = timing.describe_pause(event)
        with running_event.perform_act(
            event, RulingKind.ENDED_EARLY, by=by, now=now, reason=why, data=data
        ) as ruling:
            columns: dict[str, Any] = {"finished_at": now, "ended_early_at": now, "paused_at": None}
            changes.change_status(event, Status.RUNNING, Status.FINISHED, now=now, **columns)
        news.queue_notice(event, news.News.RESULT, ruling_id=ruling.pk, by=by, now=now)
        return ruling


def approve_final_order(*, tournament_id: int, by: User, now: datetime) -> Ruling:
    """Approve the final order; ratings, prizes and news follow.

    :raises NotDirector, WrongStatus: nothing changes.
    :raises AlreadyDone: it is already approved.
    :raises NotOver: there are matches left to play.
    """
    with transaction.atomic():
        event = running_event.lock_begun_event(tournament_id, by)
        if event.status == Status.FINISHED:
            raise AlreadyDone
        if event.over_at is None:
            raise NotOver
        with running_event.perform_act(event, RulingKind.APPROVED, by=by, now=now) as ruling:
            changes.change_status(
                event, Status.RUNNING, Status.FINISHED, now=now, finished_at=now, paused_at=None
            )
        news.queue_notice(event, news.News.RESULT, ruling_id=ruling.pk, by=by, now=now)
        return ruling


def _get_stage(event: Tournament, number: int) -> Stage:
    return NoRounds.raise_if_none(Stage.objects.filter(tournament=event, number=number).first())


SEATS: Final = ("a", "b", "state", "why")


def reseat_round(
    event: Tournament, stage: Stage, batch: Round, drafted: Sequence[Seats], changed: Sequence[Seats]
) -> None:
    """Change the seats of a drafted round in a locked event."""
    moved = {new.key: new for old, new in zip(drafted, changed, strict=True) if new != old}
    if not moved:
        return
    entries = {entry.number: entry for entry in Entry.objects.filter(tournament=event)}
    rows = list(Pairing.objects.filter(round=batch, key__in=moved))
    # An entry must not have two seats even for a moment (unique constraint).
    Pairing.objects.filter(pk__in=[row.pk for row in rows], state=PairingState.READY).update(
        state=PairingState.WAITING
    )
    for row in rows:
        seats = moved[row.key]
        row.a, row.b = entries[seats.a], None if seats.b is None else entries[seats.b]
        # The stored reason no longer applies to these two.
        row.why = [Reason(reason_words.BY_DIRECTOR, "").to_json()]
    Pairing.objects.bulk_update(rows, SEATS)
    if any(seats.b is None for seats in moved.values()):
        usual = BYE_POINTS.get(formats.build_options(stage))
        _store_byes(batch, [entries[seats.a] for seats in changed if seats.b is None], str(usual))


def _store_byes(batch: Round, passing: Sequence[Entry], usual: str) -> None:
    """Store the byes of a round in this order, in which they are listed."""
    given = {bye.entry_id: bye for bye in Bye.objects.filter(round=batch)}
    Bye.objects.filter(round=batch).delete()
    Bye.objects.bulk_create(
        # An entry without an agreed bye gets the usual points, not those agreed for another entry.
        Bye(round=batch, entry=entry, points=known.points, asked=known.asked)
        if (known := given.get(entry.pk))
        else Bye(round=batch, entry=entry, points=usual)
        for entry in passing
    )
