"""The rules in our own words, R01 to R69, in their groups."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Final

from help.selectors.texts import Section, sections

NUMBERS: Final = tuple(f"R{number:02}" for number in range(1, 70))


@dataclass(frozen=True, slots=True)
class RuleGroup:
    """Rules about one thing."""

    title: str
    anchor: str
    rules: tuple[Section, ...]


def groups() -> tuple[RuleGroup, ...]:
    """Return the rules in their groups, in the reader's language."""
    found = sections("rules")
    heads = [section for section in found if section.level == 1]
    bodies = [tuple(part) for is_rule, part in groupby(found, lambda one: one.level == 2) if is_rule]
    return tuple(RuleGroup(head.title, head.anchor, rules) for head, rules in zip(heads, bodies, strict=True))
