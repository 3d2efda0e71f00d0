"""`python -m rankings`: what a stranger asks to check a published list."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from decimal import Decimal
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from rankings.__main__ import main
from rankings.formulas.glicko2 import SCALE

pytestmark = pytest.mark.pure
MATCH: dict[str, object] = {
    "id": "m1", "at": "2026-01-01T20:00:00+01:00", "a": "Ann", "b": "Bob", "winner": "a", "length": 5
}  # fmt: skip


class Shell:
    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys

    def run(self, *arguments: str, **given: object) -> Any:
        self.monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(given)))
        status = main([*(arguments or ("rate",)), "-"])
        out, self.err = self.capsys.readouterr()
        return json.loads(out) if status == 0 else status

    def refused(self, *arguments: str, **given: object) -> str:
        assert self.run(*arguments, **given) == 2
        assert self.err.count("\n") == 1
        return self.err.strip()


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(monkeypatch, capsys)


def test_rate_tells_players_and_entries_in_full_precision(shell: Shell) -> None:
    answer = shell.run(
        system="fibs", params={}, matches=[MATCH], players={"Bob": {"rating": 1700, "experience": 400}}
    )
    root = Decimal(5).sqrt()
    moved = 4 * root * (1 - 1 / (10 ** (200 * root / 2000) + 1))
    ann, bob = float(1500 + 5 * moved), float(1700 - moved)
    assert answer["players"] == {
        "Ann": {"rating": pytest.approx(ann, rel=1e-15), "experience": 5},
        "Bob": {"rating": pytest.approx(bob, rel=1e-15), "experience": 405},
    }
    assert [(each["match"], each["player"], each["after"]) for each in answer["entries"]] == [
        ("m1", name, answer["players"][name]["rating"]) for name in ("Ann", "Bob")
    ]


def test_glicko2_tells_deviation_and_volatility(shell: Shell) -> None:
    answer = shell.run(system="glicko2", matches=[{**MATCH, "period": "2026-01"}])
    assert set(answer["players"]["Ann"]) == {"rating", "deviation", "volatility"}


@pytest.mark.parametrize("system", ["fibs", "elo", "glicko2"])
def test_each_entry_says_how_it_came(shell: Shell, system: str) -> None:
    matches = [
        {**MATCH, "id": number, "winner": "aab"[number % 3], "length": number, "period": number // 3}
        for number in range(1, 9)
    ]
    answer = shell.run(system=system, matches=matches)
    for entry in answer["entries"]:
        assert entry["change"] == pytest.approx(
            entry["k"] * entry["weight"] * (entry["won"] - entry["expectancy"])
        )
        assert entry["after"] == entry["before"] + entry["change"]
    for name, standing in answer["players"].items():
        assert standing["rating"] == [e for e in answer["entries"] if e["player"] == name][-1]["after"]


def test_explain_tells_the_figures_of_one_match(shell: Shell) -> None:
    answer = shell.run("explain", system="fibs", matches=[MATCH])
    assert (answer["match"], answer["length"]) == ("m1", 5)
    ann, bob = answer["entries"]
    assert (ann["before"], ann["expectancy"], ann["k"]) == (1500, 0.5, 5)
    assert ann["after"] == pytest.approx(1500 + 10 * sqrt(5), rel=1e-15)
    assert (bob["player"], bob["opponent"], bob["won"]) == ("Bob", "Ann", False)


def test_explain_takes_one_of_several_with_what_came_before(shell: Shell) -> None:
    matches = [{**MATCH, "id": 2, "at": "2026-01-02"}, {**MATCH, "id": 1}]
    answer = shell.run("explain", "--match", "2", system="fibs", matches=matches)
    assert [round(entry["before"], 9) for entry in answer["entries"]] == [1522.360679775, 1477.639320225]
    assert shell.refused("explain", system="fibs", matches=matches).startswith("explain: say by --match ID")
    assert shell.refused("explain", "--match", "7", system="fibs", matches=matches) == (
        "explain: there is no match '7'"
    )


def test_equal_times_are_rated_by_id(shell: Shell) -> None:
    matches = [{**MATCH, "id": number} for number in (10, 9, 2)]
    entries = shell.run(system="fibs", matches=matches)["entries"]
    assert [entry["match"] for entry in entries] == [2, 2, 9, 9, 10, 10]


def test_times_of_different_zones_are_compared(shell: Shell) -> None:
    matches = [
        {**MATCH, "id": "later", "at": "2026-01-01T21:00:00+01:00"},
        {**MATCH, "id": "sooner", "at": "2026-01-01T19:30:00Z"},
        {**MATCH, "id": "seconds", "at": 1767294000},
    ]
    entries = shell.run(system="fibs", matches=matches)["entries"]
    assert [entry["match"] for entry in entries[::2]] == ["seconds", "sooner", "later"]


def test_periods_may_be_listed_where_some_are_empty(shell: Shell) -> None:
    matches = [
        {**MATCH, "period": "autumn"},
        {**MATCH, "id": "m2", "a": "Cyd", "b": "Dan", "at": "2027-01-01", "period": "spring"},
    ]
    short = shell.run(system="glicko2", matches=matches)
    long = shell.run(system="glicko2", matches=matches, periods=["autumn", "winter", "spring"])
    assert long["players"]["Ann"]["deviation"] > short["players"]["Ann"]["deviation"]
    assert long["players"]["Ann"]["rating"] == short["players"]["Ann"]["rating"]
    assert long["players"]["Cyd"] == short["players"]["Cyd"]
    assert "'spring' is not among them" in shell.refused(
        system="glicko2", matches=matches, periods=["autumn"]
    )


def test_deviations_grow_to_the_end_of_the_last_period_that_is_listed(shell: Shell) -> None:
    matches = [{**MATCH, "period": "2026-01"}]
    short = shell.run(system="glicko2", matches=matches)
    assert shell.run(system="glicko2", matches=matches, periods=["2026-01"]) == short
    long = shell.run(system="glicko2", matches=matches, periods=["2026-01", "2026-02", "2026-03"])
    assert long["entries"] == short["entries"]
    for name, then in short["players"].items():
        grown = SCALE * sqrt((then["deviation"] / SCALE) ** 2 + 2 * then["volatility"] ** 2)
        assert long["players"][name] == {**then, "deviation": pytest.approx(grown)}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"winner": "Ann"}, 'matches[0].winner: "a" or "b" is expected, not \'Ann\''),
        ({"b": "Ann"}, "matches[0]: Ann cannot have met themselves"),
        ({"length": 0}, "matches[0].length: points from 1 to 1000 are expected, not 0"),
        ({"length": True}, "matches[0].length: points from 1 to 1000 are expected, not True"),
        ({"length": None}, "matches[0].length: points from 1 to 1000 are expected, not None"),
        ({"at": "soon"}, "matches[0].at: a time such as 2026-11-22T19:30:00Z is expected, not 'soon'"),
        ({"at": None}, "matches[0].at: a time such as 2026-11-22T19:30:00Z is expected, not None"),
        ({"a": 7}, "matches[0].a: a name is expected, not 7"),
        ({"id": None}, "matches[0].id: a text or a whole number is expected, not None"),
    ],
)
def test_a_bad_match_is_refused_with_its_place(
    shell: Shell, changes: dict[str, object], sentence: str
) -> None:
    assert shell.refused(system="fibs", matches=[{**MATCH, **changes}]) == sentence


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"system": "chess"}, "system: one of fibs, elo, glicko2 is expected, not 'chess'"),
        ({"system": ["fibs"]}, "system: one of fibs, elo, glicko2 is expected, not ['fibs']"),
        ({"matches": None}, "matches: a list is expected, not NoneType"),
        ({"matches": [MATCH, MATCH]}, "matches: the id 'm1' is there twice"),
        ({"matches": [7]}, "matches[0]: an object is expected, not int"),
        ({"params": {"tau": 1}}, "params.tau: fibs knows only start, reading, ramp, k_start, k_per, k_floor"),
        ({"params": {"k_per": 0}}, "params.k_per: a number from 0.001 to 10000 is expected, not 0"),
        ({"params": {"start": "high"}}, "params.start: a number from 0 to 10000 is expected, not 'high'"),
        ({"params": {"start": float("nan")}}, "params.start: a number from 0 to 10000 is expected, not nan"),
        ({"params": {"ramp": 1}}, "params.ramp: true or false is expected, not 1"),
        ({"params": {"reading": "x"}}, "params.reading: man-page or macfibs is expected, not 'x'"),
        ({"system": "glicko2"}, "matches[0].period: a text or a whole number is expected, not None"),
        (
            {"players": {"Ann": {"experience": 1.5}}},
            "players.Ann.experience: a whole number is expected, not 1.5",
        ),
        (
            {"players": {"Ann": {"elo": 1}}},
            "players.Ann.elo: a standing has rating, experience, deviation, volatility, period",
        ),
        (
            {"system": "glicko2", "matches": [], "players": {"Ann": {"period": "2026-01"}}},
            "players.Ann.period: '2026-01' is not among the periods",
        ),
    ],
)
def test_a_bad_request_is_refused_with_a_sentence(
    shell: Shell, given: dict[str, object], sentence: str
) -> None:
    assert shell.refused(**{"system": "fibs", "matches": [MATCH], **given}) == sentence


def test_figures_out_of_range_are_refused(shell: Shell) -> None:
    params = {"exponent": 10_000, "k": 10_000}
    assert shell.refused(system="elo", params=params, matches=[{**MATCH, "length": 1000}]).startswith(
        "the ratings left the range of numbers"
    )


def test_what_is_no_json_and_no_file_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("nonsense"))
    assert main(["rate", "-"]) == 2
    assert main(["rate", str(tmp_path / "nothing.json")]) == 2
    assert "No such file" in capsys.readouterr().err


def test_who_has_seen_enough_may_stop_reading(tmp_path: Path) -> None:
    matches = [{**MATCH, "id": number, "at": number} for number in range(2_000)]
    file = tmp_path / "matches.json"
    file.write_text(json.dumps({"system": "fibs", "matches": matches}))
    command = [sys.executable, "-m", "rankings", "rate", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as asked:
        assert asked.stdout.readline() == b"{\n"
        asked.stdout.close()
        assert asked.stderr.read() == b""
        assert asked.wait() == 0


def test_the_command_starts_without_django() -> None:
    code = "import sys, rankings.__main__; sys.exit(any(m.split('.')[0] == 'django' for m in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_chance_before_a_match_and_at_a_score(shell: Shell) -> None:
    two = {"a": {"rating": 1700}, "b": {"rating": 1500}}
    before = shell.run("chance", system="fibs", length=5, **two)
    odds = 10 ** (200 * sqrt(5) / 2000)
    assert before == {
        "a": pytest.approx(odds / (odds + 1)),
        "b": pytest.approx(1 / (odds + 1)),
        "points_left": 5.0,
    }
    # The example of docs/ratings.md: 2-away, 4-away.
    at = {"a": 5, "b": 3, "even": 0.6687}
    assert shell.run("chance", system="fibs", length=7, score=at, **two)["a"] == pytest.approx(
        0.7505, abs=5e-5
    )
    glicko = shell.run("chance", system="glicko2", length=7, a={"rating": 1500}, b={"rating": 1500})
    assert glicko["a"] == 0.5


@pytest.mark.parametrize(
    ("more", "where"),
    [
        ({"length": 0}, "length: points from 1"),
        ({"score": {"a": 7, "b": 0, "even": 0.5}}, "score.a: points from 0 to 6"),
        ({"score": {"a": 0, "b": 0}}, "score.even: a number"),
        ({"score": {"a": 0, "b": 0, "even": 0.5, "crawford_played": 1}}, "score.crawford_played"),
        ({"b": None}, "b: an object"),
    ],
)
def test_a_chance_is_refused_with_the_place_of_the_mistake(
    shell: Shell, more: dict[str, Any], where: str
) -> None:
    asked = {"system": "fibs", "length": 7, "a": {"rating": 1700}, "b": {"rating": 1500}, **more}
    assert shell.refused("chance", **asked).startswith(where)


@pytest.mark.parametrize(
    ("command", "given", "complaint"),
    [
        ("rate", {"matchs": []}, "the file: matchs is not known; the nearest is matches"),
        (
            "rate",
            {"matches": [{**MATCH, "lenght": 3}]},
            "matches[0]: lenght is not known; the nearest is length",
        ),
        ("chance", {"lenght": 5}, "the file: lenght is not known; the nearest is length"),
        ("season", {"events": [], "rule": {}}, "the file: rule is not known; the nearest is rules"),
        (
            "season",
            {"events": [{"id": 1, "plces": {}}]},
            "events[0]: plces is not known; the nearest is places",
        ),
        ("divisions", {"lots": "x"}, "the file: lots is not known; the nearest is lot"),
        ("divisions", {"divisions": [{"upp": 1}]}, "divisions[0]: upp is not known; the nearest is up"),
    ],
)
def test_a_name_that_nobody_reads_is_refused_with_the_nearest(
    shell: Shell, command: str, given: dict[str, Any], complaint: str
) -> None:
    system = {"system": "fibs", "matches": []} if command == "rate" else {}
    assert shell.refused(command, **{**system, **given}) == complaint
