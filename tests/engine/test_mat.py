"""Reading ``.mat``: every dialect and every quirk of the catalogue, on sheets written for these tests."""

from __future__ import annotations

import re
import tarfile
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest

from engine import formats
from engine.cube import Cube
from engine.errors import Unreadable
from engine.formats import mat
from engine.formats.limits import Limits
from engine.formats.mat import cells
from engine.formats.mat.headings import read_score
from engine.sheet import Hop, Place, PositionClaim, Sheet, Turn, TurnKind, WinClaim
from engine.side import BySide, Side
from engine.verdict import judge
from tests.engine.mat_sheets import HEAD, codes, list_claims, read, word
from tests.engine.shared import OURS, RECORDS, Source, each_source, files, long_run, table

PLAIN = """; [Site "The Corner"]
; [EventDate "2026.11.20"]

 3 point match

 Game 1
 Ann : 0                        Ben : 0
  1)                             51: 24/23 13/8
  2) 21: 13/11 24/23             22: 6/4 6/4 13/11 13/11
  3) 55: 6/1 6/1 23/18 18/13     44: 25/21 11/7 11/7 8/4
  4) 42: 25/21 8/6               44:
  5)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 Ann : 1                        Ben : 0
  1) 61: 13/7 8/7                43:
  2) 31: 8/5 6/5                  Doubles => 2
  3)  Takes                      11: 8/7 8/7 6/5 6/5
                                  Wins 2 points
"""


MARK = "(5;0;1;0;0;Ben;Ann;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-4;5;0;0;0;-3;0;-6;0;0;0;0;2;0;3;1;)"


def _unexpand(line: str) -> str:
    """Return *line* as ``unexpand -a`` does, with tabs for blanks before every eighth column."""
    pieces = (line[start : start + 8] for start in range(0, len(line), 8))
    return "".join(re.sub(" {2,}$", "\t", piece) if len(piece) == 8 else piece for piece in pieces)


def _placing(sheet: Sheet) -> PositionClaim:
    (placing,) = (claim for claim in sheet.games[0].claims if isinstance(claim, PositionClaim))
    return placing


class TestASheet:
    def test_says_what_stands_there(self) -> None:
        (sheet,) = mat.parse(PLAIN.encode())
        assert sheet.format == "mat"
        assert sheet.names == BySide("Ann", "Ben")
        assert sheet.length == 3
        assert sheet.tags == (("Site", "The Corner"), ("EventDate", "2026.11.20"))
        assert [game.score for game in sheet.games] == [BySide(0, 0), BySide(1, 0)]
        assert not sheet.remarks
        first, second = ([word(claim) for claim in game.claims] for game in sheet.games)
        assert first == [
            "B 51 24/23 13/8",
            "W 21 13/11 24/23",
            "B 22 6/4 6/4 13/11 13/11",
            "W 55 6/1 6/1 23/18 18/13",
            "B 44 25/21 11/7 11/7 8/4",
            "W 42 25/21 8/6",
            "B 44 nothing",
            "W double 2",
            "B drop",
            "W wins 1",
        ]
        assert second == [
            "W 61 13/7 8/7",
            "B 43 nothing",
            "W 31 8/5 6/5",
            "B double 2",
            "W take",
            "B 11 8/7 8/7 6/5 6/5",
            "B wins 2",
        ]

    def test_knows_where_each_claim_stands(self) -> None:
        (sheet,) = mat.parse(PLAIN.encode())
        game = sheet.games[0]
        assert game.at == Place(6, 2)
        assert [game.place(index) for index in (0, 1, 2, 7, 9)] == [
            Place(8, 34),
            Place(9, 6),
            Place(9, 34),
            Place(12, 6),
            Place(13, 7),
        ]

    def test_shares_what_is_said_twice(self) -> None:
        sheet = read(
            "  1)                             61: 13/7 8/7", "  2) 52: 13/8 24/22              61: 13/7 8/7"
        )
        first, _, last = sheet.games[0].claims
        assert first is last

    def test_is_found_by_its_content(self) -> None:
        assert formats.sniff(PLAIN.encode()) == "mat"
        assert mat.sniff(b"\xff\xfe" + PLAIN.encode("utf-16-le"))
        assert mat.sniff(b" Game 3\n Ann : 0    Ben : 0\n")
        assert not mat.sniff(b"MATLAB 5.0 MAT-file\0\0\0")
        assert not mat.sniff(b"Score is 0-0 in a 5 point match.\n")


