"""A board drawn as SVG: one self-contained, static picture.

Colours are attributes, so that the picture looks right in any viewer; every part also has a class, so that a
page that includes the drawing can style it::

    .board .felt { fill: var(--felt) }
    .board .white { fill: var(--ivory); stroke: var(--rim); color: var(--ring) }

Parts: frame, slot, felt, light and dark (the points), ruler, pips, acts, white and black (the checkers),
count, off, die, spots, cube. Identifiers are unique to the drawing, so that a page can include many of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final, NamedTuple
from zlib import crc32

from engine.board import Board
from engine.layout import (
    Layout,
    compute_offered_value,
    describe_position,
    format_cube_face,
    wrap_in_situation,
)
from engine.side import BLACK, WHITE, Side
from engine.situation import Situation, Stage

# The geometry: checkers and halves are derived from the width of a point.
POINT: Final = 58
CHECKER: Final = 0.46 * POINT
STEP: Final = 0.935 * POINT
FRAME, BAR_WIDTH, TRAY, GAP = 26, 64, 74, 10
HALF: Final = 6 * POINT
HEIGHT: Final = 760
WIDTH: Final = 2 * FRAME + 2 * HALF + BAR_WIDTH + GAP + TRAY
TOP, MIDDLE, BOTTOM = FRAME, HEIGHT // 2, HEIGHT - FRAME
LENGTH: Final = 0.42 * (BOTTOM - TOP)
SLOT: Final = 311
# The maximum height of a stack; its innermost checker shows the count.
MOST: Final = 5

DEFINITIONS: Final = (
    '<linearGradient id="{k}f" x2="0" y2="1"><stop stop-color="#6f4b2d"/><stop offset="1" stop-color="#352010"/></linearGradient>'
    '<radialGradient id="{k}g" gradientUnits="userSpaceOnUse" cx="{x}" cy="190" r="640"><stop stop-color="#246a53"/>'
    '<stop offset=".55" stop-color="#1c5743"/><stop offset="1" stop-color="#164535"/></radialGradient>'
    '<radialGradient id="{k}i" cx=".38" cy=".3" r=".85"><stop stop-color="#fff"/><stop offset=".45" stop-color="#f8f1e2"/>'
    '<stop offset="1" stop-color="#ddd0b4"/></radialGradient>'
    '<radialGradient id="{k}e" cx=".38" cy=".3" r=".9"><stop stop-color="#57504a"/><stop offset=".4" stop-color="#2b2622"/>'
    '<stop offset="1" stop-color="#161310"/></radialGradient>'
    '<g id="{k}c"><circle class="shadow" cy="2" r="{shadow:g}" fill="#06150f" stroke="none" opacity=".38"/>'
    '<circle class="face" r="{r:g}"/><circle class="ring" r="{ring:g}" fill="none" stroke="currentColor" stroke-width="1.4"/></g>'
)
# A checker inherits its fill, rim and ring from the group it is in.
CHECKERS: Final = {
    WHITE: 'class="white" fill="url(#{k}i)" stroke="#b5a684" color="#cdbf9f"',
    BLACK: 'class="black" fill="url(#{k}e)" stroke="#080706" color="#5b5349"',
}
IVORY, EBONY = ("#fdfaf3", "#221d16"), ("#26221e", "#f1ebde")
COLOURS: Final = {WHITE: IVORY, BLACK: EBONY}
GOLD: Final = "#e0b445"


def svg_board(
    scene: Situation | Board,
    layout: Layout | None = None,
    *,
    title: str = "Backgammon position",
) -> str:
    """Draw the board, with the side on roll at the bottom unless *layout* says otherwise.

    >>> from engine.board import STANDARD
    >>> svg_board(STANDARD)[:52]
    '<svg xmlns="http://www.w3.org/2000/svg" class="board'
    """
    situation = wrap_in_situation(scene)
    drawing = _Drawing(situation, layout or Layout(situation.turn))
    body = "".join(drawing.parts())
    words = describe_position(situation)
    key = f"b{crc32((body + title + words).encode()):08x}"
    definitions = DEFINITIONS.format(
        k=key, x=drawing.bar_x, shadow=CHECKER + 0.8, r=CHECKER, ring=0.62 * CHECKER
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-labelledby="{key}t {key}d" font-family="Inter,system-ui,sans-serif" font-size="15" text-anchor="middle">'
        f'<title id="{key}t">{escape(title)}</title><desc id="{key}d">{escape(words)}</desc>'
        f"<defs>{definitions}</defs>{body.replace('{k}', key)}</svg>"
    )


class _Stack(NamedTuple):
    """Checkers on one place; x and y are the centre of the first one."""

    number: int
    x: float
    y: float
    step: float

    def checkers(self) -> Iterator[str]:
        for index in range(min(self.number, MOST)):
            yield f'<use href="#{{k}}c" x="{self.x:g}" y="{self.y + index * self.step:.4g}"/>'

    def figure(self, side: Side) -> str:
        y = self.y + (MOST - 1) * self.step + 7
        return _text(self.x, y, self.number, "count", COLOURS[side][1], size=20, bold=True)


class _Drawing:
    """The parts of one picture, from the frame to the cube."""

    def __init__(self, situation: Situation, layout: Layout) -> None:
        self.situation = situation
        self.layout = layout
        self.left = FRAME + (TRAY + GAP if layout.home_left else 0)
        self.right = self.left + HALF + BAR_WIDTH
        self.bar_x = self.left + HALF + BAR_WIDTH // 2
        self.tray_x = FRAME if layout.home_left else WIDTH - FRAME - TRAY

    def parts(self) -> Iterator[str]:
        yield from self._render_table()
        yield from self._render_points()
        yield from self._render_pips()
        for side in Side:
            stacks = list(self._list_stacks(side))
            yield f"<g {CHECKERS[side]}>{''.join(each for stack in stacks for each in stack.checkers())}</g>"
            yield from (stack.figure(side) for stack in stacks if stack.number > MOST)
            yield from self._render_off(side)
        yield from self._render_dice()
        yield from self._render_cube()

    def _compute_x(self, point: int) -> float:
        """Return the x coordinate of a point of the side at the bottom."""
        column = (self.layout.upper if point > 12 else self.layout.lower).index(point)
        return (self.left if column < 6 else self.right) + (column % 6 + 0.5) * POINT

    def _is_above(self, side: Side) -> bool:
        return side is not self.layout.below

    def _render_table(self) -> Iterator[str]:
        yield f'<rect class="frame" width="{WIDTH}" height="{HEIGHT}" rx="18" fill="url(#{{k}}f)"/>'
        for y in (TOP, BOTTOM - SLOT):
            yield (
                f'<rect class="slot" x="{self.tray_x}" y="{y}" width="{TRAY}" height="{SLOT}" rx="4" fill="#1a4a3a"/>'
            )
        for x in (self.left, self.right):
            yield (
                f'<rect class="felt" x="{x}" y="{TOP}" width="{HALF}" height="{BOTTOM - TOP}" rx="3" '
                f'fill="url(#{{k}}g)" stroke="#0b0603" stroke-opacity=".45" stroke-width="2"/>'
            )

    def _render_points(self) -> Iterator[str]:
        paths = {"light": "", "dark": ""}
        for point in range(1, 25):
            x, above = self._compute_x(point), point > 12
            base, tip = (TOP, TOP + LENGTH) if above else (BOTTOM, BOTTOM - LENGTH)
            path = f"M{x - POINT / 2 + 1.5:g} {base}h{POINT - 3}L{x:g} {tip:g}z"
            paths["dark" if point % 2 else "light"] += path
            yield _text(x, 18 if above else HEIGHT - 8, self.layout.label(point), "ruler", "#e8dcc4", size=13)
        for name, colour in (("light", "#cbb98f"), ("dark", "#86402f")):
            yield f'<path class="{name}" d="{paths[name]}" fill="{colour}"/>'

    def _render_pips(self) -> Iterator[str]:
        """Draw the pip counts at the ends of the bar; the one of the side to act has a gold background."""
        situation = self.situation
        for side in Side:
            y = 13 if self._is_above(side) else HEIGHT - 13
            acts = situation.stage is Stage.PLAYING and situation.actor is side
            if acts:
                yield f'<rect class="acts" x="{self.bar_x - 23}" y="{y - 10}" width="46" height="20" rx="10" fill="{GOLD}"/>'
            colour = "#221d16" if acts else "#e8dcc4"
            yield _text(self.bar_x, y + 5, situation.board.pips(side), "pips", colour, bold=True)

    def _list_stacks(self, side: Side) -> Iterator[_Stack]:
        board = self.situation.board
        for point in range(1, 25):
            owner, number = self.layout.checkers(board, point)
            if owner is side and number:
                edge, step = (TOP + STEP / 2, STEP) if point > 12 else (BOTTOM - STEP / 2, -STEP)
                yield _Stack(number, self._compute_x(point), edge, step)
        outwards = -1 if self._is_above(side) else 1
        yield _Stack(board.bar(side), self.bar_x, MIDDLE + outwards * 1.5 * POINT, outwards * STEP)

    def _render_off(self, side: Side) -> Iterator[str]:
        """Draw the checkers that are off on their edges in the tray."""
        number, (face, mark) = self.situation.board.off(side), COLOURS[side]
        edge, inwards = (TOP + 5, 12) if self._is_above(side) else (BOTTOM - 15, -12)
        for index in range(number):
            yield (
                f'<rect class="off {side.word}" x="{self.tray_x + 8}" y="{edge + index * inwards}" '
                f'width="{TRAY - 16}" height="10" rx="3" fill="{face}" stroke="{mark}" stroke-opacity=".45"/>'
            )
        if number:
            y = edge + number * inwards + 10 + inwards // 2
            yield _text(self.tray_x + TRAY / 2, y, number, "count", "#e8dcc4")

    def _render_dice(self) -> Iterator[str]:
        """Draw the dice in the right half of the side that rolled them, from that side's point of view."""
        dice, side = self.situation.dice, self.situation.turn
        if dice is None:
            return
        middle = self._compute_half_x(side)
        face, mark = COLOURS[side]
        for die, x in ((dice.high, middle - 34), (dice.low, middle + 34)):
            spots = "".join(f"M{x + 14 * dx} {MIDDLE + 14 * dy}h0" for dx, dy in SPOTS[die])
            yield _square(x, MIDDLE, 52, f"die {side.word}", face)
            yield f'<path class="spots" d="{spots}" stroke="{mark}" stroke-width="10" stroke-linecap="round"/>'

    def _compute_half_x(self, side: Side) -> int:
        return (self.left if self._is_above(side) else self.right) + HALF // 2

    def _render_cube(self) -> Iterator[str]:
        situation, x = self.situation, self.tray_x + TRAY // 2
        face, owner = format_cube_face(situation), situation.cube.owner
        if situation.offer is not None:
            yield from _die(
                self._compute_half_x(situation.actor), MIDDLE, str(compute_offered_value(situation)), 60
            )
        elif situation.crawford:
            yield from _die(x, MIDDLE, "Cr", 50, opacity=0.55)
        elif face:
            inwards = 0 if owner is None else -1 if self._is_above(owner) else 1
            yield from _die(x, MIDDLE + inwards * 74, face, 50)


# The positions of the spots of a die, from its centre.
SPOTS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def _die(x: int, y: int, face: str, size: int, opacity: float = 1) -> Iterator[str]:
    faded = f' opacity="{opacity}"' if opacity < 1 else ""
    yield f'<g class="cube"{faded}>{_square(x, y, size, "face", IVORY[0])}'
    yield _text(x, y + 8, face, "value", IVORY[1], size=22 if len(face) < 3 else 17, bold=True) + "</g>"


def _square(x: int, y: int, size: int, name: str, colour: str) -> str:
    corner = f'x="{x - size // 2}" y="{y - size // 2}" width="{size}" height="{size}" rx="9"'
    return f'<rect class="{name}" {corner} fill="{colour}" stroke="#06150f" stroke-opacity=".4"/>'


def _text(
    x: float, y: float, text: object, name: str, colour: str, size: int = 15, *, bold: bool = False
) -> str:
    style = (f' font-size="{size}"' if size != 15 else "") + (' font-weight="700"' if bold else "")
    return f'<text class="{name}" x="{x:g}" y="{y:g}" fill="{colour}"{style}>{text}</text>'
