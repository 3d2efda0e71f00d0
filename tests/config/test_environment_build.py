"""The environment is built by make from hashed locks, once; a Python that cannot is told what is missing."""

from __future__ import annotations

import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.runtime.support import ROOT, clean_environment

if TYPE_CHECKING:
    from pathlib import Path

TOO_OLD = 'exec {python} -c "import sys; sys.version_info = (3, 9, 18); exec(sys.argv[1])" "$2"'
WITHOUT_VENV = 'case "$*" in *"-m venv"*) exit 1 ;; esac\nexec {python} "$@"'


def make(venv: Path, *arguments: str, python: str = sys.executable) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", "--no-print-directory", f"VENV={venv}", f"PYTHON={python}", *arguments],
        env=clean_environment(),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )


def python_that_is(kind: str, folder: Path) -> str:
    """Return a python3 of that kind."""
    shim = folder / "python3"
    shim.write_text(f"#!/bin/sh\n{kind.format(python=sys.executable)}\n")
    shim.chmod(shim.stat().st_mode | stat.S_IXUSR)
    return str(shim)


@pytest.mark.slow
def test_an_environment_is_built_and_then_costs_nothing(tmp_path: Path) -> None:
    """From the real locks, each file checked against its hash."""
    if not _can_reach_an_index(tmp_path):
        pytest.skip("pip reaches no package index")
    venv = tmp_path / "venv"
    first = make(venv, "setup")
    assert first.returncode == 0, first.stdout + first.stderr
    assert "Installing packages" in first.stdout
    check = subprocess.run([venv / "bin/python", "-c", "import django, celery, uvicorn, pip; print(django.VERSION[:2])"],
                           capture_output=True, text=True)  # fmt: skip
    assert check.stdout.strip() == "(5, 2)", check.stderr
    second = make(venv, "setup")
    assert (second.returncode, second.stdout, second.stderr) == (0, "", "")


def _can_reach_an_index(folder: Path) -> bool:
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--dest",
        str(folder / "probe"),
        "asgiref",
    ]
    return subprocess.run(command, capture_output=True).returncode == 0


def test_without_venv_it_says_what_to_install(tmp_path: Path) -> None:
    done = make(tmp_path / "venv", "setup", python=python_that_is(WITHOUT_VENV, tmp_path))
    assert done.returncode == 2
    assert "python3-venv" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_python_that_is_too_old_is_told_so(tmp_path: Path) -> None:
    done = make(tmp_path / "venv", "setup", python=python_that_is(TOO_OLD, tmp_path))
    assert done.returncode == 2
    assert "3.11" in done.stderr
    assert not (tmp_path / "venv").exists()


def test_what_is_installed_is_installed_again_only_for_another_lock_or_python(tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").touch()
    (venv / ".run-lock").touch()
    assert "pip" not in make(venv, "-n", "setup").stdout
    assert "pip install" in make(venv, "-n", "-W", "requirements/run.lock", "setup").stdout
    assert "pip install" in make(venv, "-n", "-W", "requirements/sqlite.lock", "setup").stdout
    assert "requirements/dev.lock" in make(venv, "-n", "dev-env").stdout
    # An environment whose Python went away is made anew.
    (venv / "bin" / "python").unlink()
    assert "-m venv --clear" in make(venv, "-n", "setup").stdout


def test_every_file_of_the_locks_is_checked_against_a_hash_and_from_no_particular_place() -> None:
    for name in ("run", "test", "dev", "sqlite"):
        text = (ROOT / "requirements" / f"{name}.lock").read_text()
        assert "--index-url" not in text
        assert "http://" not in text
        assert "https://" not in text
        current, hashed = "no line at all", False
        assert any(line[:1].isalpha() for line in text.splitlines())
        hashed = True
        for line in text.splitlines():
            if line and line[0].isalpha():
                assert hashed, current
                current, hashed = line, False
                assert "==" in line
            hashed = hashed or "--hash=sha256:" in line
        assert hashed, current


def test_a_larger_lock_holds_the_smaller_one() -> None:
    def pins(name: str) -> set[str]:
        text = (ROOT / "requirements" / f"{name}.lock").read_text()
        return {line.split(" ")[0] for line in text.splitlines() if line and line[0].isalpha()}

    assert pins("run") <= pins("test") <= pins("dev")
