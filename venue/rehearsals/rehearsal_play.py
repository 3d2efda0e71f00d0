"""The course of a rehearsal: one result after another, through the usual services, until its goal.

A result depends on the seed and the match only: the player with the better rating wins more often; without
ratings both are even. Times are real times.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic
from typing import Any, Final

from django.db.models import Max
from django.utils.translation import gettext as _

from draw.random_stream import RandomStream
from draw.rounds import ROUNDS
from players.models import User
from tournaments import hooks as event_hooks
from tournaments.base import event_rows, ties
from tournaments.base.errors import AlreadyDone, NotOpen, ResultStands
from tournaments.models import Entry, Pairing, PairingState, Stage, Tournament
from tournaments.plan import drawing
from tournaments.play import changes, entering, event_control, incidents, pairing_jobs, results
from tournaments.status import Status
from venue.calls import table_filling
from venue.models import Assignment, CallMode, EventRoom, Goal, Rehearsal

# Results per request or turn of the sweep; the sweep continues.
AT_ONCE: Final = 16
ALL: Final = 1 << 30
# The winning chance without ratings.
EVEN: Final = 0.5


def list_open_keys(event: Tournament) -> list[str]:
    return [row.key for row in _list_open(event)]


def continue_rehearsal(row: Rehearsal, *, now: datetime, seconds: float = math.inf) -> int:
    """Play on, starting no result after *seconds*; return the number of results.

    Only one of two concurrent calls continues.

    :raises NotDirector: the user who started it is no longer a director here.
    """
    later = now + timedelta(seconds=max(row.pace, 1))
    mine = Rehearsal.objects.filter(pk=row.pk, next_at=row.next_at, next_at__isnull=False)
    if row.by is None or not mine.update(next_at=later):
        return 0
    row.next_at = later
    event = Tournament.objects.select_related("club").get(pk=row.event_id)
    changes.require_director(event.club, row.by)
    played = 0
    ends = monotonic() + seconds
    while played < (1 if row.pace else AT_ONCE):
        if played and monotonic() > ends:
            # The next turn continues, even if no match can be played yet: a draw may just have been
            # published.
            return played
        if not _take_step(row, row.by, now=now):
            break
        played += 1
        if row.goal == Goal.RESULT:
            break
    event.refresh_from_db()
    if row.goal == Goal.RESULT or not played or _find_next(row, event) is None:
        Rehearsal.objects.filter(pk=row.pk, next_at=later).update(next_at=None)
        row.next_at = None
    return played


def _take_step(row: Rehearsal, by: User, *, now: datetime) -> bool:
    """Do the next step: publish the draw, or play a match; False if there is none."""
    event = Tournament.objects.select_related("club").get(pk=row.event_id)
    if event.status == Status.PUBLISHED:
        _publish_draw(event, by, now=now)
        if row.goal == Goal.ROUND:
            row.keys = list_open_keys(Tournament.objects.get(pk=event.pk))
            row.save(update_fields=["keys"])
        return True
    _fill_room(event, now=now)
    match = _find_next(row, event)
    if match is None:
        return row.goal != Goal.ROUND and _break_ties_by_lot(event, by, now=now)
    try:
        for seat in (match.a, match.b):
            if seat is not None and match.called_at is not None:
                incidents.record_arrival(
                    tournament_id=event.pk, key=match.key, entry=seat.number, by=by, now=now
                )
        results.enter_result(
            tournament_id=event.pk, key=match.key, score=_draw_score(row, match, now=now), by=by, now=now
        )
    except (AlreadyDone, NotOpen, ResultStands):
        # A director entered the result first.
        return True
    _fill_room(event, now=now)
    return True


def _break_ties_by_lot(event: Tournament, by: User, *, now: datetime) -> bool:
    """Break the ties that the next stage waits for by lot; True if there were any."""
    if event.status != Status.RUNNING or _list_open(event):
        return False
    level = ties.list_ties(event_rows.load_rows(event))
    for number in event.stages.filter(name__in={tie.stage for tie in level}).values_list("number", flat=True):
        event_control.break_ties(
            tournament_id=event.pk,
            playoff=False,
            stage=number,
            reason=_("In a rehearsal the lot decides."),
            by=by,
            now=now,
        )
    return bool(level)


def _publish_draw(event: Tournament, by: User, *, now: datetime) -> None:
    if event.needs_check_in:
        there = Entry.objects.filter(tournament=event, withdrawn_at__isnull=True, waits=False)
        entering.check_in_entries(
            tournament_id=event.pk, entries=[*there.values_list("number", flat=True)], by=by, now=now
        )
    drawing.publish(tournament_id=event.pk, by=by, now=now)
    # A long draw waits for a worker; a rehearsal pairs at once.
    pairing_jobs.pair_event(tournament_id=event.pk, now=now)


def _fill_room(event: Tournament, *, now: datetime) -> None:
    """Fill the room at once, without a worker."""
    used = EventRoom.objects.filter(event=event, mode=CallMode.AUTOMATIC).first()
    if used is not None:
        table_filling.fill(room_id=used.room_id, now=now)


def _list_open(event: Tournament) -> list[Pairing]:
    if event.status != Status.RUNNING or event.paused_at is not None:
        return []
    rows = Pairing.objects.filter(
        tournament=event, state=PairingState.READY, opened_at__isnull=False, a__isnull=False, b__isnull=False
    )
    return list(
        rows.select_related("a", "b", "round").order_by("stage__number", "round__number", "position", "pk")
    )


def _find_next(row: Rehearsal, event: Tournament) -> Pairing | None:
    """Return the match to play next, None if the goal is reached; the one seated longest comes first."""
    found = _list_open(event)
    if row.goal == Goal.ROUND and row.keys:
        found = [each for each in found if each.key in row.keys]
    if row.goal == Goal.FINAL:
        last = _find_final(event)
        found = [each for each in found if (each.stage_id, each.bracket, each.round.number) != last]
    seated = dict(
        Assignment.objects.filter(pairing__in=found, ended_at__isnull=True).values_list("pairing", "pk")
    )
    at_tables = [each for each in found if each.pk in seated]
    return min(at_tables or found, key=lambda each: seated.get(each.pk, ALL), default=None)


def _find_final(event: Tournament) -> tuple[int, str, int] | None:
    """Return stage, bracket and round of the final; None if the number of rounds is not known."""
    stage = Stage.objects.filter(tournament=event).order_by("-number").first()
    if stage is None:
        return None
    last = Pairing.objects.filter(stage=stage, bracket=MAIN).aggregate(last=Max("round__number"))["last"]
    if last is not None:
        return stage.pk, MAIN, last
    rounds = ROUNDS.get(stage.options)
    return (stage.pk, "", rounds) if rounds else None


def _draw_score(row: Rehearsal, match: Pairing, *, now: datetime) -> tuple[int, int]:
    """Draw the result of this match from the seed; the loser has at least the winner's penalty points."""
    chance = RandomStream(row.seed).child(match.key)
    wins = chance.child("winner").below(1_000_000) < 1_000_000 * _compute_chance(row, match, now=now)
    begun = match.a_late if wins else match.b_late
    loser = begun + chance.child("loser").below(match.length - begun)
    return (match.length, loser) if wins else (loser, match.length)


