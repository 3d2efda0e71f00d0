from __future__ import annotations

import io
import json
import runpy
import sys
from datetime import datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from draw.__main__ import main
from draw.event import Reason
from draw.files.proposal_output import convert_figure
from draw.formats import format_reason
from draw.seeding import compute_commitment

FOUR = {
    "format": "single-elimination",
    "options": {"draw": "listed"},
    "seed": 1,
    "entrants": ["a", "b", "c", 4],
}


class Shell:
    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.file, self.capsys = folder / "event.json", capsys

    def run(self, command: str, *flags: str, status: int = 0, **event: object) -> dict[str, object]:
        self.file.write_text(json.dumps(event), "utf-8")
        assert main([command, str(self.file), *flags]) == status
        out, self.err = self.capsys.readouterr()
        answer: dict[str, object] = json.loads(out) if out else {}
        return answer

    def refused(self, **event: object) -> str:
        assert self.run("propose", status=2, **event) == {}
        return self.err.strip()


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(tmp_path, capsys)


def test_an_answer_has_pairs_byes_and_reasons(shell: Shell) -> None:
    answer = shell.run("propose", **FOUR)
    assert set(answer) == {"pairs", "bye", "why"}
    assert answer["pairs"] == [["a", 4], ["b", "c"]]
    assert answer["bye"] == []
    why = answer["why"]
    assert isinstance(why, dict)
    assert why["main/1.1"] == [
        {"code": "drawn", "figures": {"a": 1, "b": 4}, "text": "Drawn together: seeds 1 and 4."}
    ]
    assert why["event"][0]["code"] == "draw"


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(FOUR)))
    assert main(["propose", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["pairs"] == [["a", 4], ["b", "c"]]


def test_the_command_itself(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(FOUR)))
    monkeypatch.setattr("sys.argv", ["pairing", "propose", "-"])
    monkeypatch.delitem(sys.modules, "draw.__main__")
    with pytest.raises(SystemExit) as left:
        runpy.run_module("draw.__main__", run_name="__main__")
    assert left.value.code == 0
    assert json.loads(capsys.readouterr().out)["pairs"] == [["a", 4], ["b", "c"]]


def test_figures_are_exact_inside_and_plain_outside() -> None:
    assert [convert_figure(one) for one in (Fraction(3), Fraction(1, 2), 7, "x", None)] == [
        3,
        0.5,
        7,
        "x",
        None,
    ]
    reason = Reason("gap", "r1.1", (("points", Fraction(5, 2)), ("of", Fraction(3))))
    assert format_reason(reason) == "gap: points 2.5, of 3"


def test_everything(shell: Shell) -> None:
    rounds = [
        {"pairs": [{"a": "a", "b": 4, "winner": 4, "score": [3, 5]}, ["b", "c"]]},
        {"pairs": [{"a": "a", "b": "b", "winner": "a", "key": "main/2.1"}]},
    ]
    answer = shell.run("propose", "--full", **FOUR, rounds=rounds)
    assert answer["pairs"] == [["b", "c"]]
    assert answer["finished"] is False
    places = {place["key"]: place for place in answer["places"]}  # type: ignore[attr-defined]
    assert places["main/1.1"]["winner"] == 4
    assert places["main/1.1"]["result"] == {"kind": "played", "score": [3, 5]}
    assert places["main/2.1"]["a"] == {"entrant": 4, "from": "winner", "key": "main/1.1", "number": 0}
    assert answer["stale"] == [{"key": "main/2.1", "a": "a", "b": "b", "now": [4]}]
    ranking = answer["ranking"]
    assert [(one["entrant"], one["rank"], one["shared"], one["open"]) for one in ranking] == [  # type: ignore[attr-defined]
        (4, 1, 2, True),
        ("b", 1, 4, True),
        ("c", 1, 4, True),
        ("a", 3, 2, False),
    ]


@pytest.mark.parametrize(
    ("forfeit", "winner", "kind", "on"),
    [
        (True, "a", "forfeit", "a"),
        (True, None, "double forfeit", None),
        ("both", None, "double forfeit", None),
        ("double forfeit", None, "double forfeit", None),
        ("a", None, "forfeit", 4),
        ("b", None, "forfeit", "a"),
        (4, None, "forfeit", "a"),
        ("no-show", 4, "no-show", 4),
        ("walkover", 4, "walkover", 4),
        ("drawn", None, "drawn", None),
        (False, "a", "played", "a"),
    ],
)
def test_how_a_match_can_have_ended(
    shell: Shell, forfeit: object, winner: object, kind: str, on: object
) -> None:
    entrants = ["x", "a", 4, "c"]
    rounds = [{"pairs": [{"a": "a", "b": 4, "winner": winner, "forfeit": forfeit}]}]
    answer = shell.run(
        "propose",
        "--full",
        format="Knock_Out",
        entrants=entrants,
        draw={"lines": ["a", 4, "x", "c"]},
        rounds=rounds,
    )
    place = answer["places"][0]  # type: ignore[index]
    assert place["winner"] == on
    assert (place["result"] or {"kind": "drawn"})["kind"] == kind


def test_pairs_find_their_places_in_one_batch(shell: Shell) -> None:
    pairs = [
        {"a": "a", "b": "b", "winner": "a"},
        {"a": "a", "b": 4, "winner": "a"},
        {"a": "b", "b": "c", "winner": "b"},
    ]
    assert shell.run("propose", "--full", **FOUR, rounds=[{"pairs": pairs}])["finished"] is True


def test_a_whole_event_of_stages(shell: Shell) -> None:
    event = {
        "stages": [
            {"name": "day one", "format": "single-elimination", "options": {"draw": "listed"}},
            {
                "name": "day two",
                "format": "single-elimination",
                "takes": [{"stage": "day one", "last": 2}],
                "rules": [
                    {"length": 11, "minutes_a_point": 2, "reporting": "both", "days": 7},
                    {"delay_seconds": 10},
                ],
            },
        ],
        "entrants": [{"id": 1, "rating": 1500.5, "left": False}, {"id": 2, "asked": [{"round": 2}]}],
        "rounds": [
            {
                "stage": "day one",
                "pairs": [{"a": 1, "b": 2, "winner": 2}],
                "byes": [{"entrant": 1, "points": 0}],
            }
        ],
    }
    answer = shell.run("propose", "--full", **event)
    assert answer["pairs"] == [[2, 1]]
    assert answer["places"][-1]["key"] == "day two/main/1.1"  # type: ignore[index]
    assert answer["places"][-1]["length"] == 5  # type: ignore[index]


def test_each_stage_counts_its_rounds(shell: Shell) -> None:
    stages = [
        {"name": "one", "format": "swiss", "options": {"rounds": 2, "order": "listed"}},
        {"name": "two", "format": "single", "options": {"redraw": True}, "takes": [{"stage": "one"}]},
        {"name": "three", "format": "swiss", "options": {"rounds": 2}, "takes": [{"stage": "one"}]},
    ]
    a, b = ({"a": "a", "b": "b", "winner": one} for one in "ab")
    rounds = [
        {"stage": name, "pairs": [pair]} for name, pair in (("one", a), ("one", a), ("two", b), ("three", b))
    ]
    answer = shell.run("propose", "--full", entrants=["a", "b"], stages=stages, rounds=rounds)
    assert answer["pairs"] == [["b", "a"]]
    places: Any = answer["places"]
    assert [place["key"] for place in places] == [
        "one/r1.1",
        "one/r2.1",
        "two/r1.1",
        "three/r1.1",
        "three/r2.1",
    ]
    assert answer["stale"] == []
    # A first round of a knock-out with random redraws is also found by its players.
    c, d = ({"a": "c", "b": "b", "winner": "c"}, {"a": "a", "b": "d", "winner": "a"})
    cup = {"format": "single", "options": {"draw": "listed", "redraw": True}, "entrants": [*"abcd"]}
    assert shell.run("propose", **cup, rounds=[{"pairs": [c, d]}])["pairs"] in ([["a", "c"]], [["c", "a"]])


def test_all_the_rest_of_the_names(shell: Shell) -> None:
    event = {
        "format": "single-elimination",
        "options": {
            "draw": "rating",
            "keep_apart": True,
            "sides": ["third-place: third place"],
            "seeds": None,
        },
        "entrants": [
            {"id": "a", "rating": 1, "club": "x", "left": "now"},
            {"id": "b", "rating": 2, "club": "x", "left": "after"},
            {"id": "c", "family": "f", "head_start": "1/2"},
            {"id": "d", "arrived": 2},
            {"id": "e"},
        ],
        "apart": [{"members": ["a", "c"], "hard": False, "why": "brothers"}],
        "draws": [
            {"lines": ["a", "b", "c", None], "late": [{"line": 4, "entrant": "d"}], "witnesses": ["e"]}
        ],
        "absent": ["e"],
        "scores": {"a": 0.5},
        "rounds": [{"pairs": [], "absent": ["e"], "byes": ["c"]}],
    }
    answer = shell.run("propose", "--full", **event)
    assert answer["pairs"] == [["c", "d"]]
    assert answer["places"][0]["winner"] is None  # type: ignore[index]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"format": "chess"}, "'chess' is none of"),
        ({"entrants": ["a", "a"]}, "'a' has entered twice"),
        ({"entrants": [1, "1"]}, "'1' has entered twice"),
        ({"entrants": [None]}, "an object is expected"),
        ({"entrants": [{"id": 1.5}]}, "an id is a text or a whole number"),
        ({"entrants": "ab"}, "a list is expected"),
        ({"entrants": [{"id": "a", "rating": "high"}]}, "a number is expected"),
        ({"entrants": [{"id": "a", "rating": [1]}]}, "a number is expected"),
        ({"entrants": [{"id": "a", "left": "soon"}]}, 'true, "now" or "after" is expected'),
        ({"entrants": [{"id": "a", "seed": "first"}]}, "a whole number is expected"),
        ({"absent": ["z"]}, "'z' has not entered"),
        ({"options": {"draw": {"by": "lot"}}}, "a text, a number, yes or no"),
        ({"options": 5}, "an object is expected"),
        ({"seed": True}, "a text is expected"),
        ({"rules": [{"reporting": "nobody"}]}, "winner, both, director, open is expected"),
        ({"rounds": [{"pairs": [{"a": "a", "b": "a"}]}]}, "two different entrants"),
        ({"rounds": [{"pairs": [{"a": "a", "b": "b", "winner": "c"}]}]}, "two different entrants"),
        ({"rounds": [{"pairs": [["a", "b"]]}]}, "these two do not meet"),
        ({"rounds": [{"pairs": [["a"]]}]}, "an object is expected"),
        ({"rounds": [{"stage": "two"}]}, "the name of a stage is expected"),
        ({"rounds": [{"byes": [{"entrant": "a", "asked": 1.5}]}]}, "true or false is expected"),
    ],
)
def test_files_that_cannot_be_used(shell: Shell, changes: dict[str, object], problem: str) -> None:
    assert problem in shell.refused(**FOUR | changes)


