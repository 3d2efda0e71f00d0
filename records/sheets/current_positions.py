"""Positions of a match at a table: where it was adjourned, or where it continues by a ruling.

They must fit the sheet.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from engine.errors import EngineError
from engine.formats import xgid
from engine.side import Side
from engine.situation import Situation
from matches.play.boards import draw_mini_board
from records.models import ScoreSheet, SheetAct
from records.sheets.sheet import GAME, SheetState
from tournaments.base.errors import BadPosition, OtherScore
from tournaments.hooks import ResumePosition
from tournaments.models import Decision, Pairing, Ruling, RulingKind


@dataclass(frozen=True, slots=True)
class CurrentPosition:
    xgid: str
    # The score, a's points first.
    score: tuple[int, int]
    board: SafeString
    sentence: str


def find_position(
    row: Pairing, kept: ScoreSheet | None, state: SheetState, names: tuple[str, str]
) -> CurrentPosition | None:
    try:
        position = _find_ruled_position(row, kept, state) or state.position
        return draw_position(position, names) if position else None
    except BadPosition:
        return None


def draw_position(xgid_text: str, names: tuple[str, str]) -> CurrentPosition:
    """Draw a position; a is White.

    :raises BadPosition: it is invalid.
    """
    found = parse_position(xgid_text)
    board = draw_mini_board(found)
    name = names[0 if found.turn is Side.WHITE else 1]
    roll = _("%(name)s is to roll or double") if found.dice is None else _("%(name)s is to play %(dice)s")
    owner = found.cube.owner
    cube = _("cube at %(value)s in the middle") if owner is None else _("cube at %(value)s with %(owner)s")
    words = (
        roll % {"name": name, "dice": found.dice},
        cube % {"value": found.cube.value, "owner": "" if owner is None else names[int(owner)]},
        _("%(a)s: light checkers, %(b)s: dark") % {"a": names[0], "b": names[1]},
    )
    score = (found.score.white, found.score.black)
    return CurrentPosition(xgid.encode(found), score, board, "; ".join(words) + ".")


def _find_ruled_position(row: Pairing, kept: ScoreSheet | None, state: SheetState) -> str:
    """Return the position of the last ruling to play on; "" if a game or position was written since.

    Also "" if the sheet never had its score, or games were undone to an earlier one.

    :raises BadPosition: it is invalid.
    """
    rulings = Ruling.objects.filter(
        tournament=row.tournament_id, act=RulingKind.RULED, data__key=row.key, restored_by=None
    )
    last = rulings.order_by("-pk").first()
    if last is None or last.data.get("decision") != Decision.PLAY_ON or not last.data.get("position"):
        return ""
    position = str(last.data["position"])
    since = (
        SheetAct.objects.filter(sheet=kept, at__gt=last.at) if kept is not None else SheetAct.objects.none()
    )
    is_past = any(tap["do"] == GAME or "position" in tap for tap in since.values_list("tap", flat=True))
    return position if not is_past and tuple(parse_position(position).score) in state.scores else ""


def parse_position(text: str) -> Situation:
    """Parse an XGID.

    :raises BadPosition: it is invalid.
    """
    try:
        return xgid.decode(text)
    except EngineError as error:
        raise BadPosition from error


def check_position(text: str, state: SheetState) -> str:
    """Normalise a position for the sheet, "" for none; White, the upper side of an XGID, is a.

    :raises BadPosition: it is invalid.
    :raises OtherScore: its score or match length is not that of the sheet.
    """
    position = normalize_position(text)
    if position:
        _require_fit(parse_position(position), state, (state.score,))
    return position


def normalize_position(text: str) -> str:
    """Normalise an XGID, "" for none.

    :raises BadPosition: it is invalid.
    """
    return xgid.encode(parse_position(text)) if text.strip() else ""


def build_ruling(text: str, state: SheetState) -> ResumePosition:
    """Build the position at which the players continue by a ruling.

    It has the score of the sheet, or an earlier one to which games are undone.

    :raises BadPosition: it is invalid.
    :raises OtherScore: the sheet never had its score, or the match has another length.
    """
    found = parse_position(text)
    _require_fit(found, state, state.scores)
    return ResumePosition(xgid.encode(found), (found.score.white, found.score.black), _get_turn(found))


def _require_fit(found: Situation, state: SheetState, scores: Collection[tuple[int, int]]) -> None:
    """Require that a position has one of these scores and the match's length.

    :raises OtherScore: it has not.
    """
    found_score = (found.score.white, found.score.black)
    if found_score not in scores or found.length != state.length:
        written, score = (f"{one}\N{EN DASH}{other}" for one, other in (found_score, state.score))
        raise OtherScore(said=written, said_length=found.length, score=score, length=state.length)


def find_turn(state: SheetState) -> str:
    """Return the side on roll of an adjourned match, by its position or its clock; "" if unknown."""
    if state.position:
        return _get_turn(parse_position(state.position))
    return "" if state.clock is None else state.clock.turn


def _get_turn(found: Situation) -> str:
    return "a" if found.turn is Side.WHITE else "b"
