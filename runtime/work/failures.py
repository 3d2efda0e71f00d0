"""Retries of a sweep's subjects with exponential backoff, each independent of the others."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Final, TypeVar

import structlog

from runtime.models import Failure

T = TypeVar("T")

log = structlog.get_logger(__name__)

LONGEST_PAUSE: Final = timedelta(minutes=10)
# After this time without a retry, the sweep no longer finds the subject.
FORGOTTEN_AFTER: Final = timedelta(hours=1)


def process_each(
    sweep: str,
    subjects: Iterable[T],
    act: Callable[[T], int],
    *,
    now: datetime,
    key: Callable[[T], object] = lambda subject: subject,
    seconds: float = math.inf,
) -> int:
    """Call *act* for each subject, except those waiting for a retry; return the sum of the results.

    *key* identifies a subject across runs. No subject is started after *seconds*.
    """
    known: dict[str, Failure] | None = None
    began = time.monotonic()
    done = 0
    for subject in subjects:
        if known is None:
            known = {row.subject: row for row in Failure.objects.filter(sweep=sweep)}
        elif time.monotonic() - began > seconds:
            break
        name = str(key(subject))
        failed = known.get(name)
        if failed is not None and now < failed.retry_at <= now + LONGEST_PAUSE:
            continue
        try:
            done += act(subject)
        except Exception as error:
            # The same error is logged once: the admin and the metrics count the attempts.
            if failed is None or failed.last_error != format_error(error):
                log.exception("sweep.subject_failed", sweep=sweep, subject=name)
            attempts = 1 + (failed.attempts if failed else 0)
            retry = {"attempts": min(attempts, 9_999), "retry_at": now + compute_pause(attempts)}
            Failure.objects.update_or_create(
                sweep=sweep, subject=name, defaults={**retry, "last_error": format_error(error)}
            )
        else:
            if failed is not None:
                failed.delete()
    return done


def compute_pause(attempts: int, longest: timedelta = LONGEST_PAUSE) -> timedelta:
    """Return the pause after so many failures in a row.

    >>> [compute_pause(attempts).seconds for attempts in (1, 2, 3, 10, 11, 500)]
    [1, 2, 4, 512, 600, 600]
    """
    return min(timedelta(seconds=2 ** min(attempts - 1, 20)), longest)


def format_error(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:2000]


def prune(*, now: datetime) -> int:
    """Delete the failures of subjects that no sweep finds any more."""
    return Failure.objects.filter(retry_at__lt=now - FORGOTTEN_AFTER).delete()[0]
