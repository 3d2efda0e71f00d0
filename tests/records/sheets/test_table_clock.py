"""The clock of a score sheet: taps with times from two phones, also late or out of order."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.clock import MINUTE, SECOND, DelayMethod, TimeControl
from records.base.errors import ClockMoved, FlagFallen, MatchWon, NoClock, NothingToUndo, NotOffered
from records.models import SheetAct
from records.sheets import sheet, stored_sheets, tap_storage
from records.sheets.clock_words import to_milliseconds
from records.sheets.sheet import GAME, UNDO, SheetState, Tap
from records.sheets.table_clock import PAUSE, PRESS, RENEW, RESUME, START, TAKE_BACK, TableClock
from tests.tournaments.pages.test_pages_player import Two
from tests.tournaments.support import text
from tournaments.models import Pairing
from tournaments.play import event_control

pytestmark = pytest.mark.today

MATCH = "main/1.1"
SIMPLE = TimeControl(DelayMethod.SIMPLE, 2 * MINUTE, 12 * SECOND)
CONTROLS = [
    SIMPLE,
    TimeControl(DelayMethod.PLAIN, 2 * MINUTE),
    TimeControl(DelayMethod.BRONSTEIN, 2 * MINUTE, 12 * SECOND),
    TimeControl(DelayMethod.FISCHER, 2 * MINUTE, 12 * SECOND),
]


@st.composite
def taps(draw: Any, *, count: int = 25) -> list[Tap]:
    """Return acts of which many have no place, at times that also go back."""
    at, number, found = 1_000_000, 1, []
    for _ in range(draw(st.integers(0, count))):
        at += draw(st.integers(-5 * SECOND, 70 * SECOND))
        do = draw(st.sampled_from([START, PRESS, PRESS, PRESS, PAUSE, RESUME, RENEW, TAKE_BACK, GAME, UNDO]))
        number = max(1, number + draw(st.sampled_from([1, 1, 1, 0])))
        found.append(Tap(do, number, "a", "single", 1, draw(st.sampled_from("ab")), at))
    return found


def walk(start: SheetState, said: list[Tap]) -> list[SheetState]:
    """Return the sheet after each of these, those left out that it has no place for."""
    found = [start]
    for tap in said:
        clock = found[-1].clock
        assert clock is not None
        # Most taps name the next place.
        number = clock.taps + 1 if tap.is_of_clock else found[-1].number - (tap.do == UNDO)
        try:
            found.append(sheet.apply_tap(found[-1], replace(tap, number=number)))
        except (ClockMoved, FlagFallen, MatchWon, NothingToUndo, NotOffered):
            continue
    return found


def test_a_tap_that_was_meant_for_another_turn_is_refused() -> None:
    state = SheetState(7, clock=TableClock.set(SIMPLE))
    state = sheet.apply_tap(state, Tap(START, 1, side="a", at=SECOND))

    for number in (1, 3):
        with pytest.raises(ClockMoved):
            sheet.apply_tap(state, Tap(PRESS, number, side="a", at=2 * SECOND))
    assert sheet.apply_tap(state, Tap(PRESS, 2, side="a", at=2 * SECOND)).clock.turn == "b"  # type: ignore[union-attr]


def test_only_a_running_clock_pauses_and_only_a_paused_one_goes_on() -> None:
    stopped = TableClock.set(SIMPLE)
    running = stopped.tap(START, "a", SECOND)
    paused = running.tap(PAUSE, "", 2 * SECOND)

    for clock, do in ((stopped, PAUSE), (stopped, RESUME), (running, RESUME), (paused, PAUSE)):
        with pytest.raises(ClockMoved):
            clock.tap(do, "", 3 * SECOND)
    assert paused.tap(RESUME, "", 3 * SECOND).is_running


@pytest.mark.long
@given(st.sampled_from(CONTROLS), st.sampled_from([0, MINUTE]), taps())
def test_a_clock_balances(control: TimeControl, credit: int, said: list[Tap]) -> None:
    for state in walk(SheetState(7, clock=TableClock.set(control, credit)), said):
        clock = state.clock
        assert len(clock.left) == len(clock.before) == len(state.games)
        assert min(clock.clock.reserve) >= 0
        if control.timing is not DelayMethod.FISCHER:
            assert max(clock.clock.reserve) <= control.reserve
        if state.is_over:
            assert not clock.turn
        assert all(one.since is None for one in clock.before)


@pytest.mark.long
@given(
    st.sampled_from(CONTROLS),
    taps(),
    st.sampled_from([START, PRESS, PAUSE, RESUME, RENEW]),
    st.integers(0, 400),
)
def test_a_tap_that_is_taken_back_was_never_tapped_but_for_the_time_in_between(
    control: TimeControl, said: list[Tap], do: str, later: int
) -> None:
    before = walk(SheetState(7, clock=TableClock.set(control, MINUTE)), said)[-1].clock
    at, then = before.last + 5 * SECOND, before.last + (5 + later) * SECOND
    try:
        tapped = before.tap(do, before.turn or "b", at)
    except (ClockMoved, FlagFallen):
        return

    after = tapped.tap(TAKE_BACK, "", then)

    assert (after.turn, after.is_running, after.taps) == (before.turn, before.is_running, before.taps + 2)
    assert after.clock.reserve == before.clock.reserve
    for passed in (0, 7 * SECOND, 500 * SECOND):
        for side in "ab":
            assert after.shown(side, then + passed) == before.shown(side, at + passed)
        assert after.fallen(then + passed) == before.fallen(at + passed)
    # Only once: the state before that cannot be taken back.
    with pytest.raises(ClockMoved):
        after.tap(TAKE_BACK, "", then)


def test_what_stands_after_a_game_is_taken_back_with_the_game() -> None:
    state = SheetState(7, clock=TableClock.set(SIMPLE))
    for tap in (Tap(START, 1, side="a"), Tap(GAME, 1, "b", at=42 * SECOND)):
        state = sheet.apply_tap(state, tap)

    with pytest.raises(ClockMoved):
        sheet.apply_tap(state, Tap(TAKE_BACK, 2, at=50 * SECOND))
    back = sheet.apply_tap(state, Tap(UNDO, 1, at=50 * SECOND))
    with pytest.raises(ClockMoved):
        sheet.apply_tap(back, Tap(TAKE_BACK, 2, at=60 * SECOND))


def test_a_tap_on_ones_own_side_ends_the_turn() -> None:
    clock = TableClock.set(SIMPLE).tap(START, "a", 0).tap(PRESS, "a", 15 * SECOND)

    assert clock.turn == "b"
    assert clock.shown("a", 15 * SECOND) == (2 * MINUTE - 3 * SECOND, 12 * SECOND)
    assert clock.shown("b", 20 * SECOND) == (2 * MINUTE, 7 * SECOND)
    with pytest.raises(ClockMoved):
        clock.tap(PRESS, "a", 16 * SECOND)


def test_a_game_stops_it_and_its_times_stand() -> None:
    state = SheetState(7, clock=TableClock.set(SIMPLE))
    for tap in (Tap(START, 1, side="a"), Tap(GAME, 1, "b", at=42 * SECOND)):
        state = sheet.apply_tap(state, tap)

    assert state.clock
    assert state.clock.left == ((90 * SECOND, 120 * SECOND),)
    assert not state.clock.turn
    back = sheet.apply_tap(state, Tap(UNDO, 1, at=50 * SECOND)).clock
    assert back
    # The clock shows the times at the end of the game, until the next tap starts it.
    assert (back.turn, back.is_running, back.shown("a", 99 * SECOND)) == ("a", False, (90 * SECOND, 0))


def test_a_flag_that_fell_is_not_pressed_away() -> None:
    clock = TableClock.set(SIMPLE).tap(START, "b", 0)
    late = SIMPLE.allowance(SIMPLE.reserve)

    assert not clock.fallen(late - 1)
    assert clock.fallen(late) == "b"
    with pytest.raises(FlagFallen):
        clock.tap(PRESS, "b", late)
    with pytest.raises(ClockMoved):
        clock.tap(RENEW, "b", late)
    # Nor does pausing raise it again.
    assert clock.tap(PAUSE, "", late).fallen(late) == "b"


def test_where_the_rules_give_time_back_the_turn_goes_on() -> None:
    clock = TableClock.set(SIMPLE, credit=MINUTE).tap(START, "b", 0)
    late = SIMPLE.allowance(SIMPLE.reserve) + 5
    clock = clock.tap(RENEW, "b", late)

    assert (clock.turn, clock.fallen(late), clock.shown("b", late)) == ("b", "", (MINUTE, 12 * SECOND))


def test_a_watch_that_was_put_back_takes_nothing_back() -> None:
    clock = TableClock.set(SIMPLE).tap(START, "a", 20 * SECOND).tap(PRESS, "a", 10 * SECOND)

    assert clock.last == 20 * SECOND
    assert clock.shown("a", 0) == (2 * MINUTE, 12 * SECOND)


def test_without_a_clock_there_is_nothing_to_touch() -> None:
    with pytest.raises(NoClock):
        sheet.apply_tap(SheetState(5), Tap(START, 1, side="a"))


@pytest.fixture
def two(two: Two) -> Two:
    """Otis and Runa, about to play to five with a clock."""
    return timed(two)


def timed(two: Two, **play: object) -> Two:
    """Play with the club's clock: two minutes a point, twelve seconds a turn."""
    row = two.match()
    Pairing.objects.filter(pk=row.pk).update(rules={**row.rules, "play": {"clock": "club", **play}})
    return two


