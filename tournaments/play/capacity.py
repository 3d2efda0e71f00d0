"""The number of players that an event allows, by the formats of all its stages together (`draw.limits`)."""

from __future__ import annotations

from collections.abc import Sequence

from draw import limits
from draw.options import BadOption
from tournaments.base import event_rows
from tournaments.base.errors import BadPlan, PlanTooLarge, TooManyPlayers
from tournaments.models import LARGEST_CAPACITY, Entry, Stage, Tournament

FEW = 2


def find_most_players(event: Tournament, stages: Sequence[Stage] | None = None) -> int:
    """Return the most players allowed by *stages*, or by the event's own stages if None.

    :raises BadPlan: a stage has an option that is unknown or invalid for its format.
    """
    rows = list(Stage.objects.filter(tournament=event).order_by("number")) if stages is None else stages
    if not rows:
        return LARGEST_CAPACITY
    try:
        return limits.find_most_entrants(tuple(event_rows.build_stage(event, row) for row in rows))
    except BadOption as problem:
        raise BadPlan(problem=str(problem)) from problem


def require_players(event: Tournament, players: int, stages: Sequence[Stage]) -> None:
    if players > (most := find_most_players(event, stages)):
        raise TooManyPlayers(most=most, players=players)


def require_plan(event: Tournament, stages: Sequence[Stage]) -> None:
    """Require that these stages can be played by the current entries.

    :raises PlanTooLarge: no number of players could play them.
    :raises TooManyPlayers: more players have entered than the stages allow.
    """
    if (most := find_most_players(event, stages)) < FEW:
        raise PlanTooLarge
    if (players := count_entered(event)) > most:
        raise TooManyPlayers(most=most, players=players)


def count_entered(event: Tournament) -> int:
    """Count the entries without those on the waiting list."""
    return Entry.objects.filter(tournament=event, withdrawn_at__isnull=True, waits=False).count()


def count_excess(event: Tournament) -> int:
    """Return the number of entries above the limit; events older than the limits may have some."""
    return max(0, count_entered(event) - find_most_players(event))
