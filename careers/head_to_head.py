"""The record of two players against each other in events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.core.paginator import Paginator
from django.db.models import Q
from django.utils.formats import date_format

from careers import figures, meetings
from careers.figures import MatchLength, PlayedMatch, Tally
from careers.meetings import EventTally, Rival
from players.access.requests import PAGE_SIZE, Page
from players.models import Player, User
from tournaments.base import local_times, substitutes
from tournaments.models import Tournament

# The number of recent events that are listed.
EVENTS: Final = 10
DETAILS: Final = (
    "pk", "a_id", "winner_id", "score_a", "score_b", "tournament__name", "tournament__key", "match__key",
    "match__is_private",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RivalMatch:
    at: datetime
    day: str
    won: bool
    # The first player's points first; "" if only the winner is recorded.
    score: str
    length: int
    # The number of games if only games count, else 0.
    best_of: int
    event: str
    event_key: str
    # The key of its board; "" if there is none or it is private.
    board: str


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """The record of two players, from the side of the first."""

    one: Rival
    other: Rival
    total: Tally
    # The current run of wins, and the player who won the last matches.
    streak: int
    streak_of: Rival
    by_length: tuple[tuple[MatchLength, Tally], ...]
    by_year: tuple[tuple[int, Tally], ...]
    by_event: tuple[EventTally, ...]
    events: int
    page: Page[RivalMatch]


@dataclass(frozen=True, slots=True)
class HeadToHeadLink:
    one: Rival
    other: Rival
    total: Tally


def load_head_to_head(
    one: Player, other: Player, viewer: User | AnonymousUser, *, number: int = 1
) -> HeadToHead | None:
    """Load the record of two players; None if the viewer may not see it.

    The same player twice, and erased players, have none.
    """
    met = _list_visible(one, other, viewer)
    if met is None:
        return None
    rivals = meetings.build_rival(one), meetings.build_rival(other)
    run = takewhile(lambda each: each.won == met[0].won, met)
    by_event = figures.group_results(met, lambda each: each.event)
    last = list(by_event)[:EVENTS]
    events = Tournament.objects.filter(pk__in=last).select_related("club").in_bulk()
    return HeadToHead(
        one=rivals[0],
        other=rivals[1],
        total=figures.count_results(met),
        streak=sum(1 for _ in run),
        streak_of=rivals[0] if met and met[0].won else rivals[1],
        by_length=figures.count_by_length(met),
        by_year=figures.count_by_year(met),
        by_event=tuple(meetings.build_event_tally(events[pk], by_event[pk]) for pk in last),
        events=len(by_event),
        page=_build_page(met, number),
    )


def load_link(one: Player, other: Player, viewer: User | AnonymousUser) -> HeadToHeadLink | None:
    """Load the tally of two players; None if they have not met or the viewer may not see it."""
    met = _list_visible(one, other, viewer)
    if not met:
        return None
    return HeadToHeadLink(meetings.build_rival(one), meetings.build_rival(other), figures.count_results(met))


def _list_visible(one: Player, other: Player, viewer: User | AnonymousUser) -> list[PlayedMatch] | None:
    """List the matches of the two, the latest first; None if the viewer may not look them up.

    Players hidden from searches are visible to themselves, and to directors for matches in their clubs.
    """
    if one == other or one.erased_at or other.erased_at:
        return None
    met = _list_matches(one, other)
    limits = [
        clubs for each in (one, other) if (clubs := meetings.list_visible_clubs(each, viewer)) is not None
    ]
    for clubs in limits:
        seen = set(Tournament.objects.filter(club__in=clubs).values_list("pk", flat=True))
        met = [each for each in met if each.event in seen]
    return None if limits and not met else met


def _list_matches(one: Player, other: Player) -> list[PlayedMatch]:
    replaced = substitutes.load_replacements_around([one.pk, other.pk])
    own, theirs = (substitutes.list_entries([each.pk], replaced).values("pk") for each in (one, other))
    rows = substitutes.annotate_players(
        meetings.list_decided(Q(a__in=own, b__in=theirs) | Q(a__in=theirs, b__in=own)), replaced
    ).filter(Q(player_a=one.pk, player_b=other.pk) | Q(player_a=other.pk, player_b=one.pk))
    return meetings.list_sides(rows, one)


def _build_page(met: Sequence[PlayedMatch], number: int) -> Page[RivalMatch]:
    page = Paginator(met, PAGE_SIZE).get_page(max(1, number))
    decided = meetings.list_decided(Q(pk__in=[each.pk for each in page]))
    rows = {row["pk"]: row for row in decided.values(*DETAILS)}
    found = tuple(_build_match(each, rows[each.pk]) for each in page)
    return Page(found, len(met), page.number, page.paginator.num_pages)


def _build_match(met: PlayedMatch, row: dict[str, Any]) -> RivalMatch:
    is_a = met.won == (row["winner_id"] == row["a_id"])
    points = (row["score_a"], row["score_b"]) if is_a else (row["score_b"], row["score_a"])
    return RivalMatch(
        at=met.at,
        day=date_format(local_times.convert_to_local(met.at, met.zone).date(), "DATE_FORMAT"),
        won=met.won,
        score="" if None in points else f"{points[0]}\u2013{points[1]}",
        length=met.length,
        best_of=met.best_of,
        event=row["tournament__name"],
        event_key=row["tournament__key"],
        board=row["match__key"] if row["match__is_private"] is False else "",
    )
