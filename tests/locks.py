"""Checks the locks of rows during tests: their order (docs/adr/0006), and in short tests that a write has its lock.

A wrong order or a missing lock has no effect on SQLite; on PostgreSQL it leads to deadlocks and lost changes.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final

import pytest
from django.apps import apps
from django.db.backends.utils import CursorWrapper
from django.db.models import Model, QuerySet
from django.db.models.signals import post_save
from django.db.transaction import Atomic

RANK: Final = {"tournaments.Tournament": 1, "matches.Match": 2, "players.Player": 3}

EVENT: Final = "tournaments.Tournament"
# By table: a row of one of these models is locked, or new, in a transaction that writes to it, or does so in this way.
LOCKS: Final[dict[str, set[str]]] = {
    **{
        table: {EVENT}
        for table in (
            "tournaments_appointment", "INSERT tournaments_doorrequest", "UPDATE tournaments_doorrequest", "tournaments_bye", "tournaments_draw",
            "tournaments_entry", "tournaments_pairing", "tournaments_report", "tournaments_round", "tournaments_ruling",
            "tournaments_stage", "UPDATE tournaments_tournament", "money_auctionline", "money_auctionlot",
            "money_auctionparty", "money_auctionplayer", "money_moneyline", "money_moneypool", "UPDATE money_eventmoney",
            "UPDATE money_eventauction", "records_holder", "records_matchphoto", "records_recordalias",
            "records_scoresheet", "records_sheetact", "UPDATE records_submission", "venue_break", "venue_eventroom",
            "venue_rehearsal",
        )
    },
    "rankings_admission": {EVENT, "rankings.SeasonDivision"},
    "rankings_requirement": {EVENT, "rankings.SeasonDivision"},
    "INSERT tournaments_seriesday": {EVENT, "tournaments.Series"},
    "INSERT tournaments_entry": {"players.Player"},
    "INSERT tournaments_friendly": {"players.Player"},
    "UPDATE tournaments_friendly": {"tournaments.Friendly", "players.Player"},
    "UPDATE matches_match": {"matches.Match"},
    "matches_journalentry": {"matches.Match"},
    "INSERT matches_challenge": {"players.Player"},
    "INSERT matches_chatline": {"players.Player"},
    "INSERT matches_report": {"players.Player"},
    "INSERT players_apitoken": {"players.Player"},
    "UPDATE players_membership": {"players.Club", "players.Player"},
    "INSERT players_webhook": {"players.Club"},
    "rankings_ledgerentry": {"rankings.RatingList"},
    "INSERT rankings_playerrating": {"rankings.RatingList"},
    "INSERT rankings_policy": {"rankings.RatingList"},
    "rankings_rebuild": {"rankings.RatingList"},
    "INSERT rankings_datedlist": {"rankings.RatingList"},
    "INSERT rankings_opening": {"rankings.RatingList"},
    "UPDATE rankings_ratinglist": {"rankings.RatingList", "players.Player"},
    "UPDATE rankings_openingimport": {"rankings.OpeningImport", "players.Player"},
    "UPDATE rankings_season": {"rankings.Season", "players.Player"},
    "INSERT rankings_seasonpoints": {"rankings.Season"},
    "INSERT rankings_seasonstanding": {"rankings.Season"},
    "UPDATE rankings_seasondivision": {"rankings.Season"},
    "rankings_divisionmember": {"rankings.Season", "players.Player"},
    "INSERT records_transcription": {EVENT, "players.User"},
    "UPDATE records_transcription": {EVENT, "records.Transcription"},
    "INSERT venue_assignment": {"venue.Table"},
    "venue_streamedmatch": {EVENT, "venue.Room"},
    "INSERT venue_queuerun": {"venue.Room"},
    "INSERT venue_table": {"venue.Room"},
    "DELETE venue_table": {"venue.Table", "venue.Room"},
    "UPDATE runtime_installation": {"runtime.Installation"},
    "INSERT opinion_hint": {"matches.Match"},
    "UPDATE opinion_hint": {"matches.Match"},
    "INSERT opinion_lesson": {"matches.Match"},
    "UPDATE opinion_lesson": {"matches.Match"},
    "INSERT players_clublogo": {"players.Club"},
    "DELETE players_clublogo": {"players.Club"},
    "INSERT rankings_seasonclosing": {"rankings.Season"},
    "INSERT rankings_closingmove": {"rankings.Season"},
    "INSERT opinion_card": {"opinion.Remark"},
}  # fmt: skip
WRITE: Final = re.compile(r'\s*(INSERT|UPDATE|DELETE) (?:INTO |FROM )?"?(\w+)"?')
# Tests empty whole tables. Pages are invalidated without a lock.
OTHER: Final = re.compile(r'DELETE FROM "\w+";?$|UPDATE "\w+" SET "(stamp|version)" = ')
# What is between a function of the product and the statement that it causes.
BETWEEN: Final = (
    "/site-packages/",
    "/lib/python",
    "/runtime/transactions.py",
    "/runtime/sqlite/",
    "/models/event_page_rows.py",
    __file__,
)


class WrongOrder(AssertionError):
    """A row was locked after one that comes later in the lock order."""


class NotLocked(AssertionError):
    """A table was written to without the lock that its rows need."""


class _Thread(threading.local):
    depth = 0

    def __init__(self) -> None:
        self.held: list[str] = []
        # Models of rows that this transaction has locked or inserted.
        self.locked: set[str] = set()


class Checks:
    """The checks in the running test."""

    are_writes_checked = False
    # True while mutants run: writes are checked in long tests as well.
    holds_long_tests = False


CHECKS: Final = Checks()
_here = _Thread()


def note(label: str) -> None:
    """Record a lock. Rows that are already locked, or were created in this transaction, do not count.

    :raises WrongOrder: a row later in the order is already locked.
    """
    if label not in RANK or not _here.depth or label in _here.held:
        return
    if later := [each for each in _here.held if RANK[each] > RANK[label]]:
        raise WrongOrder(f"{label} is locked after {later[-1]}")
    _here.held.append(label)


def _note_made(sender: type[Model], created: bool, **_signal: object) -> None:
    label = sender._meta.label
    if created and label in RANK and _here.depth:
        _here.held.append(label)


def require_lock(sql: str) -> None:
    """Require that the transaction of a statement has locked what its table needs.

    :raises NotLocked: it has not. Tests may write without locks.
    """
    if (
        not CHECKS.are_writes_checked
        or not _here.depth
        or (found := WRITE.match(sql)) is None
        or OTHER.match(sql)
    ):
        return
    if found[1] == "INSERT":
        _here.locked.add(_map_tables().get(found[2], ""))
    for what in (found[2], f"{found[1]} {found[2]}"):
        needed = LOCKS.get(what)
        if needed and not needed & _here.locked and not _is_from_test():
            raise NotLocked(f"{what} without a lock of {' or '.join(sorted(needed))}")


@cache
def _map_tables() -> dict[str, str]:
    return {model._meta.db_table: model._meta.label for model in apps.get_models()}


def _is_from_test() -> bool:
    frame = sys._getframe(2)
    while frame.f_back and any(each in frame.f_code.co_filename for each in BETWEEN):
        frame = frame.f_back
    return "/tests/" in frame.f_code.co_filename or "/migrations/" in frame.f_code.co_filename


@contextmanager
def watched(patch: pytest.MonkeyPatch) -> Iterator[None]:
    """Record all locks, separately for each outermost transaction."""
    lock, enter, leave = QuerySet.select_for_update, Atomic.__enter__, Atomic.__exit__
    execute, execute_many = CursorWrapper._execute, CursorWrapper._executemany  # type: ignore[attr-defined]

    def execute_checked(cursor: Any, sql: Any, *args: Any) -> Any:
        require_lock(str(sql))
        return execute(cursor, sql, *args)

    def execute_many_checked(cursor: Any, sql: Any, *args: Any) -> Any:
        require_lock(str(sql))
        return execute_many(cursor, sql, *args)

    def noted(rows: QuerySet[Any], *args: Any, **options: Any) -> QuerySet[Any]:
        note(rows.model._meta.label)
        _here.locked.add(rows.model._meta.label)
        return lock(rows, *args, **options)

    def begin(block: Any) -> None:
        # If entering fails, because the connection is lost, exit is not called.
        enter(block)
        # The transaction around a test does not count.
        if not block._from_testcase:
            if not _here.depth:
                _here.held, _here.locked = [], set()
            _here.depth += 1

    def end(block: Any, *error: Any) -> None:
        if not block._from_testcase:
            _here.depth -= 1
        leave(block, *error)

    patch.setattr(CursorWrapper, "_execute", execute_checked)
    patch.setattr(CursorWrapper, "_executemany", execute_many_checked)
    patch.setattr(QuerySet, "select_for_update", noted)
    patch.setattr(Atomic, "__enter__", begin)
    patch.setattr(Atomic, "__exit__", end)
    post_save.connect(_note_made)
    yield
    post_save.disconnect(_note_made)
