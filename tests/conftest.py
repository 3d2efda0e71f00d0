"""What every test may use: people with names, and a time that stands still until told."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


HERE = Path(__file__).parent
# These know no database: one run of them is enough, whatever the product runs on.
PURE = (
    "engine/",
    "matches/pure/",
    "tournaments/pairing/",
    "tournaments/test_forecast.py",
    "tournaments/test_prizes.py",
    "tournaments/test_standings.py",
    "tournaments/test_status.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if str(item.path.relative_to(HERE)).startswith(PURE):
            item.add_marker(pytest.mark.pure)


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


@pytest.fixture(autouse=True)
def _quiet_messenger() -> Iterator[None]:
    """Send no hints: tests ask for deliveries and sweeps themselves."""
    from runtime.messenger import MESSENGER

    MESSENGER.is_muted = True
    yield
    MESSENGER.is_muted = False


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    """Begin every test with nobody throttled."""
    from django.core.cache import cache

    cache.clear()


def pytest_sessionfinish() -> None:
    folder = Path(os.environ.get("DATA_DIR", ""))
    if folder.name == "barpoint-tests":
        for left in folder.glob(f"test-{os.getpid()}.sqlite3*"):
            left.unlink(missing_ok=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-access", action="store_true", help="write tests/access.csv from what is met")
