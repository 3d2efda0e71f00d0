"""The release script: version, changelog, a wheel tested by serving a page, a commit and a tag.

    python deploy/release.py 1.2.0

Standard library only. Commits only after the wheel has served a page; a failure before that leaves the
working tree unchanged.
"""

from __future__ import annotations

import argparse
import datetime
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSION = re.compile(r'^version = "(?P<version>[^"]+)"$', re.MULTILINE)
NUMBER = re.compile(r"\d+\.\d+\.\d+")
UNRELEASED = "## Unreleased\n"
LOCK = ROOT / "requirements" / "run.lock"
STYLE = re.compile(r'<link rel="stylesheet" href="(/static/[^"]+)"')
START_SECONDS = 180


class NoRelease(Exception):
    """A release is not possible; str() is the reason."""


# Texts


def with_version(project: str, version: str) -> str:
    """Return the text of pyproject.toml with the version of the release.

    The version may be the present one: the changelog and the tags show whether it has been released.

    :raises NoRelease: *version* is not three numbers, or is earlier than the present one.
    """
    found = VERSION.search(project)
    if not NUMBER.fullmatch(version) or found is None:
        raise NoRelease(f"A version is three numbers, such as 1.2.0, not {version!r}.")
    if parts(version) < parts(found["version"]):
        raise NoRelease(f"{version} is earlier than {found['version']}.")
    return project[: found.start()] + f'version = "{version}"' + project[found.end() :]


def parts(version: str) -> tuple[int, ...]:
    return tuple(int(each) for each in version.split("."))


def with_heading(changelog: str, version: str, day: datetime.date) -> str:
    """Return the changelog with the unreleased entries under this version's heading.

    :raises NoRelease: there are no unreleased entries, or this version has a heading already.
    """
    before, mark, after = changelog.partition(UNRELEASED)
    if not mark:
        raise NoRelease("The changelog has no heading “Unreleased”.")
    if not after.partition("\n## ")[0].strip():
        raise NoRelease("The changelog says of nothing that is new.")
    if f"\n## {version} - " in after:
        raise NoRelease(f"The changelog has a heading for {version} already.")
    return f"{before}{UNRELEASED}\n## {version} - {day:%Y-%m-%d}\n{after}"


# Steps


