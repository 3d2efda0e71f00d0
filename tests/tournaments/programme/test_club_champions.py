"""The champions of a club's year, and the colour it wears."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Club
from tests.clients import signed_in
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import text, url
from tournaments.models import Tournament
from tournaments.programme import club_champions

pytestmark = pytest.mark.today


def won(desk: Desk, number: int, *, days_ago: int = 0) -> None:
    """Play an evening of the same two guests that this one wins, and let it have been so long ago."""
    event = desk.start(a_plan("single-elimination"), 2)
    desk.play("main/1.1", number)
    Tournament.objects.filter(pk=event.pk).update(starts_at=desk.now - timedelta(days=days_ago))


@pytest.mark.long
def test_the_champions_are_those_who_won_most_this_year(desk: Desk, client: Client) -> None:
    assert club_champions.load_club_year(desk.club, now=desk.now) is None
    for number in (2, 1, 2):
        won(desk, number)
    won(desk, 1, days_ago=400)

    season = club_champions.load_club_year(desk.club, now=desk.now)

    assert season.year == timezone.localtime(desk.now).year
    assert [(each.name, each.wins) for each in season.champions] == [("Guest 2", 2), ("Guest 1", 1)]
    page = text(client.get(url("club_events", desk.club.slug)))
    card = page.partition(f"Champions of {season.year}")[2].partition("</section>")[0]
    assert "2 events won" in card
    assert card.index("Guest 2") < card.index("Guest 1")


@pytest.mark.long
def test_a_club_chooses_its_colour_for_its_pages_and_those_of_its_events(desk: Desk) -> None:
    event = desk.start(a_plan("single-elimination"), 2)
    browser = signed_in(desk.director)
    address = f"{desk.club.get_absolute_url()}settings/"
    said = {"name": "Here", "time_zone": "UTC", "joining": "open"}
    assert "felt-green" in text(browser.get(desk.club.get_absolute_url()))

    assert browser.post(address, {**said, "felt": "blue"}).status_code == 302
    for page in (desk.club.get_absolute_url(), event.get_absolute_url(), "/"):
        assert "felt-blue" in text(browser.get(page))
    assert browser.post(address, {**said, "felt": "mauve"}).status_code == 200

    # A form without this field keeps the colour.
    assert browser.post(address, said).status_code == 302
    assert Club.objects.get(pk=desk.club.pk).felt == "blue"
