"""A club whose members hand in records."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from players.accounts import accounts
from players.clubs import clubs
from players.models import Club, User
from runtime.models import Outbox
from tests import samples

HERE = Path(samples.__file__).parent
# Ada lost to Bo 2-5; the same match with a play that the dice do not allow.
CLEAN = (HERE / "records/five-points.mat").read_bytes()
WRONG = (HERE / "faults/dice-mismatch.mat").read_bytes()


@pytest.fixture
def owner(db: None, now: datetime) -> User:
    return accounts.register(email="greta@example.org", password=None, name="Greta Halloway", now=now)


@pytest.fixture
def club(owner: User, now: datetime) -> Club:
    return clubs.create(owner=owner, name="Lantern Street", now=now)


@pytest.fixture
def otis(club: Club, now: datetime) -> User:
    """A member."""
    user = accounts.register(email="otis@example.org", password=None, name="Otis Fenn", now=now)
    clubs.join(club=club, player=user.player, now=now)
    Outbox.objects.all().delete()
    return user


@pytest.fixture
def stranger(db: None, now: datetime) -> User:
    """A person with an account and no club."""
    return accounts.register(email="ivo@example.org", password=None, name="Ivo Stern", now=now)
