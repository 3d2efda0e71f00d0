"""Builds `.venv` from a hashed lock on a bare machine (standard library only).

Run as a file by `make`, never imported: python3 config/bootstrap.py run|test|dev. What is there
already and current costs nothing. uv does it in seconds where it is at hand; else pip does. Where Python came
without venv or pip, the next means is tried.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = Path(os.environ.get("VENV", ROOT / ".venv"))
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
# A larger lock contains the smaller ones.
LOCKS = ("run", "test", "dev")
LEAST_PYTHON = (3, 11)
# The first releases without CVE-2024-7592 (runtime/install/checks.py).
FIRST_SOUND_PYTHON = {(3, 11): (3, 11, 10), (3, 12): (3, 12, 6)}
# Newer ones for which every locked wheel exists, those of SQLite and the engine included.
PREFERRED = ("python3.13", "python3.12")
UV = shutil.which("uv")
A_START = """
import os, django
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
django.setup()
import config.asgi, config.management.commands.serve, config.prepare
config.prepare.pages()
import django.core.management.commands.migrate, django.contrib.staticfiles.management.commands.collectstatic
"""


def main(wanted: str) -> int:
    """Make the environment hold at least the lock that was asked for."""
    if sys.version_info < LEAST_PYTHON:
        print(f"barpoint: Python 3.11 or newer is needed; this is {sys.version.split()[0]}.", file=sys.stderr)
        return 2
    if not is_sound(sys.version_info[:3]) and (better := find_sound_python()):
        # Where it cannot build the environment, this Python does: it works, and a check warns of it.
        if subprocess.run([better, __file__, wanted]).returncode == 0:
            return 0
    # What was installed for a larger purpose stays installed.
    lock = max(wanted, installed_lock(), key=LOCKS.index)
    stamp = f"{lock} {fingerprint(lock)}"
    if PYTHON.exists() and read_stamp() == stamp:
        return 0
    began = time.monotonic()
    if not is_usable():
        say(f"Making a Python environment in {VENV.name} ...")
        create()
    file = ROOT / "requirements" / f"{lock}.lock"
    say(f"Installing {len(packages(file))} packages{' with uv' if UV else ''} ...")
    install(file)
    install_sound_sqlite()
    install_an_engine()
    say("Compiling what a start needs ...")
    compile_what_is_imported()
    (VENV / ".barpoint-lock").write_text(stamp)
    say(f"Ready after {time.monotonic() - began:.0f} s.")
    return 0


def is_sound(version: tuple[int, ...]) -> bool:
    """True if the holes we know of are closed in this release of Python."""
    return version >= FIRST_SOUND_PYTHON.get(version[:2], version)


def find_sound_python() -> str | None:
    """Return a newer Python on PATH that is sound and can make environments, or None."""
    ask = "import sys, venv, ensurepip; print(*sys.version_info[:3])"
    for name in PREFERRED:
        if not (path := shutil.which(name)):
            continue
        answer = subprocess.run([path, "-c", ask], capture_output=True, text=True)
        if answer.returncode == 0 and is_sound(tuple(map(int, answer.stdout.split()))):
            return path
    return None


def say(line: str) -> None:
    """Print what takes a while now."""
    print(line, flush=True)


def packages(lock: Path) -> list[str]:
    """Return the lines of a lock that name a package."""
    return [line for line in lock.read_text().splitlines() if line[:1].isalpha()]


def installed_lock() -> str:
    """Return which lock the environment holds now; the smallest if none."""
    name = read_stamp().partition(" ")[0]
    return name if name in LOCKS and PYTHON.exists() else LOCKS[0]


def read_stamp() -> str:
    """Return what the last run of this file left."""
    stamp = VENV / ".barpoint-lock"
    return stamp.read_text() if stamp.exists() else ""


def fingerprint(lock: str) -> str:
    """Return what changes when the lock or the interpreter does."""
    digest = hashlib.sha256(sys.version.encode())
    for name in (lock, "sqlite", "opinion"):
        digest.update((ROOT / "requirements" / f"{name}.lock").read_bytes())
    return digest.hexdigest()[:16]


def is_usable() -> bool:
    """Say whether the environment runs, with this Python's version and a pip."""
    if not PYTHON.exists():
        return False
    ask = "import sys, pip; print('{}.{}'.format(*sys.version_info))"
    answer = subprocess.run([PYTHON, "-c", ask], capture_output=True, text=True)
    return answer.returncode == 0 and answer.stdout.split() == ["{}.{}".format(*sys.version_info)]