class TestColumns:
    @pytest.mark.parametrize("right", [32, 33, 34, 37, 39, 40, 41, 42, 46, 47])
    def test_the_right_one_may_begin_anywhere(self, right: int) -> None:
        """2.2: every place that was ever measured, with answers alone in their column."""

        def row(left: str, other: str) -> str:
            return f"{left:<{right}}{other}".rstrip()

        assert list_claims(
            row("  1)", "31: 8/5 6/5"),
            row("  2) 64: 24/18 13/9", "52: 13/8 24/22"),
            row("  3) 11:", " Doubles => 2"),
            row("  4)  Takes", "66: 24/18 24/18 13/7 13/7"),
            row("  5) 21: 13/11 6/5", ""),
            row("", " Wins 2 points"),
        ) == [
            "B 31 8/5 6/5",
            "W 64 24/18 13/9",
            "B 52 13/8 24/22",
            "W 11 nothing",
            "B double 2",
            "W take",
            "B 66 24/18 24/18 13/7 13/7",
            "W 21 13/11 6/5",
            "B wins 2",
        ]

    def test_a_long_left_cell_leaves_one_blank(self) -> None:
        rows = ("  1) 55: 25/20* 20/15 15/10 10/5* 66:", "  2) 55: 25/20 20/15 15/10 10/5  41: 24/20 6/5*")
        assert list_claims(*rows) == [
            "W 55 25/20 20/15 15/10 10/5",
            "B 66 nothing",
            "W 55 25/20 20/15 15/10 10/5",
            "B 41 24/20 6/5",
        ]

    def test_a_long_left_cell_in_a_file_of_wide_columns(self) -> None:
        rows = (
            "  1) 61: 13/7 8/7                       52: 13/8 24/22",
            "  2) 44: bar/21* 24/20*(2) 13/9* 6/2*    31: 8/5 6/5",
            "  10) 61: 13/7 8/7                       52: 13/8 24/22",
        )
        assert [word[0] for word in list_claims(*rows)] == ["W", "B"] * 3

    def test_cells_may_touch(self) -> None:
        assert list_claims("  1) 33: 24/21(2) 13/10(2)31: 8/5 6/5") == ["W 33 24/21 13/10", "B 31 8/5 6/5"]

    def test_one_cell_right_of_the_middle_is_the_right_ones(self) -> None:
        rows = (
            "  1) 61: 13/7 8/7                       52: 13/8 24/22",
            "  2)                                     Takes",
            "  3)                                    61: 8/7 13/7     Wins 2 points",
        )
        assert list_claims(*rows)[2:] == ["B take", "B 61 8/7 13/7", "B wins 2"]

    def test_with_no_second_cell_the_score_line_tells(self) -> None:
        head = "5 point match\n Game 1\n Ann : 0                                      Ben : 0\n"
        rows = ("  1)                                          31: 8/5 6/5", "  2) 52: ????")
        assert list_claims(*rows, head=head) == ["B 31 8/5 6/5", "W 52 unknown"]

    def test_without_a_name_either_the_usual_column_is_meant(self) -> None:
        head = "5 point match\n Game 1\n"
        assert list_claims("      Wins 1 point", head=head) == ["W wins 1"]
        assert list_claims(" " * 34 + "Wins 1 point", head=head) == ["B wins 1"]

    def test_a_score_line_that_tells_no_column(self) -> None:
        head = "Game 1\n0 point match A : 0  0     8        : 0\n"
        assert list_claims("  1) 64: 24/18 18/14    3", "  2)992: bar/23", head=head)[0][0] == "W"
        assert list_claims("1) 64: 24/18 18/14", head="Game 1\n : 0 B : 0\n") == ["W 64 24/18 18/14"]

    def test_three_cells(self) -> None:
        rows = (
            "  1) 61: 13/7 8/7                52: 13/8 24/22",
            "  2)  Doubles => 2                Drops            Wins 1 point",
        )
        assert list_claims(*rows)[2:] == ["W double 2", "B drop", "B wins 1"]
        assert list_claims(
            rows[0], " 20)  Losses 3 point                                               Wins 3 point"
        )[2:] == ["B wins 3"]

    def test_tabs_are_eight_columns(self) -> None:
        assert list_claims("  1) 61: 13/7 8/7\t\t 52: 13/8 24/22", "\t\t\t\t  Wins 1 point") == [
            "W 61 13/7 8/7",
            "B 52 13/8 24/22",
            "B wins 1",
        ]

    def test_tabs_in_every_line(self) -> None:
        lines = PLAIN.splitlines()
        for text in ("\n".join(map(_unexpand, lines)), PLAIN.replace(" : 0      ", " : 0\t")):
            (sheet,), (plain,) = mat.parse(text.encode()), mat.parse(PLAIN.encode())
            assert "\t" in text
            assert (sheet.names, sheet.remarks) == (BySide("Ann", "Ben"), ())
            for told, game in zip(sheet.games, plain.games, strict=True):
                assert (told.score, told.claims) == (game.score, game.claims)

    def test_tabs_do_not_make_a_file_larger_than_the_limit(self) -> None:
        with pytest.raises(Unreadable, match="more than 500 bytes"):
            mat.parse((HEAD + "\t" * 99).encode(), Limits(bytes=500))

    def test_a_second_number_in_the_row_is_no_claim(self) -> None:
        rows = (
            "  1) 61: 13/7 8/7                52: 13/8 24/22",
            " 14) 22: 13/11 13/11 6/4 6/4     14)  Losses 1 point",
            "  *) 62: 13/7 7/5                *) 31: 8/5 6/5",
        )
        assert list_claims(*rows)[2:] == ["W 22 13/11 13/11 6/4 6/4", "W 62 13/7 7/5", "B 31 8/5 6/5"]
        assert codes(*rows) == []

    def test_another_number_in_the_row_is_a_lost_line_break(self) -> None:
        rows = ("  1) 61: 13/7 8/7             50) 11: 21/20 21/20 6/5 6/5",)
        assert codes(*rows) == ["corrupt-row"]
        assert list_claims(*rows) == ["W 61 13/7 8/7", "B 11 21/20 21/20 6/5 6/5"]


