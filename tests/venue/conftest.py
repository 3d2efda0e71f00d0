"""A club with a desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.tournaments.event_desk import Desk

if TYPE_CHECKING:
    from datetime import datetime


@pytest.fixture
def desk(db: None, now: datetime) -> Desk:
    """A director at work."""
    return Desk(now)
