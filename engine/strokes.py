"""Written plays as numbers: what a play adds to the board, and the mask that says whether it was legal.

A stroke is worked out once for each written play and is the same wherever that stands, so that a whole game is an
addition and an AND a play. A play that uses every die is legal if each step is: nothing else could use more. Only what a
mask leaves over has to be looked at: a hit without a mark, the end of the game, a play that leaves dice, or a fault.

The board is one integer here, a byte a point as in `engine.packed`, White's checkers in the low half and Black's in the high
half, both on White's numbering. A checker that is not there borrows from the next byte, which sets the guard in its own; so
does the last one that is borne off, since those off are counted up to 16.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from engine.actions import Played, Rolled
from engine.dice import Dice
from engine.packed import LANE, SIZE, counts, every, turned
from engine.side import BLACK, WHITE, Side
from engine.step import OFF, Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


HIGH: Final = 8 * SIZE
WHITES: Final = (1 << HIGH) - 1
GUARD: Final = 0x10
FULL: Final = 16


def at(side: Side, point: int) -> int:
    """Shift, in bits, of the count of *side* on its own *point*."""
    return HIGH + 8 * (25 - point) if side else 8 * point


# One more of both sides off, on this board and on a packed position.
BOTH_OFF: Final = (1 << at(WHITE, OFF)) + (1 << at(BLACK, OFF))
BOTH_OFF_PACKED: Final = 1 | 0x10 << 8 * 25
GUARDS: Final = every(GUARD) | every(GUARD) << HIGH
# Added to the board this raises a flag on each point with two or more, and on a bar with one.
SHUT: Final = every(14) + (every(14) << HIGH) + (1 << at(WHITE, 25)) + (1 << at(BLACK, 25))
# For each side: one checker on the bar, the last one borne off, one checker of the other side on each point.
WAITING: Final = (1 << at(WHITE, 25), 1 << at(BLACK, 25))
GONE: Final = (GUARD << at(WHITE, OFF), GUARD << at(BLACK, OFF))
BLOTS: Final = (every(1, 1, 24) << HIGH, every(1, 1, 24))


class Hop(NamedTuple):
    """One written word of a play: ``24/18*/13(2)`` is points (24, 18, 13), starred (18,), times 2."""

    points: tuple[int, ...]
    starred: tuple[int, ...] = ()
    times: int = 1


class Rest(NamedTuple):
    """What is more to say of a play than that it used all its dice.

    ``left`` is the number of steps of a play that leaves dice, None where one checker moves with two dice whose order
    its text does not show. ``mask`` is the one that the board must pass. ``shut`` are flags that are raised (see `SHUT`)
    where the rest of the dice has nowhere to enter, and a checker waits on the bar.
    """

    dice: Dice
    left: int | None
    mask: int
    shut: int = 0


# What is added to the board; the mask under which nothing may be left of what comes out.
Stroke: TypeAlias = "tuple[int, int, Rest | None]"
# What a hop adds; the mask under which nothing may be left; what a hit that is marked adds; its source and its target.
_Adds: TypeAlias = tuple[int, int, int, int, int]
_Hops: TypeAlias = "dict[Hop | str, _Adds]"
# The mask of a play that no board lets pass.
LOOK: Final = -1


def widened(position: int) -> tuple[int, int]:
    """Return White's packed *position* as a board of this module, and how much more than there are is counted as off."""
    more = FULL - sum(counts(position))
    return (position & LANE) + ((position >> 4 & LANE) << HIGH) + more * BOTH_OFF, more


def narrowed(board: int, more: int) -> int:
    """Return *board* as White's packed position."""
    return (board & WHITES) + (board >> HIGH << 4) - more * BOTH_OFF_PACKED


def seen(board: int, more: int, side: Side) -> int:
    """Return *board* as the packed position that *side* sees."""
    position = narrowed(board, more)
    return turned(position) if side else position


def stroke_of(side: Side, dice: tuple[int, int] | None, hops: Sequence[Hop]) -> Stroke | None:
    """Compile a written play; None for dice that cannot be and hops that are not one die each."""
    if any(hop.times > 1 for hop in hops):
        hops = [hop._replace(times=1) for hop in hops for _ in range(hop.times)]
    return stroke_of_words(side, dice, hops)


