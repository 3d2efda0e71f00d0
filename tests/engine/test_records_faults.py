"""One match with one fault each time: found at the right roll with the right code, or noted."""

from __future__ import annotations

import json

import pytest

from engine.finding_codes import Severity
from engine.verdict import judge
from tests.engine.shared import OTHERS, OURS, THE_LONG_RUN, long_run

# What is wrong, in which game and with which roll: the first finding of each file.
EXPECTED = {
    "00-control": None,
    "01-dice-mismatch": ("dice-mismatch", 1, 1),
    "03-illegal-dice-7": ("illegal-dice", 1, 2),
    "05-empty-source": ("empty-source", 1, 4),
    "07-partial-play": ("partial-play", 1, 3),
    "09-bar-ignored": ("bar-ignored", 1, 10),
    "10-early-bearoff": ("early-bearoff", 1, 8),
    "13-wrong-points": ("wrong-points", 2, 49),
    "15-take-without-double": ("take-without-double", 2, 29),
    # The side that doubles does own the cube. What is wrong comes of it: the game ends at twice its points.
    "16-double-by-nonowner": ("wrong-points", 5, 43),
    "18-wrong-cube-value": ("wrong-cube-value", 2, 29),
    "20-cut-mid-game": ("unfinished-game", 3, 36),
    "22-phantom-hit": ("phantom-hit", 1, 2),
    "23-missing-hit": ("missing-hit", 1, 9),
    "26-neg-length": ("bad-length", None, None),
    "29-drop-then-play": ("play-after-end", 1, 17),
    "30-crawford-double": None,
}
NOTES = {"phantom-hit", "missing-hit"}


@long_run
def test_every_file_is_expected():
    assert EXPECTED.keys() == json.loads((OTHERS.faults / "faults.json").read_text()).keys()


OUR_FAULTS = json.loads((OURS.faults / "faults.json").read_text())
CASES = [
    *(
        pytest.param(OURS.faults, name, tuple(said) if said else None, id=f"samples-{name}")
        for name, said in OUR_FAULTS.items()
    ),
    *(
        pytest.param(OTHERS.faults, name, said, id=f"shared-{name}", marks=THE_LONG_RUN)
        for name, said in EXPECTED.items()
    ),
]


def test_every_sample_is_judged():
    assert {f"{name}.mat" for name in OUR_FAULTS} == {path.name for path in OURS.faults.glob("*.mat")}


@pytest.mark.parametrize(("folder", "name", "expected"), CASES)
def test_the_fault(folder, name, expected):
    (verdict,) = judge((folder / f"{name}.mat").read_bytes())
    if expected is None:
        assert verdict.word == "accepted"
        return
    first = verdict.findings[0]
    assert (first.code, first.game, first.ply) == expected
    assert verdict.word == ("noted" if first.code in NOTES else "rejected")
    assert (first.severity is Severity.NOTE) == (first.code in NOTES)
    # All other findings follow from the one fault, and are in the same game.
    assert {finding.game for finding in verdict.findings} == {first.game}
    verdict.record.replay()


@long_run
def test_a_play_is_told_with_its_place_its_board_and_what_was_possible():
    (verdict,) = judge((OTHERS.faults / "07-partial-play.mat").read_bytes())
    (finding,) = verdict.findings
    assert (finding.line, finding.column, finding.dice, finding.played) == (8, 34, (6, 1), "13/7")
    assert finding.nearest[:2] == ("24/23 13/7", "13/7 8/7")
    assert finding.message.startswith("Game 1, roll 3: with 6-1 root played 13/7")
    assert finding.message.endswith(" R19.")
    # The rest of the match is read all the same.
    assert [game.points for game in verdict.games] == [1, 2, 2, 1, 2]
    assert verdict.winner == 1
