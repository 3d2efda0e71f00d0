"""Markdown of users: words and links are rendered, scripts and external resources are not."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from django.template import Context, Template
from django.utils.safestring import SafeString
from hypothesis import given
from hypothesis import strategies as st
from markdown_it.token import Token

from runtime import markdown

ALLOWED = frozenset(
    [
        "p",
        "br",
        "hr",
        "strong",
        "em",
        "code",
        "pre",
        "ul",
        "ol",
        "li",
        "blockquote",
        "a",
        "h3",
        "h4",
        "h5",
        "h6",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
    ]
)
pieces = st.lists(
    st.sampled_from(
        [
            "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[a](javascript:alert(1))", "![x](https://example.org/x.png)",
            "[b](data:text/html,<script>)", "# Title\n", "- one\n", "**bold**", "`code`", "\n\n", "|a|b|\n|-:|-|\n|1|2|\n",
            "<https://example.org>", "[c](https://example.org \"t\")", "&lt;script&gt;", "\n> said\n", "[d]: javascript:alert(1)\n[d]",
            "```html\n<script>\n```\n", "<a href='x' style='y'>", "\u202e", "~~~\n",
        ]
    )
    | st.text(max_size=8),
    max_size=12,
)  # fmt: skip


class Reader(HTMLParser):
    """Notes every element with what it carries."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@given(pieces)
def test_nothing_runs_and_nothing_is_loaded(said: list[str]) -> None:
    for tag, carries in Reader(markdown.render_text("".join(said))).found:
        assert tag in ALLOWED, tag
        assert set(carries) <= {"href", "title", "rel", "start", "class"}, carries
        if tag == "a":
            assert carries["rel"] == "nofollow noopener ugc"
            assert not (carries["href"] or "").casefold().startswith(("javascript:", "data:", "vbscript:"))


def test_headings_stand_below_the_page_s_own_and_lines_break_where_they_were_broken() -> None:
    assert markdown.render_text("# Rules") == "<h3>Rules</h3>"
    assert markdown.render_text("###### Small") == "<h6>Small</h6>"
    assert markdown.render_text("one\ntwo") == "<p>one<br />\ntwo</p>"


@pytest.mark.parametrize("text", ["5 < 7 & 7 > 5", "1. first"])
def test_plain_words_stay_what_they_are(text: str) -> None:
    made = Template("{{ text|markdown }}").render(Context({"text": text}))
    assert "first" in made or "5 &lt; 7 &amp; 7 &gt; 5" in made


# The cost of rendering any text is bounded.

LONGEST: int = 20_000


def filled(unit: str, head: str = "") -> str:
    return head + unit * ((LONGEST - len(head)) // len(unit))


def table(columns: int, row: str, before: str = "") -> str:
    return filled(before + row + "\n", f"{before}|{'a|' * columns}\n{before}|{'-|' * columns}\n")


ATTACKS = {
    "a wide table with short rows": table(99, "a|"),
    "a table in a quotation": table(60, "a|", "> "),
    "a table in a list": ("- a\n" + table(60, "a|", "  "))[:LONGEST],
    "a table with aligned columns": filled("a|\n", f"|{'a|' * 80}\n|{':-:|' * 80}\n"),
    "a table after a text": ("Rules\n\n" + table(90, "a|"))[:LONGEST],
    "many tables": filled("\n" + table(30, "x|")[:400] + "\n\n"),
    "long references": filled("[a]", f"[a]: /{'b' * 9_000}\n\n"),
    "long references in other letters": filled("[a]", "[a]: /" + "\u00e9" * 3_000 + "\n\n"),
    "open brackets": filled("["),
    "links without an end": filled("[a]("),
    "links to nowhere": filled("[](a)"),
    "emphasis": filled("*a **b "),
    "code marks": "".join("`" * length + " " for length in range(1, 199)),
    "quotation marks": filled('"'),
    "headings": filled("#\n"),
    "empty items": filled("-\n"),
    "quotations": filled("> " * 60 + "a\n"),
    "autolinks": filled("<a:\u00e9>"),
    "a long address": "[a](/" + "\U0001f600" * (LONGEST - 10) + ")",
}


class Counting:
    """Counts the elements that a renderer is given."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.tokens = 0
        rendered = markdown._render_tokens

        def counted(tokens: list[Token]) -> SafeString:
            self.tokens += sum(1 + len(each.children or ()) for each in tokens)
            return rendered(tokens)

        monkeypatch.setattr(markdown, "_render_tokens", counted)


@pytest.mark.long
@pytest.mark.parametrize("name", ATTACKS)
def test_a_text_becomes_little_more_than_it_is(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source = ATTACKS[name]
    assert len(source) <= LONGEST
    counting = Counting(monkeypatch)

    html = markdown.render_text(source)

    assert len(html) <= markdown.MOST_HTML
    assert counting.tokens <= 42_000
    assert {tag for tag, _attributes in Reader(html).found} <= ALLOWED


def test_a_text_with_too_much_in_it_is_shown_as_it_was_written() -> None:
    html = markdown.render_text("<b>Rules</b>\n" + table(99, "a|"))
    assert html.startswith("<p>&lt;b&gt;Rules&lt;/b&gt;<br>\n|a|a|")
    assert "<td>" not in html


def test_a_table_that_somebody_reads_is_a_table() -> None:
    rows = "\n".join(f"| {place} | {40 - place} | trophy |" for place in range(1, 33))
    html = markdown.render_text(f"# Prizes\n\n| place | % | |\n|-:|:-:|-|\n{rows}\n")
    assert html.count("<td>") == 96


def test_a_text_is_rendered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counting = Counting(monkeypatch)
    texts = [f"Rule {number}: **be kind**" for number in range(3)]

    first = [markdown.render_text(text) for text in texts]
    after_first = counting.tokens
    again = [markdown.render_text(text) for text in texts * 5]

    assert again == first * 5
    assert counting.tokens == after_first > 0
    assert type(again[0]) is SafeString


def test_what_is_cached_has_a_bound() -> None:
    for number in range(2 * markdown.MOST_CACHED):
        markdown.render_text(f"{number}" + '"' * (LONGEST - 3))
    assert markdown.render_text.cache_info().currsize == markdown.MOST_CACHED
    assert markdown.MOST_CACHED * (markdown.MOST_HTML + LONGEST) < 12_000_000
