"""A whole evening at the desk in one browser, with all the news of it: what the page shows is true, and the console stays empty."""

from __future__ import annotations

import pytest
from django.utils import timezone
from playwright.sync_api import ConsoleMessage, Page, expect

from tests.browser.people import listening, wear
from tests.browser.test_desk_by_keyboard import drawn
from tournaments.models import Pairing
from tournaments.play import results
from venue.models import CallMode
from venue.rooms import room_settings, rooms

# What the browser itself writes: of the worker that tests keep out, of the slip, and of a field it need not focus.
EXPECTED = (
    "warning: Service Worker registration blocked",
    "error: Failed to load resource",
    "info: Autofocus",
)


@pytest.mark.long
def test_an_evening_at_the_desk_leaves_the_console_empty(site: str, page: Page) -> None:
    said: list[str] = []

    def note(message: ConsoleMessage) -> None:
        said.append(f"{message.type}: {message.text}")

    page.on("console", note)
    ada, event = drawn(8)
    now = timezone.now()
    room = rooms.open_room(club=event.club, by=ada, name="Lamp Room", labels="1-4", now=now)
    room_settings.set_room(event=event, room=room, mode=CallMode.AUTOMATIC, by=ada, now=now)
    wear(page, site, ada)
    page.goto(f"{event.get_absolute_url()}desk/")
    listening(page)
    fields = page.locator(".match__entry input[name=score]")
    expect(fields).to_have_count(4)
    expect(page.locator("#ending")).to_be_visible()
    expect(page.locator("main .kicker")).to_contain_text("Running")
    # A script may give a part of the page a style, as extensions of browsers do; htmx must not write it as an attribute.
    page.evaluate("document.querySelector('#desk-needs').style.color = 'inherit'")
    # By hand, with a slip that is mended and taken back, and by another director.
    fields.first.fill("9 9")
    fields.first.press("Enter")
    expect(page.locator("#wrong-score")).to_be_visible()
    fields.first.fill("7 2")
    fields.first.press("Enter")
    expect(fields).to_have_count(3)
    page.get_by_role("button", name="Take it back").click()
    expect(fields).to_have_count(4)
    while rows := list(Pairing.objects.filter(tournament=event, state="ready", opened_at__isnull=False)):
        results.enter_result(
            tournament_id=event.pk, key=rows[-1].key, score=(7, 3), by=ada, now=timezone.now()
        )
        expect(page.locator(f".match__entry [name=match][value='{rows[-1].key}']")).to_have_count(0)
        if rows[:-1]:
            row = page.locator(f".match__entry:has([name=match][value='{rows[0].key}']) input[name=score]")
            row.fill("4 7")
            row.press("Enter")
            expect(page.locator(f".match__entry [name=match][value='{rows[0].key}']")).to_have_count(0)

    # The heading above the matches says that the event is over.
    expect(page.get_by_role("heading", name="The last match is in: the event is over")).to_be_visible()
    expect(page.locator("main .kicker")).not_to_contain_text("Running")
    expect(page.locator("#ending")).to_be_hidden()
    assert [line for line in said if not line.startswith(EXPECTED)] == []
