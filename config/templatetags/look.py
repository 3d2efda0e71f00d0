"""What every page repeats, worked out once: style sheets, icons, the frame. Known to all templates."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django import template
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from config import front
from config.pips import Row
from players import names
from runtime.http.response_cache import SECRET
from runtime.lazy_imports import Module

if TYPE_CHECKING:
    from django.template.context import Context

register = template.Library()
# Most pages have none.
MARKDOWN = Module("runtime.markdown")

MOST_KEPT = 512
# Stands in a kept frame for the address that was asked for; nothing typed can hold it.
ADDRESS = "\x00address\x00"
_kept: dict[tuple[object, ...], str] = {}


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
    made: SafeString = MARKDOWN.to_html(text)
    return made


@register.filter
def markdown_line(text: str) -> SafeString:
    """Return one line that somebody wrote as HTML."""
    made: SafeString = MARKDOWN.line_to_html(text)
    return made


@register.filter
def opening(text: str) -> str:
    """Return the first sentence that somebody wrote."""
    said: str = MARKDOWN.opening(text)
    return said


@register.simple_tag(takes_context=True)
def frame(context: Context, name: str) -> SafeString:
    """Return a part of the page's frame; it depends on the page, the language and who is looking, and on no more."""
    request, viewer = context.get("request"), context.get("viewer")
    if request is None:
        return _render(context, name)
    address = request.get_full_path()
    if viewer is None or settings.DEBUG:
        return _render(context, name, address=address)
    key = (name, request.path, get_language(), viewer.itself)
    kept = _kept.get(key)
    if kept is None:
        kept = _render(context, name, address=ADDRESS, csrf_token=SECRET)
        if len(_kept) >= MOST_KEPT:
            # The oldest goes: addresses are the callers' to invent.
            _kept.pop(next(iter(_kept)), None)
        _kept[key] = kept
    text = kept.replace(SECRET, str(context.get("csrf_token", ""))).replace(ADDRESS, escape(address))
    return mark_safe(text)  # noqa: S308 - rendered by us


def _render(context: Context, name: str, **more: str) -> SafeString:
    engine = context.template.engine  # type: ignore[union-attr]
    with context.push(**more):
        return engine.get_template(name).render(context)
