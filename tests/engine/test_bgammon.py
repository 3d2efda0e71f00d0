"""The reader of bgammon.org's replays."""

from __future__ import annotations

import pytest

from engine.errors import Unreadable
from engine.formats import bgammon
from engine.sheet import CubeWord, Place, ResignClaim, TurnKind, WinClaim
from engine.side import BLACK, WHITE, BySide
from engine.verdict import judge
from tests.engine.shared import OURS

INDEX = "bgammon-replay 00000024\n"
HEADING = "i 1702738670 Ada Bo 3 1 0 1 2 0\n"


def read(rows, heading=HEADING):
    (sheet,) = bgammon.parse((INDEX + heading + rows).encode())
    return sheet


def test_it_knows_its_files():
    assert bgammon.sniff(INDEX.encode())
    assert not bgammon.sniff(b"bgammon")


def test_a_game():
    sheet = read("1 r 4-1 13/9 9/8\n2 r 6-1 1/7 1/2\n1 r 4-4\n2 r 3-3 bar/3 22/off\n")
    assert (sheet.format, sheet.names, sheet.length, sheet.variant) == (
        "bgammon",
        BySide("Ada", "Bo"),
        3,
        "backgammon",
    )
    (game,) = sheet.games
    assert (game.score, game.at) == (BySide(1, 0), Place(2, 1))
    assert [(claim.side, claim.text) for claim in game.claims] == [
        (WHITE, "41: 13/9 9/8"),
        (BLACK, "61: 24/18 24/23"),
        (WHITE, "44: Cannot Move"),
        (BLACK, "33: bar/22 3/off"),
        (WHITE, "Wins"),
    ]
    assert game.claims[1].at == Place(4, 1)


def test_doubles_are_answered_at_once():
    claims = read("1 d 2 1\n2 d 4 0\n").games[0].claims
    assert [(claim.side, claim.word, claim.value) for claim in claims[:4]] == [
        (WHITE, CubeWord.DOUBLE, 2),
        (BLACK, CubeWord.TAKE, None),
        (BLACK, CubeWord.DOUBLE, 4),
        (WHITE, CubeWord.DROP, None),
    ]


def test_leaving_is_resigning():
    assert read("2 t\n").games[0].claims == (
        ResignClaim(BLACK, at=Place(3, 1), text="Resigns"),
        WinClaim(WHITE, None, at=Place(2, 1), text="Wins"),
    )


def test_a_game_nobody_has_won_and_other_variants():
    sheet = read("1 r 2-1 6/5 6/4\n", "i 1 Ada Bo 1 0 0 0 0 2\n")
    assert sheet.variant == "tabula"
    assert len(sheet.games[0].claims) == 1
    assert read("", "i 1 Ada Bo 1 0 0 0 0 9\n").variant == "unknown"


def test_several_games():
    sheet = read("1 t\n" + "i 1 Ada Cy 3 1 2 2 1 0\n")
    assert [game.score for game in sheet.games] == [BySide(1, 0), BySide(1, 2)]
    assert sheet.games[1].claims[0].text == "Wins"
    assert [remark.code for remark in sheet.remarks] == ["name-mismatch"]
    assert read("1 t\n" + HEADING).remarks == ()


GAMES = (
    "1 r 3-1 8/5 6/5\n2 r 6-4 1/7 7/11\n1 d 2 0\n",
    "2 r 3-1 17/20 19/20\n1 r 6-4 24/18 18/14\n2 d 2 1\n2 r 2-1 17/19 19/20\n1 t\n",
    "1 r 3-1 8/5 6/5\n2 r 6-4 1/7 7/11\n1 t\n",
)


@pytest.mark.parametrize(
    "headings",
    [("0 0 0 1", "1 0 0 2", "1 2 0 1"), ("1 0 1 1", "1 2 2 1", "1 3 2 1")],
    ids=["the score before", "the score after"],
)
def test_games_that_are_given_up(headings):
    """Older versions write the score before such a game and no winner, newer ones the score after it."""
    rows = "".join(f"i 1 Ada Bo 3 {said} 0\n{game}" for said, game in zip(headings, GAMES, strict=True))
    (verdict,) = judge((INDEX + rows).encode())
    assert (verdict.word, verdict.findings) == ("accepted", ())
    assert (tuple(verdict.score), verdict.winner) == ((1, 3), BLACK)
    assert [game.points for game in verdict.games] == [1, 2, 1]


def test_the_points_of_a_heading_are_without_the_cube():
    """A backgammon with the cube at two, and 3 in its heading."""
    data = (OURS.collected / "nine-points.match").read_bytes()
    assert b" 2 1 1 3 0\n" in data
    (verdict,) = judge(data)
    assert (verdict.word, verdict.games[2].points) == ("accepted", 6)


def test_what_is_not_understood_is_remarked_on():
    sheet = read("1 r 2-1 six/five\n1 z\nhello\n")
    assert [remark.code for remark in sheet.remarks] == ["corrupt-row", "unread-line", "unread-line"]
    assert sheet.games[0].claims[0].kind is TurnKind.UNKNOWN


def test_events_outside_every_game_are_refused():
    for rows in ("1 r 2-1\n", ""):
        with pytest.raises(Unreadable) as caught:
            read(rows, "")
        assert caught.value.code == "no-game"
