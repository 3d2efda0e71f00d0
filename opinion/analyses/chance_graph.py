"""Coordinates of the graph of winning chances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 640, 220
LEFT, RIGHT, TOP, BOTTOM = 58, 12, 12, 34
LEVELS: Final = (0, 25, 50, 75, 100)


@dataclass(frozen=True, slots=True)
class PercentLine:
    """A horizontal grid line."""

    percent: int
    y: str


@dataclass(frozen=True, slots=True)
class GameStart:
    """The first decision of a game."""

    game: int
    x: str


@dataclass(frozen=True, slots=True)
class ChanceGraph:
    """The graph; coordinates are strings, so that no locale formats them with a comma."""

    line: str
    levels: tuple[PercentLine, ...]
    games: tuple[GameStart, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


def draw_graph(points: Sequence[tuple[int, float]]) -> ChanceGraph | None:
    """Draw (game, chance) points; None for fewer than two.

    >>> found = draw_graph([(1, 0.5), (1, 0.75), (2, 1.0)])
    >>> found.line, [game.x for game in found.games]
    ('M58.0,99.0L343.0,55.5L628.0,12.0', ['58.0', '628.0'])
    """
    if len(points) < 2:
        return None

    def x(number: int) -> str:
        return f"{LEFT + (WIDTH - LEFT - RIGHT) * number / (len(points) - 1):.1f}"

    def y(chance: float) -> str:
        return f"{HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * chance:.1f}"

    begun: dict[int, int] = {}
    for number, (game, _) in enumerate(points):
        begun.setdefault(game, number)
    return ChanceGraph(
        line="M" + "L".join(f"{x(number)},{y(chance)}" for number, (_, chance) in enumerate(points)),
        levels=tuple(PercentLine(percent, y(percent / 100)) for percent in LEVELS),
        games=tuple(GameStart(game, x(number)) for game, number in begun.items()),
    )
