"""Analyses of finished matches by a worker, in slices of some seconds.

An analysis runs pass by pass, each in batches of decisions. Each batch is stored in a transaction, so a
killed worker loses one batch and any other can continue. The same decisions always lead to the same rows. If
the match's journal changes, the analysis is dropped. Matches that ended more than a day ago are only analysed
on request.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import uuid4

import structlog
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Case, Count, F, FloatField, Q, Sum, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce
from django.http import Http404
from django.utils.translation import gettext as _

from engine.errors import EngineError
from matches import hooks as match_hooks
from matches.play.match_access import Role, View
from matches.state.errors import Refused
from matches.state.status import Status
from opinion.analyses import analyses, availability, subjects
from opinion.judging import engine_process
from opinion.judging.decisions import Decision, Kind
from opinion.judging.formulas import BLUNDER, ERROR
from opinion.judging.oracle import NoOracle, Oracle, OracleFailed
from opinion.judging.passes import JudgedDecision, judge
from opinion.judging.spots import explain_unsupported
from opinion.models import DEEPEST, Analysis, Progress, Remark, SideSum
from players.models import User
from runtime.work import sweeps

Opening = Callable[[], AbstractContextManager[Oracle]]

log = structlog.get_logger(__name__)

LEASE: Final = timedelta(seconds=60)
# Time limit of one question; the engine is killed after it.
PATIENCE: Final = 15.0
# Decisions per transaction, by level: the deepest takes up to a second each.
BATCHES: Final = {1: 6, 2: 6, 3: 1}
# Limit of analyses per sweep.
AT_ONCE: Final = 20
MOST_ATTEMPTS: Final = 5
NO_DECISION: Final = "There is no decision in it."
PAUSE: Final = timedelta(minutes=1)
# Columns updated by deeper passes; luck is computed in the first.
FIGURES: Final = ("level", "counted", "error", "cost", "fault", "best", "chance")
DEEPER: Final = (*FIGURES, "plays", "cube")
LUCK: Final = ("luck", "luck_cost")


def open_engine() -> engine_process.EngineProcess:
    return engine_process.EngineProcess(seconds=PATIENCE)


def sweep(now: datetime, *, opening: Opening = open_engine) -> int:
    """Queue new analyses, and continue waiting ones for a time slice; return the number of both."""
    if not availability.is_available():
        return 0
    taken = queue_new(now=now)
    began = time.monotonic()
    worked = 0
    waiting = Analysis.objects.filter(analyses.filter_claimable(now))
    for row in waiting.order_by("level", "next_at", "pk")[:AT_ONCE]:
        left = sweeps.SLICE - (time.monotonic() - began)
        if left <= 0:
            break
        # Compare-and-set: only one worker can win this update.
        lease = uuid4().hex
        mine = Analysis.objects.filter(pk=row.pk, lease=row.lease, leased_until=row.leased_until)
        # Counted in advance, because a killed worker cannot count its attempt.
        if mine.update(lease=lease, leased_until=now + LEASE, attempts=F("attempts") + 1):
            worked += 1
            _continue_analysis(row.pk, lease, seconds=left, opening=opening, now=now)
    return taken + worked


def queue_new(*, now: datetime) -> int:
    """Queue recently ended matches and new records; return their number. Outdated analyses are dropped."""
    found = list(analyses.list_unanalysed(now).order_by("moved_at").values_list("pk", "head_hash")[:AT_ONCE])
    for match_id, head_hash in found:
        request_analysis(match_id=match_id, head_hash=head_hash, now=now)
    records = analyses.list_unanalysed_records(now)
    keys = list(records.order_by("pk").values_list("key", flat=True)[:AT_ONCE])
    for key in keys:
        request_record_analysis(key=key, now=now)
    return len(found) + len(keys)


def request_analysis(*, match_id: int, head_hash: str, now: datetime) -> None:
    """Queue the analysis of a match in its current state, unless it exists; outdated ones are dropped."""
    _queue_analysis({"match_id": match_id}, head_hash, now=now)


def request_record_analysis(*, key: str, now: datetime) -> None:
    """Queue the analysis of a recorded match, unless it exists; outdated ones are dropped."""
    found = match_hooks.RECORDS.get().find(key)
    if found is not None:
        _queue_analysis({"record": key}, found.sha256, now=now)


def _queue_analysis(about: dict[str, Any], head_hash: str, *, now: datetime) -> None:
    with transaction.atomic():
        Analysis.objects.filter(**about).exclude(head_hash=head_hash).delete()
        fresh = Analysis(**about, head_hash=head_hash, asked_at=now, next_at=now)
        Analysis.objects.bulk_create([fresh], ignore_conflicts=True)


def refresh_record_analysis(*, key: str, now: datetime) -> None:
    """Queue a new analysis of a recorded match whose facts have changed, if it was analysed before."""
    if Analysis.objects.filter(record=key).exists():
        request_record_analysis(key=key, now=now)


def drop_analysis(*, match_id: int) -> None:
    Analysis.objects.filter(match_id=match_id).delete()


# -- one slice ------------------------------------------------------------------------------------


def _continue_analysis(
    analysis_id: int, lease: str, *, seconds: float, opening: Opening, now: datetime
) -> None:
    mine = Analysis.objects.filter(pk=analysis_id, lease=lease)
    row = mine.select_related("match__white", "match__black").first()
    if row is None:
        return
    subject = subjects.load_subject(row)
    if subject is None:
        # The match was reopened or its journal changed: there is nothing to analyse.
        mine.delete()
        return
    if row.attempts > MOST_ATTEMPTS:
        _record_failure(row, lease, "Every attempt was stopped before it finished.", now=now)
        return
    try:
        rules, decisions, lines = subject.read()
        reason = explain_unsupported(rules) or ("" if decisions else NO_DECISION)
        if reason:
            mine.update(progress=Progress.UNJUDGED, why=reason, finished_at=now, leased_until=None)
            return
        mine.update(total=len(decisions))
        with opening() as oracle:
            _run_passes(row, lease, oracle, decisions, lines, seconds=seconds, now=now)
    except NoOracle as problem:
        mine.update(why=str(problem)[:300], next_at=now + 60 * PAUSE, leased_until=None, attempts=0)
    except (OracleFailed, LookupError, EngineError, ValueError) as problem:
        _record_failure(row, lease, str(problem), now=now)
    else:
        mine.update(leased_until=None)


def _run_passes(
    row: Analysis,
    lease: str,
    oracle: Oracle,
    decisions: Sequence[Decision],
    lines: Sequence[int],
    *,
    seconds: float,
    now: datetime,
) -> None:
    began = time.monotonic()
    if (row.level or row.done) and (row.engine, row.version) != (oracle.name, oracle.version):
        # Results of different versions are not comparable: start again.
        Analysis.objects.filter(pk=row.pk, lease=lease).update(level=0, done=0)
        row.level = row.done = 0
    while row.level < DEEPEST and time.monotonic() - began < seconds:
        level = row.level + 1
        batch = decisions[row.done : row.done + BATCHES[level]]
        judged = judge(oracle, batch, level, with_luck=level == 1)
        if not _store_batch(row, lease, oracle, level, judged, lines, of=len(decisions), now=now):
            return


def _store_batch(
    row: Analysis,
    lease: str,
    oracle: Oracle,
    level: int,
    judged: Sequence[JudgedDecision],
    lines: Sequence[int],
    *,
    of: int,
    now: datetime,
) -> bool:
    """Store a batch and the progress in one transaction; False if another worker has taken over."""
    first, done = row.done, row.done + len(judged)
    changes: dict[str, Any] = {"done": done, "attempts": 0, "why": "", "leased_until": now + LEASE}
    if done >= of:
        changes |= {"level": level, "done": 0}
        if level == DEEPEST:
            changes |= {"progress": Progress.DONE, "finished_at": now}
    with transaction.atomic():
        same = Analysis.objects.filter(
            Q(match__head_hash=row.head_hash) | ~Q(record=""),
            pk=row.pk,
            lease=lease,
            level=row.level,
            done=row.done,
        )
        if not same.update(engine=oracle.name, version=oracle.version, **changes):
            return False
        Remark.objects.bulk_create(
            [
                _build_remark(row, number, each, lines[each.decision.fact])
                for number, each in enumerate(judged, first)
            ],
            update_conflicts=True,
            unique_fields=["analysis", "number"],
            update_fields=[*DEEPER, *(LUCK if level == 1 else ())],
        )
        if "level" in changes:
            replace_sums(row.pk)
    row.level, row.done = changes.get("level", row.level), changes["done"]
    return True


def _build_remark(row: Analysis, number: int, each: JudgedDecision, seq: int) -> Remark:
    decision = each.decision
    return Remark(
        analysis=row,
        number=number,
        seq=seq,
        game=decision.game,
        ply=decision.ply,
        side=int(decision.side),
        kind=decision.kind.value,
        dice=str(decision.dice) if decision.dice else "",
        position=decision.xgid,
        decided=decision.done,
        **{name: getattr(each, name) for name in (*FIGURES, *LUCK)},
        plays=each.candidates,
        cube=None
        if each.cube is None
        else [round(each.cube.no_double, 4), round(each.cube.take, 4), list(each.cube.chances)],
    )


def _record_failure(row: Analysis, lease: str, why: str, *, now: datetime) -> None:
    """Retry with increasing delay, and fail after the last attempt."""
    log.warning("opinion.failed", match=row.record if row.match is None else row.match.key, why=why)
    Analysis.objects.filter(pk=row.pk, lease=lease).update(
        why=why[:300],
        next_at=now + PAUSE * 2**row.attempts,
        leased_until=None,
        progress=Progress.FAILED if row.attempts >= MOST_ATTEMPTS else Progress.WAITING,
    )


def may_request(seen: View) -> bool:
    """True for the two players with an account and for directors."""
    return seen.has_account and seen.role is not Role.SPECTATOR


def submit_match_request(seen: View, *, now: datetime) -> None:
    """Request the analysis of a finished match. Idempotent.

    :raises PermissionDenied: neither player nor director.
    :raises NoEngine: no engine is installed.
    :raises Refused: the match is unfinished or void.
    """
    if not may_request(seen):
        raise PermissionDenied
    availability.require_engine()
    row = seen.row
    if row.status == Status.VOID:
        raise Refused(_("The match is declared void."), code="void")
    if subjects.build_match_subject(row) is None:
        raise Refused(_("The match is not over yet."), code="not-finished")
    request_analysis(match_id=row.pk, head_hash=row.head_hash, now=now)


def submit_record_request(user: User, key: str, *, now: datetime) -> None:
    """Request the analysis of a recorded match, for users who may see its verdict.

    :raises Http404: no such record, or the user may not see it.
    :raises NoEngine: no engine is installed.
    """
    if match_hooks.RECORDS.get().find_visible(user, key) is None:
        raise Http404
    availability.require_engine()
    request_record_analysis(key=key, now=now)


NOUGHT = Value(0.0, output_field=FloatField())


def _sum(what: Combinable) -> Coalesce:
    return Coalesce(Sum(what, output_field=FloatField()), NOUGHT)


def replace_sums(analysis_id: int) -> None:
    """Replace the sums of an analysis; the caller opens the transaction."""
    squared = Case(When(counted=True, then=F("error") * F("error")), default=NOUGHT)
    sums = {
        "number": Count("pk"),
        "counted": Count("pk", filter=Q(counted=True)),
        "plays": Count("pk", filter=Q(kind=Kind.PLAY.value, level__gt=0)),
        "errors": Count("pk", filter=Q(error__gte=ERROR)),
        "blunders": Count("pk", filter=Q(error__gte=BLUNDER)),
        "error": _sum(F("error")),
        "squares": _sum(squared),
        "cost": _sum(F("cost")),
        "luck": _sum(F("luck")),
        "luck_cost": _sum(F("luck_cost")),
    }
    rows = Remark.objects.filter(analysis=analysis_id).order_by().values("side", "fault")
    # Django refuses an annotation with the name of a field.
    found: Any = rows.annotate(**{f"sum_{name}": each for name, each in sums.items()})
    SideSum.objects.filter(analysis=analysis_id).delete()
    SideSum.objects.bulk_create(
        SideSum(
            analysis_id=analysis_id,
            side=row["side"],
            fault=row["fault"],
            **{name: row[f"sum_{name}"] for name in sums},
        )
        for row in found
    )
