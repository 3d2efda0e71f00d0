"""A match that was played here, and an engine that is not one."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING

import pytest

from opinion.judging import child
from opinion.selectors import here
from opinion.services import analysing
from tests import prepared
from tests.matches.support import Table, club_terms
from tests.opinion.fakes import PipOracle

if TYPE_CHECKING:
    from datetime import datetime

    from pytest_django.fixtures import SettingsWrapper


@pytest.fixture
def analysed_here(settings: SettingsWrapper, monkeypatch: pytest.MonkeyPatch) -> PipOracle:
    """Analyses are on, and the engine is arithmetic."""
    settings.OPINION = True
    here.why_not.cache_clear()
    monkeypatch.setattr(child, "why_not", lambda: "")
    oracle = PipOracle()
    monkeypatch.setattr(here, "engine", lambda: (oracle.name, oracle.version))
    monkeypatch.setattr(analysing, "open_engine", lambda: nullcontext(oracle))
    return oracle


def _played(now: datetime) -> Table:
    table = Table(now, agreed=club_terms(1))
    table.begin()
    table.play_out()
    return table


@pytest.fixture
def played(db: None, now: datetime, analysed_here: PipOracle) -> Table:
    """A match for one point that is over."""
    return prepared.begin("a match to analyse", now, lambda: _played(now))
