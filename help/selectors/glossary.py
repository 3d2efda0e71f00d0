"""The glossary: every term under its letter."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from itertools import groupby

from help.selectors.texts import Section, sections


@dataclass(frozen=True, slots=True)
class Letter:
    """The terms that begin with a letter."""

    letter: str
    terms: tuple[Section, ...]


def letters() -> tuple[Letter, ...]:
    """Return the glossary in the reader's language, from A to Z."""
    terms = sorted(sections("glossary")[1:], key=lambda term: folded(term.title))
    grouped = groupby(terms, lambda term: folded(term.title)[0].upper())
    return tuple(Letter(letter, tuple(found)) for letter, found in grouped)


def folded(words: str) -> str:
    """Return *words* as they are sorted and searched: small letters without marks."""
    plain = unicodedata.normalize("NFKD", words.casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter))
