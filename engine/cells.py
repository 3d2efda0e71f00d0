"""The cell of a score sheet, compiled: what a written play adds to a position, found once for each text.

A sheet holds the same few ten thousand cells over and over: ``65: 24/18 13/8`` means the same addition
wherever it stands. `compiled` turns a text into a `Cell` and keeps it in a bounded cache, so that
`engine.express` need not read it twice. Only the plain spelling is known here, one hop a die in figures;
anything else is for the referee.

What a side sees is one integer, a *view*, a byte a point of its own numbering as in `engine.packed`. The low
half holds its own checkers, each byte guarded by a flag that is swallowed where a checker is missing. The high
half holds the opponent's, fifteen more in each byte, so that the same flag stands wherever there is one.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple, TypeAlias, cast

from engine.packed import FLAG, FLAGS, ONE, every

LIMIT: Final = 1 << 16
HIGH: Final = 8 * 26

SHORT, DOUBLE, TAKE, DROP, WIN, BLANK = range(1, 7)


def view(mine: dict[int, int], theirs: dict[int, int]) -> int:
    """Return what a side sees, from what each side has on its own points."""
    own = sum(number << 8 * point for point, number in mine.items())
    other = sum(number << 8 * (25 - point) for point, number in theirs.items())
    return FLAGS + own | ONE + other << HIGH


class Odd(NamedTuple):
    """What is more to say of a cell than that two checkers, or four, were moved.

    ``kind`` is SHORT where dice were left, or names a word, or is 0. ``stars`` are the marks of hits, as flags
    in the high half, and ``is_off`` says that a checker was borne off. ``value`` is the number of hops, the
    cube's value, or the points won.
    """

    kind: int = 0
    stars: int = 0
    is_off: bool = False
    dice: tuple[int, int] = (0, 0)
    value: int = 0
    match: bool = False
    # Where one checker entered with one of two dice: the point on which the other would have, as a flag.
    door: int = 0


# What is added to the mover's view and to the opponent's; the mask under which nothing but the guards may be
# left in the mover's view, unless an opponent's checker is met; and what else there is to say. Where nothing was
# played the mask flags the points on which the dice would enter.
Cell: TypeAlias = tuple[int, int, int, Odd | None]


class _Hop(NamedTuple):
    mine: int
    theirs: int
    land: int
    star: int
    source: int
    # For each die the highest point that may be held at the end, 0 if the die does not move so.
    limits: tuple[int, ...]


def _hop(source: int, target: int, starred: bool) -> _Hop:
    land = FLAG[target] << HIGH if target else 0
    mine = (1 << 8 * target) - (1 << 8 * source)
    theirs = (1 << 8 * (25 - target)) - (1 << 8 * (25 - source)) << HIGH
    limits = tuple(_limit(source, target, die) for die in range(7))
    return _Hop(mine, theirs, land, land if starred else 0, source, limits)


def _limit(source: int, target: int, die: int) -> int:
    """A checker borne off exactly needs all the others home (R32); with more than its point, none higher (R35).

    What is asked of the board then holds at the end too, since by then everything higher has moved.
    """
    if source - target == die:
        return 25 if target else 6
    return source if not target and source < die else 0


# Every hop of one die, as it is written.
HOPS: Final[dict[str, _Hop]] = {
    f"{source}/{target}{star}": _hop(source, target, bool(star))
    for source in range(1, 26)
    for target in range(max(0, source - 6), source)
    for star in ("", "*")
    if target or not star
}
DICE: Final = {f"{a}{b}:": (a, b) for a in range(1, 7) for b in range(1, 7)}

# The points above a limit must be empty, the bar always (R26), unless every hop was from there.
CLEAR: Final = tuple(FLAGS | every(0x0F, min(limit + 1, 25)) for limit in range(26))

_WORDS: Final[dict[str, Odd]] = {
    "Takes": Odd(TAKE),
    "Drops": Odd(DROP),
    "": Odd(BLANK),
    **{f"Doubles => {1 << turn}": Odd(DOUBLE, value=1 << turn) for turn in range(1, 11)},
}
_WINS: Final = re.compile(r"Wins (\d{1,3}) points?( and the match)?")

_cache: dict[str, Cell] = {}


def compiled(texts: list[str]) -> list[Cell] | None:
    """Return what the cells say; None if one of them is not in the plain spelling.

    >>> play, double = compiled(["65: 24/18 13/8 ", " Doubles => 4"])
    >>> play[-1] is None, double[-1].value
    (True, 4)
    """
    known = list(map(_cache.get, texts))
    if all(known):
        return cast("list[Cell]", known)
    if len(_cache) >= LIMIT:
        _cache.clear()
    try:
        return [cell or _kept(text) for text, cell in zip(texts, known, strict=True)]
    except KeyError:
        return None


def forget() -> None:
    """Empty the cache, as at the start of a process."""
    _cache.clear()


def _kept(text: str) -> Cell:
    """Read a cell and keep it, for the left column with its blanks and for the right one without.

    Raise KeyError if it is not in the plain spelling.
    """
    bare = text.strip(" ")
    cell = _cache.get(bare)
    if cell is None:
        if not text.isascii():  # there are blanks that are none to a reader of lines
            raise KeyError
        words = bare.split()
        dice = DICE.get(words[0]) if words else None
        if dice is None:
            cell = 0, 0, 0, _word(" ".join(words))
        elif len(words) == 3 and dice[0] != dice[1]:
            cell = _pair(dice, HOPS[words[1]], HOPS[words[2]])
        else:
            cell = _several(dice, [HOPS[word] for word in words[1:]])
        _cache[bare] = cell
    _cache[text] = cell
    return cell


def _word(text: str) -> Odd:
    if wins := _WINS.fullmatch(text):
        return Odd(WIN, value=int(wins[1]), match=wins[2] is not None)
    return _WORDS[text]


def _pair(dice: tuple[int, int], one: _Hop, other: _Hop) -> Cell:
    """Two hops with two different dice. Their order is free: the checker that starts higher goes first."""
    mine, theirs, land, star, source, limits = one
    mine2, theirs2, land2, star2, source2, limits2 = other
    first, second = dice
    limit = limits[first] if limits[first] < limits2[second] else limits2[second]
    if limit < 25:
        limit = max(limit, min(limits[second], limits2[first]))
        if not limit:
            raise KeyError
    clear = FLAGS if source == source2 == 25 else CLEAR[limit]
    return mine + mine2, theirs + theirs2, clear | land | land2, _odd(star | star2, limit < 25)


@cache
def _odd(stars: int, is_off: bool) -> Odd | None:
    return Odd(0, stars, is_off) if stars or is_off else None


def _several(dice: tuple[int, int], hops: list[_Hop]) -> Cell:
    """A double, or fewer hops than dice."""
    mine = theirs = land = stars = 0
    for hop in hops:
        mine += hop.mine
        theirs += hop.theirs
        land |= hop.land
        stars |= hop.star
    if not hops:
        doors = (FLAG[25 - dice[0]] | FLAG[25 - dice[1]]) << HIGH
        return 0, 0, doors, Odd(SHORT, dice=dice)
    enters = all(hop.source == 25 for hop in hops)
    if len(hops) < (4 if dice[0] == dice[1] else 2):
        door = _other_door(dice, hops[0]) if len(hops) == 1 and enters else 0
        return mine, theirs, FLAGS | land, Odd(SHORT, stars, True, dice, len(hops), door=door)
    limit = min(hop.limits[dice[0]] for hop in hops)
    if len(hops) != 4 or dice[0] != dice[1] or not limit:
        raise KeyError
    return mine, theirs, (FLAGS if enters else CLEAR[limit]) | land, _odd(stars, limit < 25)


def _other_door(dice: tuple[int, int], hop: _Hop) -> int:
    """Return the point on which the die would enter that *hop* did not use; 0 if that is not one die of two."""
    for used, other in (dice, dice[::-1]):
        if hop.limits[used] and used != other:
            return FLAG[25 - other] << HIGH
    return 0
