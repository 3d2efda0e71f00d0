"""The clock against the figures of the rule texts, and the two laws no trace may break."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.clock import DAY, MINUTE, PRESETS, SECOND, Clock, DelayMethod, TimeControl, TimeLeft
from engine.errors import IllegalAction, Impossible, Unreadable
from engine.side import BLACK, WHITE, BySide

SIMPLE_5_12 = TimeControl(DelayMethod.SIMPLE, reserve=5 * SECOND, delay=12 * SECOND)


@pytest.mark.parametrize(
    ("preset", "length", "score", "minutes", "delay"),
    [
        ("club", 7, (0, 0), 14, 12),  # DBGV 3.5(v)
        ("club", 11, (0, 0), 22, 12),  # UK Open
        ("us-2013", 11, (0, 0), 22, 12),
        ("us-2013", 11, (6, 3), 13, 12),
        ("us-2013-doubles", 11, (0, 0), 27.5, 18),
        ("us-2013-doubles", 11, (6, 3), 16.25, 18),
        ("unified-2001", 9, (0, 0), 54, 0),
        ("unified-2001", 11, (7, 5), 30, 0),  # 4-away, 6-away
        ("fast", 5, (0, 0), 5, 10),
        ("blitz", 9, (0, 0), 3, 8),
        ("slow", 5, (0, 0), 15, 15),
    ],
)
def test_the_presets_are_the_published_ones(preset, length, score, minutes, delay):
    control = PRESETS[preset].control(length, BySide(*score))
    assert (control.reserve, control.delay) == (minutes * MINUTE, delay * SECOND)


def test_a_clock_by_the_point_needs_a_length_and_a_pool_does_not():
    with pytest.raises(Impossible, match="needs a match with a length"):
        PRESETS["club"].control(0)
    assert PRESETS["correspondence"].control(0) == TimeControl(DelayMethod.SIMPLE, 10 * DAY, 2 * DAY)


@pytest.mark.parametrize(
    ("timing", "seconds"),
    [(DelayMethod.BRONSTEIN, 5), (DelayMethod.SIMPLE, 17), (DelayMethod.FISCHER, 5)],
)
def test_with_5_seconds_left_and_a_delay_of_12_the_flag_falls(timing, seconds):
    clock = Clock.set(TimeControl(timing, 5 * SECOND, 12 * SECOND)).start(WHITE, at=100)
    assert clock.deadline() == 100 + seconds * SECOND
    assert not clock.is_flagged(99 + seconds * SECOND)
    assert clock.is_flagged(100 + seconds * SECOND)
    with pytest.raises(IllegalAction, match="The time of white had run out"):
        clock.press(at=100 + seconds * SECOND)
    assert clock.spend(at=10**9).reserve == BySide(0, 5 * SECOND)


@pytest.mark.parametrize(
    ("timing", "taken", "left"),
    [
        (DelayMethod.PLAIN, 7, 53),
        (DelayMethod.SIMPLE, 7, 60),
        (DelayMethod.SIMPLE, 15, 57),
        (DelayMethod.BRONSTEIN, 7, 60),
        (DelayMethod.BRONSTEIN, 15, 57),
        (DelayMethod.FISCHER, 7, 65),
        (DelayMethod.FISCHER, 15, 57),
    ],
)
def test_a_turn_costs(timing, taken, left):
    control = TimeControl(timing, 60 * SECOND, 0 if timing is DelayMethod.PLAIN else 12 * SECOND)
    clock = Clock.set(control).start(WHITE, at=0).press(at=taken * SECOND)
    assert (clock.reserve, clock.turn) == (BySide(left * SECOND, 60 * SECOND), BLACK)


def test_with_no_reserve_every_turn_has_its_delay():
    clock = Clock.set(TimeControl(DelayMethod.SIMPLE, 0, 10 * SECOND)).start(BLACK, at=0)
    clock = clock.press(at=9_999).press(at=19_998)
    assert clock.reserve == BySide(0, 0)
    assert clock.deadline() == 29_998


@pytest.mark.parametrize(
    ("timing", "shown"),
    [
        (DelayMethod.SIMPLE, TimeLeft(60_000, 7_000)),
        (DelayMethod.BRONSTEIN, TimeLeft(55_000, 0)),
        (DelayMethod.FISCHER, TimeLeft(55_000, 0)),
    ],
)
def test_the_display_shows_reserve_and_delay_apart(timing, shown):
    clock = Clock.set(TimeControl(timing, 60_000, 12_000)).start(WHITE, at=0)
    assert clock.left(WHITE, at=5_000) == shown
    assert clock.left(WHITE, at=10**9) == TimeLeft(0, 0)
    assert clock.left(BLACK, at=10**9).reserve == 60_000


def test_lag_is_not_charged():
    clock = Clock.set(SIMPLE_5_12).start(WHITE, at=0)
    assert clock.is_flagged(17_000)
    assert not clock.is_flagged(17_000, lag=1)
    assert clock.press(at=17_000, lag=500).reserve.white == 500
    assert clock.press(at=200, lag=10**6).reserve.white == 5_000


def test_a_pause_stands_outside_time():
    clock = Clock.set(SIMPLE_5_12).start(WHITE, at=0).pause(at=10_000)
    assert clock.deadline() is None
    assert clock.pause(at=11_000) == clock
    assert not clock.is_flagged(10**9)
    with pytest.raises(IllegalAction, match="paused"):
        clock.press(at=20_000)
    resumed = clock.resume(at=1_000_000)
    assert resumed.resume(at=5) == resumed
    assert resumed.deadline() == 1_007_000
    assert resumed.press(at=1_003_000).reserve.white == 4_000
    # A flag that was down before the pause is down at once after it.
    late = Clock.set(SIMPLE_5_12).start(WHITE, at=0).pause(at=17_000).resume(at=50_000)
    assert late.deadline() == 50_000
    assert late.is_flagged(50_000)


def test_a_clock_that_stands_has_nothing_to_say():
    clock = Clock.set(SIMPLE_5_12)
    assert clock.deadline() is None
    assert not clock.is_flagged(10**12)
    assert clock.pause(at=3) == clock.resume(at=3) == clock.excuse(5) == clock
    assert clock.left(WHITE, at=9) == TimeLeft(5_000, 12_000)
    for act in (clock.press, clock.spend):
        with pytest.raises(IllegalAction, match="No clock is running"):
            act(at=0)
    with pytest.raises(IllegalAction, match="runs already, for black"):
        clock.start(BLACK, at=0).start(WHITE, at=1)


def test_credit_and_excuse_are_somebody_s_act():
    clock = Clock.set(SIMPLE_5_12).start(WHITE, at=0)
    assert clock.credit(BLACK, 2_000).reserve == BySide(5_000, 7_000)
    assert clock.credit(WHITE, 2_000).deadline() == 19_000
    outage = clock.excuse(4_000)
    assert outage.deadline() == 21_000
    assert outage.press(at=20_000).reserve.white == 1_000
    for act in (lambda: clock.credit(WHITE, 0), lambda: clock.excuse(-1)):
        with pytest.raises(Impossible):
            act()


def test_with_nothing_left_the_flag_is_down_as_the_turn_begins():
    clock = Clock(TimeControl(DelayMethod.BRONSTEIN, 5_000, 12_000), BySide(0, 5_000)).start(WHITE, at=100)
    for each in (clock, clock.excuse(3_000)):
        assert each.deadline() == 100
        assert each.is_flagged(100)


def test_a_watch_put_back_gives_nothing_back():
    clock = Clock.set(SIMPLE_5_12).start(WHITE, at=50_000).press(at=20_000)
    assert clock.reserve == BySide(5_000, 5_000)
    assert clock.since == 20_000


@pytest.mark.parametrize("later", [1, 4_000, 10**9])
def test_a_clock_may_start_in_the_future(later):
    clock = Clock.set(SIMPLE_5_12).start(WHITE, at=later)
    assert clock.elapsed(0) == clock.elapsed(later) == 0
    assert clock.deadline() == later + 17_000
    assert clock.left(WHITE, at=0) == TimeLeft(5_000, 12_000)
    assert clock.press(at=0).reserve == clock.press(at=later).reserve == BySide(5_000, 5_000)
    assert clock.press(at=later + 13_000).reserve.white == 4_000


# -- lending --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("timing", "white", "black"),
    [
        # White takes 5 s, asks, takes 10 s more: one turn of 15 s. Black answers in 14 s.
        (DelayMethod.PLAIN, 45, 46),
        (DelayMethod.SIMPLE, 57, 58),
        (DelayMethod.BRONSTEIN, 57, 58),
        (DelayMethod.FISCHER, 57, 46),
    ],
)
def test_a_lent_clock_charges_each_side_for_its_own_time(timing, white, black):
    control = TimeControl(timing, 60 * SECOND, 0 if timing is DelayMethod.PLAIN else 12 * SECOND)
    clock = Clock.set(control).start(WHITE, at=0).lend(at=5_000)
    assert (clock.turn, clock.since, clock.used, clock.lent) == (BLACK, 5_000, 0, 5_000)
    assert clock.reserve == BySide(60_000, 60_000)
    back = clock.give_back(at=19_000)
    assert (back.turn, back.since, back.used, back.lent) == (WHITE, 19_000, 5_000, None)
    assert back.reserve == BySide(60_000, black * SECOND)
    assert back.press(at=29_000).reserve == BySide(white * SECOND, black * SECOND)


def test_the_free_time_of_a_turn_is_not_given_twice():
    clock = Clock.set(SIMPLE_5_12).start(WHITE, at=0)
    for _ in range(3):
        now = clock.since
        clock = clock.lend(at=now + 4_000).give_back(at=now + 4_001)
    assert clock.press(at=clock.since + 1_000).reserve == BySide(4_000, 5_000)


def test_the_lag_of_a_question_is_forgiven_and_never_saved_up():
    clock = Clock.set(SIMPLE_5_12).start(WHITE, at=0).lend(at=5_000, lag=300)
    assert clock.lent == 4_700
    back = clock.give_back(at=20_000, lag=2_000)
    assert back.reserve.black == 4_000
    assert back.press(at=28_000, lag=200).reserve.white == 4_500
    assert Clock.set(SIMPLE_5_12).start(WHITE, at=0).lend(at=100, lag=10**6).lent == 0


def test_while_it_is_lent_everything_concerns_the_side_that_was_asked():
    clock = Clock.set(SIMPLE_5_12).start(WHITE, at=0).lend(at=14_000)
    assert clock.deadline() == 31_000
    assert clock.left(WHITE, at=20_000) == TimeLeft(3_000, 0)
    assert clock.left(BLACK, at=20_000) == TimeLeft(5_000, 6_000)
    assert clock.excuse(1_000).deadline() == 32_000
    assert clock.excuse(1_000).lent == 14_000
    assert clock.credit(WHITE, 7).left(WHITE, at=0).reserve == 3_007
    paused = clock.pause(at=20_000)
    assert (paused.deadline(), paused.lent, paused.used) == (None, 14_000, 6_000)
    assert paused.resume(at=50_000).deadline() == 61_000
    assert clock.is_flagged(31_000)
    assert not clock.is_flagged(30_999)


def test_an_outage_longer_than_the_turn_stays_with_the_turn_that_waits():
    clock = Clock.set(SIMPLE_5_12).start(WHITE, at=0).excuse(3_000).lend(at=1_000, lag=500)
    assert clock.lent == -2_000
    assert clock.left(WHITE, at=1_000) == TimeLeft(5_000, 12_000)
    assert clock.give_back(at=2_000).deadline() == 2_000 + 2_000 + 17_000
    assert clock.spend(at=2_000).reserve == BySide(5_000, 5_000)


@pytest.mark.parametrize(
    ("timing", "reserve"),
    [
        (DelayMethod.PLAIN, BySide(46, 40)),
        (DelayMethod.SIMPLE, BySide(58, 52)),
        (DelayMethod.BRONSTEIN, BySide(58, 52)),
        (DelayMethod.FISCHER, BySide(58, 40)),
    ],
)
def test_a_lent_clock_that_stops_settles_both_turns(timing, reserve):
    control = TimeControl(timing, 60 * SECOND, 0 if timing is DelayMethod.PLAIN else 12 * SECOND)
    clock = Clock.set(control).start(WHITE, at=0).lend(at=14_000).spend(at=34_000)
    assert clock == Clock(control, reserve.map(lambda seconds: seconds * SECOND))
    short = Clock.set(control).start(WHITE, at=0).lend(at=3_000).spend(at=5_000)
    assert short.reserve == {
        DelayMethod.PLAIN: BySide(57_000, 58_000),
        DelayMethod.FISCHER: BySide(69_000, 58_000),  # an answer earns nothing
    }.get(timing, BySide(60_000, 60_000))


def test_lending_is_refused_where_it_makes_no_sense():
    stands = Clock.set(SIMPLE_5_12)
    runs = stands.start(WHITE, at=0)
    lent = runs.lend(at=1_000)
    paused = runs.pause(at=1_000)
    for refused, code in [
        (lambda: stands.lend(at=0), "clock-stands"),
        (lambda: stands.give_back(at=0), "clock-stands"),
        (lambda: paused.lend(at=0), "clock-paused"),
        (lambda: lent.pause(at=2_000).give_back(at=0), "clock-paused"),
        (lambda: lent.lend(at=2_000), "clock-lent"),
        (lambda: lent.press(at=2_000), "clock-lent"),
        (lambda: runs.give_back(at=2_000), "clock-not-lent"),
        (lambda: runs.take_back(at=2_000), "clock-not-lent"),
        (lambda: runs.lend(at=17_000), "flag-fallen"),
        (lambda: lent.give_back(at=18_000), "flag-fallen"),
        (lambda: lent.start(WHITE, at=5), "clock-runs"),
    ]:
        with pytest.raises(IllegalAction) as caught:
            refused()
        assert caught.value.code == code
    assert not runs.lend(at=17_000, lag=1).give_back(at=17_500).is_flagged(17_500)


def test_a_clock_written_before_clocks_were_lent_is_read():
    clock = Clock.set(SIMPLE_5_12).start(WHITE, at=77)
    old = clock.to_json()
    assert old.pop("lent") is None
    assert Clock.from_json(old) == clock


@pytest.mark.parametrize(
    ("timing", "reserve", "delay"),
    [
        (DelayMethod.PLAIN, -1, 0),
        (DelayMethod.SIMPLE, 10, -1),
        (DelayMethod.PLAIN, 10, 1),
        (DelayMethod.PLAIN, 0, 0),
        (DelayMethod.BRONSTEIN, 0, 12_000),
        (DelayMethod.FISCHER, 0, 12_000),
    ],
)
def test_some_clocks_cannot_be(timing, reserve, delay):
    with pytest.raises(Impossible):
        TimeControl(timing, reserve, delay)


@pytest.mark.parametrize(
    "damage",
    [
        {"v": 2},
        {"timing": "sundial"},
        {"reserve": [1]},
        {"reserve": [-1, 1]},
        {"reserve": 5},
        {"reserve": [1.5, 1]},
        {"turn": "red"},
        {"turn": []},
        {"turn": None},
        {"since": True},
        {"delay": -3},
        {"used": "much"},
        {"lent": 1.5},
        {"turn": None, "since": None, "lent": 5},
    ],
)
def test_json_that_is_no_clock_is_refused(damage):
    clock = Clock.set(SIMPLE_5_12).start(WHITE, at=77)
    with pytest.raises(Unreadable, match="This is no clock"):
        Clock.from_json(clock.to_json() | damage)
    for nothing in (None, [], {}, 5):
        with pytest.raises(Unreadable):
            Clock.from_json(nothing)


# -- laws -----------------------------------------------------------------------------------------

milliseconds = st.integers(1, 60_000)


@st.composite
def controls(draw):
    timing = draw(st.sampled_from(DelayMethod))
    delay = 0 if timing is DelayMethod.PLAIN else draw(milliseconds)
    return TimeControl(timing, draw(milliseconds), delay)


act = st.one_of(
    st.tuples(st.just("press"), st.integers(-5_000, 40_000), st.integers(0, 1_000)),
    st.tuples(st.just("lend"), st.integers(-5_000, 40_000), st.integers(0, 1_000)),
    st.tuples(st.just("pause"), st.integers(0, 40_000), st.just(0)),
    st.tuples(st.just("resume"), st.integers(0, 40_000), st.just(0)),
    st.tuples(st.just("credit"), milliseconds, st.sampled_from([WHITE, BLACK])),
    st.tuples(st.just("excuse"), milliseconds, st.just(0)),
)


def _given_back(control, taken, *, is_answer):
    if control.timing is DelayMethod.FISCHER:
        return 0 if is_answer else control.delay
    return min(taken, control.delay)


@given(controls(), st.lists(act, max_size=30))
def test_no_time_is_created(control, acts):
    """Reserve = start + credits + Fischer's gifts - what turns took beyond their delay, to the millisecond."""
    clock, now = Clock.set(control).start(WHITE, at=0), 0
    owed = [control.reserve, control.reserve]

    def settle(side, taken, *, is_answer=False):
        owed[side] += _given_back(control, taken, is_answer=is_answer) - taken

    for name, first, second in acts:
        if name == "credit":
            clock = clock.credit(second, first)
            owed[second] += first
        elif name == "excuse":
            clock = clock.excuse(first)
        else:
            now += first
            if name == "pause":
                clock = clock.pause(at=now)
            elif name == "resume":
                clock = clock.resume(at=now)
            elif clock.since is not None:
                side, taken = clock.turn, clock.elapsed(now, second)
                if clock.is_flagged(now, second):
                    assert clock.spend(at=now, lag=second).reserve[side] == 0
                    return
                if name == "lend" and clock.lent is None:
                    clock = clock.lend(at=now, lag=second)
                    assert max(0, clock.lent) == taken
                else:
                    settle(side, taken, is_answer=clock.lent is not None)
                    done = clock.press if clock.lent is None else clock.give_back
                    clock = done(at=now, lag=second)
                assert clock.turn is side.other
        assert list(clock.reserve) == owed
        assert min(clock.reserve) >= 0
        assert Clock.from_json(json.loads(json.dumps(clock.to_json()))) == clock


@given(controls(), st.lists(st.integers(1, 30_000), max_size=6), st.integers(0, 20_000))
def test_the_deadline_is_the_first_instant_with_the_flag_down(control, turns, excused):
    clock, now = Clock.set(control).start(WHITE, at=0), 0
    for turn in turns:
        now += turn
        if clock.is_flagged(now):
            break
        clock = clock.press(at=now)
    clock = clock.excuse(excused) if excused else clock.pause(at=now + 5).resume(at=now + 900)
    deadline = clock.deadline()
    assert deadline is not None
    assert clock.is_flagged(deadline)
    assert deadline == clock.since or not clock.is_flagged(deadline - 1)
    assert clock.left(clock.turn, at=deadline) == TimeLeft(0, 0)
