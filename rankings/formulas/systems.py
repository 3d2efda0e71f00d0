"""The rating systems by name, the validation of their parameters, and `rate`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from itertools import combinations, cycle, islice
from math import inf, isfinite
from typing import Any, Final

from rankings.formulas.elo import Elo
from rankings.formulas.fibs import READINGS, Fibs
from rankings.formulas.glicko2 import Glicko2
from rankings.formulas.values import BadMatches, Outcome, Ratings, Standing, System

SYSTEMS: Final[dict[str, type[Fibs | Elo | Glicko2]]] = {"fibs": Fibs, "elo": Elo, "glicko2": Glicko2}


def system(name: object, params: Mapping[str, object] | None = None) -> System:
    """Build a system by its name, with these parameters and published defaults.

    >>> system("fibs", {"reading": "macfibs"}).start
    1500.0

    :raises BadMatches: there is no such system or parameter, or a value is invalid.
    """
    if not isinstance(name, str) or name not in SYSTEMS:
        raise BadMatches(f"system: one of {', '.join(SYSTEMS)} is expected, not {name!r}")
    kind, given = SYSTEMS[name], params or {}
    known = {field.name: field.default for field in fields(kind)}
    for key in given:
        if key not in known:
            raise BadMatches(f"params.{key}: {name} knows only {', '.join(known)}")
    values: dict[str, Any] = {key: _require_value(key, value, known[key]) for key, value in given.items()}
    return kind(**values)


def rate(
    how: System,
    outcomes: Iterable[Outcome],
    players: Mapping[str, Standing] | None = None,
    *,
    last: int | None = None,
) -> Ratings:
    """Rate matches given in any order: by period, then by finish time, then by id.

    *players* are standings at the start, for players who do not begin with the default. The standings found
    are as of the end of the period *last*, or of the last one with a match, if that is later.
    """
    ordered = sorted(outcomes, key=lambda outcome: (outcome.period, outcome.order))
    standings = dict(players or {})
    steps = list(how.steps(ordered, standings))
    if ordered and (last is None or last < ordered[-1].period):
        last = ordered[-1].period
    if last is not None:
        standings = {name: how.at(standing, last) for name, standing in standings.items()}
    return Ratings(standings, steps)


def require_finite(how: System) -> None:
    """Rate a hundred made-up matches between four newcomers, of five a period, favourites and upsets in turn.

    :raises BadMatches: the ratings leave the range of numbers.
    """
    pairs = islice(cycle(combinations("abcd", 2)), 100)
    outcomes = [
        Outcome(number, number, a, b, a_won=number // 25 % 2 == 0, length=25, period=number // 5)
        for number, (a, b) in enumerate(pairs)
    ]
    try:
        ratings = [standing.rating for standing in rate(how, outcomes).players.values()]
    except ArithmeticError:
        ratings = [inf]
    if not all(map(isfinite, ratings)):
        raise BadMatches("params: the ratings leave the range of numbers")


# Far beyond every real rating. Values below it can still lead out of the range of numbers: `require_finite`.
LARGEST: Final = 10_000.0
# Parameters that are divisors or scales.
POSITIVE: Final = frozenset({"k_per", "scale", "deviation", "volatility", "tau"})
SMALLEST: Final = 0.001


def _require_value(name: str, value: object, default: object) -> object:
    if isinstance(default, float):
        least = SMALLEST if name in POSITIVE else 0.0
        return require_number(value, f"params.{name}", least=least)
    if isinstance(default, bool) and not isinstance(value, bool):
        raise BadMatches(f"params.{name}: true or false is expected, not {value!r}")
    if isinstance(default, str) and value not in READINGS:
        raise BadMatches(f"params.{name}: {' or '.join(READINGS)} is expected, not {value!r}")
    return value


def require_number(value: object, where: str, *, least: float = -LARGEST, most: float = LARGEST) -> float:
    """Require a number between bounds.

    :raises BadMatches: the value is something else.
    """
    if isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most:
        return float(value)
    raise BadMatches(f"{where}: a number from {least:g} to {most:g} is expected, not {value!r}")