class TestQuirks:
    def test_q01_encodings_and_newlines(self) -> None:
        text = PLAIN.replace("Ann", "Jürg").replace("Ben", "Løve")
        for data in (
            text.encode(),
            text.replace("\n", "\r\n").encode("utf-8-sig"),
            text.encode("cp1252"),
            b"\xff\xfe" + text.encode("utf-16-le"),
            b"\xfe\xff" + text.encode("utf-16-be"),
        ):
            (sheet,) = mat.parse(data)
            assert sheet.names == BySide("Jürg", "Løve")
            assert len(sheet.games) == 2

    def test_q02_no_leading_blanks(self) -> None:
        sheet = read("1) 61: 13/7 8/7   52: 13/8 24/22", head="5 point match\nGame 1 \nAnn : 0   Ben : 0\n")
        assert (sheet.length, [word(claim)[0] for claim in sheet.games[0].claims]) == (5, ["W", "B"])

    @pytest.mark.parametrize(
        ("line", "names"),
        [
            (" Ann : 0                        : 0", BySide("Ann", "")),
            ("  : 0                          Ben : 0", BySide("", "Ben")),
        ],
    )
    def test_q04_a_player_without_a_name(self, line: str, names: BySide[str]) -> None:
        head = f" 5 point match\n Game 1\n{line}\n"
        sheet = read("  1) 61: 13/7 8/7", head=head)
        assert sheet.names == names
        assert [(each.code, each.at, each.game) for each in sheet.remarks] == [("empty-name", Place(3, 1), 0)]

    def test_q05_a_rating_in_the_name(self) -> None:
        sheet = read("  1) 61: 13/7 8/7", head=" 5 point match\n Game 1\n ann,1699 : 0      ben : 0\n")
        assert sheet.names == BySide("ann", "ben")
        assert sheet.tags == (("White Rating", "1699"),)
        assert sheet.dialect == "gridgammon"

    def test_q06_the_heading_names_others(self) -> None:
        tags = '; [Player 1 "Bea"]\n; [Player 2 "Ann"]\n'
        assert codes("  1) 61: 13/7 8/7", head=tags + HEAD) == ["name-mismatch"]
        assert codes("  1) 61: 13/7 8/7", head=tags.replace("Bea", "BEN") + HEAD) == []

    def test_q06_a_later_game_names_others(self) -> None:
        assert codes("      Wins 1 point", " Game 2", " Ann : 1            Benno : 0") == ["name-mismatch"]

    def test_q07_stars_before_and_after_the_number(self) -> None:
        sheet = read("  1) 55: 6/1*(2) 8/3(2)*         62: 24/18*/16")
        first, second = sheet.games[0].claims
        assert isinstance(first, Turn)
        assert isinstance(second, Turn)
        assert [(hop.starred, hop.times) for hop in first.hops] == [((1,), 2), ((3,), 2)]
        assert second.hops == (Hop((24, 18, 16), (18,)),)

    def test_q08_dice_stay_as_they_were_rolled(self) -> None:
        assert list_claims("  1) 36: 13/7 13/10") == ["W 36 13/7 13/10"]

    def test_q09_several_dice_in_one_hop(self) -> None:
        assert list_claims("  1) 54: 13/4                    44: 22/6", "  2) 66: 18/off") == [
            "W 54 13/4",
            "B 44 22/6",
            "W 66 18/0",
        ]

    @pytest.mark.parametrize("words", ["Cannot Move", "cannot move", "Can't move"])
    def test_q10_a_dance_in_words(self, words: str) -> None:
        assert list_claims(f"  1) 42: {words}             31: 8/5 6/5")[0] == "W 42 dance"

    def test_q12_a_roll_and_then_a_result(self) -> None:
        assert list_claims("  1) 14:                         Wins 5 points") == ["W 14 nothing", "B wins 5"]

    def test_q14_question_marks(self) -> None:
        assert list_claims(" 31) 51: ????                    Wins 2 point") == ["W 51 unknown", "B wins 2"]
        assert list_claims(" 31) 51: ???                     Wins 2 point") == ["W 51 unknown", "B wins 2"]
        assert list_claims(" 18) ????                        Wins 1 point and the match") == [
            "W resigns",
            "B wins 1 match",
        ]
        assert list_claims(" 18) 00: ????                    Wins 1 point") == ["W resigns", "B wins 1"]
        assert list_claims(" 18) 00:") == ["W none nothing"]

    def test_q14_question_marks_of_the_other_column(self) -> None:
        rows = ("  1) 61: 13/7 8/7                52: 13/8 24/22", "  2) 66:                         ????")
        assert list_claims(*rows)[2:] == ["W 66 nothing", "B resigns"]

    def test_q16_losses_are_the_other_half_of_wins(self) -> None:
        assert list_claims(
            "  1) 61: 13/7 8/7", "Losses 3 point", " " * 34 + "Wins 3 point and the match"
        ) == [
            "W 61 13/7 8/7",
            "B wins 3 match",
        ]

    @pytest.mark.parametrize(
        ("cell", "claims"),
        [
            ("62: Concedes", ["B 62 nothing", "B resigns"]),
            ("00: Concedes", ["B resigns"]),
            ("Concedes", ["B resigns"]),
            ("Resigns", ["B resigns"]),
            ("Resigned Game", ["- resigns"]),
            ("Resigned Match", ["- resigns match"]),
            ("Resign normal", ["B resigns 1"]),
            ("Resign gammon", ["B resigns 2"]),
            ("Resign backgammon", ["B resigns 3"]),
        ],
    )
    def test_q17_giving_up(self, cell: str, claims: list[str]) -> None:
        rows = ("  1) 61: 13/7 8/7                52: 13/8 24/22", f"  2) 63: 3/off(2)                {cell}")
        assert list_claims(*rows)[3:] == claims

    def test_q18_absurd_points_are_claims_too(self) -> None:
        assert list_claims("  22)  Wins 1004 point") == ["W wins 1004"]

    def test_q20_an_unlimited_session(self) -> None:
        tags = '; [Jacoby "On"]\n; [Beaver "Off"]\n'
        sheet = read("  1) 61: 13/7 8/7", head=tags + HEAD.replace("5", "0", 1))
        assert (sheet.length, sheet.jacoby, sheet.beavers, sheet.crawford) == (0, True, False, None)

    def test_q22_q23_numbers_are_decoration(self) -> None:
        rows = (
            "  1) 61: 13/7 8/7                52: 13/8 24/22",
            "  7) 31: 8/5 6/5",
            "  32)",
            "  33)                 ",
        )
        assert list_claims(*rows)[2:] == ["W 31 8/5 6/5"]
        assert codes(*rows, "    ") == []

    def test_q25_cube_words_without_a_number(self) -> None:
        rows = (
            "  1) 61: 13/7 8/7                52: 13/8 24/22",
            "      Doubles ==> 2               Drops",
            "      Wins 1 point",
        )
        assert list_claims(*rows)[2:] == ["W double 2", "B drop", "W wins 1"]
        assert list_claims("      Drops                       Wins 1 point") == ["W drop", "B wins 1"]

    def test_q26_comments_are_skipped(self) -> None:
        rows = (
            "; XGID=-b----E-C---eE---c-e----B-:0:0:1:61:0:0:0:5:10",
            "  1) 61: 13/7 8/7                52: 13/8 24/22",
            "; 2) 31: 8/5 6/5                 11:",
            "# a fine move",
            "  2) 31: 8/5 6/5                 43: 24/20 13/10",
        )
        assert list_claims(*rows) == ["W 61 13/7 8/7", "B 52 13/8 24/22", "W 31 8/5 6/5", "B 43 24/20 13/10"]
        assert codes(*rows) == []

    def test_q26_a_row_in_a_comment_of_three_letters(self) -> None:
        assert list_claims(";1)) 61: 13/7 8/7", "; 1) 61: 13/7 8/7                52: 13/8 24/22") == []

    def test_q26_a_set_position(self) -> None:
        """9.4: capitals are the left player's; the cube at 2 is the right one's."""
        rows = (
            "; Set Pos=-b----E-C---eE---c-e---AA-/-1",
            "  1)                             21: 6/4 6/5",
            "; Set Pos=?",
        )
        sheet = read(*rows)
        assert [word(claim) for claim in sheet.games[0].claims] == [
            "set B white 24:1 23:1 13:5 8:3 6:5 black 24:2 13:5 8:3 6:5",
            "B 21 6/4 6/5",
        ]
        placing = sheet.games[0].claims[0]
        assert isinstance(placing, PositionClaim)
        assert placing.cube == Cube(2, Side.BLACK)

    def test_q26_a_set_position_belongs_to_the_next_who_acts(self) -> None:
        start = "; Set Pos=-b----E-C---eE---c-e----B-/0"
        assert list_claims(start, "  1)                              Doubles => 2", "  2)  Drops")[
            0
        ].startswith("set B ")
        assert list_claims(start)[0].startswith("set - ")
        assert list_claims(start, "  1)  Takes                      31: 8/5 6/5")[0].startswith("set B ")

    @pytest.mark.parametrize("position", ["-b----P-C---eE---c-e----B-/0", "-b----E-C---eE---c-e----B-/99"])
    def test_q26_an_impossible_position(self, position: str) -> None:
        assert codes(f"; Set Pos={position}") == ["bad-position"]

    def test_q26_a_position_of_hypergammon(self) -> None:
        tags = '; [Variation "HyperGammon (3)"]\n'
        rows = ("; Set Pos=-aaa------------------AAA-/1", "  1) 61: 24/17")
        sheet = read(*rows, head=tags + HEAD)
        assert sheet.variant == "hypergammon"
        assert word(sheet.games[0].claims[0]) == "set W white 24:1 23:1 22:1 black 24:1 23:1 22:1"

    def test_q28_a_declared_illegal_play(self) -> None:
        rows = (f"  1) 21: Illegal play {MARK} 31: 8/5 6/5",)
        sheet = read(*rows)
        assert [word(claim)[:4] for claim in sheet.games[0].claims] == ["W 21", "set ", "B 31"]
        assert sheet.remarks == ()
        assert [type(claim) for claim in sheet.games[0].claims] == [Turn, PositionClaim, Turn]
        placing = _placing(sheet)
        assert placing.board.text() == "white 24:2 13:4 8:3 6:6 black 24:2 13:5 8:3 6:5"
        assert (placing.turn, placing.cube, placing.declared_illegal) == (Side.BLACK, Cube(), True)

    def test_q28_the_names_say_whose_the_checkers_are(self) -> None:
        line = "5;0;1;0;1;{};0;0;0;2;1;0;-2;0;0;0;0;5;0;3;0;0;0;-4;5;0;0;0;-3;0;-6;0;0;0;0;2;0;0;0;"
        row = f"  1) 43: 24/20 13/10             21: Illegal play ({line})"
        for names in ("Ann;Ben", "Somebody;Else"):
            placing = _placing(read(row.format(names)))
            assert placing.board.text() == "white 24:2 13:5 8:3 6:5 black 24:2 13:4 8:3 6:6"
            assert (placing.turn, placing.cube) == (Side.WHITE, Cube(2, Side.WHITE))
        turned = _placing(read(row.format("Ben;Ann")))
        assert turned.board.text() == "white 24:2 13:4 8:3 6:6 black 24:2 13:5 8:3 6:5"
        assert (turned.turn, turned.cube) == (Side.WHITE, Cube(2, Side.BLACK))

    @pytest.mark.parametrize(
        "inside",
        [
            "",
            "(5;0;1)",
            "(" + "1;" * 40 + ")",
            "(" + "x;" * 40 + ")",
            MARK.replace("5", "7", 1),
            MARK.replace("-2", "-9"),
        ],
    )
    def test_q28_a_marker_that_sets_nothing(self, inside: str) -> None:
        rows = (f"  1) 21: Illegal play {inside}",)
        assert list_claims(*rows) == ["W 21 unknown"]
        assert codes(*rows) == (["bad-position"] if inside else [])

    def test_q28_a_marker_without_a_heading(self) -> None:
        sheet = read(f"  1) 21: Illegal play {MARK}", head=" 5 point match\n Game 1\n")
        assert _placing(sheet).turn is Side.BLACK

    def test_q29_q30_q31_scores_are_claims(self) -> None:
        sheet = read(
            "      Wins 9 points",
            " Game 12",
            " Ann : 18            Ben : -4",
            head=HEAD.replace("Ann : 0", "Ann : 3"),
        )
        assert [game.score for game in sheet.games] == [BySide(3, 0), BySide(18, -4)]

    def test_q36_several_matches_in_one_file(self) -> None:
        second = '; [Site "Elsewhere"]\n 7 point match\n\n Game 1\n Cleo : 0      Dan : 0\n  1) 61: 13/7 8/7\n; [Event "Last"]\n'
        first, other = mat.parse((PLAIN + second).encode())
        assert (first.names, first.length, len(first.games)) == (BySide("Ann", "Ben"), 3, 2)
        assert (other.names, other.length, len(other.games)) == (BySide("Cleo", "Dan"), 7, 1)
        assert ("Site", "Elsewhere") not in first.tags
        assert other.tags == (("Site", "Elsewhere"), ("Event", "Last"))
        assert len(mat.parse((PLAIN + "\n 7 point match\n").encode())) == 1

    def test_q37_resigned_game_begins_no_game(self) -> None:
        rows = (
            "  1) 61: 13/7 8/7                52: 13/8 24/22",
            "  24)                            Resigned Game",
        )
        assert len(read(*rows).games) == 1

    def test_q38_q39_headings(self) -> None:
        head = '; [Player 1 Elo "5,00/0"]\n5 point match\n Game 1\n tester: 0       other: 2   \n'
        sheet = read("  1) 61: 13/7 8/7", head=head)
        assert dict(sheet.tags)["Player 1 Elo"] == "5,00/0"
        assert (sheet.names, sheet.games[0].score) == (BySide("tester", "other"), BySide(0, 2))

    def test_our_own_automatic_doubles(self) -> None:
        assert list_claims("; Automatic double", "  1) 61: 13/7 8/7") == ["- automatic", "W 61 13/7 8/7"]

    def test_q40_beavers(self) -> None:
        rows = (
            "  1) 61: 13/7 8/7                52: 13/8 24/22",
            "  2)  Doubles => 2                Beavers => 4",
            "  3)  Raccoons => 8",
        )
        assert list_claims(*rows)[2:] == ["W double 2", "B beaver 4", "W raccoon 8"]

    def test_beavers_that_gnubg_writes_as_doubles(self) -> None:
        rows = (
            "  1) 61: 13/7 8/7                52: 13/8 24/22",
            "  2)  Doubles => 2                Doubles => 4",
            "  3)  Doubles => 8                Drops",
            "      Wins 4 points",
        )
        turns = ["W double 2", "B beaver 4", "W raccoon 8", "B drop", "W wins 4"]
        money = HEAD.replace(" 5 point", " 0 point")
        assert list_claims(*rows, head=money)[2:] == turns
        (verdict,) = judge((money + "\n".join(rows) + "\n").encode())
        assert (verdict.word, verdict.score) == ("accepted", BySide(4, 0))
        # A match has no beavers.
        assert list_claims(*rows)[2:5] == ["W double 2", "B double 4", "W double 8"]


