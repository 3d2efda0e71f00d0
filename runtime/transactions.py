"""Time limit of write transactions.

SQLite has one writer at a time, and on PostgreSQL others wait for the rows that a transaction has locked. A
transaction of a request or a job that holds the database longer than `TRANSACTION_SECONDS` is rolled back at
its next statement. The caller of a request gets a refusal. A job is tried again and may take longer each
time, up to `LARGEST_FACTOR` times as long, so that it also succeeds on a slow machine. A sweep has that time
from the start. Commands that an operator runs are not limited (ADR 167). The wait for the lock does not
count: SQLite's is over when the transaction begins, PostgreSQL's when the first locking statement has returned.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

import structlog
from django.conf import settings
from django.db import Error
from django.utils.translation import gettext_lazy as _

from runtime.metrics import COUNTERS
from runtime.refusals import Refusal

log = structlog.get_logger(__name__)

LARGEST_FACTOR: Final = 5
# At SQLite's gate a transaction is ordered as if it had come so many seconds later.
REQUEST_PATIENCE: Final = 0.25
BACKGROUND_PATIENCE: Final = 1.0
# PostgreSQL's clauses of statements that wait for rows.
LOCKING: Final = (" FOR UPDATE", " FOR NO KEY UPDATE")
# SQLite instructions between two checks of the clock: some milliseconds.
INSTRUCTIONS_A_LOOK: Final = 200_000


class TransactionTooLong(Refusal):
    """A transaction held the database for too long and was rolled back."""

    code = "transaction_too_long"
    status = 503
    sentence = _("This took too long, so nothing was changed. Try again in a moment.")
    anchor = "running#running"
    # Seconds after which the caller may try again.
    wait = 5


class _Limit(threading.local):
    """The limit of the transactions that this thread begins."""

    seconds: float | None = None
    doing: str = ""
    patience: float = 0.0
    on_wait: Callable[[], object] | None = None


LIMIT: Final = _Limit()


@contextlib.contextmanager
def _set_limit(**values: Any) -> Iterator[None]:
    """Set these values of the thread's limit, and set them back at the end."""
    before = {name: getattr(LIMIT, name) for name in values}
    vars(LIMIT).update(values)
    try:
        yield
    finally:
        vars(LIMIT).update(before)


def limit_transactions(
    doing: str, *, attempt: int = 1, patience: float = 0.0
) -> contextlib.AbstractContextManager[None]:
    """Limit the transactions of this thread.

    *doing* names the request or the job in the log; *attempt* counts its runs.
    """
    seconds = settings.TRANSACTION_SECONDS * min(max(attempt, 1), LARGEST_FACTOR)
    return _set_limit(seconds=seconds, doing=doing, patience=patience)


def hurry() -> contextlib.AbstractContextManager[None]:
    """Let the transactions of this thread pass others at SQLite's gate: a player's clock runs."""
    return _set_limit(patience=0.0)


def report_waits(on_wait: Callable[[], object]) -> contextlib.AbstractContextManager[None]:
    """Call *on_wait* whenever a transaction of this thread has to wait for SQLite."""
    return _set_limit(on_wait=on_wait)


def lift_limit() -> contextlib.AbstractContextManager[None]:
    """Lift the limit for a transaction that cannot be cut, such as a period of ratings."""
    return _set_limit(seconds=None)


class LimitedTransactions:
    """Mixin for Django's database wrappers: measures transactions, and rolls back those that are too long."""

    # Attributes of the backend.
    connection: Any
    execute_wrappers: list[Callable[..., Any]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._began: float | None = None
        self._ends: float | None = None
        self._has_waited = False
        self.execute_wrappers.append(self._execute_in_time)

    def set_autocommit(self, autocommit: bool, *args: Any, **kwargs: Any) -> None:
        """Begin or end a transaction and its time."""
        if autocommit:
            # Callbacks after the commit do not count.
            self._stop_timer()
        super().set_autocommit(autocommit, *args, **kwargs)  # type: ignore[misc]
        if not autocommit and LIMIT.seconds is not None:
            self._start_timer(LIMIT.seconds)
            self._has_waited = False
            self._set_progress_handler(self.is_late)

    def _start_timer(self, seconds: float) -> None:
        self._began = time.monotonic()
        self._ends = self._began + seconds

    def close(self) -> None:
        self._stop_timer()
        super().close()  # type: ignore[misc]

    def is_late(self) -> bool:
        return self._ends is not None and time.monotonic() > self._ends

    def _stop_timer(self) -> None:
        if self._began is None:
            return
        took = time.monotonic() - self._began
        self._began = self._ends = None
        self._set_progress_handler(None)
        COUNTERS.count_transaction(took)
        if took > settings.TRANSACTION_SECONDS:
            log.warning("transaction.long", doing=LIMIT.doing, seconds=round(took, 2))

    def _set_progress_handler(self, is_late: Callable[[], bool] | None) -> None:
        """Set SQLite's progress handler, which interrupts late statements; PostgreSQL has timeouts."""
        # None if the connection was lost.
        look = getattr(self.connection, "set_progress_handler", None)
        if look is not None:
            look(is_late, INSTRUCTIONS_A_LOOK)

    def _execute_in_time(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        if self._ends is None:
            return execute(sql, params, many, context)
        if self.is_late() and not sql.startswith(("ROLLBACK", "RELEASE")):
            raise TransactionTooLong
        try:
            result = execute(sql, params, many, context)
        except Error as error:
            # SQLite's error is just "interrupted".
            if self.is_late():
                raise TransactionTooLong from error
            raise
        if not self._has_waited and any(clause in sql for clause in LOCKING):
            self._has_waited = True
            self._start_timer(self._ends - (self._began or 0.0))
        return result
