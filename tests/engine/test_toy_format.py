"""The recipe of a record format holds: a module and a line, and reading, judging, converting and the fuzzer know it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine import formats
from engine.actions import Doubled, Dropped, Opened, Played, Rolled, Took
from engine.cli import main
from engine.dice import Dice
from engine.errors import Impossible, Unreadable
from engine.formats import Format
from engine.formats.draft import Draft, build_cube_claim, build_turn, read_lines
from engine.formats.limits import LIMITS, Limits
from engine.record import Record
from engine.sheet import CubeWord, Place, Sheet, TurnKind, WinClaim
from engine.side import BLACK, WHITE, BySide
from engine.verdict import judge
from tests.engine import fuzzing
from tests.engine.shared import OURS

# -- the module: "toy 3 Ann Ben", then a word a line, and the score before each game

WORDS = {"doubles": CubeWord.DOUBLE, "takes": CubeWord.TAKE, "drops": CubeWord.DROP}
SIDES = {"W": WHITE, "B": BLACK}


def sniff(data: bytes) -> bool:
    return data.startswith(b"toy ")


def parse(data: bytes, limits: Limits = LIMITS) -> tuple[Sheet, ...]:
    head, *rows = read_lines(data, limits)
    draft = Draft(limits)
    for number, row in enumerate(rows, 2):
        take(draft, row, Place(number, 1))
    _, length, white, black, *_ = *head.split(), "", "", "", ""
    if not length.isdigit():
        raise Unreadable("corrupt-row", "There is no length in the first line.")
    return (draft.sheet("toy", BySide(white, black), int(length[:6]), dialect="toy"),)


def take(draft: Draft, row: str, at: Place) -> None:
    match row.split(maxsplit=2):
        case ["game", a, b] if a.isdecimal() and b.isdecimal() and len(row) < 20:
            draft.begin(score=BySide(int(a), int(b)), at=at)
        case [side, word] if side in SIDES and word in WORDS:
            draft.add(build_cube_claim(SIDES[side], WORDS[word], at=at))
        case [side, "wins", points] if side in SIDES and points.isdecimal() and len(points) < 6:
            draft.add(WinClaim(SIDES[side], int(points), at=at))
        case [side, dice, *said] if side in SIDES and len(dice) == 2 and {*dice} <= {*"123456"}:
            rolled = int(dice[0]), int(dice[1])
            if said:
                draft.play(SIDES[side], rolled, said[0], at)
            else:
                draft.add(build_turn(SIDES[side], rolled, kind=TurnKind.DANCE, at=at))
        case []:
            pass
        case _:
            draft.unread(row, at)


def write(record: Record) -> bytes:
    rows = [f"toy {record.rules.length} {record.players.white} {record.players.black}"]
    for chapter in record.chapters():
        rows.append(f"game {chapter.moments[0].before.score.white} {chapter.moments[0].before.score.black}")
        dice = ""
        for moment in chapter.moments:
            match moment.action:
                case Opened(white, black):
                    dice = f"{max(white, black)}{min(white, black)}"
                case Rolled(_, Dice() as rolled):
                    dice = f"{rolled.high}{rolled.low}"
                case Played(side, steps):
                    rows.append(f"{'WB'[side]} {dice} {' '.join(map(str, steps))}".rstrip())
                case Doubled(side):
                    rows.append(f"{'WB'[side]} doubles")
                case Took(side):
                    rows.append(f"{'WB'[side]} takes")
                case Dropped(side):
                    rows.append(f"{'WB'[side]} drops")
                case _:
                    raise Impossible("unwritable-format", "A toy knows no other words.")
        rows.append(f"{'WB'[chapter.result.winner]} wins {chapter.result.points}")
    return ("\n".join(rows) + "\n").encode()


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    # -- the line
    monkeypatch.setitem(formats.FORMATS, "toy", Format("toy", ".toy", sniff, parse, write))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A match of the bots in the new format."""
    (verdict,) = judge((OURS.played / "nine-points.mat").read_bytes())
    path = tmp_path / "match.toy"
    path.write_bytes(formats.write(verdict.record, "toy"))
    return path


def test_it_comes_back_as_the_same_match(file: Path) -> None:
    data = file.read_bytes()
    assert formats.sniff(data) == "toy"
    (verdict,) = judge(data)
    assert (verdict.word, verdict.length, verdict.winner) == ("accepted", 9, WHITE)
    assert formats.write(verdict.record, "toy") == data
    assert verdict.record.digest() == judge((OURS.played / "nine-points.mat").read_bytes())[0].record.digest()


def test_no_other_format_takes_it_for_its_own_nor_it_theirs(file: Path) -> None:
    data = file.read_bytes()
    assert [name for name, each in formats.FORMATS.items() if each.sniff(data)] == ["toy"]
    others = [path for path in OURS.played.iterdir() if path.suffix != ".csv"]
    assert not any(sniff(path.read_bytes()) for path in others)


def test_the_command_judges_it_and_converts_it_both_ways(
    file: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["adjudicate", "--jsonl", str(file)]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "accepted"
    sheet, again = tmp_path / "match.mat", tmp_path / "again.toy"
    assert main(["convert", str(file), "--to", "mat", "-o", str(sheet)]) == 0
    assert main(["convert", str(sheet), "--to", "toy", "-o", str(again)]) == 0
    assert again.read_bytes() == file.read_bytes()


def test_what_is_wrong_is_said_with_its_line(file: Path) -> None:
    rows = file.read_text().splitlines()
    at = next(
        number for number, row in enumerate(rows) if row[2:4].isdigit() and row[2] != row[3] and number > 3
    )
    rows[at] = f"{rows[at][:2]}77 {rows[at][5:]}"
    (verdict,) = judge("\n".join(rows).encode())
    assert verdict.findings[0].line == at + 1


def test_the_fuzzer_picks_it_up() -> None:
    (verdict,) = judge((OURS.played / "one-point.mat").read_bytes())
    assert any(sniff(seed) for seed in fuzzing.in_every_format(verdict.record))
