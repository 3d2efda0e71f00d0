"""The levels of bots that use an oracle. It imports nothing of Barpoint, so that starting is fast."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Level:
    """The strength of a bot."""

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
