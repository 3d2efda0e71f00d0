"""The positions that help shows, the claims about each (`help/texts/positions.toml`), and their diagrams.

The reader plays White and all points are in White's numbers, the opponent's checkers too: ``you = "13:1"`` and
``they = "7:2"`` are a checker on the 13-point and two that block the 7-point. All other checkers are borne
off. A diagram is drawn by the server, with its description in words.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine.board import BAR, STANDARD, Board
from engine.cube import Cube
from engine.dice import Dice
from engine.layout import format_cube_face
from engine.side import BLACK, WHITE, BySide, Side
from engine.situation import Offer, Situation
from engine.svg_mini import render_mini_board
from help.files import TEXTS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

OWNERS: Final = {"you": WHITE, "they": BLACK, "": None}
# The best cube decisions of both sides, by the engine's term.
ADVICE: Final[Mapping[str, StrOrPromise]] = {
    "no double, take": gettext_lazy("Not yet a double."),
    "double, take": gettext_lazy("Double, and take."),
    "double, pass": gettext_lazy("Double, and pass."),
    "too good, pass": gettext_lazy("Too good to double: play on for the gammon."),
}


@dataclass(frozen=True, slots=True)
class Position:
    """A position with claims about it; the tests check the claims with the engine."""

    name: str
    situation: Situation
    # Plays in notation; for illegal ones, the rule that forbids them.
    legal: tuple[str, ...] = ()
    illegal: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    # The number of legal plays; 0 if there are none.
    plays: int | None = None
    # The pip counts, yours first.
    pips: tuple[int, int] | None = None
    # The number on the cube.
    face: str = ""
    # "yes", or the rule that forbids a double.
    double: str = ""
    # What you have won: 1, 2 or 3 times the cube.
    won: int = 0
    # The engine's best play.
    best: str = ""
    # The engine's cube decision, as in `opinion.judging.positions.Advice`.
    advice: str = ""
    # The number of the 36 rolls that bear off everything.
    rolls: int = 0


@lru_cache(maxsize=1)
def load_positions() -> Mapping[str, Position]:
    document = tomllib.loads((TEXTS / "positions.toml").read_text(encoding="utf-8"))
    return {name: read_position(name, values) for name, values in document.items()}


def read_position(name: str, values: dict[str, Any]) -> Position:
    rest = dict(values)
    situation = _read_situation(rest)
    pips = rest.pop("pips", None)
    return Position(
        name=name,
        situation=situation,
        legal=tuple(rest.pop("legal", ())),
        pips=None if pips is None else (pips[0], pips[1]),
        **rest,
    )


def _read_situation(values: dict[str, Any]) -> Situation:
    """Remove the fields of the situation from *values* and read them."""
    board = (
        STANDARD if values.pop("start", False) else _read_board(values.pop("you", ""), values.pop("they", ""))
    )
    dice = values.pop("dice", "")
    cube = values.pop("cube", 0)
    score = values.pop("score", (0, 0))
    return Situation(
        board=board,
        dice=Dice.parse(dice.replace("-", "")) if dice else None,
        cube=Cube(cube or 1, OWNERS[values.pop("owner", "")]),
        length=values.pop("length", 0),
        score=BySide(*score),
        crawford=values.pop("crawford", False),
        offer=Offer.DOUBLE if values.pop("offer", False) else None,
        # Without a cube value, the diagram shows no cube.
        highest=10 if cube else 0,
    )


def _read_board(yours: str, theirs: str) -> Board:
    turned = {BAR if point == BAR else BAR - point: number for point, number in _read_counts(theirs).items()}
    return Board.from_counts(_read_counts(yours), turned)


def _read_counts(text: str) -> dict[int, int]:
    """Read numbers of checkers by point, as in ``bar:1 6:2``."""
    words = (word.split(":") for word in text.split())
    return {BAR if point == "bar" else int(point): int(number) for point, number in words}


def render_diagram(name: str, caption: str = "") -> SafeString:
    position = load_positions()[name]
    return format_html(
        '<figure class="diagram"><div class="diagram__board" role="img" aria-label="{}">{}</div>{}</figure>',
        describe_position(position.situation),
        render_board(position.situation),
        _render_caption(caption, position),
    )


def render_board(situation: Situation) -> SafeString:
    """Render the board of a position, without caption and claims."""
    file = static("img/mini.svg")
    drawing = render_mini_board(situation, table=f"{file}#table", numbers=f"{file}#numbers")
    return mark_safe(drawing)  # noqa: S308 - contains only numbers


def describe_position(situation: Situation) -> str:
    """Describe the position in words for screen readers."""
    sentences = [
        _("Your checkers: %s.") % _describe_side(situation, WHITE),
        _("Your opponent's checkers, by your point numbers: %s.") % _describe_side(situation, BLACK),
    ]
    if situation.dice:
        sentences.append(_("Dice: %s.") % format_roll(situation))
    if face := format_cube_face(situation):
        owner = situation.cube.owner
        held = _("in the middle") if owner is None else _("yours") if owner is WHITE else _("theirs")
        sentences.append(_("Cube %(face)s, %(held)s.") % {"face": face, "held": held})
    return " ".join(sentences)


def format_roll(situation: Situation) -> str:
    dice = situation.dice
    return f"{dice.high}-{dice.low}" if dice else ""


def _describe_side(situation: Situation, side: Side) -> str:
    """Describe the checkers of one side, with points in the reader's numbers."""
    points = situation.board.points(side)
    numbered = [(BAR - point if side is BLACK else point, points[point]) for point in range(BAR - 1, 0, -1)]
    parts = [
        _("%(count)s on %(point)s") % {"count": n, "point": p} for p, n in sorted(numbered, reverse=True) if n
    ]
    if on_bar := situation.board.bar(side):
        parts.insert(0, _("%s on the bar") % on_bar)
    if off := situation.board.off(side):
        parts.append(_("%s off") % off)
    return ", ".join(parts)


def _render_caption(caption: str, position: Position) -> SafeString:
    words = format_html("<p>{}</p>", caption) if caption else ""
    claims = format_html_join("", "<li>{}</li>", ((each,) for each in _list_claims(position)))
    listed = format_html('<ul class="claims">{}</ul>', claims) if claims else ""
    return format_html("<figcaption>{}{}</figcaption>", words, listed) if words or listed else SafeString()


def _list_claims(position: Position) -> Iterator[str]:
    if position.situation.dice:
        yield format_html("{} <b>{}</b>", _("Roll:"), format_roll(position.situation))
    if position.plays == 0:
        yield _("No legal play.")
    elif position.plays is not None:
        yield ngettext("%s legal play.", "%s legal plays.", position.plays) % position.plays
    for play in position.legal:
        yield format_html('<span class="claim claim--legal">{}</span> <code>{}</code>', _("Legal:"), play)
    for play, rule in position.illegal.items():
        yield format_html(
            '<span class="claim claim--illegal">{}</span> <code>{}</code> (<a class="rule" href="{}#{}">{}</a>)',
            _("Not legal:"),
            play or _("no move"),
            reverse("help:rules"),
            rule,
            rule,
        )
    if position.best:
        yield format_html(
            '<span class="claim claim--legal">{}</span> <code>{}</code>', _("Best play:"), position.best
        )
    if position.rolls:
        yield _("%s of 36 rolls bear off everything.") % position.rolls
    if position.advice:
        yield format_html("<b>{}</b>", ADVICE[position.advice])
    if position.pips:
        mine, theirs = position.pips
        yield _("Pip counts: %(mine)s and %(theirs)s.") % {"mine": mine, "theirs": theirs}
