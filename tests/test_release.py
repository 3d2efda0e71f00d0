"""A release: its texts, and a wheel that is built, installed into an empty environment and serves from an empty folder."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from datetime import date
from pathlib import Path
from types import ModuleType

import pytest

from tests.runtime.support import ROOT

SPEC = importlib.util.spec_from_file_location("release", ROOT / "deploy" / "release.py")
release: ModuleType = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(release)

PROJECT = '[project]\nname = "barpoint"\nversion = "0.9.1"\n'
CHANGELOG = "# Changelog\n\n## Unreleased\n\n### Added\n\n- A thing.\n\n## 0.9.1 - 2026-01-01\n\n- Older.\n"


def test_the_version_never_goes_back() -> None:
    assert release.with_version(PROJECT, "0.10.0") == PROJECT.replace("0.9.1", "0.10.0")
    for wrong in ("0.9.0", "0.8.7", "1.0", "v1.0.0", "1.0.0rc1"):
        with pytest.raises(release.NoRelease):
            release.with_version(PROJECT, wrong)


def test_the_first_release_has_the_version_that_is_written() -> None:
    assert release.with_version(PROJECT, "0.9.1") == PROJECT
    assert "\n## 0.9.1 - 2026-11-27\n\nThe first." in release.with_heading(
        "# Changelog\n\n## Unreleased\n\nThe first.\n", "0.9.1", date(2026, 11, 27)
    )
    # A version that has its heading is released.
    with pytest.raises(release.NoRelease, match="already"):
        release.with_heading(CHANGELOG, "0.9.1", date(2026, 11, 27))


@pytest.mark.parametrize("page", ['<link rel="stylesheet" href="/static/css/missing.css">', "<p>plain</p>"])
def test_a_wheel_without_its_static_files_is_not_released(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release, "page_of", lambda _port, _server: page)

    with pytest.raises(release.NoRelease):
        release.try_out(Path("/bin/true"), tmp_path)


def test_a_wheel_is_tried_with_the_locked_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[str] = []
    monkeypatch.setattr(release, "run", lambda *command: commands.append(" ".join(map(str, command))))
    monkeypatch.setattr(release.venv, "create", lambda *_given, **_named: None)
    release.install(tmp_path / "barpoint.whl", tmp_path)

    packages, wheel, checked = commands
    assert packages.endswith(f"--no-deps --require-hashes -r {ROOT / 'requirements' / 'run.lock'}")
    assert wheel.endswith(f"--no-deps {tmp_path / 'barpoint.whl'}")
    assert checked.endswith(" check")


def test_what_was_unreleased_gets_its_heading() -> None:
    made = release.with_heading(CHANGELOG, "0.10.0", date(2026, 11, 22))
    headings = re.findall(r"^## .*", made, re.M)

    assert headings == ["## Unreleased", "## 0.10.0 - 2026-11-22", "## 0.9.1 - 2026-01-01"]
    assert made.index("A thing.") > made.index("## 0.10.0")
    # Nothing new has come since.
    with pytest.raises(release.NoRelease):
        release.with_heading(made, "0.11.0", date(2026, 11, 23))


def test_every_package_goes_into_the_wheel() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    setup = ast.parse((ROOT / "setup.py").read_text("utf-8"))
    code = next(
        each.value
        for each in setup.body
        if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == "CODE"
    )

    assert set(ast.literal_eval(code)) == set(project["tool"]["importlinter"]["root_packages"])


def test_our_own_texts_can_be_released() -> None:
    assert release.VERSION.search((ROOT / "pyproject.toml").read_text())
    assert release.UNRELEASED in (ROOT / "CHANGELOG.md").read_text()


@pytest.mark.installation
@pytest.mark.slow
def test_a_release_of_a_clone_is_built_installed_served_and_tagged(tmp_path: Path) -> None:
    """Without a network: what the wheel depends on is this environment's."""
    clone = tmp_path / "clone"
    # Without the tags of earlier releases.
    git("clone", "--quiet", "--shared", "--no-tags", ROOT, clone)
    packages = sysconfig.get_path("purelib")
    command = [sys.executable, "deploy/release.py", "99.0.0", "--dependencies", packages]
    done = subprocess.run(command, cwd=clone, env=author(), capture_output=True, text=True, timeout=600)

    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = (clone / "dist").glob("barpoint-99.0.0-*.whl")
    names = {Path(name).name for name in zipfile.ZipFile(wheel).namelist()}
    assert "django.mo" in names
    assert "django.po" not in names
    assert git("tag", "--list", cwd=clone).strip() == "v99.0.0"
    assert git("log", "-1", "--format=%s", cwd=clone).strip() == "Release 99.0.0"
    assert git("status", "--porcelain", cwd=clone) == ""
    again = subprocess.run(command, cwd=clone, env=author(), capture_output=True, text=True, timeout=60)
    assert "already" in again.stderr


def git(*words: object, cwd: Path | None = None) -> str:
    """Run git and return what it prints."""
    done = subprocess.run(["git", *map(str, words)], cwd=cwd, env=author(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def author() -> dict[str, str]:
    """Return an environment in which a person commits."""
    who = {"NAME": "A tester", "EMAIL": "tester@example.org"}
    names = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in who.items()}
    return {**os.environ, **names}
