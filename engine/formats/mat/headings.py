"""Everything above the rows: tags, the length of the match, the heading of a game, names and score."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from engine.rules import VARIANTS
from engine.side import BySide

TAG: Final = re.compile(r'[;#]\s*\[\s*([A-Za-z][\w ]{0,40}?)\s*(?:"(.*)"|\s([^"\]]{0,200}))\s*\]')
LENGTH: Final = re.compile(r"(-?\d{1,7})\s+points?\s+match\b", re.IGNORECASE | re.ASCII)
GAME: Final = re.compile(r"Game\s+\d{1,7}$", re.IGNORECASE | re.ASCII)  # and nothing else
POINTS: Final = re.compile(r"-?\d{1,7}", re.ASCII)
SCORE: Final = re.compile(r":\s*(-?\d{1,7})(?=\s|$)", re.ASCII)
# gnubg writes the right name directly after the left score if the left name has more than 26 letters.
TOUCHING: Final = re.compile(r"\s*(0|[1-9]\d{0,6})(\D.*)", re.ASCII)
RATED: Final = re.compile(r",(\d{3,4})$", re.ASCII)

_YES, _NO = ("on", "yes", "true", "1"), ("off", "no", "false", "0")
TRUTHS: Final = {word: word in _YES for word in (*_YES, *_NO)}
# Other programs' tags about the rules.
RULES: Final = frozenset(["Variation", "Crawford", "Jacoby", "Beaver", "CubeLimit", "Cubelimit"])
# Our own tags for rules that no other program can express. Other programs treat them as comments.
OURS: Final = frozenset(["Gammons", "Backgammons", "Match Jacoby", "Best of"])


class Heading(NamedTuple):
    """A parsed score line; ratings, which some sites add to the names, are separate."""

    names: BySide[str]
    ratings: BySide[str]
    score: BySide[int]


NO_RATINGS: Final = BySide("", "")


def ends_game(line: str) -> bool:
    """True if another game or match begins with this line."""
    return bool(GAME.match(line) or LENGTH.match(line))


def read_tag(line: str) -> tuple[str, str] | None:
    """Return the key and the value of a tag line; None for any other line.

    >>> read_tag('; [Player 1 Elo "5,00/0"]')
    ('Player 1 Elo', '5,00/0')
    """
    found = TAG.match(line)
    if found is None:
        return None
    key, quoted, bare = found.groups()
    return key, (quoted if quoted is not None else bare).strip()


def read_score(line: str) -> Heading | None:
    """Parse a score line; either name may be missing, or contain digits and colons.

    >>> heading = read_score(" Team: 2 men : 3             Ann,1712 : 5 ")
    >>> heading.names, heading.ratings.black, heading.score
    (BySide(white='Team: 2 men', black='Ann'), '1712', BySide(white=3, black=5))
    """
    parts = line.split(":")
    if len(parts) == 3:
        white, middle, right = parts
        left, black = (*middle.split(None, 1), "", "")[:2]
        if not POINTS.fullmatch(left) and (touching := TOUCHING.fullmatch(middle)):
            left, black = touching.groups()
    elif len(parts) > 3:
        white, left, black, right = _split_at_colons(line.rstrip())
    else:
        return None
    if not (POINTS.fullmatch(left) and POINTS.fullmatch(right.strip())):
        return None
    score = BySide(int(left), int(right))
    names = BySide(white.strip(), black.strip())
    if "," in line:
        ratings = names.map(_find_rating)
        return Heading(names.map(lambda name: RATED.sub("", name).rstrip()), ratings, score)
    return Heading(names, NO_RATINGS, score)


def _split_at_colons(line: str) -> tuple[str, str, str, str]:
    """Split a line with more than two colons: the left score is the one before a gap, else the first."""
    rest, _, right = line.rpartition(":")
    scores = list(SCORE.finditer(rest))
    found = next((each for each in scores if rest[each.end() : each.end() + 2].isspace()), None)
    found = found or (scores[0] if scores else None)
    if found is None:
        return "", "", "", ""
    return rest[: found.start()], found[1], rest[found.end() :], right


def _find_rating(name: str) -> str:
    found = RATED.search(name)
    return found[1] if found else ""


def get_switch(tags: Mapping[str, str], key: str) -> bool | None:
    """Return the value of an on/off tag; None if it is missing or something else."""
    return TRUTHS.get(tags.get(key, "").strip().lower())


def get_variant(tags: Mapping[str, str]) -> str | None:
    """Return the variant in lower case, without the number gnubg adds to hypergammon."""
    word = tags.get("Variation", "").strip().lower()
    return next((name for name in VARIANTS if word.startswith(name)), word or None)


def has_cube(tags: Mapping[str, str]) -> bool | None:
    """Return False if the tags forbid turning the cube, else None."""
    limit = next((tags[key] for key in ("CubeLimit", "Cubelimit") if key in tags), "")
    return False if limit.strip() in ("0", "1") else None
