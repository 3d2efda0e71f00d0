"""The resolution of a written play on the board it was written for.

``13/7*/3``, ``6/1*(2)``, ``18/13 24/18``: one word may contain several steps, in any order, with hits marked
or not. `resolve_play` searches for the steps that bring each checker from its written source to its written
target. If there are none, it names the rule that the play breaks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, TypeAlias

from engine.board import BAR, HOME, OFF, Board, Step
from engine.dice import Dice, remove_die
from engine.movegen import find_bearoff_point, play_step, results
from engine.packed import HITS, LANE, SIZE, STEPS, list_counts, mirror_position, pack_counts
from engine.plays import Play, find_play_between, legal_plays
from engine.sheet import Hop
from engine.side import Side

# The written points of one checker; the first is its source.
Path: TypeAlias = tuple[int, ...]
# How many of the nearest legal plays are named.
SHOWN: Final = 3
# A function that makes a step with one die on a packed position, or returns None if it refuses.
Stepping: TypeAlias = "Callable[[int, int, int], int | None]"


@dataclass(frozen=True, slots=True)
class PlayFault:
    """The reason why a play is illegal.

    ``code`` is one of `engine.finding_codes`, and ``facts`` are values for its sentence.
    """

    code: str
    rule: str
    facts: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class ResolvedPlay:
    """A resolved play: the legal play it means, or the fault in it.

    ``board_after`` is also set for an illegal play that can be carried out at all. ``notes`` are the codes of
    oddities of a legal play; ``ambiguous`` means that another reading leads to another board.
    """

    before: Board
    play: Play | None = None
    fault: PlayFault | None = None
    board_after: Board | None = None
    notes: tuple[str, ...] = ()
    ambiguous: bool = False

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of the legal play; empty if it is not legal."""
        return self.play.steps if self.play else ()

    @property
    def board(self) -> Board:
        """The board after the legal play, or before it if it is not legal."""
        return self.play.board if self.play else self.before


def resolve_play(board: Board, side: Side, dice: Dice, hops: Sequence[Hop]) -> ResolvedPlay:
    """Find the play that *side*'s written *hops* mean with *dice*.

    >>> from engine.board import STANDARD
    >>> from engine.dice import Dice
    >>> from engine.formats.notation import parse_play
    >>> from engine.side import WHITE
    >>> resolve_play(STANDARD, WHITE, Dice(6, 5), parse_play("24/13")).steps
    (Step(source=24, target=18), Step(source=18, target=13))
    >>> resolve_play(STANDARD, WHITE, Dice(6, 5), parse_play("24/18 18/12")).fault.code
    'dice-mismatch'
    """
    position = board.seen_by(side)
    paths = [hop.points for hop in hops for _ in range(hop.times) if any(hop.points)]
    starred = {point for hop in hops for point in hop.starred}
    made, readings = _find_readings(position, paths, dice.numbers, play_step)
    if not readings:
        fault = _find_fault(position, paths, dice)
        return ResolvedPlay(board, fault=fault, board_after=_carry_out(position, side, paths))

    after, is_tied = readings[0], False
    if len(readings) > 1:
        after, is_tied = _choose_reading(position, readings, starred)
    if made < len(dice.numbers):
        used, found = results(position, dice.high, dice.low)
        if after not in found:
            return ResolvedPlay(
                board, fault=_build_unused_fault(made, used, dice), board_after=Board.seen(after, side)
            )
        made = used
    play = find_play_between(position, after, side, dice, made)
    notes = tuple(_list_oddities(play, side, dice, paths, starred))
    return ResolvedPlay(
        board, play, None, play.board, (*notes, "ambiguous-play") if is_tied else notes, len(readings) > 1
    )