def stroke_of_words(
    side: Side, dice: tuple[int, int] | None, words: Sequence[Hop] | Sequence[str]
) -> Stroke | None:
    """Return the same of plain words.

    >>> stroke_of_words(WHITE, (6, 5), ["24/18", "13/8"]) == stroke_of_words(WHITE, (6, 5), ["13/8", "24/18"])
    True
    """
    tables = _TABLES[side].get(dice)
    if tables is None:
        return None
    one, other, rolled = tables
    if len(words) != 2 or one is other:
        return _other(side, rolled, words)
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
        return step + step2, LOOK, Rest(rolled, None, mask | mask2)
    return step + step2, mask | mask2, None


def _other(side: Side, dice: Dice, words: Sequence[Hop] | Sequence[str]) -> Stroke | None:
    """Return the stroke of a double, or of a play that leaves dice."""
    high, low, _ = _TABLES[side][dice]
    if not words:
        return 0, LOOK, Rest(dice, 0, 0, _shut(side, *dice))
    # Of two dice the lower one asks less of who bears off.
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
        shut = _shut(side, dice.high if words[0] in low else dice.low)
    return step, LOOK, Rest(dice, len(hops), mask, shut)


def _shut(side: Side, *dice: int) -> int:
    """Flags that are raised where a checker waits on the bar and *dice* cannot enter it."""
    flags = GUARD << at(side, 25)
    for die in dice:
        flags |= GUARD << at(side.other, die)
    return flags


def _hops(side: Side, die: int) -> _Hops:
    """Return every hop of *die*, by its points and by its word."""
    hops: _Hops = {}
    for source in range(1, 26):
        target = max(0, source - die)
        step = (1 << at(side, target)) - (1 << at(side, source))
        mask = GUARDS | _clear(side, source, die)
        hit = 0
        if target:
            there = at(side.other, 25 - target)
            mask |= 0x0F << there
            hit = (1 << at(side.other, 25)) - (1 << there)
        for word, hop in _spelled(source, target):
            hops[word] = hops[hop] = step, mask, hit if hop.starred else 0, source, target
    return hops


def _spelled(source: int, target: int) -> Iterator[tuple[str, Hop]]:
    """Yield the words for one hop and what they say."""
    yield f"{source}/{target}", Hop((source, target))
    if target:
        yield f"{source}/{target}*", Hop((source, target), (target,))


def _clear(side: Side, source: int, die: int) -> int:
    """Return the points that must be empty when all is played: the bar (R26), unless the hop was from there.

    A checker borne off exactly needs all the others home (R32); with more than its point, none higher (R35).
    The condition holds at the end of the play too, since by then everything higher has moved.
    """
    if source == 25:
        return 0
    first = 25 if source > die else 7 if source == die else source + 1
    return sum(0x0F << at(side, point) for point in range(first, 26))


def _tables(side: Side) -> dict[tuple[int, int] | None, tuple[_Hops, _Hops, Dice]]:
    hops = {die: _hops(side, die) for die in range(1, 7)}
    return {(a, b): (hops[a], hops[b], Dice.of(a, b)) for a in hops for b in hops}


# For each side by the dice as they are written.
_TABLES: Final = (_tables(WHITE), _tables(BLACK))
# What the words say that `stroke_of_words` knows.
PLAIN_HOPS: Final = {
    word: said
    for source in range(1, 26)
    for target in range(source)
    for word, said in _spelled(source, target)
}


def steps_of(hops: Iterable[Hop]) -> tuple[Step, ...]:
    """Return the steps of a play of one hop a die in the order in which we write them, the highest source first."""
    return tuple(
        sorted([Step(hop.points[0], hop.points[1]) for hop in hops for _ in range(hop.times)], key=_order)
    )


def _order(step: Step) -> tuple[int, int]:
    return -step.source, step.target


def facts_of(side: Side, dice: tuple[int, int] | None, hops: Iterable[Hop]) -> tuple[Rolled, Played]:
    """Return the facts that a play with a stroke comes to."""
    first, second = dice or (0, 0)  # without dice there is no stroke
    return Rolled(side, Dice.of(first, second)), Played(side, steps_of(hops))
