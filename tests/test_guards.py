"""Each guard is there: constraints of the database refuse what they are for, and those in the code are missed."""

from __future__ import annotations

import subprocess
import sys

import pytest
from django.apps import apps

from tests import code_guards, guards

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


@pytest.mark.long
@pytest.mark.share
@pytest.mark.pure
def test_no_guard_of_the_code_was_lost() -> None:
    """A new permission, version check, lock or idempotency key gets a line; one that goes is taken out on purpose."""
    assert [*code_guards.read_table()] == code_guards.list_guards()


@pytest.mark.long
@pytest.mark.pure
def test_a_guard_of_the_code_that_is_off_is_missed() -> None:
    """One of each kind; `python -m tests.mutants` switches them all off."""
    chosen = {
        "permission fixtures.friendlies decline NotYourAnswer": (
            "tests/fixtures/test_friendlies.py::test_nobody_answers_withdraws_or_calls_off_what_is_not_theirs"
        ),
        "version fixtures.series change_series ChangedMeanwhile": (
            "tests/fixtures/test_series.py::test_who_changes_what_somebody_else_has_changed_is_told"
        ),
        "lock fixtures.friendlies propose lock_players": (
            "tests/fixtures/test_friendlies.py::test_only_who_was_asked_agrees_and_only_once"
        ),
        "key fixtures.friendly_api FriendlyViewSet.create run_once": (
            "tests/test_repeated_requests.py::test_a_repeated_request_creates_nothing_more[Friendly]"
        ),
    }

    run = subprocess.run(
        [sys.executable, "-m", "tests.mutants", *chosen, *chosen.values()],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (run.returncode, run.stdout.count("noticed by")) == (0, 4), run.stdout + run.stderr
