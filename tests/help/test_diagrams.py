"""What a diagram claims is what the engine says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.dice import ROLLS, Dice
from engine.formats.notation import parse_play
from engine.game import Game, Phase
from engine.layout import compute_offered_value, format_cube_face
from engine.plays import legal_plays
from engine.resolve import resolve_play
from engine.rules import Rules
from engine.side import BLACK, WHITE
from help.positions import Position, load_positions, read_position


def faults(position: Position) -> list[str]:
    """The claims about a position that are wrong."""
    found = []
    board, dice = position.situation.board, position.situation.dice
    if dice is not None:
        found += _faults_of_plays(position, dice)
    elif position.legal or position.illegal or position.plays is not None:
        found.append("it speaks of plays and has no dice")
    if position.pips and position.pips != (board.pips(WHITE), board.pips(BLACK)):
        found.append(f"pips are {board.pips(WHITE)} and {board.pips(BLACK)}")
    if position.face and position.face != _shown(position):
        found.append(f"the cube shows {_shown(position)}")
    if position.double and position.double != _double(position):
        found.append(f"a double: {_double(position)}")
    if position.rolls and position.rolls != _rolls(position):
        found.append(f"{_rolls(position)} rolls bear off everything")
    if position.won:
        level = board.gammon_level(WHITE) if board.winner is WHITE else 0
        found += [f"won: {level}"] * (level != position.won)
    return found


def _faults_of_plays(position: Position, dice: Dice) -> list[str]:
    board = position.situation.board
    plays = legal_plays(board, WHITE, dice)
    number = len(plays) if plays.dice_used else 0
    found = [f"{number} plays"] * (position.plays not in (None, number))
    for play in position.legal:
        fault = resolve_play(board, WHITE, dice, parse_play(play)).fault
        found += [f"{play} breaks {fault.rule}"] if fault else []
    for play, rule in position.illegal.items():
        fault = resolve_play(board, WHITE, dice, parse_play(play)).fault
        found += [f"{play} is legal"] if fault is None else [f"{play}: {fault.rule}"] * (fault.rule != rule)
    return found


def _rolls(position: Position) -> int:
    """Count how many of the 36 rolls bear off all checkers at once."""
    board = position.situation.board
    return sum(
        dice.weight
        for dice in ROLLS
        if any(play.board.winner is WHITE for play in legal_plays(board, WHITE, dice))
    )


def _shown(position: Position) -> str:
    situation = position.situation
    return str(compute_offered_value(situation)) if situation.offer else format_cube_face(situation)


def _double(position: Position) -> str:
    """Return "yes", or the rule that forbids you to double before you roll."""
    situation = position.situation
    game = replace(
        Game.start(Rules(length=situation.length), crawford=situation.crawford),
        board=situation.board,
        cube=situation.cube,
        phase=Phase.TO_ROLL,
        turn=WHITE,
    )
    return game.why_no_double.rule if game.why_no_double else "yes"


@pytest.mark.parametrize("name", load_positions())
def test_what_a_diagram_claims_holds(name: str) -> None:
    assert faults(load_positions()[name]) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {"you": "20:1", "they": "9:2", "dice": "6-5", "legal": ["20/15"]},
        {"you": "20:1", "they": "9:2", "dice": "6-5", "illegal": {"20/14": "R21"}},
        {"you": "20:1", "they": "9:2", "dice": "6-5", "illegal": {"20/15": "R20"}},
        {"you": "20:1", "they": "9:2", "dice": "6-5", "plays": 2},
        {"you": "20:1", "they": "9:2", "dice": "6-5", "plays": 0},
        {"you": "20:1", "they": "9:2", "legal": ["20/14"]},
        {"start": True, "pips": [167, 166]},
        {"start": True, "cube": 2, "face": "4"},
        {"start": True, "cube": 2, "owner": "they", "double": "yes"},
        {"start": True, "cube": 2, "owner": "you", "double": "R45"},
        {"start": True, "length": 5, "score": [4, 0], "crawford": True, "double": "yes"},
        {"they": "24:15", "won": 1},
        {"start": True, "won": 1},
        {"you": "2:2", "they": "24:1", "rolls": 25},
    ],
)
def test_a_wrong_claim_would_be_found(wrong: dict[str, object]) -> None:
    assert faults(read_position("wrong", wrong))
