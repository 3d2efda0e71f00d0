"""Fixtures for the tests of matches."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from django.db import connection

from matches.journal import journal, live
from matches.models import Match
from matches.state.status import ENDED
from tests import prepared
from tests.matches import files
from tests.matches.support import Table, apply_frame


@pytest.fixture
def table(db: None, now: datetime) -> Table:
    """A 3-point match with a club clock between two clients that keep chains."""
    return prepared.begin("table", now, lambda: Table(now))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Adjudicate every file of every finished match after each test of matches."""
    yield
    if item.get_closest_marker("django_db") and not connection.needs_rollback:
        for row in Match.objects.filter(status__in=ENDED).order_by("pk")[:5]:
            # Some tests damage a journal on purpose.
            if not list(journal.find_problems(row)):
                files.tell_the_match(row)


@pytest.fixture(autouse=True)
def _frames_lead_to_the_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check after every write of a service that the frames turn the old snapshot into the new one."""
    shown: dict[str, dict[str, Any]] = {}
    tell = live.announce

    def announce(key: str, frames: list[dict[str, Any]]) -> None:
        row = journal.Match.objects.get(key=key)
        first = frames[0]["line"]["seq"]
        seen = shown.get(key)
        if seen is None or seen["head"] != first - 1:
            seen = live.build_snapshot(journal.replay(row, upto=first - 1))
        for frame in frames:
            seen = apply_frame(seen, frame)
        assert seen == live.build_snapshot(journal.load(row))
        shown[key] = seen
        tell(key, frames)

    monkeypatch.setattr(live, "announce", announce)
