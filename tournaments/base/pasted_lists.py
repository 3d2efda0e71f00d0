"""Parsing of typed lists of players: names with numbers, bullets, ratings and columns. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

# Prefixes of a name: a box, a bullet, a number followed by a sign or at least a space.
BEFORE: Final = re.compile(
    r"^\s*(?:\[[ xX✓]?\]\s*|[•·▪◦‣●○]\s*|[-–—*+>]\s+|#\s?\d{1,3}\s+|\d{1,3}\s*[.):]\s*|\d{1,3}\s+[-–—]\s+|\d{1,3}\s+(?=[^\W\d]))"  # noqa: RUF001
)
NUMBER: Final = re.compile(r"\d{3,4}(?:[.,]\d{1,2})?")
IN_BRACKETS: Final = re.compile(
    rf"^(?P<name>.*?)\s*[(\[]\s*(?:(?:rating|elo|r)\s*[:.]?\s*)?(?P<rating>{NUMBER.pattern})\s*[)\]]$", re.I
)
AFTER_COMMA: Final = re.compile(rf"^(?P<name>.*?)\s*,\s*(?P<rating>{NUMBER.pattern})$")
# Without a separator only a number of four digits counts as a rating, and only after at least two words.
AFTER_SPACE: Final = re.compile(r"^(?P<name>\S+(?:\s+\S+)*?\s+\D\S*)\s+(?P<rating>[12]\d{3})$")
COLUMNS: Final = re.compile(r"\s*[\t;|]\s*")
HEADINGS: Final = frozenset({"name", "names", "player", "players", "spieler", "spielerin", "namen"})
LEAST, MOST = 100.0, 4000.0


@dataclass(frozen=True, slots=True)
class PastedLine:
    typed: str
    name: str
    rating: float | None = None
    club: str = ""
    # The line has several readings; the name contains all its words.
    is_unsure: bool = False
    # The key of the player, if chosen by a director.
    key: str = ""


def parse_list(text: str) -> list[PastedLine]:
    """Parse the lines that contain a name.

    >>> [(one.name, one.rating) for one in parse_list("1. Alice Marsh\\n- Bob Lind (1720)\\nVolkov, 1650;")]
    [('Alice Marsh', None), ('Bob Lind', 1720.0), ('Volkov', 1650.0)]
    """
    found = [parse_line(typed) for typed in text.splitlines() if any(char.isalnum() for char in typed)]
    if found and found[0].name.casefold() in HEADINGS:
        found = found[1:]
    return [one for one in found if one.name]


def parse_line(typed: str) -> PastedLine:
    typed = typed.strip()
    rest = typed
    for _ in range(2):  # a bullet, and a number behind it
        rest = BEFORE.sub("", rest, count=1)
    columns = [column for column in COLUMNS.split(rest.strip(" \t;,|")) if column]
    if len(columns) > 1 and columns[0].isdigit():
        columns = columns[1:]
    if not columns:
        return PastedLine(typed, "")
    name, rating = _split_rating(columns[0])
    words: list[str] = []
    for column in columns[1:]:
        value = _parse_rating(column)
        if value is None:
            words.append(column)
        elif rating is None:
            rating = value
    name = " ".join(name.split())
    if not words:
        return PastedLine(typed, name, rating, is_unsure="," in name)
    if len(words) == 1 and len(name.split()) >= 2 and "," not in name:
        return PastedLine(typed, name, rating, words[0])
    # Either first and last name in two columns, or a name and a town.
    return PastedLine(typed, " ".join([name, *words]), rating, is_unsure=True)


def turn_round(name: str) -> str:
    """Turn "Last, First" round; "" if it is not of this form.

    >>> turn_round("Volkov, Dmitri"), turn_round("Dmitri Volkov")
    ('Dmitri Volkov', '')
    """
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if comma and first.strip() and "," not in first else ""


def _split_rating(text: str) -> tuple[str, float | None]:
    for form in (IN_BRACKETS, AFTER_COMMA, AFTER_SPACE):
        found = form.match(text)
        if found is not None and (value := _parse_rating(found["rating"])) is not None:
            return found["name"].strip(" ,"), value
    return text.strip(" ,"), None


def _parse_rating(text: str) -> float | None:
    if not NUMBER.fullmatch(text.strip("() ")):
        return None
    value = float(text.strip("() ").replace(",", "."))
    return value if LEAST <= value < MOST else None
