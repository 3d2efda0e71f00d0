"""A club with a desk."""

from __future__ import annotations

from datetime import datetime

import pytest

from tests.tournaments.event_desk import Desk


@pytest.fixture
def desk(db: None, now: datetime) -> Desk:
    """A director at work."""
    return Desk(now)
