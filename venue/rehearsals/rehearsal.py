"""A rehearsal for display."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext

from draw.rounds import ROUNDS
from tournaments.models import Pairing, PairingState, Stage
from tournaments.status import Status
from venue.models import Goal, Rehearsal

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.models import Tournament


MAIN: Final = "main"


@dataclass(frozen=True, slots=True, kw_only=True)
class RehearsalStatus:
    """The progress of a rehearsal and the goals it can play to."""

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
        words[Goal.RESULT] = gettext("Publish the draw")
        words[Goal.ROUND] = gettext("Round 1")
        return tuple(words.items())
    if event.status != Status.RUNNING or not waiting:
        return ()
    return tuple((goal, label) for goal, label in words.items() if goal is not Goal.FINAL or has_final(event))


def has_final(event: Tournament) -> bool:
    """True if the last match or round is known in advance."""
    stage = Stage.objects.filter(tournament=event).order_by("-number").first()
    return stage is not None and (has_main_bracket(stage) or bool(ROUNDS.get(stage.options)))


def has_main_bracket(stage: Stage) -> bool:
    """True if a stage has a main bracket, which ends with a final."""
    return Pairing.objects.filter(stage=stage, bracket=MAIN).exists()
