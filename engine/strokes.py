"""Written plays as numbers: the delta that a play adds to the board, and the mask that detects faults.

A stroke is computed once for each written play and is the same at each occurrence, so that a whole game is
one addition and one AND for each play. A play that uses every die is legal if each step is: no other play
could use more. Only results with bits under the mask are examined: an unmarked hit, the end of the game, a
play that leaves dice, or a fault.

The board is one integer here, one byte for each point as in `engine.packed`, White's checkers in the low half
and Black's in the high half, both in White's numbering. Moving a checker that is not there borrows from the
next byte, which sets the guard bit in its own; so does bearing off the last checker, since those off are
counted up to 16.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from engine.actions import Played, Rolled
from engine.board import OFF, Step
from engine.dice import Dice
from engine.packed import LANE, SIZE, fill_bytes, list_counts, mirror_position
from engine.side import BLACK, WHITE, Side

HIGH: Final = 8 * SIZE
WHITES: Final = (1 << HIGH) - 1
GUARD: Final = 0x10
FULL: Final = 16


def compute_shift(side: Side, point: int) -> int:
    """Return the shift, in bits, of the count of *side* on its own *point*."""
    return HIGH + 8 * (25 - point) if side else 8 * point


# One more checker off for both sides, on this board and on a packed position.
BOTH_OFF: Final = (1 << compute_shift(WHITE, OFF)) + (1 << compute_shift(BLACK, OFF))
BOTH_OFF_PACKED: Final = 1 | 0x10 << 8 * 25
GUARDS: Final = fill_bytes(GUARD) | fill_bytes(GUARD) << HIGH
# Added to the board, this raises a flag on each point with two or more, and on a bar with one.
SHUT: Final = (
    fill_bytes(14)
    + (fill_bytes(14) << HIGH)
    + (1 << compute_shift(WHITE, 25))
    + (1 << compute_shift(BLACK, 25))
)
# For each side: one checker on the bar, the last one borne off, one checker of the other side on each point.
WAITING: Final = (1 << compute_shift(WHITE, 25), 1 << compute_shift(BLACK, 25))
GONE: Final = (GUARD << compute_shift(WHITE, OFF), GUARD << compute_shift(BLACK, OFF))
BLOTS: Final = (fill_bytes(1, 1, 24) << HIGH, fill_bytes(1, 1, 24))


class Hop(NamedTuple):
    """One written word of a play: ``24/18*/13(2)`` is points (24, 18, 13), starred (18,), times 2."""

    points: tuple[int, ...]
    starred: tuple[int, ...] = ()
    times: int = 1


class StrokeDetails(NamedTuple):
    """The details of a play that its delta and mask do not show.

    ``left`` is the number of steps of a play that leaves dice, None if one checker moves with two dice in an
    order that the text does not show. ``mask`` is the one that the board must pass. ``shut`` are the flags
    (see `SHUT`) that are raised if a checker is on the bar and the remaining dice cannot enter it.
    """

    dice: Dice
    left: int | None
    mask: int
    shut: int = 0


# The delta; the mask under which the result must have no bits; the details of a play that is examined anyway.
Stroke: TypeAlias = "tuple[int, int, StrokeDetails | None]"
# The delta of a hop; its mask; the delta of a marked hit; its source and its target.
_Adds: TypeAlias = tuple[int, int, int, int, int]
_Hops: TypeAlias = "dict[Hop | str, _Adds]"
# The mask of a play that always has to be examined.
LOOK: Final = -1


def widen_position(position: int) -> tuple[int, int]:
    """Return White's packed *position* as a board of this module, and how many were added to those off."""
    more = FULL - sum(list_counts(position))
    return (position & LANE) + ((position >> 4 & LANE) << HIGH) + more * BOTH_OFF, more


def narrow_board(board: int, more: int) -> int:
    """Convert *board* to White's packed position."""
    return (board & WHITES) + (board >> HIGH << 4) - more * BOTH_OFF_PACKED


def narrow_for_side(board: int, more: int, side: Side) -> int:
    """Convert *board* to the packed position that *side* sees."""
    position = narrow_board(board, more)
    return mirror_position(position) if side else position


def compile_stroke(side: Side, dice: tuple[int, int] | None, hops: Sequence[Hop]) -> Stroke | None:
    """Compile a written play; None for impossible dice and for hops of more than one die."""
    if any(hop.times > 1 for hop in hops):
        hops = [hop._replace(times=1) for hop in hops for _ in range(hop.times)]
    return compile_words(side, dice, hops)


