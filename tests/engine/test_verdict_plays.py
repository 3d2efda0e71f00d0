"""Rolls and plays that break a rule or a custom: the finding, and the continuation of the game."""

from __future__ import annotations

import pytest

from engine.actions import Rolled, RuledPosition
from engine.board import STANDARD, Board
from engine.cube import Cube
from engine.rules import Rules
from engine.sheet import CubeClaim, CubeWord, GameSheet, Hop, PositionClaim, Sheet, Turn, TurnKind, WinClaim
from engine.side import BLACK, WHITE, BySide
from engine.verdict import adjudicate
from tests.engine.mat_sheets import read

HEAD = " 1 point match\n\n Game 1\n Ann : 0                        Ben : 0\n"
MONEY = HEAD.replace("1 point", "0 point")
WIN = "      Wins 1 point"
RIGHT_WINS = " " * 34 + "Wins 1 point"


def judged(*rows, head=HEAD, rules=None):
    verdict = adjudicate(read(*rows, head=head), rules)
    match = verdict.record.replay()
    assert (match.score, match.winner) == (verdict.score, verdict.winner)
    return verdict


def list_findings(*rows, head=HEAD, rules=None):
    """The code, the roll and the rule of each finding."""
    return [(each.code, each.ply, each.rule) for each in judged(*rows, head=head, rules=rules).findings]


def sheet_of(*claims, **said):
    """A sheet of one game that no text needs to spell."""
    return Sheet("test", BySide("Ann", "Ben"), 1, (GameSheet(claims, BySide(0, 0)),), **said)


def codes(sheet):
    return [finding.code for finding in adjudicate(sheet).findings]


@pytest.mark.parametrize(
    ("cell", "finding"),
    [
        ("31: 8/5 6/4", ("dice-mismatch", 1, "R12")),
        ("31: 8/5 9/8", ("empty-source", 1, "R01")),
        ("65: 24/18 24/19", ("blocked", 1, "R14")),
        ("31: 5/8 6/5", ("backwards", 1, "R17")),
        ("64: 6/0 8/4", ("early-bearoff", 1, "R32")),
        ("31: 8/5", ("partial-play", 1, "R19")),
        ("73: 13/6 13/10", ("illegal-dice", 1, "R11")),
        ("44: 24/20(2) 13/9(2)", ("opening-double", 1, "R10")),
        ("31: Cannot Move", ("cannot-move-but-could", 1, "R24")),
    ],
)
def test_a_fault_of_play(cell, finding):
    # A roll follows, so that the last play is not taken for a resignation.
    assert list_findings(f"  1) {cell:28}21: 13/11 24/23", RIGHT_WINS) == [finding]


def test_a_checker_on_the_bar_is_left_there():
    rows = [
        "  1) 62: 24/18 13/11              61: 13/7* 8/7",
        "  2) 53: 13/8 6/3                 64: 13/7 13/9",
    ]
    assert list_findings(*rows, WIN) == [("bar-ignored", 3, "R26")]


def test_the_game_goes_on_from_what_was_played():
    verdict = judged("  1) 31: 8/5 6/4                 66: 24/18(2) 13/7(2)", "  2) 41: 8/4 6/5", WIN)
    assert [finding.code for finding in verdict.findings] == ["dice-mismatch"]
    assert isinstance(verdict.record.actions[1], RuledPosition)
    assert verdict.games[0].plies == 3


def test_what_may_follow_from_a_fault_says_so():
    verdict = judged("  1) 31: 8/5 6/4                 66: 24/18(2) 13/7(2)", "  2) 31: 6/5 8/4", WIN)
    assert [finding.code for finding in verdict.findings] == ["dice-mismatch"] * 2
    assert verdict.findings[1].message.endswith("the dice say. This may follow from roll 1. R12.")


