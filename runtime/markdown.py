"""Rendering of Markdown to HTML: texts of directors about events and clubs, and the help pages.

HTML in the source is escaped. User texts have no images, their headings are below those of the page, line
breaks are kept, and links are nofollow.

Any visitor can cause user texts to be rendered, so the cost is bounded: no reference links, which can repeat
a long URL cheaply, and limits on table cells and brackets. A text beyond the limits is shown as plain text.
The HTML of the latest texts is cached.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Final

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

LINK: Final = "nofollow noopener ugc"
# The page's title is h1, the card's title h2.
HIGHEST: Final = 3
# Table cells, counted as lines times the columns of the widest table: short rows are padded.
MOST_CELLS: Final = 2_000
# Each may begin a link, and the parser then scans the rest of the text.
MOST_BRACKETS: Final = 500
# The line below a table's header, perhaps inside lists and quotations.
TABLE_RULE: Final = re.compile(r"^[\s>|:\-+*\d.)]*\|[\s>|:\-+*\d.)]*$", re.MULTILINE)
MOST_HTML: Final = 200_000
MOST_CACHED: Final = 50
# The full stop of a short abbreviation does not end a sentence.
SENTENCE_ENDS: Final = re.compile(r"(?<=[\w.:]{2}\w[.!?…]) +(?=[^a-zß-ÿ\d])")


def build_parser(*, breaks: bool = False) -> MarkdownIt:
    """Return a CommonMark parser with tables that escapes HTML."""
    return MarkdownIt("commonmark", {"html": False, "breaks": breaks}).enable("table")


@lru_cache(maxsize=MOST_CACHED)
def render_text(source: str) -> SafeString:
    """Render a user text.

    >>> render_text("**Bring** a [friend](https://example.org)")
    '<p><strong>Bring</strong> a <a href="https://example.org" rel="nofollow noopener ugc">friend</a></p>'
    """
    if not _is_bounded(source):
        return _render_plain(source)
    html = _render_tokens(_get_user_parser().parse(source))
    return html if len(html) <= MOST_HTML else _render_plain(source)


def _is_bounded(source: str) -> bool:
    lines = source.count("\n") + 1
    columns = max((rule.count("|") + 1 for rule in TABLE_RULE.findall(source)), default=0)
    return lines * columns <= MOST_CELLS and source.count("[") <= MOST_BRACKETS


def _render_plain(source: str) -> SafeString:
    return mark_safe("<p>" + escape(source.strip()).replace("\n", "<br>\n") + "</p>")  # noqa: S308 - escaped


def render_line(source: str) -> SafeString:
    """Render a single line of a user text, inline markup only.

    >>> render_line("1. **Now**: <b>round</b> 2")
    '1. <strong>Now</strong>: &lt;b&gt;round&lt;/b&gt; 2'
    """
    return _render_tokens(_get_user_parser().parseInline(source))


def _render_tokens(tokens: list[Token]) -> SafeString:
    made = _get_user_parser()
    _adjust_tokens(tokens)
    html: str = made.renderer.render(tokens, made.options, {})
    return mark_safe(html.strip())  # noqa: S308 - the parser escapes HTML


def extract_first_sentence(source: str) -> str:
    """Return the first sentence of a user text without markup; "" if it does not begin with a paragraph.

    >>> extract_first_sentence("We play **every** Tuesday, at 7.30. Come\\nearly!")
    'We play every Tuesday, at 7.30.'
    >>> extract_first_sentence("- a list")
    ''
    """
    tokens = _get_user_parser().parse(source)
    if len(tokens) < 2 or tokens[0].type != "paragraph_open":
        return ""
    breaks = {"softbreak", "hardbreak"}
    text = "".join(" " if each.type in breaks else each.content for each in tokens[1].children or ())
    ends = SENTENCE_ENDS.search(text)
    return text[: ends.start()] if ends else text


@cache
def _get_user_parser() -> MarkdownIt:
    return build_parser(breaks=True).disable(["image", "reference"])


def _adjust_tokens(tokens: Iterable[Token]) -> None:
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(6, max(HIGHEST, int(token.tag[1:]) + 1))}"
        elif token.type == "link_open":
            token.attrSet("rel", LINK)
        # Column alignment would be an inline style, which the content security policy forbids.
        token.attrs.pop("style", None)
        if token.children:
            _adjust_tokens(token.children)
