"""The reader of the ``.gam`` files of Jellyfish and GammonEmpire."""

from __future__ import annotations

import tarfile

import pytest

from engine.errors import Unreadable
from engine.formats import gam
from engine.sheet import CubeWord, Place, TurnKind, WinClaim
from engine.side import BLACK, WHITE, BySide
from engine.verdict import adjudicate, judge
from tests.engine.shared import OURS, RECORDS, long_run

GAME = """ Ada                            Bo
  1)                             51: 24/23 13/8
  2) 21: 13/11 24/23             22: 6/4(2) 13/11(2)
  3)  Doubles => 2                Drops
      Wins 1 point
"""


def read(text):
    (sheet,) = gam.parse(text.encode())
    return sheet


def test_it_knows_its_files():
    assert gam.sniff(GAME.encode())
    assert gam.sniff(b"\r\n" + GAME.replace("\n", "\r\n").encode())
    assert not gam.sniff(b" Ada : 0     Bo : 0\n  1) 51: 24/23 13/8\n")
    assert not gam.sniff(b"Ada Bo\nand so on\n")
    assert not gam.sniff(b"Ada Bo\n")


def test_a_game():
    sheet = read(GAME)
    assert (sheet.format, sheet.names, sheet.length, sheet.remarks) == ("gam", BySide("Ada", "Bo"), 0, ())
    (game,) = sheet.games
    assert (game.score, game.at) == (None, Place(1, 1))
    assert [(claim.side, claim.text) for claim in game.claims] == [
        (BLACK, "51: 24/23 13/8"),
        (WHITE, "21: 13/11 24/23"),
        (BLACK, "22: 6/4(2) 13/11(2)"),
        (WHITE, "Doubles => 2"),
        (BLACK, "Drops"),
        (WHITE, "Wins 1 point"),
    ]
    assert game.claims[2].at == Place(3, 34)
    assert game.claims[3].word is CubeWord.DOUBLE


def test_several_games_and_a_column_of_its_own():
    wide = GAME.replace("51:", "       51:").replace("22:", "       22:")
    sheet = read(wide + "\n" + GAME + " Bo Ada\n  1) 64: 24/14\n")
    assert [len(game.claims) for game in sheet.games] == [6, 6, 1]
    assert isinstance(sheet.games[0].claims[-1], WinClaim)
    assert [remark.code for remark in sheet.remarks] == ["name-mismatch"]


def test_what_is_not_understood_is_remarked_on():
    sheet = read(
        "***\nAda Bo\n  1) 51: 24/23 what\n  2) whatever\n  3) 64: Illegal play\nand so on, and on\n"
    )
    assert [(remark.code, remark.at.line) for remark in sheet.remarks] == [
        ("unread-line", 1),
        ("corrupt-row", 3),
        ("unread-line", 4),
        ("corrupt-row", 5),
        ("unread-line", 6),
    ]
    assert [claim.kind for claim in sheet.games[0].claims] == [TurnKind.UNKNOWN] * 2


def test_a_file_without_a_game_is_refused():
    with pytest.raises(Unreadable) as caught:
        read("nothing\n")
    assert caught.value.code == "no-game"


def test_our_sample_is_the_session_that_its_score_sheet_tells():
    sheets = [(OURS.played / f"unlimited.{suffix}").read_bytes() for suffix in ("gam", "mat")]
    one, other = (judge(data)[0] for data in sheets)
    assert one.is_accepted
    assert (one.record.digest(), one.games) == (other.record.digest(), other.games)


@long_run
def test_the_probe_is_a_legal_game():
    with tarfile.open(RECORDS / "real" / "format-probes.tar.gz") as archive:
        (sheet,) = gam.parse(archive.extractfile("format-probes/probe.gam").read())
    verdict = adjudicate(sheet)
    assert verdict.findings == ()
    assert [(game.points, game.how.value, game.plies) for game in verdict.games] == [(1, "drop", 5)]
