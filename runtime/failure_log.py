"""Log filters that count repeated failures, so that neither attackers nor outages can flood the log."""

from __future__ import annotations

import logging
import sys
import threading
import time
from typing import Any, Final

import structlog
from django.db.backends.signals import connection_created

from runtime import database_errors

log = structlog.get_logger(__name__)

# Each kind of refused request gets at most one line in this time.
REFUSAL_SECONDS: Final = 60.0
SECURITY: Final = "django.security."


class FailureStreak:
    """A series of failures: logs one line when it begins and one, with a count, when it ends. Thread-safe."""

    def __init__(self, *, begins: str, ends: str) -> None:
        self._begins = begins
        self._ends = ends
        self._lock = threading.Lock()
        self._failures = 0
        self._began = 0.0

    @property
    def is_open(self) -> bool:
        return self._failures > 0

    def fail(self, error: BaseException) -> None:
        with self._lock:
            self._failures += 1
            is_first = self._failures == 1
            if is_first:
                self._began = time.monotonic()
        if is_first:
            log.warning(self._begins, error=f"{type(error).__name__}: {error}")

    def end(self) -> None:
        if not self._failures:
            return
        with self._lock:
            failures, self._failures = self._failures, 0
            took = time.monotonic() - self._began
        if failures:
            log.warning(self._ends, failures=failures, seconds=round(took, 1))


DATABASE: Final = FailureStreak(begins="database.away", ends="database.back")


def _end_database_streak(**_: object) -> None:
    DATABASE.end()


# With a pool this signal comes with each request, otherwise with the first one after the connection was lost.
connection_created.connect(_end_database_streak, dispatch_uid="runtime.failure_log")


class DatabaseAwayFilter(logging.Filter):
    """A filter that drops and counts log records whose exception means that the database server is away."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = _find_exception(record)
        if error is None or not database_errors.is_unreachable(error):
            return True
        DATABASE.fail(error)
        return False


class SecurityFilter(logging.Filter):
    """A filter that counts requests that Django rejects, such as those with an unknown `Host`.

    Anyone can send many of them.
    """

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._count: dict[str, int] = {}
        self._next_line_at: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Drop Django's record and its traceback; log one line a minute with a count instead."""
        if not record.name.startswith(SECURITY):
            return True
        kind = record.name.removeprefix(SECURITY)
        at = time.monotonic()
        with self._lock:
            self._count[kind] = self._count.get(kind, 0) + 1
            if at < self._next_line_at.get(kind, 0.0):
                return False
            self._next_line_at[kind] = at + REFUSAL_SECONDS
            count = self._count.pop(kind)
        log.warning("request.refused", kind=kind, why=record.getMessage()[:200], count=count)
        return False


def _find_exception(record: logging.LogRecord) -> BaseException | None:
    """Return the record's exception, whether Django or structlog wrote it."""
    of_structlog: Any = record.msg.get("exc_info") if isinstance(record.msg, dict) else None
    match record.exc_info or of_structlog:
        case BaseException() as error:
            return error
        case (_, BaseException() as error, _):
            return error
        case True:
            return sys.exc_info()[1]
    return None
