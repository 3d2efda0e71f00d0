"""The verdict as a value: what it says, what it remembers, and how records and rules enter into it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine import formats
from engine.actions import Opened, Penalised, Played, ResignAccepted, ResignOffered, Rolled, RuledScore
from engine.board import STANDARD, Step
from engine.dice import Dice
from engine.errors import Unreadable
from engine.finding_codes import CODES, Severity
from engine.findings import Finding
from engine.formats import FOREIGN
from engine.record import Record
from engine.rules import Rules
from engine.sheet import GameSheet, PositionClaim, Sheet, Turn, WinClaim
from engine.side import BLACK, WHITE, BySide
from engine.statistics import Tally
from engine.verdict import adjudicate, judge
from tests.engine import selfplay
from tests.engine.mat_sheets import read

HEAD = " 1 point match\n\n Game 1\n Ann : 0                        Ben : 0\n"
MONEY = " 0 point match\n\n Game 1\n Ann : 0                        Ben : 0\n"


def test_a_clean_sheet_has_the_same_verdict_on_both_ways():
    record = selfplay.match(3, length=3)
    data = formats.write(record, "mat")
    (verdict,) = judge(data)
    (sheet,) = formats.read(data)
    assert verdict == adjudicate(sheet)
    assert verdict.record.digest() == record.digest()
    (under_rules,) = judge(data, Rules(length=3, crawford=False))
    assert under_rules.rules == Rules(length=3, crawford=False)


def test_what_programs_are_told():
    verdict = adjudicate(read("  1) 31: 8/5 6/5                 64: 24/14", "      Wins 1 point", head=HEAD))
    told = verdict.to_json("some/file.mat")
    assert json.loads(json.dumps(told)) == {
        "file": "some/file.mat",
        "verdict": "accepted",
        "format": "mat",
        "length": 1,
        "players": ["Ann", "Ben"],
        "score": [1, 0],
        "winner": 0,
        "games": [
            {
                "winner": 0,
                "points": 1,
                "kind": "single",
                "how": "resign",
                "cube": 1,
                "crawford": False,
                "plies": 2,
            }
        ],
        "findings": [],
    }


def test_programs_are_told_where_a_record_begins_in_mid_match():
    begun = Record(BySide("Ann", "Ben"), Rules(length=5), (RuledScore(BySide(2, 3)), Opened(3, 1)))
    assert adjudicate(begun).to_json()["start"] == [2, 3]
    sheet = read("  1) 31: 8/5 6/5", head=HEAD.replace("1 point", "5 point").replace("Ann : 0", "Ann : 2"))
    assert adjudicate(sheet).to_json()["start"] == [2, 0]
    fined = replace(begun, actions=(Penalised(WHITE, 1), *begun.actions[1:], RuledScore(BySide(2, 3))))
    assert "start" not in adjudicate(fined).to_json()


def test_a_finding_for_programs():
    verdict = adjudicate(read("  1) 31: 8/5 6/4", "      Wins 1 point", head=HEAD))
    (told,) = verdict.to_json()["findings"]
    assert json.loads(json.dumps(told)) == {
        "code": "dice-mismatch",
        "rule": "R12",
        "severity": "fault",
        "game": 1,
        "ply": 1,
        "line": 5,
        "message": "Game 1, roll 1: with 3-1 Ann played 8/5 6/4, which is not what the dice say. R12.",
        "quirk": "Q-27",
        "column": 6,
        "position": "4HPwATDgc/ABMA",
        "board": STANDARD.text(),
        "on_roll": None,
        "dice": [3, 1],
        "played": "8/5 6/4",
        "nearest": told["nearest"],
    }
    assert "8/5 6/5" in told["nearest"]


def test_nobody_is_called_by_a_name_that_tells_nobody_apart():
    head = HEAD.replace("Ben", "Ann")
    verdict = adjudicate(read("  1) 31: 8/5 6/4", "      Wins 1 point", head=head))
    assert "White played" in verdict.findings[0].message


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"", "empty-file"), (b"no record of anything", "unknown-format"), (b"RGMH", "damaged-file")],
)
def test_what_cannot_be_read_is_refused_with_a_reason(data, code):
    (verdict,) = judge(data)
    assert (verdict.word, verdict.is_accepted) == ("unreadable", False)
    assert [finding.code for finding in verdict.findings] == [code]
    assert verdict.to_json()["length"] is None
    with pytest.raises(Unreadable):
        _ = verdict.record


def test_the_place_of_what_cannot_be_read():
    verdict = judge(b"x")[0].unreadable(Unreadable("corrupt-row", "No.", line=3, column=7))
    assert (verdict.findings[0].line, verdict.findings[0].column) == (3, 7)


def test_every_sentence_can_be_said():
    facts = dict.fromkeys(
        [
            "who",
            "other",
            "dice",
            "played",
            "point",
            "text",
            "value",
            "right",
            "points",
            "score",
            "forced",
            "number",
            "left",
        ],
        "x",
    )
    for code, kind in CODES.items():
        assert kind.sentence.format(**facts).endswith("."), code
        assert kind.rule == "" or kind.rule.startswith("R")
        assert kind.quirk == "" or kind.quirk.startswith("Q-")


PLAYED = (
    Opened(3, 1),
    Played(WHITE, (Step(8, 5), Step(6, 5))),
    Rolled(BLACK, Dice(6, 4)),
    Played(BLACK, (Step(24, 18), Step(18, 14))),
)
RESIGNED = (ResignOffered(BLACK, 1), ResignAccepted(WHITE))


def test_a_record_is_replayed():
    record = Record(BySide("Ann", "Ben"), Rules(length=1), (*PLAYED, *RESIGNED))
    verdict = adjudicate(record)
    assert (verdict.word, verdict.format, verdict.length, verdict.winner) == ("accepted", "record", 1, WHITE)
    assert verdict.record is record


def test_a_record_ends_at_the_first_fact_that_cannot_be():
    record = Record(BySide("Ann", "Ben"), Rules(length=1), (*PLAYED, Played(WHITE), *RESIGNED))
    verdict = adjudicate(record)
    (finding,) = verdict.findings
    assert (verdict.word, finding.code, finding.game, finding.ply) == ("rejected", "play-without-dice", 1, 2)
    assert verdict.record.actions == PLAYED
    impossible = Record(BySide("Ann", "Ben"), Rules(length=1), (Opened(9, 1),))
    assert [finding.code for finding in adjudicate(impossible).findings] == ["illegal-dice"]


def test_a_record_under_other_rules():
    record = Record(BySide("Ann", "Ben"), Rules(length=1), (*PLAYED, *RESIGNED))
    assert adjudicate(record, Rules(length=3)).winner is None


def test_a_sheet_under_rules_that_were_agreed():
    sheet = read("  1) 31: 8/5 6/5", "      Wins 1 point", head=HEAD.replace("1 point", "3 point"))
    assert [finding.code for finding in adjudicate(sheet, Rules(length=5)).findings] == [
        "wrong-length",
        "match-unfinished",
    ]
    assert [finding.code for finding in adjudicate(sheet, Rules(length=3)).findings] == ["match-unfinished"]


def test_jacoby_shows_where_nobody_mentions_it():
    """A gammon counts once, and the cube was not turned."""
    rows = [
        "  1) 66: 6/0 6/0 5/0 5/0          65: 13/7 13/8",
        "  2) 66: 4/0 4/0 3/0 3/0          43: 13/9 13/10",
        "  3) 66: 3/0 2/0 2/0 2/0          21: 6/4 6/5",
        "  4) 66: 1/0 1/0 1/0",
        "      Wins 1 point",
    ]
    board = "; Set Pos=-CCCBBB-----e----c-eb-----/0"
    sheet = read(board, *rows, head=MONEY)
    verdict = adjudicate(sheet)
    assert [finding.code for finding in verdict.findings] == ["set-position", "jacoby-inferred"]
    assert (
        verdict.findings[1].message == "Gammons counted once while the cube was not turned: the Jacoby rule."
    )
    assert (verdict.games[0].points, verdict.games[0].kind) == (1, 1)
    assert verdict.rules == Rules.unlimited(jacoby=True)


def test_a_fault_without_a_rule_ends_with_its_sentence():
    fine = Record(BySide("Ann", "Ben"), Rules(length=5), (Opened(3, 1), Penalised(WHITE, 0)))
    (finding,) = adjudicate(fine).findings
    assert (finding.code, finding.rule) == ("bad-penalty", "")
    assert finding.message.endswith("A penalty is at least one point.")


def test_statistics():
    verdict = adjudicate(
        read(
            "  1) 31: 8/5 6/5                  64: 24/14",
            "  2) 55: 13/3(2)                  62: 24/16",
            "  3)  Doubles => 2                Takes",
            "  4) 43: 24/20 13/10              52: 13/6",
            "  5) 21: 13/11* 11/10              Doubles => 4",
            "  6)  Drops",
            "                                  Wins 2 points",
            head=HEAD.replace("1 point", "3 point"),
        )
    )
    statistics = verdict.statistics
    assert [(turn.ply, turn.side, turn.word, turn.value) for turn in statistics.cube] == [
        (5, WHITE, "double", 2),
        (5, BLACK, "take", 2),
        (8, BLACK, "double", 4),
        (8, WHITE, "drop", 4),
    ]
    assert statistics.sides.white == Tally(rolls=4, doubles=1, pips_rolled=34, pips_played=34, hits=1)
    assert statistics.sides.black.wastage == 0
    assert statistics.games[0].pips[0] == (167, 167)
    assert len(statistics.games[0].pips) == 8
    told = json.loads(json.dumps(statistics.to_json()))
    assert (told["sides"][0]["rolls"], told["cube"][3]["word"]) == (4, "drop")


def test_an_unfinished_game_is_shown_as_such():
    verdict = adjudicate(read("  1) 31: 8/5 6/5", head=HEAD))
    assert (verdict.word, verdict.winner) == ("rejected", None)
    assert [(game.how, game.winner, game.plies) for game in verdict.games] == [("unfinished", None, 1)]
    assert [finding.code for finding in verdict.findings] == ["unfinished-game"]


def test_a_finding_says_no_more_than_it_knows():
    finding = Finding("no-length", Severity.NOTE, "How long?")
    assert finding.to_json().keys() == {
        "code", "rule", "severity", "game", "ply", "line", "message", "quirk", "column"
    }  # fmt: skip


def test_more_findings_than_anybody_reads_are_counted():
    turns = tuple(Turn(WHITE if n % 2 else BLACK, (7, n % 6 + 1), text="") for n in range(150))
    game = GameSheet((*turns, WinClaim(WHITE, 1)), BySide(0, 0))
    verdict = adjudicate(Sheet("mat", BySide("Ann", "Ben"), 1, (game,)))
    assert (verdict.word, len(verdict.findings), verdict.findings[-1].code) == (
        "rejected",
        101,
        "more-findings",
    )
    assert verdict.findings[-1].message == "50 more findings are not told."


def test_a_position_without_anybody_to_move_is_left_alone():
    game = GameSheet((PositionClaim(STANDARD), WinClaim(WHITE, 1)), BySide(0, 0))
    verdict = adjudicate(Sheet("mat", BySide("Ann", "Ben"), 1, (game,)))
    assert [finding.code for finding in verdict.findings] == ["unplayed-game"]


def test_every_code_is_in_the_documentation():
    text = (Path(__file__).parents[2] / "docs" / "formats.md").read_text()
    for code, kind in CODES.items():
        assert f"| `{code}` | {kind.severity} | {kind.quirk} | {kind.rule} |" in text
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    listed = {line.split("`")[1] for line in rows}
    assert listed == CODES.keys() | {"accepted", "noted", "rejected", "unreadable"} | (
        listed & {*formats.FORMATS}
    )
    assert {each.quirk for each in CODES.values()} - {""} <= {f"Q-{n:02d}" for n in range(1, 42)}


def test_every_format_is_in_the_documentation():
    text = (Path(__file__).parents[2] / "docs" / "formats.md").read_text()
    unread = {each.name for each in FOREIGN}
    for name in formats.FORMATS.keys() - unread:
        assert f"`{name}`" in text