class TestWhatCannotBeRead:
    def test_a_play_that_is_none(self) -> None:
        rows = ("  1) 61: 13/7 8-7x               52: 13/8 24/22",)
        assert list_claims(*rows) == ["W 61 unknown", "B 52 13/8 24/22"]
        sheet = read(*rows)
        assert [(each.code, each.at, each.game) for each in sheet.remarks] == [
            ("corrupt-row", Place(5, 6), 0)
        ]

    def test_a_cell_without_end(self) -> None:
        assert codes("  1) 61: " + "13/7 " * 100) == ["corrupt-row"]
        assert codes("      Wins 1 point " + "and so on " * 50) == ["corrupt-row"]

    def test_prose_in_a_game(self) -> None:
        rows = ("  1) 61: 13/7 8/7", "Ann now went for tea")
        assert codes(*rows) == ["unread-line"]
        assert list_claims(*rows) == ["W 61 13/7 8/7"]
        assert codes(*["tea"] * 600) == ["unread-line"] * 500

    def test_impossible_dice_are_claims(self) -> None:
        assert list_claims("  1) 71: 13/7 8/7                09: 8/5") == ["W 71 13/7 8/7", "B 09 8/5"]

    def test_a_match_of_no_length(self) -> None:
        sheet = read("  1) 61: 13/7 8/7", head=" Game 1\n Ann : 0       Ben : 0\n")
        assert sheet.length is None
        assert read("      Wins 1 point", head="-5 point match\n Game 1\n").length == -5

    def test_a_game_without_a_heading(self) -> None:
        sheet = read("  1) 61: 13/7 8/7", head=" 5 point match\n Game 1\n")
        assert (sheet.names, sheet.games[0].score) == (BySide("", ""), None)

    @pytest.mark.parametrize(
        "text", ["", '; [Site "X"]\n', " 5 point match\n", "+---+\n| A match |\n+---+\n 5 point match\n"]
    )
    def test_no_game_at_all(self, text: str) -> None:
        with pytest.raises(Unreadable, match="no game") as caught:
            mat.parse(text.encode())
        assert caught.value.code == "no-games"

    def test_remarks_above_the_games_are_free(self) -> None:
        head = "+-----+\n| Ann plays Ben |\n+-----+\nThe first length counts.\n" + " 3 point match\n" + HEAD
        assert read("  1) 61: 13/7 8/7", head=head).length == 3
        assert codes("  1) 61: 13/7 8/7", head=head) == []

    @pytest.mark.parametrize(
        ("limits", "text"),
        [
            (Limits(bytes=20), PLAIN),
            (Limits(lines=5), PLAIN),
            (Limits(columns=50), HEAD + "x" * 60),
            (Limits(games=1), PLAIN),
            (Limits(plies=6), PLAIN),
            (Limits(plies=2), HEAD + "  1) 11: 12: 13: 14:"),
            (Limits(claims=11), PLAIN),
            (Limits(matches=1), PLAIN + PLAIN),
        ],
    )
    def test_more_than_will_be_read(self, limits: Limits, text: str) -> None:
        with pytest.raises(Unreadable, match="more than will be read") as caught:
            mat.parse(text.encode(), limits)
        assert caught.value.code == "too-much"


