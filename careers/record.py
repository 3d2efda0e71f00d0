"""A player's record: statistics over all matches they have finished in events.

Computed from the current results; nothing is stored, so a correction or an undo needs no update.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from careers import figures, meetings
from careers.figures import Achievement, Balance, Finish, MatchLength, PlayedMatch, Run, Tally
from careers.meetings import EventTally, Opponent
from players.models import Club, Player, User
from players.names import build_initials
from tournaments.base import event_lines, local_times
from tournaments.base.event_lines import format_player_name
from tournaments.models import Entry, Pairing, PairingState, RoundStatus, Tournament
from tournaments.status import Status

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

# The numbers of opponents, events, titles and coming matches listed on the page.
OPPONENTS: Final = 20
EVENTS: Final = 10
TITLES: Final = 10
COMING: Final = 8
# What each achievement is called, by its code.
ACHIEVEMENTS: Final[Mapping[str, StrPromise]] = {
    "first": _("First match won"),
    "matches": _("%(number)s matches played"),
    "run": _("%(number)s wins in a row"),
    "length": _("Won a match to %(number)s points or more"),
    "opponents": _("Met %(number)s different opponents"),
    "comeback": _("Won after %(number)s losses in a row to the same opponent"),
    "title": _("Won an event of %(number)s players or more"),
    "unbeaten": _("Won an event with %(number)s matches and lost none"),
}


@dataclass(frozen=True, slots=True)
class Title:
    key: str
    name: str
    day: str
    at: datetime
    field: int


@dataclass(frozen=True, slots=True)
class Streak:
    matches: int
    won: bool
    since: str
    until: str
    first_at: datetime
    last_at: datetime


@dataclass(frozen=True, slots=True)
class EarnedAchievement:
    code: str
    figure: int
    title: str
    at: datetime
    day: str
    # "" for an event as a whole, or if the opponent is hidden.
    opponent: str
    event: str
    event_key: str
    # The key of its board; "" if there is none or it is private.
    board: str


@dataclass(frozen=True, slots=True)
class Upcoming:
    """A match to be played, or an event to come without an opponent yet."""

    # "" if there is none, or they are hidden.
    opponent: str
    is_match: bool
    event: str
    event_key: str
    day: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Record:
    key: str
    name: str
    url: str
    total: Tally
    # The current run, and the longest of each kind.
    current: Streak | None
    longest_won: Streak | None
    longest_lost: Streak | None
    opponents: tuple[Opponent, ...]
    # The number of opponents, hidden ones included.
    met: int
    nemesis: Opponent | None
    favourite: Opponent | None
    by_length: tuple[tuple[MatchLength, Tally], ...]
    by_year: tuple[tuple[int, Tally], ...]
    by_event: tuple[EventTally, ...]
    events: int
    titles: tuple[Title, ...]
    titles_in_all: int
    achievements: tuple[EarnedAchievement, ...]
    coming: tuple[Upcoming, ...]

    @property
    def initials(self) -> str:
        return build_initials(self.name)


def load_record(
    player: Player, viewer: User | AnonymousUser, *, now: datetime, opponents: int = OPPONENTS
) -> Record | None:
    """Load a player's record; None if it is hidden from the viewer, or the player was erased.

    A hidden player's record is visible to themselves, and to directors for events of their clubs.
    """
    clubs = meetings.list_visible_clubs(player, viewer)
    if player.erased_at is not None:
        return None
    matches, finishes = list_played(player, clubs), list_finished(player, clubs)
    if clubs is not None and not (matches or finishes):
        return None
    found = figures.list_runs(matches)
    rivals = figures.rank_opponents(matches)
    people = Player.objects.in_bulk({rival.opponent for rival in rivals})

    def build_opponent(rival: Balance) -> Opponent:
        return Opponent(meetings.build_rival(people[rival.opponent]), rival.tally)

    named = [rival for rival in rivals if meetings.is_named(people[rival.opponent])]
    nemesis, favourite = figures.find_nemesis(named), figures.find_favourite(named)
    reached = figures.list_achievements(matches, finishes)
    last_events = figures.group_results(reversed(matches), lambda each: each.event)
    titles = [each for each in reversed(finishes) if each.place == 1]
    event_ids = {
        *(each.event for each in titles[:TITLES]),
        *(each.event for each in reached),
        *list(last_events)[:EVENTS],
    }
    events = Tournament.objects.filter(pk__in=event_ids).select_related("club").in_bulk()
    return Record(
        key=player.key,
        name=format_player_name(player),
        url=player.get_absolute_url(),
        total=figures.count_results(matches),
        current=_build_streak(found[-1] if found else None),
        longest_won=_build_streak(figures.find_longest_run(found, won=True)),
        longest_lost=_build_streak(figures.find_longest_run(found, won=False)),
        opponents=tuple(map(build_opponent, named[:opponents])),
        met=len(rivals),
        nemesis=build_opponent(nemesis) if nemesis else None,
        favourite=build_opponent(favourite) if favourite else None,
        by_length=figures.count_by_length(matches),
        by_year=figures.count_by_year(matches),
        by_event=tuple(
            meetings.build_event_tally(events[pk], tally) for pk, tally in list(last_events.items())[:EVENTS]
        ),
        events=len(last_events),
        titles=tuple(_build_title(each, events) for each in titles[:TITLES]),
        titles_in_all=len(titles),
        achievements=tuple(_list_earned(reached, events, matches, people)),
        coming=tuple(_list_upcoming(player, clubs, now=now)),
    )


def list_played(player: Player, clubs: QuerySet[Club] | None = None) -> list[PlayedMatch]:
    """Return a player's finished matches, the oldest first, optionally only in the events of these clubs."""
    return meetings.list_sides(meetings.query_played(player, clubs).order_by("decided_at", "pk"), player)


