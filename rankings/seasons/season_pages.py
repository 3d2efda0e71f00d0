"""Seasons for pages: tables and rules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Prefetch, QuerySet
from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext

from players.access import requests
from players.models import Club, User
from rankings.formulas.season import AVERAGE, MASTER, TABLE, season_rules
from rankings.models import Season, SeasonPoints, SeasonStanding
from runtime.rows import hash_values
from tournaments.base import local_times


class SeasonLine(NamedTuple):
    """A player in a season's table, with their results."""

    row: SeasonStanding
    results: list[SeasonPoints]
    is_me: bool


class SeasonExample(NamedTuple):
    """The points of the first player of the last event, as an example of the rules."""

    row: SeasonPoints
    attendance: Fraction | int
    # 0 if matches do not count.
    for_matches: Fraction


@dataclass(frozen=True, slots=True)
class SeasonPage:
    season: Season
    is_over: bool
    events: int
    page: requests.Page[SeasonLine]
    rules: tuple[str, ...]
    example: SeasonExample | None
    has_divisions: bool


@dataclass(frozen=True, slots=True)
class SeasonLink:
    season: Season
    is_over: bool
    # The winners, or the leaders while the season lasts.
    first: tuple[SeasonStanding, ...]


def format_plain_points(points: Decimal | Fraction | int) -> str:
    """Format points for programs, without trailing zeros.

    >>> from fractions import Fraction
    >>> format_plain_points(Fraction("7.50")), format_plain_points(Fraction("11.00")), format_plain_points(10)
    ('7.5', '11', '10')
    """
    return f"{float(points):.2f}".rstrip("0").rstrip(".")


def format_points(points: Decimal | Fraction | int) -> str:
    """Format points in the reader's language, without trailing zeros: "7.5", in German "7,5"."""
    return number_format(format_plain_points(points))


def get_today(club: Club, now: datetime) -> date:
    """Return the current day in the club's time zone."""
    return local_times.convert_to_local(now, club.time_zone).date()


def compute_version_key(season: Season) -> str:
    """Return the version key of the settings shown to a director."""
    return hash_values(season.name, season.from_day, season.to_day, season.series, season.rules)


def list_seasons(club: Club, *, now: datetime) -> tuple[SeasonLink, ...]:
    """Return a club's seasons, the latest first, each with its leaders or winners."""
    firsts = SeasonStanding.objects.filter(place=1, points__gt=0).select_related("player").order_by("player")
    rows = Season.objects.filter(club=club).order_by("-from_day", "-pk")
    day = get_today(club, now)
    return tuple(
        SeasonLink(season, season.to_day < day, tuple(season.standings.all()))
        for season in rows.prefetch_related(Prefetch("standings", firsts))
    )


def list_standings(season: Season) -> QuerySet[SeasonStanding]:
    """Return a season's table in order; ties are sorted by name."""
    rows = SeasonStanding.objects.filter(season=season).select_related("player")
    return rows.order_by("place", "player__folded_name", "player")


def list_results(season: Season) -> QuerySet[SeasonPoints]:
    """Return all results of a season, in the order of the events."""
    rows = SeasonPoints.objects.filter(season=season).select_related("event", "player")
    return rows.order_by("event__starts_at", "event", "-points", "player")


def load_season_page(
    season: Season, viewer: User | AnonymousUser, *, number: int, now: datetime
) -> SeasonPage:
    mine = viewer.player.pk if viewer.is_authenticated else None
    rows = requests.paginate(list_standings(season), number, lambda row: row)
    results_of: dict[int, list[SeasonPoints]] = defaultdict(list)
    for result in list_results(season).filter(player__in=[row.player_id for row in rows.rows]):
        results_of[result.player_id].append(result)
    page = requests.Page(
        tuple(SeasonLine(row, results_of[row.player_id], row.player_id == mine) for row in rows.rows),
        *(rows.total, rows.number, rows.pages),
    )
    events = SeasonPoints.objects.filter(season=season).values("event").distinct().count()
    is_over = season.to_day < get_today(season.club, now)
    has_divisions = season.divisions.exists()
    words = tuple(describe_rules(season))
    return SeasonPage(season, is_over, events, page, words, _find_example(season), has_divisions)


def describe_rules(season: Season) -> Iterator[str]:
    """Describe the rules of a season's points, one sentence at a time."""
    rules = season_rules(season.rules)
    if rules.scheme == MASTER:
        yield gettext(
            "Master points. A match won gives the square root of its length, divided by 3: 0.88 for 7 points, 1.11 for 11."
        )
        yield gettext(
            "A place gives 0.6 times log2 of the number of players, times 1 for the first, 0.7 for the second and "
            "1 / (place - 1) from the third on: of 16 players 2.4, 1.68 and 1.2."
        )
    elif rules.places:
        yield gettext("Points from first place down: %(points)s.") % {
            "points": ", ".join(format_points(points) for points in rules.places)
        }
    if rules.by_field and rules.scheme == TABLE:
        yield gettext("They are multiplied by the number of players.")
    if rules.attendance:
        yield gettext("Points for taking part: %(points)s.") % {"points": format_points(rules.attendance)}
    yield (
        gettext("Players who share a place get the average of the places they share.")
        if rules.sharing == AVERAGE
        else gettext("Players who share a place each get the points of the higher place.")
    )
    if rules.best:
        yield ngettext(
            "Only the best event of each player counts.",
            "The best %(events)s events of each player count.",
            rules.best,
        ) % {"events": rules.best}
    else:
        yield gettext("Every event counts.")
    if rules.decay:
        yield gettext(
            "Points lose %(percent)s per cent with each month between their event and the last one of the season."
        ) % {"percent": rules.decay}
    yield gettext("Players with the same points share the place.")


def _find_example(season: Season) -> SeasonExample | None:
    rows = SeasonPoints.objects.filter(season=season, place__isnull=False).select_related("player", "event")
    row = rows.order_by("-event__starts_at", "-event", "place", "player").first()
    if row is None:
        return None
    attendance = season_rules(season.rules).attendance
    for_matches = Fraction(row.earned) - Fraction(row.for_place) - attendance
    return SeasonExample(row, attendance, for_matches)
