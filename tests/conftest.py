"""Fixtures and hooks for all tests."""

from __future__ import annotations

import gc
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from tests import drawn, migrated, without

if TYPE_CHECKING:
    from tests.tournaments.event_desk import Desk
    from tests.tournaments.pages.test_pages_player import Two
    from tests.world import World

# The same examples in every run, so that failures are caused by changes; HYPOTHESIS_PROFILE=random varies
# them. No deadline, since the time of an example depends on the machine's load.
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("random", derandomize=False, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

# Servers in tests may be slow on a busy machine; the limit itself has its own test.
os.environ.setdefault("TRANSACTION_SECONDS", "30")

HERE = Path(__file__).parent
JOURNAL = "matches_journalentry"
# Below statement_timeout (30 s).
PATIENCE_MS = 25_000
# Tests without a database, which need not run for each one.
PURE = (
    "engine/",
    "samples/",
    "matches/pure/",
    "draw/",
    "tournaments/test_status.py",
)


class _Loggers(dict[str, Any]):
    """Loggers by name. A server's thread may add one while pytest iterates over them."""

    def values(self) -> Any:
        return list(super().values())


logging.root.manager.loggerDict = _Loggers(logging.root.manager.loggerDict)

# Fixtures that start a real installation.
INSTALLATIONS = {"premises", "apart"}
INSTALLATION_FILES = ("matches/journal/test_live_servers.py",)


def pytest_configure() -> None:
    without.switch_off()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    for item in items:
        for mark in item.iter_markers("needs"):
            part, why = mark.args
            if part in without.ABSENT:
                item.add_marker(pytest.mark.skip(reason=f"needs the {part}: {why}"))
        where = str(item.path.relative_to(HERE))
        if where.startswith(PURE):
            item.add_marker(pytest.mark.pure)
        # Tests of pages hardly depend on the database, so on the second one they are optional.
        if "page" in item.path.stem:
            item.add_marker(pytest.mark.page)
        if where in INSTALLATION_FILES:
            item.add_marker(pytest.mark.installation)
        if INSTALLATIONS.intersection(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.installation)
    yield
    items.sort(key=lambda item: not drawn.has_mark(item, ("first",)))
    # Of what -m has chosen.
    if seed := drawn.get_seed():
        on_postgresql = os.environ.get("DATABASE_URL", "").startswith("postgres")
        config.hook.pytest_deselected(items=drawn.keep_drawn(items, seed, is_second_database=on_postgresql))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Iterator[None]:
    """Collect garbage rarely: thousands of test items would be traversed again and again."""
    gc.disable()
    result = yield
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    gc.enable()
    return result


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None) -> None:
    """Use a longer lock timeout than the product, since the machine may be busy with other tests."""
    from django.db import connection

    if connection.vendor == "postgresql":
        # Deadlocks are detected after PostgreSQL's deadlock_timeout, independently of this.
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
    """Reuse the database that another worker has migrated."""
    return _migrated is not None and _migrated.is_there


@pytest.fixture(scope="session")
def django_db_setup(_migrated: migrated.Copy | None, django_db_setup: None, django_db_blocker: Any) -> None:
    """Migrate once for all workers."""
    if _migrated is not None:
        with django_db_blocker.unblock():
            _migrated.share()


@pytest.fixture
def now(request: pytest.FixtureRequest) -> datetime:
    """A Thursday evening; in tests marked `today` the present time."""
    if request.node.get_closest_marker("today"):
        return datetime.now(UTC).replace(microsecond=0)
    return datetime(2026, 3, 5, 19, 0, tzinfo=UTC)


@pytest.fixture
def desk(db: None, now: datetime) -> Desk:
    """A director at work."""
    from tests.tournaments.event_desk import Desk

    return Desk(now)


@pytest.fixture
def two(db: None, now: datetime) -> Two:
    """Two members in a match to five, each in a browser."""
    from tests import prepared
    from tests.tournaments.event_desk import Desk
    from tests.tournaments.pages.test_pages_player import Two

    return prepared.begin("two", now, lambda: Two(Desk(now)).start())


@pytest.fixture
def world(db: None) -> World:
    """The club of `World`, at the present time."""
    from tests import prepared
    from tests.world import World

    now = datetime.now(UTC)
    return prepared.begin("world", now, lambda: World(now))


@pytest.fixture
def standing_clock() -> Iterator[None]:
    """Freeze the clock, today, away from the end of a slot of five minutes, at which cached pages expire."""
    import time_machine

    with time_machine.travel(datetime.now(UTC).replace(minute=2, second=0), tick=False):
        yield


@pytest.fixture
def at() -> Callable[[str], datetime]:
    """Return a function for times of that evening: at("19:30:05")."""

    def _at(text: str) -> datetime:
        parts = [int(part) for part in text.split(":")]
        return datetime(2026, 3, 5, *parts, tzinfo=UTC)

    return _at


@pytest.fixture
def django_assert_max_num_queries() -> Callable[[int], AbstractContextManager[None]]:
    """pytest-django's fixture, but a failure lists the queries."""
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
    """Allow tests without rollback to empty the tables, which the triggers of journals prevent."""
    from django.db import connection

    # On the class, since browser tests use another connection.
    kind = type(connection.ops)
    flush = kind.sql_flush

    def flush_journals_too(self: Any, style: Any, tables: list[str], **kwargs: Any) -> list[str]:
        found = flush(self, style, tables, **kwargs)
        return unguarded(found) if JOURNAL in tables else found

    kind.sql_flush = flush_journals_too  # type: ignore[method-assign]
    yield
    kind.sql_flush = flush  # type: ignore[method-assign]


def unguarded(statements: list[str]) -> list[str]:
    """Wrap statements so that the triggers of journals are disabled."""
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
    """Seed keys and dice by the test's name, so that every run is the same."""
    from tests import prepared

    with prepared.chance(request.node.nodeid):
        yield


@pytest.fixture(scope="session", autouse=True)
def _locks_in_order() -> Iterator[None]:
    """Fail tests that lock rows in the wrong order."""
    from tests import locks

    with pytest.MonkeyPatch.context() as patch, locks.watched(patch):
        yield


@pytest.fixture(autouse=True)
def _writes_need_locks(request: pytest.FixtureRequest) -> None:
    """Fail short tests that write without a lock.

    Long ones write in ways that the table of locks does not know, and races are tried with their locks off.
    """
    from tests import locks

    exempt = ["slow", "services", "installation"]
    if not locks.CHECKS.holds_long_tests:
        exempt.append("long")
    locks.CHECKS.are_writes_checked = not any(request.node.get_closest_marker(name) for name in exempt)


@pytest.fixture(autouse=True)
def _no_hints() -> Iterator[None]:
    """Send no notifications to workers, start no threads: tests run deliveries, sweeps and bots."""
    from matches.bots.thinker import Thinker
    from runtime.redis_calls import CALLS

    CALLS.is_muted = Thinker.is_muted = True
    yield
    CALLS.is_muted = Thinker.is_muted = False


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    """Clear throttles and page caches, since IDs of rolled-back rows are reused."""
    from django.core.cache import caches

    from players.access import public_pages
    from tournaments.pages import page_cache

    for name in ("default", "limits", "attempts"):
        caches[name].clear()
    public_pages.CACHE.clear()
    page_cache.CACHE.clear()


def pytest_sessionfinish(session: pytest.Session) -> None:
    folder = Path(os.environ.get("DATA_DIR", ""))
    migrated.forget(session, folder)
    for left in folder.glob(f"test-{os.getpid()}.sqlite3*"):
        left.unlink(missing_ok=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-access", action="store_true", help="write tests/access.csv from what is met")
