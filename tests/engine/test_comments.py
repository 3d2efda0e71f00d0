"""Comments hold what `.mat` and `.sgf` cannot express, and a round trip loses nothing."""

from __future__ import annotations

import re

import pytest

from engine import formats
from engine.actions import (
    Conceded,
    Doubled,
    Flagged,
    Opened,
    Penalised,
    Played,
    ReportedGame,
    ReportedScore,
    ResignAccepted,
    ResignOffered,
    Rolled,
    RuledGame,
    RuledMatch,
    RuledPosition,
    RuledScore,
    TakenBack,
    VoidedGame,
    VoidedMatch,
)
from engine.board import HYPERGAMMON, Board, Step
from engine.cube import Cube
from engine.dice import Dice
from engine.errors import Unreadable
from engine.express import reader
from engine.formats import comments
from engine.record import Record
from engine.rules import DeadCube, Rules
from engine.side import BySide, Side
from engine.verdict import adjudicate, judge
from tests.engine.anyplay import record as anything

W, B = Side.WHITE, Side.BLACK
NAMES = BySide("Ann", "Ben")
OPENED = (Opened(3, 1), Played(W, (Step(8, 5), Step(6, 5))))
GAME = (*OPENED, ResignOffered(B, 1), ResignAccepted(W))
ROLLED = (*OPENED, Rolled(B, Dice(4, 3)))
STUDY = Board.from_counts({24: 1, 13: 4, 6: 5, 8: 5}, {21: 1, 24: 1, 6: 6, 8: 7})
LAID = RuledPosition(STUDY, W, Cube(2, B), Dice(3, 1), "as on the photograph")
PLAYED = Played(W, (Step(8, 5), Step(6, 5)))
WRITTEN = ("mat", "sgf", "json")


def comes_back(told, name):
    """Write *told* and adjudicate the file: it must be the same match. Return text and verdict."""
    text = formats.write(told, name)
    (verdict,) = judge(text)
    end = told.replay()
    assert verdict.is_accepted, [finding.message for finding in verdict.findings]
    assert (verdict.score, verdict.winner) == (end.score, end.winner)
    assert verdict.record.digest() == told.digest()
    assert verdict.rules == told.rules or told.rules.length == 1  # one point has no Crawford game
    return text.decode(), verdict


