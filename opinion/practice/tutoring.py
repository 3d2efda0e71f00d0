"""The tutor: in a practice match, it evaluates each play before the bot answers; bad plays can be taken back.

These are the only live matches with engine comments, and only their player sees them. A position that occurs
in a match between people is not commented on (ADR 73).
"""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Final

from django.db import transaction
from django.db.models import Q

from engine.actions import Played
from matches.bots import bots
from matches.bots.minds import NoAnswer
from matches.journal import journal, positions_in_play
from matches.journal.journal import Step
from matches.lobby import visitors
from matches.models import Match
from matches.play import directing
from matches.state.status import OPEN
from opinion.analyses import availability
from opinion.errors import BadLimit, NoHint
from opinion.judging.decisions import build_play
from opinion.judging.passes import JudgedDecision, judge
from opinion.judging.spots import explain_unsupported
from opinion.models import Hint, Lesson, Response, Silence
from opinion.practice import lessons, live_engine
from players.models import Player
from players.people import people

# 1 ply does not separate good plays from fair ones.
DEPTH: Final = 2
LEAST: Final = 0.01
MOST: Final = 1.0


@transaction.atomic
def begin(*, player: Player, limit: float, now: datetime, level: str = "", length: int = 3) -> Match:
    """Begin a practice match with the tutor, or return an unfinished one with the same bot, limit and length.

    :raises NoEngine: no engine is installed.
    :raises BadLimit: out of range.
    :raises Refused: the level cannot be played here, or the player has too many unfinished matches.
    """
    availability.require_engine()
    if not LEAST <= limit <= MOST:
        raise BadLimit
    # A double click begins one match only.
    people.lock_players([player.pk])
    slug = level or bots.PRACTICE
    mine = Q(match__white=player, match__black__bot__slug=slug) | Q(
        match__black=player, match__white__bot__slug=slug
    )
    found = Lesson.objects.filter(mine, limit=limit, match__length=length, match__status__in=OPEN)
    if (lesson := found.select_related("match").order_by("-pk").first()) is not None:
        return lesson.match
    row = visitors.begin_practice(player=player, now=now, level=level, length=length, is_new=True)
    Lesson.objects.create(match=row, limit=limit)
    return row


# -- before the bot answers -----------------------------------------------------------------------


def must_wait(row: Match) -> bool:
    """True if the bot must wait for the tutor, or for the player's response to a hint."""
    lesson = lessons.find_lesson(row)
    return lesson is not None and (
        lesson.waits_at is not None or lessons.find_unseen_play(lesson, row) is not None
    )


def evaluate_last_play(match_id: int) -> None:
    """Evaluate the player's last play, and create a hint if its loss reaches the limit."""
    lesson = Lesson.objects.select_related("match").filter(match_id=match_id).first()
    if lesson is None or not lesson.match.is_practice:
        return
    if lesson.waits_at is not None and not _close_hint_if_played_on(lesson):
        return
    entry = lessons.find_unseen_play(lesson, lesson.match)
    if entry is None:
        return
    judged, silence = None, ""
    step = next(
        step for step in journal.iterate_steps(lesson.match, upto=entry.seq) if step.line.seq == entry.seq
    )
    if positions_in_play.is_in_play(step.before.match.game.board):
        silence = Silence.IN_PLAY.value
    else:
        try:
            judged = _judge_play(step)
        except NoAnswer:
            silence = Silence.ENGINE.value
    _store_judgement(lesson, entry.seq, judged, silence)


def _close_hint_if_played_on(lesson: Lesson) -> bool:
    """Close the hint if the player acted instead of responding; True if it is closed."""
    with transaction.atomic():
        row = journal.lock(lesson.match_id)
        hint = lessons.find_open_hint(lesson)
        if hint is not None and not lessons.has_acted_since(row, hint.seq):
            return False
        Hint.objects.filter(lesson=lesson, response=Response.NONE).update(response=Response.PLAYED_ON)
        Lesson.objects.filter(pk=lesson.pk).update(waits_at=None)
    return True


def _judge_play(step: Step) -> JudgedDecision | None:
    """Return the evaluation of a play; None if it had no alternative, ended the game, or cannot be evaluated.

    :raises NoAnswer: no engine, or no answer.
    """
    match, played = step.before.match, step.line.fact
    assert isinstance(played, Played)  # noqa: S101 - checked by `lessons.find_unseen_play`
    if (
        explain_unsupported(match.rules)
        or step.after.match.number != match.number
        or step.after.match.is_over
    ):
        return None
    decision = build_play(match, played)
    if not decision.is_play_with_a_choice:
        return None
    if not availability.is_available():
        raise NoAnswer("there is no engine on this machine")
    return live_engine.ENGINE.run_question(
        lambda oracle: judge(oracle, [decision], DEPTH, with_luck=False)[0]
    )


def _store_judgement(lesson: Lesson, seq: int, judged: JudgedDecision | None, silence: str) -> None:
    with transaction.atomic():
        row = journal.lock(lesson.match_id)
        mine = Lesson.objects.filter(pk=lesson.pk, looked__lt=seq)
        is_bad = judged is not None and judged.error >= lesson.limit and row.status in OPEN
        waits_at = row.head if is_bad else None
        # The update fails if a concurrent call was first, or the play was taken back.
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
            plays=judged.candidates,
        )


# -- responses of the player ----------------------------------------------------------------------


@transaction.atomic
def take_back(*, match_id: int, player: Player, now: datetime) -> None:
    """Take back the play of the open hint.

    :raises NoHint: there is no open hint.
    """
    hint = _respond_to_hint(match_id, player, Response.TAKEN_BACK)
    row = directing.take_back(match_id=match_id, player=player, line=hint.seq, now=now)
    Lesson.objects.filter(match_id=match_id).update(looked=row.head)


@transaction.atomic
def play_on(*, match_id: int, player: Player, now: datetime) -> None:
    """Keep the play; the bot continues.

    :raises NoHint: there is no open hint.
    """
    _respond_to_hint(match_id, player, Response.PLAYED_ON)
    transaction.on_commit(partial(bots.act_or_log, match_id=match_id, now=now))


def _respond_to_hint(match_id: int, player: Player, response: Response) -> Hint:
    row = journal.lock(match_id)
    lesson = lessons.find_lesson(row)
    hint = None if lesson is None else lessons.find_open_hint(lesson)
    if hint is None or journal.find_side(row, player.pk) is None or lessons.has_acted_since(row, hint.seq):
        raise NoHint
    hint.response = response
    hint.save(update_fields=["response"])
    Lesson.objects.filter(pk=hint.lesson_id).update(waits_at=None)
    return hint
