"""A person leaves a board without a clock: the page counts down, and the other claims what was agreed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from engine.game import Termination
from engine.side import BySide, Side
from matches.journal import journal
from matches.models import Match
from tests.browser.boards import act, come, match_of
from tests.browser.eyes import faults
from tests.browser.people import PHONE, account, overflow, snap

Others = Callable[..., Page]

# The message is shown for only six seconds, so each text is recorded as it appears.
WATCH = """() => {
  const box = document.querySelector("#away");
  window.told = [];
  new MutationObserver(() => told.push([box.innerText, box.querySelector("button").hidden])).observe(
    box, {attributes: true, childList: true, characterData: true, subtree: true});
}"""


@pytest.mark.long
@pytest.mark.parametrize("screen", [{}, PHONE], ids=["wide", "phone"])
def test_absence_is_counted_down_and_claimed(site: str, another: Others, screen: dict[str, Any]) -> None:
    people = BySide(account("Ada Okafor"), account("Bo Lindqvist"))
    row = match_of(people.white, people.black, length=3, leave=6_000)
    pages = BySide(another(**screen), another(**screen))
    for side in Side:
        come(pages[side], site, people[side], row)
    for side in Side:
        act(pages[side], "ready").click()
    for page in pages:
        expect(page.locator("#panel")).to_be_hidden()
    gone = journal.load(Match.objects.get(pk=row.pk)).owing[0]
    stays = pages[gone.other]
    expect(stays.locator("#away")).to_be_hidden()

    stays.evaluate(WATCH)
    pages[gone].close()

    away = stays.locator("#away")
    expect(away).to_be_visible(timeout=20_000)
    assert overflow(stays) == 0
    snap(stays, f"away-counts-{len(screen)}", full=False)
    button = away.get_by_role("button", name="Claim the win")
    expect(button).to_be_visible(timeout=20_000)
    counted = [is_hidden for words, is_hidden in stays.evaluate("told") if "is away. In 0:0" in words]
    assert counted
    assert all(counted)
    assert faults(stays) == []
    snap(stays, f"away-claim-{len(screen)}", full=False)
    button.click()
    expect(stays.locator("#ask")).to_contain_text("Time ran out. You won the match")
    expect(away).to_be_hidden()
    outcome = journal.load(Match.objects.get(pk=row.pk)).match.outcome
    assert (outcome.winner, outcome.how) == (gone.other, Termination.FLAG)
