"""The size of the first page with a board, and the files that it loads before the board is drawn."""

from __future__ import annotations

import re
from pathlib import Path

import brotli
import polib
import pytest
from django.conf import settings

STATIC = Path(settings.BASE_DIR) / "static"
NAMED = re.compile(r"""\{% static '([^']+)' %\}""")
IMPORTS = re.compile(r"""^(?:import|export)\b[^;]*?from "(\.[^"]+)";|^import "(\.[^"]+)";""", re.M)
TEMPLATES = Path(settings.BASE_DIR) / "templates" / "matches"
# The document itself is some six kilobytes more.
MOST = 93_000
# Inter has none of them in any of its files.
SIGNS = {*"\N{LEFTWARDS ARROW}\N{RIGHTWARDS ARROW}\N{CHECK MARK}\N{BALLOT X}"}


def named(template: str) -> list[str]:
    """The files that a template names, without those in noscript."""
    text = re.sub(r"<noscript>.*?</noscript>", "", (TEMPLATES / template).read_text(), flags=re.S)
    return NAMED.findall(text)


def imported(start: str) -> set[str]:
    """A module and all that it imports before it runs."""
    found: set[str] = set()
    todo = [(STATIC / start).resolve()]
    while todo:
        path = todo.pop()
        name = str(path.relative_to(STATIC.resolve()))
        if name not in found:
            found.add(name)
            todo += [
                (path.parent / (one or other)).resolve() for one, other in IMPORTS.findall(path.read_text())
            ]
    return found


def test_all_that_the_first_board_imports_is_asked_for_at_once() -> None:
    assert sorted(named("_match_modules.html")) == sorted(imported("js/board/match.js"))


@pytest.mark.parametrize(
    "late", ["chat", "moves", "resign", "prefs_dialog", "keys_dialog", "sounds", "dice_check", "dice_agent"]
)
def test_what_can_wait_is_not_among_it(late: str) -> None:
    assert (STATIC / f"js/board/{late}.js").exists()
    assert f"js/board/{late}.js" not in imported("js/board/match.js")


@pytest.mark.long
@pytest.mark.share
def test_the_first_board_is_light() -> None:
    """A measure of files; `python -m bench.board` weighs the page itself."""
    styles = named("_match_styles.html")
    texts = [*imported("js/board/match.js"), *(name for name in styles if name.endswith(".css"))]
    weight = sum(len(brotli.compress((STATIC / name).read_bytes())) for name in texts)
    fonts = [name for name in styles if name.endswith(".woff2")]
    assert fonts == ["fonts/inter.woff2"]
    mark = STATIC / "fonts" / "source-serif-mark.woff2"

    assert weight + sum((STATIC / name).stat().st_size for name in fonts) + mark.stat().st_size < MOST


def test_every_letter_of_our_own_words_is_in_the_one_font() -> None:
    """The browser needs only one font file (by `unicode-range`) for all texts of the product."""
    sheet = (STATIC / "css" / "fonts.css").read_text()
    ranges = re.search(r"inter\.woff2.*?unicode-range:(.*?);", sheet, re.S)
    ours: set[int] = set()
    for part in ranges[1].replace("U+", "").split(","):
        first, _, last = part.strip().partition("-")
        ours |= set(range(int(first, 16), int(last or first, 16) + 1))
    folder = Path(settings.BASE_DIR) / "locale" / "de" / "LC_MESSAGES"
    said = {
        letter
        for path in folder.glob("*.po")
        for entry in polib.pofile(str(path))
        for letter in entry.msgid + entry.msgstr
    }

    assert {each for each in said if ord(each) not in ours and not each.isspace()} <= SIGNS
