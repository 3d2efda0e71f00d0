"""The legal plays of a roll, one for each distinct board it can lead to.

>>> from engine.board import STANDARD
>>> from engine.side import Side
>>> plays = legal_plays(STANDARD, Side.WHITE, Dice(3, 1))
>>> len(plays), plays.dice_used, plays[0].notation
(16, 2, '24/23 13/10')
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from operator import attrgetter
from typing import Final, NamedTuple, overload

from engine.board import BAR, OFF, Board, Step, format_point
from engine.dice import ROLLS, Dice
from engine.movegen import play_step, results
from engine.packed import LANE, SIZE, STEPS, THEIR_BAR, is_blot, is_over, mirror_position
from engine.side import Side


def format_steps(steps: Iterable[Step], hits: Iterable[int] = ()) -> str:
    """Format *steps* as one word for each checker, the rearmost first; a star marks a hit.

    >>> from engine.board import Step
    >>> format_steps([Step(8, 5), Step(6, 1), Step(6, 1)], [1]), format_steps([Step(13, 7), Step(7, 3)], [7])
    ('8/5 6/1*(2)', '13/7*/3')
    """
    left = set(hits)
    starred: set[tuple[int, ...]] = set()
    words: Counter[tuple[int, ...]] = Counter()
    for run in _list_runs(steps):
        # Intermediate points are written only if the checker hits there.
        shown = (run[0], *(point for point in run[1:-1] if point in left), run[-1])
        if run[-1] in left:
            starred.add(shown)
        left.difference_update(run[1:])
        words[shown] += 1
    return " ".join(
        _format_word(points, points in starred, times)
        for points, times in sorted(words.items(), reverse=True)
    )


def _list_runs(steps: Iterable[Step]) -> list[list[int]]:
    """Return the points each checker touches, joining a step to one that ended where it begins.

    The order of the steps does not matter: 20/17 and then 22/20 lead to the same board as 22/17. Bearing off
    is not joined: ``6/off`` would not show whether one die was used or two.
    """
    runs: list[list[int]] = []
    for source, target in sorted(steps, reverse=True):
        run = next((run for run in runs if run[-1] == source), None) if target else None
        if run is None:
            runs.append([source, target])
        else:
            run.append(target)
    return runs


def _format_word(points: tuple[int, ...], starred: bool, times: int) -> str:
    stops = "*/".join(map(format_point, points[1:]))
    return f"{format_point(points[0])}/{stops}{'*' * starred}{f'({times})' if times > 1 else ''}"


_STEPS: Final = tuple(
    tuple(Step(source, max(source - die, OFF)) for source in range(SIZE)) for die in range(7)
)


class Play(NamedTuple):
    """A play of a roll: one step for each die that is used, in a playable order; none for a dance (R23).

    ``hits`` are the points, in the mover's numbering, on which a blot is hit; ``board`` is the resulting one.
    """

    steps: tuple[Step, ...]
    hits: tuple[int, ...]
    board: Board

    @property
    def notation(self) -> str:
        """The play as players write it: ``24/18 13/8*``."""
        return format_steps(self.steps, self.hits)


class Plays(Sequence[Play]):
    """The legal plays of one roll, as `legal_plays` returns them; at least one, which may be empty.

    Their number and the resulting boards are known at once. The plays themselves are computed lazily and
    sorted by their steps, the rearmost checkers first.
    """

    __slots__ = ("_dice", "_plays", "_position", "_results", "_side", "dice_used")

    def __init__(
        self, position: int, side: Side, dice: Dice, dice_used: int, results: Collection[int]
    ) -> None:
        self.dice_used = dice_used
        self._position = position
        self._side = side
        self._dice = dice
        self._results = results
        self._plays: list[Play] | None = None

    def __len__(self) -> int:
        return len(self._results)

    @overload
    def __getitem__(self, index: int) -> Play: ...
    @overload
    def __getitem__(self, index: slice) -> list[Play]: ...
    def __getitem__(self, index: int | slice) -> Play | list[Play]:
        if self._plays is None:
            self._plays = sorted(map(self._build_play, self._results), reverse=True, key=attrgetter("steps"))
        return self._plays[index]

    def __repr__(self) -> str:
        return f"<{len(self)} plays of {self._dice}>"

    def results(self) -> tuple[Board, ...]:
        """Return the distinct boards the plays lead to, in no particular order."""
        return tuple([Board.seen(after, self._side) for after in self._results])

    def to(self, board: Board) -> Play | None:
        after = board.seen_by(self._side)
        return self._build_play(after) if after in self._results else None

    def _build_play(self, after: int) -> Play:
        return find_play_between(self._position, after, self._side, self._dice, self.dice_used)


def find_play_between(before: int, after: int, side: Side, dice: Dice, used: int) -> Play:
    """Return the play between two packed positions that is legal with *used* of the dice."""
    steps = _find_steps_between(before, after, dice, used)
    hits: Iterable[int] = ()
    if (before ^ after) & THEIR_BAR:
        hits = sorted({target for _, target in steps if is_blot(before, target)}, reverse=True)
    return Play(steps, tuple(hits), Board.seen(after, side))


def legal_plays(board: Board, side: Side, dice: Dice) -> Plays:
    """Return *side*'s legal plays with *dice* (R12 to R39)."""
    position = board.seen_by(side)
    return Plays(position, side, dice, *results(position, dice.high, dice.low))


