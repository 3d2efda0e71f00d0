"""Template tags that every page can use without loading them: style sheets, icons, slots, the token for its streams."""

from __future__ import annotations

import hashlib
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from django import template
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.template import Context
from django.template.loader import get_template, render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.module_loading import import_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from config import front
from help import refusals
from players import names
from players.access import listeners
from rankings.seasons import season_pages
from runtime import markdown as marked_text
from runtime import stream
from runtime.hooks import Slot
from tournaments.base import labels, local_times

register = template.Library()

# The progress of an event is a row of backgammon points: width of one and of the gap beside it, and height.
WIDTH, GAP, HEIGHT = 16, 4, 28
# Shorter rows leave space on the right, so that their points are not wider.
FEWEST: Final = 24
# In larger events each point represents several matches.
MOST: Final = 160


@register.simple_tag
@lru_cache(maxsize=1)
def stylesheets() -> SafeString:
    """Return the links to fonts and style sheets; one sheet if static files were collected."""
    collected: Any = getattr(staticfiles_storage, "hashed_files", {})
    names = ["css/site.css"] if "css/site.css" in collected else settings.STYLE_SHEETS["css/site.css"]
    return render_to_string("_styles.html", {"sheets": names})


@register.simple_tag
@lru_cache(maxsize=100)
def icon(name: str) -> SafeString:
    """Return an icon from `static/img/icons.svg`.

    It is hidden from screen readers, so it needs a text beside it.
    """
    # Sized in the markup, too, since without style sheets an icon would fill the page.
    return format_html(
        '<svg class="icon" width="20" height="20" viewBox="0 0 24 24" aria-hidden="true" focusable="false">'
        '<use href="{}#{}"/></svg>',
        static("img/icons.svg"),
        name,
    )


@lru_cache(maxsize=len(settings.LANGUAGES))
def build_catalogue_url(language: str) -> str:
    """Return the URL of a language's catalogue, or "" if there is none (scripts then use English)."""
    compiled = settings.SITE_DIR / "locale" / language / "LC_MESSAGES" / "djangojs.mo"
    if not compiled.is_file():
        return ""
    version = hashlib.sha256(compiled.read_bytes()).hexdigest()[:12]
    return reverse("js_catalogue", kwargs={"language": language, "version": version})


@register.simple_tag
def js_catalogue() -> SafeString:
    """Return the script tag with the translations for scripts, "" in English.

    Must precede scripts that use them.
    """
    address = build_catalogue_url(get_language() or settings.LANGUAGE_CODE)
    return format_html('<script defer src="{}"></script>', address) if address else mark_safe("")


@register.simple_tag
@lru_cache(maxsize=500)
def pip_row(done: int, live: int, left: int) -> SafeString:
    """Return the progress row of an event. It is hidden from screen readers, so it needs a text beside it."""
    return mark_safe(draw_progress(done, live, left))  # noqa: S308 - contains only numbers


@register.simple_tag
def why(code: str | None) -> str:
    """Return a link to the help section on a refusal, or "" if there is none."""
    address = refusals.find_address(code) if code else ""
    return format_html(' <a href="{}" target="_blank">{}</a>', address, _("Why?")) if address else ""


@register.simple_tag
def size_limits(address: str) -> SafeString:
    """Return data attributes with which a form checks file sizes before sending (`static/js/sizes.js`)."""
    limit = front.find_body_limit(address)
    largest = limit.largest_file or limit.size - front.FORM
    attributes = {
        "most-bytes": limit.size - front.FORM,
        "most-file": largest,
        "too-large": _(
            "That is {size} in total. You can send at most {most} at once. Nothing was sent."
        ).replace("{most}", front.describe_size(limit.size)),
        "file-too-large": _("“{name}” is {size}. A file can be at most {most}. Nothing was sent.").replace(
            "{most}", front.describe_size(largest)
        ),
    }
    return format_html_join(" ", 'data-{}="{}"', attributes.items())


def scale_progress(done: int, live: int, left: int) -> tuple[int, int, int]:
    """Return the numbers of points for these numbers of matches: at most `MOST` in total."""
    total = done + live + left
    if total <= MOST:
        return done, live, left
    # Live matches are visible even if they are less than a point.
    shown = max(1, round(live * MOST / total)) if live else 0
    drawn = min(done * MOST // total, MOST - shown)
    return drawn, shown, MOST - drawn - shown


def draw_progress(done: int, live: int, left: int) -> str:
    """Return the row as SVG. Live points are separate paths, for the animation."""
    done, live, left = scale_progress(done, live, left)
    total = done + live + left
    paths = [
        *([f'<path class="pips__done" d="{_draw_points(0, done)}"/>'] if done else []),
        *(f'<path class="pips__live" d="{_draw_points(at, at + 1)}"/>' for at in range(done, done + live)),
        *([f'<path class="pips__left" d="{_draw_points(done + live, total)}"/>'] if left else []),
    ]
    width = max(total, FEWEST) * (WIDTH + GAP) - GAP
    return (
        f'<svg class="pips" viewBox="0 0 {width} {HEIGHT}" preserveAspectRatio="none" aria-hidden="true" '
        f'focusable="false">{"".join(paths)}</svg>'
    )


def _draw_points(first: int, end: int) -> str:
    return "".join(
        f"M{index * (WIDTH + GAP)} {HEIGHT}h{WIDTH}l-{WIDTH // 2}-{HEIGHT}z" for index in range(first, end)
    )


@register.simple_tag(takes_context=True)
def live_token(context: dict[str, Any]) -> str:
    """Create a token for the page's `live_topics` and the viewer's own topic; empty without topics."""
    topics = list(context.get("live_topics") or ())
    viewer = context.get("viewer")
    if viewer is not None and getattr(viewer, "topic", None):
        topics.append(viewer.topic)
    request = context.get("request")
    return stream.create_token(topics, who=listeners.get_holder(request) if request else "") if topics else ""


@register.simple_tag(takes_context=True)
def slot(context: Context, name: str, *subject: Any) -> SafeString:
    """Render the parts of a slot; in each template, `shown` is what its function returned."""
    declared: Slot[...] = import_string(name)
    drawn: list[str] = []
    for path, shown in declared.list_shown(context["request"], *subject):
        part: Any = get_template(path)
        with context.push(shown=shown):
            drawn.append(part.template.render(context))
    return mark_safe("".join(drawn))  # noqa: S308 - rendered templates


@register.filter("moment")
def format_moment(at: datetime) -> str:
    """Format a time with its day in the zone of the page, as in "Thu 4 Dec, 19:30"."""
    return local_times.format_moment(at, timezone.get_current_timezone_name())


register.filter("month_day", local_times.format_month_day)
register.filter("initials", names.build_initials)
register.filter("table_name", labels.format_table)
register.filter("points", season_pages.format_points)
register.filter("markdown", marked_text.render_text)
register.filter("markdown_line", marked_text.render_line)
# The first sentence of a user text.
register.filter("opening", marked_text.extract_first_sentence)