def create() -> None:
    """Create the environment by the first means that works."""
    if UV and created_by_uv():
        return
    python = sys.executable
    means = (
        ("venv", [python, "-m", "venv", "--clear", VENV]),
        ("virtualenv", [python, "-m", "virtualenv", "--clear", "--quiet", VENV]),
        ("venv without pip", [python, "-m", "venv", "--clear", "--without-pip", VENV]),
        ("virtualenv by pip", None),
    )
    reasons = []
    for name, command in means:
        tried = subprocess.run(command or by_pip(python), capture_output=True, text=True)
        if tried.returncode == 0 and (is_usable() or give_pip(python)):
            return
        reasons.append(f"{name}: {(tried.stderr or tried.stdout).strip().splitlines()[-1:] or 'failed'}")
    print(
        "barpoint: no means of making a Python environment works here.\n  "
        + "\n  ".join(reasons)
        + "\nInstall your system's python3-venv (or python3-pip) and try again.",
        file=sys.stderr,
    )
    raise SystemExit(2)


def created_by_uv() -> bool:
    """Let uv create it, with pip in it for whoever works with the environment later."""
    if (VENV / "pyvenv.cfg").exists():  # not all versions of uv make anew what is there
        shutil.rmtree(VENV, ignore_errors=True)
    command = [UV, "venv", "--quiet", "--seed", "--python", sys.executable, VENV]
    return subprocess.run(command, capture_output=True).returncode == 0 and is_usable()


def by_pip(python: str) -> list[object]:
    """Bring virtualenv into a folder of ours, by a pip that has no venv beside it."""
    folder = VENV.parent / f"{VENV.name}-tools"
    subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--target", folder, "virtualenv"], capture_output=True
    )
    return [
        python,
        "-c",
        f"import sys; sys.path.insert(0, {str(folder)!r}); from virtualenv import cli_run; "
        f"cli_run(['--clear', {str(VENV)!r}])",
    ]


def give_pip(python: str) -> bool:
    """Let the Python outside install pip into an environment that came without."""
    outside = [python, "-m", "pip", "--python", PYTHON, "install", "--quiet", "pip"]
    return PYTHON.exists() and subprocess.run(outside, capture_output=True).returncode == 0 and is_usable()


def install(lock: Path, *options: str) -> None:
    """Install exactly what the lock names, each file checked against its hash."""
    checked = [*options, "--require-hashes", "--no-deps", "-r", lock]
    if UV:
        by_uv = [UV, "pip", "install", "--quiet", "--python", PYTHON, *checked]
        if subprocess.run(by_uv, capture_output=True).returncode == 0:
            return
    # Another index may be known to pip alone. Of what it would compile a start needs a third.
    by_pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]
    subprocess.run([*by_pip, "--no-compile", *checked], check=True)


def install_sound_sqlite() -> None:
    """Bring a SQLite without the WAL-reset bug where there is a wheel; a check tells where not."""
    with contextlib.suppress(subprocess.CalledProcessError):
        install(ROOT / "requirements" / "sqlite.lock", "--only-binary", ":all:")


def install_an_engine() -> None:
    """Bring the engine that judges matches where there is a wheel; without it pages say that there is no analysis."""
    with contextlib.suppress(subprocess.CalledProcessError):
        install(ROOT / "requirements" / "opinion.lock", "--only-binary", ":all:")


def compile_what_is_imported() -> None:
    """Import once what a start imports, so that Python keeps it compiled; a failure shows when it starts."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "SECRET_KEY": "compiled", "DATA_DIR": folder}
        for name in ("PYTHONDONTWRITEBYTECODE", "DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE"):
            environment.pop(name, None)
        subprocess.run([PYTHON, "-c", A_START], cwd=ROOT, env=environment, capture_output=True)


if __name__ == "__main__":
    try:
        raise SystemExit(main(sys.argv[1] if len(sys.argv) > 1 else "run"))
    except subprocess.CalledProcessError as error:
        print(f"barpoint: {' '.join(map(str, error.cmd[:4]))} ... failed.", file=sys.stderr)
        raise SystemExit(2) from None
