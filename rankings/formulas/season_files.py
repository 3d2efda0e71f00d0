"""A season read from a JSON file, and its table as JSON, so that anybody can recompute it."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

from rankings.formulas.match_input import require_object
from rankings.formulas.season import Night, season_rules, season_table
from rankings.formulas.values import BadMatches

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

MONTHS = 12


def compute_table(data: object) -> Mapping[str, object]:
    """Compute the table of a season.

    Input: `{"rules", "events": [{"id", "at", "places": {NAME: PLACE or null}, "won": {NAME: [LENGTH]}}]}`.

    :raises BadMatches: the input is invalid.
    """
    said = _cast_object(data)
    if said is not None:
        require_object(said, "the file", ("rules", "events"))
    events = None if said is None else said.get("events")
    if said is None or not isinstance(events, list):
        raise BadMatches("the file: an object with a list of events is expected")
    rules = _cast_object(said.get("rules", {}))
    if rules is None:
        raise BadMatches(f"rules: an object is expected, not {type(said['rules']).__name__}")
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

    >>> from fractions import Fraction
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


def _read_won_lengths(said: object, where: str) -> dict[str, list[int]]:
    """Read the lengths of the matches that each player won; used for master points only."""
    won = _cast_object(said)
    if won is None:
        raise BadMatches(f"{where}: an object of names and lengths is expected")
    for name, lengths in won.items():
        said_lengths = cast("list[object]", lengths) if isinstance(lengths, list) else None
        if said_lengths is None or not all(map(_is_length, said_lengths)):
            raise BadMatches(f"{where}.{name}: a list of match lengths is expected, not {lengths!r}")
    return won


def _is_length(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1