class TestDialects:
    @pytest.mark.parametrize(
        ("head", "row", "dialect"),
        [
            ('; [Site "BackgammonGalaxy"]\n; [Player 1 Elo "5,00/0"]\n', "  1) 61: 13/7 8/7", "galaxy"),
            ('; [Site "Backgammon Studio"]\n; [Player 1 "Ann"]\n', "  1) 61: Cannot Move", "studio-words"),
            ('; [Site "Backgammon Studio"]\n; [Player 1 "Ann"]\n', "  1) 61: 13/7 8/7", "studio-numeric"),
            ('; [Site "eXtreme Gammon"]\n; [Match ID "1"]\n', "  1) 61: Bar/24", "xg-words"),
            ('; [Site ""]\n; [Player 1 Elo "1600.00/0"]\n', "  1) 61: 13/7 8/7", "xg-numeric"),
            ('; [Site "Club"]\n; [Player 1 "Ann"]\n', "  1) 61: 6/Off", "xg-words"),
            ('; [Site "Club"]\n; [Player 1 "Ann"]\n', "  1) 61: 6/0", "plain"),
            ('; [Site "OpenGammon"]\n; [Match ID "1"]\n', "  1) 61: 13/7 8/7", "opengammon"),
            ('; [Site "BackgammonGalaxy"]\n', "  1) 61: 13/7 8/7                52: 13/8 24/22 ", "gnubg"),
            ('; [EventDate "2026.11.20"]\n', "  1) 61: 13/7 8/7                52: 13/8 24/22 ", "gnubg"),
            ("; Automated play by Dueller 2.2\n", "  1) 61: 13/7 8/7", "dueller"),
            ("", "  1) 61: 13/7 8/7                    52: 13/8 24/22", "dailygammon"),
            ("", "  1) 61: 13/7 8/7                52: 13/8 24/22 ", "plain"),
        ],
    )
    def test_is_recognised(self, head: str, row: str, dialect: str) -> None:
        rows = (
            (row, "  2) 31: 8/5 6/5                     43: 24/20 13/10")
            if dialect == "dailygammon"
            else (row,)
        )
        assert read(*rows, head=head + HEAD).dialect == dialect