def touch(
    two: Two, do: str, number: int, side: str = "", *, who: int = 0, after: float = 0, **said: Any
) -> Any:
    """Tap the clock so many seconds after the beginning."""
    now = two.desk.now + timedelta(seconds=after)
    at = to_milliseconds(now)
    what = Tap(do, number, side=side, at=said.pop("at", at), winner=said.pop("winner", ""))
    key = said.pop("key", f"{do}-{number}-{side}")
    by = two.users[who]
    return tap_storage.store_tap(
        tournament_id=two.desk.pk, match=MATCH, key=key, what=what, by=by, now=now
    ).clock


def test_a_tap_counts_once_and_from_either_phone(two: Two) -> None:
    for _ in range(3):
        touch(two, START, 1, "a")
    clock = touch(two, PRESS, 2, "a", who=1, after=20)

    assert (clock.turn, clock.taps, SheetAct.objects.count()) == ("b", 2, 2)
    assert clock.clock.reserve.white == 10 * MINUTE - 8 * SECOND
    with pytest.raises(ClockMoved):
        touch(two, PRESS, 2, "a", after=20, key="another-phone")


def test_a_mistaken_tap_is_taken_back_once_however_often_that_is_sent(two: Two) -> None:
    touch(two, START, 1, "a")
    touch(two, PRESS, 2, "a", after=15)
    for _ in range(3):
        clock = touch(two, TAKE_BACK, 3, after=20, who=1)

    assert (clock.turn, clock.is_running, SheetAct.objects.count()) == ("a", True, 3)
    # 15 seconds of the turn had passed; the seconds of the wrong clock count for neither player.
    assert clock.shown("a", clock.last + 2 * SECOND) == (10 * MINUTE - 5 * SECOND, 0)
    address = f"/events/{two.key}/sheet/{MATCH}/"
    assert "data-take-back\n      hidden" in two.browsers[0].get(address).content.decode()
    assert touch(two, PRESS, 4, "a", after=30).turn == "b"


