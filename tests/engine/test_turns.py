"""The graph of half-made turns against the list of plays."""

from __future__ import annotations

import random

import pytest

from engine.board import STANDARD, Board
from engine.dice import Dice
from engine.plays import is_legal, legal_plays
from engine.side import Side
from engine.turns import TurnTree, build_turn_tree

WHITE = Side.WHITE


def paths(turn: TurnTree, node: int = 0) -> list[tuple]:
    ways = turn.nodes[node]
    return [(way.step, *rest) for way in ways for rest in paths(turn, way.to)] if ways else [()]


def positions(count: int, seed: int) -> list[tuple[Board, Side, Dice]]:
    """Moments of self-played games in which a person has to play."""
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        board, side = STANDARD, WHITE
        for _ in range(rng.randint(0, 70)):
            dice = Dice.from_numbers(rng.randint(1, 6), rng.randint(1, 6))
            play = rng.choice(legal_plays(board, side, dice))
            board, side = play.board, side.other
            if 15 in (board.off(WHITE), board.off(side.other), board.off(side)):
                board, side = STANDARD, WHITE
        found.append((board, side, Dice.from_numbers(rng.randint(1, 6), rng.randint(1, 6))))
    return found


def agrees(board: Board, side: Side, dice: Dice) -> None:
    turn = build_turn_tree(board, side, dice)
    plays = legal_plays(board, side, dice)
    made = paths(turn)
    for steps in made[:200]:
        assert is_legal(board, side, dice, steps) or not steps
    assert {board.moved(side, steps) for steps in made} == {play.board for play in plays}


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_every_way_is_legal_and_every_play_has_a_way(seed: int) -> None:
    for board, side, dice in positions(60, seed):
        agrees(board, side, dice)


def test_a_roll_that_cannot_be_played_has_one_node_and_no_way() -> None:
    for seed in range(40):
        for board, side, dice in positions(10, seed):
            if legal_plays(board, side, dice).dice_used == 0:
                assert build_turn_tree(board, side, dice).nodes == ((),)
                return
    raise AssertionError("no dance in four hundred positions")


def test_steps_may_be_made_in_any_order_that_the_rules_allow() -> None:
    turn = build_turn_tree(STANDARD, WHITE, Dice(3, 1))
    firsts = {str(way.step) for way in turn.nodes[0]}
    assert {"8/5", "6/5"} <= firsts
    after = next(way for way in turn.nodes[0] if str(way.step) == "8/5")
    assert "6/5" in {str(way.step) for way in turn.nodes[after.to]}


def test_it_is_plain_numbers_for_a_browser() -> None:
    told = build_turn_tree(STANDARD, WHITE, Dice(6, 5)).to_json()
    assert told[0][0] == [24, 18, 6, told[0][0][3]]
    assert all(0 < way[3] < len(told) for node in told for way in node)


# White can play either die and not both, so the six (R21); and white may begin with the six only, since after the
# five nothing can follow.
@pytest.mark.parametrize(
    ("board", "steps"),
    [
        ("white 20:1 off:14 black 16:2 off:13", {((20, 14),)}),
        ("white 20:1 13:1 off:13 black 23:2 18:2 16:2 off:9", {((20, 14), (13, 8)), ((13, 8), (20, 14))}),
    ],
)
def test_half_a_turn_that_leads_nowhere_is_not_offered(board: str, steps: set[tuple[object, ...]]) -> None:
    turn = build_turn_tree(Board.parse(board), WHITE, Dice(6, 5))
    assert {tuple(map(tuple, path)) for path in paths(turn)} == steps
