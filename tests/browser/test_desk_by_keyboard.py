"""The desk by keyboard alone: one result after the other, and the page stays where it is."""

from __future__ import annotations

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from players.keys import new_key
from players.models import User
from tests.browser.eyes import faults
from tests.browser.people import account, club_of, overflow, snap, wear
from tests.browser.slow import Kept
from tournaments.base.settings import Settings
from tournaments.models import Pairing, Tournament
from tournaments.plan import drawing, setup
from tournaments.plan.templates import Plan, StagePlan
from tournaments.play import corrections, directing

# Request the desk as the news do, and wait until the answer is dealt with.
NEWS = """() => new Promise(done => {
  document.addEventListener("htmx:afterRequest", function watch({ detail }) {
    if (detail.elt.id !== "desk-live") return;
    document.removeEventListener("htmx:afterRequest", watch);
    requestAnimationFrame(done);
  });
  window.htmx.trigger("#desk-live", "live");
})"""


def drawn(players: int, settings: Settings | None = None) -> tuple[User, Tournament]:
    """A director, and their drawn knock-out of this many guests."""
    ada = account("Ada Okafor")
    now = timezone.now()
    event = setup.announce(
        club=club_of(ada),
        by=ada,
        key=new_key(),
        details=setup.Details(name="Thursday", starts_at=now, match_length=7),
        now=now,
        plan=Plan(
            stages=(StagePlan(format="single-elimination"),), settings=settings or Settings(), match_length=7
        ),
    )
    who = {"tournament_id": event.pk, "by": ada, "now": now}
    directing.admit_named(**who, names=[f"Guest {number:02}" for number in range(1, players + 1)])
    drawing.publish(**who)
    return ada, event


@pytest.mark.long
def test_five_results_by_keyboard_alone(site: str, page: Page) -> None:
    ada, event = drawn(64)
    wear(page, site, ada)
    page.goto(f"{event.get_absolute_url()}desk/")
    page.evaluate("window.stays = true")
    fields = page.locator(".match__entry input[name=score]")
    expect(fields).to_have_count(32)
    assert fields.first.get_attribute("placeholder") == "–"  # noqa: RUF001
    fields.nth(20).focus()
    scroll = page.evaluate("scrollY")
    assert scroll > 0, "the list is longer than the screen"

    for turn in range(5):
        focused = page.locator("input[name=score]:focus")
        match = focused.locator("xpath=..").locator("[name=match]").input_value()
        page.keyboard.type(f"7 {turn}")
        page.keyboard.press("Enter")
        row = page.locator(f".match__entry [name=match][value='{match}']")
        expect(row).to_have_count(0)
        expect(page.locator("input[name=score]:focus")).to_have_value("")
        expect(page.locator("#desk-said")).to_contain_text(f"7–{turn} is entered.")  # noqa: RUF001
        if turn == 1:
            snap(page, "desk-next")
    assert Pairing.objects.filter(tournament=event, state="decided").count() == 5
    assert page.evaluate("window.stays"), "the page was never made anew"
    assert abs(page.evaluate("scrollY") - scroll) < 200, "the next match stands where the last one stood"

    # What is wrong stays where it was typed.
    page.keyboard.type("9 9")
    page.keyboard.press("Enter")
    expect(page.locator("#wrong-score")).to_be_visible()
    expect(page.locator("input[name=score]:focus")).to_have_value("9 9")

    assert faults(page) == []
    assert overflow(page) <= 0
    snap(page, "desk-wrong")


@pytest.mark.long
def test_enter_in_any_row_is_sent_by_htmx_at_once_after_a_swap(site: str, page: Page) -> None:
    ada, event = drawn(8)
    wear(page, site, ada)
    page.goto(f"{event.get_absolute_url()}desk/")
    # htmx by itself processes what it has swapped in a minute later.
    page.evaluate("window.stays = window.htmx.config.defaultSettleDelay = 60_000")
    fields = page.locator(".match__entry input[name=score]")
    fields.first.fill("7 0")
    page.keyboard.press("Enter")
    expect(page.locator("#desk-said")).to_contain_text("7–0 is entered.")  # noqa: RUF001
    fields.last.fill("7 1")
    fields.last.press("Enter")
    expect(page.locator("#desk-said")).to_contain_text("7–1 is entered.")  # noqa: RUF001
    assert page.evaluate("window.stays"), "the form was sent by htmx"


