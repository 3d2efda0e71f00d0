"""Anyone who offers a match is taken to its board, from any page; a rematch begins in place, on both
screens."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import APIResponse, Page, Request, Route, expect

from engine.side import BySide, Side
from matches.lobby import challenges
from matches.models import Challenge, Match
from matches.play import terms_validation
from matches.state import commands
from players.models import User
from tests.browser.boards import act, come
from tests.browser.eyes import faults
from tests.browser.people import account, listening, snap, wear
from tests.matches.lobby.test_begun import at, played

Others = Callable[..., Page]


def offered(ada: User, bo: User) -> Challenge:
    return challenges.offer(
        challenger=ada.player,
        opponent=bo.player,
        terms=terms_validation.read_terms(length=3),
        now=timezone.now(),
    )


def accept(row: Challenge, bo: User) -> Match:
    match = challenges.accept(challenge_id=row.pk, player=bo.player, now=timezone.now()).match
    assert match is not None
    return match


@pytest.mark.long
def test_the_lobby_goes_to_the_board(site: str, page: Page, another: Others) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    wear(page, site, ada)
    page.goto("/play/")
    row = offered(ada, bo)
    listening(page)
    bos = another()
    wear(bos, site, bo)
    bos.goto("/play/")
    bos.get_by_role("button", name="Accept").click()

    page.wait_for_url(re.compile(r"/matches/"))
    row.refresh_from_db()
    assert row.match.key in page.url
    assert row.match.key in bos.url
    for each in (page, bos):
        expect(act(each, "ready")).to_be_visible()


@pytest.mark.long
def test_any_other_page_says_so_and_leads_there(site: str, page: Page) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    row = offered(ada, bo)
    wear(page, site, ada)
    page.goto("/events/")
    listening(page)
    second = page.context.new_page()
    second.goto("/players/")
    listening(second)
    accept(row, bo)
    dialogs = [each.get_by_role("dialog") for each in (page, second)]
    for dialog, each in zip(dialogs, (page, second), strict=True):
        expect(dialog).to_contain_text("Your match against Bo Lindqvist begins")
        expect(each).to_have_title("Your match against Bo Lindqvist begins")
    snap(page, "begun", full=False)
    assert faults(page) == []

    dialogs[0].get_by_role("link", name="Go to the board").click()
    page.wait_for_url(re.compile(r"/matches/"))
    # Answered in one tab, it is answered in all.
    expect(dialogs[1]).to_have_count(0)
    expect(second).not_to_have_title(re.compile("begins"))


@pytest.mark.long
def test_a_match_that_began_between_two_pages_is_announced_on_the_next(site: str, page: Page) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    wear(page, site, ada)
    asked: list[Request] = []
    page.on("request", lambda each: asked.append(each) if "/challenges/begun/" in each.url else None)
    page.goto("/players/")
    listening(page)
    assert asked == [], "who was never where offers are made has none"
    page.goto("/play/")
    listening(page)
    page.goto("/events/")
    accept(offered(ada, bo), bo)
    page.goto("/players/")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Your match against Bo Lindqvist begins")

    dialog.get_by_role("button", name="Not now").click()
    with page.expect_response("**/challenges/begun/"):
        page.goto("/events/")
    expect(dialog).to_have_count(0)


def test_whoever_comes_back_to_a_page_is_told(site: str, page: Page) -> None:
    """The line was gone while it happened, and the stream has forgotten it."""
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    row = offered(ada, bo)
    wear(page, site, ada)
    page.goto("/events/")
    listening(page)
    page.route("**/live/**", lambda route: route.abort())
    page.context.set_offline(True)
    # Going out of reach does not end what is open; a router that restarts does.
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("html[data-stream=off]")).to_be_attached()
    match = accept(row, bo)
    page.context.set_offline(False)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Your match against Bo Lindqvist begins")

    dialog.get_by_role("button", name="Not now").click()
    expect(dialog).to_have_count(0)
    # It was answered: to come back once more asks nothing.
    with page.expect_response("**/challenges/begun/"):
        page.evaluate("dispatchEvent(new Event('online'))")
    expect(dialog).to_have_count(0)
    assert Match.objects.get().key == match.key


def test_a_bell_that_cannot_be_fetched_keeps_nobody_from_the_news(site: str, page: Page) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    row = offered(ada, bo)
    wear(page, site, ada)
    page.goto("/events/")
    listening(page)
    page.route("**/sound.js", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: "sound.js" in request.url):
        accept(row, bo)

    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Your match against Bo Lindqvist begins")
    expect(page).to_have_title("Your match against Bo Lindqvist begins")
    # An error of the page, which the fence would hear of by now, would stop what comes after it.
    dialog.get_by_role("button", name="Not now").click()
    expect(dialog).to_have_count(0)


# -- rematches


@pytest.fixture
def over(site: str, page: Page, another: Others) -> BySide[Page]:
    """Both at the board of a match that is over."""
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    match = accept(offered(ada, bo), bo)
    pages = BySide(page, another())
    people = {ada.player.pk: ada, bo.player.pk: bo}
    for side, player in ((Side.WHITE, match.white_id), (Side.BLACK, match.black_id)):
        come(pages[side], site, people[player], match)
    for each in pages:
        expect(act(each, "ready")).to_be_visible()
    pages.white.locator("#resign-open").click()
    pages.white.get_by_label("The whole match, at once").check()
    pages.white.get_by_role("dialog").get_by_role("button", name="Resign").click()
    for each in pages:
        expect(act(each, "rematch")).to_be_visible()
    return pages


def both_are_at_the_new_board(pages: BySide[Page]) -> None:
    old = Match.objects.order_by("pk").first()
    assert old is not None
    for each in pages:
        each.wait_for_url(lambda address: old.key not in address)
        expect(act(each, "ready")).to_be_visible()
    new = Match.objects.exclude(pk=old.pk).get()
    assert all(new.key in each.url for each in pages)
    assert (new.white_id, new.black_id) == (old.black_id, old.white_id)


@pytest.mark.long
def test_one_offers_a_rematch_and_the_other_accepts_in_place(over: BySide[Page]) -> None:
    act(over.black, "rematch").click()
    expect(over.black.locator("#ask")).to_contain_text("You have offered")
    expect(over.white.locator("#ask")).to_contain_text("wants a rematch.")
    expect(over.white).to_have_title(re.compile(r"^\(1\) "))
    snap(over.white, "rematch-asked", full=False)
    assert faults(over.white) == []
    act(over.white, "accept").click()
    both_are_at_the_new_board(over)


@pytest.mark.long
def test_a_rematch_that_is_declined_or_withdrawn_is_seen_by_both(over: BySide[Page]) -> None:
    act(over.black, "rematch").click()
    act(over.white, "decline").click()
    expect(over.black.locator("#ask")).to_contain_text("does not want a rematch now.")
    act(over.white, "rematch").click()
    expect(act(over.black, "accept")).to_be_visible()
    act(over.white, "withdraw").click()
    expect(act(over.black, "accept")).to_have_count(0)
    for each in over:
        expect(act(each, "rematch")).to_be_visible()
    assert Match.objects.count() == 1


def is_want(request: Request) -> bool:
    return request.method == "POST" and request.url.endswith("/rematch/")


@pytest.mark.long
def test_both_press_at_once_and_one_of_the_presses_is_late(over: BySide[Page]) -> None:
    """White's press is on its way while black's arrives: to offer is then to accept."""
    held: list[Route] = []
    over.white.route(
        "**/rematch/", lambda route: held.append(route) if is_want(route.request) else route.continue_()
    )
    with over.white.expect_request(is_want):
        act(over.white, "rematch").click()
    act(over.black, "rematch").click()
    expect(over.black.locator("#ask")).to_contain_text("You have offered")
    held[0].continue_()
    both_are_at_the_new_board(over)


@pytest.mark.long
def test_both_press_at_once_and_one_of_the_answers_is_late(over: BySide[Page]) -> None:
    """White's offer has arrived, but its answer has not come back when black accepts."""
    answers: list[tuple[Route, object]] = []

    def hold(route: Route) -> None:
        if is_want(route.request):
            answers.append((route, route.fetch()))
        else:
            route.continue_()

    over.white.route("**/rematch/", hold)
    act(over.white, "rematch").click()
    # The other hears of it before the answer is here to be kept back.
    while not answers:
        over.white.evaluate("null")
    act(over.black, "accept").click()
    both_are_at_the_new_board(over)


