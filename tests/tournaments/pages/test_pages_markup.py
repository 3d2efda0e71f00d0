"""What people are called is text: on no page of an event does a name become markup."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client

from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import url
from tournaments.desk.acts import map_page_acts
from tournaments.plan import drawing
from tournaments.play import directing, results

pytestmark = pytest.mark.today

ROOT = Path(__file__).parents[3]
NAMES = (
    "A<button formaction=/notices/read/>",
    "B<meta http-equiv=refresh content=0>",
    'C"><img src=x onerror=alert(1)>',
    "D'</script><svg onload=alert(1)>",
    "E</title><a href=javascript:alert(1)>",
)
# The beginnings of what the names above would be, if they were markup.
MARKUP = re.compile(
    r"[A-E][\"']?>?(<(button formaction|meta http|img src=x|/script><svg|/title><a href=java))"
)
TABS = (
    "event",
    "bracket",
    "standings",
    "players",
    "schedule",
    "desk",
    "roster",
    "rulings",
    "arrange",
    "draw",
)


@pytest.mark.long
@pytest.mark.parametrize("form", ["consolation", "swiss", "round-robin", "groups", "double-elimination"])
def test_no_name_becomes_markup(desk: Desk, window: Client, form: str) -> None:
    options = {"swiss": {"rounds": 3}, "groups": {"groups": 2}}.get(form, {})
    desk.announce(a_plan(form, **options))
    desk.do(directing.admit_named, names=list(NAMES))
    for page in ("roster", "draw", "event", "players"):
        look(window, url(page, desk.event.key))
    desk.do(drawing.publish)
    row = desk.open()[0]
    desk.do(results.enter_result, key=row.key, score=(5, 1))
    other = desk.open()[0]

    seen = sum(look(window, url(page, desk.event.key)) for page in TABS)
    has_acts = form in {"consolation", "swiss"}
    for key in (row.key, other.key):
        seen += look(window, url("pairing", desk.event.key, key))
        seen += look(window, url("games", desk.event.key, key))
        # The sheets of the acts are the same ones for every format that has lines, and for every other.
        for name in map_page_acts() if has_acts else ():
            seen += look(window, f"{url('act', desk.event.key, name)}?match={key}")
    # The names were there, as text.
    assert seen > (15 if has_acts else 5)


def look(window: Client, address: str) -> bool:
    """Request a page and check its markup. True if it shows the name."""
    answer = window.get(address)
    page = answer.content.decode()
    assert answer.status_code < 500, address
    assert not MARKUP.search(page), address
    return "A&lt;button" in page


def test_no_template_takes_text_for_markup() -> None:
    """What is markup says so where it is made, with the reason (`mark_safe`, ruff's S308)."""
    pattern = re.compile(r"\|\s*safe(seq)?\b|autoescape off")
    found = [path for path in (ROOT / "templates").rglob("*.html") if pattern.search(path.read_text())]
    assert found == []
