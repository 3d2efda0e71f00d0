"""Evaluations of positions on request, by a worker, once for each version of the engine.

A position that occurs in a match being played between people (`matches.journal.positions_in_play`) is not
evaluated until that match is over.
"""

from __future__ import annotations

import time
from datetime import datetime
from typing import Final
from uuid import uuid4

import structlog
from django.db import IntegrityError, transaction
from django.db.models import F

from engine.errors import EngineError
from engine.situation import Situation
from matches.journal import positions_in_play
from opinion.analyses import analyses, analysing, availability
from opinion.errors import PositionInPlay, TooManyQuestions
from opinion.judging import positions
from opinion.judging.oracle import NoOracle, Oracle, OracleFailed
from opinion.models import DEEPEST, AskedPosition, Progress
from opinion.positions.positions import parse_position
from players.access import attempts
from players.models import User
from runtime.work import sweeps

log = structlog.get_logger(__name__)

# Rate limit per user; each question takes a worker some seconds.
PACE: Final = attempts.RateLimit(free=30, first=30, most=300)
AT_ONCE: Final = 10
MOST_ATTEMPTS: Final = 3


def queue_evaluation(*, user: User, situation: Situation, now: datetime) -> None:
    """Queue the evaluation of a position, unless it is known, queued, or not supported by the engine.

    :raises PositionInPlay: it occurs in a match being played.
    :raises NoEngine: no engine is installed.
    :raises TooManyQuestions: rate limit of the user.
    """
    if positions_in_play.is_in_play(situation.board):
        raise PositionInPlay
    availability.require_engine()
    if positions.explain_refusal(situation):
        return
    engine, version = availability.get_engine()
    about = {
        "position": positions.compute_key(situation),
        "engine": engine,
        "version": version,
        "level": DEEPEST,
    }
    if AskedPosition.objects.filter(**about).exclude(progress=Progress.FAILED).exists():
        return
    try:
        attempts.count_try([attempts.build_bucket(PACE, "positions", user.pk)], now=now)
    except attempts.TooManyTries as too_soon:
        raise TooManyQuestions(too_soon.seconds) from too_soon
    with transaction.atomic():
        AskedPosition.objects.filter(**about, progress=Progress.FAILED).delete()
        fresh = AskedPosition(**about, asked_at=now, next_at=now)
        AskedPosition.objects.bulk_create([fresh], ignore_conflicts=True)


def sweep(now: datetime, *, opening: analysing.Opening | None = None) -> int:
    """Evaluate waiting positions for a time slice; return the number processed."""
    waiting = AskedPosition.objects.filter(analyses.filter_claimable(now))
    rows = list(waiting.order_by("next_at", "pk")[:AT_ONCE]) if availability.is_available() else []
    if not rows:
        return 0
    began = time.monotonic()
    worked = 0
    try:
        with (opening or analysing.open_engine)() as oracle:
            for row in rows:
                if worked and time.monotonic() - began > sweeps.SLICE:
                    break
                worked += _evaluate_row(row, oracle, now=now)
    except NoOracle as problem:
        later = now + 60 * analysing.PAUSE
        waiting.update(why=str(problem)[:300], next_at=later)
    return worked


def _evaluate_row(row: AskedPosition, oracle: Oracle, *, now: datetime) -> bool:
    # Compare-and-set: only one worker can win this update.
    lease = uuid4().hex
    same = AskedPosition.objects.filter(pk=row.pk, lease=row.lease, leased_until=row.leased_until)
    if not same.update(lease=lease, leased_until=now + analysing.LEASE, attempts=F("attempts") + 1):
        return False
    mine = AskedPosition.objects.filter(pk=row.pk, lease=lease)
    if row.attempts >= MOST_ATTEMPTS:
        why = "Every attempt was stopped before it finished."
        mine.update(progress=Progress.FAILED, why=why, leased_until=None)
        return True
    situation = parse_position(row.position)
    if positions_in_play.is_in_play(situation.board):
        mine.update(next_at=now + analysing.PAUSE, leased_until=None, attempts=0)
        return True
    try:
        found = positions.evaluate_position(oracle, situation, row.level)
    except (OracleFailed, LookupError, EngineError, ValueError) as problem:
        log.warning("opinion.position_failed", position=row.position, why=str(problem))
        is_last = row.attempts + 1 >= MOST_ATTEMPTS
        mine.update(
            why=str(problem)[:300],
            next_at=now + analysing.PAUSE * 2**row.attempts,
            leased_until=None,
            progress=Progress.FAILED if is_last else Progress.WAITING,
        )
        return True
    _store_result(row, lease, oracle, found, now=now)
    return True


def _store_result(
    row: AskedPosition, lease: str, oracle: Oracle, found: positions.Judgement, *, now: datetime
) -> None:
    mine = AskedPosition.objects.filter(pk=row.pk, lease=lease)
    cube = found.cube
    try:
        with transaction.atomic():
            mine.update(
                # The actual engine: the version may have changed since the request.
                engine=oracle.name,
                version=oracle.version,
                progress=Progress.DONE,
                plays=found.plays,
                cube=None
                if cube is None
                else [round(cube.no_double, 4), round(cube.take, 4), list(cube.chances), cube.level],
                why="",
                leased_until=None,
                finished_at=now,
            )
    except IntegrityError:
        # There already is an evaluation by that version.
        mine.delete()
