"""The picture of a bracket as SVG. Colours and fonts are in the style sheet; here are only classes.

Names are fitted into their boxes: SVG text neither wraps nor shortens itself.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import escape
from typing import Final

from draw.drawing.layout import DENSE, Box, BoxRow, Heading, Line, Picture, PlacedBox, Sizes

NAME_SIZE: Final = 13.5
SMALL_SIZE: Final = 12.0
LINES_END: Final = "</g><g>"
# Widths of our sans serif in em, coarse, and too wide rather than too narrow.
NARROW: Final = frozenset("iljftrI.,:;'|!()[] -\u2019")
WIDE: Final = frozenset("mwMW@%—")
DOTS: Final = "…"


def _render_backgrounds(sizes: Sizes) -> str:
    """Render backgrounds for an upper, a lower and a single row, with the rounded corners of their box."""
    wide, row = sizes.width, sizes.row
    side = row - 8
    return (
        f'<defs><path id="row-a" d="M8 0H{wide - 8}a8 8 0 0 1 8 8v{side}H0V8a8 8 0 0 1 8 -8z"/>'
        f'<path id="row-b" d="M0 {row}H{wide}v{side}a8 8 0 0 1 -8 8H8a8 8 0 0 1 -8 -8z"/>'
        f'<rect id="row-c" width="{wide}" height="{row}" rx="7"/></defs>'
    )


def measure_width(text: str) -> float:
    """Estimate the width of a text, in em.

    >>> measure_width("Milan") < measure_width("Momow")
    True
    """
    return sum(_measure_char(char) for char in text)


@lru_cache(maxsize=2048)
def _measure_char(char: str) -> float:
    if unicodedata.combining(char):
        return 0.0
    if unicodedata.east_asian_width(char) in "WF":
        return 1.0
    plain = unicodedata.normalize("NFD", char)[0]
    if plain in NARROW:
        return 0.36
    if plain in WIDE:
        return 0.9
    return 0.7 if plain.isupper() else 0.59


@lru_cache(maxsize=4096)
def fit_name(name: str, size: float, *, is_name: bool = True) -> str:
    """Shorten a text to fit in *size* em: first, for names, to initials, then with an ellipsis.

    >>> fit_name("Ada Okafor", 12)
    'Ada Okafor'
    >>> fit_name("Bartholomew Featherstonehaugh", 12)
    'B. Featherstonehaugh'
    >>> fit_name("Bartholomew Featherstonehaugh", 8)
    'B. Featherston…'
    """
    if measure_width(name) <= size:
        return name
    *given, family = name.split(" ") if is_name else [name]
    short = " ".join([f"{part[:1]}." for part in given if part] + [family])
    if measure_width(short) <= size:
        return short
    fitting = ""
    for char in short:
        if measure_width(fitting + char + DOTS) > size:
            break
        fitting += char
    return fitting.rstrip() + DOTS


def _measure_room(sizes: Sizes, beside: int) -> float:
    """Return the room for text, in em, in a row where other things take *beside* pixels."""
    return (sizes.width - 12 - beside) / (SMALL_SIZE if sizes is DENSE else NAME_SIZE)


def measure_hint_room(sizes: Sizes) -> float:
    """Return the room for a hint, in em; a hint has the whole row."""
    return _measure_room(sizes, 8) * 1.06


def render_svg(picture: Picture, label: str) -> str:
    """Render the picture; `label` describes it for screen readers."""
    width, height = _format_number(picture.width), _format_number(picture.height)
    sizes = picture.sizes
    dense = " sheet-svg--dense" if sizes is DENSE else ""
    head = (
        f'<svg class="sheet-svg{dense}" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        f' role="group" aria-label="{escape(label)}">'
    )
    parts = [head, _render_backgrounds(sizes), '<g class="ways">']
    parts += [_render_line(line, sizes) for line in picture.lines]
    parts.append(LINES_END)
    index = {placed.box.key: at for at, placed in enumerate(picture.boxes)}
    for placed in picture.boxes:
        parts += _render_box(placed, sizes, _render_targets(placed.box, index))
    parts.append("</g>")
    for heading in picture.headings:
        parts += _render_heading(heading)
    parts.append("</svg>")
    return "".join(parts)


def highlight_player(svg: str, number: int) -> str:
    """Highlight the path of one player in all brackets of the picture.

    >>> highlight_player('<g class="ways"><path data-n="4" d="M0 0"/></g><g><g data-n="4"/></g>', 4)
    '<g class="ways"><path data-n="4" d="M0 0"/><path data-n="4" data-f d="M0 0"/></g><g><g data-n="4" data-f/></g>'
    """
    mark = f'data-n="{number}"'
    lines, end, boxes = svg.partition(LINES_END)
    # On top of all other lines, which would otherwise cover the end of the path.
    again = "".join(re.findall(rf"<path {mark}[^>]*/>", lines)).replace(mark, f"{mark} data-f")
    return lines + again + end + boxes.replace(mark, f"{mark} data-f")


# The same few coordinates recur in every line and box.
@lru_cache(maxsize=1 << 14)
def _format_number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _render_line(line: Line, sizes: Sizes) -> str:
    bend = line.x2 - sizes.between / 2
    way = f"M{_format_number(line.x1)} {_format_number(line.y1)}H{_format_number(bend)}V{_format_number(line.y2)}H{_format_number(line.x2)}"
    if line.y1 == line.y2:
        way = f"M{_format_number(line.x1)} {_format_number(line.y1)}H{_format_number(line.x2)}"
    who = f' data-n="{line.number}"' if line.number else ""
    return f'<path{who} d="{way}"/>'


def _render_heading(heading: Heading) -> Iterator[str]:
    where = f'x="{_format_number(heading.x)}" y="{_format_number(heading.y)}"'
    if heading.name:
        yield (
            f'<text class="h" role="heading" aria-level="2" id="b-{escape(heading.name)}" {where}>'
            f"{escape(heading.text)}</text>"
        )
        return
    yield f'<text class="t" {where}>{escape(heading.text)}</text>'
    small = " \u00b7 ".join(part for part in (escape(heading.small), heading.begins) if part)
    if small:
        yield f'<text class="l" x="{_format_number(heading.x)}" y="{_format_number(heading.y + 17)}">{small}</text>'


def _render_targets(box: Box, index: Mapping[str, int]) -> str:
    """Render the next places of winner and loser as attributes: by index, or by title in another picture."""
    attributes = f' data-c="{escape(box.title)}"' if box.title else ""
    for mark, key, title in (("w", box.winner_to, box.winner_title), ("l", box.loser_to, box.loser_title)):
        if key in index:
            attributes += f' data-{mark}="{index[key]}"'
        elif title:
            attributes += f' data-{mark}="{escape(title)}"'
    return attributes


def _render_box(placed: PlacedBox, sizes: Sizes, ways: str) -> Iterator[str]:
    box, wide, row = placed.box, sizes.width, sizes.row
    kind = f"{box.state} title" if box.is_title and box.state == "decided" else box.state
    if box.mark:
        kind = f"{kind} {box.mark}"
    yield f'<g class="p {kind}"{ways} transform="translate({_format_number(placed.x)} {_format_number(placed.y)})">'
    if box.state == "bye":
        side = box.a if box.a.number else box.b
        yield f'<rect width="{wide}" height="{row}" rx="7"/>'
        yield from _render_row(side, 0, box, sizes, is_alone=True)
        yield f'<text class="s" x="{wide - 12}" y="{_format_baseline(sizes)}">{escape(box.note)}</text></g>'
        return
    yield f'<rect width="{wide}" height="{sizes.height}" rx="8"/>'
    yield from _render_row(box.a, 0, box, sizes)
    yield from _render_row(box.b, row, box, sizes)
    yield f'<path d="M0 {row}H{wide}"/>'
    if box.note:
        note = f'<text class="n" x="{wide - 12}" y="{row + 4.5}">{escape(box.note)}</text>'
        yield f'<a href="{escape(box.href)}">{note}</a>' if box.href else note
    if box.state == "live":
        yield f'<circle cx="{wide - 14}" cy="0" r="4.5"/>'
    yield "</g>"


def _render_row(side: BoxRow, top: int, box: Box, sizes: Sizes, *, is_alone: bool = False) -> Iterator[str]:
    y = _format_baseline(sizes, top)
    if not side.number:
        if side.hint:
            hint = fit_name(side.hint, measure_hint_room(sizes), is_name=False)
            yield f'<text class="q" x="12" y="{y}">{escape(hint)}</text>'
        return
    kind = "w" if side.is_winner and not is_alone else "o" if side.is_out else ""
    classes = f' class="{kind}"' if kind else ""
    # The winner's name is bold.
    shown = fit_name(side.name, _measure_room(sizes, 52 if kind == "w" else 44))
    title = f"<title>{escape(side.name)}</title>" if shown != side.name else ""
    yield f'<g data-n="{side.number}"{classes}><use href="#row-{"c" if is_alone else "b" if top else "a"}"/>'
    name = f'<text x="12" y="{y}">{escape(shown)}</text>'
    yield f'<a href="{escape(side.href)}">{title}{name}</a>' if side.href else f"{title}{name}"
    if side.score:
        yield f'<text class="s" x="{sizes.width - 12}" y="{y}">{escape(side.score)}</text>'
    yield "</g>"


def _format_baseline(sizes: Sizes, top: int = 0) -> str:
    return _format_number(top + sizes.row / 2 + (4 if sizes is DENSE else 4.5))
