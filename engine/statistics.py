"""Statistics of a match that need no analysis of the play: rolls, pips, hits, dances, the cube."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final, cast

from engine.actions import (
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
from engine.board import BAR, OFF
from engine.dice import ROLLS, Dice
from engine.side import BLACK, WHITE, BySide, Side

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from engine.actions import Action
    from engine.board import Board, Step
    from engine.record import Moment, Record


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
        """Pips of the dice that could not be used."""
        return self.pips_rolled - self.pips_played

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, name) + getattr(other, name) for name in FIGURES))

    def to_json(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in FIGURES} | {"wastage": self.wastage}


FIGURES: Final = tuple(each.name for each in fields(Tally))


@dataclass(frozen=True, slots=True)
class CubeTurn:
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
        """Every cube action in order."""
        return tuple(turn for game in self.games for turn in game.cube)

    def to_json(self) -> dict[str, Any]:
        """Serialize the totals and the cube history."""
        return {
            "sides": [tally.to_json() for tally in self.sides],
            "cube": [
                {
                    "game": turn.game,
                    "ply": turn.ply,
                    "side": turn.side,
                    "word": turn.word,
                    "value": turn.value,
                }
                for turn in self.cube
            ],
        }


def compute_statistics(record: Record) -> Statistics:
    """Compute the figures of *record*, whose facts must be legal."""
    if not record.rules.automatic_doubles and PLAIN.issuperset(map(type, record.actions)):
        return Statistics(tuple(count_plain_facts(record)))
    return Statistics(tuple(count_any_facts(record)))


WORDS: Final[dict[type[Action], str]] = {Doubled: "double", Beavered: "beaver", Took: "take", Dropped: "drop"}
# Facts that can be counted without the match before and after them.
PLAIN: Final = frozenset({Opened, Rolled, Played, ResignOffered, ResignAccepted, *WORDS})
# For each roll: whether it is a double, and its pips.
WORTH: Final = {dice: (dice.is_double, sum(dice.numbers)) for dice in ROLLS}


class _GameTally:
    """The figures of one game so far."""

    def __init__(self, number: int, board: Board) -> None:
        self.number = number
        self.tallies = ([0] * len(FIGURES), [0] * len(FIGURES))
        self.cube: list[CubeTurn] = []
        self.place(board)
        self.pips = [(self.left[0], self.left[1])]

    def place(self, board: Board) -> None:
        self.points = (list(board.points(WHITE)), list(board.points(BLACK)))
        self.left = [board.pips(WHITE), board.pips(BLACK)]

    def play(self, side: Side, dice: Dice, steps: Iterable[Step]) -> bool:
        """Count a play; return True if it ended the game."""
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
        is_double, given = WORTH[dice]
        tally = self.tallies[side]
        tally[0] += 1
        tally[1] += is_double
        tally[2] += given
        tally[3] += played
        tally[4] += hits
        tally[5] += not steps
        tally[6] += mine[OFF] - off
        return not left[side]

    def turn(self, ply: int, action: Doubled | Beavered | Took | Dropped, value: int) -> None:
        """Add a cube action."""
        self.cube.append(CubeTurn(self.number, ply, action.side, WORDS[type(action)], value))

    def take(self, moment: Moment) -> None:
        """Count a fact with the match before and after it."""
        before, after = moment.before.game, moment.after.game
        match moment.action:
            case Played(side=side, steps=steps):
                self.place(before.board)
                self.play(side, cast("Dice", before.dice), steps)  # a play always has dice
            case Doubled() | Beavered():
                self.turn(before.plies + 1, moment.action, after.offer)
            case Took():
                self.turn(before.plies + 1, moment.action, after.cube.value)
            case Dropped():
                self.turn(before.plies + 1, moment.action, before.offer)
            case _:
                pass

    def figures(self) -> GameStatistics:
        return GameStatistics(
            BySide(Tally(*self.tallies[0]), Tally(*self.tallies[1])), tuple(self.cube), tuple(self.pips)
        )


def count_plain_facts(record: Record) -> Iterator[GameStatistics]:
    """Yield the figures of each game; the facts must not need the match before and after them."""
    board, number = record.rules.start, 1
    game, plies, cube, dice = _GameTally(number, board), 0, 1, ROLLS[0]
    for action in record.actions:
        ended = False
        match action:
            case Played():
                ended = game.play(action.side, dice, action.steps)
            case Rolled():
                plies, dice = plies + 1, action.dice
            case Opened():
                if action.white != action.black:
                    plies, dice = 1, Dice.from_numbers(action.white, action.black)
            case Doubled() | Beavered():
                cube *= 2
                game.turn(plies + 1, action, cube)
            case Took() | Dropped():
                game.turn(plies + 1, action, cube)
                ended = isinstance(action, Dropped)
            case _:
                ended = isinstance(action, ResignAccepted)
        if ended:
            yield game.figures()
            number += 1
            game, plies, cube = _GameTally(number, board), 0, 1
    if plies:
        yield game.figures()


def count_any_facts(record: Record) -> Iterator[GameStatistics]:
    """Yield the figures of each game, using the match before and after each fact."""
    for number, chapter in enumerate(record.chapters(), 1):
        game = _GameTally(number, chapter.moments[0].before.game.board)
        for moment in chapter.moments:
            game.take(moment)
        yield game.figures()
