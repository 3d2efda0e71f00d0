"""Writing ``.mat``: the layout of gnubg, and nothing lost between a record, its text and the record read back."""

from __future__ import annotations

import tarfile
from collections import Counter
from collections.abc import Iterator

import pytest

from engine.actions import (
    Action,
    Beavered,
    Conceded,
    Doubled,
    Dropped,
    Opened,
    Penalised,
    Played,
    ReportedGame,
    ReportedScore,
    ResignAccepted,
    ResignOffered,
    Rolled,
    RuledMatch,
    RuledPosition,
    RuledScore,
    Took,
)
from engine.board import HYPERGAMMON, NACKGAMMON, Board, Step
from engine.cube import Cube
from engine.dice import Dice
from engine.finding_codes import Severity
from engine.formats import mat
from engine.record import Record
from engine.rules import Rules
from engine.side import BySide, Side
from engine.verdict import adjudicate
from tests.engine.shared import OURS, RECORDS, files, long_run

W, B = Side.WHITE, Side.BLACK
NAMES = BySide("Ann", "Ben")
FIVE = Rules(length=5)
OPENED = (Opened(3, 1), Played(W, (Step(8, 5), Step(6, 5))))
RESIGNED = (ResignOffered(B, 1), ResignAccepted(W))
# White may hit on its four point, and bear nothing off yet.
STUDY = Board.from_counts({24: 1, 13: 4, 6: 5, 8: 5}, {21: 1, 24: 1, 6: 6, 8: 7})


def text(*actions: Action, rules: Rules = FIVE, names: BySide[str] = NAMES, tags: object = ()) -> str:
    return mat.write(Record(names, rules, actions, tuple(tags))).decode()  # type: ignore[arg-type]


def rows(*actions: Action, rules: Rules = FIVE) -> list[str]:
    """Return the lines below the first score line."""
    return text(*actions, rules=rules).split("Ben : 0\n", 1)[1].rstrip("\n").split("\n")


def survives(*actions: Action, rules: Rules = FIVE, faults: int = 0) -> Record:
    """Write, read, and adjudicate a record: the result must be equal, with so many faults. Return it."""
    record = Record(NAMES, rules, actions)
    (sheet,) = mat.parse(mat.write(record))
    verdict = adjudicate(sheet)
    assert sum(finding.severity is Severity.FAULT for finding in verdict.findings) == faults, verdict.findings
    assert verdict.record.digest() == record.digest()
    return verdict.record


