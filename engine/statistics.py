"""Statistics of a match that need no analysis of the play: rolls, pips, hits, dances, the cube."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any, Final, NamedTuple

from engine.actions import (
    CUBE_WORDS,
    Action,
    Beavered,
    Doubled,
    Dropped,
    Opened,
    Played,
    ResignAccepted,
    ResignOffered,
    Rolled,
    Took,
)
from engine.board import BAR, OFF, Board, Step
from engine.dice import ROLLS, Dice
from engine.game import Game
from engine.record import Record
from engine.side import BLACK, WHITE, BySide, Side


@dataclass(frozen=True, slots=True)
class Tally:
    """One side's figures; those of two games can be added.

    >>> (Tally(rolls=3, hits=1) + Tally(rolls=2)).rolls
    5
    """

    rolls: int = 0
    doubles: int = 0
    # Pips of the dice, and pips that were used: the rest could not be played, or was lost when bearing off.
    pips_rolled: int = 0
    pips_played: int = 0
    hits: int = 0
    # Rolls without a possible play.
    dances: int = 0
    borne_off: int = 0

    @property
    def wastage(self) -> int:
        return self.pips_rolled - self.pips_played

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, name) + getattr(other, name) for name in FIGURES))

    def to_json(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in FIGURES} | {"wastage": self.wastage}


FIGURES: Final = tuple(each.name for each in fields(Tally))


class CubeTurn(NamedTuple):
    """A cube action: game, roll, side, action, and the value offered or accepted."""

    game: int
    ply: int
    side: Side
    word: str
    value: int


@dataclass(frozen=True, slots=True)
class GameStatistics:
    """The figures of one game; *pips* has both pip counts at the start and after every play."""

    sides: BySide[Tally]
    cube: tuple[CubeTurn, ...]
    pips: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Statistics:
    """The figures of a match, game by game and in total."""

    games: tuple[GameStatistics, ...]

    @property
    def sides(self) -> BySide[Tally]:
        """The totals of each side over all games."""
        total = BySide(Tally(), Tally())
        for game in self.games:
            total = BySide(total.white + game.sides.white, total.black + game.sides.black)
        return total

    @property
    def cube(self) -> tuple[CubeTurn, ...]:
        return tuple(turn for game in self.games for turn in game.cube)

    def to_json(self) -> dict[str, Any]:
        return {
            "sides": [tally.to_json() for tally in self.sides],
            "cube": [turn._asdict() for turn in self.cube],
        }


def compute_statistics(record: Record) -> Statistics:
    """Compute the figures of *record*, whose facts must be legal."""
    if not record.rules.automatic_doubles and PLAIN.issuperset(map(type, record.actions)):
        return Statistics(tuple(count_plain_facts(record)))
    return Statistics(tuple(count_any_facts(record)))


# Facts that can be counted without the match before and after them.
PLAIN: Final = frozenset({Opened, Rolled, Played, ResignOffered, ResignAccepted, *CUBE_WORDS})
# For each roll: whether it is a double, and its pips.
WORTH: Final = {dice: (dice.is_double, sum(dice.numbers)) for dice in ROLLS}


class _GameTally:
    """The figures of one game so far, with the last roll and the value of the cube, or of the offered one."""

    def __init__(self, number: int, board: Board) -> None:
        self.number = number
        self.plies, self.dice, self.value = 0, ROLLS[0], 1
        self.tallies = ([0] * len(FIGURES), [0] * len(FIGURES))
        self.cube: list[CubeTurn] = []
        self.place(board)
        self.pips = [(self.left[0], self.left[1])]

    def place(self, board: Board) -> None:
        self.points = (list(board.points(WHITE)), list(board.points(BLACK)))
        self.left = [board.pips(WHITE), board.pips(BLACK)]

    def follow(self, game: Game) -> None:
        self.place(game.board)
        self.plies, self.value = game.plies, game.offer or game.cube.value
        self.dice = game.dice or self.dice

    def count(self, action: Action) -> bool:
        """Count a fact; return True if it ends the game."""
        match action:
            case Played():
                return self._play(action.side, action.steps)
            case Rolled():
                self.plies, self.dice = self.plies + 1, action.dice
            case Opened():
                if action.white != action.black:
                    self.plies, self.dice = 1, Dice.from_numbers(action.white, action.black)
            case Doubled() | Beavered():
                self.value *= 2
                self._turn(action)
            case Took() | Dropped():
                self._turn(action)
                return isinstance(action, Dropped)
            case _:
                return isinstance(action, ResignAccepted)
        return False

    def _play(self, side: Side, steps: Iterable[Step]) -> bool:
        mine, theirs, left = self.points[side], self.points[1 - side], self.left
        played = hits = 0
        off = mine[OFF]
        for source, target in steps:
            mine[source] -= 1
            mine[target] += 1
            played += source - target
            if target and theirs[BAR - target]:
                theirs[BAR - target] -= 1
                theirs[BAR] += 1
                left[1 - side] += target
                hits += 1
        left[side] -= played
        self.pips.append((left[0], left[1]))
        is_double, given = WORTH[self.dice]
        tally = self.tallies[side]
        tally[0] += 1
        tally[1] += is_double
        tally[2] += given
        tally[3] += played
        tally[4] += hits
        tally[5] += not steps
        tally[6] += mine[OFF] - off
        return not left[side]

    def _turn(self, action: Doubled | Beavered | Took | Dropped) -> None:
        word = CUBE_WORDS[type(action)]
        self.cube.append(CubeTurn(self.number, self.plies + 1, action.side, word, self.value))

    def figures(self) -> GameStatistics:
        return GameStatistics(
            BySide(Tally(*self.tallies[0]), Tally(*self.tallies[1])), tuple(self.cube), tuple(self.pips)
        )


def count_plain_facts(record: Record) -> Iterator[GameStatistics]:
    """Yield the figures of each game; the facts must not need the match before and after them."""
    game = _GameTally(1, record.rules.start)
    for action in record.actions:
        if game.count(action):
            yield game.figures()
            game = _GameTally(game.number + 1, record.rules.start)
    if game.plies:
        yield game.figures()


def count_any_facts(record: Record) -> Iterator[GameStatistics]:
    """Yield the figures of each game, using the match before each fact."""
    for number, chapter in enumerate(record.chapters(), 1):
        game = _GameTally(number, chapter.moments[0].before.game.board)
        for moment in chapter.moments:
            if not isinstance(moment.action, Rolled):
                game.follow(moment.before.game)
                game.count(moment.action)
        yield game.figures()
