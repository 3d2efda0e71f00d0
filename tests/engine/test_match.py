"""A match: score, Crawford game, outcome, and what a director may do to it."""

from __future__ import annotations

import pytest

from engine.actions import (
    Action,
    Conceded,
    Doubled,
    Flagged,
    Opened,
    Paused,
    Penalised,
    Played,
    ReportedGame,
    ReportedScore,
    ResignAccepted,
    ResignOffered,
    Resumed,
    Rolled,
    RuledGame,
    RuledMatch,
    RuledPosition,
    RuledScore,
    TakenBack,
    TimeCredited,
    Took,
    VoidedGame,
    VoidedMatch,
)
from engine.board import STANDARD, Step
from engine.cube import Cube
from engine.dice import Dice
from engine.errors import IllegalAction
from engine.game import Phase, Termination
from engine.match import Crawford, GameResult, Match, Outcome, apply, replay
from engine.rules import Rules
from engine.side import BySide, Side
from engine.snapshot import from_json, to_json

W, B = Side.WHITE, Side.BLACK


def played(length: int, *actions: Action) -> Match:
    return replay(Rules(length=length), actions)


def wins(side: Side, points: int, cube: int = 1) -> ReportedGame:
    return ReportedGame(side, points, cube=cube)


def refused(match: Match, action: Action) -> IllegalAction:
    with pytest.raises(IllegalAction) as caught:
        apply(match, action)
    return caught.value


class TestScore:
    def test_a_gammon_on_a_two_cube_brings_the_crawford_game(self) -> None:  # R56
        match = played(5, ReportedGame(W, 4, kind=2, cube=2))
        assert (match.score, match.is_over, match.game.crawford) == (BySide(4, 0), False, True)

    def test_the_match_ends_at_its_length_or_beyond(self) -> None:  # R55
        match = played(5, wins(B, 3), wins(B, 4))
        assert (match.score, match.winner, match.number) == (BySide(0, 7), B, 3)
        assert refused(match, Opened(2, 1)).code == "play-after-end"

    def test_an_unlimited_session_never_ends(self) -> None:
        match = replay(Rules.unlimited(), [wins(W, 100), wins(B, 3)])
        assert (match.score, match.away, match.is_over, match.crawford) == (
            BySide(100, 3),
            None,
            False,
            Crawford.NONE,
        )

    def test_a_game_remembers_what_it_was(self) -> None:
        match = played(5, Opened(3, 1), ResignOffered(B, 2), ResignAccepted(W))
        assert match.results == (GameResult(W, 2, 2, Termination.RESIGN, 1, False, BySide(0, 0), 1),)

    def test_points_must_be_points(self) -> None:
        assert refused(played(5), wins(W, 0)).code == "bad-points"