class TestScoreLines:
    @pytest.mark.parametrize(
        ("line", "names", "score"),
        [
            (" Ann : 0                        Ben : 3", BySide("Ann", "Ben"), BySide(0, 3)),
            ("Ann: 0 Ben: 3", BySide("Ann", "Ben"), BySide(0, 3)),
            (
                " Ann B., 2nd (NO) : 0           Ben & Cleo / 7 : 3",
                BySide("Ann B., 2nd (NO)", "Ben & Cleo / 7"),
                BySide(0, 3),
            ),
            (" Team: 2 men : 0                Ben : 3", BySide("Team: 2 men", "Ben"), BySide(0, 3)),
            (" Ann : 0                        Team: 2 : 3", BySide("Ann", "Team: 2"), BySide(0, 3)),
            (" Ann: 1 Ben: 2: 3", BySide("Ann", "Ben: 2"), BySide(1, 3)),
            (" Ann : 0\t\t\tBen : 3", BySide("Ann", "Ben"), BySide(0, 3)),
            (" Ann :\xa00\xa0\xa0\xa0Ben :\xa03", BySide("Ann", "Ben"), BySide(0, 3)),
            (" Ann : 0 : 3", BySide("Ann", ""), BySide(0, 3)),
        ],
    )
    def test_are_cut_at_the_second_name(self, line: str, names: BySide[str], score: BySide[int]) -> None:
        heading = read_score(line)
        assert heading
        assert (heading.names, heading.score) == (names, score)

    @pytest.mark.parametrize("name", ["#1 Ann", "; Ann"])
    def test_a_name_may_begin_like_a_comment(self, name: str) -> None:
        told = read("  1) 61: 13/7 8/7", head=f" 5 point match\n\n Game 1\n {name} : 2         Ben : 3\n")
        assert (told.names, told.games[0].score) == (BySide(name, "Ben"), BySide(2, 3))
        assert codes("; Ann : 4  Ben : 4") == []

    @pytest.mark.parametrize("letters", range(25, 32))
    @pytest.mark.parametrize("score", [0, 12])
    def test_nothing_separates_a_long_name_of_gnubg_from_the_next(self, letters: int, score: int) -> None:
        name = ("Christopher van den " + "Hoogenband" * 2)[:letters]
        heading = read_score(" %-31s%s : %d" % (f"{name} : {score}", "Bob", 7))  # noqa: UP031 - as gnubg does
        assert heading
        assert (heading.names, heading.score) == (BySide(name, "Bob"), BySide(score, 7))

    def test_a_match_with_a_long_name_has_the_verdict_of_any_other(self) -> None:
        text = (OURS.collected / "five-points.mat").read_text()
        name = "Christopher van den Hoogenband"
        [short], [long] = judge(text.encode()), judge(re.sub(r"Ada : (\d) +", rf"{name} : \1", text).encode())
        assert long.players == BySide(name, "Bo")
        assert (long.word, long.score, long.games) == (short.word, short.score, short.games)
        assert long.word == "accepted"

    @pytest.mark.parametrize(
        "line",
        [
            "",
            "Ann plays Ben",
            " Ann : a    Ben : b",
            " Ann : 0    Ben : b",
            "a: b: c: d",
            "a: b: c: 4",
            "Ann : 12345678  Ben : 1",
            "Ann : 03Ben : 1",
        ],
    )
    def test_that_are_none(self, line: str) -> None:
        assert read_score(line) is None


