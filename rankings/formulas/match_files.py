"""Matches read from a JSON file, their ratings or chances as JSON; errors name the place of the mistake.

The ratings have full precision: rating the same matches again gives identical figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from difflib import get_close_matches
from math import isfinite
from typing import Final, cast

from rankings.formulas.chances import compute_points_left, shift_chance
from rankings.formulas.glicko2 import Glicko2
from rankings.formulas.systems import rate, require_number, system
from rankings.formulas.values import BadMatches, Outcome, Standing, Step, System

LONGEST: Final = 1_000
LONGEST_NAME: Final = 40
MOST_EXPERIENCE: Final = 1_000_000_000
# A standing given in the file is from the end of the period before the first.
BEFORE: Final = -1
MATCH: Final = ("id", "at", "a", "b", "winner", "length", "period")
STANDING: Final = ("rating", "experience", "deviation", "volatility", "period")
# What an entry says of a step.
STEP: Final = (
    *("match", "player", "opponent", "won", "before", "opponent_before"),
    *("expectancy", "weight", "k", "change"),
)


@dataclass(frozen=True, slots=True)
class RatingRequest:
    system: System
    outcomes: Sequence[Outcome]
    players: Mapping[str, Standing]
    # The number of the last period; None if there are no periods.
    last: int | None


def read(data: object) -> RatingRequest:
    """Read `{"system", "params", "matches"}`, optionally with "periods" (if some are empty) and "players".

    :raises BadMatches: the input is invalid.
    """
    given = require_object(data, "the file", ("system", "params", "matches", "periods", "players"))
    how = system(given.get("system"), require_object(given.get("params", {}), "params"))
    rows = [
        require_object(row, f"matches[{at}]", MATCH)
        for at, row in enumerate(_require_list(given.get("matches"), "matches"))
    ]
    outcomes = [_read_outcome(row, f"matches[{at}]") for at, row in enumerate(rows)]
    _require_unique([outcome.id for outcome in outcomes], "matches: the id")
    numbers: dict[str | int, int] = {}
    if isinstance(how, Glicko2):
        outcomes, numbers = _number_periods(outcomes, rows, _read_period_labels(given.get("periods", [])))
    players = require_object(given.get("players", {}), "players")
    standings = {
        name: read_standing(value, f"players.{name}", how, numbers) for name, value in players.items()
    }
    return RatingRequest(how, outcomes, standings, last=max(numbers.values(), default=None))


def _read_outcome(row: Mapping[str, object], where: str) -> Outcome:
    a, b = (_require_name(row.get(side), f"{where}.{side}") for side in "ab")
    if a == b:
        raise BadMatches(f"{where}: {a} cannot have met themselves")
    winner = row.get("winner")
    if winner not in ("a", "b"):
        raise BadMatches(f'{where}.winner: "a" or "b" is expected, not {winner!r}')
    length = require_points(row.get("length"), f"{where}.length", least=1, most=LONGEST)
    return Outcome(
        _require_id(row.get("id"), f"{where}.id"),
        _read_time(row.get("at"), f"{where}.at"),
        a,
        b,
        winner == "a",
        length,
    )


def _number_periods(
    outcomes: Sequence[Outcome], rows: Sequence[Mapping[str, object]], listed: Sequence[str | int]
) -> tuple[list[Outcome], dict[str | int, int]]:
    """Number the periods in the order of the file's list, or by the first finished match of each."""
    labels = {
        outcome.id: _require_id(row.get("period"), f"matches[{at}].period")
        for at, (outcome, row) in enumerate(zip(outcomes, rows, strict=True))
    }
    played = dict.fromkeys(labels[each.id] for each in sorted(outcomes, key=lambda each: each.order))
    numbers = {label: number for number, label in enumerate(listed or played)}
    for label in played:
        if label not in numbers:
            raise BadMatches(f"periods: {label!r} is not among them, but a match is of it")
    return [replace(outcome, period=numbers[labels[outcome.id]]) for outcome in outcomes], numbers


def _read_period_labels(value: object) -> list[str | int]:
    labels = [
        _require_id(label, f"periods[{at}]") for at, label in enumerate(_require_list(value, "periods"))
    ]
    _require_unique(labels, "periods:")
    return labels


