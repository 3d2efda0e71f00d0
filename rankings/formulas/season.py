"""The table of a season: points by place and for taking part, from the best events of each player.

All points are exact, in hundredths, so that ties are exact as well.

>>> rules = SeasonRules(places=(10, 7, 5, 3), attendance=1, best=2)
>>> nights = [
...     Night("n1", 0, {"Ann": 1, "Bob": 2, "Cyd": 3, "Dan": 3}),
...     Night("n2", 1, {"Bob": 1, "Ann": 2}),
...     Night("n3", 2, {"Ann": 1, "Bob": 2, "Cyd": 3}),
... ]
>>> [(row.place, row.player, str(row.points)) for row in season_table(rules, nights)]
[(1, 'Ann', '22'), (2, 'Bob', '19'), (3, 'Cyd', '11'), (4, 'Dan', '5')]
>>> [(str(result.points), result.counts) for result in season_table(rules, nights)[0].results]
[('11', True), ('8', False), ('11', True)]

Points are never lost. Master points follow the rules of the USBGF since 2019; ABT points are split as by the
American Backgammon Tour.

>>> round(compute_match_points(11), 4), round(compute_place_points(1, 48), 4)
(1.1055, 3.351)
>>> [float(points) for points in split_points(19, [40, 20, 20, 10, 10])]
[7.6, 3.8, 3.8, 1.9, 1.9]
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from itertools import pairwise
from math import log2, sqrt
from typing import Final, cast

from rankings.formulas.values import BadMatches, require_integer

PLACE_WEIGHT: Final = 0.6
# First and second; the third has 1 / (3 - 1), and so on.
RANK_FACTORS: Final = (1.0, 0.7)
MOST_PLACES: Final = 64
FIGURE: Final = re.compile(r"[0-9]{1,5}(\.[0-9]{1,2})?")
MOST_EVENTS: Final = 366
HUNDRED: Final = 100
AVERAGE, HIGHEST = SHARING = ("average", "highest")
# Points by a table of places, or master points for matches won and places.
TABLE, MASTER = SCHEMES = ("table", "master")


def compute_match_points(length: int) -> float:
    return sqrt(length) / 3


def compute_place_points(place: int, players: int) -> float:
    factor = RANK_FACTORS[place - 1] if place <= len(RANK_FACTORS) else 1 / (place - 1)
    return PLACE_WEIGHT * log2(players) * factor


def split_points(players: int, shares: Sequence[int], *, division: Fraction | int = 1) -> list[Fraction]:
    """Return the ABT points of each paid place: one point for each player of the division, split."""
    whole = players * division
    return [Fraction(whole * share, sum(shares)) for share in shares]


@dataclass(frozen=True, slots=True)
class SeasonRules:
    # For the first place, the second, and so on; lower places give none.
    places: tuple[Fraction | int, ...] = (10, 7, 5, 3)
    # For taking part.
    attendance: Fraction | int = 1
    # Players who share a place get the average of the places they occupy, or each the points of the highest.
    sharing: str = AVERAGE
    # True if the points for a place are multiplied by the number of players.
    by_field: bool = False
    # This many of a player's events count, those with most points; 0: all.
    best: int = 0
    # Points lose this many per cent with each month between the event and the season's last event.
    decay: int = 0
    # With master points the table of places is ignored, and matches won give points as well.
    scheme: str = TABLE


@dataclass(frozen=True, slots=True)
class Night:
    """A finished event: all participants with their place, or None if they were not placed."""

    id: str | int
    # A running number of months.
    month: int
    places: Mapping[str, int | None]
    # The lengths of the matches each player won; used for master points only. Those without a line in `places`
    # were replaced by a substitute, who has their place.
    won: Mapping[str, Sequence[int]] = field(default_factory=dict[str, "Sequence[int]"])


@dataclass(frozen=True, slots=True)
class SeasonResult:
    """A player's result in an event: points for the place, in all, after decay, and whether it counts."""

    event: str | int
    place: int | None
    for_place: Fraction
    earned: Fraction
    points: Fraction
    counts: bool


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """A player in the table; players with equal points share the place."""

    place: int
    player: str
    points: Fraction
    # In the order of the events.
    results: tuple[SeasonResult, ...]


