"""A folder of records is taken in: each file once, judged as the command judges it, and it goes on where it was stopped."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from engine.cli import adjudicate, sources
from players.models import Club, User
from records.archive import importing
from records.models import RecordFile, RecordMatch, Submission
from records.submissions import judging, submissions
from records.submissions.submissions import SentFile
from tests.records.conftest import CLEAN, HERE, WRONG

SHARED = Path(__file__).parents[3] / "../shared/records"
KEYS = ["file", "verdict", "winner", "score", "match", "findings"]


# PostgreSQL ends a transaction that waits idle for minutes, as one around these tests would for the referees.
unwrapped = pytest.mark.django_db(transaction=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep").mkdir()
    (tmp_path / "a-final.mat").write_bytes(CLEAN)
    (tmp_path / "b-semi.mat").write_bytes(WRONG)
    (tmp_path / "c-no-record.txt").write_bytes(b"nothing")
    (tmp_path / "d-empty.mat").write_bytes(b"")
    (tmp_path / "deep/again.mat").write_bytes(CLEAN)
    with zipfile.ZipFile(tmp_path / "e.zip", "w") as archive:
        archive.writestr("one.sgf", (HERE / "records/five-points.sgf").read_bytes())
    (tmp_path / "f-huge.mat").write_bytes(bytes((4 << 20) + 9))
    return tmp_path


def run(folder: Path | str, club: Club, *options: str) -> list[dict[str, Any]]:
    out, err = StringIO(), StringIO()
    call_command(
        "import_records", str(folder), "--club", club.slug, "--jobs", "1", *options, stdout=out, stderr=err
    )
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert all(list(line) == KEYS for line in lines)
    assert f"{len(lines)} records in" in err.getvalue()
    return lines


def as_the_command_says(path: Path) -> dict[str, list[dict[str, Any]]]:
    """The output of `python -m engine adjudicate --jsonl`, by file."""
    found: dict[str, list[dict[str, Any]]] = {}
    for file in sources.list_files([str(path)]):
        for source in sources.list_sources(file):
            answers = adjudicate.adjudicate_source(adjudicate.JudgingOptions({}, for_programs=True), source)
            found[source.name] = [json.loads(answer.text) for answer in answers]
    return found


def same(line: dict[str, Any], said: list[dict[str, Any]]) -> bool:
    worst = max((each["verdict"] for each in said), key=judging.WORDS.index)
    one = len(said) == 1
    return (
        line["verdict"] == worst
        and line["winner"] == (said[0]["winner"] if one else [each["winner"] for each in said])
        and line["score"] == (said[0]["score"] if one else [each["score"] for each in said])
        and line["findings"] == [finding for each in said for finding in each["findings"]]
    )


@pytest.mark.long
def test_each_file_has_its_line_and_is_kept_once(club: Club, folder: Path) -> None:
    lines = run(folder, club)
    said = as_the_command_says(folder)
    assert [line["file"] for line in lines] == list(said)
    assert all(same(line, said[line["file"]]) for line in lines)
    assert [line["verdict"] for line in lines] == [
        "accepted", "rejected", "unreadable", "unreadable", "accepted", "unreadable", "accepted",
    ]  # fmt: skip
    # The accepted ones name their match, the same record the same one; of the huge file nothing is kept.
    assert (
        lines[0]["match"]
        == lines[6]["match"]
        == RecordMatch.objects.get(file__submissions__name__endswith="a-final.mat").key
    )
    assert [bool(line["match"]) for line in lines] == [True, False, False, False, True, False, True]
    assert RecordFile.objects.count() == 5
    assert not list(submissions.check_records())


@pytest.mark.long
def test_begun_again_it_says_the_same_and_judges_nothing(
    club: Club, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "PORTION", 2)
    first = run(folder, club)
    # Simulate an interrupted import, without the second half.
    left = RecordFile.objects.order_by("-pk")[:2].values_list("pk", flat=True)
    RecordFile.objects.filter(pk__in=list(left)).delete()
    again = run(folder, club)
    assert [{**line, "match": bool(line["match"])} for line in again] == [
        {**line, "match": bool(line["match"])} for line in first
    ]
    counts = (RecordFile.objects.count(), RecordMatch.objects.count(), Submission.objects.count())
    assert counts == (5, 5, 5)
    assert run(folder, club) == again
    assert counts == (RecordFile.objects.count(), RecordMatch.objects.count(), Submission.objects.count())


@pytest.mark.long
def test_a_dry_run_keeps_nothing(club: Club, folder: Path) -> None:
    lines = run(folder, club, "--dry-run")
    assert [line["verdict"] for line in lines][:2] == ["accepted", "rejected"]
    assert not any(line["match"] for line in lines)
    assert not RecordFile.objects.exists()


@pytest.mark.long
def test_what_waits_for_a_worker_is_judged_here(club: Club, otis: User, folder: Path, now: datetime) -> None:
    (said,) = submissions.hand_in(club=club, by=otis, files=[SentFile("x.mat", CLEAN)], now=now)
    lines = run(folder, club)
    assert lines[0]["match"] == RecordMatch.objects.get(file=said.file_id).key


def test_what_is_not_there_is_said(club: Club, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no club nowhere"):
        call_command("import_records", str(tmp_path), "--club", "nowhere")
    with pytest.raises(CommandError, match="There is no /nowhere"):
        call_command("import_records", "/nowhere", "--club", club.slug)


def end_the_process(data: bytes) -> judging.Judgement:
    os._exit(1)


@pytest.mark.long
@unwrapped
def test_what_ends_the_referee_is_unreadable_and_the_others_are_judged(
    club: Club, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = importing.RefereePool._judge_alone
    monkeypatch.setattr(judging, "judge_files", end_the_process)
    monkeypatch.setattr(
        importing.RefereePool,
        "_judge_alone",
        lambda self, data: judging.build_crash_verdict() if data == WRONG else real(self, data),
    )
    assert [line["verdict"] for line in run(folder, club)][:3] == ["accepted", "unreadable", "unreadable"]


@pytest.mark.long
@unwrapped
@pytest.mark.parametrize("name", ["real", "gnubg", "faults"])
def test_the_records_of_others_are_judged_as_the_command_does(club: Club, name: str, tmp_path: Path) -> None:
    source = SHARED / name
    if not source.is_dir():
        pytest.skip(f"other people's records are not beside the checkout ({source})")
    copy = tmp_path / name
    shutil.copytree(source, copy)
    lines = run(copy, club)
    said = as_the_command_says(copy)
    assert [line["file"] for line in lines] == list(said)
    assert [line for line in lines if not same(line, said[line["file"]])] == []
    assert not list(submissions.check_records())
