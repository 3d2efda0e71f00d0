"""Where a match at a table stands when it is adjourned, or from where it goes on by a ruling: a position that fits the sheet. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import EngineError
from engine.formats import xgid
from engine.side import Side
from tournaments.base.errors import BadPosition, OtherScore
from tournaments.hooks import PlaysOn

if TYPE_CHECKING:
    from collections.abc import Collection

    from engine.situation import Situation
    from records.sheets.sheet import SheetState


def read(said: str) -> Situation:
    """Return the position that an XGID says.

    :raises BadPosition: it is none.
    """
    try:
        return xgid.decode(said)
    except EngineError as error:
        raise BadPosition from error


def score(said: str) -> tuple[int, int]:
    """Return the score at which a position stands, a first.

    :raises BadPosition: it is none.
    """
    found = read(said)
    return found.score.white, found.score.black


def checked(said: str, state: SheetState) -> str:
    """Return a position as it is kept, "" for none: White, the upper side of an XGID, is a, as the sheet names them first.

    :raises BadPosition: it is no position.
    :raises OtherScore: it stands at another score than the sheet, or in a match of another length.
    """
    if not said.strip():
        return ""
    found = read(said)
    _require(found, state, (state.score,))
    return xgid.encode(found)


def ruled(said: str, state: SheetState) -> PlaysOn:
    """Return from where two go on by a ruling: at the score of the sheet, or at an earlier one to which its games are undone.

    :raises BadPosition: it is no position.
    :raises OtherScore: the sheet was never at its score, or the match is of another length.
    """
    found = read(said)
    _require(found, state, state.scores)
    return PlaysOn(xgid.encode(found), (found.score.white, found.score.black), _turn_in(found))


def _require(found: Situation, state: SheetState, scores: Collection[tuple[int, int]]) -> None:
    """Let a position pass at one of these scores of a match."""
    told = (found.score.white, found.score.black)
    if told not in scores or found.length != state.length:
        said, score = (f"{one}\N{EN DASH}{other}" for one, other in (told, state.score))
        raise OtherScore(said=said, said_length=found.length, score=score, length=state.length)


def turn(state: SheetState) -> str:
    """Return whose turn it is where a match stands, by its position or else by its clock; "" where neither says."""
    if state.position:
        return _turn_in(read(state.position))
    return "" if state.clock is None else state.clock.turn


def _turn_in(found: Situation) -> str:
    return "a" if found.turn is Side.WHITE else "b"
