"""Snowie: its position line of forty fields, also used in its marker of an illegal play.

Snowie's text of a whole match has the layout of ``.mat`` (`engine.formats.mat`); a position line is alone in
a file, or in a cell of a match: ``21: Illegal play (5;0;1;0;1;...)``.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from engine.board import CHECKERS, Board
from engine.cube import Cube
from engine.dice import Dice
from engine.errors import EngineError, Unreadable
from engine.side import Side, order_by_side
from engine.situation import Situation, build_score

FIELDS: Final = 40
INTEGER: Final = re.compile(r"-?\d{1,5}", re.ASCII)
NAMES: Final = (5, 6)
NUMBERS: Final = slice(12, 38)


class PositionLine(NamedTuple):
    """A raw position line: ``numbers`` and ``score`` from the view of the player it calls on roll."""

    length: int
    jacoby: bool
    player: int  # 0 for the left side, 1 for the right one
    names: tuple[str, str]  # the player on roll first, also in the score
    crawford: bool
    score: tuple[int, int]
    cube: int
    owner: int  # 1 the player on roll, -1 the opponent, 0 centred
    numbers: tuple[int, ...]
    dice: tuple[int, int]

    def board(self, viewer: Side, checkers: int = CHECKERS) -> Board:
        """Return the board, where the positive checkers are *viewer*'s."""
        mine = {point: number for point, number in enumerate(self.numbers) if number > 0}
        theirs = {25 - point: -number for point, number in enumerate(self.numbers) if number < 0}
        # Only the sign shows the owner of a checker on the bar; some writers exchange the two places.
        for side in (mine, theirs):
            if 0 in side:
                side[25] = side.pop(0) + side.get(25, 0)
        white, black = order_by_side(viewer, mine, theirs)
        return Board.from_counts(white, black, checkers)

    def cube_of(self, viewer: Side) -> Cube:
        """Return the cube, where *viewer* is the player called on roll."""
        return Cube(self.cube, {1: viewer, -1: viewer.other}.get(self.owner))


def parse_line(text: str) -> PositionLine:
    """Parse the fields without checking that the position is possible."""
    fields = text.strip().removesuffix(";").split(";")
    if len(fields) != FIELDS:
        raise Unreadable("bad-position", f"A Snowie position has {FIELDS} fields, this one {len(fields)}.")
    values = [0] * FIELDS
    for index, field in enumerate(fields):
        if index not in NAMES:
            if not INTEGER.fullmatch(field.strip()):
                raise Unreadable("bad-position", f"{field[:20]!r} is no number, as field {index} must be.")
            values[index] = int(field)
    return PositionLine(
        length=values[0],
        jacoby=values[1] == 1,
        player=values[4],
        names=(fields[5].strip(), fields[6].strip()),
        crawford=values[7] == 1,
        score=(values[8], values[9]),
        cube=values[10],
        owner=values[11],
        numbers=tuple(values[NUMBERS]),
        dice=(values[38], values[39]),
    )


def decode(text: str) -> Situation:
    """Parse a position line.

    >>> decode(encode(Situation(length=3, dice=Dice(6, 4)))).dice
    Dice(high=6, low=4)
    """
    line = parse_line(text)
    if line.player not in (0, 1):
        raise Unreadable("bad-position", f"There is no player {line.player}: the one on roll is 0 or 1.")
    turn = Side(line.player)
    try:
        return Situation(
            board=line.board(turn),
            turn=turn,
            dice=Dice.from_numbers(*line.dice) if any(line.dice) else None,
            cube=line.cube_of(turn),
            length=line.length,
            score=build_score(line.length, *order_by_side(turn, *line.score)),
            crawford=bool(line.length) and line.crawford,
            jacoby=not line.length and line.jacoby,
            players=order_by_side(turn, *line.names),
        )
    except EngineError as error:
        raise Unreadable("bad-position", f"This is no position: {error}") from error


def encode(situation: Situation) -> str:
    """Return the position line of *situation*.

    >>> from engine.side import BySide
    >>> encode(Situation(players=BySide("Ann", "Ben")))[:50]
    '0;0;0;1;0;Ann;Ben;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0'
    """
    turn = situation.turn
    sides = (turn, turn.other)
    cube = situation.cube
    fields: list[object] = [
        situation.length,
        int(situation.jacoby),
        0,
        int(not situation.length),
        int(turn),
        *(situation.players[side].replace(";", ",") for side in sides),
        int(situation.crawford),
        *(situation.score[side] for side in sides),
        cube.value,
        0 if cube.owner is None else 1 if cube.owner is turn else -1,
        *situation.board.numbers(turn),
        *(situation.dice or (0, 0)),
    ]
    return "".join(f"{field};" for field in fields)
