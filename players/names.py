"""Normalisation of names and texts, without invisible characters.

A name that looks like another one, runs backwards or shows nothing can be used for impersonation; so text is
normalised (NFKC) and invisible characters are refused. Pure.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final
from zoneinfo import available_timezones

from players.errors import EmptyName, HiddenCharacters, TooLong, UnknownTimeZone

# Control, format (bidi and zero-width), surrogate, private use, unassigned, line and paragraph separators.
HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters that look like a space or like nothing: the Hangul fillers and the blank braille cell.
BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
MOST_MARKS = 4
# Letters that NFKD does not decompose, as people type them without the key.
STROKES = str.maketrans(
    {
        "ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "þ": "th",
        "\N{LATIN SMALL LETTER DOTLESS I}": "i", "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    }
)  # fmt: skip


def clean_name(text: str, *, limit: int) -> str:
    """Normalise a name, with single spaces.

    :raises HiddenCharacters: it has invisible characters, or too many stacked accents.
    :raises EmptyName: it has no letter or number.
    :raises TooLong: after normalisation it is longer than *limit*.
    """
    if any(_is_hidden(char) for char in text):
        raise HiddenCharacters
    name = " ".join(unicodedata.normalize("NFKC", text).split())
    if not any(unicodedata.category(char)[0] in "LN" for char in name):
        raise EmptyName
    if _count_stacked_marks(name) > MOST_MARKS:
        raise HiddenCharacters
    if len(name) > limit:
        raise TooLong(limit=limit)
    return name


def clean_optional(text: str, *, limit: int) -> str:
    """Normalise a name as `clean_name` does, but return "" for a blank text."""
    return clean_name(text, limit=limit) if text.strip() else ""


def fold(name: str) -> str:
    """Fold a name for comparison: no capitals, no accents, no double spaces.

    >>> fold("Zoë  Ångström"), fold("Søren Łódź")
    ('zoe angstrom', 'soren lodz')
    """
    parted = unicodedata.normalize("NFKD", name.casefold().translate(STROKES))
    return " ".join("".join(char for char in parted if unicodedata.category(char) != "Mn").split())


def clean_prose(text: str, *, limit: int) -> str:
    """Normalise several lines of text; the only invisible characters are line ends, tabs and zero-width joiners.

    :raises HiddenCharacters: it has others.
    :raises TooLong: it is longer than *limit*.
    """
    prose = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    if any(_is_hidden(char) for char in prose if char not in "\n\t\u200d"):
        raise HiddenCharacters
    if len(prose) > limit:
        raise TooLong(limit=limit)
    return prose


def clean_line(text: str, *, limit: int) -> str:
    """Normalise one line of text, with single spaces; it may consist of symbols alone.

    :raises HiddenCharacters: it has invisible characters, or too many stacked accents.
    :raises EmptyName: nothing is left.
    :raises TooLong: it is longer than *limit*.
    """
    line = " ".join(clean_prose(text, limit=limit).split())
    if not line.replace("\u200d", "").strip():
        raise EmptyName
    if _count_stacked_marks(line) > MOST_MARKS:
        raise HiddenCharacters
    return line


def clean_time_zone(text: str) -> str:
    """Require the name of a time zone.

    :raises UnknownTimeZone: there is none of that name.
    """
    if text not in list_time_zones():
        raise UnknownTimeZone
    return text


def build_initials(name: str) -> str:
    words = [word for word in name.split() if word[0].isalnum()]
    ends = words[:1] + words[1:][-1:]
    return "".join(word[0].upper() for word in ends)


def shorten_names(names: Sequence[str]) -> list[str]:
    """Return the shortest unambiguous form of each name, for a crowded sheet.

    A surname is used alone only if the name clearly has a first and a last name.

    >>> shorten_names(["Ada Okafor", "Guest 12", "Bob", "Nadia Haddad", "Farid Haddad", "Noor Haddad"])
    ['Okafor', 'Guest 12', 'Bob', 'Nadia Haddad', 'F. Haddad', 'Noor Haddad']
    >>> shorten_names(["Tilda from the ferry", "Jan van Dijk", "Bob the Builder"])
    ['Tilda from the ferry', 'Dijk', 'Bob the Builder']
    """
    found: list[str] = []
    forms = [_list_forms(name) for name in names]
    called = Counter(form for several in forms for form in set(several))
    for name, several in zip(names, forms, strict=True):
        found.append(next((form for form in several if called[form] == 1), name))
    return found


def style_names(names: Sequence[str], style: str) -> list[str]:
    """Format names in a club's style; names that would become ambiguous stay whole.

    >>> style_names(["Ada Okafor", "Bob", "Jan van Dijk", "Tilda from the ferry"], "last-first")
    ['Okafor, Ada', 'Bob', 'Dijk, Jan van', 'Tilda from the ferry']
    >>> style_names(["Ada Okafor", "Farid Haddad", "Farid Hill", "Guest 12"], "last-initial")
    ['Ada O.', 'Farid Haddad', 'Farid Hill', 'Guest 12']
    """
    if style not in STYLES:
        return list(names)
    write = STYLES[style]
    found = [write(*parts) if (parts := _split_name(name)) else name for name in names]
    called = Counter(found)
    return [short if called[short] == 1 else name for name, short in zip(names, found, strict=True)]


STYLES: Final[Mapping[str, Callable[[str, str], str]]] = {
    "last-first": lambda first, last: f"{last}, {first}",
    "first-initial": lambda first, last: " ".join([f"{first[0]}.", *first.split()[1:], last]),
    "last-initial": lambda first, last: f"{first} {last[0]}.",
}


# Words in lower case that belong to a surname.
PARTICLES: Final = {
    "af", "al", "av", "ben", "bin", "da", "das", "de", "del", "della", "den", "der", "des", "di", "do",
    "dos", "du", "e", "el", "ibn", "la", "las", "le", "los", "ten", "ter", "van", "vom", "von", "y", "zu",
    "zum", "zur",
}  # fmt: skip


def _split_name(name: str) -> tuple[str, str] | None:
    """Split a name into first and last; None for names such as "Guest 12" or "Tilda from the ferry"."""
    *first, last = name.split(" ")
    if not first or not last[0].isalpha() or last[0].islower() or last.endswith("."):
        return None
    if first[0][0].islower() or any(word[0].islower() and word not in PARTICLES for word in first[1:]):
        return None
    return " ".join(first), last


def _list_forms(name: str) -> tuple[str, ...]:
    """Return the short forms of a name, the shortest first."""
    parts = _split_name(name)
    if parts is None:
        return (name,)
    first, last = parts
    return (last, f"{first[0]}. {last}", name) if len(last) > 2 else (name,)


@cache
def list_time_zones() -> tuple[str, ...]:
    """Return the time zones to choose from, in alphabetical order, UTC first."""
    areas = ("Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe")
    ocean = ("Indian", "Pacific")
    names = (
        name for name in available_timezones() if name.partition("/")[0] in areas + ocean and "/" in name
    )
    return ("UTC", *sorted(names))


def _is_hidden(char: str) -> bool:
    return unicodedata.category(char) in HIDDEN or char in BLANK_LETTERS


def _count_stacked_marks(text: str) -> int:
    highest = height = 0
    for char in text:
        height = height + 1 if unicodedata.category(char) in {"Mn", "Me"} else 0
        highest = max(highest, height)
    return highest