@pytest.mark.long
def test_two_directors_at_one_final(site: str, page: Page) -> None:
    ada, event = drawn(4)
    wear(page, site, ada)
    page.goto(f"{event.get_absolute_url()}desk/")
    field = page.locator(".match__entry input[name=score]")
    for left in (2, 1):
        expect(field).to_have_count(left)
        field.first.fill("7 0")
        page.keyboard.press("Enter")
        expect(page.locator("#desk-said")).to_contain_text("is entered")
        expect(page.locator("input[name=score]:focus")).to_have_value("")
    expect(field).to_have_count(1)
    field.fill("7 5")
    who = {"tournament_id": event.pk, "by": ada, "now": timezone.now()}
    corrections.correct_result(**who, key="main/1.1", score=(0, 7), reason="The wrong way round")
    final = Pairing.objects.select_related("a__player").get(tournament=event, key="main/2.1")

    field.press("Enter")

    expect(page.locator("#wrong-score")).to_contain_text(f"This match is now {final.a.player.public_name}")
    expect(field).to_have_value("7 5")
    snap(page, "desk-changed")
    final.refresh_from_db()
    assert final.state == "ready"
    field.press("Enter")
    expect(page.locator("#desk-said")).to_contain_text("is entered")


def test_news_from_before_a_result_do_not_take_it_back(site: str, page: Page) -> None:
    ada, event = drawn(4)
    wear(page, site, ada)
    page.goto(f"{event.get_absolute_url()}desk/")
    fields = page.locator(".match__entry input[name=score]")
    expect(fields).to_have_count(2)
    # The answer to the news is made before the result is entered, and comes after it.
    news = Kept(page, "**/desk/*state=")
    page.evaluate("window.htmx.trigger('#desk-live', 'live')")
    news.wait()
    fields.first.fill("7 0")
    page.keyboard.press("Enter")
    expect(page.locator("#desk-said")).to_contain_text("7–0 is entered.")  # noqa: RUF001
    expect(fields).to_have_count(1)

    page.evaluate(
        """() => {
          window.open = [];
          window.answers = 0;
          const open = () => document.querySelectorAll(".match__entry input[name=score]").length;
          document.addEventListener("htmx:oobAfterSwap", () => window.open.push(open()));
          // Other parts of the desk follow the news too.
          document.getElementById("desk-live")
            .addEventListener("htmx:afterRequest", ({ detail }) => { window.answers += detail.elt.id === "desk-live"; });
        }"""
    )
    news.let_through()
    # It is requested once more.
    page.wait_for_function("() => window.answers >= 2")
    assert set(page.evaluate("window.open")) == {1}
    expect(page.locator("input[name=score]:focus")).to_have_value("")


@pytest.mark.long
def test_who_won_is_one_press_where_no_score_is_needed(site: str, page: Page) -> None:
    ada, event = drawn(4, Settings(scores_needed=False))
    wear(page, site, ada)
    page.goto(f"{event.get_absolute_url()}desk/")

    page.get_by_role("button", name="Guest 01 won").click()

    expect(page.locator("#desk-said")).to_contain_text("Entered: Guest 01 won.")
    field = page.locator("input[name=score]:focus")
    expect(field).to_have_value("")
    page.keyboard.press("Enter")
    expect(page.locator("#wrong-score")).to_be_visible()
    page.evaluate(NEWS)
    expect(page.locator("#wrong-score")).to_be_visible()
    assert Pairing.objects.filter(tournament=event, state="decided").count() == 1, "Enter names nobody"
    page.keyboard.type("7 2")
    page.keyboard.press("Enter")
    expect(page.locator("#desk-said")).to_contain_text("7–2 is entered.")  # noqa: RUF001
    expect(page.get_by_role("button", name="won")).to_have_count(2)

    assert faults(page) == []
    assert overflow(page) <= 0
    snap(page, "desk-won")
