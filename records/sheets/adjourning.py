"""Positions at which a match is adjourned or continues by a ruling; they must fit the sheet. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import EngineError
from engine.formats import xgid
from engine.side import Side
from tournaments.base.errors import BadPosition, OtherScore
from tournaments.hooks import ResumePosition

if TYPE_CHECKING:
    from collections.abc import Collection

    from engine.situation import Situation
    from records.sheets.sheet import SheetState


def parse_position(said: str) -> Situation:
    """Parse an XGID.

    :raises BadPosition: it is invalid.
    """
    try:
        return xgid.decode(said)
    except EngineError as error:
        raise BadPosition from error


def read_score(said: str) -> tuple[int, int]:
    """Return the score of a position, a's points first.

    :raises BadPosition: it is invalid.
    """
    found = parse_position(said)
    return found.score.white, found.score.black


def check_position(said: str, state: SheetState) -> str:
    """Normalise a position for the sheet, "" for none; White, the upper side of an XGID, is a.

    :raises BadPosition: it is invalid.
    :raises OtherScore: its score or match length is not that of the sheet.
    """
    if not said.strip():
        return ""
    found = parse_position(said)
    _require_fit(found, state, (state.score,))
    return xgid.encode(found)


def build_ruling(said: str, state: SheetState) -> ResumePosition:
    """Build the position at which the players continue by a ruling.

    It has the score of the sheet, or an earlier one to which games are undone.

    :raises BadPosition: it is invalid.
    :raises OtherScore: the sheet never had its score, or the match has another length.
    """
    found = parse_position(said)
    _require_fit(found, state, state.scores)
    return ResumePosition(xgid.encode(found), (found.score.white, found.score.black), _get_turn(found))


def _require_fit(found: Situation, state: SheetState, scores: Collection[tuple[int, int]]) -> None:
    """Require that a position has one of these scores and the match's length.

    :raises OtherScore: it has not.
    """
    told = (found.score.white, found.score.black)
    if told not in scores or found.length != state.length:
        said, score = (f"{one}\N{EN DASH}{other}" for one, other in (told, state.score))
        raise OtherScore(said=said, said_length=found.length, score=score, length=state.length)


def find_turn(state: SheetState) -> str:
    """Return the side on roll of an adjourned match, by its position or its clock; "" if unknown."""
    if state.position:
        return _get_turn(parse_position(state.position))
    return "" if state.clock is None else state.clock.turn


def _get_turn(found: Situation) -> str:
    return "a" if found.turn is Side.WHITE else "b"