class TestRulesInTags:
    @pytest.mark.parametrize(
        ("tags", "said"),
        [
            ('; [Crawford "Off"]', {"crawford": False}),
            ('; [Crawford "On"]', {"crawford": True}),
            ('; [Crawford "perhaps"]', {"crawford": None}),
            ('; [CubeLimit "1"]', {"cube": False}),
            ('; [Cubelimit "64"]', {"cube": None}),
            ('; [Variation "NackGammon"]', {"variant": "nackgammon"}),
            ('; [Variation "Tavli"]', {"variant": "tavli"}),
            (";[matchtitle A Final]", {"tags": (("matchtitle", "A Final"),)}),
            ('; [Event "The "Open" of [all]"]', {"tags": (("Event", 'The "Open" of [all]'),)}),
            ("; [brackets] of no kind", {"tags": ()}),
        ],
    )
    def test_are_claims(self, tags: str, said: dict[str, object]) -> None:
        sheet = read("  1) 61: 13/7 8/7", head=f"{tags}\n{HEAD}")
        assert {name: getattr(sheet, name) for name in said} == said


class TestResultLines:
    """15.5."""

    @pytest.mark.parametrize(
        ("rows", "claims"),
        [
            (("      Wins 1 point",), ["W wins 1"]),
            ((" " * 34 + "Wins 4 points and the match",), ["B wins 4 match"]),
            (
                (
                    " 20)  Losses 3 point                                               Wins 3 point and the match",
                ),
                ["B wins 3 match"],
            ),
            (("  22)  Wins 1004 point",), ["W wins 1004"]),
            ((" 32) 63:                                   Wins 100 points",), ["W 63 nothing", "B wins 100"]),
            (
                ("  21) 63: 3/off(2)                      62: Concedes", "  25)  Wins 4 point"),
                ["W 63 3/0", "B 62 nothing", "B resigns", "W wins 4"],
            ),
            (
                (" 18) ????                               Wins 1 point and the match",),
                ["W resigns", "B wins 1 match"],
            ),
            (
                (
                    "  24)                                          Resigned Game",
                    " " * 44 + "Wins 2 points and the match",
                ),
                ["- resigns", "B wins 2 match"],
            ),
            (("  30)      Wins 6 point and the match  ",), ["W wins 6 match"]),
            (("      Wins points",), ["W wins None"]),
        ],
    )
    def test_name_the_winner_by_their_column(self, rows: tuple[str, ...], claims: list[str]) -> None:
        head = HEAD + "  1) 61: 13/7 8/7                        52: 13/8 24/22\n"
        assert list_claims(*rows, head=head)[2:] == claims


