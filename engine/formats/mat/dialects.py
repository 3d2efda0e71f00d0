"""The dialects of ``.mat``: the habits of each program and site, as far as a reader needs them.

The dialect never changes how a row is parsed; it only helps to decide what is unusual in a file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Final


class LastGamePoints(StrEnum):
    """The points written for the last game if the winner has more than enough."""

    TRUE = "true"
    NEEDED = "needed"
    LENGTH = "length"  # sometimes the true ones, sometimes the length of the match
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a writer does with the points of a result; by default, they are the true ones."""

    last_points: LastGamePoints = LastGamePoints.TRUE
    # A resignation may be written with points that are no multiple of the cube.
    resigns_oddly: bool = False


TRUTHFUL: Final = Dialect()
# The dialects that are not truthful.
DIALECTS: Final = {
    "plain": Dialect(LastGamePoints.ANY, resigns_oddly=True),
    "galaxy": Dialect(LastGamePoints.LENGTH, resigns_oddly=True),
    "studio-words": Dialect(resigns_oddly=True),
    "studio-numeric": Dialect(resigns_oddly=True),
    "xg-words": Dialect(LastGamePoints.LENGTH, resigns_oddly=True),
    "xg-numeric": Dialect(LastGamePoints.LENGTH, resigns_oddly=True),
    "gridgammon": Dialect(resigns_oddly=True),
    "opengammon": Dialect(LastGamePoints.NEEDED),
    "foxamon": Dialect(LastGamePoints.NEEDED),
    "hedgehog": Dialect(LastGamePoints.NEEDED),
    "choue": Dialect(resigns_oddly=True),
}

SITES: Final = {
    "backgammongalaxy": "galaxy",
    "backgammon galaxy": "galaxy",
    "backgammon studio": "studio",
    "extreme gammon": "xg",
    "xg mobile": "xg-mobile",
    "opengammon": "opengammon",
    "foxamon": "foxamon",
    "hedgehog": "hedgehog",
    "gammonview": "gammonview",
    "choue.net": "choue",
    "playok": "playok",
}
CAPITALS: Final = re.compile(r"\bBar/|/Off\b")
WORDS: Final = re.compile(r"cannot move|\bbar/|/off\b", re.IGNORECASE)
INDENTED: Final = re.compile(r"^ -?\d+ point match", re.MULTILINE)
OF_GNUBG: Final = frozenset({"Site", "Event", "Round", "EventDate", "Variation", "Transcriber"})


class FileFeatures:
    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def has_words(self) -> bool:
        """True if bar, off and dances are written as words."""
        return WORDS.search(self.text) is not None

    @cached_property
    def has_capitals(self) -> bool:
        """True if bar and off are written as in XG."""
        return CAPITALS.search(self.text) is not None

    @cached_property
    def is_by_dueller(self) -> bool:
        return "by Dueller" in self.text

    @cached_property
    def is_laid_out_by_gnubg(self) -> bool:
        """True if the file has gnubg's blanks before the length and after a play."""
        return " \n" in self.text and INDENTED.search(self.text) is not None


def recognise_dialect(look: FileFeatures, tags: Mapping[str, str], *, rated: bool, right: int) -> str:
    """Detect the name of the dialect, ``plain`` if there is no evidence.

    *rated*: a name contains a rating; *right*: the start of the right column.
    """
    if "Player 1" not in tags and not OF_GNUBG.isdisjoint(tags) and look.is_laid_out_by_gnubg:
        return "gnubg"  # independent of the site: gnubg keeps the tag of the file it imported
    site = SITES.get(tags.get("Site", "").strip().lower())
    if site is None and ("Player 1 Elo" in tags or ("Player 1" in tags and look.has_capitals)):
        site = "xg"  # XG writes any venue as the site
    if site in ("studio", "xg"):
        return f"{site}-words" if look.has_words else f"{site}-numeric"
    if site:
        return site
    if rated:
        return "gridgammon"
    if look.is_by_dueller:
        return "dueller"
    return "dailygammon" if right == 37 and not tags else "plain"
