"""The rendering of a board as text; `engine.svg` draws it."""

from __future__ import annotations

from typing import Final

from engine.board import Board
from engine.layout import (
    Layout,
    compute_offered_value,
    describe_next_action,
    format_cube_face,
    wrap_in_situation,
)
from engine.side import BLACK, WHITE, Side
from engine.situation import Situation, Stage

LETTERS: Final = {WHITE: "O", BLACK: "X"}
# The height of a point in rows; with more checkers the innermost place shows the count.
ROWS: Final = 5


def ascii_board(scene: Situation | Board, layout: Layout | None = None) -> str:
    """Render the board as text, ``O`` for White and ``X`` for Black, with the side on roll at the bottom.

    >>> from engine.side import BySide
    >>> print(ascii_board(Situation(players=BySide("Ann", "Ben"), length=5, score=BySide(2, 0))))
     +13-14-15-16-17-18-+---+19-20-21-22-23-24-+
     | O           X    |   | X              O |  X Ben
     | O           X    |   | X              O |  pips 167
     | O           X    |   | X                |  score 0
     | O                |   | X                |
     | O                |   | X                |
     |                  |BAR|                  |  cube [64]  5 point match
     | X                |   | O                |
     | X                |   | O                |
     | X           O    |   | O                |  score 2
     | X           O    |   | O              X |  pips 167
     | X           O    |   | O              X |  O Ann to roll
     +12-11-10--9--8--7-+---+-6--5--4--3--2--1-+
    """
    situation = wrap_in_situation(scene)
    layout = layout or Layout(situation.turn)
    above, below = layout.below.other, layout.below
    board = situation.board
    lines = [
        _ruler(layout, layout.upper),
        *(_row(board, layout, layout.upper, row, above) for row in range(ROWS)),
        _line(" " * 18, "BAR", " " * 18),
        *(_row(board, layout, layout.lower, row, below) for row in reversed(range(ROWS))),
        _ruler(layout, layout.lower),
    ]
    notes = ["", *_notes(situation, above), _middle(situation), *reversed(_notes(situation, below)), ""]
    return "\n".join(f" {line}  {note}".rstrip() for line, note in zip(lines, notes, strict=True))


def _ruler(layout: Layout, points: tuple[int, ...]) -> str:
    labels = [f"{layout.label(point):->2}" for point in points]
    return f"+{'-'.join(labels[:6])}-+---+{'-'.join(labels[6:])}-+"


def _line(left: str, bar: str, right: str) -> str:
    return f"|{left}|{bar}|{right}|"


def _row(board: Board, layout: Layout, points: tuple[int, ...], row: int, side: Side) -> str:
    """Return one row of a half, counted from its edge; the bar fills from the middle."""
    cells = [_cell(*layout.checkers(board, point), row) for point in points]
    bar = _cell(side, board.bar(side), ROWS - 1 - row)
    return _line("".join(cells[:6]), bar, "".join(cells[6:]))


def _cell(side: Side, checkers: int, row: int) -> str:
    if row >= checkers:
        return "   "
    return f"{checkers:>2} " if checkers > ROWS and row == ROWS - 1 else f" {LETTERS[side]} "


def _notes(situation: Situation, side: Side) -> list[str]:
    """Return the notes beside a half, from its edge inwards."""
    board, playing = situation.board, situation.stage is Stage.PLAYING
    acts = f" {describe_next_action(situation)}" if playing and situation.actor is side else ""
    off = f"  off {board.off(side)}" if board.off(side) else ""
    known = any(situation.score) or situation.length or playing
    held = format_cube_face(situation) and situation.cube.owner is side
    return [
        f"{LETTERS[side]} {situation.players[side] or side.word}{acts}",
        f"pips {board.pips(side)}{off}",
        f"score {situation.score[side]}" if known else "",
        f"cube [{situation.cube.value}]" if held else "",
        "",
    ]


def _middle(situation: Situation) -> str:
    face = format_cube_face(situation)
    words = [
        f"cube [{face}]" if face and situation.cube.owner is None and not situation.offer else "",
        f"offered [{compute_offered_value(situation)}]" if situation.offer else "",
        f"{situation.length} point match" if situation.length else "",
        "Crawford game" if situation.crawford else "",
    ]
    return "  ".join(word for word in words if word)