def find_nearest_plays(board: Board, side: Side, dice: Dice, hops: Sequence[Hop]) -> tuple[str, ...]:
    """Return the notation of up to three legal plays whose results are most similar to that of *hops*.

    >>> from engine.board import STANDARD
    >>> from engine.dice import Dice
    >>> from engine.sheet import Hop
    >>> from engine.side import Side
    >>> find_nearest_plays(STANDARD, Side.WHITE, Dice(3, 1), [Hop((8, 5)), Hop((6, 4))])
    ('8/5 6/5', '8/4', '24/23 8/5')
    """
    wanted = list(board.points(side))
    for hop in hops:
        wanted[hop.points[0]] -= hop.times
        wanted[hop.points[-1]] += hop.times

    def compute_distance(play: Play) -> int:
        return sum(abs(a - b) for a, b in zip(wanted, play.board.points(side), strict=True))

    near = sorted(legal_plays(board, side, dice), key=compute_distance)
    return tuple(play.notation for play in near[:SHOWN] if play.steps)


def _choose_reading(position: int, readings: Sequence[int], starred: set[int]) -> tuple[int, bool]:
    """Return the reading that hits as marked, else the one that hits least; and if others are as good."""
    hits = [_find_hits(position, after) for after in readings]
    marks = [(each != starred, len(each - starred)) for each in hits]
    return readings[marks.index(min(marks))], marks.count(min(marks)) > 1


def _list_oddities(
    play: Play, side: Side, dice: Dice, paths: Sequence[Path], starred: set[int]
) -> Iterator[str]:
    """Yield the codes of oddities: a false or missing mark of a hit, one die used in place of both."""
    starred_points = {point for path in paths for point in path[1:]}
    if starred.difference(play.hits):
        yield "phantom-hit"
    if starred_points.intersection(play.hits) - starred:
        yield "missing-hit"
    # With 51, 3/off where 3/2*/off uses both dice: the game is won either way, with the same points.
    in_one = list(map(len, paths)) == [2] and paths[0][0] <= dice.high
    if in_one and play.hits and not starred and play.board.winner is side:
        yield "last-checker-die"


def _find_readings(
    position: int, paths: Sequence[Path], numbers: tuple[int, ...], step: Stepping
) -> tuple[int, list[int]]:
    """Return the most dice with which every checker can follow its path, and the resulting positions.

    The order of the words and of the dice does not matter; a checker may reach its next written point by any
    steps, but not pass it. When bearing off, a die may be larger than necessary.
    """
    if len(paths) > len(numbers):
        return 0, []
    found: dict[int, int] = {}
    seen: set[tuple[int, tuple[Path, ...], tuple[int, ...]]] = set()
    ways = [(position, tuple(sorted(paths)), numbers)]
    while ways:
        way = here, left, dice = ways.pop()
        if way in seen:
            continue
        seen.add(way)
        if not left:
            found[here] = max(found.get(here, 0), len(numbers) - len(dice))
        for path in dict.fromkeys(left):
            for die in dict.fromkeys(dice):
                target = max(path[0] - die, OFF)
                after = step(here, path[0], die) if target >= path[1] else None
                if after is not None:
                    ways.append((after, _advance_path(left, path, target), remove_die(dice, die)))
    most = max(found.values(), default=0)
    return most, [after for after, made in found.items() if made == most]


def _advance_path(paths: tuple[Path, ...], path: Path, target: int) -> tuple[Path, ...]:
    rest = path[1:] if target == path[1] else (target, *path[1:])
    index = paths.index(path)
    others = (*paths[:index], *paths[index + 1 :])
    return tuple(sorted((*others, rest))) if len(rest) > 1 else others


def _find_hits(before: int, after: int) -> set[int]:
    changed = ((before ^ after) >> 4 & LANE).to_bytes(SIZE, "little")
    return {point for point in range(1, BAR) if changed[point]}


def _build_unused_fault(made: int, used: int, dice: Dice) -> PlayFault:
    """Build the fault of a play that could have used more dice, or the other die."""
    if not made:
        return PlayFault("cannot-move-but-could", "R24")
    if made == used:
        return PlayFault("smaller-die", "R21")
    return PlayFault("partial-play", "R22" if dice.is_double else "R19")


