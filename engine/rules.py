"""The rules agreed for a match, as data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from engine.board import HYPERGAMMON, NACKGAMMON, STANDARD, Board
from engine.errors import Impossible

LONGEST = 25
# Matches longer than LONGEST cannot be created, but records of them can be read up to this length.
LONGEST_READ = 64
UNLIMITED = 0

VARIANTS = {"backgammon": STANDARD, "nackgammon": NACKGAMMON, "hypergammon": HYPERGAMMON}


class DeadCube(StrEnum):
    """The treatment of a double that has no effect since the cube already wins the match (R48)."""

    ALLOWED = "allowed"
    WARNED = "warned"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one match.

    >>> Rules(length=7).gammons, Rules.unlimited(jacoby=True).length
    (True, 0)
    """

    length: int = 7
    cube: bool = True
    crawford: bool = True
    gammons: bool = True
    backgammons: bool = True
    dead_cube: DeadCube = DeadCube.ALLOWED
    # Gammons count only once the cube has been turned; at least one club plays like this in matches (R69).
    jacoby: bool = False
    # The next two apply only to unlimited play.
    beavers: bool = False
    automatic_doubles: int = 0
    start: Board = STANDARD

    def __post_init__(self) -> None:
        if not 0 <= self.length <= LONGEST_READ:
            raise Impossible("bad-length", f"No match is {self.length} points long.", length=self.length)
        if self.length and (self.beavers or self.automatic_doubles):
            raise Impossible("money-rule-in-match", "Beavers and automatic doubles belong to unlimited play.")
        if self.backgammons and not self.gammons:
            raise Impossible("backgammon-without-gammon", "Where gammons do not count, backgammons cannot.")

    @classmethod
    def unlimited(cls, *, jacoby: bool = True, **agreed: Any) -> Rules:
        return cls(length=UNLIMITED, crawford=False, jacoby=jacoby, **agreed)

    @classmethod
    def best_of(cls, games: int) -> Rules:
        """Return the rules of a match won by more than half of *games* games, without gammons or a cube.

        >>> Rules.best_of(5).length, Rules.best_of(5).worst
        (3, 1)
        """
        if games < 3 or games % 2 == 0:
            raise Impossible("bad-length", f"Nobody has won more than half of {games} games.", length=games)
        return cls(length=(games + 1) // 2, cube=False, gammons=False, backgammons=False)

    @property
    def best_of_games(self) -> int:
        """The N of a best-of-N match in which only games count; 0 for other matches."""
        counts_games = self.length > 1 and not self.cube and not self.gammons
        return 2 * self.length - 1 if counts_games else 0

    @property
    def is_match(self) -> bool:
        return self.length > 0

    @property
    def variant(self) -> str:
        """``backgammon``, ``nackgammon``, ``hypergammon`` or ``position``."""
        return next((name for name, board in VARIANTS.items() if board == self.start), "position")

    @property
    def has_cube(self) -> bool:
        """True if the cube is in use; a match to one point has none (R53)."""
        return self.cube and self.length != 1

    @property
    def worst(self) -> int:
        """The most that a game can be lost by: 3, 2 or 1 times the cube."""
        return 1 + self.gammons + self.backgammons
