"""Single positions, for pages and the API: board, evaluation and choices.

Pages and API read evaluations only through this module, which hides those of positions in matches being
played between people.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from engine.errors import EngineError, IllegalAction
from engine.formats import ids, xgid
from engine.plays import legal_plays
from engine.situation import Situation
from matches.journal import positions_in_play
from opinion.analyses import availability
from opinion.analyses.analyses import ABSENT, DIGITS, NONE, OFF, PlayView, build_play_views
from opinion.errors import GameOver, ImpossiblePosition, UnknownPosition
from opinion.judging import positions
from opinion.judging.decisions import CubeAction
from opinion.judging.formulas import compute_loss
from opinion.judging.oracle import CubeWorth
from opinion.judging.positions import Advice, Question, find_advice, find_double_refusal, find_question
from opinion.models import DEEPEST, AskedPosition, Progress

LONGEST: Final = 400
# A progress value: hidden during a match.
IN_PLAY: Final = "in-play"


@dataclass(frozen=True, slots=True)
class AnswerView:
    engine: str
    version: str
    level: int
    plays: tuple[PlayView, ...]
    cube: CubeWorth | None
    advice: Advice | None


@dataclass(frozen=True, slots=True)
class PositionView:
    situation: Situation
    question: Question
    # Number of boards the dice can lead to; None without dice.
    choices: int | None
    why_no_double: IllegalAction | None
    # One of `Progress`, or `NONE`, `ABSENT`, `IN_PLAY`, `OFF`.
    progress: str
    answer: AnswerView | None
    why: str = ""

    @property
    def address(self) -> str:
        """The position in a URL."""
        return to_address(self.situation)

    @property
    def xgid(self) -> str:
        return xgid.encode(self.situation)

    @property
    def gnubg_id(self) -> str:
        return ids.encode_gnubg(self.situation)


def parse_position(text: str) -> Situation:
    """Parse a position.

    :raises UnknownPosition: unknown format.
    :raises ImpossiblePosition: there is no such position.
    :raises GameOver: the game is over in it.
    """
    try:
        found = positions.strip_names(ids.read(text.strip()[:LONGEST]))
    except EngineError as error:
        raise UnknownPosition if error.code == "bad-identifier" else ImpossiblePosition from error
    if found.board.winner is not None:
        raise GameOver
    return found


def read_address(text: str) -> Situation:
    """Parse the position in a URL.

    :raises OpinionError: as `parse_position`.
    """
    return parse_position(text.replace("_", ":"))


def to_address(situation: Situation) -> str:
    """Return the position in a URL: its XGID without characters that break links in mails and chats."""
    return xgid.encode(situation).removeprefix(xgid.PREFIX).replace(":", "_")


def load_view(situation: Situation) -> PositionView:
    progress, answer, why = _load_evaluation(situation)
    dice = situation.dice
    plays = None if dice is None else legal_plays(situation.board, situation.turn, dice)
    return PositionView(
        situation=situation,
        question=find_question(situation),
        choices=None if plays is None else len(plays) if plays.dice_used else 0,
        why_no_double=find_double_refusal(situation),
        progress=progress,
        answer=answer,
        why=why,
    )


def _load_evaluation(situation: Situation) -> tuple[str, AnswerView | None, str]:
    if not availability.is_enabled():
        return OFF, None, ""
    if positions_in_play.is_in_play(situation.board):
        return IN_PLAY, None, ""
    if why := positions.explain_refusal(situation):
        return Progress.UNJUDGED, None, why
    rows = AskedPosition.objects.filter(position=positions.compute_key(situation), level=DEEPEST)
    # Prefer the installed engine, then the latest evaluation.
    present = availability.get_engine()
    latest = sorted(rows, key=lambda row: ((row.engine, row.version) == present, row.asked_at), reverse=True)
    done = next((row for row in latest if row.progress == Progress.DONE), None)
    if done is not None:
        return Progress.DONE, _build_answer(done), ""
    if not availability.is_available():
        return ABSENT, None, ""
    return (latest[0].progress, None, latest[0].why) if latest else (NONE, None, "")


def _build_answer(row: AskedPosition) -> AnswerView:
    cube = None if row.cube is None else CubeWorth(row.cube[0], row.cube[1], tuple(row.cube[2]), row.cube[3])
    deepest = max((level for *_, level in row.plays), default=0)
    return AnswerView(
        engine=row.engine,
        version=row.version,
        level=cube.level if cube else deepest,
        plays=build_play_views(row.plays, deepest),
        cube=cube,
        advice=find_advice(cube) if cube else None,
    )


# By `Question`, and by `Kind` of a remark.
CUBE_CHOICES: Final = {
    Question.DOUBLE.value: (CubeAction.NO_DOUBLE.value, CubeAction.DOUBLE.value),
    Question.TAKE.value: (CubeAction.TAKE.value, CubeAction.DROP.value),
}


def list_choices(found: PositionView) -> tuple[str, ...]:
    """Return the choices of an evaluated position; plays in an order that gives nothing away."""
    if found.answer is None:
        return ()
    if found.answer.cube is not None:
        return CUBE_CHOICES.get(found.question, ())
    plays = [each.play for each in found.answer.plays]
    return tuple(sorted(plays, key=lambda play: sha256(f"{found.xgid} {play}".encode()).digest()))


def compute_choice_loss(answer: AnswerView, choice: str) -> float | None:
    """Return the equity loss of a choice; None for a play that was evaluated less deeply than the best."""
    if answer.cube is not None:
        return round(compute_loss(CubeAction(choice), answer.cube), DIGITS)
    return next(each.behind for each in answer.plays if each.play == choice)