def season_rules(given: Mapping[str, object]) -> SeasonRules:
    """Build the rules from parameters; missing ones have their defaults.

    :raises BadMatches: there is no such parameter, or its value is invalid.
    """
    known = {field.name for field in fields(SeasonRules)}
    for name in given:
        if name not in known:
            raise BadMatches(f"rules.{name}: a season knows only {', '.join(sorted(known))}")
    usual = SeasonRules()
    sharing, by_field = given.get("sharing", usual.sharing), given.get("by_field", usual.by_field)
    if sharing not in SHARING:
        raise BadMatches(f"rules.sharing: {' or '.join(SHARING)} is expected, not {sharing!r}")
    scheme = given.get("scheme", usual.scheme)
    if scheme not in SCHEMES:
        raise BadMatches(f"rules.scheme: {' or '.join(SCHEMES)} is expected, not {scheme!r}")
    if not isinstance(by_field, bool):
        raise BadMatches(f"rules.by_field: true or false is expected, not {by_field!r}")
    return SeasonRules(
        places=_read_places(given["places"]) if "places" in given else usual.places,
        attendance=_read_points(given.get("attendance", str(usual.attendance)), "rules.attendance"),
        sharing=str(sharing),
        by_field=by_field,
        best=require_integer(given.get("best", usual.best), "rules.best", most=MOST_EVENTS),
        decay=require_integer(given.get("decay", usual.decay), "rules.decay", most=HUNDRED),
        scheme=str(scheme),
    )


def season_table(rules: SeasonRules, nights: Iterable[Night]) -> list[SeasonRow]:
    """Build the table of a season, sorted by points, then by name; *nights* come in the order of events."""
    played = list(nights)
    last = max((night.month for night in played), default=0)
    earned: dict[str, list[SeasonResult]] = {}
    for night in played:
        left = Fraction(HUNDRED - rules.decay, HUNDRED) ** (last - night.month)
        holders = Counter(place for place in night.places.values() if place is not None)
        won: Mapping[str, Sequence[int]] = night.won if rules.scheme == MASTER else {}
        for player in {**night.places, **won}:
            place = night.places.get(player)
            for_place = _compute_points_for_place(rules, place, holders, len(night.places))
            attendance = rules.attendance if player in night.places else 0
            whole = for_place + attendance + compute_points_for_matches(rules, won.get(player, ()))
            result = SeasonResult(night.id, place, for_place, whole, round_points(whole * left), counts=True)
            earned.setdefault(player, []).append(result)
    rows = [_build_row(rules, player, results) for player, results in earned.items()]
    rows.sort(key=lambda row: (-row.points, row.player))
    found: list[SeasonRow] = []
    for number, row in enumerate(rows, 1):
        is_tied = bool(found) and found[-1].points == row.points
        found.append(replace(row, place=found[-1].place if is_tied else number))
    return found


def round_points(points: Fraction) -> Fraction:
    """Round to hundredths, halves up.

    >>> round_points(Fraction(1, 3)), round_points(Fraction(5, 1000))
    (Fraction(33, 100), Fraction(1, 100))
    """
    return Fraction((points * HUNDRED + Fraction(1, 2)) // 1, HUNDRED)


def compute_points_for_matches(rules: SeasonRules, won: Sequence[int]) -> Fraction:
    """Return the points for matches won, by their lengths; only with master points.

    >>> compute_points_for_matches(SeasonRules(scheme=MASTER), [7, 11])
    Fraction(199, 100)
    """
    if rules.scheme != MASTER:
        return Fraction(0)
    return round_points(Fraction(sum(compute_match_points(length) for length in won)))


def _compute_points_for_place(
    rules: SeasonRules, place: int | None, holders: Mapping[int, int], players: int
) -> Fraction:
    if place is None:
        return Fraction(0)
    taken = range(place - 1, place - 1 + (holders[place] if rules.sharing == AVERAGE else 1))
    if rules.scheme == MASTER:
        points = sum(compute_place_points(at + 1, players) for at in taken)
        return round_points(Fraction(points / len(taken)))
    whole = sum((Fraction(rules.places[at]) for at in taken if at < len(rules.places)), Fraction(0))
    return round_points(whole * (players if rules.by_field else 1) / len(taken))


def _build_row(rules: SeasonRules, player: str, results: Sequence[SeasonResult]) -> SeasonRow:
    # Of events with equal points the later ones count.
    order = sorted(range(len(results)), key=lambda at: (-results[at].points, -at))
    counted = set(order[: rules.best] if rules.best else order)
    counted_results = tuple(replace(result, counts=at in counted) for at, result in enumerate(results))
    return SeasonRow(
        0, player, sum((one.points for one in counted_results if one.counts), Fraction(0)), counted_results
    )


def _read_places(value: object) -> tuple[Fraction, ...]:
    places = cast("Sequence[object]", value) if isinstance(value, list | tuple) else None
    if places is None or len(places) > MOST_PLACES:
        raise BadMatches(f"rules.places: a list of at most {MOST_PLACES} figures is expected, not {value!r}")
    found = tuple(_read_points(one, f"rules.places[{at}]") for at, one in enumerate(places))
    if any(below > above for above, below in pairwise(found)):
        raise BadMatches("rules.places: a lower place cannot give more points than a higher one")
    return found


def _read_points(value: object, where: str) -> Fraction:
    """Parse points with at most two decimals, as a number or as a text such as "7.5"."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float | str)
        or not FIGURE.fullmatch(str(value))
    ):
        raise BadMatches(f"{where}: points with at most two decimals are expected, not {value!r}")
    return Fraction(str(value))
