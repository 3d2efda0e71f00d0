"""Updates that arrive while the user works on the page.

Typed text is not lost, the focus is restored, and failed updates are requested again.
"""

from __future__ import annotations

import re

from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from players.models import User
from tests.browser.people import listening, wear
from tests.browser.test_desk_by_keyboard import drawn
from tournaments.models import Pairing, Tournament
from tournaments.play import results

TOLD = """() => {
  window.answers = [];
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (detail.elt.id === "desk-live") window.answers.push(detail.xhr.status);
  });
}"""


def enter_another(event: Tournament, by: User, number: int) -> None:
    """Enter the result of a match further down the page."""
    rows = Pairing.objects.filter(tournament=event, state="ready", opened_at__isnull=False)
    key = rows.order_by("-position")[number].key
    results.enter_result(tournament_id=event.pk, key=key, score=(7, 6), by=by, now=timezone.now())


def test_a_refused_score_stays_while_one_looks_elsewhere(site: str, page: Page) -> None:
    ada, event = drawn(16)
    wear(page, site, ada)
    page.goto(f"{event.get_absolute_url()}desk/")
    listening(page)
    page.evaluate(TOLD)
    field = page.locator(".match__entry input[name=score]").first
    field.fill("9 9")
    field.press("Enter")
    expect(page.locator("#wrong-score")).to_be_visible()
    wrong = page.locator(".match__entry [aria-invalid]")
    wrong.blur()

    enter_another(event, ada, 0)

    page.wait_for_function("() => window.answers.length")
    expect(page.locator("#wrong-score")).to_be_visible()
    expect(wrong).to_have_value("9 9")
    # Mended it is entered; emptied it holds nothing back.
    wrong.fill("")
    wrong.blur()
    enter_another(event, ada, 0)
    left = Pairing.objects.filter(tournament=event, state="ready", opened_at__isnull=False).count()
    expect(page.locator(".match__entry input[name=score]")).to_have_count(left)
    expect(page.locator("#wrong-score")).to_have_count(0)


def test_news_that_could_not_be_had_are_asked_for_again(site: str, page: Page) -> None:
    ada, event = drawn(8)
    wear(page, site, ada)
    page.goto(f"{event.get_absolute_url()}desk/")
    listening(page)
    page.evaluate(TOLD)
    fields = page.locator(".match__entry input[name=score]")
    expect(fields).to_have_count(4)
    failures = iter((503, 0))

    def fail(route: Route) -> None:
        status = next(failures, None)
        if status is None:
            route.continue_()
        elif status:
            route.fulfill(status=status, body="starting")
        else:
            route.abort()

    page.route("**/desk/*state=*", fail)
    enter_another(event, ada, 0)
    expect(fields).to_have_count(3)
    assert page.evaluate("window.answers")[:3] == [503, 0, 200]


def test_the_focus_comes_back_although_what_opened_the_dialog_was_exchanged(site: str, page: Page) -> None:
    page.goto("/styleguide/")
    opener = page.locator("[data-dialog]").first
    opener.focus()
    page.keyboard.press("Enter")
    dialog = page.locator("dialog[open]")
    expect(dialog).to_be_visible()
    opener.evaluate("each => each.replaceWith(each.cloneNode(true))")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.locator("[data-dialog]").first).to_be_focused()


def test_news_that_come_while_the_page_is_still_loading_are_shown(site: str, page: Page) -> None:
    ada, event = drawn(8)
    wear(page, site, ada)
    held: list[Route] = []
    page.route(re.compile(r"/rows\.([^/]+\.)?js$"), lambda route: held.append(route))
    page.add_init_script(
        "document.addEventListener('live', () => (document.documentElement.dataset.told = 'yes'))"
    )
    page.goto(f"{event.get_absolute_url()}desk/", wait_until="commit")
    # The stream is open before the last of the page's modules has come.
    expect(page.locator("html[data-stream=on]")).to_be_attached()
    expect(page.locator(".match__entry input[name=score]")).to_have_count(4)

    enter_another(event, ada, 0)

    # htmx receives the message before it has set up the part that has to be updated.
    expect(page.locator("html[data-told=yes]")).to_be_attached()
    assert held
    for route in held:
        route.continue_()
    expect(page.locator(".match__entry input[name=score]")).to_have_count(3)
