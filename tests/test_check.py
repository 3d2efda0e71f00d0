"""`make check` runs every target, though one fails, and says how long each took."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable

import pytest

from tests import check

pytestmark = pytest.mark.pure


def returning(codes: dict[str, int]) -> Callable[[list[str]], int]:
    return lambda command: codes[command[-1]]


def test_all_are_run_and_the_table_names_the_one_that_failed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(subprocess, "call", returning({"lint": 2, "test": 0}))
    monkeypatch.setenv("DRAWN", "0412")
    assert check.main(["lint", "test"]) == 1
    printed = capsys.readouterr().out.splitlines()
    assert printed[:2] == ["== lint", "== test"]
    assert [row.split() for row in printed[2:]] == [
        ["lint", "0:00", "FAILED"],
        ["test", "0:00", "passed"],
        ["all", "0:00", "FAILED", "DRAWN=0412"],
    ]


def test_it_passes_where_all_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "call", returning({"test": 0}))
    monkeypatch.setenv("DRAWN", "all")
    assert check.main(["test"]) == 0


def test_each_run_draws_a_seed_and_hands_it_to_its_targets(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds: list[str] = []

    def call(command: list[str]) -> int:
        seeds.append(os.environ["DRAWN"])
        return 0

    monkeypatch.setattr(subprocess, "call", call)
    for _run in range(10):
        monkeypatch.setenv("DRAWN", "")
        monkeypatch.delenv("DRAWN")
        check.main(["lint", "test"])
    assert seeds[::2] == seeds[1::2]
    assert len(set(seeds)) > 1


def test_a_duration_is_printed_in_minutes() -> None:
    assert check.line("test-long", 754.6, "passed").split() == ["test-long", "12:35", "passed"]
