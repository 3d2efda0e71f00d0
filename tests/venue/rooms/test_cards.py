"""Cards for the tables: each with the code that leads to the match that is played there."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import codes, local_times
from tournaments.models import Tournament
from tournaments.status import Status
from venue.models import Table
from venue.rooms import rooms

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

ZONE = "America/Anchorage"


@pytest.fixture
def cards(desk: Desk, client: Client) -> str:
    """Return the address of the cards, for a director who has signed in."""
    desk.start(a_plan("single-elimination"), 4)
    rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="1-3", now=desk.now)
    client.force_login(desk.director)
    return reverse("venue:table_cards", args=[desk.club.slug])


def test_a_card_says_until_when_its_code_is_good_by_the_club_s_clock(
    desk: Desk, client: Client, cards: str
) -> None:
    desk.club.time_zone = ZONE
    desk.club.save(update_fields=["time_zone"])
    with time_machine.travel(desk.now, tick=False):
        table = Table.objects.get(label="1")
        until = codes.get_expiry(codes.build_table_address(table.key, now=desk.now))
        page = client.get(cards).content.decode()
    hour = local_times.format_hour(until, ZONE)
    assert hour in {"15:00", "16:00"}, "codes end at midnight in Greenwich"
    said = f"Valid until {desk.event.name} is over, at most until {local_times.format_full_day(until, ZONE)}, {hour}"
    assert " ".join(page.split()).count(said) == 3
    assert "Phones do not reach" not in page


def list_named_events(client: Client, page: str) -> list[str]:
    said = " ".join(client.get(page).content.decode().split())
    return re.findall(r"Valid until (.+?) is over", said)


def test_the_papers_of_an_event_lead_to_cards_for_that_event(desk: Desk, client: Client, cards: str) -> None:
    league = desk.event
    Tournament.objects.filter(pk=league.pk).update(name="League")
    later = desk.start(a_plan("single-elimination"), 4)
    Tournament.objects.filter(pk=later.pk).update(name="Side", starts_at=desk.now + timedelta(hours=1))
    papers = client.get(reverse("tournaments:papers", args=[league.key])).content.decode()
    found = re.search(rf'href="({cards}[^"]*)"', papers)

    assert list_named_events(client, cards) == ["Side"] * 3
    assert "matches of all events that are running" in client.get(cards).content.decode()
    assert list_named_events(client, found[1]) == ["League"] * 3
    page = client.get(found[1]).content.decode()
    assert "These cards open matches of League only." in page
    assert f'href="{cards}"' in page, "and those for all events are one click away"

    Tournament.objects.filter(pk=league.pk).update(status=Status.CANCELLED)
    assert "These cards have no code: League is neither announced" in client.get(found[1]).content.decode()
    assert client.get(f"{cards}?event=nothing").status_code == 404


def test_without_an_open_event_cards_have_no_code_and_say_why(desk: Desk, client: Client, cards: str) -> None:
    Tournament.objects.filter(pk=desk.event.pk).update(status=Status.CANCELLED)
    page = client.get(cards).content.decode()
    assert "Valid until" not in page
    assert "no event of the club is announced or running" in page
    assert page.count("table-card__label") == 3, "the cards themselves are there"


def test_where_phones_do_not_reach_us_there_is_no_code(
    client: Client, cards: str, settings: SettingsWrapper
) -> None:
    settings.OWN_ADDRESSES = []
    page = client.get(cards, headers={"host": "localhost:8000"}).content.decode()
    assert "Phones do not reach this computer" in page
    assert "Valid until" not in page
    assert page.count("table-card__label") == 3, "the cards themselves are there"


def test_a_table_with_a_name_is_called_by_it(desk: Desk, client: Client) -> None:
    desk.start(a_plan("single-elimination"), 4)
    rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="3, Bar", now=desk.now)
    client.force_login(desk.director)
    slug, key = desk.club.slug, Table.objects.get(label="Bar").key

    overview = client.get(reverse("venue:rooms", args=[slug])).content.decode()
    assert "<strong>Table 3</strong>" in overview
    assert "<strong>Bar</strong>" in overview
    for name in ("venue:table", "records:table_code"):
        page = client.get(reverse(name, args=[slug, key])).content.decode()
        assert ">Bar</h1>" in page, name
