"""The reader of FIBS oldmoves."""

from __future__ import annotations

import tarfile
from dataclasses import replace

import pytest

from engine.errors import Unreadable
from engine.formats import oldmoves, sniff
from engine.formats.limits import LIMITS
from engine.sheet import CubeWord, Hop, Place, ResignClaim, TurnKind, WinClaim
from engine.side import BLACK, WHITE, BySide
from engine.verdict import adjudicate, judge
from tests.engine.shared import OURS, RECORDS, long_run

HEAD = "Score is 0-0 in a 5 point match.\nada is X - bo is O\n"


def read(text):
    return oldmoves.parse(text.encode())


def claims(rows, head=HEAD):
    (sheet,) = read(head + rows)
    return sheet.games[0].claims


def test_it_knows_its_files():
    assert oldmoves.sniff(HEAD.encode())
    assert not oldmoves.sniff(b"Score is 0-0\nand nothing else")
    assert not oldmoves.sniff(b"ada is X - bo is O")


def test_a_position_copied_from_xg_is_not_one_of_them():
    xgid = b"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:3:4:0:7:10\n"
    text = xgid + b"\nX:Ann   O:Bob\nScore is X:3 O:4 7 pt.(s) match.\nX to play 31\n"
    assert not oldmoves.sniff(text)
    assert sniff(text) == "xgid"


def test_a_game_is_read():
    (sheet,) = read(
        HEAD + "X: (5 1) 24-23 13-8\nO: (2 1) 12-14 1-2\nX: (4 4) can't move\nO: wins 2 points.\n"
    )
    assert (sheet.format, sheet.dialect, sheet.names, sheet.length) == (
        "oldmoves",
        "fibs",
        BySide("ada", "bo"),
        5,
    )
    (game,) = sheet.games
    assert (game.score, game.at) == (BySide(0, 0), Place(2, 1))
    assert [claim.text for claim in game.claims] == [
        "51: 24/23 13/8",
        "21: 13/11 24/23",
        "44: Cannot Move",
        "wins 2 points.",
    ]
    assert [claim.side for claim in game.claims] == [WHITE, BLACK, WHITE, BLACK]
    assert game.claims[1].hops == (Hop((13, 11)), Hop((24, 23)))
    assert game.claims[1].at == Place(4, 1)
    assert game.claims[3] == WinClaim(BLACK, 2, at=Place(6, 1), text="wins 2 points.")


def test_bar_and_off_are_everybody_s_own():
    rows = "X: (5 1) 24-23 13-8\nO: (5 2) bar-5 12-14\nX: (6 6) 6-off 5-off\nO: (6 5) 19-off 20-off\n"
    assert [claim.text for claim in claims(rows)][1:] == [
        "52: bar/20 13/11",
        "66: 6/off 5/off",
        "65: 6/off 5/off",
    ]


def test_programs_that_number_o_s_plays_as_o_does_are_understood():
    rows = "X: (5 1) 24-23 13-8\nO: (2 1) 13-11 24-23\nX: (6 2) bar-23 8-2\nO: (4 3) bar-21 6-off\n"
    assert [claim.text for claim in claims(rows)][1::2] == ["21: 13/11 24/23", "43: bar/21 6/off"]


def test_one_play_backwards_does_not_turn_the_numbers_round():
    rows = "X: (5 1) 24-23 13-8\nX: (6 1) 13-7 8-7\nX: (2 1) 5-8\n"
    assert claims(rows)[2].text == "21: 5/8"


def test_the_cube():
    words = [
        (claim.side, claim.word) for claim in claims("X: doubles.\nO: accepts.\nO: doubles.\nX: rejects.\n")
    ]
    assert words == [
        (WHITE, CubeWord.DOUBLE),
        (BLACK, CubeWord.TAKE),
        (BLACK, CubeWord.DOUBLE),
        (WHITE, CubeWord.DROP),
    ]


def test_a_resignation_stands_unless_it_is_refused():
    assert claims("X: wants to resign.\nO: accepts.\nO: wins 1 point.\n") == (
        ResignClaim(WHITE, at=Place(3, 1), text="wants to resign."),
        WinClaim(BLACK, 1, at=Place(5, 1), text="wins 1 point."),
    )
    assert claims("X: wants to resign.\nO: rejects.\n") == ()


