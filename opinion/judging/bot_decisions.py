"""Decisions of bots with an oracle, limited by search depth and random evaluation errors, and their levels.

A weak bot adds an error with a given standard deviation to each play's equity. The error depends on a seed,
match and ply, so that the bot's decisions are reproducible. There are no errors in games that are certainly
won.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from statistics import NormalDist
from typing import Final

from opinion.judging.oracle import CubeWorth, Oracle, WeighedPlay
from opinion.judging.passes import DEPTHS
from opinion.judging.positions import evaluate_deeper
from opinion.judging.spots import Numbers, Spot, Throw

# Plays that are worse by more standard deviations are not considered.
FURTHEST: Final = 5
# Winning probability from which a game counts as certainly won.
CERTAIN: Final = 0.9999
DIGEST: Final = 8
NORMAL: Final = NormalDist()


@dataclass(frozen=True, slots=True)
class Level:
    name: str
    # Rank among all levels, from 1.
    rank: int
    # Approximate PR, measured on plays only.
    pr: float
    # Standard deviation of its evaluation errors, where 1 is the cube's value.
    sigma: float = 0.0
    plies: int = 1


# Measured on 3,000 positions by the same engine (docs/opinion.md). Rank 4 is the bot that needs no engine.
BEGINNER: Final = Level("beginner", 1, 32, sigma=0.20)
CASUAL: Final = Level("casual", 2, 19, sigma=0.12)
INTERMEDIATE: Final = Level("intermediate", 3, 12, sigma=0.08)
EXPERT: Final = Level("expert", 5, 3.5, sigma=0.03)
WORLD_CLASS: Final = Level("world-class", 6, 1.5, plies=2)
LEVELS: Final = (BEGINNER, CASUAL, INTERMEDIATE, EXPERT, WORLD_CLASS)


def draw_mistake(seed: str, what: object, sigma: float) -> float:
    """Return the evaluation error for *what*: deterministic for a seed, normally distributed over all seeds.

    >>> draw_mistake("m1|1|4", "8/5 6/5", 0.2) == draw_mistake("m1|1|4", "8/5 6/5", 0.2)
    True
    >>> draw_mistake("m1|1|4", "8/5 6/5", 0.0)
    0.0
    """
    if not sigma:
        return 0.0
    drawn = blake2b(f"{seed}|{what}".encode(), digest_size=DIGEST).digest()
    # Strictly between 0 and 1, where inv_cdf is finite.
    share = (int.from_bytes(drawn) // 2**12 + 0.5) / 2 ** (8 * DIGEST - 12)
    return sigma * NORMAL.inv_cdf(share)


def choose_play(oracle: Oracle, throw: Throw, level: Level, seed: str) -> Numbers:
    found = oracle.plays([throw])[0]
    if level.plies > 1:
        near = [each for each in found if found[0].equity - each.equity <= DEPTHS[2].worse][: DEPTHS[2].plays]
        if len(near) > 1:
            found = evaluate_deeper(oracle, throw, found, level.plies, len(near))
    return choose_best(found, level, seed).board


def choose_best(plays: Sequence[WeighedPlay], level: Level, seed: str) -> WeighedPlay:
    """Return the play that a bot considers best; *plays* are sorted by equity, best first."""
    best = plays[0]
    if not level.sigma or best.chances[0] >= CERTAIN:
        return best
    within = [each for each in plays if best.equity - each.equity <= FURTHEST * level.sigma]
    return max(within, key=lambda each: each.equity + draw_mistake(seed, each.board, level.sigma))


def should_double(oracle: Oracle, spot: Spot, level: Level, seed: str) -> bool:
    worth = oracle.cubes([spot], level.plies)[0]
    return worth.double - worth.no_double + _draw_cube_mistake(worth, level, f"{seed}|double") >= 0


def should_take(oracle: Oracle, spot: Spot, level: Level, seed: str) -> bool:
    """True if a bot of *level* takes; *spot* is from the doubler's view."""
    worth = oracle.cubes([spot], level.plies)[0]
    return 1.0 - worth.take + _draw_cube_mistake(worth, level, f"{seed}|take") >= 0


def _draw_cube_mistake(worth: CubeWorth, level: Level, seed: str) -> float:
    is_certain = worth.chances[0] >= CERTAIN or worth.chances[0] <= 1 - CERTAIN
    return 0.0 if is_certain else draw_mistake(seed, "cube", level.sigma)
