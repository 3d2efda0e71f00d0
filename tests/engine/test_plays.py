"""The legal plays: the positions every rule was once got wrong in, and a slow enumerator that agrees."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

import pytest

from engine.board import STANDARD, Board, Step
from engine.dice import ROLLS, Dice
from engine.plays import Plays, is_legal, legal_plays
from engine.side import BLACK, WHITE, Side
from tests.engine.slow_plays import mutated, random_board, slow_plays, slow_results

OPENINGS = {
    "11": 42, "21": 15, "22": 75, "31": 16, "32": 17, "33": 73, "41": 14, "42": 18, "43": 17, "44": 52, "51": 8,
    "52": 8, "53": 9, "54": 9, "55": 4, "61": 10, "62": 14, "63": 14, "64": 14, "65": 7, "66": 11,
}  # fmt: skip
FIVE_POINTS = dict.fromkeys(range(19, 24), 2)
SIX_POINTS = dict.fromkeys(range(19, 25), 2)


def board_of(mine: Mapping[int, int], held: Mapping[int, int]) -> Board:
    """Return a board with *mine* for white and black on *held*, points in white's numbering."""
    return Board.from_counts(mine, {25 - point: number for point, number in held.items()} or {25: 1})


def notations(mine: Mapping[int, int], held: Mapping[int, int], dice: str) -> set[str]:
    board = board_of(mine, held)
    plays = legal_plays(board, WHITE, Dice.parse(dice))
    mirrored = legal_plays(board.mirrored(), BLACK, Dice.parse(dice))
    assert [play.notation for play in plays] == [play.notation for play in mirrored]
    return {play.notation for play in plays}


@pytest.mark.parametrize("dice", ROLLS, ids=str)
def test_opening_counts(dice: Dice) -> None:
    assert len(legal_plays(STANDARD, WHITE, dice)) == OPENINGS[str(dice)]


def test_larger_die() -> None:  # R21
    assert notations({20: 1}, {9: 2}, "65") == {"20/14"}


def test_only_the_smaller_possible() -> None:  # R20
    assert notations({20: 1}, {14: 2, 9: 2}, "65") == {"20/15"}


def test_order_forced() -> None:  # R19
    assert notations({20: 1}, {14: 2}, "65") == {"20/9"}
    assert legal_plays(board_of({20: 1}, {14: 2}), WHITE, Dice(6, 5))[0].steps == (Step(20, 15), Step(15, 9))


def test_choice_forced() -> None:  # R19
    assert notations({20: 1, 8: 1}, {14: 2, 2: 2}, "65") == {"20/9"}


def test_partial_entry() -> None:  # R29
    assert notations({25: 2, 6: 5}, FIVE_POINTS, "41") == {"bar/24"}


def test_closed_out() -> None:  # R28
    plays = legal_plays(board_of({25: 1}, SIX_POINTS), WHITE, Dice(6, 6))
    assert (len(plays), plays.dice_used, plays[0].steps, plays[0].notation) == (1, 0, (), "")


def test_s4_example() -> None:  # R31
    mine = {25: 1, 13: 5, 8: 3, 6: 5}
    assert notations(mine, {19: 2}, "64") == {"bar/15", "bar/21 13/7", "bar/21 8/2"}


def test_s1_six_five() -> None:  # R16
    plays = notations({24: 2, 13: 5, 8: 3, 6: 5}, {1: 2, 12: 5, 18: 2, 19: 6}, "65")
    assert plays == {"13/2", "13/8 13/7", "13/7 8/3", "8/3 8/2"}


def test_s1_six_two() -> None:  # R39
    assert notations({6: 1, 4: 2, 2: 2}, {}, "62") == {"6/off 2/off", "6/off 4/2", "6/4 4/off"}


def test_nothing_on_two() -> None:  # R34
    assert notations({6: 1, 4: 2, 1: 2}, {}, "62") == {"6/off 4/2", "6/4 4/off"}


def test_gap_none_higher() -> None:  # R35
    assert notations({4: 2, 2: 1}, {}, "65") == {"4/off(2)"}


def test_six_six_bears_off_from_the_top() -> None:  # R38
    assert notations({5: 3, 4: 3}, {}, "66") == {"5/off(3) 4/off"}


