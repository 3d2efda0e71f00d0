"""The score sheet by itself: what can be tapped, what cannot, and that every way to the end is a match."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from draw.rules_of_play import RulesOfPlay
from records.base.errors import MatchWon, NothingToUndo, NotOffered, OtherGame
from records.sheets import sheet
from records.sheets.sheet import ADJOURN, GAME, SIDES, TAKE_UP, UNDO, SheetState, Tap
from tournaments.base import scores

PLAYS = st.sampled_from(
    [
        RulesOfPlay(),
        RulesOfPlay(crawford=False),
        RulesOfPlay(cube=False),
        RulesOfPlay(jacoby=True),
        RulesOfPlay(backgammons=False),
        RulesOfPlay(best_of=5),
    ]
)


@st.composite
def sheets(draw: Any) -> tuple[SheetState, list[Tap]]:
    """Tap what is offered, at random, and take some back."""
    length = draw(st.integers(1, 13))
    begun = draw(st.sampled_from([(0, 0), (0, 0), (min(2, length - 1), 0), (0, length - 1)]))
    start = state = SheetState(length, begun, draw(PLAYS))
    taps: list[Tap] = []
    for _ in range(draw(st.integers(0, 30))):
        if state.games and (state.is_over or draw(st.integers(0, 5)) == 0):
            tap = Tap(UNDO, len(state.games))
        else:
            offered = [
                Tap(GAME, state.number, side, end, cube)
                for side in SIDES
                for end in scores.ENDS
                for cube in state.cubes(side, end)
            ]
            tap = draw(st.sampled_from(offered))
        taps.append(tap)
        state = sheet.apply_tap(state, tap)
    return start, taps


@pytest.mark.long
@given(sheets())
def test_what_is_offered_is_a_match_that_can_be_reported(made: tuple[SheetState, list[Tap]]) -> None:
    start, taps = made
    state = sheet.replay_taps(start, taps)

    assert max(state.score) <= state.length
    games = [game.to_json() for game in state.games]
    scores.check_games(games, state.score, state.length, state.begun, state.play)
    if not state.is_over:
        assert all(state.cubes(side, "single") for side in SIDES)


@pytest.mark.long
@given(sheets())
def test_taps_come_back_from_what_was_written(made: tuple[SheetState, list[Tap]]) -> None:
    start, taps = made

    again = [Tap.from_json(tap.to_json()) for tap in taps]

    assert sheet.replay_taps(start, again) == sheet.replay_taps(start, taps)


@pytest.mark.long
@given(sheets())
def test_a_tap_sent_twice_under_another_key_is_refused(made: tuple[SheetState, list[Tap]]) -> None:
    start, taps = made
    state = sheet.replay_taps(start, taps)
    if taps and taps[-1].do == GAME:
        with pytest.raises((OtherGame, MatchWon)):
            sheet.apply_tap(state, taps[-1])


def at(a: int, b: int, length: int = 7, **rules: Any) -> SheetState:
    return SheetState(length, (a, b), RulesOfPlay(**rules))


def test_there_is_no_cube_in_the_crawford_game() -> None:
    state = at(6, 3)

    assert state.is_crawford
    assert state.cubes("b", "single") == state.cubes("b", "gammon") == (1,)
    assert state.cubes("a", "drop") == state.cubes("b", "drop") == ()


def test_after_the_crawford_game_only_who_is_behind_doubles() -> None:
    state = sheet.apply_tap(at(6, 3), Tap(GAME, 1, "b"))

    assert not state.is_crawford
    # The leader needs one point: the leader's cube is dead, so the opponent has no double to drop.
    assert state.cubes("a", "drop") == ()
    assert state.cubes("b", "drop") == (1,)
    assert state.cubes("b", "single") == (1, 2)


def test_a_cube_that_wins_the_match_is_not_turned_again() -> None:
    # Three and three to go: 1 to 2, 2 to 4, and 4 is enough for both.
    assert at(4, 4).cubes("a", "single") == (1, 2, 4)
    # Two and two: 2 is enough.
    assert at(5, 5).cubes("a", "single") == (1, 2)
    # Anyone who needs two has no use for a cube at 2; with seven to go it goes to them at 2 and no further.
    assert at(5, 0).cubes("b", "single") == (1, 2, 4)


def test_without_a_cube_nothing_is_dropped() -> None:
    assert at(0, 0, cube=False).cubes("a", "single") == (1,)
    assert at(0, 0, cube=False).cubes("a", "drop") == ()


def test_by_the_jacoby_rule_gammons_need_a_double() -> None:
    assert 1 not in at(0, 0, jacoby=True).cubes("a", "gammon")
    assert 1 in at(0, 0, jacoby=True).cubes("a", "single")


def test_by_the_jacoby_rule_the_crawford_game_has_no_gammon() -> None:
    state = at(6, 3, jacoby=True)

    assert state.is_crawford
    assert state.cubes("b", "gammon") == state.cubes("b", "drop") == ()
    assert state.cubes("b", "single") == (1,)


@pytest.mark.parametrize(
    ("tap", "refusal"),
    [
        (Tap(GAME, 2, "a"), OtherGame),
        (Tap(GAME, 1, "a", "single", 3), NotOffered),
        (Tap(GAME, 1, "c"), NotOffered),
        (Tap(UNDO, 1), NothingToUndo),
    ],
)
def test_what_has_no_place_is_refused(tap: Tap, refusal: type[Exception]) -> None:
    with pytest.raises(refusal):
        sheet.apply_tap(at(0, 0), tap)


@pytest.mark.parametrize("tap", [Tap(UNDO, 2), Tap(ADJOURN, 1), Tap(ADJOURN, 3)])
def test_a_tap_that_was_meant_for_another_game_is_refused(tap: Tap) -> None:
    with pytest.raises(OtherGame):
        sheet.apply_tap(sheet.apply_tap(at(0, 0), Tap(GAME, 1, "a")), tap)


def test_a_match_is_resumed_in_the_game_in_which_it_was_adjourned() -> None:
    adjourned = sheet.apply_tap(at(0, 0), Tap(ADJOURN, 1))

    with pytest.raises(OtherGame):
        sheet.apply_tap(adjourned, Tap(TAKE_UP, 2))
    assert not sheet.apply_tap(adjourned, Tap(TAKE_UP, 1)).is_adjourned


def test_nothing_follows_the_last_game_but_undo() -> None:
    over = sheet.apply_tap(replace(at(0, 0), length=1), Tap(GAME, 1, "a"))

    with pytest.raises(MatchWon):
        sheet.apply_tap(over, Tap(GAME, 2, "b"))
    assert not sheet.apply_tap(over, Tap(UNDO, 1)).is_over