def test_no_file_and_no_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["propose", str(tmp_path / "none.json")]) == 2
    broken = tmp_path / "broken.json"
    broken.write_text("[", "utf-8")
    assert main(["propose", str(broken)]) == 2
    broken.write_text("[]", "utf-8")
    assert main(["propose", str(broken)]) == 2
    assert "the file: an object is expected" in capsys.readouterr().err


def test_a_preview(shell: Shell) -> None:
    answer = shell.run("preview", format="double-elimination", entrants=[1, 2, 3, 4])
    rows = answer["rounds"]
    assert isinstance(rows, list)
    assert [(row["bracket"], row["matches"]) for row in rows] == [
        ("main", 2),
        ("main", 1),
        ("losers", 1),
        ("losers", 1),
        ("final", 1),
        ("final", 1),
    ]


class TestVerify:
    EVENT = {"format": "single-elimination", "seed": "s3cret", "entrants": ["a", "b", "c", "d", "e"]}

    def test_a_draw_is_what_was_committed_to(self, shell: Shell) -> None:
        full = shell.run("propose", "--full", **self.EVENT)
        seats = [place[side]["entrant"] for place in full["places"][:4] for side in "ab"]  # type: ignore[index]
        published = {"lines": seats, "pairs": full["pairs"], "bye": full["bye"]}
        promised = compute_commitment("s3cret")
        answer = shell.run("verify", **self.EVENT, commitment=promised, published=published)
        assert answer == {
            "verified": True,
            "checks": {"commitment": True, "lines": True, "pairs": True, "bye": True},
        }
        other = self.EVENT | {"seed": "another"}
        answer = shell.run("verify", status=1, **other, commitment=promised, published=published)
        assert answer["verified"] is False
        assert answer["checks"]["commitment"] is False  # type: ignore[index]

    def test_a_published_draw_cannot_vouch_for_itself(self, shell: Shell) -> None:
        lines = ["a", None, "b", "c", "d", None, "e", None]
        answer = shell.run(
            "verify", status=1, **self.EVENT, draw={"lines": lines}, published={"lines": lines}
        )
        assert answer == {"verified": False, "checks": {"lines": False}}

    @pytest.mark.parametrize(
        ("more", "lines"),
        [
            ({"format": "groups", "options": {"groups": 2, "order": "listed"}}, ["a", "b", "c", "d", "e"]),
            (
                {"options": {"draw": "listed", "redraw": True}},
                ["a", None, "d", "e", "b", None, "c", None],
            ),
            # A latecomer takes a free line, and later one player is away.
            (
                {
                    "options": {"draw": "listed"},
                    "entrants": ["a", "b", "c", "d", "e", {"id": "late", "arrived": 2}],
                    "rounds": [{"pairs": [["d", "e"]]}],
                    "absent": ["a"],
                },
                ["a", None, "d", "e", "b", None, "c", None],
            ),
        ],
    )
    def test_published_lines_of_every_draw_are_verified(
        self, shell: Shell, more: dict[str, object], lines: list[str | None]
    ) -> None:
        answer = shell.run("verify", **self.EVENT | more, published={"lines": lines})
        assert answer == {"verified": True, "checks": {"lines": True}}
        turned = [lines[2], lines[1], lines[0], *lines[3:]]
        shell.run("verify", status=1, **self.EVENT | more, published={"lines": turned})

    def test_the_lines_of_a_later_stage_are_verified(self, shell: Shell) -> None:
        event = {
            "seed": "s3cret",
            "entrants": ["a", "b"],
            "stages": [
                {"name": "one", "format": "swiss", "options": {"rounds": 1}},
                {"name": "two", "format": "single", "takes": [{"stage": "one"}]},
                {"name": "three", "format": "single", "takes": [{"stage": "one"}]},
            ],
            "rounds": [{"stage": "one", "pairs": [{"a": "a", "b": "b", "winner": "b"}]}],
        }
        for published in ({"lines": ["b", "a"]}, {"lines": ["b", "a"], "stage": "three"}):
            shell.run("verify", **event, published=published)
        shell.run("verify", status=1, **event, published={"lines": ["b", "a"], "stage": "one"})

    def test_another_draw_keeps_the_commitment(self, shell: Shell) -> None:
        again = self.EVENT | {"seed": "s3cret/2"}
        shell.run("verify", **again, commitment=compute_commitment("s3cret"))
        shell.run("verify", **again, commitment=compute_commitment("s3cret/2"))
        shell.run(
            "verify", status=1, **self.EVENT | {"seed": "s3cret/b"}, commitment=compute_commitment("s3cret")
        )

    def test_nothing_to_check_is_nothing_verified(self, shell: Shell) -> None:
        assert shell.run("verify", status=1, **self.EVENT) == {"verified": False, "checks": {}}

    def test_pairs_that_are_none(self, shell: Shell) -> None:
        shell.run("verify", status=2, **self.EVENT, published={"pairs": ["ab"]})
        assert "a list of two is expected" in shell.err


