"""Limits for readers. A file that exceeds one is refused with a sentence that names it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import Unreadable


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for one file; the defaults (`LIMITS`) are far beyond any match ever played.

    >>> Limits(games=2).check("games", 3)
    Traceback (most recent call last):
    engine.errors.Unreadable: The file has more than 2 games, which is more than will be read.
    """

    bytes: int = 4 << 20
    # The unpacked size of a compressed part.
    unpacked: int = 32 << 20
    lines: int = 50_000
    columns: int = 20_000
    # The length of a name, a tag or similar text.
    letters: int = 4_000
    matches: int = 200
    games: int = 1_000
    # Claims of one game and of the whole file. A game with mutual hitting can have more than 3,000 rolls.
    plies: int = 5_000
    claims: int = 60_000

    def check(self, what: str, number: int, *, line: int = 0) -> None:
        """Raise Unreadable if *number* exceeds the limit for *what*."""
        most = getattr(self, what)
        if number > most:
            raise Unreadable(
                "too-much",
                f"{WHERE.get(what, 'The file')} has more than {most:,} {WORDS.get(what, what)}, "
                "which is more than will be read.",
                limit=what,
                most=most,
                line=line,
            )


# Where a limit is exceeded, if not in the file; and what it counts, if not what it is called.
WHERE = {"columns": "A line", "letters": "A name or tag", "plies": "A game"}
WORDS = {
    "unpacked": "bytes unpacked",
    "columns": "characters",
    "plies": "rolls and words of the cube",
    "claims": "rolls and words of the cube",
}

LIMITS = Limits()