def test_what_was_tapped_without_network_has_the_phones_time(two: Two) -> None:
    touch(two, START, 1, "a")
    begun = to_milliseconds(two.desk.now)
    # It comes a minute later, with the time of the tap.
    clock = touch(two, PRESS, 2, "a", after=60, at=begun + 13 * SECOND)
    assert clock.clock.reserve.white == 10 * MINUTE - SECOND
    # The time of a tap cannot be in the future.
    clock = touch(two, PRESS, 3, "b", after=90, at=begun + 10 * MINUTE)
    assert clock.last == begun + 90 * SECOND


def test_the_clock_does_not_make_public_pages_anew(two: Two) -> None:
    touch(two, START, 1, "a")
    version = two.desk.fresh().version
    touch(two, PRESS, 2, "a", after=5)

    assert two.desk.fresh().version == version


def test_it_may_be_stopped_where_the_event_was(two: Two) -> None:
    touch(two, START, 1, "a")
    two.desk.now += timedelta(seconds=30)
    two.desk.do(event_control.pause_event, reason="Dinner")
    two.desk.now -= timedelta(seconds=30)

    clock = touch(two, PAUSE, 2, after=600)

    # It counts from the director's pause on.
    assert clock.shown("a", clock.last) == (10 * MINUTE - 18 * SECOND, 0)


