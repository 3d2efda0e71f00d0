"""`python -m money auction`: an auction of the players, settled from a file."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from money.__main__ import main
from money.settling.auction import settle_auction
from money.settling.settlement_input import parse_json, read_auction
from money.settling.settlement_output import serialize_auction

pytestmark = pytest.mark.pure

NIGHT: dict[str, Any] = {
    "lots": [
        {"players": ["Ann"], "price": 1000, "buyer": "Zoe", "back": [{"player": "Ann", "percent": 50}]},
        {"players": ["Bob", "Cem"], "price": 500, "buyer": "Yan"},
    ],
    "rake_percent": 10,
    "prizes": [70, 30],
    "order": [["Bob"], ["Dee"], ["Ann"], ["Cem"]],
}


class Shell:
    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys

    def run(self, said: object) -> Any:
        self.monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(said)))
        status = main(["auction", "-"])
        out, self.err = self.capsys.readouterr()
        return json.loads(out) if status == 0 else status

    def refused(self, said: object) -> str:
        assert self.run(said) == 2
        assert self.err.count("\n") == 1
        return self.err.strip()


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


def test_lots_are_settled_with_a_line_for_each_amount(shell: Shell) -> None:
    answer = shell.run(NIGHT)
    assert list(answer) == ["pool", "payouts", "rake", "carried", "lots", "lines"]
    assert answer["payouts"] == {"Zoe": 203, "Ann": 202, "Yan": 945}
    assert (answer["pool"], answer["rake"], answer["carried"]) == (1500, 150, 0)
    ann, field = answer["lots"]
    assert (ann["won"], ann["pay"], ann["get"]) == (405, {"Zoe": 500, "Ann": 500}, {"Zoe": 203, "Ann": 202})
    assert (field["won"], field["pay"], field["get"]) == (945, {"Yan": 500}, {"Yan": 945})
    assert [(line["what"], line["amount"], line["why"], line.get("player")) for line in answer["lines"]] == [
        ("sold", 1000, "Ann, sold to Zoe", None),
        ("sold", 500, "Bob, Cem, sold to Yan", None),
        ("rake", 150, "10 % of all prices of 15.00, rounded down", None),
        ("prize", 945, "place 1: 70 % of 13.50", "Bob"),
        ("prize", 405, "place 2: 30 % of 13.50", "Ann"),
    ]


def test_what_nobody_won_is_carried(shell: Shell) -> None:
    answer = shell.run({**NIGHT, "prizes": [50, 30, 10, 10], "decimals": 0})
    assert (answer["carried"], answer["lines"][-1]["why"]) == (135, "nobody has place 4")
    nobody = shell.run({"lots": [], "order": []})
    assert (nobody["pool"], nobody["payouts"], nobody["lines"]) == (0, {}, [])


@pytest.mark.parametrize(
    ("lot", "sentence"),
    [
        ({"price": 1, "buyer": "Zoe"}, "lots[0]: players is missing"),
        ({"players": [], "price": 1, "buyer": "Zoe"}, "lots[0].players: at least one name is expected"),
        (
            {"players": ["Ann"], "price": -1, "buyer": "Zoe"},
            "lots[0].price: a whole number of the smallest unit, at least 0, is expected, not -1",
        ),
        ({"players": ["Ann"], "price": 1, "buyer": ""}, 'lots[0].buyer: a name is expected, not ""'),
        (
            {"players": ["Ann"], "price": 1, "buyer": "Zoe", "back": [{"player": "Bob", "percent": 5}]},
            "lots[0].back[0].player: Bob is not a player of this lot",
        ),
        (
            {"players": ["Ann"], "price": 1, "buyer": "Zoe", "back": [{"player": "Ann", "percent": 5}] * 2},
            "lots[0].back[1].player: Ann is there twice",
        ),
        (
            {"players": ["Ann"], "price": 1, "buyer": "Zoe", "back": [{"player": "Ann", "percent": 101}]},
            "lots[0].back[0].percent: a percent from 0 to 100 is expected, not 101",
        ),
    ],
)
def test_what_is_no_lot_is_refused_with_a_sentence(
    shell: Shell, lot: dict[str, object], sentence: str
) -> None:
    assert shell.refused({"lots": [lot], "order": []}) == sentence


def test_what_cannot_be_settled_is_refused_with_a_sentence(shell: Shell) -> None:
    lots: list[dict[str, object]] = [{"players": ["Ann"], "price": 1, "buyer": "Zoe"}] * 2
    assert shell.refused({"lots": lots, "order": []}) == "A player is sold once."
    both = [{"player": "Ann", "percent": 60}, {"player": "Bob", "percent": 60}]
    lot = {"players": ["Ann", "Bob"], "price": 1, "buyer": "Zoe", "back": both}
    assert shell.refused({"lots": [lot], "order": []}) == (
        "The shares of a lot are more than 100 percent together, or one is below zero."
    )
    assert shell.refused({**NIGHT, "order": [["Ann"], ["Ann"]]}) == "order[1]: Ann is in the order twice"
    assert shell.refused({"lots": []}) == "the file: order is missing"
    assert shell.refused({**NIGHT, "added": 5}).startswith("the file: 'added' is not known;")


NAMES = [f"P{number}" for number in range(8)]
PERCENTS = st.lists(st.integers(0, 50), max_size=4).filter(lambda percents: sum(percents) <= 100)


@st.composite
def files(draw: st.DrawFn) -> dict[str, Any]:
    """Draw lots of one or more players, and an order with ties that may omit players."""
    sold = draw(st.permutations(NAMES))[: draw(st.integers(0, len(NAMES)))]
    lots = []
    while sold:
        size = draw(st.integers(1, len(sold)))
        players, sold = sold[:size], sold[size:]
        back = [{"player": players[0], "percent": draw(st.integers(0, 100))}] if draw(st.booleans()) else []
        price, buyer = draw(st.integers(0, 10_000)), draw(st.sampled_from(["Zoe", "Yan", *NAMES]))
        lots.append({"players": players, "price": price, "buyer": buyer, "back": back})
    order: list[list[str]] = []
    for name in draw(st.permutations(NAMES))[: draw(st.integers(0, len(NAMES)))]:
        if order and draw(st.booleans()):
            order[-1].append(name)
        else:
            order.append([name])
    rake = draw(st.integers(0, 100))
    return {"lots": lots, "rake_percent": rake, "prizes": draw(PERCENTS), "order": order}


def settled_file(said: dict[str, Any]) -> Any:
    auction, decimals = read_auction(parse_json(json.dumps(said)))
    return json.loads(json.dumps(serialize_auction(auction, settle_auction(auction), decimals)))


@pytest.mark.long
@given(files())
def test_every_unit_has_a_place_and_a_line(said: dict[str, Any]) -> None:
    answer = settled_file(said)
    assert answer["pool"] == sum(lot["price"] for lot in said["lots"])
    assert answer["pool"] == sum(answer["payouts"].values()) + answer["rake"] + answer["carried"]
    assert all(amount > 0 for amount in answer["payouts"].values())
    by_what: dict[str, int] = {}
    for line in answer["lines"]:
        by_what[line["what"]] = by_what.get(line["what"], 0) + line["amount"]
    assert by_what.pop("sold", 0) == sum(by_what.values()) == answer["pool"]
    for lot in answer["lots"]:
        assert (sum(lot["pay"].values()), sum(lot["get"].values())) == (lot["price"], lot["won"])


@pytest.mark.long
@pytest.mark.share
@given(files())
def test_the_order_of_ties_changes_nothing(said: dict[str, Any]) -> None:
    turned = {**said, "order": [tied[::-1] for tied in said["order"]]}
    assert settled_file(turned) == settled_file(said)


def test_the_example_of_the_documentation_is_settled(shell: Shell) -> None:
    text = (Path(__file__).parents[2] / "docs/money.md").read_text("utf-8")
    found = re.search(r"python -m money auction.*?```json\n(.*?)```", text, re.DOTALL)
    answer = shell.run(json.loads(found[1]))
    assert answer["payouts"] == {"Zoe": 203, "Ann": 202, "Yan": 945}
