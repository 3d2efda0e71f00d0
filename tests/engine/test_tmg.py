"""The reader of TrueMoneyGames' files."""

from __future__ import annotations

import pytest

from engine.errors import Unreadable
from engine.formats import tmg
from engine.sheet import CubeWord, Place, TurnKind, WinClaim
from engine.side import BLACK, WHITE, BySide

HEAD = """MatchID: 77
Player1: 1 Ada 1600.00
Player2: 2 Bo 1600.00
Startdate: 2004-03-15 10:00:00
Jacoby: 0
Crawford: 1
Cube: 1
Length: 5
Variant: 1
"""


def read(text):
    (sheet,) = tmg.parse(text.encode())
    return sheet


def game(rows, head=HEAD):
    sheet = read(head + "\nGame 1: 0-0\n" + rows)
    return sheet.games[0].claims, sheet.remarks


def test_it_knows_its_files():
    assert tmg.sniff(HEAD.encode())
    assert not tmg.sniff(b"MatchID: 77\n")


def test_heading_and_options():
    sheet = read(HEAD + "\nGame 2: 1-0\n -1 1 51: \n -1 4 24/23 13/8\n")
    assert (sheet.format, sheet.names, sheet.length) == ("tmg", BySide("Ada", "Bo"), 5)
    assert (sheet.crawford, sheet.jacoby, sheet.beavers, sheet.cube) == (True, False, None, True)
    assert sheet.variant == "backgammon"
    assert dict(sheet.tags) == {"Site": "TrueMoneyGames", "Match ID": "77", "EventDate": "2004.03.15"}
    (one,) = sheet.games
    assert one.score == BySide(1, 0)
    assert (one.claims[0].side, one.claims[0].text, one.claims[0].at) == (
        BLACK,
        "51: 24/23 13/8",
        Place(13, 1),
    )


def test_what_is_missing_or_odd_in_the_heading():
    sheet = read(
        "MatchID:\nPlayer1: who knows\nLength: long\nVariant: 7\nJacoby: maybe\nLength: 3\nGame 1: 0-0\n"
    )
    assert (sheet.names, sheet.length, sheet.variant, sheet.jacoby) == (BySide("", ""), None, "unknown", None)
    assert dict(sheet.tags) == {"Site": "TrueMoneyGames"}
    assert read("Game 1: 0-0\n").length == 0


def test_a_game():
    rows = """ 0 2 Automatic to 2
 1 1 21:
 1 4 13/11 24/23
 -2 1 66:
 -2 4 0/0
 3 5 Double to 4
 -3 8 Beaver to 8
 3 7 Take
Beavers: 1
 -4 5 Double to 16
 4 10 Pass
 -4 14 8 Bo wins 8 points
"""
    claims, remarks = game(rows)
    assert [claim.text for claim in claims] == [
        "Automatic double => 2",
        "21: 13/11 24/23",
        "66: Cannot Move",
        "Doubles => 4",
        "Beavers => 8",
        "Takes",
        "Doubles => 16",
        "Drops",
        "8 Bo wins 8 points",
    ]
    assert claims[4].word is CubeWord.BEAVER
    assert claims[-1] == WinClaim(BLACK, 8, level=1, at=Place(23, 1), text="8 Bo wins 8 points")
    assert remarks == ()


def test_rolls_without_a_play():
    rows = " 1 1 21:\n 2 1 ?\n -2 1 33:\n 3 4 6/5 6/4\n -3 1 64:\n -3 16 3 Bo wins 3 points\n"
    claims, remarks = game(rows)
    assert [(claim.side, claim.text) for claim in claims] == [
        (WHITE, "21:"),
        (BLACK, "33:"),
        (WHITE, "00: 6/5 6/4"),
        (BLACK, "64:"),
        (BLACK, "3 Bo wins 3 points"),
    ]
    assert claims[0].kind is TurnKind.NOTHING
    assert remarks == ()
    assert [claim.text for claim in read("Game 1: 0-0\n1 1 21:\nGame 2: 0-0\n1 1 21:\n").games[0].claims] == [
        "21:"
    ]


def test_the_end_of_the_time_and_a_settlement_are_remarked_on():
    _, remarks = game(" 1 17 out of time\n -1 22\n 0 19 57.68 0.00 Settlement\n 1 15 2 Ada wins 2 points\n")
    assert [remark.code for remark in remarks] == ["out-of-time", "out-of-time", "settlement"]


def test_what_is_not_understood_is_remarked_on():
    _, remarks = game(" 1 99 what\n 1 1 nothing\n 1 4 six/one\n(((\n 1 5 Double\n")
    assert [remark.code for remark in remarks] == ["unread-line", "unread-line", "corrupt-row", "unread-line"]


def test_a_row_outside_every_game():
    (remark,) = read(" 1 1 21:\nGame 1: 0-0\n").remarks
    assert (remark.code, remark.at.line, remark.game) == ("unread-line", 1, None)
    with pytest.raises(Unreadable) as caught:
        read(HEAD)
    assert caught.value.code == "no-game"
