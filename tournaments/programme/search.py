"""Search for players, clubs, events and matches that the viewer may see."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import F, Q, QuerySet
from django.urls import reverse

from matches.models import Match
from matches.state import rule_words
from matches.state.status import Status as MatchStatus
from players.access.permissions import list_clubs_where
from players.clubs import club_pages as clubs
from players.models import Club, Membership, User
from players.models.folded_names import COLUMN, build_name_order, split_query
from players.people import people
from players.people.people import PersonRow
from tournaments.base import event_lines, local_times
from tournaments.base.event_lines import EventLine
from tournaments.models import Entry, Pairing, PairingState, RoundStatus
from tournaments.status import Status

Viewer = User | AnonymousUser

MOST: Final = 6
# Matches are searched by their players; words that match more players than this are ignored.
MOST_PLAYERS: Final = 20


@dataclass(frozen=True, slots=True)
class MatchFound:
    """A match of an event, or one played outside events."""

    names: str
    url: str
    # "" until the match is over.
    score: str
    # The name of the event, "" for a match outside events.
    event: str
    day: str


@dataclass(frozen=True, slots=True)
class SearchResults:
    query: str = ""
    players: tuple[PersonRow, ...] = ()
    clubs: Sequence[Club] = ()
    events: tuple[EventLine, ...] = ()
    matches: tuple[MatchFound, ...] = ()
    has_more_players: bool = False
    has_more_clubs: bool = False

    @property
    def is_empty(self) -> bool:
        return not (self.players or self.clubs or self.events or self.matches)


def search_site(user: Viewer, query: str, *, now: datetime) -> SearchResults:
    """Search for the words of *query* in any order, ignoring case and accents."""
    words = split_query(query)
    if not words:
        return SearchResults(query)
    players = people.find_nearest_players(query=query, insider_of=_query_insider_clubs(user), most=MOST + 1)
    houses = clubs.find_nearest_clubs(query=query, most=MOST + 1)
    return SearchResults(
        query=query,
        players=players[:MOST],
        clubs=houses[:MOST],
        events=_find_events(user, query, words, now=now),
        matches=_find_matches(user, words),
        has_more_players=len(players) > MOST,
        has_more_clubs=len(houses) > MOST,
    )


def _find_events(user: Viewer, query: str, words: Iterable[str], *, now: datetime) -> tuple[EventLine, ...]:
    """Find events by name, place or club; the nearest name first, then the latest."""
    rows = event_lines.exclude_friendlies(event_lines.query_visible(user))
    for word in words:
        rows = rows.filter(_build_word_filter(word, "", "club__"))
    latest = rows.order_by(build_name_order(query), "-starts_at", "-pk")[:MOST]
    return event_lines.load_lines(latest, user, now=now)


def _find_matches(user: Viewer, words: tuple[str, ...]) -> tuple[MatchFound, ...]:
    """Find matches by player and event; matches in play first, then the latest."""
    known = _list_player_pks(user, words)
    if not known:
        return ()
    found = [*_list_event_matches(user, words, known), *_list_free_matches(user, words, known)]
    found.sort(key=lambda each: each[0], reverse=True)
    return tuple(match for _when, match in found[:MOST])


def _list_player_pks(user: Viewer, words: Iterable[str]) -> list[int]:
    """List the players found by the most selective word; empty if these are still too many."""
    insider_of = _query_insider_clubs(user)
    fewest: list[int] = []
    for word in words:
        rows = people.list_visible_players(query=word, insider_of=insider_of).order_by()
        found = list(rows.values_list("pk", flat=True)[: MOST_PLAYERS + 1])
        if found and (not fewest or len(found) < len(fewest)):
            fewest = found
    return fewest if len(fewest) <= MOST_PLAYERS else []


def _list_event_matches(
    user: Viewer, words: Iterable[str], players: list[int]
) -> list[tuple[tuple[bool, datetime], MatchFound]]:
    entries = list(Entry.objects.filter(player__in=players).values_list("pk", flat=True))
    rows = (
        Pairing.objects.filter(Q(a__in=entries) | Q(b__in=entries), a__isnull=False, b__isnull=False)
        .filter(
            state__in=(PairingState.READY, PairingState.DECIDED), opened_at__isnull=False, is_cancelled=False
        )
        .exclude(round__status=RoundStatus.DRAFT)
        .exclude(tournament__status=Status.DRAFT)
        .filter(_build_visibility_filter(user, "a__player__"), _build_visibility_filter(user, "b__player__"))
    )
    paths = ("a__player__", "b__player__", "tournament__", "tournament__club__")
    for word in words:
        rows = rows.filter(_build_word_filter(word, *paths))
    rows = rows.select_related("tournament__club", "a__player", "b__player")
    latest = rows.order_by(F("decided_at").desc(nulls_first=True), "-opened_at", "-pk")[:MOST]
    return [_build_event_match(row) for row in latest]


def _build_event_match(row: Pairing) -> tuple[tuple[bool, datetime], MatchFound]:
    event = row.tournament
    assert row.a is not None and row.b is not None and row.opened_at is not None  # noqa: S101, PT018 - filtered so
    has_score = row.decided_at is not None and row.score_a is not None and row.score_b is not None
    when = row.decided_at or row.opened_at
    match = MatchFound(
        names=f"{event_lines.format_player_name(row.a.player)} \u2013 {event_lines.format_player_name(row.b.player)}",
        url=reverse("tournaments:games", args=[event.key, row.key]),
        score=f"{row.score_a}\u2013{row.score_b}" if has_score else "",
        event=event.name,
        day=local_times.format_full_day(when, event.club.time_zone),
    )
    return (row.decided_at is None, when), match


def _list_free_matches(
    user: Viewer, words: Iterable[str], players: list[int]
) -> list[tuple[tuple[bool, datetime], MatchFound]]:
    own = Q(white__user=user) | Q(black__user=user) if user.is_authenticated else Q()
    rows = (
        Match.objects.filter(Q(white__in=players) | Q(black__in=players), pairing__isnull=True)
        .filter(Q(is_private=False) | own)
        .exclude(status=MatchStatus.VOID)
        .filter(_build_visibility_filter(user, "white__"), _build_visibility_filter(user, "black__"))
    )
    for word in words:
        rows = rows.filter(_build_word_filter(word, "white__", "black__"))
    found = rows.select_related("white", "black", "club").order_by("-moved_at", "-pk")
    return [_build_free_match(row) for row in found[:MOST]]


def _build_free_match(row: Match) -> tuple[tuple[bool, datetime], MatchFound]:
    is_over = row.status == MatchStatus.FINISHED
    score = rule_words.cap_score((row.white_score, row.black_score), row.length)
    match = MatchFound(
        names=f"{event_lines.format_player_name(row.white)} \u2013 {event_lines.format_player_name(row.black)}",
        url=reverse("matches:match", args=[row.key]),
        score=f"{score[0]}\u2013{score[1]}" if is_over else "",
        event="",
        day=local_times.format_full_day(row.moved_at, row.club.time_zone if row.club else "UTC"),
    )
    return (not is_over, row.moved_at), match


def _build_visibility_filter(user: Viewer, path: str) -> Q:
    """Build a filter that excludes players hidden from this viewer.

    A match with them would reveal where they play.
    """
    seen = Q(**{f"{path}hidden_from_search": False})
    if user.is_authenticated:
        shared = Membership.objects.filter(club__in=_query_insider_clubs(user)).values("player")
        seen |= Q(**{f"{path}user": user}) | Q(**{f"{path}pk__in": shared})
    return seen


def _build_word_filter(word: str, *paths: str) -> Q:
    found = Q()
    for path in paths:
        found |= Q(**{f"{path}{COLUMN}__contains": word})
    return found


def _query_insider_clubs(user: Viewer) -> QuerySet[Any]:
    return list_clubs_where(user, "players.find_hidden")
