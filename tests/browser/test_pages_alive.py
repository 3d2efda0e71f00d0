"""Pages that are open while something happens: a result and a move are seen on all of them."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from typing import Final

import pytest
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from matches.models import Match
from players.clubs import clubs
from players.keys import new_key
from players.models import User
from tests.browser.eyes import faults
from tests.browser.people import PHONE, account, club_of, listening, overflow, snap, wear
from tests.browser.slow import Kept
from tests.matches.support import Table
from tests.runtime.support import until
from tournaments.models import Pairing, Tournament
from tournaments.plan import drawing, setup
from tournaments.plan.templates import Plan, StagePlan
from tournaments.play import boards, entering, results

NAMES = ("Ann Lund", "Ben Osei", "Cid Varga", "Dee Roux")


@pytest.fixture
def night() -> Tournament:
    """A knock-out of four members that has just been drawn."""
    ada, *players = account("Ada Okafor"), *map(account, NAMES)
    now = timezone.now()
    club = club_of(ada, *players)
    details = setup.Details(name="Saturday cup", starts_at=now - timedelta(minutes=20))
    plan = Plan(stages=(StagePlan(format="single-elimination"),), match_length=5)
    event = setup.announce(club=club, by=ada, key=new_key(), details=details, now=now, plan=plan)
    for user in players:
        entering.enter_own_player(tournament_id=event.pk, user=user, now=now)
    drawing.publish(tournament_id=event.pk, by=ada, now=now)
    return event


def seated(event: Tournament, key: str, by: User) -> Table:
    """Put a match on a board and play its first roll."""
    match: Match = results.open_board(tournament_id=event.pk, key=key, user=by, now=timezone.now())
    table = Table.__new__(Table)
    table.now, table.rng, table.match = timezone.now(), random.Random(3), match
    table.white, table.black = match.white, match.black
    table.chained, table.chains, table.given, table._seen = frozenset(), {}, 0, None
    table.begin()
    return table


def test_a_board_says_that_the_desk_has_decided_its_match(
    site: str, page: Page, another: Callable[..., Page], night: Tournament
) -> None:
    director = User.objects.get(player__name="Ada Okafor")
    match = seated(night, "main/1.1", director).match
    page.goto(f"/matches/{match.key}/")
    listening(page)
    results.enter_result(
        tournament_id=night.pk, key="main/1.1", score=(5, 2), by=director, now=timezone.now()
    )
    # Until then the result can be undone at once.
    assert boards.sweep(timezone.now() + timedelta(minutes=2)) == 1

    said = "The match is decided in its event. The match does not count."
    expect(page.locator("#ask")).to_have_text(said)
    page.reload()
    expect(page.locator("#ask")).to_have_text(said)


@pytest.mark.long
def test_a_move_and_a_result_are_seen_on_every_open_page(
    site: str, page: Page, another: Callable[..., Page], night: Tournament
) -> None:
    director = User.objects.get(player__name="Ada Okafor")
    table = seated(night, "main/1.1", director)
    address = night.get_absolute_url()
    pages = {name: page if name == "event" else another() for name in ("event", "club", "bracket", "home")}
    where = {
        "event": address,
        "club": night.club.get_absolute_url(),
        "bracket": f"{address}bracket/",
        "home": "/",
    }
    for name, each in pages.items():
        each.goto(where[name])
        listening(each)
    boards = {
        name: pages[name].locator(f"[data-board='{table.match.key}'] .mini") for name in ("event", "home")
    }
    before = {name: board.inner_html() for name, board in boards.items()}

    # After a play, the thumbnails are updated by the stream.
    table.now = timezone.now()
    table.act()
    for name, board in boards.items():
        handle = board.element_handle()
        assert handle is not None
        pages[name].wait_for_function(
            """([key, was]) => document.querySelector(`[data-board='${key}'] .mini`)?.innerHTML !== was""",
            arg=[table.match.key, before[name]],
        )
        expect(pages[name].locator(f"[data-board='{table.match.key}'] .mini")).to_be_visible()

    # A result: every page has it.
    results.enter_result(
        tournament_id=night.pk, key="main/1.2", score=(5, 4), by=director, now=timezone.now()
    )
    winner = Pairing.objects.get(tournament=night, key="main/1.2").winner
    name = winner.player.public_name
    expect(pages["event"].locator("#event-head .pips-words")).to_contain_text("1 of 3")
    expect(pages["event"].locator(".story")).to_contain_text(name)
    expect(pages["bracket"].locator("#event-head .pips-words")).to_contain_text("1 of 3")
    for name in ("club", "home"):
        expect(pages[name].locator(".tonight .pips-words")).to_contain_text("1 match played")


# Record the names of animations when they start, because a check at a fixed moment could miss them.
NOTED: Final = """() => { window.moved = []
    document.addEventListener("animationstart", event => window.moved.push(event.animationName)) }"""
LANDED: Final = "() => window.moved.some(name => name.startsWith('landing'))"


def lighting(page: Page) -> None:
    """Wait until the page lights what lands: until its module is there and has run."""
    found = page.wait_for_function(
        "() => performance.getEntriesByType('resource').find(each => each.name.includes('/landing.'))?.name"
    )
    page.evaluate("address => import(address).then(() => true)", found.json_value())


def entered(event: Tournament, key: str) -> None:
    director = User.objects.get(player__name="Ada Okafor")
    results.enter_result(tournament_id=event.pk, key=key, score=(5, 4), by=director, now=timezone.now())


@pytest.mark.long
def test_a_result_that_lands_is_lit_on_every_open_page_and_still_for_those_who_ask(
    site: str, page: Page, another: Callable[..., Page], night: Tournament
) -> None:
    seated(night, "main/1.1", User.objects.get(player__name="Ada Okafor"))
    address = night.get_absolute_url()
    where = {
        "event": address,
        "bracket": f"{address}bracket/",
        "club": night.club.get_absolute_url(),
        "home": "/",
    }
    pages = {name: page if name == "event" else another() for name in where}
    still = another(reduced_motion="reduce")
    for name, each in pages.items():
        each.goto(where[name])
    still.goto(address)
    for each in (*pages.values(), still):
        if each is pages["club"]:
            expect(each.locator(".tonight")).to_be_visible()
        listening(each)
        lighting(each)
        each.evaluate(NOTED)

    entered(night, "main/1.2")

    for each in pages.values():
        each.wait_for_function(LANDED)
    expect(still.locator(".is-landed").first).to_be_attached()
    assert still.evaluate("window.moved.filter(name => name.startsWith('landing'))") == []
    # What was there before has not moved.
    assert pages["event"].locator(".tile .is-landed").count() == 0


def test_what_has_just_landed_is_lit_still_when_the_next_news_come(
    site: str, page: Page, night: Tournament
) -> None:
    page.goto(night.get_absolute_url())
    listening(page)
    lighting(page)
    # Timers run, and no time passes: it has landed this very moment.
    page.clock.set_fixed_time(timezone.now())
    entered(night, "main/1.1")
    expect(page.locator(".story > li.is-landed").first).to_be_attached()
    page.evaluate(
        """() => new Promise(done => {
          document.addEventListener("htmx:afterRequest", ({ detail }) => {
            if (detail.elt.id === "event-live") requestAnimationFrame(done);
          });
          document.querySelector(".story").dataset.old = "yes";
          window.htmx.trigger("#event-live", "live");
        })"""
    )
    expect(page.locator(".story[data-old]")).to_have_count(0)
    expect(page.locator(".story > li.is-landed").first).to_be_attached()


def test_what_is_told_while_a_part_is_on_its_way_is_asked_for_as_well(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    club = club_of(ada)
    wear(page, site, ada)
    page.goto(f"/clubs/{club.slug}/members/")
    listening(page)
    page.evaluate("window.told = 0; document.addEventListener('live:event', () => { window.told += 1 })")
    first = Kept(page, "**/members/")
    clubs.add_guest(club=club, name="Tom Weir", by=ada, now=timezone.now())
    first.wait()
    told = page.evaluate("told")
    clubs.add_guest(club=club, name="Lena Fuchs", by=ada, now=timezone.now())
    page.wait_for_function("told => window.told > told", arg=told)
    first.let_through()

    expect(page.locator("#member-list").get_by_role("link", name="Tom Weir")).to_be_visible()
    expect(page.locator("#member-list").get_by_role("link", name="Lena Fuchs")).to_be_visible()


def test_a_part_that_a_busy_server_refused_is_asked_for_again(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    club = club_of(ada)
    wear(page, site, ada)
    page.goto(f"/clubs/{club.slug}/members/")
    listening(page)
    refused: list[str] = []

    def refuse(route: Route) -> None:
        refused.append(route.request.url)
        route.fulfill(status=503, headers={"retry-after": "2"}, body="Too many visitors at once.")

    page.route("**/members/", refuse, times=1)
    clubs.add_guest(club=club, name="Tom Weir", by=ada, now=timezone.now())

    expect(page.locator("#member-list").get_by_role("link", name="Tom Weir")).to_be_visible()
    assert len(refused) == 1


def test_what_is_searched_for_is_shown_though_news_come_first(site: str, page: Page) -> None:
    ada = account("Ada Okafor")
    club = club_of(ada, guests=("Tom Weir",))
    wear(page, site, ada)
    page.goto(f"/clubs/{club.slug}/members/")
    listening(page)
    found = Kept(page, "**/members/*q=weir*")
    page.get_by_label("Find a member").fill("weir")
    found.wait()
    clubs.add_guest(club=club, name="Lena Fuchs", by=ada, now=timezone.now())
    expect(page.locator("#member-list").get_by_role("link", name="Lena Fuchs")).to_be_visible()
    found.let_through()

    expect(page.locator("#member-list").get_by_role("link", name="Lena Fuchs")).to_have_count(0)
    expect(page.locator("#member-list").get_by_role("link", name="Tom Weir")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wrong_with_an_evening_on_a_desk_and_on_a_phone(
    site: str, page: Page, another: Callable[..., Page], night: Tournament, scheme: str
) -> None:
    seated(night, "main/1.1", User.objects.get(player__name="Ada Okafor"))
    for device, each in (("desk", page), ("phone", another(**PHONE))):
        each.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
        for name, address in (
            ("event", night.get_absolute_url()),
            ("club", night.club.get_absolute_url()),
            ("home", "/"),
        ):
            each.goto(address)
            expect(each.locator(".mini:visible").first).to_be_visible()
            assert faults(each) == []
            assert overflow(each) <= 0
            snap(each, f"alive-{name}-{device}-{scheme}")
            if device == "phone":
                head = each.locator(".felt--band").bounding_box()
                assert head["height"] <= 812 / 4


@pytest.mark.long
@pytest.mark.parametrize("who", ["visitor", "member"])
def test_a_board_that_begins_later_is_followed_move_by_move_on_open_pages(
    site: str, another: Callable[..., Page], night: Tournament, who: str
) -> None:
    director = User.objects.get(player__name="Ada Okafor")
    club = night.club.get_absolute_url()
    pages = {address: another() for address in (club, f"{club}events/", "/", night.get_absolute_url())}
    for address, each in pages.items():
        if who == "member":
            wear(each, site, User.objects.get(player__name="Dee Roux"))
        each.goto(address)
        listening(each)
        expect(each.get_by_role("link", name="Saturday cup").or_(each.locator("h1")).first).to_be_visible()
        each.evaluate("window.heard = []; window.whole = true")
        each.evaluate("document.addEventListener('live:event', ({ detail }) => heard.push(detail.topic))")

    # Play begins while the pages are open.
    table = seated(night, "main/1.1", director)
    topic = f"match.{table.match.key}"
    before = {}
    for address, each in pages.items():
        board = each.locator(f"[data-board='{table.match.key}'] .mini")
        expect(board).to_be_visible()
        # In one step: the list around it may come again at any moment.
        before[address] = each.evaluate(
            "key => { const board = document.querySelector(`[data-board='${key}'] .mini`);"
            " board.scrollIntoView(); return board.innerHTML }",
            table.match.key,
        )

    # Moves arrive on the stream of each page, even if it was still connecting, and its board shows them.
    for _ in range(3):
        table.now = timezone.now()
        table.act()
    for address, each in pages.items():
        each.wait_for_function("topic => heard.includes(topic)", arg=topic)
        each.wait_for_function(
            "([key, was]) => document.querySelector(`[data-board='${key}'] .mini`)?.innerHTML !== was",
            arg=[table.match.key, before[address]],
        )
        assert each.evaluate("window.whole"), "the page was loaded again"


def test_boards_that_nobody_sees_are_not_asked_for(site: str, page: Page, night: Tournament) -> None:
    table = seated(night, "main/1.1", User.objects.get(player__name="Ada Okafor"))
    page.set_viewport_size({"width": 1280, "height": 300})
    # Every quarter of a minute they are requested anyway: time passes only as far as the news need it.
    page.clock.install()
    page.goto(night.get_absolute_url())
    listening(page)
    page.clock.pause_at(timezone.now() + timedelta(seconds=2))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/boards/" in request.url else None)
    page.evaluate("document.querySelector('main').style.paddingTop = '3000px'")

    before = page.locator("#event-boards .mini").first.inner_html()
    page.evaluate("window.told = 0; document.addEventListener('live:event', () => { window.told += 1 })")
    for _ in range(6):
        table.now = timezone.now()
        table.act()
    page.wait_for_function("() => window.told >= 1")

    def waits() -> bool:
        """True if the part has looked whether anybody sees it."""
        page.clock.run_for(20)
        return bool(page.evaluate("document.querySelector('#event-boards').liveWaits"))

    until(waits)
    assert asked == []

    page.clock.resume()
    page.evaluate("document.querySelector('main').style.paddingTop = ''")
    page.locator("#event-boards").scroll_into_view_if_needed()
    page.wait_for_function(
        "([key, was]) => document.querySelector(`[data-board='${key}'] .mini`).innerHTML !== was",
        arg=[table.match.key, before],
    )
    expect(page.locator("#event-boards .mini").first).to_be_visible()


def test_of_two_boards_the_featured_one_is_the_larger(site: str, page: Page, night: Tournament) -> None:
    director = User.objects.get(player__name="Ada Okafor")
    for key in ("main/1.1", "main/1.2"):
        seated(night, key, director)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(night.get_absolute_url())
    listening(page)
    snap(page, "two-boards")
    first, second = (each.bounding_box() for each in page.locator("#event-boards .mini").all())
    assert first["height"] > second["height"]
