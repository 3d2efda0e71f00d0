"""The rows of a list: fifty stand on a page, so they are written without a template each, and what looks alike is drawn once."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from django import template
from django.template.defaultfilters import floatformat
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from players.names import initials

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rankings.lists.dated_pages import DatedRow, Move
    from rankings.lists.list_pages import Ranked
    from rankings.lists.recent_form import Form

register = template.Library()

KEPT: Final = 1_000
# What goes in are numbers of the drawing and of the list, and words that are made safe before.
SPARK: Final = (
    '<svg class="spark{}" aria-hidden="true" viewBox="0 0 {} {}" width="{}" height="{}">'
    '<path class="spark__area" d="{}" /><path class="spark__line" d="{}" />'
    '<circle class="spark__end" cx="{}" cy="{}" r="2.5" /></svg><span class="visually-hidden">{}{}</span>'
).format
CHECKER: Final = '<span class="checker checker--small wide-only{}" aria-hidden="true">{}</span> '.format
BADGE: Final = ' <span class="badge{}">{}</span>'.format
NUMBER: Final = '<td class="num">{}</td>'.format
ASIDE: Final = '<td class="num wide-only">{}</td>'.format
ME: Final = ' id="me" tabindex="-1" aria-current="true"'


class Words(NamedTuple):
    """What is said of a player beside the name."""

    you: str
    provisional: str
    inactive: str


@register.simple_tag
def list_rows(
    rows: Sequence[Ranked | DatedRow], *, moves: object, has_form: bool, has_deviation: bool
) -> SafeString:
    """Write the rows of a list that is live, with everybody's last matches, or of a dated one."""
    words = Words(*map(escape, (gettext("you"), gettext("provisional"), gettext("inactive"))))
    shown = (
        "".join(_cells(row, words, has_moves=bool(moves), has_form=has_form, has_deviation=has_deviation))
        for row in rows
    )
    return mark_safe("\n".join(shown))  # noqa: S308 - names and words are escaped where they are put in


@register.simple_tag
def sparkline(form: Form | None) -> SafeString:
    """Draw how somebody's rating went in their last matches."""
    return mark_safe(_spark(form) if form else "")  # noqa: S308 - numbers alone


def _cells(
    row: Ranked | DatedRow, words: Words, *, has_moves: bool, has_form: bool, has_deviation: bool
) -> Iterator[str]:
    form = getattr(row, "form", None)
    yield f"<tr{ME if row.is_me else ''}>"
    yield f'<td class="standings__place num">{row.place}</td>'
    if has_moves:
        yield f'<td class="move-cell num">{_move(row.move, get_language()) if row.move else ""}</td>'
    yield f'<th scope="row">{"".join(_who(row, words, has_form=has_form))}</th>'
    if has_form:
        yield f'<td class="spark-cell wide-only">{_spark(form) if form else ""}</td>'
    yield NUMBER(floatformat(row.rating, 2))
    if has_form:
        yield f'<td class="wide-only">{_results(form.results, get_language()) if form else ""}</td>'
    if has_deviation:
        yield NUMBER(floatformat(row.deviation, 0))
    if not has_form:
        yield ASIDE(row.experience)
    yield ASIDE(row.matches)
    yield "</tr>"


def _who(row: Ranked | DatedRow, words: Words, *, has_form: bool) -> Iterator[str]:
    if has_form:
        metal = getattr(row, "metal", "")
        yield CHECKER(f" checker--{metal}" if metal else "", escape(initials(row.name)))
    yield f'<a href="{escape(row.href)}">{escape(row.name)}</a>'
    if row.is_me:
        yield BADGE(" badge--baize", words.you)
    if row.is_provisional:
        yield BADGE("", words.provisional)
    if getattr(row, "is_inactive", False):
        yield BADGE("", words.inactive)


def _spark(form: Form) -> str:
    spark = form.spark
    size = spark.width, spark.height
    return SPARK(
        "" if spark.rises else " spark--falls",
        *size,
        *size,
        *(spark.area, spark.line, spark.x, spark.y),
        *("+" if spark.rises else "", floatformat(form.change, 1)),
    )


@lru_cache(KEPT)
def _move(move: Move, _language: str | None) -> str:
    return render_to_string("rankings/_move.html", {"move": move})


@lru_cache(KEPT)
def _results(results: tuple[bool, ...], _language: str | None) -> str:
    return render_to_string("rankings/_form.html", {"results": results, "won": sum(results)})