class TestCrawford:
    def test_it_is_one_game_and_then_the_cube_is_back(self) -> None:  # R51
        match = played(5, wins(W, 2), wins(B, 1), wins(W, 2))
        assert (match.crawford, match.game.crawford) == (Crawford.NOW, True)
        match = apply(match, wins(B, 1))
        assert (match.crawford, match.game.crawford, match.score) == (Crawford.PAST, False, BySide(4, 2))

    def test_a_fine_in_mid_game_stops_the_cube_in_that_game(self) -> None:  # R69
        match = played(3, Opened(3, 1), Played(W, (Step(8, 5), Step(6, 5))), Penalised(W, 2))
        assert (match.score, match.game.crawford, match.game.is_cube_stopped) == (BySide(0, 2), False, True)
        assert (refused(match, Doubled(B)).code, refused(match, Doubled(B)).rule) == ("cube-stopped", "R69")
        # So the other side may not turn it either; the next game is the Crawford game.
        after = apply(match, wins(W, 1))
        assert (after.game.crawford, after.game.is_cube_stopped) == (True, False)
        assert from_json(match.rules, to_json(match)) == match

    def test_a_flag_that_costs_points_stops_the_cube_as_a_fine_does(self) -> None:
        match = played(3, Opened(3, 1), Played(W, (Step(8, 5), Step(6, 5))), Flagged(B, points=2))
        assert refused(match, Doubled(B)).code == "cube-stopped"

    def test_a_fine_that_is_taken_back_lets_the_cube_go_again(self) -> None:
        match = played(
            3, Opened(3, 1), Played(W, (Step(8, 5), Step(6, 5))), Penalised(W, 2), Rolled(B, Dice(6, 5))
        )
        assert apply(match, TakenBack(3)).game.is_cube_stopped
        assert apply(apply(match, TakenBack(2)), Doubled(B)).game.offer == 2
        set_up = RuledPosition(STANDARD, B, Cube(), None)
        assert apply(match, set_up).game.is_cube_stopped

    @pytest.mark.parametrize(
        ("rules", "before", "points"),
        [
            (Rules(length=5), (), 3),  # two short is not one short
            (Rules(length=3, crawford=False), (), 2),
            (
                Rules(length=5),
                (ReportedGame(W, 4), ReportedGame(B, 1)),
                3,
            ),  # the Crawford game has been played
            (Rules.unlimited(), (), 2),
        ],
    )
    def test_other_fines_leave_the_cube_alone(
        self, rules: Rules, before: tuple[Action, ...], points: int
    ) -> None:
        opening = (Opened(3, 1), Played(W, (Step(8, 5), Step(6, 5))))
        match = replay(rules, [*before, *opening, Penalised(W, points)])
        assert apply(match, Doubled(B)).game.offer == 2

    def test_a_double_made_before_the_fine_is_answered(self) -> None:
        opening = (Opened(3, 1), Played(W, (Step(8, 5), Step(6, 5))))
        match = played(5, *opening, Doubled(B), Penalised(B, 4), Took(W))
        assert (match.game.cube, match.game.is_cube_stopped) == (Cube(2, W), True)

    def test_one_all_away_needs_none(self) -> None:  # R54
        match = played(5, wins(W, 3), Penalised(W, 4), Penalised(B, 1))
        assert match.score == BySide(4, 4)
        # The penalty of four brought it on; the next one, before its first roll, took its reason away.
        assert (match.crawford, match.game.crawford) == (Crawford.PAST, False)

    def test_a_penalty_brings_it_on(self) -> None:
        match = played(5, wins(W, 3), Penalised(B, 1))
        assert (match.score, match.game.crawford) == (BySide(4, 0), True)

    def test_a_void_crawford_game_is_played_again(self) -> None:
        match = played(5, wins(W, 4), Opened(2, 1), VoidedGame("wrong set-up"))
        assert (match.game.crawford, match.game.phase) == (True, Phase.OPENING)

    @pytest.mark.parametrize("rules", [Rules(length=5, crawford=False), Rules(length=5, cube=False)])
    def test_it_can_be_left_out(self, rules: Rules) -> None:
        assert replay(rules, [wins(W, 4)]).game.crawford is False

    @pytest.mark.parametrize(("was_played", "is_now"), [(True, False), (False, True), (None, True)])
    def test_the_director_says_whether_it_was_played(self, was_played: bool | None, is_now: bool) -> None:
        match = played(5, RuledScore(BySide(4, 1), crawford_played=was_played))
        assert match.game.crawford is is_now

    def test_no_ruling_brings_it_where_it_is_not_played(self) -> None:
        match = replay(Rules(length=5, crawford=False), [RuledScore(BySide(4, 1), crawford_played=False)])
        assert match.crawford is Crawford.NONE


