"""How long title chances take: python -m bench.titles [runs]

A double elimination of 64 in which nothing has been played yet, the ratings a club's; one core, processor time.
"""

from __future__ import annotations

import sys
import time

from draw.event import Entrant, EntrantId, Event, Stage
from draw.forecast.odds import build_odds
from draw.forecast.titles import estimate_titles
from draw.options import Options

FIELD = 64
TIMES = 3


def main(runs: int) -> None:
    """Measure a few times, and print the best."""
    entrants = tuple(Entrant(EntrantId(f"p{at}"), rating=1900.0 - 10 * at) for at in range(FIELD))
    event = Event(
        stages=(Stage("", "double-elimination", Options.from_values()),), entrants=entrants, seed="7"
    )
    odds = build_odds(entrants)
    took = []
    for _ in range(TIMES):
        began = time.process_time()
        found = estimate_titles(event, odds, runs=runs)
        took.append(time.process_time() - began)
    assert found is not None
    best = max(found.shares, key=lambda one: found.shares[one])
    print(
        f"{FIELD} entrants, {runs} finishes: {min(took):.2f} s; the favourite {best} wins {found.shares[best]:.3f}"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
