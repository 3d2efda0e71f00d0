"""`make check` runs a third of the long tests of each file, others each time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import drawn

pytestmark = pytest.mark.pure

NAMES = [f"test_a[{number}]" for number in range(10)]

SUITE = """
import pytest

@pytest.mark.slow
@pytest.mark.parametrize("number", range(9))
def test_of_nine(number): ...

@pytest.mark.long
@pytest.mark.parametrize("number", range(2))
def test_of_two(number): ...

@pytest.mark.long
def test_alone(): ...

@pytest.mark.parametrize("number", range(9))
def test_short(number): ...

@pytest.mark.services
@pytest.mark.parametrize("number", range(9))
def test_on_servers(number): ...
"""
CONFTEST = """
from tests import drawn

def pytest_collection_modifyitems(items):
    drawn.keep_drawn(items, "7", is_second_database=%s)
"""


def test_a_third_is_drawn_and_the_same_for_the_same_seed() -> None:
    assert len(drawn.draw(NAMES, "7")) == 4
    assert drawn.draw(NAMES, "7") == drawn.draw(reversed(NAMES), "7")
    assert len(drawn.draw(NAMES[:1], "7")) == len(drawn.draw(NAMES[:2], "7")) == 1


def test_a_few_runs_draw_them_all() -> None:
    assert set().union(*(drawn.draw(NAMES, str(seed)) for seed in range(20))) == set(NAMES)


@pytest.mark.parametrize(("seed", "found"), [("", ""), ("all", ""), ("0412", "0412")])
def test_without_a_seed_nothing_is_drawn(seed: str, found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRAWN", seed)
    assert drawn.get_seed() == found


@pytest.mark.long
@pytest.mark.share
@pytest.mark.parametrize(("is_second", "short"), [(False, 9), (True, 3)])
def test_a_third_of_the_long_tests_of_a_file_and_all_short_ones_run(
    tmp_path: Path, is_second: bool, short: int
) -> None:
    (tmp_path / "test_suite.py").write_text(SUITE)
    (tmp_path / "conftest.py").write_text(CONFTEST % is_second)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--collect-only",
        "-q",
        "-c",
        "/dev/null",
        "--rootdir",
        str(tmp_path),
    ]
    bare = ["-p", "no:cacheprovider", "-p", "no:django", "-p", "no:xdist"]
    asked = subprocess.run([*command, *bare, str(tmp_path)], capture_output=True, text=True, check=True)
    collected = [
        line.rpartition("::")[2].partition("[")[0] for line in asked.stdout.splitlines() if "::" in line
    ]
    long = [name for name in collected if name in {"test_of_nine", "test_of_two", "test_alone"}]
    assert len(long) == 4
    assert collected.count("test_short") == short
    assert collected.count("test_on_servers") == 9
