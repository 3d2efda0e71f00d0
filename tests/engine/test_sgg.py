"""The reader of GamesGrid's files."""

from __future__ import annotations

import tarfile

import pytest

from engine.errors import Unreadable
from engine.formats import sgg, tmg
from engine.sheet import CubeWord, Hop, Place, ResignClaim, TurnKind, WinClaim
from engine.side import BLACK, WHITE, BySide
from engine.verdict import adjudicate, judge
from tests.engine.shared import OURS, RECORDS, long_run

OPTIONS = """Ada vs. Bo
Sunday May 4, 2003
GamesGrid Backgammon
ELO: 1600.5 200 1700.25 300
Jacoby: No
Crawford: Yes
Doubling Cube: Yes
Match Length: 5
Variant: Nackgammon
"""


def read(text):
    (sheet,) = sgg.parse(text.encode())
    return sheet


def claims(rows, options="Ada vs. Bo\n"):
    return read(options + "Game 1.0-0/5\n" + rows).games[0].claims


def test_it_knows_its_files():
    assert sgg.sniff((OPTIONS + "Game 1.0-0/5\n").encode())
    assert not sgg.sniff(OPTIONS.encode())
    assert not sgg.sniff(b"Ada and Bo\nGame 1.0-0/5\n")


def test_heading_and_options():
    sheet = read(OPTIONS + "Game 3.2*-1/5\n1\t51: \n1\t51: 13/8, 24/23\n")
    assert (sheet.format, sheet.dialect, sheet.names, sheet.length) == (
        "sgg",
        "gamesgrid",
        BySide("Ada", "Bo"),
        5,
    )
    assert (sheet.crawford, sheet.jacoby, sheet.beavers, sheet.cube) == (True, False, None, True)
    assert sheet.variant == "nackgammon"
    assert dict(sheet.tags) == {
        "Site": "GamesGrid Backgammon",
        "EventDate": "2003.05.04",
        "Player 1 Elo": "1600.5/200",
        "Player 2 Elo": "1700.25/300",
    }
    (game,) = sheet.games
    assert (game.score, game.crawford) == (BySide(2, 1), True)
    assert game.claims[0].hops == (Hop((13, 8)), Hop((24, 23)))
    assert game.claims[0].at == Place(12, 1)


def test_a_session_and_an_unknown_variant():
    sheet = read("Ada vs. Bo\nVariant: Chouette\nMonday Foo 3, 2003\n\nGame 1.0-0\nAda  wins 2 points.\n")
    assert (sheet.length, sheet.variant, sheet.tags) == (0, "unknown", (("Site", "Monday Foo 3, 2003"),))
    assert sheet.games[0].claims == (WinClaim(WHITE, 2, at=Place(6, 1), text="Ada wins 2 points."),)


def test_every_turn_is_told_once_however_often_it_is_written():
    rows = (
        "1\t\t51: \n1\t\t51: \n1\t\t51: 24/23, 13/8\n1\t\t51: 24/23, 13/8\n1\t\t51: \n"
        "2\t62: O-O\n2\t62: O-O\n2\t\t -\n3\t64: \n3\t\t22: \n3\t\t22: bar/23(2)\n4\tdouble\n4\tdouble\n"
    )
    told = claims(rows)
    assert [claim.text for claim in told] == [
        "51: 24/23 13/8",
        "62: Cannot Move",
        "00: Cannot Move",
        "64:",
        "22: bar/23(2)",
        "Doubles",
    ]
    assert told[2].dice is None
    assert told[3].kind is TurnKind.NOTHING


def test_the_cube():
    rows = "11: Automatic double\n1\tdouble to 4\n1\t\tbeaver to 8\n1\traccoon to 16\n1\t\taccept\n2\tdouble\n2\t\tpass\n"
    assert [(claim.side, claim.word, claim.value) for claim in claims(rows)] == [
        (None, CubeWord.AUTOMATIC, None),
        (WHITE, CubeWord.DOUBLE, 4),
        (BLACK, CubeWord.BEAVER, 8),
        (WHITE, CubeWord.RACCOON, 16),
        (BLACK, CubeWord.TAKE, None),
        (WHITE, CubeWord.DOUBLE, None),
        (BLACK, CubeWord.DROP, None),
    ]


@pytest.mark.parametrize(
    ("rows", "texts"),
    [
        ("1\tresign\n1\t\taccept\n", ["resign"]),
        ("1\t51: \n1\tresign\n", ["51:", "resign"]),
        ("1\t51: \n1\t51: resign\n", ["51:", "resign"]),
        ("1\t51: resign\n", ["51:", "resign"]),
    ],
)
def test_resignations(rows, texts):
    told = claims(rows + "Bo wins 1 point.\n")
    assert [claim.text for claim in told] == [*texts, "Bo wins 1 point."]
    assert isinstance(told[-2], ResignClaim)
    assert told[-2].side is WHITE


def test_a_marked_hit_is_kept():
    assert claims("1\t51: 24/23*, 13/8*/7\n")[0].text == "51: 24/23* 13/8*/7"


def test_a_last_roll_is_not_lost():
    assert [claim.text for claim in claims("1\t51: \nBo wins 1 point.\n")] == ["51:", "Bo wins 1 point."]
    sheet = read("Ada vs. Bo\nGame 1.0-0/5\n1\t51: \nGame 2.1-0/5\n1\t51: \n")
    assert [game.claims[0].text for game in sheet.games] == ["51:", "51:"]


def test_talk_is_passed_over_and_other_rows_are_remarked_on():
    rows = "Ada: he wins 3 points, always\nthe better wins nothing\n1\tyawns\n2\t51: 24/x\nBo wins 1 point.\nBo: thanks\n"
    sheet = read("Ada vs. Bo\nGame 1.0-0/5\n" + rows)
    assert [(remark.code, remark.at.line) for remark in sheet.remarks] == [
        ("unread-line", 5),
        ("corrupt-row", 6),
    ]
    assert sheet.tags == ()


def test_a_file_without_a_game_is_refused():
    with pytest.raises(Unreadable) as caught:
        read(OPTIONS)
    assert caught.value.code == "no-game"


def test_our_samples_tell_the_match_that_their_score_sheet_tells():
    verdicts = [
        judge((OURS.played / f"nine-points.{suffix}").read_bytes())[0] for suffix in ("sgg", "tmg", "mat")
    ]
    assert all(verdict.is_accepted for verdict in verdicts)
    assert len({verdict.record.digest() for verdict in verdicts}) == 1


@long_run
def test_the_probe_tells_the_game_that_other_formats_tell():
    """GNU Backgammon reads both of these and writes the same match."""
    digests = set()
    with tarfile.open(RECORDS / "real" / "format-probes.tar.gz") as archive:
        for kind, parse in (("sgg", sgg.parse), ("tmg", tmg.parse)):
            (sheet,) = parse(archive.extractfile(f"format-probes/probe.{kind}").read())
            verdict = adjudicate(sheet)
            assert verdict.is_accepted
            digests.add(verdict.record.digest())
    assert len(digests) == 1
