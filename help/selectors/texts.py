"""Help's texts: Markdown files by language under `help/texts`, read once and kept.

A heading may name an anchor, which is the same in every language: ``## Moving {#moving}``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.utils.translation import get_language, override

from help.selectors.markdown import to_html
from help.selectors.positions import TEXTS

if TYPE_CHECKING:
    from django.utils.safestring import SafeString

HEADING: Final = re.compile(r"^(?P<marks>##?) (?P<title>.+?)(?: \{#(?P<anchor>[\w-]+)\})?$", re.MULTILINE)
FIRST: Final = "en"


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it."""

    level: int
    title: str
    anchor: str
    # As it is written, to search in.
    source: str
    html: SafeString


def sections(name: str) -> tuple[Section, ...]:
    """Return the sections of a file in the reader's language."""
    return _read(name, language())


def language() -> str:
    """Return the reader's language if help speaks it, else the first."""
    asked = (get_language() or FIRST).partition("-")[0]
    return asked if (TEXTS / asked).is_dir() else FIRST


def languages() -> tuple[str, ...]:
    """Return the languages that help has to speak."""
    return tuple(code for code, _name in settings.LANGUAGES)


@cache
def _read(name: str, code: str) -> tuple[Section, ...]:
    text = (TEXTS / code / f"{name}.md").read_text(encoding="utf-8")
    with override(code):
        return tuple(_sections(text))


def _sections(text: str) -> list[Section]:
    found = list(HEADING.finditer(text))
    ends = [heading.start() for heading in found[1:]] + [len(text)]
    return [
        _section(heading, text[heading.end() : end].strip()) for heading, end in zip(found, ends, strict=True)
    ]


def _section(heading: re.Match[str], source: str) -> Section:
    return Section(len(heading["marks"]), heading["title"], heading["anchor"] or "", source, to_html(source))
