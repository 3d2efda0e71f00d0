"""`python -m money`, the command that checks payouts."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from money.__main__ import main
from money.settling.settlement import settle
from money.settling.settlement_input import parse_json, read
from money.settling.settlement_output import serialize_settlement

pytestmark = pytest.mark.pure


class Shell:
    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys

    def text(self, text: str) -> Any:
        self.monkeypatch.setattr("sys.stdin", io.StringIO(text))
        status = main(["settle", "-"])
        out, self.err = self.capsys.readouterr()
        return json.loads(out) if status == 0 else status

    def run(self, **given: object) -> Any:
        return self.text(json.dumps({"entries": [], "order": [], **given}))

    def refused(self, **given: object) -> str:
        assert self.run(**given) == 2
        assert self.err.count("\n") == 1
        return self.err.strip()


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


def paid(**amounts: int) -> list[dict[str, object]]:
    return [{"player": player, "paid": amount} for player, amount in amounts.items()]


NIGHT: dict[str, object] = {
    "decimals": 2,
    "entries": [*paid(Ann=2000, Bob=2000, Cem=2000), {"player": "Cem", "paid": 1001}],
    "added": 500,
    "expenses": 300,
    "rake_percent": 10,
    "prizes": [50, 30, 20],
    "order": [["Ann"], ["Cem", "Bob"]],
    "pools": [{"players": ["Bob", "Cem"], "stake": 500, "prizes": [100]}],
}


def test_a_night_is_settled_with_a_line_for_each_amount(shell: Shell) -> None:
    answer = shell.run(**NIGHT)
    assert list(answer) == ["payouts", "rake", "expenses", "carried", "lines"]
    assert answer["payouts"] == {"Ann": 3251, "Bob": 2125, "Cem": 2125}
    assert (answer["rake"], answer["expenses"], answer["carried"]) == (700, 300, 0)
    assert [(line["what"], line["amount"], line["why"]) for line in answer["lines"]] == [
        ("fees", 7001, "paid for 4 entries"),
        ("added", 500, "added by the organiser"),
        ("stakes", 1000, "2 stakes of 5.00 in side pool 1"),
        ("rake", 700, "10 % of the fees of 70.01, rounded down"),
        ("expenses", 300, "taken before the prizes"),
        ("prize", 3251, "place 1: 50 % of 65.01"),
        ("prize", 1625, "places 2 to 3, shared by 2: 50 % of 65.01, which is 32.50 together"),
        ("prize", 1625, "places 2 to 3, shared by 2: 50 % of 65.01, which is 32.50 together"),
        ("prize", 500, "places 1 to 2, shared by 2: 100 % of 10.00 in side pool 1, which is 10.00 together"),
        ("prize", 500, "places 1 to 2, shared by 2: 100 % of 10.00 in side pool 1, which is 10.00 together"),
    ]
    assert [line.get("player") for line in answer["lines"][5:]] == ["Ann", "Bob", "Cem", "Bob", "Cem"]


@pytest.mark.parametrize(("decimals", "written"), [(0, "12345"), (2, "123.45"), (3, "12.345"), (4, "1.2345")])
def test_amounts_are_whole_units_of_any_currency(shell: Shell, decimals: int, written: str) -> None:
    answer = shell.run(decimals=decimals, entries=paid(Ann=12345), prizes=[100], order=[["Ann"]])
    assert answer["payouts"] == {"Ann": 12345}
    assert answer["lines"][-1]["why"] == f"place 1: 100 % of {written}"


def test_entries_and_the_order_are_enough(shell: Shell) -> None:
    answer = shell.run(entries=paid(Ann=10, Bob=10), order=[["Bob"], ["Ann"]])
    assert (answer["payouts"], answer["rake"], answer["expenses"], answer["carried"]) == ({}, 0, 0, 20)
    assert answer["lines"][-1]["why"] == "the percents of the prizes do not reach 100"
    # A side pool without prizes goes to the player with the best place.
    pool = {"players": ["Ann", "Bob"], "stake": 5}
    assert shell.run(entries=paid(Ann=0, Bob=0), order=[["Bob"], ["Ann"]], pools=[pool])["payouts"] == {
        "Bob": 10
    }


def test_an_event_without_anybody_is_settled(shell: Shell) -> None:
    assert shell.run()["payouts"] == {}
    assert shell.run(added=100, prizes=[60, 40])["carried"] == 100


@pytest.mark.parametrize(
    "percent", ["33.3", '"33.3"', '"333/10"', "3.33e1", "33.300", "33.3000000000000000000"]
)
def test_percents_are_taken_as_they_are_written(shell: Shell, percent: str) -> None:
    entries = '"entries": [{"player": "Ann", "paid": 100000}], "order": [["Ann"]]'
    text = f'{{{entries}, "prizes": [{percent}], "rake_percent": 0.1}}'
    answer = shell.text(text)
    # 0.1 percent of 1000.00 is 1.00; in doubles it would be a little more.
    assert (answer["rake"], answer["payouts"]) == (100, {"Ann": 33267})
    assert answer["lines"][2]["why"] == "place 1: 33.3 % of 999.00"


def test_thirds_can_be_written(shell: Shell) -> None:
    answer = shell.run(entries=paid(Ann=100), order=[["Ann"]], prizes=["200/3", "100/3"], rake_percent="12.5")
    assert (answer["rake"], answer["payouts"], answer["carried"]) == (12, {"Ann": 59}, 29)
    assert answer["lines"][-2]["why"] == "place 1: 200/3 % of 0.88"


def test_expenses_that_are_not_covered_are_said(shell: Shell) -> None:
    answer = shell.run(entries=paid(Ann=100), order=[["Ann"]], expenses=250, prizes=[100])
    assert (answer["payouts"], answer["expenses"], answer["carried"]) == ({}, 100, 0)
    assert answer["lines"][1]["why"] == "all that is left; expenses of 1.50 more are not covered"


ANN = paid(Ann=1)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"entries": None}, "entries: a list is expected, not null"),
        ({"entries": {"Ann": 5}}, "entries: a list is expected, not an object"),
        ({"entries": ["Ann"]}, 'entries[0]: an object is expected, not "Ann"'),
        ({"entries": [{"player": "Ann"}]}, "entries[0]: paid is missing"),
        ({"entries": [{"paid": 5}]}, "entries[0]: player is missing"),
        ({"entries": [{"player": " ", "paid": 5}]}, 'entries[0].player: a name is expected, not " "'),
        ({"entries": [{"player": 7, "paid": 5}]}, "entries[0].player: a name is expected, not 7"),
        ({"entries": [{"player": "\ud800", "paid": 5}]}, 'entries[0].player: a name is expected, not "\\ud800"'),
        ({"added": 1.5}, "added: a whole number of the smallest unit, at least 0, is expected, not 1.5"),
        ({"added": "5"}, 'added: a whole number of the smallest unit, at least 0, is expected, not "5"'),
        ({"expenses": True}, "expenses: a whole number of the smallest unit, at least 0, is expected, not true"),
        (
            {"entries": paid(Ann=-1)},
            "entries[0].paid: a whole number of the smallest unit, at least 0, is expected, not -1",
        ),
        ({"decimals": 5}, "decimals: a whole number from 0 to 4 is expected, not 5"),
        ({"decimals": 2.0}, "decimals: a whole number from 0 to 4 is expected, not 2.0"),
        ({"rake_percent": 100.1}, "rake_percent: a percent from 0 to 100 is expected, not 100.1"),
        ({"rake_percent": -1}, "rake_percent: a percent from 0 to 100 is expected, not -1"),
        ({"rake_percent": "1/0"}, 'rake_percent: a percent from 0 to 100 is expected, not "1/0"'),
        ({"rake_percent": True}, "rake_percent: a percent from 0 to 100 is expected, not true"),
        ({"prizes": 100}, "prizes: a list is expected, not 100"),
        ({"prizes": [60, "forty"]}, 'prizes[1]: a percent from 0 to 100 is expected, not "forty"'),
        ({"prizes": [60, 40.001]}, "prizes: the percents are more than 100 together"),
        ({"order": [["Zoe"]]}, "order[0][0]: Zoe is not among the entries"),
        ({"entries": ANN, "order": [["Ann", "Ann"]]}, "order[0][1]: Ann is there twice"),
        ({"entries": ANN, "order": [["Ann"], ["Ann"]]}, "order[1]: Ann is in the order twice"),
        (
            {"entries": ANN, "order": [[], ["Ann"]]},
            "order[0]: at least one name is expected; those after a tie come in the next list",
        ),
        ({"order": ["Ann"]}, 'order[0]: a list is expected, not "Ann"'),
        ({"pools": [{"stake": 5}]}, "pools[0]: players is missing"),
        ({"pools": [{"players": []}]}, "pools[0]: stake is missing"),
        ({"pools": [{"players": ["Zoe"], "stake": 5}]}, "pools[0].players[0]: Zoe is not among the entries"),
        (
            {"entries": ANN, "pools": [{"players": ["Ann", "Ann"], "stake": 5}]},
            "pools[0].players[1]: Ann is there twice",
        ),
        (
            {"pools": [{"players": [], "stake": -5}]},
            "pools[0].stake: a whole number of the smallest unit, at least 0, is expected, not -5",
        ),
        (
            {"pools": [{"players": [], "stake": 5, "prizes": [101]}]},
            "pools[0].prizes[0]: a percent from 0 to 100 is expected, not 101",
        ),
        (
            {"rake": 5},
            "the file: 'rake' is not known;"
            " decimals, entries, added, expenses, rake_percent, prizes, order, pools are",
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_settled_is_refused_with_a_sentence(
    shell: Shell, given: dict[str, object], sentence: str
) -> None:
    assert shell.refused(**given) == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("nonsense", "Expecting value: line 1 column 1 (char 0)"),
        ("[]", "the file: an object is expected, not a list"),
        ('{"entries": []}', "the file: order is missing"),
        ('{"order": []}', "the file: entries is missing"),
        ('{"entries": [], "order": [], "order": []}', "'order' is there twice in one object"),
        ('{"entries": [], "order": [], "added": NaN}', "NaN is not a number"),
        (
            '{"entries": [], "order": [], "rake_percent": 1e999999999}',
            "rake_percent: a percent from 0 to 100 is expected, not 1E+999999999",
        ),
        (
            '{"entries": [], "order": [], "added": 1000000000000000001}',
            "added: a whole number of the smallest unit, at least 0, is expected, not 1000000000000000001",
        ),
    ],
)
def test_a_file_that_is_none_is_refused(shell: Shell, text: str, sentence: str) -> None:
    assert shell.text(text) == 2
    assert shell.err == f"{sentence}\n"


def test_endless_nesting_is_refused(shell: Shell) -> None:
    assert shell.text("[" * 100_000) == 2


def test_a_missing_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["settle", str(tmp_path / "nothing.json")]) == 2
    assert "No such file" in capsys.readouterr().err


@pytest.mark.long
@given(
    st.permutations(["Ann", "Bob", "Cem", "Dee"]),
    st.permutations(["Bob", "Cem", "Dee"]),
    st.permutations(["Ann", "Dee", "Cem"]),
)
def test_the_order_of_names_changes_not_a_letter(
    entries: list[str], tied: list[str], pool: list[str]
) -> None:
    def answer(entries: list[str], tied: list[str], pool: list[str]) -> str:
        file = {
            "entries": [{"player": name, "paid": 1001} for name in entries],
            "order": [["Ann"], tied],
            "prizes": ["200/3", "100/3"],
            "pools": [{"players": pool, "stake": 7, "prizes": [50, 25, 25]}],
        }
        event, decimals = read(parse_json(json.dumps(file)))
        return json.dumps(serialize_settlement(event, settle(event), decimals))

    assert answer(entries, tied, pool) == answer(sorted(entries), sorted(tied), sorted(pool))


def test_the_command_starts_without_django() -> None:
    code = "import sys, money.__main__; sys.exit(any(m.split('.')[0] == 'django' for m in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_it_is_a_program(tmp_path: Path) -> None:
    file = tmp_path / "night.json"
    file.write_text(json.dumps(NIGHT), "utf-8")
    told = subprocess.run(
        [sys.executable, "-m", "money", "settle", str(file)], capture_output=True, check=True
    )
    assert json.loads(told.stdout)["payouts"]["Ann"] == 3251
