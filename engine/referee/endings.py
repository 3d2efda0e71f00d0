"""The interpretation of the points written at the end of a game.

After a bear-off or a drop they are only compared, since the board determines the result. After a resignation
they are the only information, and writers differ: some write the true value, some the points still needed,
some the length of the match, some an arbitrary number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.formats.mat.dialects import LastGamePoints

if TYPE_CHECKING:
    from engine.formats.mat.dialects import Dialect
    from engine.sheet import WinClaim

WHOLE_MATCH = 0


@dataclass(frozen=True, slots=True)
class Stakes:
    """The stakes of a game: the cube, its highest multiple, and the match around it."""

    cube: int
    worst: int
    # The length of the match, and the points the winner still needs; 0 in unlimited play.
    length: int
    needed: int
    # The winner's gain according to the next heading; None if it says nothing.
    gained: int | None
    # True if no other game follows.
    last: bool
    habits: Dialect


def interpret_resignation(said: WinClaim, stakes: Stakes) -> tuple[int, str]:
    """Return the level of a written result as a resignation, 0 for the whole match, and the code of an oddity.

    >>> from engine.formats.mat.dialects import DIALECTS
    >>> from engine.side import Side
    >>> from engine.sheet import WinClaim
    >>> galaxy = DIALECTS["galaxy"]
    >>> stakes = Stakes(cube=2, worst=3, length=7, needed=3, gained=None, last=True, habits=galaxy)
    >>> interpret_resignation(WinClaim(Side.WHITE, 4), stakes)
    (2, '')
    >>> interpret_resignation(WinClaim(Side.WHITE, 7, match=True), stakes)
    (3, 'resign-odd-value')
    """
    level = _find_level(said, stakes)
    if level is not None:
        gives_up = said.match and stakes.last and level * stakes.cube < stakes.needed
        return WHOLE_MATCH if gives_up else level, ""
    points = said.points or 0
    read = _find_multiple(stakes.gained, stakes) or max(1, min(-(-points // stakes.cube), stakes.worst))
    falls_short = stakes.last and read * stakes.cube < stakes.needed
    if falls_short and points == stakes.needed:
        return WHOLE_MATCH, "resign-odd-value"
    if stakes.last and 0 < points == stakes.needed and stakes.habits.last_points is LastGamePoints.NEEDED:
        return read, "resign-odd-value"
    if not stakes.last or not stakes.habits.resigns_oddly:
        return read, "wrong-points"
    if falls_short and points > stakes.needed:
        return WHOLE_MATCH, "resign-odd-value"
    expected = points <= read * stakes.cube or points in (stakes.needed, stakes.length)
    return read, "resign-odd-value" if expected else "absurd-points"


def _find_level(said: WinClaim, stakes: Stakes) -> int | None:
    """Return the level; None if there are points and these are no valid multiple of the cube."""
    if said.points is None:
        return said.level or _find_multiple(stakes.gained, stakes) or 1
    return _find_multiple(said.points, stakes)


def _find_multiple(points: int | None, stakes: Stakes) -> int | None:
    """Return *points* as a multiple of the cube, None if that is impossible."""
    if points is None or points < 1 or points % stakes.cube or points // stakes.cube > stakes.worst:
        return None
    return points // stakes.cube


def find_mismatch_code(points: int, won: int, stakes: Stakes) -> str:
    """Return the code for a game worth *won* to which the record gives other *points*."""
    usual = {
        LastGamePoints.TRUE: (),
        LastGamePoints.NEEDED: (stakes.needed,),
        LastGamePoints.LENGTH: (stakes.length,),
        LastGamePoints.ANY: (stakes.needed, stakes.length),
    }[stakes.habits.last_points]
    if not stakes.length or won < stakes.needed or points not in usual:
        return "wrong-points"
    return "capped-points" if points == stakes.needed else "length-as-points"
