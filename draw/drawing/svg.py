"""The picture of a bracket as SVG. Colours and type are the style sheet's: here are only classes."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Final

from draw.drawing.fitting import fit
from draw.drawing.layout import BETWEEN, HEIGHT, ROW, WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draw.drawing.layout import Box, BoxRow, Heading, Line, Picture, Placed

NAME_SIZE: Final = 13.5
FOR_NAME: Final = (WIDTH - 12 - 44) / NAME_SIZE
FOR_WINNER: Final = (WIDTH - 12 - 52) / NAME_SIZE  # bold
FOR_HINT: Final = (WIDTH - 12 - 8) / 12.5  # nothing stands beside it
LINES_END: Final = "</g><g>"
# The grounds of an upper, a lower and a lone row, rounded where their box is.
GROUNDS: Final = (
    f'<defs><path id="row-a" d="M8 0H{WIDTH - 8}a8 8 0 0 1 8 8v18H0V8a8 8 0 0 1 8 -8z"/>'
    f'<path id="row-b" d="M0 {ROW}H{WIDTH}v18a8 8 0 0 1 -8 8H8a8 8 0 0 1 -8 -8z"/>'
    f'<rect id="row-c" width="{WIDTH}" height="{ROW}" rx="7"/></defs>'
)


def draw(picture: Picture, label: str) -> str:
    """Return the picture; `label` says what it is to those who do not see it."""
    width, height = _n(picture.width), _n(picture.height)
    head = (
        f'<svg class="sheet-svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        f' role="group" aria-label="{escape(label)}">'
    )
    parts = [head, GROUNDS, '<g class="ways">']
    parts += map(_line, picture.lines)
    parts.append(LINES_END)
    for placed in picture.boxes:
        parts += _box(placed)
    parts.append("</g>")
    for heading in picture.headings:
        parts += _heading(heading)
    parts.append("</svg>")
    return "".join(parts)


def lit(svg: str, number: int) -> str:
    """Return the picture with the way of one player lit in all its brackets.

    >>> lit('<g class="ways"><path data-n="4" d="M0 0"/></g><g><g data-n="4"/></g>', 4)
    '<g class="ways"><path data-n="4" d="M0 0"/><path data-n="4" data-f d="M0 0"/></g><g><g data-n="4" data-f/></g>'
    """
    mark = f'data-n="{number}"'
    lines, end, boxes = svg.partition(LINES_END)
    # On top of all other lines, or the last part of a way would lie under that of whoever lost to them.
    again = "".join(re.findall(rf"<path {mark}[^>]*/>", lines)).replace(mark, f"{mark} data-f")
    return lines + again + end + boxes.replace(mark, f"{mark} data-f")


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _line(line: Line) -> str:
    bend = line.x2 - BETWEEN / 2
    way = f"M{_n(line.x1)} {_n(line.y1)}H{_n(bend)}V{_n(line.y2)}H{_n(line.x2)}"
    if line.y1 == line.y2:
        way = f"M{_n(line.x1)} {_n(line.y1)}H{_n(line.x2)}"
    who = f' data-n="{line.number}"' if line.number else ""
    return f'<path{who} d="{way}"/>'


def _heading(heading: Heading) -> Iterator[str]:
    where = f'x="{_n(heading.x)}" y="{_n(heading.y)}"'
    if heading.name:
        yield (
            f'<text class="h" role="heading" aria-level="2" id="b-{escape(heading.name)}" {where}>'
            f"{escape(heading.text)}</text>"
        )
        return
    yield f'<text class="t" {where}>{escape(heading.text)}</text>'
    if heading.small:
        yield f'<text class="l" x="{_n(heading.x)}" y="{_n(heading.y + 17)}">{escape(heading.small)}</text>'


def _box(placed: Placed) -> Iterator[str]:
    box = placed.box
    yield f'<g class="p {box.state}" transform="translate({_n(placed.x)} {_n(placed.y)})">'
    if box.state == "bye":
        side = box.a if box.a.number else box.b
        yield f'<rect width="{WIDTH}" height="{ROW}" rx="7"/>'
        yield from _row(side, 0, box, is_alone=True)
        yield f'<text class="s" x="{WIDTH - 12}" y="17.5">{escape(box.note)}</text></g>'
        return
    yield f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8"/>'
    yield from _row(box.a, 0, box)
    yield from _row(box.b, ROW, box)
    yield f'<path d="M0 {ROW}H{WIDTH}"/>'
    if box.note:
        note = f'<text class="n" x="{WIDTH - 12}" y="{ROW + 4.5}">{escape(box.note)}</text>'
        yield f'<a href="{escape(box.href)}">{note}</a>' if box.href else note
    if box.state == "live":
        yield f'<circle cx="{WIDTH - 14}" cy="0" r="4.5"/>'
    yield "</g>"


def _row(side: BoxRow, top: int, box: Box, *, is_alone: bool = False) -> Iterator[str]:
    y = _n(top + 17.5)
    if not side.number:
        if side.hint:
            yield f'<text class="q" x="12" y="{y}">{escape(fit(side.hint, FOR_HINT, is_name=False))}</text>'
        return
    kind = "w" if side.is_winner and not is_alone else "o" if side.is_out else ""
    classes = f' class="{kind}"' if kind else ""
    shown = fit(side.name, FOR_WINNER if kind == "w" else FOR_NAME)
    title = f"<title>{escape(side.name)}</title>" if shown != side.name else ""
    yield f'<g data-n="{side.number}"{classes}><use href="#row-{"c" if is_alone else "b" if top else "a"}"/>'
    name = f'<text x="12" y="{y}">{escape(shown)}</text>'
    yield f'<a href="{escape(side.href)}">{title}{name}</a>' if side.href else f"{title}{name}"
    if side.score:
        yield f'<text class="s" x="{WIDTH - 12}" y="{y}">{escape(side.score)}</text>'
    yield "</g>"
