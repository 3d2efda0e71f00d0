"""The systems by name, and how one is used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rankings.formulas.elo import Elo
from rankings.formulas.fibs import Fibs
from rankings.formulas.glicko2 import Glicko2
from rankings.formulas.params import checked
from rankings.formulas.values import BadMatches, Ratings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rankings.formulas.values import Outcome, Standing, System

SYSTEMS: Final[dict[str, type[Fibs | Elo | Glicko2]]] = {"fibs": Fibs, "elo": Elo, "glicko2": Glicko2}


def system(name: object, params: Mapping[str, object] | None = None) -> System:
    """Return a system by its name, with these parameters and the rest as published.

    >>> system("fibs", {"reading": "macfibs"}).start
    1500.0

    :raises BadMatches: there is no such system, or no such parameter.
    """
    if not isinstance(name, str) or name not in SYSTEMS:
        raise BadMatches(f"system: one of {', '.join(SYSTEMS)} is expected, not {name!r}")
    return checked(SYSTEMS[name], name, params or {})


def rate(how: System, outcomes: Iterable[Outcome], players: Mapping[str, Standing] | None = None) -> Ratings:
    """Rate matches in whatever order they come: periods one after the other, in each by finish time, then by id.

    *players* say where those stand who do not begin from nothing; who is idle at the end is told as of the last period.
    """
    ordered = sorted(outcomes, key=lambda outcome: (outcome.period, outcome.order))
    standings = dict(players or {})
    steps = list(how.steps(ordered, standings))
    if ordered:
        last = ordered[-1].period
        standings = {name: how.at(standing, last) for name, standing in standings.items()}
    return Ratings(standings, steps)
