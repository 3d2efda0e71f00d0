"""Markdown made HTML: what directors write of their events and clubs, and what help is written in.

No HTML of its own is let through. What people write has no pictures, its headings stand below the page's own, a line break is one, and
search engines do not follow its links.

Any visitor can have it rendered, so what it costs is bounded: no links by reference, which repeat a long address for three letters, few
cells of tables and few brackets. A text with more of them is shown as it was written. What was rendered is cached by the text's digest.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from runtime.value_cache import ValueCache

if TYPE_CHECKING:
    from collections.abc import Iterable

    from markdown_it.token import Token

LINK: Final = "nofollow noopener ugc"
# The page's title is the first heading, that of the card the second.
HIGHEST: Final = 3
# Cells of tables, counted as all lines times the columns of the widest table: short rows are filled up.
MOST_CELLS: Final = 2_000
# Each may begin a link, and what an open one costs grows with the rest of the text.
MOST_BRACKETS: Final = 500
# The line under a table's head, perhaps within lists and quotations.
TABLE_RULE: Final = re.compile(r"^[\s>|:\-+*\d.)]*\|[\s>|:\-+*\d.)]*$", re.MULTILINE)
MOST_HTML: Final = 200_000
ROOM: Final = 4_000_000
CACHE: Final = ValueCache(ROOM)
# HTML of the same text is the same at all times.
ALWAYS: Final = datetime(2000, 1, 1, tzinfo=UTC)
# The point of a short abbreviation ends nothing.
SENTENCE_ENDS: Final = re.compile(r"(?<=[\w.:]{2}\w[.!?…]) +(?=[^a-zß-ÿ\d])")


def parser(*, breaks: bool = False) -> MarkdownIt:
    """Return a parser that lets no HTML through."""
    return MarkdownIt("commonmark", {"html": False, "breaks": breaks}).enable("table")


def to_html(source: str) -> SafeString:
    """Return what somebody wrote as HTML.

    >>> to_html("**Bring** a [friend](https://example.org)")
    '<p><strong>Bring</strong> a <a href="https://example.org" rel="nofollow noopener ugc">friend</a></p>'
    """
    digest = sha256(source.encode()).digest()
    return CACHE.value(digest, None, lambda: _to_html(source), now=ALWAYS, size=len)


def _to_html(source: str) -> SafeString:
    if not _is_bounded(source):
        return _as_written(source)
    html = _rendered(_of_people().parse(source))
    return html if len(html) <= MOST_HTML else _as_written(source)


def _is_bounded(source: str) -> bool:
    lines = source.count("\n") + 1
    columns = max((rule.count("|") + 1 for rule in TABLE_RULE.findall(source)), default=0)
    return lines * columns <= MOST_CELLS and source.count("[") <= MOST_BRACKETS


def _as_written(source: str) -> SafeString:
    return mark_safe("<p>" + escape(source.strip()).replace("\n", "<br>\n") + "</p>")  # noqa: S308 - escaped


def line_to_html(source: str) -> SafeString:
    """Return one line that somebody wrote as HTML, without lists and headings.

    >>> line_to_html("1. **Now**: <b>round</b> 2")
    '1. <strong>Now</strong>: &lt;b&gt;round&lt;/b&gt; 2'
    """
    return _rendered(_of_people().parseInline(source))


def _rendered(tokens: list[Token]) -> SafeString:
    made = _of_people()
    _soften(tokens)
    html: str = made.renderer.render(tokens, made.options, {})
    return mark_safe(html.strip())  # noqa: S308 - the parser lets no HTML through


def opening(source: str) -> str:
    """Return the first sentence that somebody wrote, without its marks.

    >>> opening("We play **every** Tuesday, at 7.30. Come\\nearly!")
    'We play every Tuesday, at 7.30.'
    >>> opening("- a list")
    ''
    """
    tokens = _of_people().parse(source)
    if len(tokens) < 2 or tokens[0].type != "paragraph_open":
        return ""
    said = "".join(_text(each) for each in tokens[1].children or ())
    ends = SENTENCE_ENDS.search(said)
    return said[: ends.start()] if ends else said


def _text(token: Token) -> str:
    return " " if token.type in {"softbreak", "hardbreak"} else token.content


@cache
def _of_people() -> MarkdownIt:
    return parser(breaks=True).disable(["image", "reference"])


def _soften(tokens: Iterable[Token]) -> None:
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(6, max(HIGHEST, int(token.tag[1:]) + 1))}"
        elif token.type == "link_open":
            token.attrSet("rel", LINK)
        # How a column of a table is aligned would be an inline style, which our policy forbids.
        token.attrs.pop("style", None)
        if token.children:
            _soften(token.children)
