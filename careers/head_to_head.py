"""The record of two players against each other in events."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.db.models import Q
from django.utils.formats import date_format

from careers import figures, meetings
from players.access.paging import PAGE_SIZE, Page
from players.names import build_initials
from tournaments.base import local_times, substitutes
from tournaments.base.event_lines import format_player_name
from tournaments.models import Tournament

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.contrib.auth.models import AnonymousUser

    from careers.figures import MatchLength, Tally
    from players.models import Player, User

    Someone = User | AnonymousUser

# The number of recent events that are listed.
EVENTS: Final = 10
DETAILS: Final = (
    "pk", "length", "decided_at", "score_a", "score_b", "tournament__name", "tournament__key",
    "tournament__club__time_zone", "match__key", "match__is_private", "rules__play__best_of",
)  # fmt: skip


class CountedMatch(NamedTuple):
    """The columns of a match that are counted."""

    pk: int
    at: datetime
    length: int
    event: int
    zone: str
    # True if the first player was on side a; True if they won.
    is_a: bool
    won: bool
    # The number of games if only games count, else 0.
    best_of: int


@dataclass(frozen=True, slots=True)
class EventTally:
    """The tally of one event."""

    name: str
    key: str
    day: str
    tally: Tally


@dataclass(frozen=True, slots=True)
class RivalMatch:
    """One match of the two players."""

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
class Rival:
    """One of the two players."""

    key: str
    name: str
    url: str

    @property
    def initials(self) -> str:
        return build_initials(self.name)


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """The record of two players, from the side of the first."""

    one: Rival
    other: Rival
    total: Tally
    # The current run of wins, and True if it is the first player's.
    streak: int
    is_streak_of_one: bool
    by_length: tuple[tuple[MatchLength, Tally], ...]
    by_year: tuple[tuple[int, Tally], ...]
    by_event: tuple[EventTally, ...]
    events: int
    page: Page[RivalMatch]

    @property
    def on_streak(self) -> str:
        """The name of the player who won the last matches."""
        return (self.one if self.is_streak_of_one else self.other).name


@dataclass(frozen=True, slots=True)
class HeadToHeadLink:
    """The tally of two players, for a link on other pages."""

    one: Rival
    other: Rival
    total: Tally


def load_head_to_head(one: Player, other: Player, viewer: Someone, *, number: int = 1) -> HeadToHead | None:
    """Load the record of two players; None if the viewer may not see it.

    The same player twice, and erased players, have none.
    """
    met = _list_visible(one, other, viewer)
    return None if met is None else _build_record(one, other, met, number)


def load_link(one: Player, other: Player, viewer: Someone) -> HeadToHeadLink | None:
    """Load the tally of two players; None if they have not met or the viewer may not see it."""
    met = _list_visible(one, other, viewer)
    return HeadToHeadLink(_build_rival(one), _build_rival(other), figures.count_results(met)) if met else None


def _list_visible(one: Player, other: Player, viewer: Someone) -> list[CountedMatch] | None:
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


def _list_matches(one: Player, other: Player) -> list[CountedMatch]:
    replaced = substitutes.load_replacements_around([one.pk, other.pk])
    own, theirs = (substitutes.list_entries([each.pk], replaced).values("pk") for each in (one, other))
    rows = substitutes.annotate_players(
        meetings.list_decided(Q(a__in=own, b__in=theirs) | Q(a__in=theirs, b__in=own)), replaced
    ).filter(Q(player_a=one.pk, player_b=other.pk) | Q(player_a=other.pk, player_b=one.pk))
    told = rows.values_list(
        *("pk", "decided_at", "length", "tournament_id", "tournament__club__time_zone"),
        *("a_id", "winner_id", "player_a", "rules__play__best_of"),
    )
    return [
        CountedMatch(
            *(pk, at, length, event, zone),
            player == one.pk,
            (winner == a) == (player == one.pk),
            best_of or 0,
        )
        for pk, at, length, event, zone, a, winner, player, best_of in told
    ]


def _build_record(one: Player, other: Player, met: Sequence[CountedMatch], number: int) -> HeadToHead:
    total = figures.count_results(met)
    run = takewhile(lambda each: each.won == met[0].won, met)
    by_event = figures.group_results(met, lambda each: each.event)
    return HeadToHead(
        one=_build_rival(one),
        other=_build_rival(other),
        total=total,
        streak=sum(1 for _ in run),
        is_streak_of_one=bool(met) and met[0].won,
        by_length=figures.count_by_length(met),
        by_year=tuple(
            figures.group_results(
                met, lambda each: local_times.convert_to_local(each.at, each.zone).year
            ).items()
        ),
        by_event=_list_event_tallies(by_event),
        events=len(by_event),
        page=_build_page(met, number),
    )


def _build_rival(player: Player) -> Rival:
    return Rival(player.key, format_player_name(player), player.get_absolute_url())


def _list_event_tallies(by_event: dict[int, Tally]) -> tuple[EventTally, ...]:
    last = list(by_event)[:EVENTS]
    rows = Tournament.objects.filter(pk__in=last).select_related("club").in_bulk()
    return tuple(
        EventTally(
            rows[pk].name,
            rows[pk].key,
            local_times.format_full_day(rows[pk].starts_at, rows[pk].club.time_zone),
            by_event[pk],
        )
        for pk in last
    )


def _build_page(met: Sequence[CountedMatch], number: int) -> Page[RivalMatch]:
    pages = max(1, -(-len(met) // PAGE_SIZE))
    number = min(max(1, number), pages)
    some = met[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]
    rows = {
        row["pk"]: row for row in meetings.list_decided(Q(pk__in=[each.pk for each in some])).values(*DETAILS)
    }
    return Page(tuple(_build_match(each, rows[each.pk]) for each in some), len(met), number, pages)


def _build_match(met: CountedMatch, row: dict[str, Any]) -> RivalMatch:
    points = (row["score_a"], row["score_b"]) if met.is_a else (row["score_b"], row["score_a"])
    return RivalMatch(
        at=met.at,
        day=date_format(local_times.convert_to_local(met.at, met.zone).date(), "DATE_FORMAT"),
        won=met.won,
        score="" if None in points else f"{points[0]}\u2013{points[1]}",
        length=row["length"],
        best_of=row["rules__play__best_of"] or 0,
        event=row["tournament__name"],
        event_key=row["tournament__key"],
        board=row["match__key"] if row["match__is_private"] is False else "",
    )
