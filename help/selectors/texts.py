"""Help's texts, section by section: read and made HTML once in each language, and kept."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from django.utils.translation import override

from help.selectors.files import HEADING, language, text
from help.selectors.markdown import to_html

if TYPE_CHECKING:
    import re

    from django.utils.safestring import SafeString


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it."""

    level: int
    title: str
    anchor: str
    # As it is written, to search in; with the other forms of a term.
    source: str
    forms: str
    html: SafeString


def sections(name: str) -> tuple[Section, ...]:
    """Return the sections of a file in the reader's language."""
    return _read(name, language())


@cache
def _read(name: str, code: str) -> tuple[Section, ...]:
    written = text(name, code)
    found = list(HEADING.finditer(written))
    ends = [heading.start() for heading in found[1:]] + [len(written)]
    with override(code):
        return tuple(
            _section(name, heading, written[heading.end() : end].strip(), code)
            for heading, end in zip(found, ends, strict=True)
        )


def _section(name: str, heading: re.Match[str], source: str, code: str) -> Section:
    anchor = heading["anchor"] or ""
    itself = anchor if name == "glossary" else ""
    html = to_html(source, code, itself=itself)
    return Section(len(heading["marks"]), heading["title"], anchor, source, heading["forms"] or "", html)
