"""A small drawing of a board: checkers, dice and cube on a table symbol that all boards of a page share.

The table is a symbol in `static/img/mini.svg`, which this module also draws; a thumbnail refers to it by URL.
A thumbnail has no tray and no gradients, and relies on text beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.board import Board
from engine.layout import Layout, compute_offered_value, format_cube_face, wrap_in_situation
from engine.side import WHITE, Side
from engine.situation import Situation
from engine.svg import SPOTS

POINT, FRAME, BAR, HEIGHT = 20, 12, 22, 206
HALF: Final = 6 * POINT
WIDTH: Final = 2 * FRAME + 2 * HALF + BAR
RIGHT: Final = FRAME + HALF + BAR
TOP, MIDDLE, BOTTOM = FRAME, HEIGHT // 2, HEIGHT - FRAME
LENGTH: Final = 78
STEP: Final = 16
BAR_X: Final = WIDTH // 2
# The maximum height of a stack; its innermost checker shows the count.
MOST: Final = 5
# White's view for every board, since they all share the table.
SEEN: Final = Layout(WHITE)


def render_mini_board(scene: Situation | Board, *, table: str, numbers: str = "") -> str:
    """Draw a thumbnail; *table* and *numbers* are the URLs of the symbols that `render_mini_table` draws.

    >>> from engine.board import STANDARD
    >>> render_mini_board(STANDARD, table="mini.svg#table")[:40]
    '<svg class="mini" viewBox="0 0 286 206" '
    """
    situation = wrap_in_situation(scene)
    parts = (*_render_checkers(situation.board), *_render_dice(situation), *_render_cube(situation))
    tables = "".join(f'<use href="{address}"/>' for address in (table, numbers) if address)
    return (
        f'<svg class="mini" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true" focusable="false">'
        f"{tables}{''.join(parts)}</svg>"
    )


def render_mini_table() -> str:
    """Draw the table as one symbol and the numbers of White's points as another (R66)."""
    points = {"light": "", "dark": ""}
    for point in range(1, 25):
        above = point > 12
        base, tip = (TOP, TOP + LENGTH) if above else (BOTTOM, BOTTOM - LENGTH)
        points["dark" if point % 2 else "light"] += (
            f"M{_compute_x(point) - 9} {base}h18L{_compute_x(point)} {tip}z"
        )
    numbers = "".join(
        f'<text x="{_compute_x(point)}" y="{TOP - 3 if point > 12 else HEIGHT - 3}">{point}</text>'
        for point in range(1, 25)
    )
    halves = "".join(f"M{x} {TOP}h{HALF}v{BOTTOM - TOP}h-{HALF}z" for x in (FRAME, RIGHT))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"><g id="table">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#52361f"/>'
        f'<path d="{halves}" fill="#1c5743"/>'
        f'<path d="{points["light"]}" fill="#cbb98f"/><path d="{points["dark"]}" fill="#86402f"/>'
        f'</g><g id="numbers" fill="#e8dcc4" font-family="system-ui,sans-serif" font-size="9" text-anchor="middle">'
        f"{numbers}</g></svg>\n"
    )


def _compute_x(point: int) -> int:
    column = (SEEN.upper if point > 12 else SEEN.lower).index(point)
    return (FRAME if column < 6 else RIGHT) + column % 6 * POINT + POINT // 2


def _render_checkers(board: Board) -> Iterator[str]:
    """Draw both sides: a checker is a zero-length line with round ends, drawn as rim, face and ring."""
    for side in Side:
        dots, counts = "", ""
        for number, x, y, step in _list_stacks(board, side):
            dots += f"M{x} {y}h0" + f"m0 {step}h0" * (min(number, MOST) - 1)
            if number > MOST:
                counts += f'<text x="{x}" y="{y + (MOST - 1) * step + 4}">{number}</text>'
        if dots:
            yield "".join(
                f'<path class="mini__{part} mini--{side.word}" d="{dots}"/>'
                for part in ("rim", "face", "ring")
            )
        if counts:
            yield f'<g class="mini__count mini--{side.word}">{counts}</g>'


def _list_stacks(board: Board, side: Side) -> Iterator[tuple[int, int, int, int]]:
    """Yield the number of checkers, the position of the first one, and the direction of each stack."""
    for point in range(1, 25):
        owner, number = SEEN.checkers(board, point)
        if owner is side and number:
            yield (
                (number, _compute_x(point), TOP + 9, STEP)
                if point > 12
                else (number, _compute_x(point), BOTTOM - 9, -STEP)
            )
    if number := board.bar(side):
        way = 1 if side is WHITE else -1
        yield number, BAR_X, MIDDLE + way * 28, way * STEP


def _render_dice(situation: Situation) -> Iterator[str]:
    """Draw the dice in the half to the right of the side that rolled."""
    if situation.dice is None:
        return
    name = situation.turn.word
    middle = (RIGHT if situation.turn is WHITE else FRAME) + HALF // 2
    for die, x in ((situation.dice.high, middle - 12), (situation.dice.low, middle + 12)):
        spots = "".join(f"M{x + 5 * dx} {MIDDLE + 5 * dy}h0" for dx, dy in SPOTS[die])
        yield _render_square(x, MIDDLE, 18, f"mini__die mini--{name}")
        yield f'<path class="mini__spots mini--{name}" d="{spots}"/>'


def _render_cube(situation: Situation) -> Iterator[str]:
    """Draw the cube on the bar at its owner's end, or in front of the side it is offered to."""
    owner, x = situation.cube.owner, BAR_X
    if situation.offer is not None:
        x = (FRAME if situation.actor is not WHITE else RIGHT) + HALF // 2
        face, y = str(compute_offered_value(situation)), MIDDLE
    else:
        face = format_cube_face(situation)
        y = MIDDLE if owner is None else BOTTOM - 10 if owner is WHITE else TOP + 10
    if face:
        yield f'{_render_square(x, y, 18, "mini__cube")}<text class="mini__value" x="{x}" y="{y + 4}">{face}</text>'


def _render_square(x: int, y: int, size: int, name: str) -> str:
    return f'<rect class="{name}" x="{x - size // 2}" y="{y - size // 2}" width="{size}" height="{size}" rx="4"/>'
