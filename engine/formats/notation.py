"""Written plays: parsing of the many spellings, and the one of ``.mat``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from engine.board import BAR, OFF, Step
from engine.errors import Unreadable
from engine.sheet import Hop

MOST_WORDS: Final = 16
_WORD: Final = re.compile(
    r"(?P<points>[a-z0-9]{1,3}(?:/[a-z0-9]{1,3}\*?){1,4})(?:\((?P<times>[1-9])\)(?P<star>\*?))?", re.ASCII
)
_POINTS: Final = {"bar": BAR, "off": OFF} | {str(point): point for point in range(OFF, BAR + 1)}


def parse_play(text: str) -> tuple[Hop, ...]:
    """Parse a play, one hop a word: ``bar/22 13/7*/3 6/5(2)``, in upper or lower case, also with 25 and 0.

    >>> parse_play("Bar/21(2) 24/18*/13")
    (Hop(points=(25, 21), starred=(), times=2), Hop(points=(24, 18, 13), starred=(18,), times=1))
    """
    words = text.lower().split()
    if len(words) > MOST_WORDS:
        raise Unreadable("unread-play", f"A play of {len(words)} words is none.")
    return tuple(map(_parse_hop, words))


def _parse_hop(word: str) -> Hop:
    read = _WORD.fullmatch(word)
    try:
        if read is None:
            raise KeyError(word)
        stops = f"{read['points']}{read['star'] or ''}".split("/")
        points = tuple(_POINTS[stop.rstrip("*")] for stop in stops)
    except KeyError as error:
        raise Unreadable("unread-play", f"{word!r} is no move of a checker.", text=word) from error
    starred = tuple(point for point, stop in zip(points, stops, strict=True) if stop.endswith("*"))
    return Hop(points, starred, int(read["times"] or 1))


def format_play(steps: Iterable[Step], hits: Iterable[int] = ()) -> str:
    """Format a play with one word for each step; a star marks a hit. `engine.plays.format_steps` is for people.

    >>> from engine.board import Step
    >>> format_play([Step(25, 20), Step(20, 15)], [20])
    '25/20* 20/15'
    """
    left, words = set(hits), list[str]()
    for source, target in steps:
        words.append(f"{source}/{target}{'*' * (target in left)}")
        left.discard(target)
    return " ".join(words)
