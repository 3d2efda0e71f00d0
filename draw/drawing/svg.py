"""The picture of a bracket as SVG. Colours and type are the style sheet's: here are only classes."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Final

from draw.drawing.fitting import fit
from draw.drawing.layout import DENSE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from draw.drawing.layout import Box, BoxRow, Heading, Line, Picture, Placed, Sizes

NAME_SIZE: Final = 13.5
SMALL_SIZE: Final = 12.0
LINES_END: Final = "</g><g>"


def _grounds(sizes: Sizes) -> str:
    """Return the grounds of an upper, a lower and a lone row, rounded where their box is."""
    wide, row = sizes.width, sizes.row
    side = row - 8
    return (
        f'<defs><path id="row-a" d="M8 0H{wide - 8}a8 8 0 0 1 8 8v{side}H0V8a8 8 0 0 1 8 -8z"/>'
        f'<path id="row-b" d="M0 {row}H{wide}v{side}a8 8 0 0 1 -8 8H8a8 8 0 0 1 -8 -8z"/>'
        f'<rect id="row-c" width="{wide}" height="{row}" rx="7"/></defs>'
    )


def _room(sizes: Sizes, beside: int) -> float:
    """Return for how many letters of the name's size there is room beside so many pixels."""
    return (sizes.width - 12 - beside) / (SMALL_SIZE if sizes is DENSE else NAME_SIZE)


def room_for_hint(sizes: Sizes) -> float:
    """Return for how many letters of a name's size there is room for who will come: nothing stands beside it."""
    return _room(sizes, 8) * 1.06


def draw(picture: Picture, label: str) -> str:
    """Return the picture; `label` says what it is to those who do not see it."""
    width, height = _n(picture.width), _n(picture.height)
    sizes = picture.sizes
    dense = " sheet-svg--dense" if sizes is DENSE else ""
    head = (
        f'<svg class="sheet-svg{dense}" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        f' role="group" aria-label="{escape(label)}">'
    )
    parts = [head, _grounds(sizes), '<g class="ways">']
    parts += [_line(line, sizes) for line in picture.lines]
    parts.append(LINES_END)
    index = {placed.box.key: at for at, placed in enumerate(picture.boxes)}
    for placed in picture.boxes:
        parts += _box(placed, sizes, _ways_on(placed.box, index))
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


# The same few places and heights come back in every line and box.
@lru_cache(maxsize=1 << 14)
def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _line(line: Line, sizes: Sizes) -> str:
    bend = line.x2 - sizes.between / 2
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
    small = " \u00b7 ".join(said for said in (escape(heading.small), heading.begins) if said)
    if small:
        yield f'<text class="l" x="{_n(heading.x)}" y="{_n(heading.y + 17)}">{small}</text>'


def _ways_on(box: Box, index: Mapping[str, int]) -> str:
    """Return where winner and loser go: the box by its turn in the picture, or by its name where it is in another."""
    said = f' data-c="{escape(box.title)}"' if box.title else ""
    for mark, key, title in (("w", box.winner_to, box.winner_title), ("l", box.loser_to, box.loser_title)):
        if key in index:
            said += f' data-{mark}="{index[key]}"'
        elif title:
            said += f' data-{mark}="{escape(title)}"'
    return said


def _box(placed: Placed, sizes: Sizes, ways: str) -> Iterator[str]:
    box, wide, row = placed.box, sizes.width, sizes.row
    kind = f"{box.state} title" if box.is_title and box.state == "decided" else box.state
    if box.mark:
        kind = f"{kind} {box.mark}"
    yield f'<g class="p {kind}"{ways} transform="translate({_n(placed.x)} {_n(placed.y)})">'
    if box.state == "bye":
        side = box.a if box.a.number else box.b
        yield f'<rect width="{wide}" height="{row}" rx="7"/>'
        yield from _row(side, 0, box, sizes, is_alone=True)
        yield f'<text class="s" x="{wide - 12}" y="{_baseline(sizes)}">{escape(box.note)}</text></g>'
        return
    yield f'<rect width="{wide}" height="{sizes.height}" rx="8"/>'
    yield from _row(box.a, 0, box, sizes)
    yield from _row(box.b, row, box, sizes)
    yield f'<path d="M0 {row}H{wide}"/>'
    if box.note:
        note = f'<text class="n" x="{wide - 12}" y="{row + 4.5}">{escape(box.note)}</text>'
        yield f'<a href="{escape(box.href)}">{note}</a>' if box.href else note
    if box.state == "live":
        yield f'<circle cx="{wide - 14}" cy="0" r="4.5"/>'
    yield "</g>"


def _row(side: BoxRow, top: int, box: Box, sizes: Sizes, *, is_alone: bool = False) -> Iterator[str]:
    y = _baseline(sizes, top)
    if not side.number:
        if side.hint:
            hint = fit(side.hint, room_for_hint(sizes), is_name=False)
            yield f'<text class="q" x="12" y="{y}">{escape(hint)}</text>'
        return
    kind = "w" if side.is_winner and not is_alone else "o" if side.is_out else ""
    classes = f' class="{kind}"' if kind else ""
    # The winner's name is bold.
    shown = fit(side.name, _room(sizes, 52 if kind == "w" else 44))
    title = f"<title>{escape(side.name)}</title>" if shown != side.name else ""
    yield f'<g data-n="{side.number}"{classes}><use href="#row-{"c" if is_alone else "b" if top else "a"}"/>'
    name = f'<text x="12" y="{y}">{escape(shown)}</text>'
    yield f'<a href="{escape(side.href)}">{title}{name}</a>' if side.href else f"{title}{name}"
    if side.score:
        yield f'<text class="s" x="{sizes.width - 12}" y="{y}">{escape(side.score)}</text>'
    yield "</g>"


def _baseline(sizes: Sizes, top: int = 0) -> str:
    """Return where letters stand in the row that begins at *top*."""
    return _n(top + sizes.row / 2 + (4 if sizes is DENSE else 4.5))
