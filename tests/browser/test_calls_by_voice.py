"""A screen says each call once, in the club's language, and requests a tap where its browser demands one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from players.models import Club
from tests.browser.people import listening, snap
from tests.browser.test_wall import TELEVISION, called, hung
from tests.tournaments.event_desk import Desk, a_plan
from venue.calls import calling
from venue.models import Assignment, Show

VOICE = """
  window.said = [];
  window.mayspeak = true;
  const fake = { speak(utterance) {
    if (window.mayspeak) window.said.push([utterance.lang, utterance.text]);
    else utterance.dispatchEvent(Object.assign(new Event("error"), { error: "not-allowed" }));
  } };
  Object.defineProperty(window, "speechSynthesis", { value: fake });
"""
SILENT = VOICE.replace("mayspeak = true", "mayspeak = false")


def read_spoken(wall: Page, count: int) -> list[list[str]]:
    wall.wait_for_function("(count) => window.said.length >= count", arg=count)
    found: Any = wall.evaluate("window.said")
    return [list(each) for each in found]


def in_words(word: str, joined: str) -> set[str]:
    """The expected spoken sentence for every open call."""
    found = set()
    for each in Assignment.objects.filter(ended_at=None).select_related(
        "table", "pairing__a__player", "pairing__b__player"
    ):
        one, other = each.pairing.a, each.pairing.b
        found.add(f"{word} {each.table}: {one.player.public_name} {joined} {other.player.public_name}")
    return found


@pytest.mark.long
@pytest.mark.parametrize(("language", "word", "joined"), [("en", "Table", "and"), ("de", "Tisch", "und")])
def test_each_call_is_said_once_in_the_language_of_the_club(
    site: str, another: Callable[..., Page], desk: Desk, language: str, word: str, joined: str
) -> None:
    Club.objects.update(language=language)
    desk.club.refresh_from_db()
    desk.start(a_plan("single-elimination"), 8)
    wall, quiet = another(**TELEVISION), another(**TELEVISION)
    for each in (wall, quiet):
        each.add_init_script(VOICE)
    hung(wall, site, desk, "Hall", Show.CALLS, Show.STANDINGS, speaks=True)
    hung(quiet, site, desk, "Bar", Show.CALLS, Show.STANDINGS)
    for each in (wall, quiet):
        expect(each.locator(".order__row").first).to_be_visible()

    called(desk)

    heard = read_spoken(wall, 4)
    assert {words for _, words in heard} == in_words(word, joined)
    assert {spoken for spoken, _ in heard} == {language}
    # A call is shown at once, over every other view of the screen.
    expect(wall.locator(".calls__row").first).to_be_visible()
    # Not again after loading, though the calls still stand there.
    wall.reload()
    listening(wall)
    expect(wall.locator(".calls__row").first).to_be_visible()
    assert wall.evaluate("window.said") == []
    # A match that is called again is a new call.
    again = Assignment.objects.filter(ended_at=None).first()
    now = timezone.now() + timedelta(seconds=2)
    calling.withdraw_call(assignment=again, by=desk.director, now=now)
    assert again.table is not None
    calling.call(table=again.table, event=desk.event, key=again.pairing.key, by=desk.director, now=now)
    assert len(read_spoken(wall, 1)) == 1
    assert quiet.evaluate("window.said") == []


def test_a_browser_that_may_not_speak_yet_asks_for_a_tap_and_then_says_it(
    site: str, another: Callable[..., Page], desk: Desk
) -> None:
    desk.start(a_plan("single-elimination"), 8)
    wall = another(**TELEVISION)
    wall.add_init_script(SILENT)
    hung(wall, site, desk, "Hall", Show.CALLS, speaks=True)
    called(desk)
    expect(wall.locator("#mute")).to_be_visible()
    snap(wall, "wall-mute", full=False)
    wall.evaluate("window.mayspeak = true")
    wall.mouse.click(50, 50)
    assert len(read_spoken(wall, 4)) == 4
    expect(wall.locator("#mute")).to_be_hidden()
