"""A season and its divisions read from JSON files, and table and moves as JSON, so that anybody can recompute them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any, Final, cast

from rankings.formulas.divisions import Division, Member, list_moves
from rankings.formulas.match_files import require_object
from rankings.formulas.season import Night, season_rules, season_table
from rankings.formulas.values import BadMatches, require_integer

MONTHS: Final = 12
FIGURE: Final = re.compile(r"[0-9]{1,12}(\.[0-9]{1,2})?")
MOST: Final = 100_000


def compute_table(data: object) -> Mapping[str, object]:
    """Compute the table of a season.

    Input: `{"rules", "events": [{"id", "at", "places": {NAME: PLACE or null}, "won": {NAME: [LENGTH]}}]}`.

    :raises BadMatches: the input is invalid.
    """
    file = _cast_object(data)
    if file is not None:
        require_object(file, "the file", ("rules", "events"))
    events = None if file is None else file.get("events")
    if file is None or not isinstance(events, list):
        raise BadMatches("the file: an object with a list of events is expected")
    rules = require_object(file.get("rules", {}), "rules")
    rows = cast("list[object]", events)
    nights = [_read_event(_cast_object(row), f"events[{at}]") for at, row in enumerate(rows)]
    if len({night.id for night in nights}) < len(nights):
        raise BadMatches("events: an id is there twice")
    return {
        "players": [
            {
                "place": row.place,
                "player": row.player,
                "points": format_points(row.points),
                "results": [
                    {
                        "event": one.event,
                        "place": one.place,
                        "earned": format_points(one.earned),
                        "points": format_points(one.points),
                        "counts": one.counts,
                    }
                    for one in row.results
                ],
            }
            for row in season_table(season_rules(rules), nights)
        ]
    }


def format_points(points: Fraction) -> str:
    """Write points with two decimals.

    >>> format_points(Fraction(15, 2))
    '7.50'
    """
    hundredths = points.numerator * 100 // points.denominator
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def _cast_object(value: object) -> dict[str, Any] | None:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _read_event(row: Mapping[str, Any] | None, where: str) -> Night:
    if row is None or not isinstance(row.get("id"), str | int):
        raise BadMatches(f"{where}: an object with an id is expected")
    require_object(row, where, ("id", "at", "places", "won"))
    try:
        at = datetime.fromisoformat(str(row.get("at")))
    except ValueError:
        raise BadMatches(f"{where}.at: a day such as 2026-11-22 is expected, not {row.get('at')!r}") from None
    places = _cast_object(row.get("places"))
    if places is None:
        raise BadMatches(f"{where}.places: an object of names and places is expected")
    for name, place in places.items():
        if place is not None and (isinstance(place, bool) or not isinstance(place, int) or place < 1):
            raise BadMatches(f"{where}.places.{name}: a place from 1 on, or null, is expected, not {place!r}")
    return Night(
        row["id"], at.year * MONTHS + at.month, places, _read_won_lengths(row.get("won", {}), f"{where}.won")
    )


def _read_won_lengths(value: object, where: str) -> dict[str, list[int]]:
    """Read the lengths of the matches that each player won; used for master points only."""
    won = _cast_object(value)
    if won is None:
        raise BadMatches(f"{where}: an object of names and lengths is expected")
    for name, lengths in won.items():
        said_lengths = cast("list[object]", lengths) if isinstance(lengths, list) else None
        if said_lengths is None or not all(
            isinstance(one, int) and not isinstance(one, bool) and one >= 1 for one in said_lengths
        ):
            raise BadMatches(f"{where}.{name}: a list of match lengths is expected, not {lengths!r}")
    return won


def compute_moves(data: object) -> Mapping[str, object]:
    """Compute the moves at the end of a season.

    Input: `{"lot", "divisions": [{"name", "up", "down", "players": {NAME: {"points", "places"}}}]}`.

    :raises BadMatches: the input is invalid.
    """
    file = _require_known(data, "the file", ("lot", "divisions"))
    rows, lot = file.get("divisions"), file.get("lot", "")
    if not isinstance(rows, list) or not isinstance(lot, str):
        raise BadMatches("the file: an object with a list of divisions, and perhaps a lot, is expected")
    divisions = [_read_division(row, f"divisions[{at}]") for at, row in enumerate(cast("list[object]", rows))]
    return {
        "players": [
            {
                "player": move.player,
                "division": divisions[move.division].name,
                "place": move.place,
                "points": format_points(Fraction(move.points)),
                "goes": move.goes,
                "to": divisions[move.to].name,
                "why": move.why,
            }
            for move in list_moves(divisions, lot)
        ]
    }


def _read_division(value: object, where: str) -> Division:
    row = _require_known(value, where, ("name", "up", "down", "players"))
    name = row.get("name")
    if not isinstance(name, str):
        raise BadMatches(f"{where}.name: a text is expected, not {name!r}")
    players = _require_known(row.get("players"), f"{where}.players")
    return Division(
        name,
        require_integer(row.get("up", 0), f"{where}.up", most=MOST),
        require_integer(row.get("down", 0), f"{where}.down", most=MOST),
        tuple(_read_member(player, one, f"{where}.players.{player}") for player, one in players.items()),
    )


def _read_member(player: str, value: object, where: str) -> Member:
    row = _require_known(value, where, ("points", "places"))
    points, places = row.get("points", 0), row.get("places", [])
    if isinstance(points, bool) or not FIGURE.fullmatch(str(points)):
        raise BadMatches(f"{where}.points: points with at most two decimals are expected, not {points!r}")
    if not isinstance(places, list):
        raise BadMatches(f"{where}.places: a list of places is expected, not {places!r}")
    for place in cast("list[object]", places):
        if place is not None:
            require_integer(place, f"{where}.places", least=1, most=MOST)
    return Member(player, Fraction(str(points)), tuple(cast("list[int | None]", places)))


def _require_known(value: object, where: str, known: Sequence[str] = ()) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadMatches(f"{where}: an object is expected, not {value!r}")
    return cast("dict[str, Any]", require_object(cast("object", value), where, known))
