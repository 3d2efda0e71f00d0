"""Ratings that anyone can recompute: finished matches in, the effect of each on both players out.

The public names of `rankings.formulas`, a library that uses only the standard library: no Django, and times
are arguments.

>>> from rankings import Outcome, rate, system
>>> found = rate(system("fibs"), [Outcome("m1", 0.0, "Ann", "Bob", a_won=True, length=7)])
>>> [round(found.players[name].rating, 4) for name in ("Ann", "Bob")]
[1526.4575, 1473.5425]
"""

from rankings.formulas.match_files import read
from rankings.formulas.season import Night, SeasonRules, season_rules, season_table
from rankings.formulas.systems import rate, system
from rankings.formulas.values import BadMatches, Outcome, Standing, Step

__all__ = [
    "BadMatches",
    "Night",
    "Outcome",
    "SeasonRules",
    "Standing",
    "Step",
    "rate",
    "read",
    "season_rules",
    "season_table",
    "system",
]
