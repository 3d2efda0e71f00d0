"""Printed lists and seasons, and their spreadsheets: all players in the order of the page."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from rankings.lists import dated_lists, printed_lists
from rankings.models import DatedInterval, DatedList
from rankings.seasons import seasons
from rankings.seasons.seasons import SeasonTerms
from tests.deliveries import deliver
from tests.rankings.rating_lists import open_list
from tests.rankings.standing_rows import stand
from tests.tournaments.event_desk import Desk, a_plan


def test_figures_on_paper_are_those_of_the_page(desk: Desk, client: Client) -> None:
    kept = open_list(desk)
    # To three decimals, so that a figure that is cut off is another than one that is rounded.
    figures = [1891.338, 1742.705, 1655.994, 1600.996, 1499.999, 1410.0, -12.346]
    stand(kept, [(figure, 400, 3) for figure in figures], desk.now)
    on_paper = [row.figures[0] for row in printed_lists.build_sheet(kept, now=desk.now).rows]
    assert on_paper == [f"{figure:.2f}" for figure in (1891.34, 1742.71, 1655.99, 1601, 1500, 1410, -12.35)]
    page = client.get(reverse("rankings:club", args=[desk.club.slug])).content.decode()
    assert [figure for figure in on_paper if figure not in page] == []


@pytest.mark.long
def test_a_list_on_paper(desk: Desk, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = open_list(desk, "glicko2", dated=DatedInterval.WEEK)
    desk.start(a_plan("round-robin"), 4)
    desk.play_out()
    deliver(desk.now)
    page = client.get(reverse("rankings:list_sheet", args=[desk.club.slug, kept.key])).content.decode()
    assert page.index("Guest 1") < page.index("Guest 4")
    assert "provisional" in page
    sheet = printed_lists.build_sheet(kept, now=desk.now)
    assert (sheet.total, len(sheet.heads), sheet.is_cut) == (4, 4, False)

    assert dated_lists.sweep(desk.now + timedelta(days=8)) >= 1
    day = DatedList.objects.get(list=kept).day
    page = client.get(reverse("rankings:dated_sheet", args=[desk.club.slug, kept.key, day])).content.decode()
    assert "Everything finished before" in page
    assert page.index("Guest 1") < page.index("Guest 4")
    missing = reverse("rankings:dated_sheet", args=[desk.club.slug, kept.key, "1999-01-01"])
    assert client.get(missing).status_code == 404

    monkeypatch.setattr(printed_lists, "MOST", 3)
    page = client.get(reverse("rankings:list_sheet", args=[desk.club.slug, kept.key])).content.decode()
    assert "Guest 4" not in page
    assert "The first 3 of 4 players." in page


@pytest.mark.long
def test_a_season_on_paper_and_as_a_table(desk: Desk, client: Client) -> None:
    day = desk.now.date()
    terms = SeasonTerms("=2026", day, day + timedelta(days=300))
    season = seasons.open_season(club=desk.club, by=desk.director, terms=terms, now=desk.now)
    desk.start(a_plan("round-robin"), 4)
    desk.play_out()
    deliver(desk.now)
    page = client.get(reverse("rankings:season_sheet", args=[desk.club.slug, season.key])).content.decode()
    assert page.index("Guest 1") < page.index("Guest 4")
    file = client.get(f"/api/v1/seasons/{season.key}/standings.csv")
    assert file["Content-Type"] == "text/csv; charset=utf-8"
    rows = file.content.decode().splitlines()
    assert rows[0] == "place,name,player,points,events"
    assert rows[1] == f"1,Guest 1,{desk.player(1).key},11,1"
    assert len(rows) == 5
