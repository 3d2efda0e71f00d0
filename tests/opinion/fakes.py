"""An oracle that knows nothing but arithmetic: the same answers everywhere, with no engine installed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from engine.board import Board
from engine.dice import ROLLS, Dice
from engine.match import Match
from engine.plays import Play, legal_plays
from engine.side import WHITE
from opinion.judging.oracle import CubeWorth, WeighedPlay
from opinion.judging.spots import Choice, Numbers, Spot, Throw, to_numbers


class PipOracle:
    """An engine that prefers the leader of the race; a level deeper it minds blots too."""

    def __init__(self) -> None:
        self.name, self.version = "pips", "1"
        self.asked: list[str] = []

    def plays(self, asked: Sequence[Throw]) -> list[tuple[WeighedPlay, ...]]:
        self.asked += ["plays"] * len(asked)
        return [_ranked(_after(each.spot, each.dice), 1) for each in asked]

    def weigh(self, asked: Sequence[Choice], level: int) -> list[tuple[WeighedPlay, ...]]:
        self.asked += [f"weigh {level}"] * len(asked)
        return [tuple(_weighed(board, level) for board in each.boards) for each in asked]

    def cubes(self, asked: Sequence[Spot], level: int) -> list[CubeWorth]:
        self.asked += [f"cubes {level}"] * len(asked)
        found = []
        for spot in asked:
            equity = _race(spot.board)
            chance = 0.5 + equity / 4
            found.append(CubeWorth(equity, 2 * equity - 0.3, (chance, 0.0, 0.0, 0.0, 0.0), level))
        return found

    def rolls(self, asked: Sequence[Spot]) -> list[tuple[float, ...]]:
        self.asked += ["rolls"] * len(asked)
        return [_rolls(spot) for spot in asked]


class BlotOracle(PipOracle):
    """One that minds blots at every level, so that plays are worth different things."""

    def plays(self, asked: Sequence[Throw]) -> list[tuple[WeighedPlay, ...]]:
        found = [[_blots(each, 1) for each in plays] for plays in super().plays(asked)]
        return [tuple(sorted(plays, key=lambda each: (-each.equity, each.board))) for plays in found]

    def weigh(self, asked: Sequence[Choice], level: int) -> list[tuple[WeighedPlay, ...]]:
        return [tuple(_blots(each, level) for each in plays) for plays in super().weigh(asked, level)]


def _blots(each: WeighedPlay, level: int) -> WeighedPlay:
    alone = sum(1 for number in each.board[1:25] if number == 1)
    return each._replace(equity=round(each.chances[0] - 0.05 * alone, 6), level=level)


def worths(match: Match) -> list[tuple[Play, float]]:
    """Every play of the side on turn with what it is worth to one that minds blots, the best first."""
    game = match.game
    assert game.turn is not None
    assert game.dice is not None
    plays = {
        to_numbers(play.board, game.turn): play for play in legal_plays(game.board, game.turn, game.dice)
    }
    found = BlotOracle().plays([Throw(Spot.from_match(match, game.turn), game.dice)])[0]
    return [(plays[each.board], each.equity) for each in found]


@cache
def _rolls(spot: Spot) -> tuple[float, ...]:
    return tuple(max(map(_race, _after(spot, roll))) for roll in ROLLS)


def _after(spot: Spot, dice: Dice) -> list[Numbers]:
    board = Board.from_numbers((-spot.board[0], *spot.board[1:]), WHITE)
    return [to_numbers(each, WHITE) for each in legal_plays(board, WHITE, dice).results()]


def _race(board: Numbers) -> float:
    mine = theirs = 0
    for point, number in enumerate(board[1:], 1):
        if number > 0:
            mine += point * number
        else:
            theirs -= (25 - point) * number
    return round((theirs + 25 * board[0] - mine) / 200, 6)


def _weighed(board: Numbers, level: int) -> WeighedPlay:
    blots = sum(1 for number in board[1:25] if number == 1)
    equity = round(_race(board) - 0.01 * (level - 1) * blots, 6)
    return WeighedPlay(board, equity, (0.5 + equity / 4, 0.0, 0.0, 0.0, 0.0), level)


def _ranked(boards: Sequence[Numbers], level: int) -> tuple[WeighedPlay, ...]:
    return tuple(
        sorted((_weighed(board, level) for board in boards), key=lambda play: (-play.equity, play.board))
    )