def test_the_page_of_a_paused_event_can_still_stop_the_clock(two: Two) -> None:
    address = f"/events/{two.key}/sheet/{MATCH}/"
    touch(two, START, 1, "a")
    two.desk.do(event_control.pause_event, reason="Dinner")

    page = two.browsers[0].get(address).content.decode()
    assert "data-stop >" in page
    assert '"mayStop": true' in page
    touch(two, PAUSE, 2, after=1)
    page = two.browsers[0].get(address).content.decode()
    assert "data-stop hidden>" in page
    assert '"mayStop": false' in page


def test_the_sheet_says_what_an_empty_reserve_costs(two: Two) -> None:
    address = f"/events/{two.key}/sheet/{MATCH}/"
    two.desk.now -= timedelta(minutes=30)
    touch(two, START, 1, "a")
    assert "loses the match" in text(two.browsers[0].get(address))

    timed(two, flag_points=1)
    page = two.browsers[0].get(address)
    assert "costs 1 point" in text(page)
    said = {"do": RENEW, "side": "a", "number": "2", "key": "renewed-once"}
    assert two.browsers[0].post(address, said).status_code == 302
    state = stored_sheets.load_state(two.match(), stored_sheets.find_sheet(two.match()))
    assert state.clock
    assert (state.clock.turn, state.clock.clock.reserve.white) == ("a", 5 * MINUTE)


def test_the_clock_works_without_a_script(two: Two) -> None:
    address = f"/events/{two.key}/sheet/{MATCH}/"
    start = {"do": START, "side": "a", "number": "1", "key": "abcdefgh1"}

    assert two.browsers[0].post(address, start).status_code == 302
    assert two.browsers[0].post(address, start).status_code == 302
    assert "Tap to end your turn" in text(two.browsers[1].get(address))
    assert two.browsers[1].post(address, {**start, "key": "abcdefgh2"}).status_code == 409
    press = {"do": PRESS, "number": "2", "key": "abcdefgh3"}
    assert two.browsers[1].post(address, press).status_code == 422


def test_a_correspondence_clock_is_none_for_a_table(two: Two) -> None:
    timed(two, clock="correspondence")

    assert stored_sheets.build_clock(two.match()) is None


def test_a_sheet_goes_on_where_the_clock_is_taken_away(two: Two) -> None:
    touch(timed(two), START, 1, "a")
    touch(two, PRESS, 2, "a", after=20)
    row = two.match()
    Pairing.objects.filter(pk=row.pk).update(rules={**row.rules, "play": {}})

    assert touch(two, GAME, 1, winner="a", after=30) is None

    assert stored_sheets.load_state(two.match(), stored_sheets.find_sheet(two.match())).score == (1, 0)
    assert two.browsers[0].get(f"/events/{two.key}/sheet/{MATCH}/").status_code == 200
    # Given back, it is where the taps have left it.
    timed(two)
    state = stored_sheets.load_state(two.match(), stored_sheets.find_sheet(two.match()))
    assert state.clock
    assert state.score == (1, 0)
