"""What events are played as was kept in English sentences once: the migration that read them for the last time."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps

from tests.tournaments.desk import Desk, a_plan
from tournaments.models import Tournament
from tournaments.templates import TEMPLATES

pytestmark = pytest.mark.django_db
migration: Any = import_module("tournaments.migrations.0004_played_as")


def before(event: Tournament, label: str) -> None:
    Tournament.objects.filter(pk=event.pk).update(format_label=label, played_as=[])


def after(event: Tournament) -> tuple[str, list[dict[str, Any]]]:
    event.refresh_from_db()
    return event.format_label, event.played_as


@pytest.mark.parametrize(
    ("label", "own", "played_as"),
    [
        (
            "Swiss, 5 rounds, then Knock-out",
            "",
            [{"format": "swiss", "rounds": 5}, {"format": "single-elimination"}],
        ),
        ("Friendly matches", "", [{"format": "friendly"}]),
        ("Knock-out, feed-in consolation", "", [{"format": "feed-in"}]),
        ("Swiss, as always", "Swiss, as always", []),
        ("", "", []),
    ],
)
def test_of_what_is_only_announced(desk: Desk, label: str, own: str, played_as: list[dict[str, Any]]) -> None:
    event = desk.announce(None, 0)
    before(event, label)
    migration.forwards(apps, None)
    assert after(event) == (own, played_as)
    migration.backwards(apps, None)
    event.refresh_from_db()
    assert event.format_label == label


@pytest.mark.parametrize(
    ("label", "own"),
    [
        ("Swiss, 3 rounds", ""),
        ("Swiss, 2 rounds", ""),  # a round was added
        ("Round robin", "Round robin"),  # somebody called it so
        ("Monrad", "Monrad"),
    ],
)
def test_of_what_is_played_here(desk: Desk, label: str, own: str) -> None:
    event = desk.announce(a_plan("swiss", rounds=3), 0)
    before(event, label)
    migration.forwards(apps, None)
    assert after(event) == (own, [{"format": "swiss", "rounds": 3}])


def test_words_that_were_cut_short_were_ours(desk: Desk) -> None:
    event = desk.announce(TEMPLATES["groups"].plan(5, 0), 0)
    kept = event.played_as
    before(event, migration.said(kept)[:60])
    migration.forwards(apps, None)
    assert after(event) == ("", kept)
