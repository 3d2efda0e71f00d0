"""What tests of matches share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from matches import journal, live
from tests.matches.support import Table

if TYPE_CHECKING:
    from datetime import datetime


@pytest.fixture
def table(db: None, now: datetime) -> Table:
    """A 3-point match with a club clock between two clients that keep chains."""
    return Table(now)


@pytest.fixture(autouse=True)
def _frames_lead_to_the_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever any service writes: what watchers saw, and the frames they get, make the new snapshot."""
    shown: dict[str, dict[str, Any]] = {}
    tell = live.announce

    def announce(key: str, frames: list[dict[str, Any]]) -> None:
        row = journal.Match.objects.select_related("white", "black").get(key=key)
        first = frames[0]["line"]["seq"]
        seen = shown.get(key)
        if seen is None or seen["head"] != first - 1:
            seen = live.snapshot(journal.replay(row, upto=first - 1))
        for frame in frames:
            seen = live.fold(seen, frame)
        assert seen == live.snapshot(journal.load(row))
        shown[key] = seen
        tell(key, frames)

    monkeypatch.setattr(live, "announce", announce)
