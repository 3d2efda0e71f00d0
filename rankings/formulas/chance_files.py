"""A file for `python -m rankings chance`: how likely the first of two is to win a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankings.formulas.chances import points_left, shifted
from rankings.formulas.reading import LONGEST, object_of, standing_of
from rankings.formulas.systems import number, system
from rankings.formulas.values import BadMatches

if TYPE_CHECKING:
    from collections.abc import Mapping


def answered(data: object) -> Mapping[str, object]:
    """Answer `{"system", "params", "length", "a", "b"}`, with "score" where the match has begun.

    :raises BadMatches: it does not say what it has to.
    """
    given = object_of(data, "the file", ("system", "params", "length", "a", "b", "score"))
    how = system(given.get("system"), object_of(given.get("params", {}), "params"))
    a, b = (standing_of(given.get(side), side, how, {}) for side in "ab")
    length = _points(given.get("length"), "length", least=1, most=LONGEST)
    even, left = 0.5, float(length)
    if "score" in given:
        even, left = _at(object_of(given["score"], "score", ("a", "b", "crawford_played", "even")), length)
    chance = shifted(even, how.chance(a, b, left))
    return {"a": chance, "b": 1.0 - chance, "points_left": left}


def _at(score: Mapping[str, object], length: int) -> tuple[float, float]:
    """Return what the table says of equal players here, and how much is left to play."""
    mine, theirs = (
        length - _points(score.get(side), f"score.{side}", least=0, most=length - 1) for side in "ab"
    )
    is_past = score.get("crawford_played", False)
    if not isinstance(is_past, bool):
        raise BadMatches(f"score.crawford_played: true or false is expected, not {is_past!r}")
    even = number(score.get("even"), "score.even", least=0.0, most=1.0)
    return even, points_left(mine, theirs, crawford_played=is_past)


def _points(value: object, where: str, *, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadMatches(f"{where}: points from {least} to {most} are expected, not {value!r}")
    return value
