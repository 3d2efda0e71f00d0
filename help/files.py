"""Help's text files: their names, languages, and the syntax of headings.

    ## Blot {#blot} | blots

An anchor is the same in every language. Other forms of a term follow the bar; a dash means that its title is
too common a word to be linked.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

from django.conf import settings
from django.utils.translation import get_language

TEXTS: Final = Path(__file__).resolve().parent / "texts"
HEADING: Final = re.compile(
    r"^(?P<marks>##?) (?P<title>.+?)(?: \{#(?P<anchor>[\w-]+)\})?(?: \| (?P<forms>.+))?$", re.MULTILINE
)
FIRST: Final = "en"
# In display order; each is the name of a text and of an address.
PAGES: Final = (
    "history",
    "play",
    "cube-and-matches",
    "etiquette",
    "night",
    "running",
    "formats",
    "tie-breaks",
    "ratings",
    "dice",
    "directors",
    "clubs",
    "privacy",
    "terms",
    "records",
)
# Recommended first; each is the name of a text, with an address below that of the list.
ARTICLES: Final = (
    "opening-moves",
    "when-to-double",
    "race",
    "safe-bearing-off",
    "match-scores",
)


@cache
def load_text(name: str, code: str) -> str:
    return (TEXTS / code / f"{name}.md").read_text(encoding="utf-8")


def get_language_code() -> str:
    """Return the reader's language if help has it, else the first."""
    requested = (get_language() or FIRST).partition("-")[0]
    return requested if requested in list_languages() else FIRST


def list_languages() -> tuple[str, ...]:
    return tuple(code for code, _name in settings.LANGUAGES)
