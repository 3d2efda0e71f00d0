"""A player follows their evening on one page: it changes by itself, and one button says what to do next."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.eyes import faults
from tests.browser.people import PHONE, listening, overflow, snap, wear
from tests.browser.test_calls import begin
from tournaments.models import Pairing
from tournaments.play import results
from venue.calls import table_filling
from venue.player import call_answers

pytestmark = pytest.mark.long


def test_a_page_that_is_open_goes_from_the_queue_to_the_table_to_the_score_sheet(
    site: str, another: Callable[..., Page]
) -> None:
    dora, ada, bo, event, room = begin()
    page = another(**PHONE)
    wear(page, site, ada)
    page.goto("/")
    page.get_by_role("link", name="My next match").click()
    expect(page.get_by_role("heading", name="My matches")).to_be_visible()
    listening(page)
    main = page.locator("#me")
    expect(main.get_by_text("You are waiting for a table; your match is next.")).to_be_visible()
    snap(page, "me-waiting")

    made = table_filling.call_next(room=room, by=dora, now=timezone.now())
    card = page.locator("dialog.called")
    expect(card.get_by_role("heading", name="Table 4")).to_be_visible()
    card.get_by_role("button", name="Close").click()
    expect(main.get_by_text(re.compile("You are called: Table 4"))).to_be_visible()
    call_answers.acknowledge_call(uid=made.uid, by=bo, now=timezone.now())
    expect(main.get_by_text("Your opponent is on the way.")).to_be_visible()
    snap(page, "me-called")
    assert overflow(page) == 0
    assert faults(page) == []

    main.get_by_role("button", name="I am at the table").click()
    keep = page.locator("#me").get_by_role("link", name="Keep the score")
    expect(keep).to_be_visible()
    snap(page, "me-here")
    keep.click()
    expect(page).to_have_url(re.compile(reverse("records:sheet", args=[event.key, "main/1.1"])))


def test_what_the_opponent_reports_asks_for_an_answer_on_a_desk_too(site: str, page: Page) -> None:
    _dora, ada, bo, event, _room = begin()
    wear(page, site, ada)
    page.goto("/me/")
    listening(page)
    expect(page.get_by_role("heading", name="against Bo Lindqvist")).to_be_visible()
    snap(page, "me-desk")
    row = Pairing.objects.get(tournament=event, key="main/1.1")
    # What the loser says would stand at once.
    score = (5, 2) if row.a is not None and row.a.player == bo.player else (2, 5)
    results.report_result(tournament_id=event.pk, key=row.key, user=bo, score=score, now=timezone.now())
    expect(page.get_by_role("link", name="Answer the report")).to_be_visible()
    assert faults(page) == []
