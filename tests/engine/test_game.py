"""One game: the permitted actions of each phase, and their results."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import game as games
from engine.actions import (
    Beavered,
    Doubled,
    Dropped,
    Opened,
    Played,
    ResignAccepted,
    ResignDeclined,
    ResignOffered,
    Rolled,
    RuledPosition,
    Took,
)
from engine.board import STANDARD, Board, Step
from engine.cube import HIGHEST, Cube
from engine.dice import Dice
from engine.errors import IllegalAction
from engine.game import Game, Move, Phase, Termination, apply
from engine.rules import DeadCube, Rules
from engine.side import BySide, Side

W, B = Side.WHITE, Side.BLACK


def after(rules: Rules, *moves: Move, **state: object) -> Game:
    game = Game.start(rules, **state)  # type: ignore[arg-type]
    for move in moves:
        game = apply(game, move)
    return game


SEVEN = Rules(length=7)


def opened(rules: Rules = SEVEN, **state: object) -> Game:
    """White began with 3-1 and made the five point; black is to roll."""
    return after(rules, Opened(3, 1), Played(W, (Step(8, 5), Step(6, 5))), **state)


def refused(game: Game, move: Move) -> IllegalAction:
    with pytest.raises(IllegalAction) as caught:
        apply(game, move)
    return caught.value


def race(white: dict[int, int], black: dict[int, int], turn: Side = W, **state: object) -> Game:
    """A game set up near its end, *turn* to roll."""
    game = opened(**state)  # type: ignore[arg-type]
    return apply(game, RuledPosition(Board.from_counts(white, black), turn, Cube(), reason="study"))


class TestOpening:
    def test_the_higher_die_begins_and_plays_both(self) -> None:  # R09
        game = after(Rules(), Opened(2, 5))
        assert (game.turn, game.dice, game.phase, game.plies) == (B, Dice(5, 2), Phase.TO_PLAY, 1)

    def test_a_tie_is_thrown_again_and_leaves_the_cube(self) -> None:  # R10
        game = after(Rules(), Opened(4, 4), Opened(4, 4))
        assert (game.phase, game.ties, game.cube.value) == (Phase.OPENING, 2, 1)

    def test_automatic_doubles_stop_where_agreed(self) -> None:
        game = after(Rules.unlimited(automatic_doubles=1), Opened(4, 4), Opened(2, 2))
        assert (game.cube, game.ties) == (Cube(2), 2)

    def test_it_is_thrown_once(self) -> None:
        assert refused(opened(), Opened(2, 1)).code == "already-opened"

    def test_nobody_acts_before_it(self) -> None:
        assert after(Rules()).actor is None


class TestTurns:
    def test_sides_alternate(self) -> None:  # R11
        game = opened()
        assert (game.turn, game.actor, game.phase) == (B, B, Phase.TO_ROLL)
        assert refused(game, Rolled(W, Dice(2, 1))).code == "out-of-turn"

    def test_a_play_needs_dice(self) -> None:
        assert refused(opened(), Played(B)).code == "play-without-dice"

    def test_only_the_roller_plays(self) -> None:
        assert refused(after(Rules(), Opened(3, 1)), Played(B)).code == "out-of-turn"

    def test_an_illegal_play_changes_nothing(self) -> None:  # R24
        game = after(Rules(), Opened(3, 1))
        refusal = refused(game, Played(W, (Step(8, 5),)))
        assert (refusal.code, "8/5" in str(refusal)) == ("illegal-play", True)
        assert "nothing" in str(refused(game, Played(W)))
        assert game.board == STANDARD

    def test_a_dance_passes_the_turn(self) -> None:  # R23, R28
        closed = dict.fromkeys(range(1, 7), 2) | {8: 3}
        game = race(closed, {25: 1, 6: 14}, turn=B)
        game = apply(apply(game, Rolled(B, Dice(6, 6))), Played(B))
        assert game.turn is W


class TestEnd:
    @pytest.mark.parametrize(
        ("black", "kind"),
        [({6: 14}, 1), ({7: 15}, 2), ({7: 14, 19: 1}, 3), ({7: 14, 25: 1}, 3)],
    )
    def test_it_counts_once_twice_or_three_times(self, black: dict[int, int], kind: int) -> None:  # R41-R43
        game = apply(race({1: 2}, black), Rolled(W, Dice(2, 1)))
        game = apply(game, Played(W, (Step(1, 0), Step(1, 0))))
        assert game.ending == games.Ending(W, Termination.BEAROFF, kind, kind)
        assert (game.phase, game.actor) == (Phase.OVER, None)
        assert refused(game, Rolled(B, Dice(2, 1))).code == "play-after-end"

    @pytest.mark.parametrize(
        ("rules", "points"),
        [
            (Rules(backgammons=False), 2),
            (Rules(gammons=False, backgammons=False), 1),
            (Rules.unlimited(jacoby=True), 1),
            (Rules.unlimited(jacoby=False), 3),
        ],
    )
    def test_rules_may_count_less(self, rules: Rules, points: int) -> None:
        game = apply(race({1: 2}, {25: 1, 7: 14}, rules=rules), Rolled(W, Dice(2, 1)))
        ending = apply(game, Played(W, (Step(1, 0), Step(1, 0)))).ending
        assert ending.points == points

    def test_jacoby_counts_gammons_once_the_cube_is_turned(self) -> None:
        game = race({1: 2}, {7: 15}, rules=Rules.unlimited(jacoby=True))
        for move in (Doubled(W), Took(B), Rolled(W, Dice(2, 1)), Played(W, (Step(1, 0), Step(1, 0)))):
            game = apply(game, move)
        assert game.ending.points == 4


class TestCube:
    def test_who_takes_owns_it(self) -> None:  # R47
        game = apply(apply(opened(), Doubled(B)), Took(W))
        assert (game.cube, game.turn, game.phase) == (Cube(2, W), B, Phase.TO_ROLL)
        assert refused(game, Doubled(B)).code == "double-by-nonowner"

    def test_who_drops_loses_the_value_before(self) -> None:  # R46
        game = apply(apply(opened(), Doubled(B)), Dropped(W))
        assert game.ending == games.Ending(B, Termination.DROP, 1, 1)

    def test_the_answer_belongs_to_the_opponent(self) -> None:
        game = apply(opened(), Doubled(B))
        assert game.actor is W
        assert refused(game, Took(B)).code == "out-of-turn"
        assert refused(game, Rolled(B, Dice(2, 1))).code == "out-of-turn"

    @pytest.mark.parametrize(
        ("move", "code"), [(Took(W), "take-without-double"), (Dropped(W), "drop-without-double")]
    )
    def test_no_answer_without_a_question(self, move: Move, code: str) -> None:
        assert refused(opened(), move).code == code

    def test_after_the_roll_it_is_too_late(self) -> None:  # R45
        told = refused(after(Rules(), Opened(3, 1)), Doubled(W))
        assert (told.code, told.rule) == ("double-out-of-turn", "R45")
        assert refused(opened(), Took(B)).rule == "R11"
        assert opened().why_no_double is None
        refusal = after(Rules(), Opened(3, 1)).why_no_double
        assert refusal.code == "double-out-of-turn"

    def test_there_is_none_in_the_crawford_game(self) -> None:  # R51
        assert refused(opened(crawford=True), Doubled(B)).code == "double-in-crawford"

    @pytest.mark.parametrize("rules", [Rules(length=1), Rules(cube=False)])
    def test_some_matches_have_none(self, rules: Rules) -> None:  # R53
        assert refused(opened(rules), Doubled(B)).code == "no-cube"

    def test_a_dead_cube_is_known_and_may_be_refused(self) -> None:  # R48
        away = BySide(5, 1)
        assert opened(Rules(length=7), away=away).is_dead_double
        assert not opened(Rules(length=7), away=BySide(1, 5)).is_dead_double
        assert apply(opened(Rules(length=7), away=away), Doubled(B)).offer == 2
        strict = opened(Rules(length=7, dead_cube=DeadCube.REFUSED), away=away)
        assert refused(strict, Doubled(B)).code == "dead-cube"


class TestBeaver:
    def test_it_is_turned_again_and_kept(self) -> None:
        game = opened(Rules.unlimited(beavers=True))
        game = apply(apply(game, Doubled(B)), Beavered(W))
        assert (game.actor, game.offer) == (B, 4)
        assert apply(game, Took(B)).cube == Cube(4, W)

    def test_it_may_be_dropped_for_what_it_was(self) -> None:
        game = apply(apply(opened(Rules.unlimited(beavers=True)), Doubled(B)), Beavered(W))
        assert apply(game, Dropped(B)).ending == games.Ending(W, Termination.DROP, 1, 2)

    def test_a_raccoon_answers_it(self) -> None:
        game = apply(apply(opened(Rules.unlimited(beavers=True)), Doubled(B)), Beavered(W))
        assert apply(apply(game, Beavered(B)), Took(W)).cube == Cube(8, W)

    def test_not_in_a_match(self) -> None:
        assert refused(apply(opened(), Doubled(B)), Beavered(W)).code == "no-beavers"
        assert refused(opened(), Beavered(W)).code == "beaver-without-double"


class TestResignation:
    @pytest.mark.parametrize("level", [1, 2, 3])
    def test_it_is_offered_and_accepted(self, level: int) -> None:
        game = apply(opened(), ResignOffered(B, level))
        assert (game.actor, game.phase) == (W, Phase.RESIGNING)
        assert apply(game, ResignAccepted(W)).ending == games.Ending(W, Termination.RESIGN, level, level)

    def test_declined_it_leaves_all_as_it_was(self) -> None:
        game = opened()
        assert apply(apply(game, ResignOffered(B, 1)), ResignDeclined(W)) == game

    def test_it_may_answer_a_double(self) -> None:
        game = apply(opened(), Doubled(B))
        assert apply(apply(game, ResignOffered(W, 1)), ResignDeclined(B)) == game

    @pytest.mark.parametrize("level", [0, 4])
    def test_its_level_has_bounds(self, level: int) -> None:
        assert refused(opened(), ResignOffered(B, level)).code == "bad-resignation"

    def test_only_the_opponent_answers(self) -> None:
        game = apply(opened(), ResignOffered(B, 1))
        assert refused(game, ResignAccepted(B)).code == "out-of-turn"
        assert refused(opened(), ResignAccepted(W)).code == "no-resignation"
        assert refused(opened(), ResignDeclined(W)).code == "no-resignation"


def test_a_position_may_be_set_with_the_dice_on_it() -> None:
    board = Board.from_counts({6: 15}, {6: 15})
    game = apply(Game.start(Rules()), RuledPosition(board, B, Cube(2, W), Dice(6, 5)))
    assert (game.phase, game.actor, game.plies, game.board) == (Phase.TO_PLAY, B, 1, board)


def test_the_cube_goes_no_higher_than_a_record_can_say():
    top = replace(opened(Rules(length=0)), cube=Cube(HIGHEST, B))
    assert refused(top, Doubled(B)).code == "dead-cube"
    below = replace(opened(Rules(length=0, beavers=True)), cube=Cube(HIGHEST // 2, B))
    assert refused(apply(below, Doubled(B)), Beavered(W)).code == "no-beavers"