def test_a_format_without_a_structure(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    from draw.formats import FORMATS
    from tests.draw.test_stages import TOY

    monkeypatch.setitem(FORMATS, "toy", TOY)
    assert shell.run("preview", status=2, format="toy", entrants=["a"]) == {}
    assert "has no structure to be seen beforehand" in shell.err
    answer = shell.run("propose", format="toy", entrants=["a", "b"], rounds=[{"pairs": [["a", "b"]]}])
    assert answer["pairs"] == [["a", "b"]]
    rounds = [{"pairs": [{"a": "a", "b": "b", "open": True}]}]
    assert shell.run("propose", format="toy", entrants=["a", "b"], rounds=rounds)["pairs"] == [["a", "b"]]


def test_a_forecast_says_when_it_is_over_and_who_wins(shell: Shell) -> None:
    room = {"now": "2026-03-05T19:00", "runs": 400, "tables": 1}
    event = FOUR | {"entrants": ["a", "b", "c", "d"], "rules": [{"length": 5}], "room": room}
    answer = shell.run("forecast", **event)
    entrants: Any = answer["entrants"]
    assert [one["entrant"] for one in entrants] == ["a", "b", "c", "d"]
    assert sum(one["wins"] for one in entrants) == pytest.approx(1)
    assert all(0.17 < one["wins"] < 0.33 for one in entrants)
    # Three matches, of which each plays one or two.
    assert sum(one["matches"] for one in entrants) == pytest.approx(6)
    minutes: Any = answer["minutes"]
    assert 60 < minutes["half"] < minutes["nine_in_ten"] < 240
    over: Any = answer["over"]
    ends = datetime.fromisoformat(over["half"]) - datetime.fromisoformat("2026-03-05T19:00")
    assert ends == timedelta(minutes=minutes["half"])
    assert shell.run("forecast", **event) == answer


@pytest.mark.parametrize(
    "room",
    [
        {"runs": 0},
        {"runs": 10_001},
        {"now": "tonight"},
        {"tables": -1},
        {"minutes_a_point": 0},
        {"turnaround": -1},
    ],
)
def test_a_room_that_cannot_be_is_refused(shell: Shell, room: dict[str, object]) -> None:
    assert shell.run("forecast", status=2, **FOUR, room=room) == {}
    assert next(iter(room)) in shell.err or "room" in shell.err


def test_prizes_are_paid_to_the_last_cent(shell: Shell) -> None:
    # P102: 997 by 40, 25, 25 and 10.
    answer = shell.run(
        "prizes",
        terms={"fee": 200, "rake": 500, "added": 47},
        contributions=["Ann", "Bob", "Cid", "Dee", {"entrant": "Eve", "part": 1}],
        split="40-25+25-10",
        finish={"main": ["Ann", "Bob", ["Cid", "Dee", "Eve"]], "consolation": ["Cid", "Dee"]},
    )
    assert answer["purse"] == {
        "fees": 1000, "registration": 0, "added": 47, "rake": 50, "reserve": 0, "pool": 997
    }  # fmt: skip
    payouts: Any = answer["payouts"]
    assert {one["entrant"]: one["paid"] for one in payouts} == {
        "Ann": 399, "Bob": 249, "Cid": 249, "Dee": 100
    }  # fmt: skip


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ({"split": "thirds"}, "split"),
        ({"split": {"main": [1, "two"]}}, "split.main"),
        ({"split": "winner", "finish": {"main": [3]}}, "finish.main"),
        ({"split": "winner", "finish": {"main": [[]]}}, "finish.main"),
        ({"split": "winner", "finish": {}}, "paid place"),
        ({"split": "winner", "terms": {"fee": -1}}, "below zero"),
        ({"split": "winner", "unit": 0, "finish": {"main": ["Ann"]}}, "unit"),
    ],
)
def test_money_that_cannot_be_right_is_refused(shell: Shell, said: dict[str, object], problem: str) -> None:
    assert shell.run("prizes", status=2, **said) == {}
    assert problem in shell.err


