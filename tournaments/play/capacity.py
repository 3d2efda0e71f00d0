"""How many an event can be worked out for: its format, and all of its stages together (`draw.limits`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draw import limits
from draw.options import BadOption
from tournaments.base import event_rows
from tournaments.base.errors import BadPlan, PlanTooLarge, TooManyPlayers
from tournaments.models import LARGEST_CAPACITY, Entry, Stage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.models import Tournament

FEW = 2


def most_players(event: Tournament, stages: Sequence[Stage] | None = None) -> int:
    """Return how many may play; *stages* are those it is to have, without them those it has.

    :raises BadPlan: a stage has an option that its format does not know, or cannot use.
    """
    rows = list(Stage.objects.filter(tournament=event).order_by("number")) if stages is None else stages
    if not rows:
        return LARGEST_CAPACITY
    try:
        return limits.find_most_entrants(tuple(event_rows.stage_of(event, row) for row in rows))
    except BadOption as problem:
        raise BadPlan(problem=str(problem)) from problem


def require_players(event: Tournament, players: int, stages: Sequence[Stage]) -> None:
    """Let so many play in these stages.

    :raises TooManyPlayers: the event cannot be worked out for them.
    """
    if players > (most := most_players(event, stages)):
        raise TooManyPlayers(most=most, players=players)


def require_plan(event: Tournament, stages: Sequence[Stage]) -> None:
    """Let stages pass that whoever has entered can play.

    :raises PlanTooLarge: nobody could play them.
    :raises TooManyPlayers: more have entered.
    """
    if (most := most_players(event, stages)) < FEW:
        raise PlanTooLarge
    if (players := entered(event)) > most:
        raise TooManyPlayers(most=most, players=players)


def entered(event: Tournament) -> int:
    """Count those who are in; those who wait for a place are not."""
    return Entry.objects.filter(tournament=event, withdrawn_at__isnull=True, waits=False).count()


def excess(event: Tournament) -> int:
    """Return by how many an event is too large: one from before there were limits goes on, and does not grow."""
    return max(0, entered(event) - most_players(event))
