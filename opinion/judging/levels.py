"""How a bot of a level plays that asks an oracle (`strengths.py`): how far it looks, and how wrong it is about each play.

A weak bot weighs every play a little wrong, by chance with a given spread. The chance is drawn from a seed, a match and a ply:
asked again, the bot decides the same. About a game that is won for certain it is never wrong.
"""

from __future__ import annotations

from hashlib import blake2b
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

from opinion.judging.passes import DEPTHS
from opinion.judging.positions import deeper

if TYPE_CHECKING:
    from collections.abc import Sequence

    from opinion.judging.oracle import CubeWorth, Oracle, Weighed
    from opinion.judging.spots import Numbers, Spot, Throw
    from opinion.judging.strengths import Level

# A play that is worse by more standard deviations is never made.
FURTHEST: Final = 5
# As an oracle says that nothing can go wrong any more.
CERTAIN: Final = 0.9999
DIGEST: Final = 8
NORMAL: Final = NormalDist()


def mistake(seed: str, what: object, sigma: float) -> float:
    """Return by how much a bot errs about something: the same for the same seed, normal with that spread over all.

    >>> mistake("m1|1|4", "8/5 6/5", 0.2) == mistake("m1|1|4", "8/5 6/5", 0.2)
    True
    >>> mistake("m1|1|4", "8/5 6/5", 0.0)
    0.0
    """
    if not sigma:
        return 0.0
    drawn = blake2b(f"{seed}|{what}".encode(), digest_size=DIGEST).digest()
    # Between two steps: neither 0 nor 1, where the curve has no end.
    share = (int.from_bytes(drawn) // 2**12 + 0.5) / 2 ** (8 * DIGEST - 12)
    return sigma * NORMAL.inv_cdf(share)


def play(oracle: Oracle, throw: Throw, level: Level, seed: str) -> Numbers:
    """Return the board that a bot of that level plays to."""
    found = oracle.plays([throw])[0]
    if level.plies > 1:
        near = [each for each in found if found[0].equity - each.equity <= DEPTHS[2].worse][: DEPTHS[2].plays]
        if len(near) > 1:
            found = deeper(oracle, throw, found, level.plies, len(near))
    return chosen(found, level, seed).board


def chosen(plays: Sequence[Weighed], level: Level, seed: str) -> Weighed:
    """Return the play that a bot takes for the best; *plays* are in order."""
    best = plays[0]
    if not level.sigma or best.chances[0] >= CERTAIN:
        return best
    within = [each for each in plays if best.equity - each.equity <= FURTHEST * level.sigma]
    return max(within, key=lambda each: each.equity + mistake(seed, each.board, level.sigma))


def doubles(oracle: Oracle, spot: Spot, level: Level, seed: str) -> bool:
    """Does a bot of that level double here?"""
    worth = oracle.cubes([spot], level.plies)[0]
    return worth.double - worth.no_double + _cube_mistake(worth, level, f"{seed}|double") >= 0


def takes(oracle: Oracle, spot: Spot, level: Level, seed: str) -> bool:
    """Does it take a double? *spot* is as the side that doubles sees it."""
    worth = oracle.cubes([spot], level.plies)[0]
    return 1.0 - worth.take + _cube_mistake(worth, level, f"{seed}|take") >= 0


def _cube_mistake(worth: CubeWorth, level: Level, seed: str) -> float:
    is_certain = worth.chances[0] >= CERTAIN or worth.chances[0] <= 1 - CERTAIN
    return 0.0 if is_certain else mistake(seed, "cube", level.sigma)
