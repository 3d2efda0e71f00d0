"""Unsent input at the desk: it survives updates of the page, and the row shows the changes."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone
from playwright.sync_api import APIResponse, Locator, Page, Route, expect

from players.clubs import clubs
from players.models import Role, User
from tests.browser.eyes import faults
from tests.browser.people import account, listening, overflow, snap, wear
from tests.browser.test_desk_by_keyboard import drawn
from tests.runtime.support import until
from tournaments.models import Pairing, Tournament
from tournaments.play import corrections, helper_links, results

SELECTION = "field => [field.selectionStart, field.selectionEnd]"


def open_desk(page: Page, site: str, players: int) -> tuple[User, Tournament]:
    """Open the desk of a knock-out."""
    ada, event = drawn(players)
    wear(page, site, ada)
    page.goto(f"{event.get_absolute_url()}desk/")
    listening(page)
    return ada, event


def row(page: Page, key: str) -> Locator:
    return page.locator(f".match--desk:has([name=match][value='{key}'])")


@pytest.mark.long
def test_news_during_a_reload_are_followed_by_another_reload(site: str, page: Page) -> None:
    ada, event = open_desk(page, site, 8)
    page.evaluate("document.querySelector('#desk-live').addEventListener('live', () => console.log('asked'))")
    held: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        held.append((route, route.fetch()))
        enter(event, ada, "main/1.4", (7, 0))

    page.route(re.compile(r"/desk/\?state="), hold, times=1)
    asked: list[str] = []
    with page.expect_event(
        "console", lambda message: asked.append(message.text) or asked.count("asked") == 2
    ):
        enter(event, ada, "main/1.3", (7, 0))
    [(route, answer)] = held
    route.fulfill(response=answer)
    expect(row(page, "main/1.3")).to_have_count(0)
    expect(row(page, "main/1.4")).to_have_count(0)


def another_director(event: Tournament) -> User:
    """Return a person who directs the event, too."""
    bo = account("Bo Lindqvist")
    clubs.admit(club=event.club, player=bo.player, role=Role.DIRECTOR, now=timezone.now())
    return bo


def enter(event: Tournament, by: User, key: str, score: tuple[int, int]) -> None:
    results.enter_result(tournament_id=event.pk, key=key, score=score, by=by, now=timezone.now())


@pytest.mark.long
def test_what_is_typed_survives_the_result_of_another_row(site: str, page: Page) -> None:
    ada, event = open_desk(page, site, 8)
    first, second, third, fourth = (
        row(page, f"main/1.{number}").locator("input[name=score]") for number in range(1, 5)
    )
    first.fill("5 2")
    second.fill("7 3")
    second.press("Enter")
    expect(page.locator("#desk-said")).to_contain_text("7–3 is entered.")  # noqa: RUF001
    expect(second).to_have_count(0)
    expect(first).to_have_value("5 2")
    expect(third).to_be_focused()

    # The cursor stays where it is in the word, and what was folded away stays so.
    page.locator("details.acts > summary").click()
    first.click()
    # By keys, because the news of the first result may replace the field between two calls of a handle.
    for key in ("Home", "ArrowRight", "Shift+ArrowRight"):
        page.keyboard.press(key)
    enter(event, ada, "main/1.4", (7, 0))
    expect(fourth).to_have_count(0)
    expect(first).to_have_value("5 2")
    expect(first).to_be_focused()
    assert first.evaluate(SELECTION) == [1, 2]
    expect(page.locator("details.acts")).not_to_have_attribute("open", "")

    # An answer does not take the cursor from where one types on.
    third.fill("7 1")

    def type_meanwhile(route: Route) -> None:
        first.fill("7 2")
        route.continue_()

    page.route("**/desk/result/", type_meanwhile, times=1)
    third.press("Enter")
    expect(third).to_have_count(0)
    expect(first).to_be_focused()
    expect(first).to_have_value("7 2")
    first.press("Enter")
    expect(page.locator("#desk-said")).to_contain_text("7–2 is entered.")  # noqa: RUF001


@pytest.mark.long
def test_another_director_was_faster(site: str, page: Page) -> None:
    _ada, event = open_desk(page, site, 8)
    bo = another_director(event)
    # No stream: the page does not know yet.
    page.route("**/live/**", lambda route: route.abort())
    page.reload()
    field = row(page, "main/1.3").locator("input[name=score]")
    field.fill("7 2")
    enter(event, bo, "main/1.3", (3, 7))
    match = Pairing.objects.select_related("a__player", "b__player").get(tournament=event, key="main/1.3")

    field.press("Enter")

    why = row(page, "main/1.3").get_by_role("alert")
    expect(why).to_contain_text(f"{match.a.player.public_name} 3 – 7 {match.b.player.public_name}")  # noqa: RUF001
    expect(why).to_contain_text("Entered by Bo Lindqvist. Not entered, from this page: 7 2.")
    expect(why).to_be_in_viewport()
    expect(field).to_be_focused()
    expect(field).to_have_value("7 2")
    expect(page.locator("main > .callout--danger")).to_have_count(0)
    assert faults(page) == []
    assert overflow(page) <= 0
    snap(page, "desk-faster")
    # Another result leaves it there.
    other = row(page, "main/1.1").locator("input[name=score]")
    other.fill("7 0")
    other.press("Enter")
    expect(other).to_have_count(0)
    expect(why).to_contain_text("Entered by Bo Lindqvist")
    expect(field).to_have_value("7 2")

    field.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Correct the result")
    expect(page.get_by_label("Score")).to_have_value("7 2")


@pytest.mark.long
def test_another_director_enters_a_result_while_one_types(site: str, page: Page) -> None:
    _ada, event = open_desk(page, site, 8)
    bo = another_director(event)
    field = row(page, "main/1.3").locator("input[name=score]")
    field.press_sequentially("7 ")
    enter(event, bo, "main/1.3", (3, 7))

    why = row(page, "main/1.3").get_by_role("alert")
    expect(why).to_contain_text("Entered by Bo Lindqvist. Not entered, from this page: 7.")
    expect(field).to_be_focused()
    page.keyboard.type("2")
    expect(field).to_have_value("7 2")
    row(page, "main/1.3").get_by_role("link", name="Leave it").click()
    expect(row(page, "main/1.3")).to_have_count(0)

    # The two of a match are others by now.
    enter(event, bo, "main/1.4", (7, 5))
    final = row(page, "main/2.2").locator("input[name=score]")
    final.fill("7 6")
    corrections.correct_result(
        tournament_id=event.pk, by=bo, now=timezone.now(), key="main/1.4", score=(5, 7), reason="Turned round"
    )
    expect(row(page, "main/2.2").get_by_role("alert")).to_contain_text("This match is now")
    expect(final).to_have_value("7 6")
    assert Pairing.objects.get(tournament=event, key="main/2.2").state == "ready"


@pytest.mark.long
def test_what_a_helper_types_is_not_entered_for_others(site: str, page: Page) -> None:
    ada, event = drawn(4)
    token = helper_links.create_link(tournament_id=event.pk, name="Anna", by=ada, now=timezone.now())
    page.goto(f"/helping/{token}/")
    page.get_by_role("button", name="Help in this browser").click()
    listening(page)
    first, second = (f"#{each.get_attribute('id')}" for each in page.get_by_label("Score of").all())
    page.locator(first).fill("7 1")
    page.locator(second).fill("7 2")
    enter(event, ada, "main/1.1", (7, 5))
    # The match is over: what was typed is said.
    expect(page.locator(".toast--error")).to_contain_text("you typed 7 1.")
    expect(page.locator(second)).to_have_value("7 2")
    enter(event, ada, "main/1.2", (7, 5))
    final = page.locator(".list__row:has([name=match][value='main/2.1'])").get_by_label("Score of")
    expect(final).to_have_count(1)
    final.fill("7 6")
    with page.expect_event("console", lambda message: message.text == "exchanged"):
        page.evaluate("document.addEventListener('htmx:afterSwap', () => console.log('exchanged'))")
        corrections.correct_result(
            tournament_id=event.pk, by=ada, now=timezone.now(), key="main/1.1", score=(5, 7), reason="Turned"
        )
    expect(final).to_have_value("7 6")
    final.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("This match is now")
    expect(page.get_by_label("Score of")).to_have_value("7 6")
    assert Pairing.objects.get(tournament=event, key="main/2.1").state == "ready"


@pytest.mark.long
def test_what_could_not_be_sent_is_marked_and_sent_by_one_press(site: str, page: Page) -> None:
    ada, event = open_desk(page, site, 8)
    first, second, third = (
        row(page, f"main/1.{number}").locator("input[name=score]") for number in range(1, 4)
    )
    first.fill("7 1")
    page.context.set_offline(True)
    # It is said before the first try.
    notice = page.locator("#desk-unsent")
    expect(notice).to_contain_text("No connection")
    expect(row(page, "main/1.1").get_by_text("not sent")).to_be_visible()
    second.fill("7 2")
    second.press("Enter")
    expect(row(page, "main/1.2").get_by_text("not sent")).to_be_visible()
    # The notice and the mark say it; a toast would cover other rows.
    expect(page.locator(".toast--error")).to_have_count(0)
    third.fill("3 7")
    expect(notice.get_by_role("button")).to_have_text("Send all (3)")
    assert faults(page) == []
    assert overflow(page) <= 0
    snap(page, "desk-not-sent")

    page.context.set_offline(False)
    expect(notice.get_by_text("No connection")).to_be_hidden()
    expect(notice.get_by_text("The connection is back.")).to_be_visible()
    expect(row(page, "main/1.1").get_by_text("not sent")).to_be_visible()
    # One of them arrived, and its answer did not.
    enter(event, ada, "main/1.2", (7, 2))
    expect(row(page, "main/1.2").get_by_role("alert")).to_be_visible()
    notice.get_by_role("button", name="Send all (2)").click()

    expect(notice).to_be_hidden()
    decided = Pairing.objects.filter(tournament=event, state="decided").order_by("key")
    assert [(each.score_a, each.score_b) for each in decided] == [(7, 1), (7, 2), (3, 7)]


@pytest.mark.long
def test_rows_far_apart_are_sent_without_leaving_the_page(site: str, page: Page) -> None:
    _ada, event = open_desk(page, site, 8)
    first, fourth = (row(page, f"main/1.{number}").locator("input[name=score]") for number in (1, 4))
    page.context.set_offline(True)
    first.fill("7 1")
    fourth.fill("7 4")
    notice = page.locator("#desk-unsent")
    expect(notice.get_by_role("button")).to_have_text("Send all (2)")
    page.context.set_offline(False)
    expect(notice.get_by_text("No connection")).to_be_hidden()
    # A field that only this page has: it is lost if the browser itself sends a form.
    page.evaluate("document.body.dataset.same = 'yes'")

    notice.get_by_role("button").click()

    expect(notice).to_be_hidden()
    decided = Pairing.objects.filter(tournament=event, state="decided").order_by("key")
    assert [(each.score_a, each.score_b) for each in decided] == [(7, 1), (7, 4)]
    assert page.evaluate("document.body.dataset.same") == "yes"


def test_what_could_not_be_sent_is_marked_after_a_reload(site: str, page: Page) -> None:
    open_desk(page, site, 8)
    first, second = (row(page, f"main/1.{number}").locator("input[name=score]") for number in (1, 2))
    page.route("**/desk/result/", lambda route: route.abort())
    first.fill("7 1")
    first.press("Enter")
    expect(row(page, "main/1.1").get_by_text("not sent")).to_be_visible()
    second.fill("7 2")

    page.reload()

    expect(first).to_have_value("7 1")
    expect(row(page, "main/1.1").get_by_text("not sent")).to_be_visible()
    expect(page.locator("#desk-unsent").get_by_role("button")).to_have_text("Send all (1)")
    # This one was never sent.
    expect(second).to_have_value("7 2")
    expect(row(page, "main/1.2").get_by_text("not sent")).to_have_count(0)


def open_as_helper(page: Page) -> tuple[Tournament, Locator, Locator]:
    """Open the helpers' page of a knock-out of four; return the event and the fields of its two scores."""
    ada, event = drawn(4)
    token = helper_links.create_link(tournament_id=event.pk, name="Anna", by=ada, now=timezone.now())
    page.set_viewport_size({"width": 375, "height": 740})
    page.goto(f"/helping/{token}/")
    page.get_by_role("button", name="Help in this browser").click()
    listening(page)
    first, second = (
        page.locator(f".list__row:has([name=match][value='main/1.{number}'])").get_by_label("Score of")
        for number in (1, 2)
    )
    return event, first, second


