"""Rendering of help's Markdown: without HTML, with diagrams from fences, and links for rules and terms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from help.files import HEADING, load_text
from help.positions import render_diagram
from runtime import markdown

RULE: Final = r"\bR[0-6][0-9]\b"


def render_section(source: str, code: str, *, itself: str = "") -> SafeString:
    """Render a section. The first occurrence of each term is linked, except the term *itself*."""
    parser = _get_parser()
    tokens = parser.parse(source)
    linked = {itself}
    for token in tokens:
        if token.type == "inline" and token.children:
            token.children = list(_add_links(token.children, code, linked))
    made: str = parser.renderer.render(tokens, parser.options, {})
    return mark_safe(made)  # noqa: S308 - the parser escapes HTML


@cache
def _get_parser() -> MarkdownIt:
    parser = markdown.build_parser()
    parser.add_render_rule("fence", _render_fence)
    return parser


def _render_fence(_renderer: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    """Render a fence: "board" and the name of a position, with a caption inside; else plain text."""
    token = tokens[index]
    kind, _space, name = token.info.strip().partition(" ")
    if kind != "board":
        return f"<pre><code>{escape(token.content)}</code></pre>\n"
    return render_diagram(name.strip(), " ".join(token.content.split()))


def _add_links(tokens: Iterable[Token], code: str, linked: set[str]) -> Iterator[Token]:
    """Yield the tokens of a paragraph with links for rules and for first occurrences of terms."""
    depth = 0
    for token in tokens:
        depth += {"link_open": 1, "link_close": -1}.get(token.type, 0)
        if token.type != "text" or depth:
            yield token
        else:
            yield from _link_words(token.content, code, linked)


def _link_words(words: str, code: str, linked: set[str]) -> Iterator[Token]:
    pattern, anchors = _load_terms(code)
    start = 0
    for found in pattern.finditer(words):
        if found["rule"]:
            address, kind = f"{reverse('help:rules')}#{found['rule']}", "rule"
        else:
            anchor = anchors[found["form"].casefold()]
            if anchor in linked:
                continue
            linked.add(anchor)
            address, kind = f"{reverse('help:glossary')}#{anchor}", "term"
        yield Token("text", "", 0, content=words[start : found.start()])
        yield Token("link_open", "a", 1, attrs={"href": address, "class": kind})
        yield Token("text", "", 0, content=found[0])
        yield Token("link_close", "a", -1)
        start = found.end()
    yield Token("text", "", 0, content=words[start:])


# Regular endings of words; irregular forms are listed with the term.
ENDINGS: Final = {"en": "(?:s|es)?", "de": "(?:e|en|er|ern|es|n|ns|s)?"}
NOT_LINKED: Final = "-"


@cache
def _load_terms(code: str) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """Load the pattern of rules and terms in a language, and the anchor of each form of a term.

    Capitals matter in German nouns, not in English.
    """
    anchors: dict[str, str] = {}
    forms: list[str] = []
    for heading in HEADING.finditer(load_text("glossary", code)):
        more = [form.strip() for form in (heading["forms"] or "").split(",") if form.strip()]
        title = [] if NOT_LINKED in more or not heading["anchor"] else [heading["title"]]
        for form in (*title, *(form for form in more if form != NOT_LINKED)):
            anchors.setdefault(form.casefold(), heading["anchor"])
            forms.append(form)
    forms.sort(key=len, reverse=True)
    alternatives = "|".join(map(re.escape, forms))
    flags = re.IGNORECASE if code == "en" else re.NOFLAG
    term = rf"(?<![\w-])(?P<form>{alternatives}){ENDINGS[code]}(?![\w-])"
    return re.compile(rf"(?P<rule>{RULE})|{term}", flags), anchors
