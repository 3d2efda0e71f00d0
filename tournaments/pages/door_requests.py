"""Requests at the door of an event, and the members who may have made them."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from players.clubs import duplicates
from players.clubs.duplicates import MatchingMember
from players.models import Player, User
from tournaments.base import expectations
from tournaments.base.event_lines import format_player_name
from tournaments.base.event_view import EventView
from tournaments.models import DoorAnswer, DoorRequest, Entry, Tournament
from tournaments.play import openings
from tournaments.status import Status


@dataclass(frozen=True, slots=True)
class OpenDoorRequest:
    key: str
    name: str
    # "" for a name without a known player.
    player_key: str
    has_account: bool
    # The members with a name like this; True if they are in the event.
    maybe: tuple[tuple[MatchingMember, bool], ...]

    @property
    def late_query(self) -> str:
        return "?" + urlencode({"player_key": self.player_key} if self.player_key else {"name": self.name})


@dataclass(frozen=True, slots=True)
class Latecomer:
    """The request of a player who had entered, and was not there at the start."""

    # "open" or "away" (`DoorAnswer`); "" if no request counts.
    answer: str
    said: str


def list_open_requests(event: Tournament) -> tuple[OpenDoorRequest, ...]:
    requests = DoorRequest.objects.filter(tournament=event, answer=DoorAnswer.OPEN)
    rows = list(requests.order_by("asked_at", "pk"))
    if not rows:
        return ()
    inside = set(expectations.map_entry_players(event).values())
    alike = duplicates.find_matching_members(club=event.club, names=[row.name for row in rows])
    known = [row.player_key for row in rows if row.player_key]
    accounts = set(Player.objects.filter(key__in=known, user__isnull=False).values_list("key", flat=True))
    return tuple(
        OpenDoorRequest(
            row.key,
            row.name,
            row.player_key,
            row.player_key in accounts,
            tuple((each, each.key in inside) for each in alike[row.name] if each.key != row.player_key),
        )
        for row in rows
    )


def list_latecomer_places(view: EventView) -> list[tuple[str, str]]:
    """List the places for a latecomer, the best first, then the waiting list.

    Empty unless the event is running.
    """
    if view.event.status != Status.RUNNING or not view.parts:
        return []
    found = openings.list_choices(view, openings.list_openings(view.event))
    # Replacing a player who leaves is only possible on the page for late entries.
    ways = [(place, words) for place, words in found if place not in {openings.INSTEAD, openings.WAIT}]
    return [*ways, (openings.WAIT, _("On the waiting list"))]


def find_latecomer(event: Tournament, user: User) -> Latecomer | None:
    """Return the request of a player who had entered and was not there at the start.

    None for other users.
    """
    if event.status != Status.RUNNING:
        return None
    entry = _query_missing(event).filter(player__user=user)
    player_key = entry.values_list("player__key", flat=True).first()
    if player_key is None:
        return None
    row = find_request(event, key="", player_key=player_key)
    # A player who was let in and taken out since counts as without a request.
    if row is None or row.answer == DoorAnswer.IN:
        return Latecomer("", "")
    return Latecomer(row.answer, row.said)


def list_missing_players(event: Tournament) -> list[tuple[int, str]]:
    """List players who had entered, were not there at the start and have no open request, by name."""
    rows = _query_missing(event).select_related("player")
    requests = DoorRequest.objects.filter(tournament=event, answer=DoorAnswer.OPEN)
    waiting = set(requests.values_list("player_key", flat=True))
    people = [(row.number, format_player_name(row.player)) for row in rows if row.player.key not in waiting]
    return sorted(people, key=lambda one: one[1].casefold())


def _query_missing(event: Tournament) -> QuerySet[Entry]:
    """Query the entries that the draw left out: it withdraws them at the time at which it starts the event."""
    return Entry.objects.filter(tournament=event, withdrawn_at=F("tournament__started_at"), left="")


def find_request(event: Tournament, *, key: str, player_key: str) -> DoorRequest | None:
    """Return the latest request of a player, or that of a browser if *player_key* is ""."""
    rows = DoorRequest.objects.filter(tournament=event)
    mine = rows.filter(player_key=player_key) if player_key else rows.filter(key=key)
    return mine.order_by("-asked_at", "-pk").first()