def build_record(*facts, rules=None):
    return Record(NAMES, rules or Rules(length=5), facts)


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize(
    "facts",
    {
        "a position with dice": (*OPENED, LAID, PLAYED, Flagged(B)),
        "a position at the start": (LAID, PLAYED, Conceded(B)),
        "a position on top of a roll": (*ROLLED, LAID, PLAYED, Conceded(B)),
        "a position for who has rolled": (Opened(3, 1), LAID, PLAYED, Conceded(B)),
        "a position after a dance": (
            RuledPosition(
                Board.from_counts({25: 1, 1: 2}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2, 8: 1}),
                W,
                Cube(),
                Dice(6, 6),
                "x",
            ),
            LAID,
            PLAYED,
            Conceded(B),
        ),
        "dice that were laid and left": (*OPENED, LAID, Flagged(W)),
        "out of time with dice": (*ROLLED, Flagged(B)),
        "out of time at once": (Opened(3, 1), Flagged(W)),
        "out of time while doubled": (*OPENED, Doubled(B), Flagged(W)),
        "out of time between games": (*GAME, Flagged(B)),
        "time that costs points": (
            *ROLLED,
            Flagged(B, 1),
            Played(B, (Step(24, 21), Step(13, 9))),
            Conceded(W),
        ),
        "late": (Penalised(B, 2, "late"), *GAME, Conceded(W)),
        "fined between games": (*GAME, Penalised(W, 1, "rude"), *GAME, Conceded(B)),
        "fined with dice on the board": (Opened(3, 1), Penalised(B, 1), PLAYED, Conceded(B)),
        "fined to the end": (*GAME, *OPENED, Penalised(W, 5, "gone")),
        "given up between games": (*GAME, Conceded(W)),
        "given up before it began": (Conceded(W),),
        "resigned while doubled": (*OPENED, Doubled(B), ResignOffered(W, 1), ResignAccepted(B), Conceded(W)),
        "the doubler resigns": (*OPENED, Doubled(B), ResignOffered(B, 2), ResignAccepted(W), Conceded(W)),
        "a game given": (*ROLLED, RuledGame(W, 3, "so it is"), Conceded(B)),
        "a game reported": (ReportedGame(W, 4, 2, 2), Conceded(B)),
        "a score set": (*GAME, RuledScore(BySide(3, 4), True, "miscounted"), *GAME, Conceded(B)),
        "a score set in a game": (
            *GAME,
            *ROLLED,
            RuledScore(BySide(3, 3), None, "miscounted"),
            *GAME,
            Conceded(B),
        ),
        "only a score": (ReportedScore(BySide(5, 2)),),
        "the match given": (*ROLLED, RuledMatch(B, "gone home")),
        "another winner afterwards": (*ROLLED, Conceded(B), RuledMatch(B, "it was the other")),
        "taken up again": (
            *GAME,
            Conceded(B),
            RuledScore(BySide(1, 0), None, "a mistake"),
            *GAME,
            Conceded(W),
        ),
        "void": (*ROLLED, VoidedMatch("fire")),
        "void before it began": (VoidedMatch("nobody came"),),
        "void after a resignation": (*GAME, VoidedMatch("fire")),
        "a void game": (*ROLLED, VoidedGame("wrong set-up"), *GAME, Conceded(W)),
        "taken back": (*ROLLED, TakenBack(2, "cocked"), Rolled(B, Dice(6, 5)), Flagged(B)),
    }.items(),
    ids=lambda each: each[0].replace(" ", "-"),
)
def test_whatever_happened_comes_back(facts, name):
    comes_back(build_record(*facts[1]), name)


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize(
    "rules",
    [
        Rules(length=5, gammons=False, backgammons=False),
        Rules(length=5, backgammons=False, cube=False),
        Rules(length=5, crawford=False, dead_cube=DeadCube.REFUSED),
        Rules(length=5, start=STUDY),
        Rules(length=5, start=HYPERGAMMON, backgammons=False),
        Rules.unlimited(beavers=True, automatic_doubles=3),
        Rules(length=0, crawford=False, cube=False),
    ],
)
def test_the_rules_come_back(rules, name):
    comes_back(build_record(Opened(3, 1), Conceded(W), rules=rules), name)


def test_a_match_lost_on_time_says_so():
    for name in ("mat", "sgf"):
        text, verdict = comes_back(build_record(*ROLLED, Flagged(B)), name)
        assert "Ben ran out of time and lost the match." in text
        assert "out-of-time" in [finding.code for finding in verdict.findings]
    rows = formats.write(build_record(*ROLLED, Flagged(B)), "mat").decode().splitlines()
    # An empty row would be read as a dance, or as the only play.
    assert not [row for row in rows if re.search(r"\d\d:\s*$", row)]
    assert rows[-2:] == ["      Wins 5 points and the match", ""]
    assert "RE[W+5R]" in formats.write(build_record(*ROLLED, Flagged(B)), "sgf").decode()


def test_who_knows_nothing_of_our_comments_still_reads_the_position():
    text, _ = comes_back(build_record(*OPENED, LAID, PLAYED, Conceded(B)), "mat")
    assert f"; Set Pos={STUDY.result_text(W)}/-1\n; The position was set" in text
    text, _ = comes_back(build_record(*ROLLED, LAID, PLAYED, Conceded(B)), "mat")
    assert "43: Illegal play (5;0;1;0;1;Ann;Ben;0;0;0;2;-1;" in text
    (sheet,) = formats.read(re.sub(r"(?m)^; The.*\n", "", text).encode())
    assert adjudicate(sheet).word == "noted"


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", WRITTEN)
def test_a_few_matches_of_any_kind_come_back(seed, name):
    comes_back(anything(seed, 150), name)


@pytest.mark.slow
def test_many_matches_of_any_kind_come_back():
    for seed in range(100, 700):
        for name in WRITTEN:
            comes_back(anything(seed), name)


