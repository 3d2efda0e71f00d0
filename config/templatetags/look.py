"""What every page repeats, worked out once a process: style sheets and icons. Known to all templates."""

from __future__ import annotations

from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


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
