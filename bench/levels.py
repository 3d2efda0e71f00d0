"""Each level of bots against the one below.

    python -m bench.levels [GAMES A PAIR] [--pairs expert/advanced ...]

Money games without a clock and without the Jacoby rule; a game counts 16 points at most. Each sequence of dice is played
twice, with the sides exchanged, and the mean of the two games is counted, so that luck cancels out as far as both play alike.
Printed are the points a game for the stronger, with the standard error of the mean over the pairs of games. The engine runs
in its process as it does for a club; time is wall time.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import time
from itertools import pairwise
from typing import Final

import django

from engine.actions import Opened
from engine.match import Match, apply
from engine.rules import Rules
from engine.side import Side
from matches import brain
from matches.state.commands import Command
from opinion.judging import engine_process
from opinion.judging.bot_decisions import BEGINNER, CASUAL, EXPERT, INTERMEDIATE, WORLD_CLASS, Level
from opinion.judging.oracle import Oracle
from tests.matches.pure.test_brain import fact

ADVANCED: Final = "advanced"
ORDER: Final[tuple[Level | None, ...]] = (BEGINNER, CASUAL, INTERMEDIATE, None, EXPERT, WORLD_CLASS)
GAMES: Final = 100
# Weak players redouble each other, rarely into the thousands; such a game would dominate the result.
MOST: Final = 16
RULES: Final = Rules.unlimited(jacoby=False)


def name_of(level: Level | None) -> str:
    """Return the name of a level; None is our own bot without an engine."""
    return ADVANCED if level is None else level.name


def decided(oracle: Oracle, level: Level | None, match: Match, side: Side, seed: str) -> Command | None:
    """Return the command that a level chooses."""
    from opinion.practice.live_engine import decide_by_oracle

    if level is not None and (found := decide_by_oracle(oracle, level, match, side, seed)) is not None:
        return found
    return brain.decide(match, side)


def game(oracle: Oracle, white: Level | None, black: Level | None, seed: int) -> int:
    """Play one game with dice that depend only on the seed; return white's points, at most MOST."""
    match = Match.start(RULES)
    dice = random.Random(seed)
    first, second = dice.sample(range(1, 7), 2)
    match = apply(match, Opened(first, second))
    throws = 0
    while not match.results:
        side = match.game.actor
        assert side is not None
        level = black if side is Side.BLACK else white
        command = decided(oracle, level, match, side, f"{seed}|{match.game.plies}")
        # Seeded by the number of the throw, so that doubling does not change later dice.
        action = fact(match, side, command, random.Random(f"{seed}/{throws}"))
        throws += type(action).__name__ == "Rolled"
        match = apply(match, action)
    points = match.score[Side.WHITE] - match.score[Side.BLACK]
    return max(-MOST, min(MOST, points))


def pair(oracle: Oracle, weaker: Level | None, stronger: Level | None, games: int) -> list[float]:
    """Return the points per game of the stronger level, one value for each sequence of dice."""
    return [
        (game(oracle, stronger, weaker, seed) - game(oracle, weaker, stronger, seed)) / 2
        for seed in range(games // 2)
    ]


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("games", nargs="?", type=int, default=GAMES)
    asked.add_argument("--pairs", nargs="*", default=[])
    given = asked.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    if why := engine_process.explain_absence():
        print(why, file=sys.stderr)
        raise SystemExit(2)
    print(f"{'stronger':14}{'weaker':14}{'games':>7}{'points a game':>15}{'+-':>7}{'won':>8}{'s a game':>10}")
    with engine_process.EngineProcess() as oracle:
        for weaker, stronger in pairwise(ORDER):
            names = (name_of(stronger), name_of(weaker))
            if given.pairs and "/".join(names) not in given.pairs:
                continue
            began = time.perf_counter()
            found = pair(oracle, weaker, stronger, given.games)
            spent = time.perf_counter() - began
            error = statistics.stdev(found) / len(found) ** 0.5
            ahead = sum(each > 0 for each in found) + sum(each == 0 for each in found) / 2
            print(
                f"{names[0]:14}{names[1]:14}{2 * len(found):7}{statistics.mean(found):+15.3f}{error:7.3f}"
                f"{ahead / len(found):8.0%}{spent / 2 / len(found):10.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
