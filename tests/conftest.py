"""What every test may use: people with names, and a time that stands still until told."""

from __future__ import annotations

import gc
import logging
import os
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from tests import migrated, without

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager


# The same examples in every run, so that a failure is the change's; HYPOTHESIS_PROFILE=random looks further.
# How long one takes says what else the machine has to do.
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("random", derandomize=False, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

# Servers that tests start share the machine with everything else that runs; what is ended too late has its own test.
os.environ.setdefault("TRANSACTION_SECONDS", "30")

HERE = Path(__file__).parent
JOURNAL = "matches_journalentry"
# Below the 30 s after which a statement ends.
PATIENCE_MS = 25_000
# These know no database: one run of them is enough, whatever the product runs on.
PURE = (
    "engine/",
    "samples/",
    "matches/pure/",
    "draw/",
    "tournaments/test_status.py",
)


class _Loggers(dict[str, Any]):
    """Loggers by name, of which a server's thread may make one while pytest goes through them before a test."""

    def values(self) -> Any:
        return list(super().values())


logging.root.manager.loggerDict = _Loggers(logging.root.manager.loggerDict)

# What starts a real installation, with servers of its own.
INSTALLATIONS = {"premises", "apart"}
INSTALLATION_FILES = ("matches/journal/test_live_servers.py",)


def pytest_configure() -> None:
    without.switch_off()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for mark in item.iter_markers("needs"):
            burden, why = mark.args
            if burden in without.ABSENT:
                item.add_marker(pytest.mark.skip(reason=f"needs the {burden}: {why}"))
        where = str(item.path.relative_to(HERE))
        if where.startswith(PURE):
            item.add_marker(pytest.mark.pure)
        # What pages say hangs little on the database: with the other one they are looked at where there is time.
        if "page" in item.path.stem:
            item.add_marker(pytest.mark.page)
        if where in INSTALLATION_FILES:
            item.add_marker(pytest.mark.installation)
        if INSTALLATIONS.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.installation)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Iterator[None]:
    """Look for garbage seldom: thousands of collected tests, which are none, were gone through again and again."""
    gc.disable()
    result = yield
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    gc.enable()
    return result


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None) -> None:
    """Let threads that race wait longer for a lock than a club's pages do: here the machine may be busy with other tests."""
    from django.db import connection

    if connection.vendor == "postgresql":
        # Who waits for each other is found out at once, however long one may wait: see PostgreSQL's deadlock_timeout.
        connection.settings_dict["OPTIONS"]["options"] += f" -c lock_timeout={PATIENCE_MS}"


@pytest.fixture(scope="session")
def _migrated(
    request: pytest.FixtureRequest, django_db_modify_db_settings: None
) -> Iterator[migrated.Copy | None]:
    run = getattr(request.config, "workerinput", {}).get("testrunuid", "")
    with migrated.claimed(run) as copy:
        yield copy


@pytest.fixture(scope="session")
def django_db_keepdb(_migrated: migrated.Copy | None) -> bool:
    """Take over what another worker has migrated."""
    return _migrated is not None and _migrated.is_there


@pytest.fixture(scope="session")
def django_db_setup(_migrated: migrated.Copy | None, django_db_setup: None, django_db_blocker: Any) -> None:
    """Migrate once for all workers."""
    if _migrated is not None:
        with django_db_blocker.unblock():
            _migrated.share()


@pytest.fixture
def now() -> datetime:
    """A Thursday evening."""
    return datetime(2026, 3, 5, 19, 0, tzinfo=UTC)


@pytest.fixture
def at() -> Callable[[str], datetime]:
    """Return a time of that evening: at("19:30:05")."""

    def _at(text: str) -> datetime:
        parts = [int(part) for part in text.split(":")]
        return datetime(2026, 3, 5, *parts, tzinfo=UTC)

    return _at


@pytest.fixture
def django_assert_max_num_queries() -> Callable[[int], AbstractContextManager[None]]:
    """As pytest-django has it, but a failure lists the queries."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    @contextmanager
    def at_most(most: int) -> Iterator[None]:
        with CaptureQueriesContext(connection) as asked:
            yield
        told = "\n".join(query["sql"] for query in asked.captured_queries)
        assert len(asked) <= most, f"{len(asked)} queries instead of {most}:\n{told}"

    return at_most


@pytest.fixture(scope="session", autouse=True)
def _tables_can_be_flushed() -> Iterator[None]:
    """Let tests that cannot roll back empty the tables: a journal is guarded against exactly that."""
    from django.db import connection

    # Of the class: beside a browser's loop there is another connection than here.
    kind = type(connection.ops)
    flush = kind.sql_flush

    def flush_journals_too(self: Any, style: Any, tables: list[str], **kwargs: Any) -> list[str]:
        found = flush(self, style, tables, **kwargs)
        return unguarded(found) if JOURNAL in tables else found

    kind.sql_flush = flush_journals_too  # type: ignore[method-assign]
    yield
    kind.sql_flush = flush  # type: ignore[method-assign]


def unguarded(statements: list[str]) -> list[str]:
    """Return statements that may do anything to a journal: its triggers sleep meanwhile."""
    from django.db import connection

    if connection.vendor == "postgresql":
        alter = f"ALTER TABLE {JOURNAL} {{}} TRIGGER USER"
        return [alter.format("DISABLE"), *statements, alter.format("ENABLE")]
    with connection.cursor() as cursor:
        found = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s"
        triggers = dict(cursor.execute(found, [JOURNAL]).fetchall())
    return [*(f"DROP TRIGGER {name}" for name in triggers), *statements, *triggers.values()]


@pytest.fixture(autouse=True)
def _the_same_chance_in_every_run(request: pytest.FixtureRequest) -> Iterator[None]:
    """Draw keys, seeds and the server's dice as in the last run of the same test."""
    from tests import prepared

    with prepared.chance(request.node.nodeid):
        yield


@pytest.fixture(scope="session", autouse=True)
def _locks_in_order() -> Iterator[None]:
    """Fail whoever locks rows in another order than everybody else."""
    from tests import locks

    with pytest.MonkeyPatch.context() as patch, locks.watched(patch):
        yield


@pytest.fixture(autouse=True)
def _no_hints() -> Iterator[None]:
    """Send no hints, and think in no other thread: tests ask for deliveries, sweeps and bots' plays themselves."""
    from matches.bots.thinker import Thinker
    from runtime.redis_calls import CALLS

    CALLS.is_muted = Thinker.is_muted = True
    yield
    CALLS.is_muted = Thinker.is_muted = False


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    """Begin every test with nobody throttled, and with no page kept: rows that are rolled back come back as others."""
    from django.core.cache import caches

    from players.access import public_pages
    from tournaments.pages import kept

    for name in ("default", "limits", "attempts"):
        caches[name].clear()
    public_pages.CACHE.clear()
    kept.CACHE.clear()


def pytest_sessionfinish(session: pytest.Session) -> None:
    folder = Path(os.environ.get("DATA_DIR", ""))
    migrated.forget(session, folder)
    for left in folder.glob(f"test-{os.getpid()}.sqlite3*"):
        left.unlink(missing_ok=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-access", action="store_true", help="write tests/access.csv from what is met")
