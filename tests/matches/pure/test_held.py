"""Lost connections: the time for which a clock is stopped is bounded, belongs to the turn, and adds up."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.actions import Paused, Played
from engine.clock import DelayMethod, TimeControl
from engine.dice import Dice
from engine.errors import IllegalAction
from engine.plays import legal_plays
from engine.rules import Rules
from engine.side import BySide, Side
from matches.state import terms
from matches.state.facts import Excused, Held
from matches.state.match_state import MatchState
from matches.state.terms import TUNNEL
from tests.matches.pure.test_match_state import CONTROL, Written

WHITE, BLACK = Side
SECOND = 1_000


@pytest.fixture
def written() -> Written:
    """White is on turn since a moment."""
    found = Written()
    found.open()
    return found


def play(written: Written, *, after: int) -> MatchState:
    game = written.state.match.game
    plays = legal_plays(game.board, WHITE, Dice(3, 1))
    return written.add(Played(WHITE, plays[0].steps), by="white", after=after)


def test_a_clock_that_stood_is_not_charged(written: Written) -> None:
    due = written.state.deadline
    written.add(Held(WHITE, 20_000), after=25_000)
    assert written.state.deadline == due + 20_000
    assert written.state.held == BySide(20_000, 0)
    after = play(written, after=15_000)
    # 40 seconds, 20 of them held and 12 free.
    assert after.clock.reserve[WHITE] == CONTROL.reserve - 8_000


def test_no_more_is_held_than_was_agreed_however_it_is_cut(written: Written) -> None:
    rng = random.Random(3)
    total = 0
    while total < TUNNEL:
        piece = min(rng.randint(1, 4_000), TUNNEL - total)
        written.add(Held(WHITE, piece), after=piece + rng.randint(0, 100))
        total += piece
    with pytest.raises(IllegalAction, match="allowance") as refused:
        written.add(Held(WHITE, 1), after=10)
    assert refused.value.code == "absence-used-up"
    assert written.state.held == BySide(TUNNEL, 0)


def test_nothing_is_held_that_has_not_passed(written: Written) -> None:
    with pytest.raises(IllegalAction, match="for so long") as refused:
        written.add(Held(WHITE, 5_001), after=5_000)
    assert refused.value.code == "absence-too-long"
    written.add(Held(WHITE, 4_000), after=1_000)
    with pytest.raises(IllegalAction, match="for so long"):
        written.add(Held(WHITE, 1_001), after=1_000)


def test_what_an_outage_took_is_not_held_again(written: Written) -> None:
    written.add(Excused(10_000), after=10_000)
    with pytest.raises(IllegalAction, match="for so long"):
        written.add(Held(WHITE, 1_500), after=1_000)


@pytest.mark.parametrize("milliseconds", [0, -1])
def test_nothing_is_taken_away_by_it(written: Written, milliseconds: int) -> None:
    with pytest.raises(IllegalAction):
        written.add(Held(WHITE, milliseconds))


def test_only_a_clock_that_runs_can_have_stood(written: Written) -> None:
    with pytest.raises(IllegalAction, match="does not run"):
        written.add(Held(BLACK, 500))
    written.add(Paused("fire alarm"), by="director")
    with pytest.raises(IllegalAction, match="does not run"):
        written.add(Held(WHITE, 500))


def test_without_a_clock_there_is_nothing_to_hold() -> None:
    written = Written(control=None)
    written.open()
    with pytest.raises(IllegalAction, match="does not run"):
        written.add(Held(WHITE, 500))


def test_whoever_agreed_on_nothing_gets_nothing(written: Written) -> None:
    strict = replace(written.state.terms, absence=0)
    written.state = replace(written.state, terms=strict)
    with pytest.raises(IllegalAction, match="allowance"):
        written.add(Held(WHITE, 500))


def test_minutes_at_the_board_have_an_allowance_and_days_by_correspondence_have_none() -> None:
    by_mail = TimeControl(DelayMethod.SIMPLE, 10 * 86_400_000, 2 * 86_400_000)
    assert terms.build_terms(Rules(length=3), CONTROL).absence == TUNNEL
    assert terms.build_terms(Rules(length=3), by_mail).absence == 0
    assert terms.build_terms(Rules(length=3), None).absence == 0
    assert terms.Terms(Rules(length=3), CONTROL).absence == 0
    told = terms.build_terms(Rules(length=3), CONTROL).to_json()
    assert terms.Terms.from_json(told).absence == TUNNEL
    del told["absence"]
    assert terms.Terms.from_json(told).absence == 0, "as agreed before there was one"


@pytest.mark.long
def test_the_books_balance_whatever_is_held(written: Written) -> None:
    """Free, charged and held time of a turn add up to its duration, to the millisecond."""
    rng = random.Random(11)
    for _ in range(300):
        one = Written()
        began = one.open().at
        held = 0
        for _ in range(rng.randint(0, 6)):
            passed = rng.randint(1, 9_000)
            piece = min(rng.randint(1, passed), TUNNEL - held)
            if piece > 0:
                one.add(Held(WHITE, piece), after=passed)
                held += piece
        after = play(one, after=rng.randint(1, 30_000))
        charged = CONTROL.reserve - after.clock.reserve[WHITE]
        taken = one.at - began
        assert charged == max(0, taken - held - CONTROL.delay)
        assert 0 <= held <= TUNNEL
