"""Position identifiers: short texts that describe one moment of a game, as values and as files.

`read` finds any of them at any place in a text; a file may contain many, and each becomes a sheet.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from engine.board import Board
from engine.errors import Unreadable
from engine.formats import draft, fibs_board, match_id, ogid, position_id, snowie, xgid
from engine.formats.decoding import decode as decoded
from engine.formats.limits import LIMITS, Limits
from engine.record import Record
from engine.sheet import Claim, CubeWord, GameSheet, Place, PositionClaim, Sheet
from engine.side import Side
from engine.situation import Offer, Situation

HEAD: Final = 4_000
BASE64: Final = "[A-Za-z0-9+/]"
GNUBG_ID: Final = re.compile(
    rf"(?<!{BASE64})(?P<position>{BASE64}{{14}})(?:[ \t]*:[ \t]*|\s+Match ID[ \t]*:\s*)(?P<match>{BASE64}{{12}})(?!{BASE64})"
    rf"|(?:\A\s*|(?<=Position ID:)[ \t]*)(?P<alone>{BASE64}{{14}})(?=\s*\Z)"
)
BOARD: Final = re.compile(r"white [^\n]*black [^\n]*")


def encode_gnubg(situation: Situation) -> str:
    """Return Position ID and Match ID with a colon between them.

    >>> encode_gnubg(Situation(length=3))
    '4HPwATDgc/ABMA:MAFgAAAAAAAE'
    """
    return f"{position_id.encode(situation.board, situation.turn)}:{match_id.encode(situation)}"


def decode_gnubg(text: str) -> Situation:
    """Parse a Position ID with or without a Match ID; without one White is on roll."""
    found = GNUBG_ID.search(text)
    if found is None:
        raise Unreadable("bad-identifier", f"{text[:40]!r} is no Position ID.", text=text[:200])
    if found["alone"]:
        return Situation(board=position_id.decode(found["alone"], Side.WHITE))
    situation = match_id.decode(found["match"])
    return replace(situation, board=position_id.decode(found["position"], situation.turn))


@dataclass(frozen=True, slots=True)
class Identifier:
    name: str
    shape: re.Pattern[str]
    decode: Callable[[str], Situation]
    encode: Callable[[Situation], str]

    def sniff(self, data: bytes) -> bool:
        """True if such an identifier is near the beginning of *data*."""
        try:
            text = decoded(data[:HEAD])
        except Unreadable:
            return False
        return self.shape.search(text) is not None

    def parse(self, data: bytes, limits: Limits = LIMITS) -> tuple[Sheet, ...]:
        text = decoded(data, limits)
        sheets: list[Sheet] = []
        line = last = 0
        for found in self.shape.finditer(text):
            limits.check("matches", len(sheets) + 1)
            line, last = line + text.count("\n", last, found.start()), found.start()
            sheets.append(self._build_sheet(found[0].strip(), Place(line + 1, 1)))
        if not sheets:
            raise Unreadable("no-game", "There is no position in this file.")
        return tuple(sheets)

    def write(self, record: Record) -> bytes:
        """Return the identifier of the last moment of *record*."""
        return self.encode(Situation.from_match(record.replay(), record.players)).encode() + b"\n"

    def _build_sheet(self, text: str, at: Place) -> Sheet:
        situation = self.decode(text)
        money = not situation.length
        game = GameSheet(
            tuple(_build_claims(situation, text, at)),
            situation.score,
            situation.crawford if situation.length else None,
            at,
        )
        return Sheet(
            format=self.name,
            names=situation.players,
            length=situation.length,
            games=(game,),
            jacoby=situation.jacoby if money else None,
            beavers=situation.beavers if money else None,
            cube=None if situation.highest else False,
        )


# The cube actions that led to a pending offer, in order.
SAID: Final = {
    Offer.DOUBLE: (CubeWord.DOUBLE,),
    Offer.BEAVER: (CubeWord.DOUBLE, CubeWord.BEAVER),
    Offer.RACCOON: (CubeWord.DOUBLE, CubeWord.BEAVER, CubeWord.RACCOON),
}


def _build_claims(situation: Situation, text: str, at: Place) -> list[Claim]:
    claims: list[Claim] = [PositionClaim(situation.board, situation.turn, situation.cube, at=at, text=text)]
    side = situation.turn
    if situation.offer is not None:
        for word in SAID[situation.offer]:
            claims.append(draft.build_cube_claim(side, word, at=at))
            side = side.other
    elif situation.dice is not None:
        claims.append(draft.build_turn(side, situation.dice, at=at))
    return claims


def _compile_line_pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"^(?:{pattern})[ \t]*$", re.MULTILINE | re.ASCII)


XGID: Final = Identifier("xgid", xgid.SHAPE, xgid.decode, xgid.encode)
GNUBG: Final = Identifier("gnubg-id", GNUBG_ID, decode_gnubg, encode_gnubg)
FIBS: Final = Identifier(
    "fibs-board", _compile_line_pattern("board:.+"), fibs_board.decode, fibs_board.encode
)
OGID: Final = Identifier("ogid", _compile_line_pattern(ogid.SHAPE.pattern), ogid.decode, ogid.encode)
SNOWIE: Final = Identifier(
    "snowie-position",
    _compile_line_pattern(r"-?\d{1,5};-?\d{1,5};(?:[^;\n]{0,100};){37}[^;\n]{0,100};?"),
    snowie.decode,
    snowie.encode,
)
IDENTIFIERS: Final = (SNOWIE, XGID, FIBS, OGID, GNUBG)


def read(text: str) -> Situation:
    """Parse any identifier, or the text form of a board.

    >>> read("XGID=-b----E-C---eE---c-e----B-:0:0:-1:31:0:0:0:7:10").turn.word
    'white'
    >>> read("4HPwATDgc/ABMA").board.pips(Side.WHITE)
    167
    """
    if BOARD.fullmatch(text.strip()):
        return Situation(board=Board.parse(text))
    for each in IDENTIFIERS:
        found = each.shape.search(text)
        if found is not None:
            return each.decode(found[0].strip())
    raise Unreadable("bad-identifier", f"{text[:40]!r} is no position that is known here.", text=text[:200])