@pytest.mark.parametrize(
    ("extra", "complaint"),
    [
        ({"entrant": []}, "entrant is not known; the nearest is entrants"),
        ({"zzz": 1}, "zzz is not known"),
        (
            {"entrants": ["a", {"id": "b", "ratin": 9}]},
            "entrants[1].ratin is not known; the nearest is rating",
        ),
        (
            {"rounds": [{"pairs": [{"a": "a", "b": 4, "winer": "a"}]}]},
            "rounds[0].pairs[0].winer is not known; the nearest is winner",
        ),
        ({"rules": [{"lenght": 7}]}, "rules[0].lenght is not known; the nearest is length"),
    ],
)
def test_a_name_that_nobody_reads_is_refused_with_the_nearest(
    shell: Shell, extra: dict[str, Any], complaint: str
) -> None:
    assert shell.refused(**{**FOUR, **extra}) == complaint


def test_a_name_that_is_there_twice_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "event.json"
    file.write_text('{"seed": 1, "seed": 2, "entrants": []}')
    assert main(["propose", str(file)]) == 2
    assert capsys.readouterr().err == "'seed' is there twice in one object\n"


def test_one_file_serves_all_commands(shell: Shell) -> None:
    told: dict[str, Any] = {
        "commitment": "x",
        "published": {"lines": []},
        "room": {"tables": 2},
        "names": {},
        "uids": {},
    }
    file = {**FOUR, **told}
    shell.run("propose", **file)
    shell.run("forecast", **file)
    shell.run("verify", status=1, **file)