class TestLosses:
    def test_a_concession_ends_the_match(self) -> None:
        match = played(5, wins(B, 2), Opened(2, 1), Conceded(W))
        assert (match.score, match.outcome) == (BySide(0, 5), Outcome(B, Termination.CONCESSION))
        assert match.results[-1].points == 3

    def test_between_games_it_leaves_no_game(self) -> None:
        match = played(5, wins(B, 2), Conceded(W))
        assert len(match.results) == 1

    @pytest.mark.parametrize(
        ("loss", "how"), [(Conceded(W), Termination.CONCESSION), (Flagged(W), Termination.FLAG)]
    )
    def test_in_unlimited_play_the_cube_is_lost(self, loss: Action, how: Termination) -> None:
        match = replay(Rules.unlimited(), [wins(W, 3), wins(B, 1), Opened(2, 1), loss])
        assert (match.outcome, match.results[-1].points, match.score) == (Outcome(B, how), 1, BySide(3, 2))
        turned = [Opened(2, 1), RuledPosition(STANDARD, B, Cube(4, B)), loss]
        match = replay(Rules.unlimited(), turned)
        assert (match.results[-1].points, match.score) == (4, BySide(0, 4))
        # Between games nothing is at stake.
        match = replay(Rules.unlimited(), [wins(W, 3), loss])
        assert (len(match.results), match.outcome, match.score) == (1, Outcome(B, how), BySide(3, 0))

    def test_time_loses_the_match_or_points(self) -> None:
        assert played(5, Opened(2, 1), Flagged(W)).outcome == Outcome(B, Termination.FLAG)
        match = played(5, Opened(2, 1), Flagged(W, points=2))
        assert (match.score, match.is_over, match.game.away) == (BySide(0, 2), False, BySide(5, 3))
        assert apply(match, Flagged(W, points=3)).outcome == Outcome(B, Termination.FLAG)

    def test_a_penalty_between_games_can_end_it(self) -> None:
        assert played(5, wins(W, 3), Penalised(B, 2)).outcome == Outcome(W, Termination.RULING)

    def test_a_penalty_is_at_least_a_point(self) -> None:
        assert refused(played(5), Penalised(W, 0)).code == "bad-penalty"

    def test_an_unlimited_session_can_have_penalties_in_a_game(self) -> None:
        assert replay(Rules.unlimited(), [Opened(2, 1), Penalised(W, 2)]).score == BySide(0, 2)


class TestRulings:
    def test_a_game_or_the_match_may_be_given(self) -> None:
        assert played(5, Opened(2, 1), RuledGame(B, 2)).results[-1].how is Termination.RULING
        assert played(5, RuledMatch(B, "no-show")).winner is B

    def test_a_match_may_be_void(self) -> None:
        match = played(5, wins(W, 2), VoidedMatch("abandoned"))
        assert (match.outcome, match.winner) == (Outcome(None, Termination.VOID), None)

    def test_a_score_may_be_reported_or_set(self) -> None:
        assert played(5, ReportedScore(BySide(3, 5))).outcome == Outcome(B, Termination.REPORT)
        match = played(5, ReportedScore(BySide(5, 3)), RuledScore(BySide(4, 3)))
        assert (match.score, match.is_over) == (BySide(4, 3), False)

    @pytest.mark.parametrize("score", [BySide(-1, 0), BySide(5, 5)])
    def test_no_score_is_impossible(self, score: BySide[int]) -> None:
        assert refused(played(5), ReportedScore(score)).code == "bad-score"


class TestTakebacks:
    def test_facts_are_undone_and_kept(self) -> None:
        plays = (Opened(3, 1), Played(W, (Step(8, 5), Step(6, 5))), Rolled(B, Dice(6, 6)))
        match = played(5, *plays, TakenBack(1, "wrong dice read"))
        assert (match.game, match.facts) == (played(5, plays[0]).game, 4)
        again = apply(match, TakenBack(3))
        assert again.game == played(5, *plays).game

    @pytest.mark.parametrize("to", [-1, 2])
    def test_there_must_be_something_to_take_back(self, to: int) -> None:
        assert refused(played(5, Opened(3, 1)), TakenBack(to)).code == "bad-takeback"

    def test_the_end_itself_can_be_taken_back(self) -> None:
        assert not played(5, wins(W, 5), TakenBack(0)).is_over


class TestPause:
    def test_nobody_plays_while_it_is_paused(self) -> None:
        match = played(5, Opened(3, 1), Paused("fire alarm"))
        assert refused(match, Played(W, (Step(8, 5), Step(6, 5)))).code == "paused"
        assert refused(match, Paused()).code == "paused"
        assert not apply(match, Resumed()).paused

    def test_a_director_acts_meanwhile_and_it_stays_paused(self) -> None:
        match = played(5, Opened(3, 1), Paused("fire alarm"))
        assert apply(match, RuledPosition(STANDARD, B, Cube())).paused
        assert apply(match, TakenBack(0, "wrong dice")).paused
        assert not apply(apply(match, Resumed()), TakenBack(2)).paused

    def test_nothing_resumes_that_was_not_paused(self) -> None:
        assert refused(played(5), Resumed()).code == "not-paused"

    def test_time_is_the_clocks_affair(self) -> None:
        assert played(5, TimeCredited(W, 30_000, "outage")).score == BySide(0, 0)
