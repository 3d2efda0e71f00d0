"""What people write as Markdown: their words and links, and nothing that runs or loads."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from django.template import Context, Template
from hypothesis import given
from hypothesis import strategies as st

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
    for tag, carries in Reader(markdown.to_html("".join(said))).found:
        assert tag in ALLOWED, tag
        assert set(carries) <= {"href", "title", "rel", "start", "class"}, carries
        if tag == "a":
            assert carries["rel"] == "nofollow noopener ugc"
            assert not (carries["href"] or "").casefold().startswith(("javascript:", "data:", "vbscript:"))


def test_headings_stand_below_the_page_s_own_and_lines_break_where_they_were_broken() -> None:
    assert markdown.to_html("# Rules") == "<h3>Rules</h3>"
    assert markdown.to_html("###### Small") == "<h6>Small</h6>"
    assert markdown.to_html("one\ntwo") == "<p>one<br />\ntwo</p>"


@pytest.mark.parametrize("text", ["5 < 7 & 7 > 5", "1. first"])
def test_plain_words_stay_what_they_are(text: str) -> None:
    made = Template("{{ text|markdown }}").render(Context({"text": text}))
    assert "first" in made or "5 &lt; 7 &amp; 7 &gt; 5" in made