def test_letters_may_change_hands_and_scores_are_put_right():
    games = [
        HEAD + "O: wins 1 point.\n",
        # The letters change hands, and with them the score.
        "Score is 1-0 in a 5 point match.\nbo is X - ada is O\nX: (5 1) 13-8 6-5\nX: wins 2 points.\n",
        # FIBS writes it the wrong way round: it is 0-3, not 3-0.
        "Score is 3-0 in a 5 point match.\nada is X - bo is O\nX: wins 1 point.\n",
        # Neither way is expected: it stays unchanged.
        "Score is 4-4 in a 5 point match.\nada is X - bo is O\nX: wins.\n",
        "Score is 4-4 in a 5 point match.\nada is X - bo is O\n",
    ]
    (sheet,) = read("\n".join(games))
    assert [tuple(game.score) for game in sheet.games] == [(0, 0), (0, 1), (0, 3), (4, 4), (4, 4)]
    assert sheet.games[1].claims[0].side is BLACK
    assert sheet.games[3].claims[0].points is None


def test_other_players_or_another_length_are_another_match():
    first, second, third = read(
        HEAD + "Score is 0-0 in a 7 point match.\nada is X - bo is O\n\nScore is 0-0.\ncy is X - bo is O\n"
    )
    assert (first.length, second.length, third.length) == (5, 7, 0)
    assert third.names == BySide("cy", "bo")


def test_what_is_not_understood_is_remarked_on():
    (sheet,) = read(
        "hello\n"
        + HEAD
        + "X: (5 1) 24-x\nX: yawns.\nand so on\n"
        + "Score is 1-1 in a 5 point match.\nX: doubles.\n"
    )
    assert [(remark.code, remark.at.line, remark.game) for remark in sheet.remarks] == [
        ("corrupt-row", 4, 0),
        ("unread-line", 5, 0),
        ("unread-line", 6, 0),
    ]
    assert sheet.games[0].claims[0].kind is TurnKind.UNKNOWN
    # A score with no players under it begins no game.
    assert sheet.games[0].claims[1].word is CubeWord.DOUBLE


def test_of_a_file_full_of_talk_not_every_line_is_told():
    (sheet,) = read(HEAD + "X: talks and talks, and when all is said and done he still talks.\n" * 500)
    assert len(sheet.remarks) == 200
    assert sheet.remarks[0].message.endswith('still talk…".')


def test_a_file_without_a_game_is_refused():
    with pytest.raises(Unreadable) as caught:
        read("Score is 0-0\nX: doubles.\n")
    assert caught.value.code == "no-game"


def test_limits_are_kept():
    data = (HEAD + "X: doubles.\nO: accepts.\n" + HEAD + "Score is 0-0.\ncy is X - bo is O\n").encode()
    oldmoves.parse(data)
    for limits in (
        replace(LIMITS, lines=3),
        replace(LIMITS, columns=30),
        replace(LIMITS, games=1),
        replace(LIMITS, plies=1),
        replace(LIMITS, claims=1),
        replace(LIMITS, matches=1),
    ):
        with pytest.raises(Unreadable) as caught:
            oldmoves.parse(data, limits)
        assert caught.value.code == "too-much"


def test_our_sample_is_the_match_that_its_score_sheet_tells():
    one, other = (
        judge((OURS.played / f"nine-points.{suffix}").read_bytes())[0] for suffix in ("fibs", "mat")
    )
    assert one.is_accepted
    assert (one.record.digest(), one.games) == (other.record.digest(), other.games)


@long_run
def test_the_probe_holds_two_legal_games():
    with tarfile.open(RECORDS / "real" / "format-probes.tar.gz") as archive:
        (sheet,) = oldmoves.parse(archive.extractfile("format-probes/probe.fibs").read())
    verdict = adjudicate(sheet)
    assert verdict.is_accepted
    # As GNU Backgammon has it; the second game is resigned.
    assert [(game.winner, game.points, game.how.value) for game in verdict.games] == [
        (BLACK, 1, "drop"),
        (BLACK, 1, "resign"),
    ]