def read_standing(value: object, where: str, how: System, numbers: Mapping[str | int, int]) -> Standing:
    """Read a standing from the file.

    :raises BadMatches: the value is invalid.
    """
    given, new = require_object(value, where), how.new()
    if unknown := sorted(given.keys() - {*STANDING}):
        raise BadMatches(f"{where}.{unknown[0]}: a standing has {', '.join(STANDING)}")
    experience = require_number(
        given.get("experience", 0), f"{where}.experience", least=0.0, most=MOST_EXPERIENCE
    )
    if experience != int(experience):
        raise BadMatches(f"{where}.experience: a whole number is expected, not {experience!r}")
    found = Standing(
        require_number(given.get("rating", new.rating), f"{where}.rating"), int(experience), period=BEFORE
    )
    if not isinstance(how, Glicko2):
        return found
    period = given.get("period")
    if period is not None and _require_id(period, f"{where}.period") not in numbers:
        raise BadMatches(f"{where}.period: {period!r} is not among the periods")
    return replace(
        found,
        period=BEFORE if period is None else numbers[_require_id(period, f"{where}.period")],
        deviation=require_number(given.get("deviation", new.deviation), f"{where}.deviation", least=0.001),
        volatility=require_number(
            given.get("volatility", new.volatility), f"{where}.volatility", least=0.001
        ),
    )


def _read_time(value: object, where: str) -> float:
    """Read the finish time of a match: an ISO 8601 date or time (UTC without a zone), or seconds."""
    if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value):
        return float(value)
    try:
        moment = datetime.fromisoformat(cast("str", value))
    except (TypeError, ValueError):
        raise BadMatches(f"{where}: a time such as 2026-11-22T19:30:00Z is expected, not {value!r}") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _require_id(value: object, where: str) -> str | int:
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise BadMatches(f"{where}: a text or a whole number is expected, not {value!r}")
    return value


def _require_name(value: object, where: str) -> str:
    if not isinstance(value, str) or not value:
        raise BadMatches(f"{where}: a name is expected, not {value!r}")
    return value


def require_object(value: object, where: str, known: Sequence[str] = ()) -> Mapping[str, object]:
    """Require an object; if *known* is given, it may have no other keys.

    :raises BadMatches: it is something else, or has an unknown key.
    """
    if not isinstance(value, dict):
        raise BadMatches(f"{where}: an object is expected, not {type(value).__name__}")
    found = cast("Mapping[str, object]", value)
    if known and (unknown := sorted(found.keys() - {*known})):
        name = unknown[0][:LONGEST_NAME]
        nearest = get_close_matches(name, known, n=1)
        also = f"; the nearest is {nearest[0]}" if nearest else f"; {', '.join(known)} are"
        raise BadMatches(f"{where}: {name} is not known{also}")
    return found


def require_points(value: object, where: str, *, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BadMatches(f"{where}: points from {least} to {most} are expected, not {value!r}")
    return value


def _require_list(value: object, where: str) -> Sequence[object]:
    if not isinstance(value, list):
        raise BadMatches(f"{where}: a list is expected, not {type(value).__name__}")
    return cast("Sequence[object]", value)


def _require_unique(values: Sequence[str | int], what: str) -> None:
    seen: set[str | int] = set()
    for value in values:
        if value in seen:
            raise BadMatches(f"{what} {value!r} is there twice")
        seen.add(value)


def serialize_ratings(request: RatingRequest) -> Mapping[str, object]:
    """Serialize all standings, and the ledger entries in order."""
    found = rate(request.system, request.outcomes, request.players, last=request.last)
    return {
        "players": {
            name: _serialize_standing(standing, request) for name, standing in sorted(found.players.items())
        },
        "entries": [_serialize_entry(step, request) for step in found.steps],
    }


def serialize_explanation(request: RatingRequest, match: str | None) -> Mapping[str, object]:
    """Serialize the effect of one match on both players; if *match* is None, of the only match.

    :raises BadMatches: there is no such match, or *match* is None and there are several.
    """
    if match is None and len(request.outcomes) != 1:
        raise BadMatches(f"explain: say by --match ID which of the {len(request.outcomes)} matches is meant")
    steps = rate(request.system, request.outcomes, request.players).steps
    entries = [_serialize_entry(step, request) for step in steps if match is None or str(step.match) == match]
    if not entries:
        raise BadMatches(f"explain: there is no match {match!r}")
    outcome = next(each for each in request.outcomes if match is None or str(each.id) == match)
    return {"match": outcome.id, "length": outcome.length, "entries": entries}


def _serialize_entry(step: Step, request: RatingRequest) -> Mapping[str, object]:
    after = _serialize_standing(step.after, request)
    return {
        **{name: getattr(step, name) for name in STEP},
        "after": after.pop("rating"),
        **after,
    }


def _serialize_standing(standing: Standing, request: RatingRequest) -> dict[str, object]:
    if isinstance(request.system, Glicko2):
        return {
            "rating": standing.rating,
            "deviation": standing.deviation,
            "volatility": standing.volatility,
        }
    return {"rating": standing.rating, "experience": standing.experience}


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