def _compute_chance(row: Rehearsal, match: Pairing, *, now: datetime) -> float:
    """Return the winning chance of player a, by the original players' ratings; the copies have none."""
    numbers = [seat.number for seat in (match.a, match.b) if seat is not None]
    entries = Entry.objects.filter(tournament=row.of_id, number__in=numbers).select_related("player")
    real = {entry.number: entry.player for entry in entries}
    if len(real) < 2:
        return EVEN
    club = Tournament.objects.select_related("club").get(pk=row.of_id).club
    one, other = (real[number] for number in numbers)
    known = event_hooks.WINNING_CHANCE.get()(club, one, other, match.length, now)
    return EVEN if known is None else known


MAIN: Final = "main"


@dataclass(frozen=True, slots=True, kw_only=True)
class RehearsalStatus:
    key: str
    name: str
    of: str
    of_name: str
    status: Status
    played: int
    open: int
    expires_at: datetime
    goal: str
    pace: int
    is_playing: bool
    # With their labels.
    goals: tuple[tuple[Goal, str], ...]


def find_rehearsal(**which: Any) -> RehearsalStatus | None:
    """Return the rehearsal that a filter selects, such as one by its copy (`event`) or its original (`of`)."""
    row = Rehearsal.objects.filter(**which).select_related("event", "of").first()
    if row is None:
        return None
    event = row.event
    matches = Pairing.objects.filter(tournament=event)
    waiting = matches.filter(state=PairingState.READY, opened_at__isnull=False).count()
    return RehearsalStatus(
        key=event.key,
        name=event.name,
        of=row.of.key,
        of_name=row.of.name,
        status=Status(event.status),
        played=matches.filter(state=PairingState.DECIDED).count(),
        open=waiting,
        expires_at=row.expires_at,
        goal=row.goal if row.next_at else "",
        pace=row.pace,
        is_playing=row.next_at is not None,
        goals=_list_goals(event, waiting),
    )


def _list_goals(event: Tournament, waiting: int) -> tuple[tuple[Goal, str], ...]:
    """Return the goals available now, with labels; before the draw the next step is the draw."""
    words = {goal: str(goal.label) for goal in Goal}
    if Status(event.status) is Status.PUBLISHED:
        words[Goal.RESULT] = _("Publish the draw")
        words[Goal.ROUND] = _("Round 1")
        return tuple(words.items())
    if event.status != Status.RUNNING or not waiting:
        return ()
    return tuple(
        (goal, label) for goal, label in words.items() if goal is not Goal.FINAL or _find_final(event)
    )
