"""eXtreme Gammon's XGID: 26 letters and nine fields, a widely used position identifier.

The board is from the view of the lower player: capitals are the lower player's checkers. That is Black here,
like player 1 in GNU Backgammon; small letters are the upper player's, White.
"""

from __future__ import annotations

import re
from typing import Final

from engine.board import Board
from engine.cube import Cube
from engine.dice import Dice
from engine.errors import EngineError, Unreadable
from engine.side import Side
from engine.situation import Offer, Situation, build_score

PREFIX: Final = "XGID="
SHAPE: Final = re.compile(
    r"(?<![-\w])(?:XGID=)?(?P<board>[-a-p][-a-pA-P]{24}[-A-P])"
    r":(?P<cube>\d{1,2}):(?P<owner>-1|0|1):(?P<turn>-1|1):(?P<dice>00|[1-6]{2}|D|B|R)"
    r":(?P<below>\d{1,5}):(?P<above>\d{1,5}):(?P<rule>[0-3]):(?P<length>\d{1,5})(?::(?P<highest>\d{1,2}))?",
    re.ASCII,
)

OFFERS: Final = {"D": Offer.DOUBLE, "B": Offer.BEAVER, "R": Offer.RACCOON}
LETTERS: Final = {offer: letter for letter, offer in OFFERS.items()}
SIDES: Final = {"1": Side.BLACK, "-1": Side.WHITE}
SIGNS: Final = {Side.BLACK: 1, Side.WHITE: -1, None: 0}


def encode(situation: Situation) -> str:
    """Return the XGID of *situation*.

    >>> encode(Situation(turn=Side.BLACK, dice=Dice(3, 1), length=7))
    'XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10'
    """
    dice = str(situation.dice) if situation.dice else "00"
    rule = int(situation.crawford) if situation.length else situation.jacoby + 2 * situation.beavers
    fields = (
        situation.board.result_text(Side.BLACK),
        situation.cube.log,
        SIGNS[situation.cube.owner],
        SIGNS[situation.turn],
        LETTERS[situation.offer] if situation.offer else dice,
        situation.score.black,
        situation.score.white,
        rule,
        situation.length,
        situation.highest,
    )
    return PREFIX + ":".join(map(str, fields))


def decode(text: str) -> Situation:
    """Parse an XGID with or without its prefix.

    >>> decode("XGID=-a-B--CBB--AeC---c-dbA-A--:1:1:1:00:3:4:0:7:10").score
    BySide(white=4, black=3)
    """
    found = SHAPE.fullmatch(text.strip())
    if found is None:
        raise Unreadable("bad-identifier", f"{text!r} is no XGID.", text=text)
    length, rule, dice = int(found["length"]), int(found["rule"]), found["dice"]
    try:
        return Situation(
            board=Board.from_letters(found["board"], Side.BLACK),
            turn=SIDES[found["turn"]],
            dice=Dice.parse(dice) if dice.isdigit() and dice != "00" else None,
            cube=Cube(1 << int(found["cube"]), SIDES.get(found["owner"])),
            length=length,
            score=build_score(length, int(found["above"]), int(found["below"])),
            crawford=bool(length) and bool(rule & 1),
            jacoby=not length and bool(rule & 1),
            beavers=not length and bool(rule & 2),
            offer=OFFERS.get(dice),
            highest=int(found["highest"] or 10),
        )
    except EngineError as error:
        raise Unreadable("bad-position", f"{text!r} is no position: {error}", text=text) from error
