"""An engine for the duration of a test, and players in a match whose positions it must not analyse."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import pytest

from engine.board import Board
from engine.clock import PRESETS
from engine.rules import Rules
from matches.journal import positions_in_play
from matches.state import terms
from opinion.analyses import availability
from opinion.judging import engine_process
from records.submissions import replays
from tests.matches.support import Table, person
from tests.opinion.fakes import PipOracle

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper


def put_in(oracle: PipOracle, settings: SettingsWrapper, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make this the engine of the installation, and switch analyses on."""
    settings.OPINION = True
    # What was read of the records of another test: these here have the same numbers.
    replays._find_facts.cache_clear()
    replays._load_replay.cache_clear()
    availability.explain_absence.cache_clear()
    monkeypatch.setattr(engine_process, "explain_absence", lambda: "")
    monkeypatch.setattr(availability, "get_engine", lambda: (oracle.name, oracle.version))


def between_people(board: Board, now: datetime) -> None:
    """Have two people play a match from this position."""
    agreed = terms.build_terms(Rules(length=5, start=board), PRESETS["club"].control(5), "club")
    others = Table(now, players=(person("Eve", now).player, person("Fay", now).player), agreed=agreed)
    others.begin()
    assert positions_in_play.is_in_play(board)
