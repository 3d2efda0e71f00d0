"""A rehearsal as its pages show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext

from draw.rounds import ROUNDS
from tournaments.models import Pairing, Stage, Stand
from tournaments.status import Status
from venue.models import Goal, Rehearsal

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.models import Tournament


MAIN: Final = "main"


@dataclass(frozen=True, slots=True, kw_only=True)
class RehearsalShown:
    """How far a rehearsal is, and what it can be told to do."""

    key: str
    name: str
    of: str
    of_name: str
    status: Status
    played: int
    open: int
    made_at: datetime
    expires_at: datetime
    goal: str
    pace: int
    is_playing: bool
    # With the words for each.
    goals: tuple[tuple[Goal, str], ...]


def of(row: Rehearsal) -> RehearsalShown:
    """Return a rehearsal with its event."""
    event = row.event
    matches = Pairing.objects.filter(tournament=event)
    waiting = matches.filter(state=Stand.READY, opened_at__isnull=False).count()
    return RehearsalShown(
        key=event.key,
        name=event.name,
        of=row.of.key,
        of_name=row.of.name,
        status=Status(event.status),
        played=matches.filter(state=Stand.DECIDED).count(),
        open=waiting,
        made_at=row.made_at,
        expires_at=row.expires_at,
        goal=row.goal if row.next_at else "",
        pace=row.pace,
        is_playing=row.next_at is not None,
        goals=_goals(event, waiting),
    )


def _goals(event: Tournament, waiting: int) -> tuple[tuple[Goal, str], ...]:
    """Return what it can play to now; before its draw the next thing is the draw."""
    words = {goal: str(goal.label) for goal in Goal}
    if Status(event.status) is Status.PUBLISHED:
        words[Goal.RESULT] = gettext("Publish the draw")
        words[Goal.ROUND] = gettext("Round 1")
        return tuple(words.items())
    if event.status != Status.RUNNING or not waiting:
        return ()
    return tuple((goal, label) for goal, label in words.items() if goal is not Goal.FINAL or has_final(event))


def of_event(event: Tournament) -> RehearsalShown | None:
    """Return the rehearsal that an event is, None where it is none."""
    row = Rehearsal.objects.filter(event=event).select_related("event", "of").first()
    return None if row is None else of(row)


def of_club(club: int) -> RehearsalShown | None:
    """Return the rehearsal in a club that stands in for another."""
    row = Rehearsal.objects.filter(event__club=club).select_related("event", "of").first()
    return None if row is None else of(row)


def made_of(event: Tournament) -> RehearsalShown | None:
    """Return the rehearsal of an event, None where there is none."""
    row = Rehearsal.objects.filter(of=event).select_related("event", "of").first()
    return None if row is None else of(row)


def has_final(event: Tournament) -> bool:
    """Say whether it is known beforehand which match or round is the last."""
    stage = Stage.objects.filter(tournament=event).order_by("-number").first()
    return stage is not None and (is_sheet(stage) or bool(ROUNDS.get(stage.options)))


def is_sheet(stage: Stage) -> bool:
    """Say whether a stage has a main bracket, which ends with a final."""
    return Pairing.objects.filter(stage=stage, bracket=MAIN).exists()
