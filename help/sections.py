"""Help's texts by section, rendered once per language and cached.

The rules are in groups, the glossary under its letters; a club's own texts replace the default ones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from django.utils.safestring import SafeString
from django.utils.translation import override

from help.files import HEADING, get_language_code, load_text
from help.markdown import render_section
from players.models import Club
from players.names import fold
from runtime import markdown


@dataclass(frozen=True, slots=True)
class Section:
    level: int
    title: str
    anchor: str
    # The source, for the search, with other forms of a term.
    source: str
    forms: str
    html: SafeString


def load_sections(name: str) -> tuple[Section, ...]:
    """Load the sections of a file in the reader's language."""
    return _read_sections(name, get_language_code())


@cache
def _read_sections(name: str, code: str) -> tuple[Section, ...]:
    written = load_text(name, code)
    found = list(HEADING.finditer(written))
    ends = [heading.start() for heading in found[1:]] + [len(written)]
    with override(code):
        return tuple(
            _build_section(name, heading, written[heading.end() : end].strip(), code)
            for heading, end in zip(found, ends, strict=True)
        )


def _build_section(name: str, heading: re.Match[str], source: str, code: str) -> Section:
    anchor = heading["anchor"] or ""
    itself = anchor if name == "glossary" else ""
    html = render_section(source, code, itself=itself)
    return Section(len(heading["marks"]), heading["title"], anchor, source, heading["forms"] or "", html)


@dataclass(frozen=True, slots=True)
class RuleGroup:
    title: str
    anchor: str
    rules: tuple[Section, ...]


def list_rule_groups() -> tuple[RuleGroup, ...]:
    """Return the rules in their groups, in the reader's language."""
    found = load_sections("rules")
    heads = [section for section in found if section.level == 1]
    bodies = [tuple(part) for is_rule, part in groupby(found, lambda one: one.level == 2) if is_rule]
    return tuple(RuleGroup(head.title, head.anchor, rules) for head, rules in zip(heads, bodies, strict=True))


@dataclass(frozen=True, slots=True)
class Letter:
    letter: str
    terms: tuple[Section, ...]


def list_letters() -> tuple[Letter, ...]:
    terms = sorted(load_sections("glossary")[1:], key=lambda term: fold(term.title))
    grouped = groupby(terms, lambda term: fold(term.title)[0].upper())
    return tuple(Letter(letter, tuple(found)) for letter, found in grouped)


def read_club_texts(club: Club) -> dict[str, SafeString]:
    """Return the texts of a club's page; it can be without house rules."""
    usual = {section.anchor: section.html for section in load_sections("terms")}
    return {
        "house_rules": markdown.render_text(club.house_rules),
        "terms": markdown.render_text(club.terms) or usual["terms"],
        "privacy": markdown.render_text(club.privacy) or usual["privacy"],
    }
