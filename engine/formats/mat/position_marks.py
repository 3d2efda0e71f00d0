"""Positions inside a match: Snowie's ``Illegal play (...)`` (Q-28) and XG's ``; Set Pos=`` (Q-26)."""

from __future__ import annotations

import re
from typing import Final

from engine.board import CHECKERS, Board
from engine.cube import Cube
from engine.errors import EngineError, Unreadable
from engine.formats import snowie
from engine.formats.mat.cells import DICE
from engine.formats.mat.headings import Heading
from engine.sheet import Claim, PositionClaim, Turn, TurnKind
from engine.side import BLACK, WHITE, Side

SET: Final = re.compile(
    r"[;#]\s*Set\s+Pos\s*=\s*([-A-Pa-p]{26})\s*/\s*(-?\d{1,2})\b", re.IGNORECASE | re.ASCII
)
# Our own mark, which no other program writes: equal opening dice that turned the cube (R10).
AUTOMATIC: Final = "; Automatic double"


def parse_illegal_play(
    side: Side, text: str, length: int | None, heading: Heading | None, checkers: int = CHECKERS
) -> tuple[Claim, ...]:
    """Parse *side*'s ``21: Illegal play (...)``: a roll, then the position after the play.

    The player on roll in its position line is the one who moves next; if the names say otherwise, they decide
    whose checkers are the positive ones. Raises Unreadable if it shows no position, or one of another game.
    """
    turn = Turn(side, DICE.get(text[:3]), TurnKind.UNKNOWN, text=text.partition("(")[0].strip())
    _, opened, inner = text.partition("(")
    if not opened:
        return (turn,)
    line = snowie.parse_line(inner.strip().removesuffix(")"))
    viewer = side.other
    if heading is not None:
        named = [side for side in Side if heading.names[side] == line.names[0]]
        viewer = named[0] if len(named) == 1 else viewer
        if (line.length, *line.score) != (length, heading.score[viewer], heading.score[viewer.other]):
            raise Unreadable("bad-position", "The position after an illegal play is one of another game.")
    try:
        placing = PositionClaim(
            line.board(viewer, checkers), side.other, line.cube_of(viewer), declared_illegal=True, text=text
        )
    except EngineError as error:
        raise Unreadable("bad-position", f"The position after an illegal play cannot be: {error}") from error
    return (turn, placing)


def parse_set_position(comment: str, checkers: int = CHECKERS) -> PositionClaim | None:
    """Return the position set by a comment, None if it sets none.

    Capitals are the left side's checkers; the cube is the left side's if its power is positive.

    >>> placing = parse_set_position("; Set Pos=-b----E-C---eE---c-e----B-/0")
    >>> placing.board.text()
    'white 24:2 13:5 8:3 6:5 black 24:2 13:5 8:3 6:5'
    """
    found = SET.match(comment)
    if found is None:
        return None
    letters, power = found[1], int(found[2])
    try:
        cube = Cube(1 << abs(power), None if power == 0 else WHITE if power > 0 else BLACK)
        return PositionClaim(Board.from_letters(letters, WHITE, checkers), cube=cube, text=comment)
    except EngineError as error:
        raise Unreadable("bad-position", f"The position set here cannot be: {error}") from error
