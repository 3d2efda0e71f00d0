"""How much has been played at a club."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from draw.event import Kind
from tournaments.models import Pairing, Stand, Tournament
from tournaments.status import Status

if TYPE_CHECKING:
    from players.models import Club

# What was decided without playing is no match that was played.
PLAYED: Final = (Kind.PLAYED.value, Kind.DRAWN.value)


@dataclass(frozen=True, slots=True)
class ClubFigures:
    """What a club's events have come to."""

    events: int
    matches: int


def of(club: Club) -> ClubFigures:
    """Count the events that are over, and the matches that were played in these and in those that are running."""
    events = Tournament.objects.filter(club=club, is_friendly=False)
    matches = Pairing.objects.filter(
        tournament__club=club,
        tournament__status__in=(Status.RUNNING, Status.FINISHED),
        state=Stand.DECIDED,
        kind__in=PLAYED,
        is_cancelled=False,
    )
    return ClubFigures(events.filter(status=Status.FINISHED).count(), matches.count())