@pytest.mark.long
def test_a_late_answer_does_not_bring_back_an_offer_that_was_declined(over: BySide[Page]) -> None:
    held: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        if is_want(route.request):
            held.append((route, route.fetch()))
        else:
            route.continue_()

    over.white.route("**/rematch/", hold)
    act(over.white, "rematch").click()
    while not held:
        over.white.evaluate("null")
    act(over.black, "decline").click()
    declined = expect(over.white.locator("#ask"))
    declined.to_contain_text("does not want a rematch now.")
    [(route, answer)] = held
    route.fulfill(response=answer)
    # The panel is free again as soon as the answer has been read.
    expect(act(over.white, "rematch")).to_be_visible()
    declined.to_contain_text("does not want a rematch now.")


@pytest.mark.long
def test_a_match_that_had_a_rematch_can_still_be_seen(site: str, page: Page) -> None:
    ada, bo = account("Ada Okafor"), account("Bo Lindqvist")
    now = timezone.now()
    old = played(ada.player, bo.player, now)
    challenges.request_rematch(match=old, player=bo.player, now=now)
    new = challenges.request_rematch(match=old, player=ada.player, now=now).match
    # Ada has been at its board already.
    at(new, now).give(Side.BLACK, commands.Promise(words="here I am"), shares={})
    come(page, site, ada, old)
    link = page.get_by_role("link", name="Rematch")
    expect(link).to_have_attribute("href", f"/matches/{new.key}/")
    expect(page.locator("[data-panel=replay]")).to_be_visible()
    link.click()
    page.wait_for_url(f"**/matches/{new.key}/")
    page.go_back()
    expect(link).to_be_visible()
    assert old.key in page.url
