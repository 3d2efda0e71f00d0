"""The order of a list: each page equals that part of the whole sorted list, without sorting all players."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rankings.ledger import order
from rankings.models import PlayerRating, RatingList
from tests.rankings.rating_lists import open_list
from tests.rankings.standing_rows import stand
from tests.tournaments.event_desk import Desk

LEAST = 100
# Some of these are displayed the same, and some are chosen more than once.
FIGURES = (1500.0, 1500.001, 1499.999, 1500.004, 1500.006, 1612.5, 1612.504, 1400.0)


@pytest.fixture(params=range(3))
def rows(request: pytest.FixtureRequest, desk: Desk, kept: RatingList) -> list[PlayerRating]:
    rng = random.Random(request.param)
    figures = [(rng.choice(FIGURES), rng.choice((20, 100, 400)), 0) for _ in range(23)]
    return stand(kept, figures, desk.now)


@pytest.fixture
def kept(desk: Desk) -> RatingList:
    return open_list(desk)


def sort(rows: Sequence[PlayerRating]) -> list[PlayerRating]:
    return sorted(rows, key=lambda row: (row.experience < LEAST, -row.rating, row.player_id))


def numbered(rows: Sequence[PlayerRating]) -> dict[int, int]:
    """Compute all places by comparing all players."""
    shown = [(row.experience < LEAST, -round(row.rating, 2)) for row in rows]
    return {row.pk: 1 + sum(other < mine for other in shown) for row, mine in zip(rows, shown, strict=True)}


def test_every_page_is_what_sorting_everybody_gives(
    kept: RatingList, rows: list[PlayerRating], desk: Desk
) -> None:
    everybody, places = sort(rows), numbered(rows)
    found = order.OrderedPlayers(kept, LEAST, now=desk.now)
    assert found.count() == len(rows)
    assert order.load_whole_list(kept, LEAST) == everybody
    for size in (1, 5, 50):
        for first in range(0, len(rows), size):
            page = found[first : first + size]
            assert page == everybody[first : first + size]
            due = {row.pk: places[row.pk] for row in page}
            assert order.compute_places(kept, page, LEAST, first=first) == due
            assert order.compute_places(kept, page, LEAST) == due
    assert found[len(rows) : len(rows) + 5] == []


def test_a_place_is_known_for_anybody_and_for_any_of_them(
    kept: RatingList, rows: list[PlayerRating], desk: Desk
) -> None:
    everybody, places = sort(rows), numbered(rows)
    found = order.OrderedPlayers(kept, LEAST, now=desk.now)
    assert [found.before(row) for row in everybody] == list(range(len(rows)))
    some = everybody[1::3]
    assert order.compute_places(kept, some, LEAST) == {row.pk: places[row.pk] for row in some}
    assert order.compute_places(kept, [], LEAST) == {}


def test_a_page_is_read_along_the_index_from_the_nearer_end(
    kept: RatingList, rows: list[PlayerRating], desk: Desk
) -> None:
    found = order.OrderedPlayers(kept, 0, now=desk.now)
    assert found.count() == 23
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert found[:5] == sorted(rows, key=lambda row: (-row.rating, row.player_id))[:5]
        found[18:23]
    first, _rows, last, _others = (each["sql"] for each in asked)
    assert "OFFSET" not in first
    assert "OFFSET" not in last
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            for sql in (first, last):
                cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
                [(*_, told)] = cursor.fetchall()
                assert "COVERING INDEX ratings_in_order" in told
