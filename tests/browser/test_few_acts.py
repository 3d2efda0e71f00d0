"""What directors do often takes few clicks and fields: each walk does it, counts, and sees what came of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from money.models import MoneyLine
from money.terms import terms
from players.clubs import clubs
from tests.browser.people import account, club_of, drain, snap, toast, wear
from tests.browser.test_first_run import NAMES, Hand, enter
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.hooks import WantedRoom
from tournaments.models import Pairing, Tournament
from tournaments.plan import drawing
from tournaments.play import departures
from tournaments.status import Status
from venue.models import EventRoom, Table
from venue.rooms import room_settings


def labelled(page: Page, label: str) -> Locator:
    """Return the field with this label, be it optional or not."""
    return page.get_by_role("main").get_by_label(re.compile(rf"^\s*{label}\s*(\(optional\)\s*)?$"))


def desk_of(
    page: Page, site: str, players: int, *, tables: int = 0, form: str = "swiss", **options: Any
) -> Desk:
    """Start an event and show its director the desk."""
    desk = Desk(timezone.now().replace(microsecond=0))
    desk.announce(a_plan(form, **options), players)
    if tables:
        room = WantedRoom(tables=tables)
        room_settings.assign_new_event(desk.event, room, desk.director, desk.now)
    desk.do(drawing.publish)
    drain()
    wear(page, site, desk.director)
    page.goto(f"/events/{desk.event.key}/desk/")
    return desk


class Counted:
    """Clicks and fields of a director at a page, counted apart."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = self.fields = 0

    def click(self, what: Locator) -> None:
        what.click()
        self.clicks += 1

    def press(self, name: str) -> None:
        self.click(self.page.get_by_role("main").get_by_role("button", name=name, exact=True))

    def follow(self, name: str) -> None:
        self.click(self.page.get_by_role("main").get_by_role("link", name=name, exact=True))

    def fill(self, label: str, value: str) -> None:
        labelled(self.page, label).fill(value)
        self.fields += 1

    def choose(self, label: str, option: str) -> None:
        labelled(self.page, label).select_option(label=option)
        self.fields += 1


def play_first_night(page: Page, names: Sequence[str] = NAMES, template: str = "") -> Counted:
    """Found a club and publish the draw of its first night, to 7 points at six tables."""
    hand = Counted(page)
    enter(Hand(page))
    hand.clicks += 1
    hand.fill("Name of your club", "Bristol Backgammon")
    hand.press("Next: tonight")
    if template:
        hand.choose("How it is played", template)
    hand.fill("Matches to", "7")
    hand.fill("Number of tables", "6")
    hand.fill("Who is here", "\n".join(names))
    snap(page, "few-first-night")
    hand.press("Next: the draw")
    hand.press("Publish the draw")
    expect(page.locator(".room__table")).to_have_count(6)
    return hand


def test_a_first_night_with_length_and_tables_takes_six_clicks(site: str, page: Page) -> None:
    hand = play_first_night(page)
    event = Tournament.objects.get()
    assert (event.status, event.match_length) == (Status.RUNNING, 7)
    assert Table.objects.filter(room__events__event=event).count() == 6
    assert hand.clicks <= 6
    assert hand.fields <= 4


@pytest.mark.long
def test_the_next_night_proposes_room_and_length_and_takes_four_clicks(site: str, page: Page) -> None:
    play_first_night(page)
    first = Tournament.objects.get()
    page.goto(f"/clubs/{first.club.slug}/")
    hand = Counted(page)
    hand.follow("Play tonight")
    expect(labelled(page, "Matches to")).to_have_value("7")
    expect(labelled(page, "Room").locator("option:checked")).to_have_text("Playing room")
    hand.fill("Who is here", "\n".join(NAMES[:8]))
    snap(page, "few-next-night")
    hand.press("Next: the draw")
    hand.press("Publish the draw")

    expect(page.locator(".room__table")).to_have_count(6)
    event = Tournament.objects.exclude(pk=first.pk).get()
    assert (event.status, event.match_length, event.name) == (Status.RUNNING, 7, first.name)
    assert EventRoom.objects.get(event=event).room == EventRoom.objects.get(event=first).room
    assert hand.clicks <= 4
    assert hand.fields <= 1


