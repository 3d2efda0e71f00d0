"""Help's Markdown made HTML: no HTML of its own, diagrams from fences, and the numbers of rules are links."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from help.selectors.diagrams import diagram

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

RULE: Final = re.compile(r"\bR[0-6][0-9]\b")


def to_html(source: str) -> SafeString:
    """Return the text as HTML, in the language that is on."""
    tokens = _parser().parse(source)
    for token in tokens:
        if token.type == "inline" and token.children:
            token.children = list(_with_rules(token.children))
    parser = _parser()
    made: str = parser.renderer.render(tokens, parser.options, {})
    return mark_safe(made)  # noqa: S308 - the parser lets no HTML through


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.add_render_rule("fence", _fence)
    return parser


def _fence(_renderer: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    """Return what stands in a fence: "board" and the name of a position, with a caption inside; else plain text."""
    token = tokens[index]
    kind, _space, name = token.info.strip().partition(" ")
    if kind != "board":
        return f"<pre><code>{escape(token.content)}</code></pre>\n"
    return diagram(name.strip(), " ".join(token.content.split()))


def _with_rules(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the tokens of a paragraph with links where a rule is named; inside a link nothing is linked."""
    depth = 0
    for token in tokens:
        depth += {"link_open": 1, "link_close": -1}.get(token.type, 0)
        if token.type != "text" or depth:
            yield token
            continue
        start = 0
        for found in RULE.finditer(token.content):
            yield from _text(token.content[start : found.start()])
            yield from link(f"{reverse('help:rules')}#{found[0]}", found[0])
            start = found.end()
        yield from _text(token.content[start:])


def link(address: str, words: str) -> Iterator[Token]:
    """Yield a link."""
    yield Token("link_open", "a", 1, attrs={"href": address})
    yield from _text(words)
    yield Token("link_close", "a", -1)


def _text(words: str) -> Iterator[Token]:
    if words:
        yield Token("text", "", 0, content=words)
