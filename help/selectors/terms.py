"""Which words of a text are terms of the glossary, so that they can be linked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from help.selectors.files import HEADING, text

if TYPE_CHECKING:
    from collections.abc import Mapping

# Endings that a language hangs on a word by itself; what is not so regular stands with the term.
ENDINGS: Final = {"en": "(?:s|es)?", "de": "(?:e|en|er|ern|es|n|ns|s)?"}
NOT_LINKED: Final = "-"


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of one language."""

    pattern: re.Pattern[str]
    anchors: Mapping[str, str]

    def anchor(self, found: re.Match[str]) -> str:
        """Return the anchor of the term that was found."""
        return self.anchors[found["form"].casefold()]


@cache
def terms(code: str) -> Terms:
    """Return the terms of a language. German knows a noun by its capital, English does not."""
    anchors: dict[str, str] = {}
    forms: list[str] = []
    for heading in HEADING.finditer(text("glossary", code)):
        more = [form.strip() for form in (heading["forms"] or "").split(",") if form.strip()]
        title = [] if NOT_LINKED in more or not heading["anchor"] else [heading["title"]]
        for form in (*title, *(form for form in more if form != NOT_LINKED)):
            anchors.setdefault(form.casefold(), heading["anchor"])
            forms.append(form)
    forms.sort(key=len, reverse=True)
    told = "|".join(map(re.escape, forms))
    flags = re.IGNORECASE if code == "en" else re.NOFLAG
    return Terms(re.compile(rf"(?<![\w-])(?P<form>{told}){ENDINGS[code]}(?![\w-])", flags), anchors)