def run(*command: object, **options: object) -> str:
    """Run a command and return its output.

    :raises NoRelease: the command failed.
    """
    done = subprocess.run([str(each) for each in command], text=True, capture_output=True, **options)
    if done.returncode:
        raise NoRelease(f"{' '.join(str(each) for each in command[:4])} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def build(source: Path, into: Path) -> Path:
    """Build a wheel of the tracked files in the working tree; return its path."""
    with tempfile.TemporaryDirectory() as folder:
        clean = Path(folder) / "source"
        for name in run("git", "ls-files", "-z", cwd=source).split("\0"):
            if name and (source / name).is_file():
                (clean / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source / name, clean / name)
        options = ["--no-deps", "--quiet", "--disable-pip-version-check", "--wheel-dir", into]
        # With setuptools installed, nothing has to be downloaded.
        if find_spec("setuptools"):
            options.append("--no-build-isolation")
        run(sys.executable, "-m", "pip", "wheel", *options, clean)
    (wheel,) = into.glob("barpoint-*.whl")
    return wheel


def install(wheel: Path, folder: Path, *, dependencies: Path | None = None) -> Path:
    """Install a wheel into a new environment; return the path of its command.

    Dependencies are downloaded as the lock names them, unless *dependencies* is a folder of packages.
    """
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    pip = (python, "-m", "pip", "--quiet", "--disable-pip-version-check")
    if not dependencies:
        run(*pip, "install", "--no-deps", "--require-hashes", "-r", LOCK)
    run(*pip, "install", "--no-deps", wheel)
    if not dependencies:
        # Fails if the lock lacks a requirement of the wheel.
        run(*pip, "check")
    else:
        (packages,) = folder.glob("lib/python*/site-packages")
        (packages / "dependencies.pth").write_text(f"{dependencies}\n")
    return folder / "bin" / "barpoint"


def try_out(command: Path, home: Path) -> str:
    """Serve with the installed command and an empty data folder; return the front page.

    :raises NoRelease: the page or one of its style sheets cannot be loaded.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    inherited = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    environment = {**inherited, "HOME": str(home), "PORT": str(port), "PYTHONUNBUFFERED": "1"}
    log = home / "serve.log"
    with log.open("w") as file:
        server = subprocess.Popen([command, "serve"], cwd=home, env=environment, stdout=file, stderr=file)
    try:
        page = page_of(port, server)
        sheets = STYLE.findall(page)
        if not sheets:
            raise NoRelease("The front page has no style sheet.")
        for path in sheets:
            urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=20).close()
        return page
    except OSError as error:
        raise NoRelease(f"The installed wheel does not serve ({error!r}):\n{log.read_text()}") from None
    finally:
        server.terminate()
        server.wait(60)


def page_of(port: int, server: subprocess.Popen[bytes]) -> str:
    """Poll the server for its front page and return it.

    :raises TimeoutError: the server has ended, or takes too long.
    """
    deadline = time.monotonic() + START_SECONDS
    while server.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=20) as answer:
                return answer.read().decode()
        except OSError:
            time.sleep(0.2)
    raise TimeoutError


def prepare(version: str, *, dist: Path, dependencies: Path | None = None) -> Path:
    """Write version and changelog, build the wheel, install and test it; return its path."""
    project, changelog = ROOT / "pyproject.toml", ROOT / "CHANGELOG.md"
    before = {path: path.read_text() for path in (project, changelog)}
    written = {
        project: with_version(before[project], version),
        changelog: with_heading(before[changelog], version, datetime.datetime.now(tz=datetime.UTC).date()),
    }
    try:
        for path, text in written.items():
            path.write_text(text)
        dist.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory() as folder:
            wheel = build(ROOT, Path(folder))
            command = install(wheel, Path(folder) / "venv", dependencies=dependencies)
            printed = run(command, "--version").strip()
            if printed != f"barpoint {version}":
                raise NoRelease(f"The installed command says “{printed}”.")
            home = Path(folder) / "home"
            home.mkdir()
            try_out(command, home)
            return Path(shutil.copy(wheel, dist))
    except BaseException:
        for path, text in before.items():
            path.write_text(text)
        raise


def main(arguments: list[str]) -> int:
    """Make the release that the arguments name; return the exit code."""
    parser = argparse.ArgumentParser(description="Make a release.")
    parser.add_argument("version")
    parser.add_argument(
        "--dependencies", type=Path, help="a folder of installed packages, in place of the network"
    )
    options = parser.parse_args(arguments)
    try:
        if run("git", "status", "--porcelain", cwd=ROOT).strip():
            raise NoRelease("Commit or put away what is changed first.")
        if run("git", "tag", "--list", f"v{options.version}", cwd=ROOT).strip():
            raise NoRelease(f"There is a tag v{options.version} already.")
        print("Building the wheel, installing it and looking at its first page ...", flush=True)
        wheel = prepare(options.version, dist=ROOT / "dist", dependencies=options.dependencies)
        files = ("pyproject.toml", "CHANGELOG.md")
        run("git", "commit", "--quiet", "--message", f"Release {options.version}", *files, cwd=ROOT)
        tag = f"v{options.version}"
        run("git", "tag", "--annotate", "--message", f"Barpoint {options.version}", tag, cwd=ROOT)
    except NoRelease as error:
        print(f"barpoint: {error}", file=sys.stderr)
        return 2
    print(f"{wheel.relative_to(ROOT)} is tagged v{options.version}. To publish it: git push --follow-tags")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
