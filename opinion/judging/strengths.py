"""The levels of the bots that ask an oracle: how strong each plays. Nothing else is loaded with them, for every start reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Level:
    """How strong a bot plays."""

    name: str
    # Among all levels, from 1.
    rank: int
    # About which PR it plays; measured on plays alone.
    pr: float
    # The spread of its mistakes about the worth of a play, where 1 is the cube's value.
    sigma: float = 0.0
    plies: int = 1


# Measured on 3,000 positions by the same engine (docs/opinion.md). The bot that needs no engine stands at 4.
BEGINNER: Final = Level("beginner", 1, 32, sigma=0.20)
CASUAL: Final = Level("casual", 2, 19, sigma=0.12)
INTERMEDIATE: Final = Level("intermediate", 3, 12, sigma=0.08)
EXPERT: Final = Level("expert", 5, 3.5, sigma=0.03)
WORLD_CLASS: Final = Level("world-class", 6, 1.5, plies=2)
LEVELS: Final = (BEGINNER, CASUAL, INTERMEDIATE, EXPERT, WORLD_CLASS)
