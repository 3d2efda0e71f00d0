"""Scores that are typed at the desk and not entered: a row whose match has changed says so."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import event_view, expectations
from tournaments.desk import typed_scores
from tournaments.desk.typed_scores import UnsentRow
from tournaments.play import corrections

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(desk: Desk) -> Desk:
    desk.start(a_plan("single-elimination"), 8)
    return desk


def type_scores(desk: Desk) -> str:
    """The unsent rows of a page that shows the open matches, with a score typed beside each."""
    view = event_view.load_view(desk.fresh())
    return json.dumps(
        [
            {
                "match": row.key,
                "score": "5 2",
                "expects": expectations.serialize_state(
                    expectations.build_view_state(view, view.by_key[row.key])
                ),
            }
            for row in desk.open()
        ]
    )


def find_changed(desk: Desk, text: str) -> dict[str, UnsentRow]:
    event = desk.fresh()
    return typed_scores.find_changed_rows(event, event_view.load_view(event), text)


def test_rows_whose_matches_are_as_they_were_take_no_query(
    desk: Desk, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    text, view = type_scores(desk), event_view.load_view(desk.fresh())
    # The view reads some parts when they are first used.
    assert not typed_scores.find_changed_rows(desk.event, view, text)
    with django_assert_num_queries(0):
        assert not typed_scores.find_changed_rows(desk.event, view, text)


def test_a_row_whose_players_are_others_says_who_plays_now(desk: Desk) -> None:
    text = type_scores(desk)
    first, second, *_rest = desk.open()
    desk.do(corrections.exchange_players, entry=first.a.number, other=second.a.number, reason="Mixed up.")
    found = find_changed(desk, text)
    assert found.keys() == {first.key, second.key}
    row = desk.row(first.key)
    assert f"{row.a.player.name} – {row.b.player.name}" in found[first.key].why  # noqa: RUF001
    assert found[first.key].score == "5 2"


def test_a_row_whose_match_has_ended_says_how(desk: Desk) -> None:
    text = type_scores(desk)
    key = desk.open()[0].key
    desk.play(key)
    found = find_changed(desk, text)
    assert found.keys() == {key}
    assert found[key].may_correct
    assert "5 2" in found[key].why
