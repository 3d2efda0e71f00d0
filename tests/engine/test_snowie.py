"""Snowie's position line, both ways."""

from __future__ import annotations

import pytest

from engine.board import Board
from engine.cube import Cube
from engine.dice import Dice
from engine.errors import Unreadable
from engine.formats import ids, snowie, xgid
from engine.side import BySide, Side
from engine.situation import Situation

# The example of 9.1 with our own names: on roll with 64, the cube at 2 on the other side, whose checker is on
# the bar.
LINE = "7;0;0;0;1;Ben;Ann;0;3;4;2;-1;-1;2;0;2;0;2;3;0;2;0;0;0;-2;2;0;0;0;-2;0;-4;-1;-2;0;0;1;0;6;4;"


def changed(field: int, value: object) -> str:
    fields = LINE.split(";")
    fields[field] = str(value)
    return ";".join(fields)


def test_the_example_says_what_its_xgid_says() -> None:
    situation = snowie.decode(LINE)
    assert xgid.encode(situation) == "XGID=aB-B-BC-B---bB---b-dab--A-:1:-1:1:64:3:4:0:7:10"
    assert situation.players == BySide("Ann", "Ben")
    assert situation.board.bar(Side.WHITE) == 1
    assert snowie.encode(situation) == LINE


@pytest.mark.parametrize(
    "situation",
    [
        Situation(),
        Situation(jacoby=True, cube=Cube(4, Side.BLACK)),
        Situation(turn=Side.BLACK, length=5, score=BySide(4, 2), crawford=True, dice=Dice(3, 1)),
        Situation(
            board=Board.from_counts({25: 2, 6: 3}, {25: 1, 3: 2, 1: 1}),
            turn=Side.BLACK,
            length=3,
            cube=Cube(2, Side.BLACK),
            players=BySide("Ann", "Ben"),
        ),
    ],
)
def test_writing_and_reading_is_one_thing(situation: Situation) -> None:
    assert snowie.decode(snowie.encode(situation)) == situation


def test_the_sign_says_whose_checker_is_on_the_bar() -> None:
    """gnubg reads the two bars the other way round, and so do programs that write for it (9.1, note)."""
    exchanged = snowie.decode(
        changed(12, 1).replace(";1;0;6;4;", ";0;0;6;4;").replace(";0;0;6;4;", ";0;-1;6;4;")
    )
    assert exchanged.board.bar(Side.BLACK) == 1
    assert exchanged.board.bar(Side.WHITE) == 1


def test_names_cannot_break_the_line() -> None:
    line = snowie.encode(Situation(players=BySide("A;n", "Ben")))
    assert line.count(";") == 40
    assert snowie.decode(line).players.white == "A,n"


def test_is_found_by_its_content() -> None:
    assert ids.SNOWIE.sniff(LINE.encode())
    assert ids.SNOWIE.sniff(f"\n{LINE[:-1]}\n".encode())
    assert not ids.SNOWIE.sniff(f"a{LINE}".encode())
    assert not ids.SNOWIE.sniff(LINE[5:].encode())
    assert not ids.SNOWIE.sniff(b"7;" * 60)


@pytest.mark.parametrize(
    "text",
    [
        "",
        LINE + "1;",
        changed(8, "x"),
        changed(4, 2),
        changed(0, -3),
        changed(0, 99),
        changed(9, -1),
        changed(8, 7),
        changed(10, 3),
        changed(38, 7),
        changed(13, 14),
        changed(20, "1" * 9),
    ],
)
def test_what_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(Unreadable) as caught:
        snowie.decode(text)
    assert caught.value.code == "bad-position"
