"""People with names, made the way the site makes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING

import pytest
import time_machine
from django.core.cache import caches

from players.accounts import accounts
from players.clubs import clubs
from players.models import Club, Role, User

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

PASSWORD = "three old pennies"


@pytest.fixture
def clock(now: datetime, settings: SettingsWrapper) -> Iterator[time_machine.Coordinates]:
    """Time that moves only when a test moves it. The cache is in memory, because a Redis has its own time."""
    backend = "runtime.http.rate_limits.CounterCache"
    settings.CACHES = {
        name: {"BACKEND": backend, "LOCATION": f"clock-{name}", "OPTIONS": {"MAX_ENTRIES": 20_000}}
        for name in settings.CACHES
    }
    for name in settings.CACHES:
        caches[name].clear()
    with time_machine.travel(now, tick=False) as traveller:
        yield traveller


@pytest.fixture
def sign_up(db: None, now: datetime) -> Callable[..., User]:
    """Return an account: sign_up("Ada Okafor")."""

    def _sign_up(name: str, email: str = "") -> User:
        email = email or f"{name.lower().replace(' ', '.')}@example.org"
        return accounts.register(email=email, password=PASSWORD, name=name, now=now)

    return _sign_up


@pytest.fixture
def ada(sign_up: Callable[..., User]) -> User:
    """The owner of the club."""
    return sign_up("Ada Okafor")


@pytest.fixture
def bo(sign_up: Callable[..., User]) -> User:
    """Someone else with an account."""
    return sign_up("Bo Lindgren")


@pytest.fixture
def club(ada: User, now: datetime) -> Club:
    """Ada's club, open to anyone."""
    return clubs.create(owner=ada, name="Bristol Backgammon", city="Bristol", country="England", now=now)


@pytest.fixture
def enrol(sign_up: Callable[..., User], ada: User, now: datetime) -> Callable[..., User]:
    """Return a member with a role: enrol(club, "Cleo Marsh", Role.DIRECTOR)."""

    def _enrol(club: Club, name: str, role: Role = Role.MEMBER) -> User:
        user = sign_up(name)
        clubs.join(club=club, player=user.player, now=now)
        if role != Role.MEMBER:
            clubs.set_role(club=club, player=user.player, role=role, by=ada, now=now)
        return user

    return _enrol