def test_news_of_a_result_wait_for_its_answer(site: str, page: Page) -> None:
    event, first, second = open_as_helper(page)
    first.fill("7 1")
    held: list[tuple[Route, APIResponse]] = []
    page.route("**/helping/result/", lambda route: held.append((route, route.fetch())), times=1)
    with page.expect_response(lambda response: response.url.endswith("/helping/")) as news:
        first.press("Enter")
    news.value.finished()
    # The page may have the news before this test has the answer; each evaluation lets Playwright run the handler.
    [(route, answer)] = until(lambda: page.evaluate("true") and held)

    route.fulfill(response=answer)

    expect(page.get_by_text("7\N{EN DASH}1 is entered.").first).to_be_visible()
    expect(page.get_by_text("This field is no longer on the page.")).to_have_count(0)
    expect(first).to_have_count(0)
    second.fill("3 7")
    second.press("Enter")
    expect(page.get_by_text("No match is open.").or_(page.get_by_label("Score of"))).to_be_visible()
    expect(second).to_have_count(0)
    decided = Pairing.objects.filter(tournament=event, state="decided").order_by("key")
    assert [(each.score_a, each.score_b) for each in decided] == [(7, 1), (3, 7)]


def test_a_helper_sends_all_that_could_not_be_sent(site: str, page: Page) -> None:
    event, first, second = open_as_helper(page)
    page.context.set_offline(True)
    notice = page.locator("#desk-unsent")
    expect(notice).to_contain_text("No connection")
    first.fill("7 1")
    first.press("Enter")
    second.fill("3 7")
    expect(page.get_by_text("not sent", exact=True)).to_have_count(2)
    expect(page.locator(".live-status")).to_be_hidden()
    assert faults(page) == []
    assert overflow(page) <= 0
    snap(page, "helper-not-sent")
    page.context.set_offline(False)
    expect(notice.get_by_text("No connection")).to_be_hidden()
    notice.get_by_role("button", name="Send all (2)").click()

    # The message goes by itself after some seconds: it comes with the first answer.
    expect(page.get_by_text("3\N{EN DASH}7 is entered.").first).to_be_visible()
    expect(notice).to_be_hidden()
    decided = Pairing.objects.filter(tournament=event, state="decided").order_by("key")
    assert [(each.score_a, each.score_b) for each in decided] == [(7, 1), (3, 7)]


@pytest.mark.long
def test_what_is_typed_survives_a_reload(site: str, page: Page) -> None:
    ada, event = open_desk(page, site, 8)
    first, second = (row(page, f"main/1.{number}").locator("input[name=score]") for number in (1, 2))
    first.fill("7 1")
    second.fill("7 2")
    page.route("**/live/**", lambda route: route.abort())
    enter(event, ada, "main/1.2", (2, 7))

    page.reload()

    expect(first).to_have_value("7 1")
    expect(row(page, "main/1.2").get_by_role("alert")).to_contain_text("Not entered, from this page: 7 2.")
    expect(second).to_have_value("7 2")
