"""A director sets up the divisions of a league, places players, and confirms who goes up and down."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone
from playwright.sync_api import Page, expect

from players.models import Player
from rankings.seasons import seasons
from rankings.seasons.seasons import SeasonTerms
from tests.browser.eyes import faults
from tests.browser.people import PHONE, account, club_of, overflow, snap, wear
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Tournament
from tournaments.status import Status

pytestmark = pytest.mark.long
NAMES = ("Ada Okafor", "Bo Lindqvist", "Cleo Marsh", "Dan Ito", "Eve Novak", "Finn O'Hara")


def test_a_league_from_its_divisions_to_the_next_season(site: str, another: Callable[..., Page]) -> None:
    director = account("Dora Desk")
    club = club_of(director, *(account(name) for name in NAMES))
    now = timezone.now()
    desk = Desk.__new__(Desk)
    desk.now, desk.director, desk.club = now - timedelta(days=3), director, club
    desk.announce(a_plan("round-robin"))
    for number, player in enumerate(Player.objects.filter(name__in=NAMES).order_by("name"), 1):
        desk.event.entries.create(player=player, number=number, entered_at=desk.now, place=number)
    Tournament.objects.filter(pk=desk.event.pk).update(
        status=Status.FINISHED, started_at=desk.now, finished_at=desk.now, starts_at=desk.now
    )
    assert desk.event.entries.filter(place=F("number")).count() == len(NAMES)
    first = desk.now.date() - timedelta(days=1)
    rules = {"places": ["6", "5", "4", "3", "2", "1"], "attendance": "0"}
    autumn = SeasonTerms("Autumn league", first, first + timedelta(days=1), rules=rules)
    season = seasons.open_season(club=club, by=director, terms=autumn, now=now)
    spring = SeasonTerms("Spring league", now.date(), now.date() + timedelta(days=90), rules=rules)
    seasons.open_season(club=club, by=director, terms=spring, now=now)

    desktop, phone = another(), another(**PHONE)
    wear(desktop, site, director)
    wear(phone, site, director)
    home = f"/clubs/{club.slug}/rankings/seasons/{season.key}/"

    phone.goto(home)
    phone.get_by_role("link", name="Divisions").click()
    phone.get_by_role("link", name="Set up divisions").click()
    for number, (name, up, down) in enumerate((("First division", 0, 1), ("Second division", 1, 0))):
        phone.locator(f"#id_name_{number}").fill(name)
        phone.locator(f"#id_up_{number}").fill(str(up))
        phone.locator(f"#id_down_{number}").fill(str(down))
    assert overflow(phone) == 0
    assert faults(phone) == []
    snap(phone, "divisions-set-up")
    phone.get_by_role("button", name="Save").click()
    expect(phone.get_by_role("heading", name="Second division")).to_be_visible()

    phone.get_by_role("link", name="Players", exact=True).click()
    for number, name in enumerate(NAMES):
        phone.get_by_label(name).select_option(label=("First division", "Second division")[number % 2])
    assert overflow(phone) == 0
    assert faults(phone) == []
    snap(phone, "divisions-players")
    phone.get_by_role("button", name="Save").click()
    expect(phone.get_by_text("6 players are placed.")).to_be_visible()

    phone.get_by_role("link", name="Up and down").click()
    phone.get_by_label("Where Finn O'Hara goes").select_option(label="leaves the league")
    phone.get_by_label("Reason for Finn O'Hara").fill("Has moved away")
    assert overflow(phone) == 0
    assert faults(phone) == []
    snap(phone, "divisions-close")
    desktop.goto(f"{home}divisions/close/")
    snap(desktop, "divisions-close-wide")
    assert faults(desktop) == []
    phone.get_by_role("button", name="Confirm").click()
    expect(phone.get_by_role("heading", level=1)).to_contain_text("Divisions")
    expect(phone.get_by_role("main")).to_contain_text("Spring league")
    expect(phone.get_by_role("main")).not_to_contain_text("Finn O'Hara")
    snap(phone, "divisions-next")

    # Another person whose page is out of date gets an error, and nothing is done twice.
    desktop.get_by_role("button", name="Confirm").click()
    expect(desktop.get_by_role("alert")).to_contain_text("have been confirmed already")

    desktop.goto(f"{home}divisions/")
    expect(desktop.get_by_role("main")).to_contain_text("Decided by a director: Has moved away")
    for page, name in ((desktop, "divisions-wide"), (phone, "divisions")):
        page.goto(f"{home}divisions/")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert faults(page) == []
            snap(page, f"{name}-{scheme}")
        assert overflow(page) == 0
    desktop.goto(f"{home}divisions/sheet/")
    expect(desktop.get_by_role("main")).to_contain_text("goes up")
    snap(desktop, "divisions-sheet")