def test_what_follows_from_several_faults_is_traced_to_the_first():
    verdict = judged(
        "  1) 31: 8/5 6/4                 66: 24/18(2) 13/7(2)",
        "  2) 31: 6/5 8/4                 21: 13/11 6/5",
        "  3) 31: 13/10 6/4",
        WIN,
    )
    assert [(each.code, each.ply) for each in verdict.findings] == [
        ("dice-mismatch", ply) for ply in (1, 3, 5)
    ]
    assert ["from roll 1." in each.message for each in verdict.findings] == [False, True, True]


def test_a_game_that_cannot_be_followed_is_passed_over_to_its_result():
    verdict = judged(
        "  1) 31: 24/21 6/5               64: 24/14",
        "  2) 65: 24/13                   21: 20/18 20/19",
        "  3) 11: 1/0",
        "  4)  Doubles => 2                Takes",
        "  5) 66: 1/0",
        "      Wins 1 point",
        head=HEAD.replace("1 point", "3 point"),
    )
    assert [finding.code for finding in verdict.findings] == ["empty-source", "match-unfinished"]
    assert [(game.winner, game.points, game.how) for game in verdict.games] == [(WHITE, 1, "report")]


def test_an_illegal_play_can_win_the_game():
    board = Board.from_counts({1: 2}, {6: 15})
    claims = (
        PositionClaim(board, WHITE),
        Turn(WHITE, (6, 5), TurnKind.PLAY, (Hop((1, 0)), Hop((1, 0)), Hop((1, 0)))),
    )
    assert codes(sheet_of(*claims, WinClaim(WHITE, 1))) == ["set-position", "empty-source"]
    claims = (
        PositionClaim(Board.from_counts({3: 2}, {6: 15}), WHITE),
        Turn(WHITE, (1, 2), TurnKind.PLAY, (Hop((3, 0), times=2),)),
    )
    verdict = adjudicate(sheet_of(*claims))
    assert [finding.code for finding in verdict.findings] == ["set-position", "dice-mismatch"]
    assert (verdict.games[0].kind, verdict.winner) == (2, WHITE)


def test_dice_that_cannot_be():
    assert list_findings("  1) 07: 13/6                    31: 8/5 6/5", RIGHT_WINS) == [
        ("illegal-dice", 1, "R11")
    ]
    assert list_findings("  1) 78: 5/4                     31: 8/5 6/5", RIGHT_WINS) == [
        ("illegal-dice", 1, "R11")
    ]
    assert list_findings("  1) 78:                         31: 8/5 6/5", RIGHT_WINS) == [
        ("illegal-dice", 1, "R11")
    ]
    without = Turn(WHITE, None, TurnKind.PLAY, (Hop((8, 5)), Hop((6, 6))))
    assert codes(sheet_of(without, WinClaim(WHITE, 1))) == ["illegal-dice"]


def test_a_turn_out_of_order():
    assert list_findings("  1) 31: 8/5 6/5", "  2) 64: 24/14", WIN) == [("out-of-turn", 2, "R11")]


def test_a_play_after_the_end():
    rows = ["  1) 31: 8/5 6/5                  Doubles => 2", "  2)  Drops", RIGHT_WINS]
    three = HEAD.replace("1 point", "3 point")
    assert list_findings(*rows, head=three) == [("match-unfinished", None, "")]
    more = [*rows, "  3)  Doubles => 2", "  4) 65: 24/13                   64: 24/14"]
    assert list_findings(*more, head=three)[0] == ("play-after-end", 2, "R40")
    more = [*rows, "  4) 65: 24/13                   64: 24/14", "  3)  Doubles => 2"]
    assert [code for code, _, _ in list_findings(*more, head=three)] == ["play-after-end", "match-unfinished"]


def test_a_mark_of_a_hit_too_many_or_too_few():
    rows = ["  1) 64: 24/18 13/9               61: 13/7* 8/7", "  2) 61: bar/24 13/7"]
    assert list_findings(rows[0].replace("18", "18*"), WIN)[0] == ("phantom-hit", 1, "R25")
    # Where no hit is marked at all, none is missing.
    assert list_findings(rows[0].replace("*", ""), WIN) == []


