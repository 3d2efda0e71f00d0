"""What can be counted in a match without asking who played well: rolls, pips, hits, dances, the cube."""

from __future__ import annotations

from dataclasses import dataclass, fields
from operator import mul
from typing import TYPE_CHECKING, Any, Final, cast

from engine.actions import Beavered, Doubled, Dropped, Played, Took
from engine.side import BLACK, WHITE, BySide, Side
from engine.step import BAR, OFF

if TYPE_CHECKING:
    from engine.actions import Action
    from engine.board import Board
    from engine.dice import Dice
    from engine.record import Chapter, Moment, Record


@dataclass(frozen=True, slots=True)
class Tally:
    """One side's figures; those of two games may be added.

    >>> (Tally(rolls=3, hits=1) + Tally(rolls=2)).rolls
    5
    """

    rolls: int = 0
    doubles: int = 0
    # What the dice gave, and what of it was used: the rest could not be played, or went past the edge.
    pips_rolled: int = 0
    pips_played: int = 0
    hits: int = 0
    # Rolls with which nothing could be played.
    dances: int = 0
    borne_off: int = 0

    @property
    def wastage(self) -> int:
        """Pips that the dice gave and nobody could use."""
        return self.pips_rolled - self.pips_played

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, name) + getattr(other, name) for name in FIGURES))

    def to_json(self) -> dict[str, int]:
        """Return the figures by name."""
        return {name: getattr(self, name) for name in FIGURES} | {"wastage": self.wastage}


FIGURES: Final = tuple(each.name for each in fields(Tally))


@dataclass(frozen=True, slots=True)
class CubeTurn:
    """A word about the cube: who, what, before which roll, and the value offered or accepted."""

    game: int
    ply: int
    side: Side
    word: str
    value: int


@dataclass(frozen=True, slots=True)
class GameStatistics:
    """One game in figures; *pips* are both pip counts at the start and after every play."""

    sides: BySide[Tally]
    cube: tuple[CubeTurn, ...]
    pips: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Statistics:
    """A match in figures, game by game and in all."""

    games: tuple[GameStatistics, ...]

    @property
    def sides(self) -> BySide[Tally]:
        """What each side comes to over all games."""
        total = BySide(Tally(), Tally())
        for game in self.games:
            total = BySide(total.white + game.sides.white, total.black + game.sides.black)
        return total

    @property
    def cube(self) -> tuple[CubeTurn, ...]:
        """Every word about the cube in its order."""
        return tuple(turn for game in self.games for turn in game.cube)

    def to_json(self) -> dict[str, Any]:
        """Return the totals and the history of the cube as JSON's plain values."""
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


def count(record: Record) -> Statistics:
    """Return the figures of *record*."""
    return Statistics(tuple(_game(number, chapter) for number, chapter in enumerate(record.chapters(), 1)))


def _game(number: int, chapter: Chapter) -> GameStatistics:
    sides = BySide(Tally(), Tally())
    cube: list[CubeTurn] = []
    board = chapter.moments[0].before.game.board
    pips = [(board.pips(WHITE), board.pips(BLACK))]
    for moment in chapter.moments:
        match moment.action:
            case Played(side=side):
                tally, left = _played(moment, moment.action)
                sides = sides.put(side, sides[side] + tally)
                pips.append(left)
            case Doubled(side=side) | Beavered(side=side):
                cube.append(_turn(number, moment, side, moment.after.game.offer))
            case Took(side=side):
                cube.append(_turn(number, moment, side, moment.after.game.cube.value))
            case Dropped(side=side):
                cube.append(_turn(number, moment, side, moment.before.game.offer))
            case _:
                pass
    return GameStatistics(sides, tuple(cube), tuple(pips))


WORDS: Final[dict[type[Action], str]] = {Doubled: "double", Beavered: "beaver", Took: "take", Dropped: "drop"}


def _turn(number: int, moment: Moment, side: Side, value: int) -> CubeTurn:
    return CubeTurn(number, moment.before.game.plies + 1, side, WORDS[type(moment.action)], value)


def _played(moment: Moment, played: Played) -> tuple[Tally, tuple[int, int]]:
    """Return the figures of one play, and both pip counts after it."""
    game, side = moment.before.game, played.side
    dice = cast("Dice", game.dice)  # nobody plays without
    before, after = game.board, _after(moment, played)
    mine, theirs = before.points(side), before.points(side.other)
    mine_after, theirs_after = after.points(side), after.points(side.other)
    left, others = _pips(mine_after), _pips(theirs_after)
    tally = Tally(
        rolls=1,
        doubles=int(dice.is_double),
        pips_rolled=sum(dice.numbers),
        pips_played=_pips(mine) - left,
        hits=theirs_after[BAR] - theirs[BAR],
        dances=int(not played.steps),
        borne_off=mine_after[OFF] - mine[OFF],
    )
    return tally, (left, others) if side is WHITE else (others, left)


def _after(moment: Moment, played: Played) -> Board:
    """Return the board after a play. If it was the last one, the next game's has been laid out since."""
    before, after = moment.before, moment.after
    if len(after.results) == len(before.results):
        return after.game.board
    return before.game.board.moved(played.side, played.steps)


def _pips(points: tuple[int, ...]) -> int:
    return sum(map(mul, range(len(points)), points))