class TestLayout:
    def test_of_the_file(self) -> None:
        tags = [("Site", "The Corner"), ("Crawford", "On"), ("Event", "A\nB"), ("no key!", "x")]
        assert text(*OPENED, tags=tags) == (
            '; [Site "The Corner"]\n; [Event "A B"]\n\n 5 point match\n\n'
            " Game 1\n Ann : 0                        Ben : 0\n  1) 31: 8/5 6/5 \n\n"
        )

    def test_of_names(self) -> None:
        long = "A name of more than thirty letters"
        assert f"\n Player 1 : 0{' ' * 19}a b c : 0\n" in text(*OPENED, names=BySide("", "a:b  c"))
        assert f"\n {long} : 0  Player 2 : 0\n" in text(*OPENED, names=BySide(long, " : "))

    def test_names_are_read_back(self) -> None:
        for names in (BySide("#1 Ann", ";Ben"), BySide("; Ann", "# Ben")):
            (sheet,) = mat.parse(text(*OPENED, names=names).encode())
            assert sheet.names == names

    def test_of_rows(self) -> None:
        told = rows(
            Opened(1, 3),
            Played(B, (Step(6, 5), Step(8, 5))),
            Rolled(W, Dice(6, 2)),
            Played(W, (Step(13, 11), Step(24, 18))),
            Doubled(B),
            Took(W),
            Rolled(B, Dice(6, 5)),
            Played(B, (Step(24, 18), Step(18, 13))),
            Doubled(W),
            Dropped(B),
        )
        assert told == [
            "  1)                             31: 8/5 6/5 ",
            "  2) 62: 24/18 13/11              Doubles => 2",
            "  3)  Takes                      65: 24/18 18/13 ",
            "  4)  Doubles => 4                Drops",
            "      Wins 2 points",
        ]

    def test_of_a_drop_on_the_left(self) -> None:
        assert rows(*OPENED, Doubled(B), Dropped(W)) == [
            "  1) 31: 8/5 6/5                  Doubles => 2",
            "  2)  Drops                       Wins 1 point",
        ]

    def test_of_results_on_either_side(self) -> None:
        assert rows(*OPENED, *RESIGNED)[-1] == "      Wins 1 point"
        assert rows(*OPENED, ResignOffered(W, 2), ResignAccepted(B))[-1] == " " * 34 + "Wins 2 points"

    def test_of_a_hit(self) -> None:
        place = RuledPosition(STUDY, W, Cube())
        told = rows(
            place, Rolled(W, Dice(4, 4)), Played(W, (Step(8, 4), Step(13, 9), Step(8, 4), Step(13, 9)))
        )
        assert told == [
            f"; Set Pos={STUDY.result_text(W)}/0",
            "  1) 44: 13/9 13/9 8/4* 8/4",
        ]

    def test_of_rules(self) -> None:
        for rules, tags in (
            (Rules(length=5, crawford=False), ['; [Crawford "Off"]']),
            (Rules(length=1, crawford=False), []),
            (Rules(length=5, cube=False), ['; [CubeLimit "1"]']),
            (Rules.unlimited(jacoby=True, beavers=True), ['; [Jacoby "On"]', '; [Beaver "On"]']),
            (Rules(start=NACKGAMMON), ['; [Variation "Nackgammon"]']),
            (Rules(start=HYPERGAMMON), ['; [Variation "HyperGammon (3)"]']),
        ):
            said = text(Opened(2, 1), rules=rules)
            assert [line for line in said.split("\n") if line.startswith(";")] == tags
            assert f" {rules.length} point match\n" in said


