"""The cube actions: double, take, drop, beaver, raccoon, and automatic doubles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.actions import Action, Beavered, Doubled, Dropped, Opened, ReportedGame, RuledPosition, Took
from engine.cube import Cube
from engine.errors import IllegalAction
from engine.game import Phase
from engine.referee.case import Case
from engine.referee.turns import handle_unplayed_roll
from engine.sheet import CubeClaim, CubeWord
from engine.side import Side

OUT_OF_ORDER: Final = "The record turns the cube out of order."
# The code of `engine.match` for a cube action of the wrong side.
NOT_YOURS: Final = "out-of-turn"
CALLED: Final = {NOT_YOURS: "double-out-of-turn", "dead-cube": "dead-double"}


def apply_cube_claim(case: Case, index: int, claim: CubeClaim) -> None:
    if case.lost:
        return
    if case.is_over:
        if not case.said_play_after_end:
            case.said_play_after_end = True
            case.write("play-after-end", index, claim.side, text=claim.text or claim.word.value)
        return
    case.resigning = None  # the resignation was not accepted
    handle_unplayed_roll(case, None)
    WORDS[claim.word](case, index, claim)


def _try_action(case: Case, action: Action) -> str:
    """Apply *action*; return the code of the refusal, "" if there is none."""
    try:
        case.act(action)
    except IllegalAction as error:
        return error.code
    return ""


def _apply_double(case: Case, index: int, claim: CubeClaim) -> None:
    side = claim.side if claim.side is not None else case.turn
    if side is None:
        case.write("double-out-of-turn", index, None)
        return
    if case.match.game.is_dead_double and case.match.rules.dead_cube == "warned":
        case.write("dead-cube", index, side)
    code = _try_action(case, Doubled(side))
    if code:
        case.write(CALLED.get(code, code), index, side)
        _force_double(case, side, code)
    right = case.match.game.offer
    if claim.value is not None and right and claim.value != right:
        case.write("wrong-cube-value", index, side, value=claim.value, right=right)


def _force_double(case: Case, side: Side, code: str) -> None:
    """Continue as the sheet does, if a double can count at all in this game."""
    if case.match.game.phase is Phase.TO_ROLL and code in (NOT_YOURS, "double-by-nonowner"):
        _hand_over_turn(case, side)
        code = _try_action(case, Doubled(side))
    if code and case.match.game.phase is not Phase.DOUBLED:
        case.idle_doubler = side


def _hand_over_turn(case: Case, side: Side) -> None:
    cube = case.match.game.cube
    if not cube.is_open_to(side):
        cube = Cube(cube.value, side)
    case.act(RuledPosition(case.board, side, cube, reason=OUT_OF_ORDER))


def _apply_take(case: Case, index: int, claim: CubeClaim) -> None:
    if _clear_idle_double(case):
        return
    side = _answer_double(case, index, claim, Took)
    if side is not None and case.match.game.phase is Phase.TO_ROLL:
        # The side that takes was doubled: the double is missing in the sheet.
        _hand_over_turn(case, side.other)
        if not _try_action(case, Doubled(side.other)):
            case.act(Took(side))


def _apply_drop(case: Case, index: int, claim: CubeClaim) -> None:
    value = case.match.game.cube.value
    if case.idle_doubler is not None:
        case.act(ReportedGame(case.idle_doubler, value, 1, value))
        return
    side = _answer_double(case, index, claim, Dropped)
    if side is not None:
        case.act(ReportedGame(side.other, value, 1, value))


def _answer_double(case: Case, index: int, claim: CubeClaim, answer: type[Took | Dropped]) -> Side | None:
    """Apply the answer to the double; without a double, return the side that claims to answer one."""
    asked = case.match.game.asked
    side = claim.side if claim.side is not None else asked
    if asked is None or side is not asked:
        case.write(f"{claim.word}-without-double", index, side)
    if asked is None:
        return side
    case.act(answer(asked))
    return None


def _clear_idle_double(case: Case) -> bool:
    """True if the last double cannot count, so that the answer is ignored; the double is then forgotten."""
    idle, case.idle_doubler = case.idle_doubler, None
    return idle is not None


def _apply_beaver(case: Case, index: int, claim: CubeClaim) -> None:
    if _clear_idle_double(case):
        return
    asked = case.match.game.asked
    side = claim.side if claim.side is not None else asked
    code = "beaver-without-double" if asked is None else _try_action(case, Beavered(asked))
    if code:
        case.write(code, index, side)
        if asked is not None:
            case.act(Took(asked))


def _apply_automatic_double(case: Case, index: int, claim: CubeClaim) -> None:
    if not case.match.rules.automatic_doubles or case.match.game.phase is not Phase.OPENING:
        case.write("automatic-double", index, claim.side)
        return
    case.act(Opened(1, 1))


WORDS: Final[dict[CubeWord, Callable[[Case, int, CubeClaim], None]]] = {
    CubeWord.DOUBLE: _apply_double,
    CubeWord.TAKE: _apply_take,
    CubeWord.DROP: _apply_drop,
    CubeWord.BEAVER: _apply_beaver,
    CubeWord.RACCOON: _apply_beaver,
    CubeWord.AUTOMATIC: _apply_automatic_double,
}