def list_finished(player: Player, clubs: QuerySet[Club] | None = None) -> list[Finish]:
    """Return a player's finished events, the oldest first, without friendlies."""
    rows = meetings.query_finished(player, clubs).annotate(
        at=Coalesce("tournament__finished_at", "tournament__starts_at"),
        zone=F("tournament__club__time_zone"),
        field=meetings.query_field(),
    )
    rows_of_events = rows.order_by("at", "tournament").values_list(
        "tournament_id", "at", "zone", "place", "field"
    )
    return [Finish(*row) for row in rows_of_events]


def _build_streak(run: Run | None) -> Streak | None:
    if run is None:
        return None
    since, until = (local_times.format_full_day(each.at, each.zone) for each in (run.first, run.last))
    return Streak(run.matches, run.won, since, until, run.first.at, run.last.at)


def _build_title(finish: Finish, events: dict[int, Tournament]) -> Title:
    event = events[finish.event]
    return Title(
        event.key, event.name, local_times.format_full_day(finish.at, finish.zone), finish.at, finish.field
    )


def _list_earned(
    reached: Sequence[Achievement],
    events: dict[int, Tournament],
    matches: Sequence[PlayedMatch],
    people: dict[int, Player],
) -> Iterator[EarnedAchievement]:
    wanted = {each.match for each in reached}
    by_pk = {each.pk: each for each in matches if each.pk in wanted}
    boards = dict(
        Pairing.objects.filter(pk__in=by_pk, match__is_private=False).values_list("pk", "match__key")
    )
    for each in reached:
        event = events[each.event]
        opponent = people[by_pk[each.match].opponent] if each.match else None
        board = boards.get(each.match) if each.match else None
        yield EarnedAchievement(
            code=each.code,
            figure=each.figure,
            title=ACHIEVEMENTS[each.code] % {"number": each.figure},
            at=each.at,
            day=local_times.format_full_day(each.at, each.zone),
            opponent=format_player_name(opponent) if opponent and meetings.is_named(opponent) else "",
            event=event.name,
            event_key=event.key,
            board=board or "",
        )


def _list_upcoming(player: Player, clubs: QuerySet[Club] | None, *, now: datetime) -> Iterator[Upcoming]:
    """Yield the open matches, and the events to come in which the player has a place."""
    entries = Entry.objects.filter(player=player)
    if clubs is not None:
        entries = entries.filter(tournament__club__in=clubs)
    own = set(entries.values_list("pk", flat=True))
    rows = Pairing.objects.filter(
        Q(a__in=own) | Q(b__in=own),
        state=PairingState.READY,
        opened_at__isnull=False,
        round__status=RoundStatus.PUBLISHED,
        tournament__status=Status.RUNNING,
        a__isnull=False,
        b__isnull=False,
    ).select_related("a__player", "b__player", "tournament__club")
    for row in rows.order_by(F("deadline_at").asc(nulls_last=True), "opened_at", "pk")[:COMING]:
        side = row.b if row.a_id in own else row.a
        zone = row.tournament.club.time_zone
        yield Upcoming(
            opponent=format_player_name(side.player) if side and meetings.is_named(side.player) else "",
            is_match=True,
            event=row.tournament.name,
            event_key=row.tournament.key,
            day=local_times.format_full_day(row.deadline_at, zone) if row.deadline_at else "",
            at=row.deadline_at,
        )
    entered = Tournament.objects.filter(
        entries__in=own,
        entries__withdrawn_at__isnull=True,
        entries__waits=False,
        status=Status.PUBLISHED,
        starts_at__gte=now - event_lines.LINGERS,
    ).select_related("club")
    for event in entered.order_by("starts_at", "pk")[:COMING]:
        day = local_times.format_full_day(event.starts_at, event.club.time_zone)
        yield Upcoming("", False, event.name, event.key, day, event.starts_at)
