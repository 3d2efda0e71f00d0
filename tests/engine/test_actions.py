"""Facts and their JSON: what was written once can be read for ever."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as some

from engine.actions import KINDS, Action, Played, RuledPosition, RuledScore, from_json, to_json
from engine.board import NACKGAMMON, STANDARD, Step
from engine.cube import Cube
from engine.dice import ROLLS, Dice
from engine.errors import Unreadable
from engine.match import replay
from engine.rules import Rules
from engine.side import BySide, Side

JOURNALS = sorted((Path(__file__).parent / "journals").glob("*.json"))

VALUES = {
    "Side": some.sampled_from(Side),
    "Dice": some.sampled_from(ROLLS),
    "Board": some.sampled_from([STANDARD, NACKGAMMON]),
    "Cube": some.builds(Cube, some.sampled_from([1, 2, 64]), some.sampled_from([None, *Side])),
    "BySide[int]": some.builds(BySide, some.integers(0, 25), some.integers(0, 25)),
    "tuple[Step, ...]": some.lists(
        some.builds(Step, some.integers(1, 25), some.integers(0, 24)), max_size=4
    ).map(tuple),
    "int": some.integers(1, 25),
    "bool": some.booleans(),
    "str": some.text(max_size=20),
}


def facts() -> some.SearchStrategy[Action]:
    def build(kind: type[Action]) -> some.SearchStrategy[Action]:
        values: dict[str, Any] = {}
        for name, field in kind.__dataclass_fields__.items():
            bare = str(field.type).removesuffix(" | None")
            values[name] = VALUES[bare] if bare == field.type else VALUES[bare] | some.none()
        return some.builds(kind, **values)

    return some.one_of([build(kind) for kind in get_args(Action)])


@given(facts())
@pytest.mark.long
def test_every_fact_survives_its_json(fact: Action) -> None:
    assert from_json(json.loads(json.dumps(to_json(fact)))) == fact


@pytest.mark.parametrize("path", JOURNALS, ids=lambda path: path.stem)
def test_journals_of_every_version_are_read_and_lead_where_they_led(path: Path) -> None:
    journal = json.loads(path.read_text())
    match = replay(Rules(**journal["rules"]), [from_json(each) for each in journal["facts"]])
    assert list(match.score) == journal["score"]
    assert match.game.board.text() == journal["board"]
    assert [to_json(from_json(each)) for each in journal["facts"]] == journal["facts"]


def test_the_golden_journal_holds_every_kind_of_fact() -> None:
    held = {fact["fact"] for path in JOURNALS for fact in json.loads(path.read_text())["facts"]}
    assert held == set(KINDS)


@pytest.mark.parametrize(
    "data",
    [
        "rolled",
        {"fact": "rolled", "side": "white", "dice": "65"},
        {"v": 2, "fact": "rolled", "side": "white", "dice": "65"},
        {"v": 1, "fact": "flew", "side": "white"},
        {"v": 1, "fact": 7},
        {"v": 1, "fact": "rolled", "side": "green", "dice": "65"},
        {"v": 1, "fact": "rolled", "side": 0, "dice": "65"},
        {"v": 1, "fact": "rolled", "side": None, "dice": "65"},
        {"v": 1, "fact": "rolled", "side": "white", "dice": "75"},
        {"v": 1, "fact": "rolled", "side": "white"},
        {"v": 1, "fact": "rolled", "side": "white", "dice": "65", "colour": "red"},
        {"v": 1, "fact": "played", "side": "white", "steps": "24/18"},
        {"v": 1, "fact": "played", "side": "white", "steps": [[24]]},
        {"v": 1, "fact": "played", "side": "white", "steps": [[24, "18"]]},
        {"v": 1, "fact": "opened", "white": True, "black": 2},
        {"v": 1, "fact": "time-credited", "side": "white", "milliseconds": "30"},
        {"v": 1, "fact": "time-credited", "side": "white", "milliseconds": 1.5},
        {"v": 1, "fact": "ruled-score", "score": [1, 2], "crawford_played": 1},
        {"v": 1, "fact": "ruled-position", "board": STANDARD.text(), "turn": "white", "cube": 2},
        {"v": 1, "fact": "ruled-position", "board": STANDARD.text(), "turn": "white", "cube": {"value": 2}},
    ],
)
def test_what_is_no_fact_is_refused_with_a_sentence(data: object) -> None:
    with pytest.raises(Unreadable) as caught:
        from_json(data)
    assert caught.value.code == "bad-action"
    assert str(caught.value)


def test_what_is_left_out_is_as_agreed() -> None:
    assert to_json(Played(Side.WHITE)) == {"v": 1, "fact": "played", "side": "white"}
    fact = RuledPosition(STANDARD, Side.BLACK, Cube(2, Side.WHITE), Dice(6, 5), "cup fell")
    assert to_json(fact)["cube"] == {"value": 2, "owner": "white"}
    assert from_json(to_json(Played(Side.WHITE, (Step(24, 18),)))) == Played(Side.WHITE, (Step(24, 18),))


def test_what_may_be_missing_may_be_null() -> None:
    fact = from_json({"v": 1, "fact": "ruled-score", "score": [1, 2], "crawford_played": None})
    assert fact == RuledScore(BySide(1, 2))
