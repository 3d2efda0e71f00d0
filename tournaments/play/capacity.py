"""How many players an event allows, by the formats of all its stages (`draw.limits`), and their numbers."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Max

from draw import limits
from draw.options import BadOption
from tournaments.base import event_rows
from tournaments.base.errors import BadPlan, EntryInUse, PlanTooLarge, TooManyPlayers
from tournaments.hooks import ENTRIES_IN_USE
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


def list_used_numbers(event: Tournament) -> set[int]:
    """Return the numbers of the entries about which other packages have rows, even if an entry is gone."""
    return {number for list_numbers in ENTRIES_IN_USE for number in list_numbers(event)}


def compute_next_number(event: Tournament) -> int:
    """Return the number of the next entry; a number to which a payment or a lot refers is not given again."""
    last = Entry.objects.filter(tournament=event).aggregate(last=Max("number"))["last"] or 0
    return max({last, *list_used_numbers(event)}) + 1


def require_unused(entry: Entry) -> None:
    """Require that an entry can be deleted: no other package has rows about it."""
    if entry.number in list_used_numbers(entry.tournament):
        raise EntryInUse(name=entry.player.public_name)
