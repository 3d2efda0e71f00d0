"""A score sheet on phones: seen on the bracket while it is kept, kept without network, confirmed on the other phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from records.models import SheetAct
from tests.browser.eyes import faults
from tests.browser.people import PHONE, in_turn, listening, overflow, snap, wear
from tests.tournaments.pages.test_pages_player import Two
from tournaments.models import PairingState
from tournaments.play import event_control

MATCH = "main/1.1"


def names(two: Two) -> tuple[str, str]:
    row = two.match()
    return row.a.player.name.split()[1], row.b.player.name.split()[1]


def keeping(page: Page, two: Two, site: str, side: int) -> Page:
    """Open the sheet for who sits there."""
    row = two.match()
    entry = (row.a, row.b)[side]
    assert entry
    assert entry.player.user
    wear(page, site, entry.player.user)
    page.goto(f"/events/{two.key}/sheet/{MATCH}/")
    listening(page)
    return page


def game(page: Page, winner: str, end: str = "Single", cube: str = "1") -> None:
    page.get_by_label(winner, exact=True).check()
    if end != "Single":
        page.get_by_label(end, exact=True).check()
    if cube != "1":
        page.get_by_label(cube, exact=True).check()
    page.locator("[data-write]").click()


@pytest.mark.long
def test_a_sheet_is_kept_seen_and_confirmed(
    site: str, page: Page, another: Callable[..., Page], two: Two
) -> None:
    a, b = names(two)
    phone = keeping(another(**PHONE), two, site, 0)
    other = keeping(another(**PHONE), two, site, 1)
    wall = page
    wall.goto(f"/events/{two.key}/bracket/")
    listening(wall)
    assert overflow(phone) == 0
    assert faults(phone) == []

    game(phone, a, "Gammon", "2")

    expect(phone.locator("[data-game]")).to_contain_text("Crawford")
    expect(other.locator('[data-points="a"]')).to_have_text("4")
    expect(wall.get_by_text("4", exact=True).first).to_be_visible()
    # There is no doubling in the Crawford game.
    expect(phone.get_by_label("Double dropped", exact=True)).to_be_disabled()
    expect(phone.get_by_label("2", exact=True)).to_have_count(0)
    game(other, b)
    expect(phone.locator('[data-points="b"]')).to_have_text("1")
    snap(phone, "sheet-running")
    game(phone, a)

    expect(phone.locator("[data-said]")).to_contain_text("to confirm it")
    other.goto(f"/events/{two.key}/")
    other.get_by_role("button", name="Confirm").click()
    expect(phone.locator("[data-said]")).to_have_text("The result stands.")
    assert two.match().state == PairingState.DECIDED


@pytest.mark.long
def test_taps_without_network_arrive_once_and_in_order(
    site: str, another: Callable[..., Page], two: Two
) -> None:
    a, b = names(two)
    phone = keeping(another(**PHONE), two, site, 0)
    phone.context.set_offline(True)
    for _ in range(5):
        game(phone, a)
        game(phone, b, "Gammon")
        phone.get_by_role("button", name="Undo").click()
        phone.get_by_role("button", name="Undo").click()
    expect(phone.locator("[data-waiting]")).to_have_text("20 not sent yet")
    game(phone, b)
    assert not SheetAct.objects.exists()

    phone.context.set_offline(False)

    expect(phone.locator("[data-waiting]")).to_be_hidden()
    expect(phone.locator('[data-points="b"]')).to_have_text("1")
    said = list(SheetAct.objects.order_by("seq").values_list("tap__do", "tap__winner"))
    assert said == [("game", "a"), ("game", "b"), ("undo", None), ("undo", None)] * 5 + [("game", "b")]


@pytest.mark.long
def test_taps_from_before_a_pause_arrive_after_it(site: str, another: Callable[..., Page], two: Two) -> None:
    a, b = names(two)
    phone = keeping(another(**PHONE), two, site, 0)
    phone.context.set_offline(True)
    game(phone, a)
    game(phone, b)
    two.desk.do(event_control.pause_event)

    phone.context.set_offline(False)

    expect(phone.locator("[data-problem]")).to_have_text("The event is paused.")
    expect(phone.locator("[data-waiting]")).to_have_text("2 not sent yet")
    two.desk.do(event_control.resume_event)
    expect(phone.locator("[data-waiting]")).to_be_hidden()
    expect(phone.locator("[data-problem]")).to_be_hidden()
    assert list(SheetAct.objects.order_by("seq").values_list("tap__winner", flat=True)) == ["a", "b"]


def hold_first(page: Page, method: str) -> list[tuple[Route, APIResponse]]:
    """Keep back the first answer to what the sheet asks or says by itself."""
    held: list[tuple[Route, APIResponse]] = []

    def hold(route: Route) -> None:
        if not held and route.request.method == method:
            held.append((route, route.fetch()))
        else:
            route.continue_()

    page.route("**/sheet/**", hold)
    return held


def test_an_answer_that_was_overtaken_does_not_bring_back_what_was(
    site: str, page: Page, another: Callable[..., Page], two: Two
) -> None:
    _a, b = names(two)
    phone, other = keeping(page, two, site, 0), keeping(another(), two, site, 1)
    held = hold_first(phone, "GET")
    game(other, b)
    while not held:
        phone.evaluate("null")
    game(other, b)
    expect(phone.locator('[data-points="b"]')).to_have_text("2")

    [(route, answer)] = held
    with phone.expect_event("requestfinished", lambda request: request == route.request):
        route.fulfill(response=answer)
    phone.evaluate("() => new Promise(requestAnimationFrame)")
    expect(phone.locator('[data-points="b"]')).to_have_text("2")


def test_what_happens_while_a_tap_is_on_its_way_is_seen_after_it(
    site: str, page: Page, another: Callable[..., Page], two: Two
) -> None:
    a, b = names(two)
    phone, other = keeping(page, two, site, 0), keeping(another(), two, site, 1)
    held = hold_first(phone, "POST")
    game(phone, a)
    while not held:
        phone.evaluate("null")
    expect(other.locator('[data-points="a"]')).to_have_text("1")
    phone.evaluate(
        "document.addEventListener('live:event', () => document.documentElement.classList.add('has-heard'))"
    )
    game(other, b)
    expect(phone.locator("html.has-heard")).to_be_attached()

    [(route, answer)] = held
    route.fulfill(response=answer)
    expect(phone.locator('[data-points="b"]')).to_have_text("1")
    expect(phone.locator('[data-points="a"]')).to_have_text("1")


def test_a_game_kept_without_network_is_not_written_for_others(site: str, page: Page, two: Two) -> None:
    a, b = names(two)
    wear(page, site, two.desk.director)
    page.goto(f"/events/{two.key}/sheet/{MATCH}/")
    listening(page)
    page.context.set_offline(True)
    game(page, a)
    row = two.match()
    row.a, row.b = row.b, row.a
    row.save()

    page.context.set_offline(False)

    expect(page.locator("[data-problem]")).to_contain_text("changed in the meantime")
    expect(page.locator("[data-write]")).to_be_hidden()
    assert not SheetAct.objects.exists()
    page.reload()
    expect(page.locator(".sheet__name").first).to_have_text(b)
    expect(page.locator("[data-waiting]")).to_be_hidden()


def test_a_sheet_without_taps_follows_to_the_new_players(site: str, page: Page, two: Two) -> None:
    _a, b = names(two)
    wear(page, site, two.desk.director)
    page.goto(f"/events/{two.key}/sheet/{MATCH}/")
    listening(page)
    row = two.match()
    row.a, row.b = row.b, row.a
    row.save()
    two.desk.do(event_control.pause_event)

    expect(page.locator(".sheet__name").first).to_have_text(b)


@pytest.mark.parametrize(("width", "height", "theme"), in_turn([(320, 568), (375, 812), (667, 320)]))
def test_the_sheet_fits_every_phone(
    site: str, another: Callable[..., Page], two: Two, theme: str, width: int, height: int
) -> None:
    scheme = {"color_scheme": theme}
    screen = {"viewport": {"width": width, "height": height}, "has_touch": True, "is_mobile": True}
    phone = keeping(another(**screen, **scheme), two, site, 0)
    game(phone, names(two)[1], "Gammon")
    expect(phone.locator('[data-points="b"]')).to_have_text("2")
    phone.get_by_label(names(two)[0], exact=True).check()

    assert overflow(phone) == 0
    assert faults(phone) == []
    snap(phone, f"sheet-{width}-{theme}", full=False)


def test_the_rules_of_the_phone_are_those_of_the_server(table: Page) -> None:
    from draw.rules_of_play import RulesOfPlay
    from records.sheets.sheet import SIDES, SheetState
    from tournaments.base import scores

    plays = [RulesOfPlay(), RulesOfPlay(jacoby=True), RulesOfPlay(crawford=False), RulesOfPlay(cube=False)]
    wanted = {
        f"{length} {a} {b} {side} {end} {play.cube} {scores.has_crawford(play)} {play.jacoby}".lower(): list(
            SheetState(length, (a, b), play).cubes(side, end)
        )
        for length in (1, 3, 5, 7, 13)
        for a in range(length)
        for b in range(length)
        for side in SIDES
        for end in scores.ENDS
        for play in plays
    }
    found = table.evaluate(
        """async (asked) => {
          const { cubes } = await import("/static/js/sheet/rules.js");
          const ends = ["single", "gammon", "backgammon", "drop"];
          return Object.fromEntries(asked.map((said) => {
            const [length, a, b, side, end, ...play] = said.split(" ");
            const [cube, crawford, jacoby] = play.map((each) => each === "true");
            const sheet = { cube, crawford, jacoby, games: [], length: +length, begun: [+a, +b] };
            sheet.ends = cube ? ends : ends.slice(0, -1);
            return [said, cubes(sheet, side, end)];
          }));
        }""",
        list(wanted),
    )
    assert found == wanted


def test_the_phone_knows_the_crawford_game_as_the_server_does(table: Page) -> None:
    from itertools import product

    from records.sheets.sheet import SheetState
    from tournaments.base.scores import Game

    starts = (None, (0, 0), (1, 0))
    states = [
        SheetState(
            5, (1, 0), games=tuple(Game(*said, begun=begun) for said, begun in zip(games, at, strict=True))
        )
        for games in product([("a", 1), ("a", 2), ("b", 1), ("b", 2, 2)], repeat=3)
        for at in product(starts, repeat=3)
    ]
    found = table.evaluate(
        """async (sheets) => {
          const { isCrawford } = await import("/static/js/sheet/rules.js");
          return sheets.map(isCrawford);
        }""",
        [
            {
                "length": state.length,
                "begun": state.begun,
                "crawford": True,
                "games": [game.to_json() | {"begun": game.begun} for game in state.games],
            }
            for state in states
        ],
    )
    assert found == [state.is_crawford for state in states]
    assert len(set(found)) == 2
