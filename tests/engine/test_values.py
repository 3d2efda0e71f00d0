"""The small values."""

from __future__ import annotations

import pytest

from engine.board import Step
from engine.cube import Cube
from engine.dice import ROLLS, Dice
from engine.errors import EngineError, Impossible, Unreadable
from engine.rules import Rules
from engine.side import BySide, Side


def test_there_are_twenty_one_rolls_of_thirty_six() -> None:
    assert len(set(ROLLS)) == 21
    assert sum(roll.weight for roll in ROLLS) == 36
    assert sum(len(roll.numbers) for roll in ROLLS) == 15 * 2 + 6 * 4


@pytest.mark.parametrize("text", ["", "6", "666", "a5", "٣٤"])
def test_a_roll_is_two_digits(text: str) -> None:
    with pytest.raises(Unreadable):
        Dice.parse(text)


@pytest.mark.parametrize("pair", [(0, 1), (7, 1), (1, 7)])
def test_no_die_shows_that(pair: tuple[int, int]) -> None:
    with pytest.raises(Impossible):
        Dice.from_numbers(*pair)


@pytest.mark.parametrize("value", [0, 3, -2, 1 << 21])
def test_no_cube_shows_that(value: int) -> None:
    with pytest.raises(Impossible):
        Cube(value)


def test_a_cube_counts_its_turns() -> None:
    assert (Cube(8).log, Cube(2, Side.WHITE).is_open_to(Side.BLACK)) == (3, False)


@pytest.mark.parametrize(
    ("rules", "code"),
    [
        ({"length": -5}, "bad-length"),
        ({"length": 65}, "bad-length"),
        ({"length": 5, "beavers": True}, "money-rule-in-match"),
        ({"length": 5, "automatic_doubles": 1}, "money-rule-in-match"),
        ({"gammons": False}, "backgammon-without-gammon"),
    ],
)
def test_rules_that_contradict_themselves_are_refused(rules: dict[str, int], code: str) -> None:
    with pytest.raises(EngineError) as caught:
        Rules(**rules)  # type: ignore[arg-type]
    assert caught.value.code == code


def test_rules_know_their_variant() -> None:
    from engine.board import NACKGAMMON, Board

    assert [
        rules.variant
        for rules in (
            Rules(),
            Rules(start=NACKGAMMON),
            Rules(start=Board.from_counts({1: 1}, {1: 1}), length=1),
        )
    ] == ["backgammon", "nackgammon", "position"]
    assert (Rules().is_match, Rules.unlimited().is_match) == (True, False)


def test_a_pair_can_be_changed_on_either_side() -> None:
    pair = BySide(1, 2)
    assert pair.put(Side.BLACK, 5) == BySide(1, 5)
    assert pair.map(str) == BySide("1", "2")
    assert list(pair) == [1, 2]


def test_a_step_is_written_as_players_write_it() -> None:
    assert [str(Step(25, 20)), str(Step(6, 0)), str(Step(13, 8))] == ["bar/20", "6/off", "13/8"]
