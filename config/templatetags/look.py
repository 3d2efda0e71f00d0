"""What every page repeats, worked out once: style sheets, icons, the frame strangers see. Known to all templates."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from django import template
from django.conf import settings
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from runtime.kept import SECRET

if TYPE_CHECKING:
    from django.template.context import Context

register = template.Library()

MOST_KEPT = 512
_kept: dict[tuple[object, ...], str] = {}


@register.simple_tag
@lru_cache(maxsize=1)
def stylesheets() -> SafeString:
    """Return the links to our style sheets and fonts (`templates/_styles.html` lists them)."""
    return render_to_string("_styles.html")


@register.simple_tag
@lru_cache(maxsize=100)
def icon(name: str) -> SafeString:
    """Return a picture from `static/img/icons.svg`; it says nothing, so words must stand beside it."""
    # Sized in the markup too: without its style sheet an icon would fill the page.
    return format_html(
        '<svg class="icon" width="20" height="20" viewBox="0 0 24 24" aria-hidden="true" focusable="false">'
        '<use href="{}#{}"/></svg>',
        static("img/icons.svg"),
        name,
    )


@register.simple_tag(takes_context=True)
def frame(context: Context, name: str) -> SafeString:
    """Return a part of the page's frame; for strangers it depends on address, language and theme alone."""
    request, viewer = context.get("request"), context.get("viewer")
    if request is None or viewer is None or viewer.is_signed_in or settings.DEBUG:
        return _render(context, name)
    key = (name, request.get_full_path(), get_language(), viewer.theme, viewer.high_contrast)
    kept = _kept.get(key)
    if kept is None:
        with context.push(csrf_token=SECRET):
            kept = _render(context, name)
        if len(_kept) >= MOST_KEPT:
            # The oldest goes: addresses are the callers' to invent.
            _kept.pop(next(iter(_kept)), None)
        _kept[key] = kept
    return mark_safe(kept.replace(SECRET, str(context.get("csrf_token", ""))))  # noqa: S308 - rendered by us


def _render(context: Context, name: str) -> SafeString:
    engine = context.template.engine  # type: ignore[union-attr]
    with context.push():
        return engine.get_template(name).render(context)
