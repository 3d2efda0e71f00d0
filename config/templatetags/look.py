"""What every page repeats, worked out once: style sheets and icons. Known to all templates."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django import template
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from config import front
from config.js_catalogue import catalogue_url
from config.pips import Row
from players import names
from runtime import markdown as marked_text

register = template.Library()


@register.simple_tag
@lru_cache(maxsize=1)
def stylesheets() -> SafeString:
    """Return the links to our fonts and style sheets: one sheet where they have been collected, else each."""
    collected: Any = getattr(staticfiles_storage, "hashed_files", {})
    names = ["css/site.css"] if "css/site.css" in collected else settings.STYLE_SHEETS["css/site.css"]
    return render_to_string("_styles.html", {"sheets": names})


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


@register.simple_tag
def js_catalogue() -> SafeString:
    """Return the script with the translations of what scripts say, "" in English. It stands before those that need it."""
    address = catalogue_url(get_language() or settings.LANGUAGE_CODE)
    return format_html('<script defer src="{}"></script>', address) if address else mark_safe("")


@register.simple_tag
@lru_cache(maxsize=500)
def pip_row(done: int, live: int, left: int) -> SafeString:
    """Return the row of points of an event; it says nothing, so words must stand beside it."""
    return mark_safe(Row.of(done=done, live=live, left=left).svg())  # noqa: S308 - made of numbers alone


@register.simple_tag
def why(code: str | None) -> str:
    """Return the link to where help explains the refusal with this code, "" where it does not."""
    # With the first refusal, not at the start.
    from help.selectors import refusals

    address = refusals.find_address(code) if code else ""
    return format_html(' <a href="{}" target="_blank">{}</a>', address, _("Why?")) if address else ""


@register.simple_tag
def size_limits(address: str) -> SafeString:
    """Return the attributes by which a form with files knows what its address takes, before it sends (`static/js/sizes.js`)."""
    limit = front.find_body_limit(address)
    largest = limit.largest_file or limit.size - front.FORM
    said = {
        "most-bytes": limit.size - front.FORM,
        "most-file": largest,
        "too-large": _("That is {size} in all. At most {most} are taken at once. Nothing was sent.").replace(
            "{most}", front.describe_size(limit.size)
        ),
        "file-too-large": _("“{name}” has {size}. A file may have at most {most}. Nothing was sent.").replace(
            "{most}", front.describe_size(largest)
        ),
    }
    return format_html_join(" ", 'data-{}="{}"', said.items())


@register.filter
def initials(name: str) -> str:
    """Return what stands on somebody's checker."""
    return names.initials(name)


@register.filter
def markdown(text: str) -> SafeString:
    """Return what somebody wrote as HTML."""
    made: SafeString = marked_text.to_html(text)
    return made


@register.filter
def markdown_line(text: str) -> SafeString:
    """Return one line that somebody wrote as HTML."""
    made: SafeString = marked_text.line_to_html(text)
    return made


@register.filter
def opening(text: str) -> str:
    """Return the first sentence that somebody wrote."""
    said: str = marked_text.opening(text)
    return said