def test_a_missing_mark_where_others_are_made():
    rows = [
        "  1) 64: 24/18 13/9               61: 13/7* 8/7",
        "  2) 41: bar/24 13/9              64: 24/20 24/18",
        "  3) 54: 9/4 9/5                  11: 6/5",
    ]
    assert ("missing-hit", 5, "R25") in list_findings(*rows, WIN)


def test_the_last_play_once_more_in_the_other_column():
    """Q-15: an exporter repeats the play before a resignation."""
    rows = ["  1) 31: 8/5 6/5                  64: 24/14", "  2) 21: 24/23 24/22              62: 14/6"]
    assert list_findings(*rows, "  3) 62: 14/6", WIN) == [("repeated-play", 5, "")]


def test_a_repeated_play_after_the_end():
    rows = ["  1) 31: 8/5 6/5                  64: 24/14"]
    claims = read(*rows, WIN, head=HEAD).games[0].claims
    dropped = CubeClaim(WHITE, CubeWord.DOUBLE), CubeClaim(BLACK, CubeWord.DROP)
    again = Turn(WHITE, (6, 4), TurnKind.PLAY, (Hop((24, 14)),), text="64: 24/14")
    game = GameSheet((*claims[:2], *dropped, claims[1], again, WinClaim(WHITE, 1)), BySide(0, 0))
    sheet = Sheet("test", BySide("Ann", "Ben"), 3, (game,))
    assert codes(sheet) == ["play-after-end", "repeated-play", "match-unfinished"]


def test_a_play_cut_short_by_a_resignation():
    assert list_findings("  1) 31: 8/5 6/5                  64: 24/18", WIN) == [("cut-play", 2, "")]


def test_a_forced_play_left_out():
    # It can enter with the 1 alone, and nothing else can move.
    bar = Board.from_counts({25: 1, 1: 14}, {6: 2, 5: 2, 4: 2, 7: 9})
    claims = (
        PositionClaim(bar, WHITE),
        Turn(WHITE, (6, 1)),
        Turn(BLACK, (2, 1), TurnKind.PLAY, (Hop((7, 4)),)),
    )
    verdict = adjudicate(sheet_of(*claims, WinClaim(BLACK, 1)))
    assert [finding.code for finding in verdict.findings] == ["set-position", "forced-play-omitted"]
    assert (
        verdict.findings[1].message
        == "Game 1, roll 1: Ann's only play with 6-1 was not written: bar/24. R20."
    )


def test_a_dance_is_silent():
    closed = Board.from_counts({25: 1, 1: 14}, dict.fromkeys(range(1, 7), 2) | {13: 3})
    dance = Turn(WHITE, (6, 1), TurnKind.DANCE)
    assert codes(sheet_of(PositionClaim(closed, WHITE), dance, WinClaim(BLACK, 1))) == ["set-position"]
    # Some do not even roll then.
    verdict = adjudicate(
        sheet_of(PositionClaim(closed, WHITE), Turn(WHITE, None, TurnKind.DANCE), WinClaim(BLACK, 1))
    )
    assert [finding.code for finding in verdict.findings] == ["set-position", "closed-out"]
    assert [each.dice for each in verdict.record.actions if isinstance(each, Rolled)] == [(6, 6)]


def test_a_roll_that_somebody_resigned_on():
    assert list_findings("  1) 31: 8/5 6/5                  64:", WIN) == []
    assert list_findings("  1) 31: 8/5 6/5                  64: ????", WIN) == []
    assert list_findings("  1) 31: 8/5 6/5                  64:", RIGHT_WINS) == [("resigner-unclear", 2, "")]
    assert list_findings("  1) 31: 8/5 6/5                  64:") == [("unfinished-game", 2, "R40")]


