"""Where a match at a table stands when it is adjourned: a position that fits the sheet. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import EngineError
from engine.formats import xgid
from engine.side import Side
from records.errors import OtherScore
from tournaments.errors import BadPosition

if TYPE_CHECKING:
    from engine.situation import Situation
    from records.sheet import SheetState


def read(said: str) -> Situation:
    """Return the position that an XGID says.

    :raises BadPosition: it is none.
    """
    try:
        return xgid.decode(said)
    except EngineError as error:
        raise BadPosition from error


def checked(said: str, state: SheetState) -> str:
    """Return a position as it is kept, "" for none: White, the upper side of an XGID, is a, as the sheet names them first.

    :raises BadPosition: it is no position.
    :raises OtherScore: it stands at another score than the sheet, or in a match of another length.
    """
    if not said.strip():
        return ""
    found = read(said)
    told = (found.score.white, found.score.black, found.length)
    a, b = state.score
    if told != (a, b, state.length):
        said, score = (f"{one}\N{EN DASH}{other}" for one, other in (told[:2], state.score))
        raise OtherScore(said=said, said_length=told[2], score=score, length=state.length)
    return xgid.encode(found)


def turn(state: SheetState) -> str:
    """Return whose turn it is where a match stands, by its position or else by its clock; "" where neither says."""
    if state.position:
        return "a" if read(state.position).turn is Side.WHITE else "b"
    return "" if state.clock is None else state.clock.turn