def test_a_comment_is_no_row_to_gnu_backgammon():
    """It takes any line inside a game for a row: up to two characters before a second colon, and after a parenthesis."""
    names = BySide("A: (b) 31:", "")
    reason = "a (long) story: 31: wins 3 points" + " and so on" * 200
    for action in (Penalised(W, 1, reason), Flagged(B), RuledGame(W, 2, reason), LAID, Rolled(B, Dice(4, 3))):
        line = f"; {comments.format_fact(action, names)}"
        assert ")" not in line
        assert "  " not in line
        assert not re.search(r"\d\d$", line.split(":")[1])
        assert len(line.encode()) < 1_023
        assert type(comments.read_comment(line)) is type(action)
    assert comments.read_comment(f"; {comments.format_fact(Penalised(W, 1, 'a (b)'), names)}") == Penalised(
        W, 1, "a (b)"
    )


@pytest.mark.parametrize(
    ("was", "becomes", "code"),
    [
        ('"points": 1', '"points": 0', "impossible-ruling"),
        (
            '"fact": "penalised", "side": "black", "points": 1',
            '"fact": "rolled", "side": "black", "dice": "66"',
            "other-dice",
        ),
        ("      Wins 6 points", " " * 34 + "Wins 6 points", "wrong-winner"),
    ],
)
def test_a_comment_that_cannot_be_rejects_the_match(was, becomes, code):
    facts = (
        *OPENED,
        Penalised(B, 1),
        Rolled(B, Dice(4, 3)),
        Played(B, (Step(24, 21), Step(13, 9))),
        Flagged(B),
    )
    rules = Rules(length=6)
    text = formats.write(build_record(*facts, rules=rules), "mat").decode()
    assert was in text
    (verdict,) = judge(text.replace(was, becomes, 1).encode())
    assert verdict.word == "rejected"
    assert code in [finding.code for finding in verdict.findings]


def test_a_position_that_cannot_be_is_no_ruling():
    board = HYPERGAMMON.text()
    text = formats.write(build_record(*OPENED, LAID, PLAYED, Conceded(B)), "mat").decode()
    (verdict,) = judge(re.sub(r'"board": "[^"]*"', f'"board": "{board}"', text).encode())
    assert "impossible-ruling" in [finding.code for finding in verdict.findings]


def test_a_damaged_comment_is_not_understood():
    text = formats.write(build_record(*OPENED, Penalised(B, 1), *GAME[2:]), "mat").decode()
    for damaged in ('"points": 1', '"points": "many"'), ("}", ""), ('"penalised"', '"played"'):
        (sheet,) = formats.read(text.replace(*damaged, 1).encode())
        assert "unread-line" in [finding.code for finding in adjudicate(sheet).findings]
    with pytest.raises(Unreadable):
        comments.read_comment('{"v": 1, "rules": {"length": 3}}')
    with pytest.raises(Unreadable):
        comments.read_comment('{"v": 1, "rules": {"gammons": false, "backgammons": true}}')


def test_the_express_lane_leaves_comments_to_the_referee():
    played = formats.write(anything_plain(), "mat")
    assert reader.read_clean_sheet(played) is not None
    for comment in (b"; x", b'; x {"v": 1, "fact": "flagged", "side": "black"}'):
        assert reader.read_clean_sheet(played.rstrip() + b"\n" + comment + b"\n") is None


def anything_plain():
    from tests.engine.selfplay import match

    return match(3)


def test_a_session_that_keeps_no_score_is_noted():
    def session(*scores):
        games = "".join(
            f" Game {number}\n Ann : {white}      Ben : {black}\n  1) 31: 8/5 6/5\n      Wins 1 point\n\n"
            for number, (white, black) in enumerate(scores, 1)
        )
        (verdict,) = judge(f" 0 point match\n\n{games}".encode())
        return verdict

    verdict = session((0, 0), (0, 0), (0, 0))
    assert (verdict.word, verdict.score) == ("noted", BySide(3, 0))
    assert [finding.code for finding in verdict.findings] == ["score-not-kept"]
    assert session((0, 0), (1, 0), (2, 0)).word == "accepted"
    assert "score-jump" in [finding.code for finding in session((0, 0), (1, 0), (0, 0)).findings]
