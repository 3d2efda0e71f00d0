"""A player's finished events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import OuterRef

from careers import meetings
from careers.meetings import Meetings
from draw.event import format_places
from players.models import Player, User
from tournaments.base import labels, local_times
from tournaments.base.event_lines import format_player_name
from tournaments.models import Entry
from tournaments.pages.event_page_data import MEDALS
from tournaments.status import Status

LIMIT: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class EventResult:
    event: str
    url: str
    club_name: str
    day: str
    place: int | None
    field: int
    format_label: str
    # The number of players sharing the place.
    holders: int = 1

    @property
    def medal(self) -> str:
        return MEDALS.get(self.place or 0, "")

    @property
    def places(self) -> str:
        """The place, formatted as "3–4" if it is shared."""  # noqa: RUF002
        return format_places(self.place, self.holders) if self.place else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerResults:
    key: str
    name: str
    url: str
    results: tuple[EventResult, ...]
    # Of all events, listed or not.
    played: int
    wins: int
    podiums: int
    met: Meetings
    # True if the viewer sees only the events of some clubs: of a player who is hidden from search, or has left.
    is_partial: bool
    has_record: bool


def load_results(player: Player, viewer: User | AnonymousUser, *, limit: int = LIMIT) -> PlayerResults:
    """Load a player's finished events, as far as the viewer may see them."""
    clubs = meetings.list_visible_clubs(player, viewer)
    rows = (
        meetings.query_finished(player, clubs)
        .select_related("tournament__club")
        .annotate(field=meetings.query_field(), holders=meetings.query_field(place=OuterRef("place")))
        .order_by("-tournament__starts_at", "-pk")
    )
    places = list(rows.order_by().values_list("place", flat=True))
    return PlayerResults(
        key=player.key,
        name=format_player_name(player),
        url=player.get_absolute_url(),
        results=tuple(
            EventResult(
                event=row.tournament.name,
                url=row.tournament.get_absolute_url(),
                club_name=row.tournament.club.name,
                day=local_times.format_full_day(row.tournament.starts_at, row.tournament.club.time_zone),
                place=row.place,
                field=row.field,
                holders=row.holders or 1,
                format_label=labels.describe_format(row.tournament.format_label, row.tournament.played_as),
            )
            for row in rows[:limit]
        ),
        played=len(places),
        wins=places.count(1),
        podiums=sum(place in MEDALS for place in places),
        met=meetings.load_meetings(player, clubs=clubs),
        is_partial=clubs is not None,
        has_record=player.erased_at is None,
    )


def export_entries(player: Player) -> list[dict[str, object]]:
    rows = Entry.objects.filter(player=player).select_related("tournament__club").order_by("entered_at", "pk")
    return [
        {
            "uid": str(row.uid),
            "event_uid": str(row.tournament.uid),
            "event": row.tournament.name,
            "club": row.tournament.club.name,
            "starts_at": row.tournament.starts_at.isoformat(),
            "status": row.tournament.status,
            "entered_at": row.entered_at.isoformat(),
            "withdrawn_at": row.withdrawn_at.isoformat() if row.withdrawn_at else None,
            "place": row.place if row.tournament.status == Status.FINISHED else None,
        }
        for row in rows
    ]