def test_auto_bear_trap() -> None:
    assert notations({5: 1, 2: 1}, {}, "42") == {"5/1 2/off", "5/3 3/off"}


def test_become_eligible_mid_turn() -> None:  # R32
    assert notations({7: 1, 6: 1, 1: 1}, {}, "61") == {"7/1 6/5", "7/1 1/off"}


def test_doubles_cut_short() -> None:  # R22
    board = board_of({24: 1}, {15: 2})
    assert notations({24: 1}, {15: 2}, "33") == {"24/18"}
    assert legal_plays(board, WHITE, Dice(3, 3)).dice_used == 2


def test_full_stack() -> None:  # R07
    assert notations({1: 15}, {}, "66") == {"1/off(4)"}


def test_the_last_checker_takes_both_dice() -> None:
    board = board_of({3: 1}, {2: 1})
    assert notations({3: 1}, {2: 1}, "51") == {"3/2* 2/off"}
    assert not is_legal(board, WHITE, Dice(5, 1), [Step(3, 0)])
    assert is_legal(board, WHITE, Dice(5, 1), [Step(3, 2), Step(2, 0)])


def test_two_ways_to_hit_are_two_plays() -> None:
    assert notations({13: 1}, {10: 1, 11: 1, 8: 1}, "32") == {"13/10*/8*", "13/11*/8*"}
    assert notations({13: 1, 10: 1}, {11: 1}, "32") >= {"13/11*/8", "13/8"}
    assert notations({8: 1, 6: 1}, {5: 1}, "31") >= {"8/5* 6/5"}


def test_one_double_is_one_turn() -> None:
    assert legal_plays(STANDARD, BLACK, Dice(1, 1)).dice_used == 4


def boards(seed: int, number: int) -> Iterator[tuple[Board, Side, Dice]]:
    rng = random.Random(seed)
    for _ in range(number):
        yield random_board(rng), rng.choice(list(Side)), rng.choice(ROLLS)


def agree(board: Board, side: Side, dice: Dice) -> None:
    used, states = slow_results(board, side, dice)
    plays = legal_plays(board, side, dice)
    assert plays.dice_used == used, (board, side, dice)
    ends = {(after.points(side), after.points(side.other)) for after in plays.results()}
    assert ends == states, (board, side, dice)
    assert len(plays) == len(ends) == len(plays.results()), (board, side, dice)


def test_the_slow_enumerator_agrees() -> None:
    for board, side, dice in boards(20, 400):
        agree(board, side, dice)


@pytest.mark.slow
def test_the_slow_enumerator_agrees_on_many() -> None:
    for board, side, dice in boards(21, 20_000):
        agree(board, side, dice)


@pytest.mark.long
def test_a_play_tells_how_it_is_made() -> None:
    for board, side, dice in boards(22, 150):
        slow = slow_plays(board, side, dice)
        plays = legal_plays(board, side, dice)
        assert [play.steps for play in plays] == sorted((play.steps for play in plays), reverse=True)
        for play in plays:
            assert play.steps in slow
            assert board.moved(side, play.steps) == play.board
            assert is_legal(board, side, dice, play.steps)
            assert len(play.hits) == play.board.bar(side.other) - board.bar(side.other)
            assert all(board.count(side.other, 25 - point) == 1 for point in play.hits)
            assert plays.to(play.board) == play


def test_only_legal_sequences_are_legal() -> None:
    rng = random.Random(23)
    for board, side, dice in boards(24, 150):
        slow = slow_plays(board, side, dice)
        for steps in list(slow)[:40]:
            assert is_legal(board, side, dice, [Step(*step) for step in steps])
            for _ in range(4):
                odd = mutated(rng, steps)
                assert is_legal(board, side, dice, odd) is (tuple(map(tuple, odd)) in slow), (
                    board,
                    side,
                    dice,
                    odd,
                )


def test_plays_are_a_sequence() -> None:
    plays = legal_plays(STANDARD, WHITE, Dice(6, 5))
    assert isinstance(plays, Plays)
    assert list(plays) == plays[:]
    assert plays[-1] == plays[len(plays) - 1]
    assert plays[0] in plays
    assert repr(plays) == "<7 plays of 65>"
    assert plays.to(STANDARD) is None
    assert set(plays.results()) == {play.board for play in plays}