class TestWhatSurvives:
    def test_a_resignation(self) -> None:
        survives(*OPENED, *RESIGNED)
        survives(*OPENED, ResignOffered(B, 3), ResignAccepted(W))

    def test_a_resignation_after_the_roll(self) -> None:
        record = survives(*OPENED, Rolled(B, Dice(6, 4)), *RESIGNED)
        assert rows(*record.actions)[-2:] == ["  1) 31: 8/5 6/5                 64: ", "      Wins 1 point"]
        survives(Opened(3, 1), ResignOffered(W, 1), ResignAccepted(B))

    def test_a_resignation_after_a_roll_with_one_play(self) -> None:
        last = RuledPosition(Board.from_counts({6: 1}, {2: 1, 1: 1}), W, Cube())
        record = survives(last, Rolled(W, Dice(2, 1)), ResignOffered(W, 1), ResignAccepted(B))
        assert rows(*record.actions)[1] == "  1) 21: ????"

    def test_a_drop(self) -> None:
        survives(*OPENED, Doubled(B), Dropped(W))
        survives(
            *OPENED,
            Doubled(B),
            Took(W),
            Rolled(B, Dice(6, 4)),
            Played(B, (Step(24, 18), Step(13, 9))),
            *RESIGNED,
        )

    def test_a_whole_match_given_up(self) -> None:
        assert rows(*OPENED, Conceded(B))[-2:] == [
            '; Ben gave up the match. {"v": 1, "fact": "conceded", "side": "black"}',
            "      Wins 5 points and the match",
        ]
        survives(*OPENED, Conceded(B))

    def test_a_start_in_mid_match(self) -> None:
        score = RuledScore(BySide(2, 4))
        assert "Ann : 2                        Ben : 4\n" in text(score, *OPENED)
        survives(score, *OPENED, *RESIGNED)
        survives(
            RuledScore(BySide(2, 4), crawford_played=True),
            *OPENED,
            Rolled(B, Dice(6, 4)),
            Played(B, (Step(24, 18), Step(13, 9))),
            Doubled(W),
            Dropped(B),
        )

    def test_set_positions(self) -> None:
        rolled = (Rolled(W, Dice(4, 4)), Played(W, (Step(8, 4), Step(13, 9), Step(8, 4), Step(13, 9))))
        for cube in (Cube(), Cube(4, W), Cube(2, B)):
            survives(RuledPosition(STUDY, W, cube), *rolled, *RESIGNED)
        edited = (*OPENED, RuledPosition(STUDY, W, Cube()))
        survives(*edited, *rolled, *RESIGNED, faults=1)
        survives(*edited, Doubled(W), Took(B), *rolled, *RESIGNED, faults=1)

    def test_a_position_set_after_a_roll(self) -> None:
        rolled = (Rolled(W, Dice(4, 4)), Played(W, (Step(8, 4), Step(13, 9), Step(8, 4), Step(13, 9))))
        same = (*OPENED, Rolled(B, Dice(6, 6)), RuledPosition(STUDY, B, Cube()))
        assert rows(*same)[-2:] == [
            "  1) 31: 8/5 6/5                 66: ",
            f"; Set Pos={STUDY.result_text(W)}/0",
        ]
        played = (Rolled(B, Dice(2, 1)), Played(B, (Step(8, 6), Step(8, 7))))
        survives(*same, *played, *RESIGNED, faults=1)
        illegal = (*OPENED, Rolled(B, Dice(6, 6)), RuledPosition(STUDY, W, Cube(2, B)))
        assert rows(*illegal)[0].startswith(
            "  1) 31: 8/5 6/5                 66: Illegal play (5;0;1;0;1;Ann;Ben;0;0;0;2;-1;"
        )
        survives(*illegal, *rolled, *RESIGNED)

    def test_dice_that_lay_when_the_position_was_set(self) -> None:
        laid = (
            RuledPosition(STUDY, W, Cube(), Dice(4, 4)),
            Played(W, (Step(8, 4),) * 2 + (Step(13, 9),) * 2),
        )
        told = rows(*laid)
        assert told[0] == f"; Set Pos={STUDY.result_text(W)}/0"
        assert told[1].startswith(
            '; The position was set, Ann to play 4-4. {"v": 1, "fact": "ruled-position", '
        )
        assert told[2] == "  1) 44: 13/9 13/9 8/4* 8/4"
        survives(*laid, *RESIGNED)

    def test_unlimited_play(self) -> None:
        money = Rules.unlimited(jacoby=True)
        survives(*OPENED, *RESIGNED, *OPENED, Doubled(B), Dropped(W), rules=money)
        survives(*OPENED, *RESIGNED, rules=Rules.unlimited(jacoby=False))

    def test_beavers(self) -> None:
        money = Rules.unlimited(jacoby=False, beavers=True)
        rolled = (Rolled(B, Dice(6, 4)), Played(B, (Step(24, 18), Step(13, 9))))
        beavered = (*OPENED, Doubled(B), Beavered(W))
        assert rows(*beavered, Took(B), *rolled, rules=money) == [
            "  1) 31: 8/5 6/5                  Doubles => 2",
            "  2)  Beavers => 4               64: 24/18 13/9 ",
        ]
        survives(*beavered, Took(B), *rolled, *RESIGNED, rules=money)
        survives(*beavered, Dropped(B), rules=money)
        raccooned = (*beavered, Beavered(B), Took(W), *rolled)
        assert "Raccoons => 8" in text(*raccooned, rules=money)
        survives(*raccooned, *RESIGNED, rules=money)

    def test_automatic_doubles(self) -> None:
        money = Rules.unlimited(jacoby=False, automatic_doubles=2)
        tied = (Opened(1, 1), Opened(4, 4), *OPENED, *RESIGNED)
        assert rows(*tied, rules=money)[:2] == ["; Automatic double"] * 2
        survives(*tied, rules=money)
        survives(Opened(1, 1), *OPENED, *RESIGNED)

    def test_variants(self) -> None:
        survives(*OPENED, *RESIGNED, rules=Rules(length=3, start=NACKGAMMON))
        survives(
            Opened(6, 5),
            Played(W, (Step(24, 18), Step(23, 18))),
            *RESIGNED,
            rules=Rules(length=3, start=HYPERGAMMON),
        )

    def test_no_crawford_and_no_cube(self) -> None:
        rolled = (Rolled(B, Dice(6, 4)), Played(B, (Step(24, 18), Step(13, 9))))
        survives(
            *OPENED,
            *RESIGNED,
            *OPENED,
            *rolled,
            Doubled(W),
            Dropped(B),
            rules=Rules(length=2, crawford=False),
        )
        survives(*OPENED, *RESIGNED, rules=Rules(length=3, cube=False, crawford=False))

    def test_a_game_left_off(self) -> None:
        assert rows(*OPENED, Rolled(B, Dice(6, 4))) == ["  1) 31: 8/5 6/5                 64: "]


