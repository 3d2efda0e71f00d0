"""Templates are code too: their lines fit a screen, their texts stay whole, and they search nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings

TEMPLATES = Path(settings.BASE_DIR) / "templates"
FILES = sorted(str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.html"))
MOST = 120
# A loop that does nothing but wait for the one it wants: the view or the selector has it by its name.
SEARCH = re.compile(
    r"\{% for (?P<first>\w+)(?:, \w+)* in [^%]*%\}\s*\{% if (?P=first)(?:\.\w+)* == [^%]*%\}"
    r"(?:(?!\{% (?:else|elif|endif)\b).)*\{% endif %\}\s*\{% endfor %\}",
    re.S,
)
# White space after the hidden words at the end of a button makes it wider.
SPACED = re.compile(
    r'<span class="visually-hidden">(?:(?!</span>).)*</span>\s+</(?:a|button|label|summary)>', re.S
)
KICKER = re.compile(r'<p class="kicker[^>]*>.*?</p>', re.S)
# A line can be broken at white space: the separator of a kicker follows a no-break space.
LEADING_DOT = re.compile(
    r'\s(?:\{%(?! translate)[^%]*%\}\s*|</\w+>)*(?:&nbsp;)?(?:<span aria-hidden="true">)?·'
)
TEXT = re.compile(r"\{% blocktranslate\b(?P<how>[^%]*)%\}(?P<text>.*?)\{% endblocktranslate %\}", re.S)


def lines_too_long(source: str) -> list[int]:
    return [number for number, line in enumerate(source.splitlines(), 1) if len(line) > MOST]


def texts_with_line_breaks(source: str) -> list[str]:
    """Return the texts whose line breaks translators would meet."""
    return [
        found["text"]
        for found in TEXT.finditer(source)
        if "\n" in found["text"] and "trimmed" not in found["how"].split()
    ]


@pytest.mark.parametrize("name", FILES)
def test_a_template_reads_like_code(name: str) -> None:
    source = (TEMPLATES / name).read_text()

    assert lines_too_long(source) == []
    assert texts_with_line_breaks(source) == []
    assert [found[0] for found in SEARCH.finditer(source)] == []
    assert [found[0] for found in SPACED.finditer(source)] == []


def test_what_does_not_would_be_found() -> None:
    long = "<p>" + "x" * MOST
    lookup = "{% for key, one in all.items %}{% if key == wanted %}{{ one }}{% endif %}{% endfor %}"
    choice = (
        "{% for one in all %}{% if one == wanted %}<b>{{ one }}</b>{% else %}{{ one }}{% endif %}{% endfor %}"
    )
    broken = "{% blocktranslate %}One\nline{% endblocktranslate %}"

    assert lines_too_long(f"<p>\n{long}\n") == [2]
    assert texts_with_line_breaks(broken) == ["One\nline"]
    assert texts_with_line_breaks(broken.replace("translate %}O", "translate trimmed %}O")) == []
    assert SEARCH.search(lookup)
    assert not SEARCH.search(choice)
    hidden = '<button>Open<span class="visually-hidden"> the door</span></button>'
    assert SPACED.search(hidden.replace("</b", "\n</b"))
    assert not SPACED.search(hidden)


@pytest.mark.parametrize("name", FILES)
def test_no_line_of_a_kicker_begins_with_its_separator(name: str) -> None:
    source = (TEMPLATES / name).read_text(encoding="utf-8")
    assert not [found for found in KICKER.findall(source) if LEADING_DOT.search(found)]
