"""The environment is built on machines whose Python came without this or that (no network: pip is a stand-in)."""

from __future__ import annotations

import runpy
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.runtime.support import ROOT, clean_environment

# What `python3 -m ...` cannot do on each kind of machine: the shim says so and ends.
DEBIAN = "*' -m ensurepip '*|*' -m virtualenv '*"
KINDS = {
    "complete": "",
    "without ensurepip": 'case "$all" in *" --without-pip "*) ;; *" -m venv "*) no ;; esac\n'
    f'case "$all" in {DEBIAN}) no ;; esac\n',
    "without venv": 'case "$all" in *" -m venv "*|*" -m ensurepip "*|*" -m virtualenv "*) no ;; esac\n',
    "with nothing": 'case "$all" in *" -m venv "*|*" -m pip "*) no ;; esac\n',
}


def python_that_is(kind: str, folder: Path) -> str:
    shim = folder / "python3"
    shim.write_text(
        "#!/bin/sh\n"
        "no() { echo 'ensurepip is not available' >&2; exit 1; }\n"
        'all=" $* "\n'
        f"{KINDS[kind]}"
        # bootstrap asks sys.executable for each of its means: it must be this shim again.
        f'if [ "$1" = "{ROOT}/config/bootstrap.py" ]; then\n'
        f"  exec {sys.executable} -c \"import sys, runpy; sys.executable = '{shim}'; sys.argv = sys.argv[1:]; "
        'runpy.run_path(sys.argv[0], run_name=\'__main__\')" "$@"\n'
        "fi\n"
        f'exec {sys.executable} "$@"\n'
    )
    shim.chmod(shim.stat().st_mode | stat.S_IXUSR)
    return str(shim)


def bootstrap(python: str, venv: Path, lock: str = "run") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [python, f"{ROOT}/config/bootstrap.py", lock],
        env=clean_environment(VENV=str(venv), PATH=str(Path(python).parent)),
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["without ensurepip", "without venv"])
def test_an_environment_is_built_and_then_costs_nothing(kind: str, tmp_path: Path) -> None:
    """From the real locks, each file checked against its hash."""
    if not _can_reach_an_index(tmp_path):
        pytest.skip("pip reaches no package index")
    python, venv = python_that_is(kind, tmp_path), tmp_path / "venv"
    first = bootstrap(python, venv)
    assert first.returncode == 0, first.stdout + first.stderr
    assert "Installing packages" in first.stdout
    check = subprocess.run([venv / "bin/python", "-c", "import django, celery, uvicorn, pip; print(django.VERSION[:2])"],
                           capture_output=True, text=True)  # fmt: skip
    assert check.stdout.strip() == "(5, 2)", check.stderr

    second = bootstrap(python, venv)
    assert (second.returncode, second.stdout, second.stderr) == (0, "", "")

    if kind == "without venv":
        return
    # An environment whose Python went away is made again.
    shutil.rmtree(venv / "bin")
    assert not (venv / "bin/python").exists()
    third = bootstrap(python, venv)
    assert third.returncode == 0, third.stdout + third.stderr


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


def test_where_nothing_works_it_says_what_to_install(tmp_path: Path) -> None:
    done = bootstrap(python_that_is("with nothing", tmp_path), tmp_path / "venv")
    assert done.returncode == 2
    assert "python3-venv" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_python_that_is_too_old_is_told_so(tmp_path: Path) -> None:
    code = (
        "import sys, runpy; sys.version_info = (3, 9, 18); sys.argv = ['bootstrap', 'run'];"
        f"runpy.run_path('{ROOT}/config/bootstrap.py', run_name='__main__')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=clean_environment(VENV=str(tmp_path / "venv")),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "3.11" in done.stderr
    assert not (tmp_path / "venv").exists()


def test_a_changed_lock_is_another_fingerprint_and_a_larger_lock_stays(tmp_path: Path) -> None:
    names = runpy.run_path(f"{ROOT}/config/bootstrap.py", run_name="bootstrap")
    marks = {lock: names["compute_fingerprint"](lock) for lock in ("run", "test", "dev")}
    assert len(set(marks.values())) == 3
    python, venv = python_that_is("with nothing", tmp_path), tmp_path / "venv"
    (venv / "bin").mkdir(parents=True)
    broken = venv / "bin" / "python"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    (venv / ".barpoint-lock").write_text(f"dev {marks['dev']}")
    assert bootstrap(python, venv, "run").returncode == 0, "what is there holds it"
    (venv / ".barpoint-lock").write_text(f"run {marks['run']}")
    assert bootstrap(python, venv, "run").returncode == 0
    assert bootstrap(python, venv, "dev").returncode == 2, "more is asked for, and this Python can do nothing"
    (venv / ".barpoint-lock").write_text("what is this")
    assert bootstrap(python, venv, "run").returncode == 2


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
