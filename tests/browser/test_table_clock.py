"""The clock of a score sheet on phones: tapped, paused, seen on the other phone, kept without network and over a reload."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from engine.clock import MINUTE, SECOND, DelayMethod, TimeControl
from records.models import SheetAct
from records.sheets import stored_sheets
from records.sheets.sheet import SheetState, Tap
from records.sheets.table_clock import TableClock
from tests.browser.eyes import faults
from tests.browser.people import PHONE, overflow, snap, wear
from tests.browser.test_sheet_at_the_table import MATCH, game, keeping, names
from tests.records.sheets.test_table_clock import timed, walk
from tests.tournaments.pages.test_pages_player import Two


@pytest.fixture
def two(two: Two) -> Two:
    """Two who play with a clock: ten minutes each, and half of it back for a point."""
    return timed(two, flag_points=1)


def half(page: Page, side: str) -> Locator:
    return page.locator(f"[data-face={side}] button")


def clock(two: Two) -> TableClock:
    found = stored_sheets.load_state(two.match(), stored_sheets.find_sheet(two.match())).clock
    assert found
    return found


@pytest.mark.long
def test_each_taps_their_side_and_the_other_phone_sees_it(
    site: str, another: Callable[..., Page], two: Two
) -> None:
    a, b = names(two)
    phone = keeping(another(**PHONE), two, site, 0)
    other = keeping(another(**PHONE), two, site, 1)
    assert overflow(phone) == 0
    half(phone, "a").click()
    expect(half(other, "a")).to_have_class("clock-half clock-half--a is-running has-turn")
    expect(half(other, "b")).to_be_disabled()
    half(other, "a").click()
    expect(half(phone, "b")).to_contain_text("Tap to end your turn")
    snap(phone, "clock-running")
    assert faults(phone) == []

    phone.get_by_role("button", name="Pause the clock").click()
    expect(other.get_by_role("button", name="Let the clock run on")).to_be_visible()
    expect(half(other, "b")).to_be_disabled()
    other.get_by_role("button", name="Let the clock run on").click()
    expect(half(phone, "b")).to_be_enabled()
    game(phone, b, "Gammon")

    expect(other.locator(".sheet__won small")).to_have_text("10:00 \N{EN DASH} 10:00")
    expect(half(other, "a")).to_contain_text(f"{a} begins")
    snap(other, "clock-between-games")


@pytest.mark.long
def test_what_is_tapped_without_network_keeps_its_times(
    site: str, another: Callable[..., Page], two: Two
) -> None:
    phone = keeping(another(**PHONE), two, site, 0)
    phone.context.set_offline(True)
    half(phone, "a").click()
    for side in "abab":
        half(phone, side).click()
    # The last one was a mistake: it is taken back, and tapped again.
    phone.get_by_role("button", name="Take the last tap back").click()
    expect(phone.get_by_role("button", name="Take the last tap back")).to_be_hidden()
    half(phone, "b").click()
    expect(phone.locator("[data-waiting]")).to_have_text("7 not sent yet")
    assert not SheetAct.objects.exists()
    online = phone.evaluate("Date.now()")
    phone.context.set_offline(False)
    expect(phone.locator("[data-waiting]")).to_be_hidden()
    phone.reload()
    expect(half(phone, "a")).to_be_enabled()

    taps = list(SheetAct.objects.order_by("seq").values_list("tap", flat=True))
    assert [(tap["do"], tap.get("side", "")) for tap in taps] == [
        ("start", "a"),
        *(("press", side) for side in "abab"),
        ("take-back", ""),
        ("press", "b"),
    ]
    times = [tap["at"] for tap in taps]
    assert times == sorted(times)
    assert times[-1] <= online


def test_a_flag_is_shown_and_half_the_time_given_back(
    site: str, another: Callable[..., Page], two: Two
) -> None:
    a, _b = names(two)
    row = two.match()
    kept = stored_sheets.find_sheet(row)
    assert kept is None
    phone = keeping(another(**PHONE), two, site, 0)
    half(phone, "a").click()
    expect(phone.locator("[data-waiting]")).to_be_hidden()
    act = SheetAct.objects.get()
    SheetAct.objects.filter(pk=act.pk).update(tap=act.tap | {"at": act.tap["at"] - 11 * MINUTE})
    phone.reload()

    expect(phone.locator("[data-flag]")).to_contain_text(f"{a} has run out of time.")
    expect(half(phone, "a")).to_be_disabled()
    snap(phone, "clock-flag")
    assert faults(phone) == []
    phone.get_by_role("button", name="Give half the time back and go on").click()
    expect(phone.locator("[data-flag]")).to_be_hidden()
    expect(half(phone, "a")).to_be_enabled()
    expect(phone.locator("[data-waiting]")).to_be_hidden()
    assert clock(two).clock.reserve.white == 5 * MINUTE


def test_the_same_tap_from_two_phones_is_no_quarrel(
    site: str, another: Callable[..., Page], two: Two
) -> None:
    phone = keeping(another(**PHONE), two, site, 0)
    other = keeping(another(**PHONE), two, site, 1)
    other.context.set_offline(True)
    half(other, "a").click()
    expect(other.locator("[data-waiting]")).to_be_visible()
    half(phone, "a").click()
    expect(half(phone, "a")).to_contain_text("Tap to end your turn")
    expect(phone.locator("[data-waiting]")).to_be_hidden()

    other.context.set_offline(False)

    expect(other.locator("[data-waiting]")).to_be_hidden()
    expect(half(other, "a")).to_contain_text("Tap to end your turn")
    expect(other.locator("[data-problem]")).to_be_hidden()
    assert SheetAct.objects.count() == 1


def test_what_was_tapped_behind_the_same_tap_is_sent_too(
    site: str, another: Callable[..., Page], two: Two
) -> None:
    _a, b = names(two)
    phone = keeping(another(**PHONE), two, site, 0)
    other = keeping(another(**PHONE), two, site, 1)
    other.context.set_offline(True)
    half(other, "a").click()
    half(other, "a").click()
    game(other, b, "Gammon")
    expect(other.locator("[data-waiting]")).to_have_text("3 not sent yet")
    half(phone, "a").click()
    expect(half(phone, "a")).to_contain_text("Tap to end your turn")
    expect(phone.locator("[data-waiting]")).to_be_hidden()

    other.context.set_offline(False)

    expect(other.locator("[data-waiting]")).to_be_hidden()
    expect(phone.locator('[data-points="b"]')).to_have_text("2")
    expect(other.locator("[data-problem]")).to_be_hidden()
    assert list(SheetAct.objects.order_by("seq").values_list("tap__do", flat=True)) == [
        "start",
        "press",
        "game",
    ]


def test_on_its_side_a_phone_shows_a_refusal_and_halves_that_stay_as_they_are(
    site: str, another: Callable[..., Page], two: Two
) -> None:
    screen = {"viewport": {"width": 667, "height": 375}, "has_touch": True, "is_mobile": True}
    phone = keeping(another(**screen, color_scheme="dark"), two, site, 0)
    other = keeping(another(**PHONE), two, site, 1)
    before = half(phone, "a").bounding_box()
    phone.context.set_offline(True)
    half(phone, "a").click()
    expect(phone.locator("[data-waiting]")).to_be_in_viewport(ratio=1)
    assert before
    running = half(phone, "a").bounding_box()
    assert running
    assert running["height"] == before["height"]
    half(other, "b").click()
    expect(other.locator("[data-waiting]")).to_be_hidden()

    phone.context.set_offline(False)

    expect(phone.locator("[data-problem]")).to_contain_text("tapped on another phone")
    expect(phone.locator("[data-problem]")).to_be_in_viewport(ratio=1)
    expect(phone.get_by_role("button", name="Pause the clock")).to_be_in_viewport(ratio=1)
    assert overflow(phone) == 0
    assert faults(phone) == []
    snap(phone, "clock-landscape-refused", full=False)


@pytest.mark.parametrize(
    ("width", "height", "theme"), [(320, 568, "dark"), (667, 320, "light"), (375, 812, "dark")]
)
def test_the_clock_fits_every_phone(
    site: str, another: Callable[..., Page], two: Two, width: int, height: int, theme: str
) -> None:
    screen = {"viewport": {"width": width, "height": height}, "has_touch": True, "is_mobile": True}
    phone = keeping(another(**screen, color_scheme=theme), two, site, 0)
    half(phone, "b").click()
    expect(half(phone, "b")).to_be_enabled()
    assert overflow(phone) == 0
    assert faults(phone) == []
    snap(phone, f"clock-{width}-{theme}", full=False)


def test_the_clock_of_the_phone_is_that_of_the_server(table: Page) -> None:
    said = [
        Tap("start", 1, side="a", at=1_000),
        Tap("press", 2, side="a", at=16_000),
        Tap("press", 3, side="b", at=12_000),
        Tap("pause", 4, at=40_000),
        Tap("resume", 5, at=90_000),
        Tap("press", 6, side="a", at=95_000),
        Tap("game", 1, "b", "gammon", at=130_000),
        Tap("undo", 1, at=135_000),
        Tap("resume", 7, at=140_000),
        Tap("press", 8, side="b", at=150_000),
        Tap("press", 9, side="a", at=600_000),
        Tap("renew", 9, side="a", at=600_000),
        Tap("press", 10, side="a", at=630_000),
        Tap("take-back", 11, at=633_000),
        Tap("take-back", 12, at=634_000),
        Tap("press", 12, side="a", at=636_000),
        Tap("pause", 13, at=637_000),
        Tap("take-back", 14, at=639_000),
        Tap("press", 15, side="b", at=639_500),
        Tap("game", 1, "a", at=640_000),
    ]
    controls = [
        TimeControl(timing, 2 * MINUTE, 0 if timing is DelayMethod.PLAIN else 12 * SECOND)
        for timing in DelayMethod
    ]
    starts = [SheetState(7, clock=TableClock.set(control, MINUTE)) for control in controls]
    wanted = []
    for start in starts:
        state = walk(start, said)[-1]
        assert state.clock
        assert state.games
        wanted.append(state.clock.to_json())
    found = table.evaluate(
        """async ([starts, said]) => {
          const { after } = await import("/static/js/sheet/rules.js");
          const sheet = { length: 7, begun: [0, 0], cube: true, crawford: true, jacoby: false, games: [],
            ends: ["drop", "single", "gammon", "backgammon"] };
          return starts.map((clock) => said.reduce((now, tap) => {
            const number = ["game", "undo"].includes(tap.do)
              ? now.games.length + (tap.do === "game" ? 1 : 0) : now.clock.taps + 1;
            return after(now, { ...tap, number }) ?? now;
          }, { ...sheet, clock }).clock);
        }""",
        [
            [start.clock.to_json() for start in starts if start.clock],
            [tap.to_json() | {"at": tap.at} for tap in said],
        ],
    )
    assert found == wanted


@pytest.mark.long
def test_a_match_is_adjourned_on_one_phone_and_resumed_on_the_other(
    site: str, another: Callable[..., Page], two: Two
) -> None:
    a, b = names(two)
    phone = keeping(another(**PHONE), two, site, 0)
    other = keeping(another(**PHONE, color_scheme="dark"), two, site, 1)
    game(phone, b, "Gammon")
    expect(other.locator('[data-points="b"]')).to_have_text("2")
    half(phone, "a").click()
    expect(half(other, "a")).to_be_enabled()
    phone.get_by_text("Adjourn the match").click()
    field = phone.get_by_label("Position (XGID)")
    field.fill("XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:0:2:0:5:10")
    phone.get_by_role("button", name="Adjourn", exact=True).click()
    # The page shows the refusal above the next button, and keeps the pasted text.
    expect(phone.get_by_role("alert")).to_contain_text("the score sheet 0\N{EN DASH}2 in a match to 5")
    expect(phone.locator(".toast--error")).to_have_count(0)
    expect(phone.get_by_label("Position (XGID)")).to_have_value(re.compile("^XGID="))
    snap(phone, "sheet-adjourn-refused")
    phone.get_by_label("Position (XGID)").fill("XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:2:0:0:5:10")
    phone.get_by_role("button", name="Adjourn", exact=True).click()

    expect(other.locator("svg.mini")).to_be_visible()
    expect(other.get_by_text(f"{a} is to roll or double")).to_be_visible()
    expect(other.locator("[data-form]")).to_be_hidden()
    expect(half(other, "a")).to_be_disabled()
    assert overflow(other) == 0
    assert faults(other) == []
    snap(other, "sheet-adjourned")
    phone.goto(f"/clubs/{two.desk.event.club.slug}/")
    expect(phone.get_by_role("heading", name="Adjourned matches")).to_be_visible()
    expect(phone.locator("#club-events").get_by_text("is on roll")).to_be_visible()
    assert (overflow(phone), faults(phone)) == (0, [])
    phone.get_by_role("heading", name="Adjourned matches").scroll_into_view_if_needed()
    snap(phone, "club-adjourned")
    phone.set_viewport_size({"width": 1280, "height": 900})
    snap(phone, "club-adjourned-1280")

    # A page without a script has not heard that they play on: it is notified, and the way on is free.
    late = another(**PHONE, java_script_enabled=False)
    sits = two.match().a
    assert sits.player.user
    wear(late, site, sits.player.user)
    late.goto(f"/events/{two.key}/sheet/{MATCH}/")
    other.get_by_role("button", name="Resume the match").click()
    expect(other.locator("[data-form]")).to_be_visible()
    late.get_by_role("button", name="Resume the match").click()
    expect(late.get_by_role("alert")).to_contain_text("This match is not adjourned.")
    expect(late.locator("[data-form]")).to_be_visible()
    expect(late.locator(".toast--error")).to_have_count(0)
    snap(late, "sheet-resume-refused")
    expect(other.get_by_role("button", name="Let the clock run on")).to_be_visible()
