"""The input and output of `python -m rankings chance`: the first player's chance of winning a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankings.formulas.chances import compute_points_left, shift_chance
from rankings.formulas.match_files import LONGEST, read_standing, require_object, require_points
from rankings.formulas.systems import require_number, system
from rankings.formulas.values import BadMatches

if TYPE_CHECKING:
    from collections.abc import Mapping


def answer_request(data: object) -> Mapping[str, object]:
    """Compute the chances of both players.

    Input: `{"system", "params", "length", "a", "b"}`, with "score" if the match has begun.

    :raises BadMatches: the input is invalid.
    """
    given = require_object(data, "the file", ("system", "params", "length", "a", "b", "score"))
    how = system(given.get("system"), require_object(given.get("params", {}), "params"))
    a, b = (read_standing(given.get(side), side, how, {}) for side in "ab")
    length = require_points(given.get("length"), "length", least=1, most=LONGEST)
    even, left = 0.5, float(length)
    if "score" in given:
        even, left = _read_score(
            require_object(given["score"], "score", ("a", "b", "crawford_played", "even")), length
        )
    chance = shift_chance(even, how.chance(a, b, left))
    return {"a": chance, "b": 1.0 - chance, "points_left": left}


def _read_score(score: Mapping[str, object], length: int) -> tuple[float, float]:
    """Return the chance between equal players at this score, and how many points are left to play."""
    mine, theirs = (
        length - require_points(score.get(side), f"score.{side}", least=0, most=length - 1) for side in "ab"
    )
    is_past = score.get("crawford_played", False)
    if not isinstance(is_past, bool):
        raise BadMatches(f"score.crawford_played: true or false is expected, not {is_past!r}")
    even = require_number(score.get("even"), "score.even", least=0.0, most=1.0)
    return even, compute_points_left(mine, theirs, crawford_played=is_past)
