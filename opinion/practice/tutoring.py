"""The tutor: in a practice match against a bot each play is looked at before the bot answers, and a bad one may be taken back.

Of all live matches these are the only ones about which an engine says anything, and to their own player alone. A position that
stands in a match between people is not spoken of here either (ADR 73).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import Q

from engine.actions import Played
from matches.bots import bots
from matches.bots.minds import NoAnswer
from matches.journal import journal, standing
from matches.lobby import visitors
from matches.play import taking_back
from matches.state.status import OPEN
from opinion.analyses import here
from opinion.errors import BadLimit, NoEngine, NoHint
from opinion.judging.decisions import play_of
from opinion.judging.passes import judge
from opinion.judging.spots import why_not
from opinion.models import Hint, Lesson, Response, Silence
from opinion.practice import lessons, playing
from players.people import player_locks

if TYPE_CHECKING:
    from datetime import datetime

    from matches.journal.journal import Step
    from matches.models import Match
    from opinion.judging.passes import Judged
    from players.models import Player

# As deep as a play is looked at: less tells no good play from a fair one.
DEPTH: Final = 2
LEAST: Final = 0.01
MOST: Final = 1.0


@transaction.atomic
def begin(*, player: Player, limit: float, now: datetime, level: str = "", length: int = 3) -> Match:
    """Return a practice match with the tutor: the player's that is not finished, or a new one.

    :raises NoEngine: there is none here.
    :raises BadLimit: nobody can lose so much by a play, or so little means nothing.
    :raises Refused: the level cannot be played here, or the player has enough unfinished matches.
    """
    require_engine()
    if not LEAST <= limit <= MOST:
        raise BadLimit
    # Who presses twice begins one match.
    player_locks.hold([player.pk])
    slug = level or bots.PRACTICE
    mine = Q(match__white=player, match__black__bot__slug=slug) | Q(
        match__black=player, match__white__bot__slug=slug
    )
    found = Lesson.objects.filter(mine, limit=limit, match__length=length, match__status__in=OPEN)
    if (lesson := found.select_related("match").order_by("-pk").first()) is not None:
        return lesson.match
    row = visitors.practise(player=player, now=now, level=level, length=length, is_new=True)
    Lesson.objects.create(match=row, limit=limit)
    return row


def require_engine() -> None:
    """Refuse where there is no engine: before anybody becomes a visitor for it.

    :raises NoEngine: there is none here.
    """
    if not here.is_on():
        raise NoEngine


# -- before the bot answers -----------------------------------------------------------------------


def holds(row: Match) -> bool:
    """Must the bot wait: for the tutor, or for the player who is to take a play back or not?"""
    lesson = lessons.of_row(row)
    return lesson is not None and (lesson.waits_at is not None or lessons.unseen(lesson, row) is not None)


def look(match_id: int) -> None:
    """Look at the last play of the person, and point it out if it gives too much away."""
    lesson = Lesson.objects.select_related("match").filter(match_id=match_id).first()
    if lesson is None or not lesson.match.is_practice:
        return
    if lesson.waits_at is not None and not _has_gone_on(lesson):
        return
    entry = lessons.unseen(lesson, lesson.match)
    if entry is None:
        return
    judged, silence = None, ""
    step = next(step for step in journal.steps(lesson.match, upto=entry.seq) if step.line.seq == entry.seq)
    if standing.stands(step.before.match.game.board):
        silence = Silence.IN_PLAY.value
    else:
        try:
            judged = _judged(step)
        except NoAnswer:
            silence = Silence.ENGINE.value
    _keep(lesson, entry.seq, judged, silence)


def _has_gone_on(lesson: Lesson) -> bool:
    """Has the player done something else instead of answering: the hint is answered by that, then."""
    with transaction.atomic():
        row = journal.lock(lesson.match_id)
        hint = lessons.open_hint(lesson)
        if hint is not None and not lessons.has_acted_since(row, hint.seq):
            return False
        Hint.objects.filter(lesson=lesson, response=Response.NONE).update(response=Response.PLAYED_ON)
        Lesson.objects.filter(pk=lesson.pk).update(waits_at=None)
    return True


def _judged(step: Step) -> Judged | None:
    """Return what the engine thinks of a play; None where there was no other, or it ended the game."""
    match, played = step.before.match, step.line.fact
    assert isinstance(played, Played)  # noqa: S101 - `lessons.unseen` has looked
    if why_not(match.rules) or step.after.match.number != match.number or step.after.match.is_over:
        return None
    decision = play_of(match, played)
    if not decision.is_play_with_a_choice:
        return None
    if not here.is_on():
        raise NoAnswer("there is no engine on this machine")
    return playing.ENGINE.ask(lambda oracle: judge(oracle, [decision], DEPTH, with_luck=False)[0])


def _keep(lesson: Lesson, seq: int, judged: Judged | None, silence: str) -> None:
    with transaction.atomic():
        row = journal.lock(lesson.match_id)
        mine = Lesson.objects.filter(pk=lesson.pk, looked__lt=seq)
        # One who looked as well was quicker, or the play is taken back already.
        is_bad = judged is not None and judged.error >= lesson.limit and row.status in OPEN
        waits_at = row.head if is_bad else None
        if not mine.update(looked=seq, silence=silence, waits_at=waits_at) or judged is None or not is_bad:
            return
        decision = judged.decision
        Hint.objects.create(
            lesson=lesson,
            seq=seq,
            position=decision.xgid,
            played=decision.done,
            best=judged.best,
            loss=judged.error,
            level=judged.level,
            plays=[[play.play, play.equity, list(play.chances), play.level] for play in judged.candidates],
        )


# -- what the player answers ----------------------------------------------------------------------


@transaction.atomic
def take_back(*, match_id: int, player: Player, now: datetime) -> None:
    """Take the play back that was pointed out.

    :raises NoHint: there is none to answer (any more).
    """
    hint = _answered(match_id, player, Response.TAKEN_BACK)
    row = taking_back.take_back(match_id=match_id, player=player, line=hint.seq, now=now)
    Lesson.objects.filter(match_id=match_id).update(looked=row.head)


@transaction.atomic
def play_on(*, match_id: int, player: Player, now: datetime) -> None:
    """Leave the play as it is; the bot answers.

    :raises NoHint: there is none to answer (any more).
    """
    _answered(match_id, player, Response.PLAYED_ON)
    transaction.on_commit(partial(bots.act_or_log, match_id=match_id, now=now))


def _answered(match_id: int, player: Player, response: Response) -> Hint:
    row = journal.lock(match_id)
    lesson = lessons.of_row(row)
    hint = None if lesson is None else lessons.open_hint(lesson)
    if hint is None or journal.side_of(row, player.pk) is None or lessons.has_acted_since(row, hint.seq):
        raise NoHint
    hint.response = response
    hint.save(update_fields=["response"])
    Lesson.objects.filter(pk=hint.lesson_id).update(waits_at=None)
    return hint