class TestWhatIsOnlyReported:
    def test_results_without_play(self) -> None:
        assert rows(ReportedGame(B, 4))[1:] == [" " * 34 + "Wins 4 points"]
        # A game without rolls names the winner for other programs; a comment contains the details.
        assert rows(ReportedScore(BySide(5, 2)))[1:] == ["      Wins 5 points and the match"]
        assert rows(RuledMatch(W))[1:] == ["      Wins 5 points and the match"]

    def test_points_given_between_games(self) -> None:
        said = text(Penalised(B, 2), *OPENED, *RESIGNED)
        assert " Ann : 2 " in said


def test_our_samples_are_written_alike() -> None:
    """Read and written again they are the same to the letter: a person notices when the writer changes."""
    matches = [data for name, data in files(OURS.played) if name.endswith(".mat")]
    assert len(matches) == 10
    for data in matches:
        (sheet,) = mat.parse(data)
        assert mat.write(adjudicate(sheet).record) == data


@long_run
@pytest.mark.parametrize("step", [16, pytest.param(3, marks=pytest.mark.slow)])
def test_what_gnubg_wrote_is_written_alike(step: int) -> None:
    """Read and written again its matches are the same, line by line, but for the way from point to point."""
    matches = list(_members("gnubg/gnubg-matches.tar.gz", ".mat"))
    assert len(matches) == 384
    for name, data in matches[::step]:
        (sheet,) = mat.parse(data)
        again = mat.write(adjudicate(sheet).record)
        assert _moved(again.decode()) == _moved(data.decode()), name


@long_run
@pytest.mark.slow
def test_every_real_record_that_stands_survives() -> None:
    """Every accepted real record is the same after a round trip.

    One site has three quarters of the records, so fewer of its files are taken.
    """
    stood, seen = 0, Counter[bool]()
    for name, data in _members("real/records.tar.gz", (".txt", ".mat")):
        is_galaxy = b"BackgammonGalaxy" in data
        seen[is_galaxy] += 1
        if seen[is_galaxy] % (24 if is_galaxy else 3):
            continue
        verdict = adjudicate(mat.parse(data)[0])
        if verdict.word != "rejected":
            record = verdict.record
            (sheet,) = mat.parse(mat.write(record))
            assert adjudicate(sheet).record.digest() == record.digest(), name
            stood += 1
    assert stood > 130


def _members(archive: str, suffix: str | tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(RECORDS / archive) as members:
        for member in members:
            file = members.extractfile(member) if member.name.endswith(suffix) else None
            if file:
                yield member.name, file.read()


def _moved(said: str) -> list[list[str]]:
    """Return the words of each line, of every play only which points lost checkers and which won them."""
    return [list(_words(line)) for line in said.split("\n")]


def _words(line: str) -> Iterator[str]:
    net = Counter[str]()
    for word in line.replace("*", "").split():
        source, slash, target = word.partition("/")
        if slash:
            net[source] -= 1
            net[target] += 1
        else:
            yield from (f"{point}{by:+}" for point, by in sorted(net.items()) if by)
            net.clear()
            yield word
    yield from (f"{point}{by:+}" for point, by in sorted(net.items()) if by)
