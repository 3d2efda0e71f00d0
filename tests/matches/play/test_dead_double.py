"""The warning before a double that cannot help the doubler (R48, R54)."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.db import transaction

from engine.actions import RuledPosition, RuledScore
from engine.board import STANDARD
from engine.cube import Cube
from engine.rules import DeadCube, Rules
from engine.side import BySide, Side
from matches.journal import journal
from matches.journal.journal import Draft
from matches.journal.lifecycle import record
from matches.play import answers
from matches.state.terms import build_terms
from tests.matches.support import Table

pytestmark = pytest.mark.django_db
DEAD = {
    "double": {
        "code": "dead-cube",
        "title": "Winning at the present cube already gives you the match.",
        "rule": "R48",
    }
}


def at(
    now: datetime, length: int, score: BySide[int], cube: Cube, dead: DeadCube = DeadCube.ALLOWED
) -> Table:
    """White is to roll at this score, after the Crawford game, with this cube."""
    table = Table(now, agreed=build_terms(Rules(length=length, dead_cube=dead), None))
    table.begin()
    with transaction.atomic():
        draft = Draft.load(journal.lock(table.match.pk), now=now)
        draft.write(RuledScore(score, crawford_played=True), by="director")
        draft.write(RuledPosition(STANDARD, Side.WHITE, cube), by="director")
        record(draft)
    return table


@pytest.mark.parametrize(
    ("length", "score", "cube", "is_dead"),
    [
        (3, BySide(1, 1), Cube(2, Side.WHITE), True),
        (3, BySide(1, 1), Cube(), False),
        (25, BySide(24, 24), Cube(), True),
        (5, BySide(4, 2), Cube(), True),  # the leader alone gains nothing
        (5, BySide(2, 4), Cube(), False),
        (5, BySide(1, 0), Cube(4, Side.WHITE), True),
    ],
)
def test_it_is_told_where_the_cube_wins_the_match_already(
    now: datetime, length: int, score: BySide[int], cube: Cube, is_dead: bool
) -> None:
    told = answers.build_options(at(now, length, score, cube).state, Side.WHITE).plain()
    assert "double" in told["may"]
    assert told["warnings"] == (DEAD if is_dead else {})


def test_where_dead_doubles_are_refused_there_is_nothing_to_warn_of(now: datetime) -> None:
    table = at(now, 3, BySide(1, 1), Cube(2, Side.WHITE), DeadCube.REFUSED)
    told = answers.build_options(table.state, Side.WHITE)
    assert ("double" in told["may"], told["warnings"]) == (False, {})
    assert answers.build_options(table.state, Side.BLACK)["warnings"] == {}
