"""OpenGammon's OGID: the points of all checkers, one character for each.

Both sides use one numbering, from White's bar (0) up to Black's (25). The fifth field names the player who
moved last, so that the other one is on roll; while a double is pending it names the doubler, and before an
opening roll it has no meaning.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from engine.board import BAR, CHECKERS, Board
from engine.cube import Cube
from engine.dice import Dice
from engine.errors import EngineError, Impossible, Unreadable
from engine.side import Side
from engine.situation import Offer, Situation, Stage, build_score

PLACES: Final = "0123456789abcdefghijklmnop"
OFF: Final = "q"
SHAPE: Final = re.compile(
    r"(?:OGID=)?(?P<white>[0-9a-q]{0,15}):(?P<black>[0-9a-q]{0,15})"
    r":(?P<owner>[NWBD?])(?P<cube>\d{1,2})(?P<action>[NOTP])"
    r"(?::(?P<dice>[1-6]{2})?(?::(?P<turn>[WB])?(?::(?P<state>[A-Z]{0,2})"
    r"(?::(?P<score_w>\d{0,5})(?::(?P<score_b>\d{0,5})(?::(?P<length>\d{0,5})(?P<kind>[LCG]?)\d{0,5}"
    r"(?::\d{0,9}(?::(?P<checkers>\d{0,2}))?)?)?)?)?)?)?)?",
    re.ASCII,
)
OWNERS: Final = {"W": Side.WHITE, "B": Side.BLACK}
LETTERS: Final = {Side.WHITE: "W", Side.BLACK: "B", None: "N"}
OPENING: Final = "IW"


def encode(situation: Situation) -> str:
    """Return the OGID of *situation*, as move 0 of its match.

    >>> encode(Situation(turn=Side.BLACK, dice=Dice(3, 1), length=7))
    '11ccccchhhjjjjj:66666888dddddoo:N0N:13:W:R:0:0:7:0'
    """
    doubled = situation.offer is Offer.DOUBLE
    if situation.offer and not doubled:
        raise Impossible("cannot-say", f"An OGID cannot say that a {situation.offer} waits for its answer.")
    dice = str(situation.dice)[::-1] if situation.dice else ""
    opening = situation.stage is Stage.NONE
    state = OPENING if opening else "D" if doubled else "R" if dice else "C"
    # Before the opening roll this field is always White.
    reached = Side.WHITE if opening else situation.turn if doubled else situation.turn.other
    fields = [
        _format_places(situation.board, Side.WHITE),
        _format_places(situation.board, Side.BLACK),
        f"{LETTERS[situation.cube.owner]}{situation.cube.log}{'O' if doubled else 'N'}",
        dice,
        LETTERS[reached],
        state,
        situation.score.white,
        situation.score.black,
        f"{situation.length}{'C' if situation.crawford else ''}",
        0,
    ]
    if situation.board.checkers != CHECKERS:
        fields.append(situation.board.checkers)
    return ":".join(map(str, fields))


def decode(text: str) -> Situation:
    """Parse an OGID; three fields are enough.

    >>> decode("99cchhiijjjkkmm:223334455666ddo:N0N:16:B:R:2:1:3C:13").turn.word
    'white'
    """
    found = SHAPE.fullmatch(text.strip())
    if found is None:
        raise Unreadable("bad-identifier", f"{text!r} is no OGID.", text=text)
    length = int(found["length"] or 0)
    checkers = int(found["checkers"] or CHECKERS)
    doubled = found["action"] == "O"
    try:
        return Situation(
            board=Board.from_counts(_read_counts(found, "white"), _read_counts(found, "black"), checkers),
            turn=_read_turn(found, doubled=doubled),
            dice=Dice.parse(found["dice"]) if found["dice"] else None,
            cube=Cube(1 << int(found["cube"]), OWNERS.get(found["owner"])),
            length=length,
            score=build_score(length, int(found["score_w"] or 0), int(found["score_b"] or 0)),
            crawford=bool(length) and found["kind"] == "C",
            offer=Offer.DOUBLE if doubled else None,
            stage=Stage.NONE if _is_opening(found) else Stage.PLAYING,
        )
    except EngineError as error:
        raise Unreadable("bad-position", f"{text!r} is no position: {error}", text=text) from error


def _is_opening(found: re.Match[str]) -> bool:
    return found["state"] == OPENING and not found["dice"]


def _read_turn(found: re.Match[str], *, doubled: bool) -> Side:
    if _is_opening(found) or not found["turn"]:
        return Side.WHITE
    reached = OWNERS[found["turn"]]
    return reached if doubled else reached.other


def _read_counts(found: re.Match[str], side: str) -> dict[int, int]:
    """Return a side's counts on its own points; White's numbering is opposite to that of the text."""
    seen = Counter(PLACES.index(letter) for letter in found[side] if letter != OFF)
    return {BAR - place if side == "white" else place: number for place, number in seen.items()}


def _format_places(board: Board, side: Side) -> str:
    points = enumerate(board.points(side)[1:], 1)
    held = [(BAR - point if side is Side.WHITE else point, number) for point, number in points]
    return "".join(PLACES[place] * number for place, number in sorted(held))