@pytest.mark.parametrize(
    ("cell", "hops"),
    [
        ("55: Bar/15*(2)", [Hop((25, 15), (15,), 2)]),
        ("22: bar/21(2)", [Hop((25, 21), (), 2)]),
        ("66: 10/off 6/off(2)", [Hop((10, 0)), Hop((6, 0), (), 2)]),
        ("66: 11/Off 6/Off 5/Off", [Hop((11, 0)), Hop((6, 0)), Hop((5, 0))]),
        ("44: 7/off 5/1 4/off", [Hop((7, 0)), Hop((5, 1)), Hop((4, 0))]),
        ("11: 5/4*(4)", [Hop((5, 4), (4,), 4)]),
        ("55: 13/8 13/3 7/2(2)", [Hop((13, 8)), Hop((13, 3)), Hop((7, 2), (), 2)]),
        ("43: 8/13 7/4 6/4", [Hop((8, 13)), Hop((7, 4)), Hop((6, 4))]),
    ],
)
def test_plays_are_read_as_they_stand(cell: str, hops: list[Hop]) -> None:
    """15.3 and 15.4: whether they can be played is another question."""
    (claim,) = read(f"  1) {cell}").games[0].claims
    assert isinstance(claim, Turn)
    assert (claim.kind, list(claim.hops), claim.text) == (TurnKind.PLAY, hops, cell)


def _sheets(source: Source) -> Iterator[tuple[dict[str, str], bytes]]:
    rows = {row["file"]: row for row in table(source.collected, "manifest.csv")}
    for name, data in files(source.collected):
        row = rows.get(name)
        if row and row["format"] in ("mat", "mat-text"):
            yield row, data


DIALECT_NAMES = {
    "plain-jf/snowie": "plain",
    "synthetic-golden": "plain",
    "xg-text-words": "xg-words",
    "xg-mat-numeric": "xg-numeric",
    "choue-net": "choue",
    "gnubg-mat": "gnubg",
}


@each_source
def test_every_record_is_read(source: Source) -> None:
    """Length, games and dialect as the manifest has them; sides that alternate; results that fit the next score."""
    read_, odd = 0, Counter[str]()
    for row, data in _sheets(source):
        (sheet,) = mat.parse(data)
        read_ += 1
        assert (str(sheet.length), str(len(sheet.games))) == (row["length"], row["games"])
        assert sheet.dialect == DIALECT_NAMES.get(row["dialect"], row["dialect"])
        odd.update(remark.code for remark in sheet.remarks)
        for game in sheet.games:
            sides = [claim.side for claim in game.claims if isinstance(claim, Turn)]
            assert all(a is not b for a, b in pairwise(sides))
            assert all(game.place(index).line for index in range(len(game.claims)))
        for game, after in pairwise(sheet.games):
            won = [claim for claim in game.claims if isinstance(claim, WinClaim)]
            if won and game.score and after.score:
                gain = BySide(after.score.white - game.score.white, after.score.black - game.score.black)
                odd["score"] += gain != BySide(0, 0).put(won[0].side, won[0].points or 0)
    assert read_ == (10 if source is OURS else 1379)
    # One record of the collection really has a score that does not follow.
    assert +odd == ({} if source is OURS else {"empty-name": 13, "name-mismatch": 75, "score": 1})


@long_run
@pytest.mark.parametrize("archive", ["gnubg/gnubg-matches.tar.gz", "real/reexported.tar.gz"])
def test_every_record_of_gnubg_is_read(archive: str) -> None:
    with tarfile.open(RECORDS / archive) as members:
        for member in members:
            file = members.extractfile(member) if member.name.endswith((".mat", ".txt")) else None
            if file:
                (sheet,) = mat.parse(file.read())
                assert {remark.code for remark in sheet.remarks} <= {"empty-name"}
                assert sheet.dialect == "gnubg" or not member.name.endswith(".mat") or not sheet.tags[:1]


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "MOST", 3)
    side, hops = cells.CellCache(Side.WHITE), cells.HopCache()
    for number in range(2, 9):
        assert side[f"61: {number}/1"] is not None
        assert hops[f"{number}/1"] == Hop((number, 1))
        assert len(side) <= 3
        assert len(hops) <= 3
