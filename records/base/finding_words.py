"""Findings of the referee in the reader's language: the stored sentences are English."""

from __future__ import annotations

import re
from functools import cache
from re import Pattern
from typing import Final

from django.utils.translation import gettext, gettext_noop, ngettext

from engine.finding_codes import CODES

FIELD: Final = re.compile(r"\\\{(\w+)\\\}")
PLACE: Final = re.compile(r"Game (?P<game>\d+)(?:, roll (?P<roll>\d+))?: ")
EARLIER: Final = re.compile(r" This may follow from roll (?P<roll>\d+)\.$")
POINTS: Final = re.compile(r"(\d+) points?")
LEFT_OUT: Final = re.compile(r"left out a (\d) that could be played")
# What the referee puts into its sentences besides names, numbers and plays.
FACTS: Final = frozenset(
    {
        gettext_noop("Somebody"),
        gettext_noop("the opponent"),
        gettext_noop("White"),
        gettext_noop("Black"),
        gettext_noop("nothing"),
        gettext_noop("no dice"),
        gettext_noop("could have played more"),
        gettext_noop("this roll"),
        gettext_noop("unlimited length"),
    }
)


def translate_finding(code: str, message: str, rule: str | None) -> str:
    """Return the message in the reader's language, without the rule, because pages show the rule as a link.

    A message that is not of the code's sentence, such as the remark of a reader, stays in English.

    >>> translate_finding("illegal-play", "Game 1, roll 3: This play is not legal. R12.", "R12")
    'Game 1, roll 3: This play is not legal.'
    """
    message = message.removesuffix(f" {rule}.") if rule else message
    if code not in CODES or gettext(CODES[code].sentence) == CODES[code].sentence:
        return message
    place, earlier = PLACE.match(message), EARLIER.search(message)
    sentence = message[place.end() if place else 0 : earlier.start() if earlier else None]
    found = _compile_sentence(code).fullmatch(sentence)
    if found is None:
        return message
    facts = {name: _translate_fact(value) for name, value in found.groupdict().items()}
    parts = [_translate_place(**place.groupdict())] if place else []
    parts.append(gettext(CODES[code].sentence).format(**facts))
    if earlier:
        parts.append(gettext("This may follow from roll {roll}.").format(roll=earlier["roll"]))
    return " ".join(parts)


@cache
def _compile_sentence(code: str) -> Pattern[str]:
    written = FIELD.sub(r"(?P<\1>.+?)", re.escape(CODES[code].sentence))
    # A sentence without a place before it begins with a capital letter.
    return re.compile(written, re.IGNORECASE | re.DOTALL)


def _translate_place(game: str, roll: str | None) -> str:
    if roll is None:
        return gettext("Game {game}:").format(game=game)
    return gettext("Game {game}, roll {roll}:").format(game=game, roll=roll)


def _translate_fact(value: str) -> str:
    if value in FACTS:
        return gettext(value)
    if found := POINTS.fullmatch(value):
        number = int(found[1])
        return ngettext("{number} point", "{number} points", number).format(number=number)
    if found := LEFT_OUT.fullmatch(value):
        return gettext("left out a {number} that could be played").format(number=found[1])
    return value
