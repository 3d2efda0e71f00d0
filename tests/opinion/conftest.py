"""A match that was played here, and an engine that is not one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from datetime import datetime
from typing import TYPE_CHECKING

import pytest

from opinion.analyses import analysing
from players.clubs import clubs
from players.models import User
from tests import prepared
from tests.matches.support import Table, club_terms
from tests.opinion.engine_here import put_in
from tests.opinion.fakes import PipOracle

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper


@pytest.fixture
def analysed_here(settings: SettingsWrapper, monkeypatch: pytest.MonkeyPatch) -> PipOracle:
    """Analyses are on, and the engine is arithmetic."""
    oracle = PipOracle()
    put_in(oracle, settings, monkeypatch)
    monkeypatch.setattr(analysing, "open_engine", lambda: nullcontext(oracle))
    return oracle


@pytest.fixture
def same_dice() -> Iterator[None]:
    """Keys and dice are the same in every run."""
    with prepared.chance("bots and lessons"):
        yield


def _played(now: datetime) -> Table:
    table = Table(now, agreed=club_terms(1))
    table.begin()
    table.play_out()
    return table


@pytest.fixture
def played(db: None, now: datetime, analysed_here: PipOracle) -> Table:
    """A match for one point that is over."""
    return prepared.begin("a match to analyse", now, lambda: _played(now))


def _analysed(now: datetime) -> Table:
    from tests.opinion.analyses.test_analysing import whole

    table = Table(now, agreed=club_terms(1))
    table.begin()
    table.play_out()
    whole(table)
    owner: User | None = table.white.user
    assert owner is not None
    clubs.create(owner=owner, name="Here", now=table.now)
    return table


@pytest.fixture
def analysed(db: None, now: datetime, analysed_here: PipOracle) -> Table:
    """A match that is over and analysed, in an installation that has a club."""
    return prepared.begin("a match with its analysis", now, lambda: _analysed(now))
