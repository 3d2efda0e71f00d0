"""Parts of a row in a list: fifty of each stand on a page, and most have been drawn before."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from django import template
from django.template.defaultfilters import floatformat
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.translation import get_language

if TYPE_CHECKING:
    from rankings.selectors.dated import Move
    from rankings.selectors.form import Form

register = template.Library()

KEPT: Final = 1_000
SPARK: Final = (
    '<svg class="spark{}" aria-hidden="true" viewBox="0 0 {} {}" width="{}" height="{}">'
    '<path class="spark__area" d="{}" /><path class="spark__line" d="{}" />'
    '<circle class="spark__end" cx="{}" cy="{}" r="2.5" /></svg><span class="visually-hidden">{}{}</span>'
)


@register.simple_tag
def movement(move: Move | None) -> str:
    """Draw how somebody moved between two dated lists."""
    return _move(move, get_language()) if move else ""


@register.simple_tag
def last_results(form: Form | None) -> str:
    """Draw somebody's last results."""
    return _results(form.results, get_language()) if form else ""


@register.simple_tag
def sparkline(form: Form | None) -> str:
    """Draw how somebody's rating went in their last matches."""
    if form is None:
        return ""
    spark = form.spark
    size = spark.width, spark.height
    return format_html(
        SPARK,
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
