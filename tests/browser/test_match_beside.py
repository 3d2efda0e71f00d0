"""The panels beside and below the board of a match: names, no empty column, current chances."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.utils import timezone
from playwright.sync_api import FloatRect, Locator, Page, expect

from engine.rules import Rules
from matches.journal import lifecycle
from matches.journal.journal import RequestIdentity
from matches.models import Match
from matches.models.matches import State
from matches.play import directing
from matches.state.rulings import SetScore
from matches.state.terms import Terms
from rankings.chances import chances
from rankings.ledger import reach
from tests.browser.eyes import faults
from tests.browser.people import listening, overflow, snap
from tests.browser.test_lobby_alive import table_of
from tests.matches.support import Table
from tests.tournaments.desk.test_typed_scores import KEY, begin
from tests.tournaments.event_desk import Desk
from tournaments.models import Pairing

SIZES = {"desk": (1280, 800), "phone": (375, 812)}
ACTIONS = 40
# Is an element what is seen at its own middle?
IS_SEEN = """(element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""


def played() -> Table:
    """A match with a list of moves that is longer than its frame."""
    table = table_of("Ann Lund", "Ben Osei")
    table.begin()
    for _ in range(ACTIONS):
        if table.row.status != State.LIVE:
            break
        table.now = timezone.now()
        table.act()
    return table


def box(found: Locator) -> FloatRect:
    rect = found.bounding_box()
    assert rect is not None
    return rect


def come(page: Page, table: Table) -> None:
    page.goto(f"/matches/{table.match.key}/")
    listening(page)
    expect(page.locator("#moves .moves__words").nth(8)).to_be_attached()
    page.wait_for_load_state("load")


@pytest.mark.long
@pytest.mark.parametrize("name", SIZES)
def test_the_two_names_stay_over_the_moves(site: str, page: Page, name: str) -> None:
    table = played()
    width, height = SIZES[name]
    page.set_viewport_size({"width": width, "height": height})
    come(page, table)
    listed = page.locator("#moves")
    assert listed.evaluate("list => list.scrollTop > 0 && list.scrollHeight > list.clientHeight")
    head = listed.locator("thead").last
    # The page scrolls, the list does not.
    listed.evaluate("list => list.scrollIntoView({ block: 'center' })")
    for title in head.locator("th:not(:first-child)").all():
        assert title.evaluate(IS_SEEN), "nothing lies over it"
    slider = box(page.locator(".match__walk"))
    assert box(head)["y"] >= slider["y"] + slider["height"] - 1
    # Anyone who goes back step by step sees each move, none of them under the names.
    for _ in range(12):
        page.locator("[data-step=back]").click()
    current = listed.locator("[aria-current]")
    current.scroll_into_view_if_needed()
    assert current.evaluate(IS_SEEN)
    snap(page, f"moves-{name}")


@pytest.mark.long
def test_what_belongs_to_the_board_fills_both_columns(site: str, page: Page) -> None:
    table = played()
    page.set_viewport_size({"width": 1280, "height": 800})
    come(page, table)
    board, moves, more = (
        box(page.locator(where)) for where in (".match__board", ".match__moves", ".match__side--more")
    )
    assert abs(moves["y"] + moves["height"] - board["y"] - board["height"]) <= 1, "they end together"
    assert more["x"] == board["x"]
    assert more["y"] - board["y"] - board["height"] < 40
    cards = [box(each) for each in page.locator(".match__side--more > .card").all()]
    assert len({round(each["y"]) for each in cards}) == 1, "side by side"
    assert overflow(page) <= 0
    assert faults(page) == []


def test_chances_follow_the_score_of_an_open_page(
    site: str, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A list that may predict in public.
    club_list = SimpleNamespace(club=SimpleNamespace(slug="here"), key="main")
    monkeypatch.setattr(chances, "_list_predicting_lists", lambda *_row, **_options: [club_list])
    monkeypatch.setattr(chances, "compute_list_chance", lambda *_row, **_options: 0.6)
    monkeypatch.setattr(reach, "format_list_name", lambda *_list: "Here")
    desk = Desk(timezone.now())
    begin(desk)
    row = desk.row(KEY)
    board = lifecycle.create(
        white=row.a.player, black=row.b.player, terms=Terms(Rules(5)), club=desk.club, now=desk.now
    )
    Pairing.objects.filter(pk=row.pk).update(match=board)
    page.goto(f"/matches/{board.key}/")
    listening(page)
    shown = page.locator("#chances")
    expect(shown).to_contain_text("Winning chances, by rating")
    expect(shown).not_to_contain_text("At ")
    page.wait_for_function("() => window.htmx")
    for white, black in ((2, 0), (2, 1)):
        directing.rule(
            match_id=board.pk,
            user=desk.director,
            ruling=SetScore(white, black),
            reason="as seen",
            after=Match.objects.get(pk=board.pk).head,
            now=timezone.now(),
            request=RequestIdentity("desk", f"{white}-{black}", ""),
        )
        expect(shown).to_contain_text(f"At {white}–{black}.")  # noqa: RUF001
        expect(shown).to_contain_text("Winning chances, by rating and score")
    page.set_viewport_size({"width": 1280, "height": 800})
    snap(page, "chances")
