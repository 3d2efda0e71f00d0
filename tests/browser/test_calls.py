"""A player is called on any page: a card fills the screen, over plain HTTP and without push."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from players.clubs import clubs
from players.keys import new_key
from players.models import Role, User
from tests.browser.boards import match_of
from tests.browser.eyes import faults
from tests.browser.people import PHONE, account, club_of, listening, overflow, snap, wear
from tests.browser.slow import Kept
from tests.tournaments.event_desk import a_plan
from tournaments.models import Tournament
from tournaments.plan import drawing, setup
from tournaments.play import directing
from venue.calls import calling, table_filling
from venue.models import Assignment, CallMode, Chair, Room
from venue.rooms import room_settings, rooms

Others = Callable[..., Page]


def begin(
    mode: CallMode = CallMode.CONFIRMED, tables: str = "4, 5"
) -> tuple[User, User, User, Tournament, Room]:
    """Start an event of two with accounts and two guests, in a room of two tables."""
    now = timezone.now()
    dora, ada, bo = account("Dora Desk"), account("Ada Okafor"), account("Bo Lindqvist")
    club = club_of(dora, ada, bo)
    room = rooms.open_room(club=club, by=dora, name="Lamp Room", labels=tables, now=now)
    event = setup.announce(
        club=club,
        by=dora,
        key=new_key(),
        details=setup.Details(name="Saturday knock-out", starts_at=now),
        now=now,
        plan=a_plan("single-elimination"),
    )
    directing.admit_members(
        tournament_id=event.pk, by=dora, now=now, player_keys=[ada.player.key, bo.player.key]
    )
    room_settings.set_room(event=event, room=room, mode=mode, by=dora, now=now)
    drawing.publish(tournament_id=event.pk, by=dora, now=now)
    event.refresh_from_db()
    return dora, ada, bo, event, room


@pytest.mark.long
@pytest.mark.parametrize("where", ["/events/", "/players/", "board"])
def test_a_card_fills_the_screen_of_any_open_page_and_is_answered(
    site: str, another: Others, where: str
) -> None:
    dora, ada, bo, _event, room = begin()
    if where == "board":
        where = reverse("matches:match", args=[match_of(ada, bo).key])
    page = another(**PHONE)
    page.add_init_script("window.shaken = 0; navigator.vibrate = () => (window.shaken += 1);")
    wear(page, site, ada)
    page.goto(where)
    listening(page)
    table_filling.call_next(room=room, by=dora, now=timezone.now())

    card = page.locator("dialog.called")
    expect(card.get_by_role("heading", name="Table 4")).to_be_visible()
    expect(card.get_by_text("Bo Lindqvist")).to_be_visible()
    expect(page).to_have_title(re.compile("Table 4: you are called"))
    assert page.evaluate("window.shaken") == 1
    # Its styles are fetched when it is first shown.
    page.wait_for_function("() => [...document.styleSheets].some(each => each.href?.includes('/called'))")
    page.wait_for_function(
        "() => getComputedStyle(document.querySelector('[data-call]')).backgroundImage !== 'none'"
    )
    box = card.bounding_box()
    assert (round(box["width"]), round(box["height"])) == (375, 812)
    assert overflow(page) == 0
    assert faults(page) == []
    snap(page, f"called-{where.strip('/')}")

    card.get_by_role("button", name="I am coming").click()
    expect(card).to_be_hidden()
    assert Chair.objects.get(player=ada.player).seen_at is not None


@pytest.mark.long
def test_a_match_that_moves_while_its_card_is_open_says_so(site: str, page: Page) -> None:
    dora, ada, _bo, event, room = begin()
    page.add_init_script("window.shaken = 0; navigator.vibrate = () => (window.shaken += 1);")
    wear(page, site, ada)
    page.goto("/events/")
    listening(page)
    made = table_filling.call_next(room=room, by=dora, now=timezone.now())
    expect(page).to_have_title(re.compile("Table 4: you are called"))

    other = room.tables.get(label="5")
    calling.move(table=other, event=event, key=made.pairing.key, by=dora, now=timezone.now())

    expect(page).to_have_title(re.compile("Table 5: you are called"))
    assert page.evaluate("window.shaken") == 2


@pytest.mark.long
def test_a_card_that_was_answered_is_not_opened_by_what_was_asked_before(site: str, page: Page) -> None:
    dora, ada, _bo, _event, room = begin()
    wear(page, site, ada)
    page.goto("/events/")
    listening(page)
    table_filling.call_next(room=room, by=dora, now=timezone.now())
    card = page.locator("dialog.called")
    expect(card).to_be_visible()
    # Made before the answer, and there after it.
    before = Kept(page, f"**{reverse('venue:called')}")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    before.wait()
    card.get_by_role("button", name="I am coming").click()
    expect(card).to_be_hidden()
    page.evaluate(
        "window.opened = 0; new MutationObserver(() => { window.opened += 1 })"
        ".observe(document.querySelector('dialog.called'), { attributeFilter: ['open'] })"
    )
    before.let_through()
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("window.opened") == 0


def test_a_call_that_was_not_answered_comes_again_on_the_next_page(site: str, page: Page) -> None:
    dora, ada, bo, _event, room = begin()
    wear(page, site, ada)
    page.goto("/events/")
    listening(page)
    table_filling.call_next(room=room, by=dora, now=timezone.now())
    expect(page.locator("dialog.called")).to_be_visible()
    page.goto("/players/")
    card = page.locator("dialog.called")
    card.get_by_role("button", name="I am at the table").click()
    expect(card.get_by_text("You are at the table.")).to_be_visible()
    Chair.objects.filter(player=bo.player).update(here_at=timezone.now())
    assert Chair.objects.get(player=ada.player).here_at is not None


def test_a_page_that_is_opened_after_the_call_opens_with_the_card_in_its_styles(
    site: str, page: Page
) -> None:
    dora, ada, _bo, _event, room = begin()
    table_filling.call_next(room=room, by=dora, now=timezone.now())
    wear(page, site, ada)
    # How the card looks at the moment in which it opens.
    page.add_init_script(
        "window.opened = [];"
        "const open = HTMLDialogElement.prototype.showModal;"
        "HTMLDialogElement.prototype.showModal = function () {"
        "  open.call(this); window.opened.push(Math.round(this.getBoundingClientRect().width)); };"
    )
    sheet = Kept(page, "**/called*.css")
    page.goto("/players/")
    sheet.wait()
    card = page.locator("dialog.called")
    expect(card).to_be_hidden()
    sheet.let_through()
    expect(card.get_by_role("heading", name="Table 4")).to_be_visible()
    assert page.evaluate("window.opened") == [page.evaluate("innerWidth")]

    # It stays until it is answered, and then no page opens it.
    page.reload()
    expect(card).to_be_visible()
    card.get_by_role("button", name="I am coming").click()
    expect(card).to_be_hidden()
    with page.expect_response(f"**{reverse('venue:called')}"):
        page.reload()
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect(card).to_be_hidden()


@pytest.mark.long
@pytest.mark.parametrize(("width", "theme"), [(375, "light"), (1280, "dark")])
def test_a_director_who_plays_keeps_the_desk_and_what_is_being_typed(
    site: str, page: Page, width: int, theme: str
) -> None:
    dora, ada, _bo, event, room = begin()
    clubs.set_role(club=event.club, player=ada.player, role=Role.DIRECTOR, by=dora, now=timezone.now())
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    page.set_viewport_size({"width": width, "height": 812})
    wear(page, site, ada)
    page.goto(reverse("tournaments:desk", args=[event.key]))
    listening(page)
    box = page.locator(".desk input[name=score]").first
    box.click()
    page.keyboard.type("5 ")
    table_filling.call_next(room=room, by=dora, now=timezone.now())
    strip = page.get_by_role("alertdialog")
    expect(strip.get_by_role("heading", name="Table 4")).to_be_visible()
    page.keyboard.type("2")
    expect(box).to_be_focused()
    expect(box).to_have_value("5 2")
    seen = strip.bounding_box()
    assert seen["height"] <= 125
    assert overflow(page) == 0
    assert faults(page) == []
    snap(page, f"called-desk-{width}-{theme}", full=False)

    strip.get_by_role("button", name="I am at the table").click()
    expect(strip.get_by_role("button", name="I am at the table")).to_be_hidden()
    expect(box).to_have_value("5 2")
    assert Chair.objects.get(player=ada.player).here_at is not None
    strip.get_by_role("button", name="Close").click()
    expect(strip).to_be_hidden()


@pytest.mark.long
def test_the_director_calls_by_one_key_and_the_desk_shows_who_has_seen_it(
    site: str, page: Page, another: Others
) -> None:
    dora, ada, _bo, event, _room = begin()
    wear(page, site, dora)
    page.goto(reverse("tournaments:desk", args=[event.key]))
    listening(page)
    expect(page.get_by_role("heading", name="Next to call")).to_be_visible()
    snap(page, "desk-queue")
    page.keyboard.press("c")
    expect(page.get_by_text("Called to table 4.")).to_be_visible()
    assert Assignment.objects.get().table.label == "4"
    snap(page, "desk-called")

    phone = another(**PHONE)
    wear(phone, site, ada)
    phone.goto(reverse("venue:called"))
    phone.get_by_role("button", name="I am coming").click()
    expect(page.get_by_text(re.compile("Ada Okafor, call seen"))).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_desk_and_the_card_at_every_size(site: str, page: Page, theme: str) -> None:
    dora, ada, _bo, event, room = begin()
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
    table_filling.call_next(room=room, by=dora, now=timezone.now())
    for user, address in (
        (dora, reverse("tournaments:desk", args=[event.key])),
        (ada, reverse("venue:called")),
    ):
        wear(page, site, user)
        for width in (375, 1280):
            page.set_viewport_size({"width": width, "height": 812})
            page.goto(address)
            assert overflow(page) == 0
            assert faults(page) == []
            snap(page, f"{address.strip('/').replace('/', '-')}-{width}-{theme}")


@pytest.mark.parametrize("label", ["Terrace win.", "Streamtable1"])
def test_the_name_of_a_table_is_on_the_card_once_and_in_one_line(site: str, page: Page, label: str) -> None:
    dora, ada, _bo, _event, room = begin(tables=label)
    table_filling.call_next(room=room, by=dora, now=timezone.now())
    wear(page, site, ada)
    page.set_viewport_size({"width": 375, "height": 812})
    page.goto(reverse("venue:called"))
    plate, heading = page.locator(".called__plate"), page.get_by_role("heading", name=label)
    expect(plate).to_have_text(label)
    snap(page, f"called-{label}")
    box, said = plate.bounding_box(), heading.bounding_box()
    assert box is not None
    assert said is not None
    assert box["width"] <= 375 - 2 * 16
    assert plate.evaluate("each => each.scrollWidth <= each.clientWidth")
    size = plate.evaluate("each => parseFloat(getComputedStyle(each).fontSize)")
    lines = "each => { const all = document.createRange(); all.selectNodeContents(each);"
    assert plate.evaluate(lines + " return all.getBoundingClientRect().height }") < 1.5 * size
    assert said["height"] <= 1, "screen readers read it out"
    assert (overflow(page), faults(page)) == (0, [])
