"""Divisions read from a JSON file, and their moves as JSON, so that anybody can recompute them."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, cast

from rankings.formulas.divisions import Division, Member, list_moves
from rankings.formulas.match_input import require_object
from rankings.formulas.season_files import format_points
from rankings.formulas.values import BadMatches, require_integer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FIGURE: Final = re.compile(r"[0-9]{1,12}(\.[0-9]{1,2})?")
MOST: Final = 100_000


def compute_moves(data: object) -> Mapping[str, object]:
    """Compute the moves at the end of a season.

    Input: `{"lot", "divisions": [{"name", "up", "down", "players": {NAME: {"points", "places"}}}]}`.

    :raises BadMatches: the input is invalid.
    """
    said = _require_object(data, "the file", ("lot", "divisions"))
    rows, lot = said.get("divisions"), said.get("lot", "")
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
    row = _require_object(value, where, ("name", "up", "down", "players"))
    name = row.get("name")
    if not isinstance(name, str):
        raise BadMatches(f"{where}.name: a text is expected, not {name!r}")
    players = _require_object(row.get("players"), f"{where}.players")
    return Division(
        name,
        require_integer(row.get("up", 0), f"{where}.up", most=MOST),
        require_integer(row.get("down", 0), f"{where}.down", most=MOST),
        tuple(_read_member(player, one, f"{where}.players.{player}") for player, one in players.items()),
    )


def _read_member(player: str, value: object, where: str) -> Member:
    row = _require_object(value, where, ("points", "places"))
    points, places = row.get("points", 0), row.get("places", [])
    if isinstance(points, bool) or not FIGURE.fullmatch(str(points)):
        raise BadMatches(f"{where}.points: points with at most two decimals are expected, not {points!r}")
    if not isinstance(places, list):
        raise BadMatches(f"{where}.places: a list of places is expected, not {places!r}")
    for place in cast("list[object]", places):
        if place is not None:
            require_integer(place, f"{where}.places", least=1, most=MOST)
    return Member(player, Fraction(str(points)), tuple(cast("list[int | None]", places)))


def _require_object(value: object, where: str, known: Sequence[str] = ()) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadMatches(f"{where}: an object is expected, not {value!r}")
    return cast("dict[str, Any]", require_object(cast("object", value), where, known))
