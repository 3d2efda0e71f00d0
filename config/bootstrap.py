"""Builder of `.venv` from a hashed lock file, using only Python: python3 config/bootstrap.py run|test|dev.

Run as a script by `make`, never imported. Does nothing if the environment is current.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = Path(os.environ.get("VENV", ROOT / ".venv"))
PYTHON, TOOLS, STAMP = VENV / "bin" / "python", VENV.parent / f"{VENV.name}-tools", VENV / ".barpoint-lock"
LEAST_PYTHON = (3, 11)
# A larger lock contains the smaller ones.
LOCKS = ("run", "test", "dev")
# A SQLite without the WAL-reset bug, and the engine that analyses matches; only where wheels exist.
OPTIONAL = ("sqlite", "opinion")

problems: list[str] = []


def main(wanted: str) -> int:
    """Install at least the *wanted* lock."""
    if sys.version_info < LEAST_PYTHON:
        return report_failure(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}.")
    before = STAMP.read_text() if STAMP.exists() and PYTHON.exists() else ""
    # Keep a larger lock that is already installed.
    lock = max([wanted, *(name for name in LOCKS if before.startswith(f"{name} "))], key=LOCKS.index)
    stamp = f"{lock} {compute_fingerprint(lock)}"
    if before == stamp:
        return 0
    if not is_usable():
        print(f"Making a Python environment in {VENV.name} ...", flush=True)
        if not create():
            return report_failure("Install your system's python3-venv (or python3-pip) and try again.")
    print("Installing packages ...", flush=True)
    problems.clear()
    if not install(lock):
        return report_failure("The packages could not be installed.")
    for each in OPTIONAL:
        install(each, "--only-binary", ":all:")
    compile_bytecode()
    STAMP.write_text(stamp)
    return 0


def report_failure(sentence: str) -> int:
    """Print the error and the output of failed commands; return 2."""
    print(*problems, f"barpoint: {sentence}", sep="\n", file=sys.stderr)
    return 2


def compute_fingerprint(lock: str) -> str:
    digest = hashlib.sha256(sys.version.encode())
    for name in (lock, *OPTIONAL):
        digest.update((ROOT / "requirements" / f"{name}.lock").read_bytes())
    return digest.hexdigest()[:16]


def is_usable() -> bool:
    ask = f"import sys, pip; raise SystemExit(sys.version_info[:2] != {sys.version_info[:2]})"
    return PYTHON.exists() and run_command(PYTHON, "-c", ask)


def create() -> bool:
    """Create the environment with venv; without ensurepip, add pip; without venv, use virtualenv.

    True if that succeeded.
    """
    python = sys.executable
    return (
        run_command(python, "-m", "venv", "--clear", VENV)
        or (
            run_command(python, "-m", "venv", "--clear", "--without-pip", VENV)
            and run_command(python, "-m", "pip", "--python", PYTHON, "install", "pip")
        )
        or (
            run_command(python, "-m", "pip", "install", "--target", TOOLS, "virtualenv")
            and run_command(python, TOOLS / "virtualenv", "--clear", VENV, PYTHONPATH=str(TOOLS))
        )
    )


def install(lock: str, *options: str) -> bool:
    """Install exactly the packages of the lock, verifying hashes; True if that succeeded."""
    pip = (PYTHON, "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--no-compile")
    return run_command(
        *pip, *options, "--require-hashes", "--no-deps", "-r", ROOT / "requirements" / f"{lock}.lock"
    )


def compile_bytecode() -> None:
    """Run a management command once, so that Python caches the bytecode. Failures are ignored here."""
    for name in ("PYTHONDONTWRITEBYTECODE", "DATABASE_URL", "REDIS_URL", "DJANGO_SETTINGS_MODULE"):
        os.environ.pop(name, None)
    with tempfile.TemporaryDirectory() as folder:
        run_command(PYTHON, "manage.py", "check", SECRET_KEY="compiled", DATA_DIR=folder)


def run_command(*command: object, **environment: str) -> bool:
    done = subprocess.run(
        [*map(str, command)], cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True
    )
    if done.returncode:
        problems.append((done.stderr or done.stdout).strip()[-500:])
    return done.returncode == 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1] if len(sys.argv) > 1 else "run"))
