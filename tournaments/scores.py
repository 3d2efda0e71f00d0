"""Scores of matches: read from what people type, held against the length and against the games."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tournaments.errors import BadGame, BadGames, BadScore

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TYPED: Final = re.compile(r"^\s*(\d{1,2})\s*[\s:;,/\u2013-]\s*(\d{1,2})\s*$")
# How a game may end, and how often the cube counts.
ENDS: Final[Mapping[str, int]] = {"drop": 1, "single": 1, "gammon": 2, "backgammon": 3}
LARGEST_CUBE: Final = 1024


@dataclass(frozen=True, slots=True)
class Game:
    """One game of a match as it is written down."""

    winner: str  # "a" or "b"
    points: int
    cube: int = 1
    end: str = "single"

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> Game:
        """Read a game."""
        return cls(said["winner"], said["points"], said.get("cube", 1), said.get("end", "single"))


def parse(text: str, length: int) -> tuple[int, int]:
    """Read a score as it is typed: 7 5, 7:5, 7-5.

    :raises BadScore: no match of this length ends like that.
    """
    typed = TYPED.match(text)
    if typed is None:
        raise BadScore(length=length)
    score = (int(typed[1]), int(typed[2]))
    check(score, length)
    return score


def check(score: tuple[int, int], length: int) -> None:
    """Let a score pass with which a match of this length ends.

    :raises BadScore: it does not.
    """
    if max(score) != length or min(score) < 0 or min(score) >= length:
        raise BadScore(length=length)


def check_games(
    games: Sequence[Mapping[str, Any]],
    score: tuple[int, int],
    length: int,
    begun: tuple[int, int] = (0, 0),
) -> None:
    """Let games pass that lead to the score; *begun*: points that one had before the first.

    :raises BadGame: one cannot be worth what it is said to be.
    :raises BadGames: they lead elsewhere.
    """
    total = list(begun)
    was_crawford = False
    for number, said in enumerate(games, 1):
        game = Game.of(said)
        if max(total) >= length:
            raise BadGames(score=_told(score), number=number - 1, found=_told(total))
        is_crawford = not was_crawford and length > 1 and max(total) == length - 1
        was_crawford = was_crawford or is_crawford
        _check_game(game, number, is_crawford=is_crawford)
        total[game.winner == "b"] += game.points
    capped = [min(points, length) for points in total]
    if tuple(capped) != score:
        raise BadGames(score=_told(score), number=len(games), found=_told(capped))


def _check_game(game: Game, number: int, *, is_crawford: bool) -> None:
    is_cube = 0 < game.cube <= LARGEST_CUBE and game.cube & (game.cube - 1) == 0
    # R: no cube in the Crawford game, so a game of it ends at the board.
    if is_crawford:
        is_cube = game.cube == 1 and game.end != "drop"
    is_worth = game.end in ENDS and game.points == game.cube * ENDS[game.end]
    if game.winner not in ("a", "b") or not is_cube or not is_worth:
        raise BadGame(number=number, points=game.points)


def _told(score: Sequence[int]) -> str:
    return f"{score[0]}:{score[1]}"
