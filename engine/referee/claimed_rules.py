"""The rules a record is judged by if none are given: those it claims itself."""

from __future__ import annotations

from typing import Final

from engine.board import HYPERGAMMON, NACKGAMMON, STANDARD, Board
from engine.formats.comments import merge_comment_rules
from engine.rules import LONGEST_READ, UNLIMITED, Rules
from engine.sheet import CubeClaim, CubeWord, Sheet

# By the spellings in files, without blanks and in lower case. gnubg adds the number of checkers.
STARTS: Final[dict[str, Board]] = {
    "": STANDARD,
    "backgammon": STANDARD,
    "standard": STANDARD,
    "nackgammon": NACKGAMMON,
    "hypergammon": HYPERGAMMON,
    "hypergammon(3)": HYPERGAMMON,
    "hypergammon3": HYPERGAMMON,
}
# This site writes a single game of unlimited play as a match to the most points it may cost.
MONEY_AS_MATCH: Final = "galaxy"


def find_start(sheet: Sheet) -> Board | None:
    """Return the starting position of the variant that *sheet* names; None if the variant is unknown."""
    named = sheet.told.get("start")
    return Board.parse(named) if named else STARTS.get("".join((sheet.variant or "").casefold().split()))


def is_money_as_match(sheet: Sheet) -> bool:
    """True if *sheet* is a game of unlimited play, written as a match to 2, 4, 8 or 16 points (Q-21)."""
    length = sheet.length or 0
    return (
        sheet.dialect == MONEY_AS_MATCH
        and length > 1
        and length & (length - 1) == 0
        and len(sheet.games) == 1
    )


def get_length(sheet: Sheet) -> int:
    """Return the length that *sheet* is judged by; an impossible one is read as unlimited play."""
    claimed = sheet.length or UNLIMITED
    return UNLIMITED if is_money_as_match(sheet) or not 0 <= claimed <= LONGEST_READ else claimed


def build_claimed_rules(sheet: Sheet) -> Rules:
    return merge_comment_rules(_build_shown_rules(sheet), sheet.told)


def _build_shown_rules(sheet: Sheet) -> Rules:
    """Build the rules that tags, length and claims show.

    Beavers and automatic doubles are taken as agreed if they were played, Jacoby only if it is mentioned.
    """
    board = find_start(sheet) or STANDARD
    cube = sheet.cube is not False
    points = get_length(sheet)
    if points:
        gammons = sheet.gammons is not False
        return Rules(
            length=points,
            cube=cube,
            crawford=sheet.crawford is not False,
            gammons=gammons,
            backgammons=gammons and sheet.backgammons is not False,
            jacoby=bool(sheet.match_jacoby),
            start=board,
        )
    claims = (claim for game in sheet.games for claim in game.claims)
    words = [claim.word for claim in claims if isinstance(claim, CubeClaim)]
    return Rules(
        length=UNLIMITED,
        cube=cube,
        crawford=False,
        jacoby=bool(sheet.jacoby),
        beavers=bool(sheet.beavers) or CubeWord.BEAVER in words,
        automatic_doubles=words.count(CubeWord.AUTOMATIC),
        start=board,
    )
