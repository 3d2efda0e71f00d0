"""A position by itself, for pages and programs: what stands on the board, what an engine thinks of it, and what may be answered.

About a position of a match that is being played between people there is no opinion here, whoever asks: this is the one
place where pages and programs read answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from engine.errors import EngineError
from engine.formats import ids, xgid
from engine.plays import legal_plays
from matches.journal import standing
from opinion.analyses import here
from opinion.analyses.analyses import ABSENT, DIGITS, NONE, PlayView
from opinion.errors import GameOver, ImpossiblePosition, UnknownPosition
from opinion.judging import positions
from opinion.judging.decisions import Done
from opinion.judging.formulas import given_away
from opinion.judging.oracle import CubeWorth
from opinion.judging.positions import Advice, Question, advice, question, why_no_double
from opinion.models import DEEPEST, AskedPosition, Progress

if TYPE_CHECKING:
    from engine.errors import IllegalAction
    from engine.situation import Situation

LONGEST: Final = 400
# Where the engine may not be asked; and where the operator wants none of it.
IN_PLAY: Final = "in-play"
OFF: Final = "off"


@dataclass(frozen=True, slots=True)
class AnswerView:
    """What an engine thinks of a position."""

    engine: str
    version: str
    level: int
    plays: tuple[PlayView, ...]
    cube: CubeWorth | None
    advice: Advice | None


@dataclass(frozen=True, slots=True)
class PositionView:
    """A position and what is known of it."""

    situation: Situation
    question: Question
    # The boards to which the dice can lead; None without dice.
    choices: int | None
    why_no_double: IllegalAction | None
    # Of `Progress`; else that nobody has asked, that there is no engine, or that it may not be asked.
    progress: str
    answer: AnswerView | None
    why: str = ""

    @property
    def address(self) -> str:
        """What a link calls it."""
        return address(self.situation)

    @property
    def xgid(self) -> str:
        """Its XGID."""
        return xgid.encode(self.situation)

    @property
    def gnubg_id(self) -> str:
        """Its Position ID and Match ID."""
        return ids.encode_gnubg(self.situation)


def read(text: str) -> Situation:
    """Return the position that somebody names.

    :raises UnknownPosition: it is written in no way that is known here.
    :raises ImpossiblePosition: there is no such position.
    :raises GameOver: nothing is to be decided in it.
    """
    try:
        found = positions.plain(ids.read(text.strip()[:LONGEST]))
    except EngineError as error:
        raise UnknownPosition if error.code == "bad-identifier" else ImpossiblePosition from error
    if found.board.winner is not None:
        raise GameOver
    return found


def read_address(text: str) -> Situation:
    """Return the position that a link names.

    :raises OpinionError: as `read`.
    """
    return read(text.replace("_", ":"))


def address(situation: Situation) -> str:
    """Return what a link calls a position: its XGID, with nothing that mail programs and chats break."""
    return xgid.encode(situation).removeprefix(xgid.PREFIX).replace(":", "_")


def view(situation: Situation) -> PositionView:
    """Return what may be told of a position at this moment."""
    progress, answer, why = _known(situation)
    dice = situation.dice
    plays = None if dice is None else legal_plays(situation.board, situation.turn, dice)
    return PositionView(
        situation=situation,
        question=question(situation),
        choices=None if plays is None else len(plays) if plays.dice_used else 0,
        why_no_double=why_no_double(situation),
        progress=progress,
        answer=answer,
        why=why,
    )


def _known(situation: Situation) -> tuple[str, AnswerView | None, str]:
    if not here.is_wanted():
        return OFF, None, ""
    if standing.stands(situation.board):
        return IN_PLAY, None, ""
    if why := positions.why_not(situation):
        return Progress.UNJUDGED, None, why
    rows = AskedPosition.objects.filter(position=positions.key(situation), level=DEEPEST)
    # The engine that is here before others, the latest of those.
    present = here.engine()
    latest = sorted(rows, key=lambda row: ((row.engine, row.version) == present, row.asked_at), reverse=True)
    done = next((row for row in latest if row.progress == Progress.DONE), None)
    if done is not None:
        return Progress.DONE, _answer(done), ""
    if not here.is_on():
        return ABSENT, None, ""
    return (latest[0].progress, None, latest[0].why) if latest else (NONE, None, "")


def _answer(row: AskedPosition) -> AnswerView:
    cube = None if row.cube is None else CubeWorth(row.cube[0], row.cube[1], tuple(row.cube[2]), row.cube[3])
    deepest = max((level for *_, level in row.plays), default=0)
    best = max((equity for _, equity, _, level in row.plays if level == deepest), default=0.0)
    return AnswerView(
        engine=row.engine,
        version=row.version,
        level=cube.level if cube else deepest,
        plays=tuple(
            PlayView(
                play=play,
                equity=equity,
                behind=round(best - equity, DIGITS) if level == deepest else None,
                percents=tuple(round(100 * chance, 1) for chance in chances),
                level=level,
                is_made=False,
                is_best=place == 0,
            )
            for place, (play, equity, chances, level) in enumerate(row.plays)
        ),
        cube=cube,
        advice=advice(cube) if cube else None,
    )


CUBE_CHOICES: Final = {
    Question.DOUBLE: (Done.NO_DOUBLE.value, Done.DOUBLE.value),
    Question.TAKE: (Done.TAKE.value, Done.DROP.value),
}


def list_choices(found: PositionView) -> tuple[str, ...]:
    """Return what may be chosen where the answer is known; plays in an order that says nothing."""
    if found.answer is None:
        return ()
    if found.answer.cube is not None:
        return CUBE_CHOICES.get(found.question, ())
    plays = [each.play for each in found.answer.plays]
    return tuple(sorted(plays, key=lambda play: sha256(f"{found.xgid} {play}".encode()).digest()))


def choice_loss(answer: AnswerView, choice: str) -> float | None:
    """Return what a choice gives away, of the cube's value; None for a play that was looked at less deeply than the best."""
    if answer.cube is not None:
        return round(given_away(Done(choice), answer.cube), DIGITS)
    return next(each.behind for each in answer.plays if each.play == choice)
