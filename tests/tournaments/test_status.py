"""The table of statuses, every pair of it, against the drawing in words."""

from __future__ import annotations

from itertools import product

import pytest

from tournaments.status import MOVES, Status, find_reopened_status, may_move

# Written out by hand from the drawing: an arrow is a line here.
ARROWS = {
    ("DRAFT", "PUBLISHED"),
    ("PUBLISHED", "RUNNING"),
    ("PUBLISHED", "CANCELLED"),
    ("RUNNING", "FINISHED"),
    ("RUNNING", "CANCELLED"),
    ("FINISHED", "RUNNING"),
    ("CANCELLED", "PUBLISHED"),
    ("CANCELLED", "RUNNING"),
}


@pytest.mark.parametrize(("here", "there"), list(product(Status, Status)))
def test_every_pair_is_an_arrow_or_is_not(here: Status, there: Status) -> None:
    assert may_move(here, there) is ((here.value, there.value) in ARROWS)


def test_the_table_answers_for_every_status() -> None:
    assert set(MOVES) == set(Status)


@pytest.mark.parametrize("here", list(Status))
@pytest.mark.parametrize("has_started", [True, False])
def test_reopening_follows_an_arrow(here: Status, has_started: bool) -> None:
    there = find_reopened_status(here, has_started=has_started)

    assert there is None or may_move(here, there)


def test_nothing_leads_back_to_a_draft() -> None:
    assert all(Status.DRAFT not in targets for targets in MOVES.values())
