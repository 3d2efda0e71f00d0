"""Each unique constraint, unique field and check constraint is there, and refuses the rows that it is for."""

from __future__ import annotations

import subprocess
import sys

import pytest
from django.apps import apps

from tests import guards

OURS = sorted({guard.model._meta.label for guard in guards.list_guards()})


def test_no_guard_was_lost() -> None:
    """A new one is added to the list; one that goes is taken out on purpose."""
    assert sorted(guards.read_table()) == sorted(guard.name for guard in guards.list_guards())


@pytest.mark.long
@pytest.mark.share
@pytest.mark.django_db
@pytest.mark.parametrize("label", OURS)
def test_each_guard_refuses_what_it_is_for(label: str) -> None:
    searcher = guards.Searcher(apps.get_model(label))

    alone = [
        guard
        for guard in guards.list_guards()
        if guard.model is searcher.model and not guards.is_hidden(guard.name)
    ]
    assert [guard.name for guard in alone if not searcher.count_tries(guard)] == []


@pytest.mark.long
@pytest.mark.pure
def test_a_guard_that_is_removed_is_missed() -> None:
    """One of each kind; `python -m tests.guards` removes them all."""
    kinds = (
        "one_tap_per_sheet_and_seq",
        "one_agreed_time",
        "two_people_in_order",
        "tournaments.Helper.token_hash",
    )

    removed = subprocess.run(
        [sys.executable, "-m", "tests.guards", *kinds], capture_output=True, text=True, check=False
    )

    assert (removed.returncode, removed.stdout) == (0, f"{guards.MISSED}: 4\n"), removed.stderr