def compile_words(
    side: Side, dice: tuple[int, int] | None, words: Sequence[Hop] | Sequence[str]
) -> Stroke | None:
    """Compile a play whose words are all single hops.

    >>> compile_words(WHITE, (6, 5), ["24/18", "13/8"]) == compile_words(WHITE, (6, 5), ["13/8", "24/18"])
    True
    """
    tables = _TABLES[side].get(dice)
    if tables is None:
        return None
    one, other, rolled = tables
    if len(words) != 2 or one is other:
        return _compile_other_play(side, rolled, words)
    # Two different dice, in either order.
    first, second = words
    if first not in one or second not in other:
        one, other = other, one
        if first not in one or second not in other:
            return None
    step, mask, hit, source, target = one[first]
    step2, mask2, hit2, source2, target2 = other[second]
    if hit or hit2:
        step += hit if hit == hit2 else hit + hit2
    in_one = target == source2 or target2 == source
    if in_one and max(source, source2) - max(target, target2) != rolled.high:
        return step + step2, LOOK, StrokeDetails(rolled, None, mask | mask2)
    return step + step2, mask | mask2, None


def _compile_other_play(side: Side, dice: Dice, words: Sequence[Hop] | Sequence[str]) -> Stroke | None:
    """Compile a double, or a play that leaves dice."""
    high, low, _ = _TABLES[side][dice]
    if not words:
        return 0, LOOK, StrokeDetails(dice, 0, 0, _build_shut_flags(side, *dice))
    # The lower die has the weaker condition for bearing off.
    hops = [hop for word in words if (hop := low.get(word) or high.get(word))]
    if len(hops) > len(dice.numbers) or len(hops) < len(words):
        return None
    mask, step, hits = 0, 0, set[int]()
    for adds, needs, hit, _, _ in hops:
        step += adds
        mask |= needs
        hits.add(hit)
    step += sum(hits)  # a checker met twice on a point is hit once
    if len(hops) == 4:
        return step, mask, None
    shut = 0
    if high is not low and hops[0][3] == 25:
        shut = _build_shut_flags(side, dice.high if words[0] in low else dice.low)
    return step, LOOK, StrokeDetails(dice, len(hops), mask, shut)


def _build_shut_flags(side: Side, *dice: int) -> int:
    """Build the flags that are raised if a checker is on the bar and *dice* cannot enter it."""
    flags = GUARD << compute_shift(side, 25)
    for die in dice:
        flags |= GUARD << compute_shift(side.other, die)
    return flags


def _build_hops(side: Side, die: int) -> _Hops:
    """Build every hop of *die*, by its points and by its word."""
    hops: _Hops = {}
    for source in range(1, 26):
        target = max(0, source - die)
        step = (1 << compute_shift(side, target)) - (1 << compute_shift(side, source))
        mask = GUARDS | _build_clear_mask(side, source, die)
        hit = 0
        if target:
            there = compute_shift(side.other, 25 - target)
            mask |= 0x0F << there
            hit = (1 << compute_shift(side.other, 25)) - (1 << there)
        for word, hop in _list_spellings(source, target):
            hops[word] = hops[hop] = step, mask, hit if hop.starred else 0, source, target
    return hops


def _list_spellings(source: int, target: int) -> Iterator[tuple[str, Hop]]:
    yield f"{source}/{target}", Hop((source, target))
    if target:
        yield f"{source}/{target}*", Hop((source, target), (target,))


def _build_clear_mask(side: Side, source: int, die: int) -> int:
    """Build the mask of points that must be empty after a hop: the bar (R26), unless it was from there.

    A checker borne off exactly needs all the others home (R32); one borne off with a higher die, no checker
    on a higher point (R35). The condition also holds at the end of the play, since all higher checkers have
    moved by then.
    """
    if source == 25:
        return 0
    first = 25 if source > die else 7 if source == die else source + 1
    return sum(0x0F << compute_shift(side, point) for point in range(first, 26))


def _build_tables(side: Side) -> dict[tuple[int, int] | None, tuple[_Hops, _Hops, Dice]]:
    hops = {die: _build_hops(side, die) for die in range(1, 7)}
    return {(a, b): (hops[a], hops[b], Dice.from_numbers(a, b)) for a in hops for b in hops}


# For each side, by the dice as written.
_TABLES: Final = (_build_tables(WHITE), _build_tables(BLACK))
# The hops of the words that `compile_words` knows.
PLAIN_HOPS: Final = {
    word: said
    for source in range(1, 26)
    for target in range(source)
    for word, said in _list_spellings(source, target)
}


def list_steps(hops: Iterable[Hop]) -> tuple[Step, ...]:
    """Return the steps of a play of one hop a die in canonical order, the highest source first."""
    steps = [Step(hop.points[0], hop.points[1]) for hop in hops for _ in range(hop.times)]
    return tuple(sorted(steps, key=lambda step: (-step.source, step.target)))


def build_facts(side: Side, dice: tuple[int, int] | None, hops: Iterable[Hop]) -> tuple[Rolled, Played]:
    first, second = dice or (0, 0)  # without dice there is no stroke
    return Rolled(side, Dice.from_numbers(first, second)), Played(side, list_steps(hops))