def test_a_roll_without_a_play_after_which_play_goes_on():
    assert list_findings("  1) 31: 8/5 6/5                  64:", "  2) 11: 6/5(2) 8/7(2)", WIN) == [
        ("cannot-move-but-could", 2, "R24")
    ]
    assert list_findings("  1) 31: 8/5 6/5                  64: ????", "  2) 11: 6/5(2) 8/7(2)", WIN) == [
        ("unknown-play", 2, "R24")
    ]
    # The reader has said already what is wrong with the row.
    assert list_findings("  1) 31: 8/5 6/5                  64: 2/x/3", "  2) 11: 6/5(2) 8/7(2)", WIN) == [
        ("corrupt-row", None, "")
    ]
    no_dice = Turn(BLACK, None, TurnKind.UNKNOWN)
    opened = read("  1) 31: 8/5 6/5", head=HEAD).games[0].claims
    assert codes(sheet_of(*opened, no_dice, Turn(WHITE, (2, 1)), WinClaim(WHITE, 1))) == [
        "unknown-play",
        "resigner-unclear",
    ]
    assert codes(sheet_of(*opened, no_dice, WinClaim(WHITE, 1))) == []


def test_plays_that_are_left_out_to_the_end():
    rows = ["  1) 31: 8/5 6/5                  64:", "  2) 11:                         52:"]
    assert list_findings(*rows, WIN) == [("plays-not-written", 2, "R24")]
    assert list_findings(*rows, RIGHT_WINS) == [("plays-not-written", 2, "R24"), ("resigner-unclear", 4, "")]


def test_a_resignation_that_was_not_accepted():
    """The roll is repeated with its play, or it is not."""
    rows = read("  1) 31: 8/5 6/5                  64:", " " * 33 + "Resigns", head=HEAD).games[0].claims
    again = Turn(BLACK, (4, 6), TurnKind.PLAY, (Hop((24, 14)),))
    assert codes(sheet_of(*rows, again, WinClaim(WHITE, 1))) == []
    other = Turn(BLACK, (5, 6), TurnKind.PLAY, (Hop((24, 13)),))
    assert codes(sheet_of(*rows, other, WinClaim(WHITE, 1))) == ["cannot-move-but-could", "out-of-turn"]
    played = Turn(WHITE, (2, 1), TurnKind.PLAY, (Hop((13, 11)), Hop((6, 5))))
    assert codes(sheet_of(*rows, played)) == ["cannot-move-but-could", "unfinished-game"]


def test_a_position_set_by_hand():
    later = Board.from_counts({6: 15}, {6: 15})
    opened = read("  1) 31: 8/5 6/5                  64: 24/14", head=HEAD).games[0].claims
    turn = Turn(BLACK, (2, 1), TurnKind.PLAY, (Hop((6, 4)), Hop((6, 5))))
    begins = sheet_of(PositionClaim(later, None, Cube(2, WHITE)), turn, WinClaim(BLACK, 2))
    assert codes(begins) == ["set-position"]
    assert [each.code for each in adjudicate(begins, Rules(length=1)).findings] == ["position-changed"]
    changed = sheet_of(*opened, PositionClaim(later, BLACK), turn, WinClaim(BLACK, 1))
    assert codes(changed) == ["position-changed"]
    # After a roll that nothing is said about, and after the end.
    rolled = (*opened, Turn(WHITE, (5, 4)), PositionClaim(later, BLACK, declared_illegal=True), turn)
    assert codes(sheet_of(*rolled, WinClaim(BLACK, 1), PositionClaim(STANDARD, WHITE))) == [
        "declared-illegal"
    ]


def test_a_board_that_was_lost_is_found_again_where_it_is_set():
    claims = (Turn(WHITE, (3, 1), TurnKind.UNKNOWN), Turn(BLACK, (2, 1)), PositionClaim(STANDARD, WHITE))
    turn = Turn(WHITE, (3, 1), TurnKind.PLAY, (Hop((8, 5)), Hop((6, 4))))
    assert codes(sheet_of(*claims, turn, Turn(BLACK, (2, 1)), WinClaim(WHITE, 1))) == [
        "unknown-play",
        "position-changed",
        "dice-mismatch",
    ]