def test_an_announcement_makes_the_first_room_of_a_club(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    club = club_of(ada)
    wear(page, site, ada)
    page.goto(f"/clubs/{club.slug}/events/new/")
    hand = Counted(page)
    hand.fill("Name", "Thursday")
    hand.fill("Number of tables", "4")
    hand.press("Announce it")

    expect(page.get_by_role("heading", level=1, name="Thursday")).to_be_visible()
    assert Table.objects.filter(room__events__event__name="Thursday").count() == 4
    page.goto(f"/clubs/{club.slug}/events/new/?template=swiss")
    expect(labelled(page, "Room").locator("option:checked")).to_have_text("Playing room")


def test_nobody_is_chosen_to_withdraw_and_who_has_left_is_not_offered(site: str, page: Page) -> None:
    desk = desk_of(page, site, 4, rounds=3)
    desk.do(departures.withdraw_entry, entry=2)
    hand = Counted(page)
    page.goto(f"/events/{desk.event.key}/desk/")
    hand.follow("Withdraw a player")

    who = labelled(page, "Player")
    expect(who).to_have_value("")
    expect(who.locator("option")).to_have_text(["—", "Guest 1", "Guest 3", "Guest 4"])
    hand.press("See the consequences")
    expect(page.get_by_role("heading", name="What will happen")).to_have_count(0)
    who.select_option("Guest 3")
    hand.press("See the consequences")
    expect(page.get_by_role("heading", name="What will happen")).to_be_visible()


def test_a_latecomer_takes_two_clicks_and_a_name(site: str, page: Page) -> None:
    desk = desk_of(page, site, 5, rounds=3)
    hand = Counted(page)
    hand.follow("Let a latecomer in")
    hand.fill("Or a guest's name", "Gia Moreau")
    snap(page, "few-latecomer")
    hand.press("Let a latecomer in")

    expect(toast(page, "Gia Moreau: From round 2 on.")).to_be_visible()
    assert desk.entry(6).player.name == "Gia Moreau"
    assert hand.clicks <= 2
    assert hand.fields <= 1


def test_a_latecomer_whose_name_is_a_member_s_is_that_member(site: str, page: Page) -> None:
    desk = desk_of(page, site, 5, rounds=3)
    ada = account("Ada Okafor")
    clubs.join(club=desk.club, player=ada.player, now=desk.now)
    hand = Counted(page)
    hand.follow("Let a latecomer in")
    hand.fill("Or a guest's name", "ada okafor")
    hand.press("Let a latecomer in")

    expect(toast(page, "Ada Okafor: From round 2 on.")).to_be_visible()
    assert desk.entry(6).player == ada.player


def test_a_no_show_is_two_clicks_from_the_table(site: str, page: Page) -> None:
    desk = desk_of(page, site, 4, tables=2, form="single-elimination")
    row = desk.open()[0]
    assert row.a
    hand = Counted(page)
    hand.click(page.locator(".room__table .menu > summary").first)
    snap(page, "few-table-menu", full=False)
    name = page.locator(".room__table").first.locator(".match__a").inner_text()
    hand.press(f"No-show: {name}")

    expect(toast(page, "The no-show is entered.")).to_be_visible()
    found = Pairing.objects.get(tournament=desk.event, kind="no-show")
    assert found.winner.player.name != name
    assert hand.clicks <= 2
    assert hand.fields <= 0


def test_a_result_is_two_clicks_and_a_score_from_the_table(site: str, page: Page) -> None:
    desk = desk_of(page, site, 4, tables=2, form="single-elimination")
    hand = Counted(page)
    hand.click(page.locator(".room__table .menu > summary").first)
    hand.click(page.locator(".room__table").first.get_by_role("link", name="Enter the result"))
    hand.fill("Score", "5 2")
    page.keyboard.press("Enter")

    expect(toast(page, "The result is entered.")).to_be_visible()
    assert Pairing.objects.filter(tournament=desk.event, kind="played", score_a=5, score_b=2).count() == 1
    assert hand.clicks <= 2
    assert hand.fields <= 1


@pytest.mark.long
def test_a_correction_takes_three_clicks(site: str, page: Page) -> None:
    desk = desk_of(page, site, 8, form="single-elimination")
    for row in desk.open():
        desk.play(row.key)
    page.goto(f"/events/{desk.event.key}/desk/")
    wrong = desk.row("main/1.1")
    hand = Counted(page)
    hand.click(
        page.get_by_role("navigation", name="Which matches").get_by_role("link", name=re.compile("^Decided"))
    )
    names = f"{wrong.a.player.public_name} – {wrong.b.player.public_name}" if wrong.a and wrong.b else ""  # noqa: RUF001
    snap(page, "few-correction-rows", full=False)
    hand.click(page.get_by_role("link", name=re.compile(rf"^Correct\s*: {names}$")))
    hand.fill("Score", f"{wrong.score_b} {wrong.score_a}")
    hand.fill(r"Why\?", "Wrong way round")
    snap(page, "few-correction")
    hand.press("Correct the result")

    expect(toast(page, "The result is corrected.")).to_be_visible()
    assert desk.row("main/1.1").winner_id != wrong.winner_id
    # The desk shows the match that was corrected.
    expect(page.get_by_role("link", name=re.compile(rf"^Correct\s*: {names}$"))).to_be_in_viewport()
    assert hand.clicks <= 3
    assert hand.fields <= 2


def test_a_correction_that_loses_a_result_is_looked_at_first(site: str, page: Page) -> None:
    desk = desk_of(page, site, 4, form="single-elimination")
    desk.play_out()
    wrong = desk.row("main/1.1")
    page.goto(f"/events/{desk.event.key}/acts/correct/?match=main/1.1")
    # The consequences do not come by themselves in time.
    page.route(
        "**/acts/correct/**",
        lambda route: route.abort() if "look=yes" in (route.request.post_data or "") else route.fallback(),
    )
    hand = Counted(page)
    hand.fill("Score", f"{wrong.score_b} {wrong.score_a}")
    hand.fill(r"Why\?", "Wrong way round")
    hand.press("Correct the result")

    expect(page.get_by_role("heading", name="What will happen")).to_be_visible()
    assert desk.row("main/1.1").winner_id == wrong.winner_id


@pytest.mark.long
def test_a_correction_that_loses_a_result_takes_three_clicks_too(site: str, page: Page) -> None:
    desk = desk_of(page, site, 4, form="single-elimination")
    desk.play_out()
    wrong = desk.row("main/1.1")
    page.goto(f"/events/{desk.event.key}/desk/")
    hand = Counted(page)
    hand.click(
        page.get_by_role("navigation", name="Which matches").get_by_role("link", name=re.compile("^Decided"))
    )
    names = f"{wrong.a.player.public_name} – {wrong.b.player.public_name}" if wrong.a and wrong.b else ""  # noqa: RUF001
    hand.click(page.get_by_role("link", name=re.compile(rf"^Correct\s*: {names}$")))
    score = labelled(page, "Score")
    expect(score).to_be_focused()
    hand.fill("Score", f"{wrong.score_b} {wrong.score_a}")
    expect(page.get_by_role("heading", name="What will happen")).to_be_visible()
    expect(page.locator("#preview-card")).to_contain_text("1 result no longer counts")
    expect(score).to_be_focused()
    hand.fill(r"Why\?", "Wrong way round")
    snap(page, "few-correction-seen")
    hand.press("Correct the result")

    expect(toast(page, "The result is corrected.")).to_be_visible()
    assert desk.row("main/1.1").winner_id != wrong.winner_id
    assert hand.clicks <= 3


def test_everybody_has_paid_is_one_press_and_its_confirmation(desk: Desk, site: str, page: Page) -> None:
    desk.announce(a_plan("swiss", rounds=3), 16)
    desk.do(terms.set_terms, terms=terms.MoneyTerms(currency="EUR", fee=500, prizes={"main": ["100"]}))
    wear(page, site, desk.director)
    page.goto(f"/events/{desk.event.key}/money/")
    hand = Counted(page)
    snap(page, "few-paid")
    page.once("dialog", lambda asked: asked.accept())
    hand.press("Mark all as paid")
    hand.clicks += 1

    expect(toast(page, "All players are marked as paid.")).to_be_visible()
    assert MoneyLine.objects.filter(money__event=desk.event).count() == 16
    assert hand.clicks <= 2
    assert hand.fields <= 0
