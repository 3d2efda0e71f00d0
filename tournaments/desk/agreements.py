"""Agreements with players of an event: players kept apart, and byes."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.base import formats
from tournaments.base.event_lines import format_player_name
from tournaments.desk.acts.event_acts import HALVES
from tournaments.models import Entry, Stage, Tournament
from tournaments.status import ADMITTING


@dataclass(frozen=True, slots=True)
class ApartLine:
    names: tuple[str, ...]
    members: str  # their numbers, as the form sends them back
    is_hard: bool
    why: str


@dataclass(frozen=True, slots=True)
class ByeLine:
    number: int
    name: str
    round: int
    worth: str


@dataclass(frozen=True, slots=True)
class Agreements:
    aparts: tuple[ApartLine, ...]
    byes: tuple[ByeLine, ...]
    people: tuple[tuple[int, str], ...]
    has_rounds: bool
    may_change: bool


def load_agreements(event: Tournament) -> Agreements:
    """Load the agreements, with two queries."""
    entries = Entry.objects.filter(tournament=event, withdrawn_at__isnull=True)
    rows = list(entries.select_related("player").order_by("number"))
    worth = dict(HALVES)
    names = {row.number: format_player_name(row.player) for row in rows}
    return Agreements(
        aparts=tuple(
            ApartLine(
                names=tuple(names[number] for number in one["members"] if number in names),
                members=",".join(map(str, one["members"])),
                is_hard=one.get("hard", True),
                why=one.get("why", ""),
            )
            for one in event.apart
        ),
        byes=tuple(
            ByeLine(row.number, names[row.number], number, worth.get(points, points))
            for row in rows
            for number, points in row.asked
        ),
        people=tuple(sorted(names.items(), key=lambda one: one[1].casefold())),
        has_rounds=has_rounds(event),
        may_change=event.status in ADMITTING,
    )


def has_rounds(event: Tournament) -> bool:
    """True if a stage of the event is paired round by round."""
    return Stage.objects.filter(tournament=event, format__in=formats.list_round_formats()).exists()
