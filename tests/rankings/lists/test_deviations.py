"""Deviations of Glicko-2: those of all players at the same moment, wherever a list is shown, and by the command."""

from __future__ import annotations

import csv
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from rankings.formulas.match_files import read, serialize_ratings
from rankings.ledger import ledger, rated_matches
from rankings.lists import dated_lists, list_pages, printed_lists
from rankings.models import DatedInterval, DatedRating, RatingList
from tests.rankings.rating_lists import open_list
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Pairing

MARCH, JUNE, AUGUST = 3, 6, 8


@pytest.fixture
def kept(desk: Desk) -> RatingList:
    """A list, dated each month, with a match of two players in March and one of two others in June."""
    desk.start(a_plan("single-elimination"), 4)
    assert desk.now.month == MARCH
    first, second = desk.open()
    for row in (first, second):
        desk.play(row.key)
    Pairing.objects.filter(pk=second.pk).update(decided_at=desk.now.replace(month=JUNE))
    made = open_list(desk, "glicko2", since=desk.now - timedelta(days=1), dated=DatedInterval.MONTH)
    ledger.rebuild(list_id=made.pk, now=desk.now)
    return made


def compute_deviations(rating_list: RatingList, last: int) -> dict[str, float]:
    """The deviations from the command, by name, with all months from March to *last* as periods."""
    names = dict(rating_list.ratings.values_list("player", "player__name"))
    matches = [
        {
            "id": each.match.hex, "at": each.at.isoformat(), "a": names[each.a], "b": names[each.b],
            "winner": "a" if each.a_won else "b", "length": each.length, "period": each.at.month,
        }
        for each in rated_matches.list_matches(rating_list)
    ]  # fmt: skip
    periods = list(range(MARCH, last + 1))
    answer: Any = serialize_ratings(read({"system": "glicko2", "periods": periods, "matches": matches}))
    return {name: standing["deviation"] for name, standing in answer["players"].items()}


@pytest.mark.parametrize("month", [JUNE, AUGUST])
def test_a_list_shows_the_deviations_of_the_present_month(
    kept: RatingList, client: Client, monkeypatch: pytest.MonkeyPatch, month: int
) -> None:
    now = datetime(2026, month, 20, tzinfo=UTC)
    monkeypatch.setattr("django.utils.timezone.now", lambda: now)
    due = compute_deviations(kept, month)
    assert len({round(each, 6) for each in due.values()}) == 2

    page = list_pages.load_ranking(kept.club, AnonymousUser(), key=kept.key, number=1, now=now)
    assert {row.name: row.deviation for row in page.page.rows} == due
    sheet = printed_lists.build_sheet(kept, now=now)
    assert {row.name: row.figures[1] for row in sheet.rows} == {name: f"{due[name]:.0f}" for name in due}
    address = f"/api/v1/rating-lists/{kept.key}/ranking"
    told = client.get(f"{address}/").json()["results"]
    assert {row["player"]["name"]: row["deviation"] for row in told} == due
    file = csv.DictReader(client.get(f"{address}.csv").content.decode().splitlines())
    assert {row["name"]: float(row["deviation"]) for row in file} == due
    for row in told:
        [own] = client.get(f"/api/v1/players/{row['player']['key']}/ratings/").json()["results"]
        assert own["deviation"] == due[row["player"]["name"]]


def test_a_dated_list_has_the_deviations_of_the_month_before(kept: RatingList) -> None:
    dated_lists.sweep(datetime(2026, AUGUST, 20, tzinfo=UTC))
    for month in (JUNE, JUNE + 1):
        rows = DatedRating.objects.filter(dated_list__day=f"2026-{month + 1:02}-01")
        assert dict(rows.values_list("player__name", "deviation")) == compute_deviations(kept, month)