def _find_fault(position: int, paths: Sequence[Path], dice: Dice) -> PlayFault:
    """Find the first rule that an illegal play breaks."""
    if any(target >= source for path in paths for source, target in pairwise(path)):
        return PlayFault("backwards", "R17")
    points = list(list_counts(position))
    for path in paths:
        points[path[0]] -= 1
        points[path[-1]] += 1
    if any(path[-1] == OFF for path in paths) and any(number > 0 for number in points[HOME + 1 :]):
        return PlayFault("early-bearoff", "R32")
    missing = next((point for point in range(1, BAR + 1) if points[point] < 0), None)
    if missing is not None:
        return PlayFault("empty-source", "R01", {"point": _describe_point(missing)})
    for code, rule, step in _RULES:
        if not _find_readings(position, paths, dice.numbers, step)[1]:
            return PlayFault(code, rule, _build_fault_facts(code, position, paths, dice))
    return PlayFault("illegal-play", "R12")


def _build_fault_facts(code: str, position: int, paths: Sequence[Path], dice: Dice) -> dict[str, str]:
    """Return the point that a fault is about: the one that is blocked, or the one borne off from."""
    if code == "blocked":
        landings = [point for path in paths for point in path[1:]]
        # A double may be blocked at its second or third step, or between two written points.
        steps = [dice.high * times for times in (1, 2, 3)] if dice.is_double else [*dice]
        passed = [point - step for path in paths for point in path for step in steps]
        points = [point for point in landings + passed if _count_theirs(position, point) > 1]
    elif code == "wrong-bearoff":
        points = sorted(path[0] for path in paths if path[-1] == OFF)
    else:
        return {}
    return {"point": next(map(_describe_point, points), "a point on the way")}


def _describe_point(point: int) -> str:
    return "the bar" if point == BAR else f"point {point}"


def _carry_out(position: int, side: Side, paths: Sequence[Path]) -> Board | None:
    """Return the board after a play that breaks a rule, None if the checkers cannot be moved that way."""
    mine, theirs = list(list_counts(position)), list(list_counts(mirror_position(position)))
    for path in paths:
        mine[path[0]] -= 1
        mine[path[-1]] += 1
        for point in path[1:]:
            other = BAR - point
            if point == BAR or (point and theirs[other] > 1):
                return None
            if point and theirs[other]:
                theirs[other] -= 1
                theirs[BAR] += 1
    return Board.seen(pack_counts(mine, theirs), side) if min(mine) >= 0 else None


def _count_theirs(position: int, point: int) -> int:
    return position >> 8 * point + 4 & 15 if 0 < point < BAR else 0


# Each step function checks one rule alone: the first rule that a play breaks is reported.


def _step_by_dice(position: int, source: int, die: int) -> int | None:
    if not position >> 8 * source & 15:
        return None
    return position + (HITS if _count_theirs(position, source - die) == 1 else STEPS)[die][source]


def _step_from_bar_first(position: int, source: int, die: int) -> int | None:
    return None if position >> 8 * BAR & 15 and source != BAR else _step_by_dice(position, source, die)


def _step_unless_blocked(position: int, source: int, die: int) -> int | None:
    return None if _count_theirs(position, source - die) > 1 else _step_by_dice(position, source, die)


def _step_if_bearoff_fits(position: int, source: int, die: int) -> int | None:
    if source <= die and find_bearoff_point(position & LANE, die) != source:
        return None
    return _step_by_dice(position, source, die)


_RULES: Final[tuple[tuple[str, str, Stepping], ...]] = (
    ("dice-mismatch", "R12", _step_by_dice),
    ("bar-ignored", "R26", _step_from_bar_first),
    ("blocked", "R14", _step_unless_blocked),
    ("wrong-bearoff", "R34", _step_if_bearoff_fits),
)
