"""The choice of the position of the day: a difficult one from the latest public matches.

The choice is deterministic for a date and a set of analyses. The position is queued for evaluation like any
other, and shown once that is done.
"""

from __future__ import annotations

import hashlib
from datetime import timedelta
from itertools import islice
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from matches.state.status import Status
from opinion.analyses import availability
from opinion.errors import OpinionError
from opinion.judging import positions
from opinion.judging.decisions import Kind
from opinion.judging.formulas import BLUNDER
from opinion.models import DEEPEST, Analysis, AskedPosition, DailyPosition, Remark
from opinion.positions.positions import parse_position

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date, datetime

# A play or cube decision with a smaller margin is difficult.
CLOSE: Final = 0.030
# Shallower analyses are not significant.
LEAST_LEVEL: Final = 2
# Opening theory is skipped.
OPENING_ROLLS: Final = 4
LATEST: Final = 200
MOST_LOOKED_AT: Final = 20
# A position is not repeated within this time.
LATELY: Final = timedelta(days=400)


def sweep(now: datetime) -> int:
    """Choose today's position if that has not been done; return the number of positions chosen."""
    today = timezone.localdate(now)
    if not availability.is_available() or DailyPosition.objects.filter(day=today).exists():
        return 0
    found = choose_position(today)
    if found is None:
        return 0
    position, match_id = found
    engine, version = availability.get_engine()
    with transaction.atomic():
        asked, _ = AskedPosition.objects.get_or_create(
            position=position,
            engine=engine,
            version=version,
            level=DEEPEST,
            defaults={"asked_at": now, "next_at": now},
        )
        fresh = DailyPosition(day=today, asked=asked, match_id=match_id)
        DailyPosition.objects.bulk_create([fresh], ignore_conflicts=True)
    return 1


def choose_position(day: date) -> tuple[str, int] | None:
    """Return the key of a day's position and the id of its match; None if there is no difficult one."""
    latest = Analysis.objects.filter(
        level__gte=LEAST_LEVEL,
        match__status=Status.FINISHED.value,
        match__is_private=False,
        match__has_bot=False,
    ).order_by("-pk")
    rows = latest.values_list("pk", "match_id", "match__head_hash", "head_hash")[:LATEST]
    whole = [(pk, match_id, head) for pk, match_id, head, seen in rows if head == seen]
    whole.sort(key=lambda row: _compute_order(day, row[2]))
    for pk, match_id, _head in whole[:MOST_LOOKED_AT]:
        hard = {position: _compute_order(day, position) for position in _list_difficult(pk)}
        known = DailyPosition.objects.filter(asked__position__in=hard, day__gt=day - LATELY)
        for position in known.values_list("asked__position", flat=True):
            hard.pop(position, None)
        if hard:
            return min(hard, key=lambda position: hard[position]), match_id
    return None


def _compute_order(day: date, name: str) -> bytes:
    """Return a sort key, pseudo-random but the same for each day and name."""
    return hashlib.sha256(f"{day.isoformat()} {name}".encode()).digest()


def _list_difficult(analysis_id: int) -> Iterator[str]:
    """Yield positions of a match with a blunder or a close decision."""
    kinds = (Kind.PLAY.value, Kind.DOUBLE.value, Kind.TAKE.value)
    rows = Remark.objects.filter(
        Q(error__gte=BLUNDER) | Q(counted=True),
        analysis=analysis_id,
        level__gte=LEAST_LEVEL,
        ply__gt=OPENING_ROLLS,
        kind__in=kinds,
    )
    for row in rows.order_by("number"):
        if row.error < BLUNDER and not _is_close(row):
            continue
        try:
            yield positions.compute_key(parse_position(row.position))
        except OpinionError:
            continue


def _is_close(row: Remark) -> bool:
    if row.cube is not None:
        no_double, take = row.cube[0], row.cube[1]
        margin = take - 1 if row.kind == Kind.TAKE else no_double - min(take, 1)
        return bool(abs(margin) < CLOSE)
    compared = [play for play in row.plays if play[3] == row.level]
    first_two = list(islice((play[1] for play in compared), 2))
    return len(first_two) == 2 and first_two[0] - first_two[1] < CLOSE
