"""The environment is built on machines whose Python came without this or that (no network: pip is a stand-in)."""

from __future__ import annotations

import os
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
    "without ensurepip but with virtualenv": 'case "$all" in *" -m venv "*|*" -m ensurepip "*) no ;; esac\n',
    "without venv": 'case "$all" in *" -m venv "*|*" -m ensurepip "*|*" -m virtualenv "*) no ;; esac\n',
    "with nothing": 'case "$all" in *" -m venv "*|*" -m virtualenv "*|*" -m pip "*|*" -c "*) no ;; esac\n',
}


def python_that_is(kind: str, folder: Path) -> str:
    """Return a python3 of that kind."""
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
        # No uv but what a test lays beside its python.
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
    assert "Ready after" in first.stdout
    check = subprocess.run([venv / "bin/python", "-c", "import django, celery, uvicorn, pip; print(django.VERSION[:2])"],
                           capture_output=True, text=True)  # fmt: skip
    assert check.stdout.strip() == "(5, 2)", check.stderr

    second = bootstrap(python, venv)
    assert (second.returncode, second.stdout, second.stderr) == (0, "", "")

    if kind == "without venv":
        return
    # An environment whose Python went away is made anew.
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


def lay_uv(folder: Path, script: str) -> Path:
    """Lay a uv that writes down what it was asked for and does what the script says."""
    said = folder / "uv-was-asked"
    uv = folder / "uv"
    uv.write_text(f'#!/bin/sh\necho "$*" >> {said}\n{script}\n')
    uv.chmod(0o755)
    return said


def test_uv_builds_the_environment_where_it_is_at_hand(tmp_path: Path) -> None:
    python, venv = python_that_is("with nothing", tmp_path), tmp_path / "venv"
    # Its environment is this one, and a start is compiled by saying so.
    shim = tmp_path / "shim"
    shim.write_text(f'#!/bin/sh\ncase "$2" in *django*) exit ;; esac\nexec {sys.executable} "$@"\n')
    shim.chmod(0o755)
    code = f"import os; os.makedirs('{venv}/bin'); os.symlink('{shim}', '{venv}/bin/python')"
    make = f'if [ "$1" = venv ]; then {sys.executable} -c "{code}"; fi'
    said = lay_uv(tmp_path, make)
    done = bootstrap(python, venv)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines] == ["Making", "Installing", "Compiling", "Ready"]
    assert lines[1].endswith("packages with uv ...")
    asked = said.read_text().splitlines()
    assert [line.split()[:2] for line in asked] == [
        ["venv", "--quiet"],
        # The lock, a sound SQLite, an engine.
        ["pip", "install"],
        ["pip", "install"],
        ["pip", "install"],
    ]
    assert all("--require-hashes --no-deps" in line for line in asked[1:])
    again = bootstrap(python, venv)
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")


def test_where_uv_fails_the_other_means_are_tried(tmp_path: Path) -> None:
    python = python_that_is("with nothing", tmp_path)
    said = lay_uv(tmp_path, "exit 2")
    done = bootstrap(python, tmp_path / "venv")
    assert said.read_text().startswith("venv ")
    assert done.returncode == 2
    assert "python3-venv" in done.stderr


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


def stand_in(tmp_path: Path) -> tuple[dict[str, object], Path]:
    """Return bootstrap's names, loaded for an environment that a test has made up."""
    import runpy

    venv = tmp_path / "venv"
    before = os.environ.get("VENV")
    os.environ["VENV"] = str(venv)
    try:
        return runpy.run_path(f"{ROOT}/config/bootstrap.py", run_name="bootstrap"), venv
    finally:
        del os.environ["VENV"]
        if before is not None:
            os.environ["VENV"] = before


def test_a_changed_lock_is_another_fingerprint_and_a_larger_lock_stays(tmp_path: Path) -> None:
    names, venv = stand_in(tmp_path)
    fingerprints = {names["fingerprint"](lock) for lock in ("run", "test", "dev")}  # type: ignore[operator]
    assert len(fingerprints) == 3
    assert names["installed_lock"]() == "run"  # type: ignore[operator]
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").touch()
    (venv / ".barpoint-lock").write_text("dev 0123456789abcdef")
    assert names["installed_lock"]() == "dev"  # type: ignore[operator]
    (venv / ".barpoint-lock").write_text("what is this")
    assert names["installed_lock"]() == "run"  # type: ignore[operator]


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


def lay_python(folder: Path, name: str, version: str, *, build: int = 0) -> Path:
    """Lay a Python that says its version, and writes down that it was asked to build; *build* is how that ends."""
    python, asked = folder / name, folder / f"{name}-was-asked"
    python.write_text(
        f'#!/bin/sh\nif [ "$1" = -c ]; then echo {version}; exit; fi\necho "$2" >> {asked}\nexit {build}\n'
    )
    python.chmod(0o755)
    return asked


def bootstrap_of(version: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run bootstrap as a Python of that version, which can build nothing itself."""
    python = python_that_is("with nothing", folder)
    code = (
        f"import sys, runpy; sys.version_info = {version}; sys.executable = {python!r};"
        f"sys.argv = ['bootstrap', 'run']; runpy.run_path('{ROOT}/config/bootstrap.py', run_name='__main__')"
    )
    return subprocess.run(
        [sys.executable, "-c", code],
        env=clean_environment(VENV=str(folder / "venv"), PATH=str(folder)),
        capture_output=True,
        text=True,
    )


def test_a_python_with_known_holes_lets_a_sound_one_build(tmp_path: Path) -> None:
    older = lay_python(tmp_path, "python3.13", "3 12 1")
    newer = lay_python(tmp_path, "python3.12", "3 12 6")
    done = bootstrap_of("(3, 11, 7)", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert newer.read_text() == "run\n"
    assert not older.exists(), "it has the same hole"


def test_a_sound_python_asks_for_no_other(tmp_path: Path) -> None:
    newer = lay_python(tmp_path, "python3.13", "3 13 0")
    assert bootstrap_of("(3, 11, 10)", tmp_path).returncode == 2
    assert not newer.exists()


def test_where_the_sound_python_cannot_build_the_present_one_goes_on(tmp_path: Path) -> None:
    newer = lay_python(tmp_path, "python3.13", "3 13 0", build=2)
    done = bootstrap_of("(3, 11, 7)", tmp_path)
    assert newer.read_text() == "run\n"
    # It came as far as it could.
    assert "no means of making a Python environment" in done.stderr


def test_where_no_sound_python_is_found_the_present_one_goes_on(tmp_path: Path) -> None:
    assert "no means of making a Python environment" in bootstrap_of("(3, 12, 5)", tmp_path).stderr
