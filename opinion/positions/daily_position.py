"""The position of the day: its choice, a difficult one from the latest public matches, and its answers.

The choice is deterministic for a date and a set of analyses. The position is queued for evaluation like any
other, and shown once that is done. The first answer of each user or browser counts: users are identified by
account, others by a cookie of which only a hash is stored.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import islice
from typing import Any, Final

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from engine.situation import Situation
from matches.state.status import Status
from opinion.analyses import availability
from opinion.errors import AnswerUnknown, NotOfADay, OpinionError, TooManyAnswers
from opinion.judging import positions
from opinion.judging.decisions import Kind
from opinion.judging.formulas import BLUNDER
from opinion.models import DEEPEST, Analysis, AskedPosition, DailyPosition, GivenAnswer, Progress, Remark
from opinion.positions.positions import list_choices, load_view, parse_position
from players.access import attempts
from players.models import Player, User

# Yesterday's position is shown until the new one is evaluated.
STANDS_FOR: Final = timedelta(days=1)
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


def compute_version_key() -> tuple[date, str] | None:
    """Return the version key of the shown position: its day and position; None if there is none."""
    if not availability.is_enabled():
        return None
    today = timezone.localdate()
    rows = list_shown().filter(day__lte=today, day__gte=today - STANDS_FOR).order_by("-day")
    return rows.values_list("day", "asked__position").first()


def list_shown() -> QuerySet[DailyPosition]:
    """Return the positions with an evaluation, from finished public matches."""
    return DailyPosition.objects.filter(
        asked__progress=Progress.DONE, match__is_private=False, match__status=Status.FINISHED.value
    )


def is_daily_position(position: str) -> bool:
    """True if this was a position of the day, and its match is still public."""
    return list_shown().filter(asked__position=position).exists()


@dataclass(frozen=True, slots=True)
class Respondent:
    """The author of an answer: a user, or a browser by the hash of its cookie."""

    user: User | None
    browser: str

    @property
    def named(self) -> dict[str, Any]:
        """The fields of `GivenAnswer` that identify the respondent."""
        return {"user": self.user, "browser": "" if self.user else self.browser}

    def rows(self) -> QuerySet[GivenAnswer]:
        is_known = self.user is not None or self.browser
        return GivenAnswer.objects.filter(**self.named) if is_known else GivenAnswer.objects.none()


@dataclass(frozen=True, slots=True)
class ChoiceCount:
    choice: str
    count: int
    percent: int
    is_best: bool
    is_own: bool


@dataclass(frozen=True, slots=True)
class AnswerCounts:
    """Statistics of all answers; each respondent counts once, with the first answer."""

    count: int
    choices: tuple[ChoiceCount, ...]


def count_answers(position: str, *, best: Iterable[str], mine: str) -> AnswerCounts:
    """Count answers by choice, the most frequent first; includes the best choice even with no answers."""
    right = set(best)
    rows = GivenAnswer.objects.filter(position=position).values("choice").annotate(count=Count("pk"))
    counts = dict.fromkeys(right, 0) | {row["choice"]: row["count"] for row in rows}
    total = sum(counts.values())
    ordered = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    return AnswerCounts(
        total,
        tuple(
            ChoiceCount(
                choice, count, round(100 * count / total) if total else 0, choice in right, choice == mine
            )
            for choice, count in ordered
        ),
    )


# Rate limit per address; a whole club may share one.
PACE: Final = attempts.RateLimit(free=120, first=5, most=60)


def count_answer(*, situation: Situation, choice: str, who: Respondent, address: str, now: datetime) -> None:
    """Count an answer, unless there is one of this respondent already.

    :raises NotOfADay: it was never a position of the day, or has no evaluation.
    :raises AnswerUnknown: it is none of the choices.
    :raises TooManyAnswers: rate limit of this address.
    """
    position = positions.compute_key(situation)
    if not is_daily_position(position):
        raise NotOfADay
    offered = list_choices(load_view(situation))
    if not offered:
        raise NotOfADay
    if choice not in offered:
        raise AnswerUnknown
    if who.rows().filter(position=position).exists():
        return
    try:
        attempts.count_try(attempts.build_network_buckets(PACE, "answers", address), now=now)
    except attempts.TooManyTries as too_soon:
        raise TooManyAnswers(seconds=too_soon.seconds) from too_soon
    fresh = GivenAnswer(position=position, choice=choice, at=now, **who.named)
    # Concurrent requests of one browser: the second is ignored.
    GivenAnswer.objects.bulk_create([fresh], ignore_conflicts=True)


def export_answers(player: Player) -> list[dict[str, object]]:
    rows = GivenAnswer.objects.filter(user__player=player).order_by("at", "pk")
    return [dict(row) for row in rows.values("position", "choice", "at")]


def delete_answers(*, player: Player) -> None:
    if player.user_id is not None:
        GivenAnswer.objects.filter(user=player.user_id).delete()


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