def is_legal(board: Board, side: Side, dice: Dice, steps: Sequence[Step]) -> bool:
    """True if *side* may make *steps*, in this order, with *dice*.

    >>> from engine.board import STANDARD
    >>> from engine.side import Side
    >>> is_legal(STANDARD, Side.WHITE, Dice(6, 5), [Step(24, 18), Step(18, 13)])
    True
    >>> is_legal(STANDARD, Side.WHITE, Dice(6, 5), [Step(24, 18)])
    False
    """
    position = board.seen_by(side)
    after = play_steps(position, dice, steps)
    if after is None:
        return False
    if len(steps) == len(dice.numbers):  # no play could use more
        return True
    used, found = results(position, dice.high, dice.low)
    return used == len(steps) and after in found


def perft(board: Board, side: Side, depth: int) -> int:
    """Count the positions after *depth* rolls: all 21 rolls, each distinct result, the sides alternating.

    A roll that cannot be played leads to one position; a finished game counts once.
    """
    level, count = {board.seen_by(side): 1}, 0
    for left in reversed(range(depth)):
        deeper: dict[int, int] = {}
        for position, ways in level.items():
            if is_over(position):
                count += ways
                continue
            for high, low in ROLLS:
                found = results(position, high, low)[1]
                if left:
                    for after in found:
                        deeper[after] = deeper.get(after, 0) + ways
                else:
                    count += ways * len(found)
        level = {mirror_position(position): ways for position, ways in deeper.items()}
    return count if depth else 1


def play_steps(position: int, dice: Dice, steps: Iterable[Step]) -> int | None:
    """Return the position after *steps* one by one, None if one of them cannot be made."""
    left = list(dice.numbers)
    after = position
    for source, target in steps:
        die = source - target
        if target == OFF and die not in left and left and left[0] > source:
            die = left[0]  # R35
        if die not in left or not OFF <= target < source <= BAR:
            return None
        left.remove(die)
        moved = play_step(after, source, die)
        if moved is None:
            return None
        after = moved
    return after


def _find_steps_between(before: int, after: int, dice: Dice, used: int) -> tuple[Step, ...]:
    """Return the steps of a legal play, the highest source first, an order that is always playable."""
    if dice.high == dice.low:
        return _find_double_steps(before, after, dice.high, used)
    high_first, low_first = dice.numbers[:used], dice.numbers[::-1][:used]
    return _find_steps_in_order(before, after, high_first) or _find_steps_in_order(before, after, low_first)


def _find_double_steps(before: int, after: int, die: int, used: int) -> tuple[Step, ...]:
    """Return the steps of a double: all have one length, so the departures and arrivals determine them."""
    left = (before & LANE) - (after & LANE)
    named, moved = _STEPS[die], STEPS[die]
    steps: list[Step] = []
    for _ in range(used):
        source = left.bit_length() + 4 >> 3
        steps.append(named[source])
        left += moved[source]
    return tuple(steps)


def _find_steps_in_order(before: int, after: int, numbers: Iterable[int]) -> tuple[Step, ...]:
    """Return the steps with the dice in this order; empty if they do not lead to *after*."""
    steps: list[Step] = []
    position = before
    for die in numbers:
        # The highest point that more checkers leave than arrive at.
        source = ((position & LANE) - (after & LANE)).bit_length() + 4 >> 3
        moved = play_step(position, source, die)
        if moved is None:
            return ()
        steps.append(_STEPS[die][source])
        position = moved
    return tuple(steps) if position == after else ()
