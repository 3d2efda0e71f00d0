"""A position that somebody asks about is put to the engine by a worker, once for each version of it, and the answer kept.

It waits where it stands in a match that is being played between people (`matches.journal.standing`): until that is over the
engine is not even asked.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final
from uuid import uuid4

import structlog
from django.db import IntegrityError, transaction
from django.db.models import F

from engine.errors import EngineError
from matches.journal import standing
from opinion.analyses import analysing, here, waiting
from opinion.errors import NoEngine, PositionInPlay, TooManyQuestions
from opinion.judging import positions
from opinion.judging.oracle import NoOracle, OracleFailed
from opinion.models import DEEPEST, AskedPosition, Progress
from opinion.positions.positions import read
from players.access import attempts
from runtime.work import sweeps

if TYPE_CHECKING:
    from datetime import datetime

    from engine.situation import Situation
    from opinion.judging.oracle import Oracle
    from players.models import User

log = structlog.get_logger(__name__)

# Questions of one person; each takes a worker some seconds.
PACE: Final = attempts.Pace(free=30, first=30, most=300)
AT_ONCE: Final = 10
MOST_ATTEMPTS: Final = 3


def ask(*, user: User, situation: Situation, now: datetime) -> None:
    """Have the engine look at a position; what is known or waits already is not asked again.

    :raises PositionInPlay: it stands in a match that is being played.
    :raises NoEngine: there is none here.
    :raises TooManyQuestions: of this person within an hour.
    """
    if standing.stands(situation.board):
        raise PositionInPlay
    if not here.is_on():
        raise NoEngine
    if positions.why_not(situation):
        return
    engine, version = here.engine()
    about = {"position": positions.key(situation), "engine": engine, "version": version, "level": DEEPEST}
    if AskedPosition.objects.filter(**about).exclude(progress=Progress.FAILED).exists():
        return
    try:
        attempts.take_turn([attempts.lane(PACE, "positions", user.pk)], now=now)
    except attempts.TooSoon as too_soon:
        raise TooManyQuestions(too_soon.seconds) from too_soon
    with transaction.atomic():
        AskedPosition.objects.filter(**about, progress=Progress.FAILED).delete()
        fresh = AskedPosition(**about, asked_at=now, next_at=now)
        AskedPosition.objects.bulk_create([fresh], ignore_conflicts=True)


def sweep(*, now: datetime, opening: analysing.Opening | None = None) -> int:
    """Put what waits to the engine, for a while; return how much was done."""
    rows = list(waiting.asked(now).order_by("next_at", "pk")[:AT_ONCE]) if here.is_on() else []
    if not rows:
        return 0
    began = time.monotonic()
    worked = 0
    try:
        with (opening or analysing.open_engine)() as oracle:
            for row in rows:
                if worked and time.monotonic() - began > sweeps.SLICE:
                    break
                worked += _take(row, oracle, now=now)
    except NoOracle as problem:
        later = now + 60 * analysing.PAUSE
        waiting.asked(now).update(why=str(problem)[:300], next_at=later)
    return worked


def _take(row: AskedPosition, oracle: Oracle, *, now: datetime) -> bool:
    # By compare-and-set: of all who read this row as it is now, one.
    lease = uuid4().hex
    same = AskedPosition.objects.filter(pk=row.pk, lease=row.lease, leased_until=row.leased_until)
    if not same.update(lease=lease, leased_until=now + analysing.LEASE, attempts=F("attempts") + 1):
        return False
    mine = AskedPosition.objects.filter(pk=row.pk, lease=lease)
    if row.attempts >= MOST_ATTEMPTS:
        why = "Every attempt was stopped before it finished."
        mine.update(progress=Progress.FAILED, why=why, leased_until=None)
        return True
    situation = read(row.position)
    if standing.stands(situation.board):
        mine.update(next_at=now + analysing.PAUSE, leased_until=None, attempts=0)
        return True
    try:
        found = positions.answer(oracle, situation, row.level)
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
    _keep(row, lease, oracle, found, now=now)
    return True


def _keep(
    row: AskedPosition, lease: str, oracle: Oracle, found: positions.Judgement, *, now: datetime
) -> None:
    mine = AskedPosition.objects.filter(pk=row.pk, lease=lease)
    cube = found.cube
    try:
        with transaction.atomic():
            mine.update(
                # Of whoever has answered: another version may have come since it was asked.
                engine=oracle.name,
                version=oracle.version,
                progress=Progress.DONE,
                plays=[[play.play, play.equity, list(play.chances), play.level] for play in found.plays],
                cube=None
                if cube is None
                else [round(cube.no_double, 4), round(cube.take, 4), list(cube.chances), cube.level],
                why="",
                leased_until=None,
                finished_at=now,
            )
    except IntegrityError:
        # That version has answered it before.
        mine.delete()
