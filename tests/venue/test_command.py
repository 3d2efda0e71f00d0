"""`python -m venue next`: what anyone asks whose match is not called."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from venue.__main__ import main

pytestmark = pytest.mark.pure

NIGHT: dict[str, Any] = {
    "now": "2026-11-03T20:00:00Z",
    "tables": [
        {"id": 1, "state": "free", "tags": []},
        {"id": 2, "state": "held"},
        {"id": "bar", "tags": ["stream"]},
    ],
    "running": [{"table": 1, "players": ["Eva", "Finn"]}],
    "ready": [
        {"id": 7, "players": ["Ann", "Bob"], "since": "2026-11-03T19:58:00Z", "blocks": ["8", "9"]},
        {"id": 8, "players": ["Cem", "Eva"], "since": "2026-11-03T19:00:00Z", "blocks": 5},
        {"id": "9", "players": ["Dora", None]},
    ],
    "free_since": {"Bob": "2026-11-03T19:46:00Z"},
}


@pytest.fixture
def run_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    def asked(text: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        status = main(["next", "-"])
        return status, *capsys.readouterr()

    return asked


def test_it_answers_with_the_ids_as_the_file_has_them(run_command: Any) -> None:
    status, out, err = run_command(json.dumps(NIGHT))
    why = "Bob waited 14 min; 2 later matches wait for this match"
    assert (status, json.loads(out), err) == (0, {"calls": [{"match": 7, "table": "bar", "why": why}]}, "")


def test_times_are_seconds_or_clock_times_too(run_command: Any) -> None:
    for now, since in ((7200, 7080), ("02:00", "01:58"), ("1970-01-01T03:00+01:00", "1970-01-01T01:58")):
        night = {
            "now": now,
            "tables": [{"id": 1}],
            "ready": [{"id": 1, "players": ["a", "b"], "since": since}],
        }
        assert json.loads(run_command(json.dumps(night))[1])["calls"][0]["why"] == "a waited 2 min"


def test_what_is_left_out_is_empty(run_command: Any) -> None:
    assert json.loads(run_command('{"now": 0}')[1]) == {"calls": []}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"now": None}, "now: a time is expected, not None"),
        ({"now": "tea"}, "now: a time, in seconds or as 2026-11-03T19:30:00Z, is expected, not 'tea'"),
        ({"now": 10**400}, None),
        ({"now": True}, None),
        ({"tables": {}}, "tables: a list is expected, not {}"),
        ({"tables": [{"id": 1}, {"id": "1"}]}, "tables[1].id: table 1 is there twice"),
        ({"tables": [{}]}, "tables[0].id: a text or a whole number is expected, not None"),
        ({"ready": [{"id": 1, "players": ["a", "a"]}]}, "ready[0].players: 'a' is there twice"),
        ({"ready": [{"id": 1, "players": [[]]}]}, "ready[0].players: a list of names is expected, not [[]]"),
        ({"ready": [{"id": 1}, {"id": 1}]}, "ready[1].id: match 1 is there twice"),
        ({"ready": [{"id": 1, "fixed": 99}]}, "ready[0].fixed: the id of a table is expected, not 99"),
        (
            {"ready": [{"id": 1, "blocks": -1}]},
            "ready[0].blocks: a number of matches, or a list of them, is expected, not -1",
        ),
        ({"free_since": {"Ann": "soon"}}, None),
        ({"free_since": []}, "free_since.: an object is expected"),
        (
            {"tables": [{"id": "bar"}], "running": [], "ready": [{"id": "\ud800", "players": ["a", "b"]}]},
            None,
        ),
    ],
)
def test_a_mistake_is_said_in_a_line(
    run_command: Any, change: dict[str, object], sentence: str | None
) -> None:
    status, out, err = run_command(json.dumps({**NIGHT, **change}))
    assert (status, out, err.count("\n")) == (2, "", 1)
    if sentence is not None:
        assert err == f"{sentence}\n"


@pytest.mark.parametrize("text", ["", "{", "[]", "NaN", '{"now": NaN}', '{"now": 1e999}', "[" * 100_000])
def test_what_is_no_room_is_refused(run_command: Any, text: str) -> None:
    status, out, err = run_command(text)
    assert (status, out, err.count("\n")) == (2, "", 1)


def test_it_is_a_command(tmp_path: Path) -> None:
    file = tmp_path / "room.json"
    file.write_text(json.dumps(NIGHT))
    done = subprocess.run(
        [sys.executable, "-m", "venue", "next", str(file)], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout)["calls"][0]["match"] == 7
    missing = subprocess.run(
        [sys.executable, "-m", "venue", "next", str(tmp_path / "none")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (missing.returncode, missing.stderr.count("\n")) == (2, 1)


def test_the_queue_of_the_stream_is_respected_and_a_kept_table_is_published(run_command: Any) -> None:
    table = {"id": "bar", "tags": ["stream"]}
    first = {"id": 1, "players": ["a", "b"], "since": 0, "blocks": 3}
    night = {"now": 60, "tables": [table], "ready": [first, {"id": 2, "players": ["c", "d"]}]}
    said = json.loads(run_command(json.dumps({**night, "stream": [{"id": 9}, {"id": 2}]}))[1])
    assert said == {"calls": [{"match": 2, "table": "bar", "why": "next on stream; c waited 0 min"}]}
    said = json.loads(run_command(json.dumps({**night, "stream": [{"id": 9, "soon": True}]}))[1])
    why = "kept for 9, which is next on stream and about to be ready"
    assert said == {"calls": [], "kept": [{"table": "bar", "for": 9, "until": 600, "why": why}]}
    # A person has waited for ten minutes.
    said = json.loads(run_command(json.dumps({**night, "now": 600, "stream": [{"id": 9, "soon": True}]}))[1])
    assert said["calls"][0]["match"] == 1
    assert "kept" not in said


@pytest.mark.parametrize("stream", [3, [{}], [{"id": 1}, {"id": "1"}], [{"id": 1, "soon": "yes"}], ["1"]])
def test_a_queue_of_the_stream_that_cannot_be_read_is_refused(run_command: Any, stream: object) -> None:
    status, out, err = run_command(json.dumps({"now": 0, "stream": stream}))
    assert (status, out) == (2, "")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("extra", "complaint"),
    [
        ({"table": []}, "table is not known; the nearest is tables"),
        ({"tables": [{"id": 1, "stat": "held"}]}, "tables[0].stat is not known; the nearest is state"),
    ],
)
def test_a_name_that_nobody_reads_is_refused_with_the_nearest(
    run_command: Any, extra: dict[str, Any], complaint: str
) -> None:
    assert run_command(json.dumps({**NIGHT, "running": [], **extra})) == (2, "", f"{complaint}\n")
