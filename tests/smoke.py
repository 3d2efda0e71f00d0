"""Tests a first installation: clone, `make run`, the first page, Ctrl-C.

python -m tests.smoke [--without-ensurepip]
"""

from __future__ import annotations

import os
import pty
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from tests.services import free_port

ROOT = Path(__file__).resolve().parent.parent
CTRL_C = b"\x03"
LONGEST_START = 240.0
# A clone contains only committed files.
CLONE = ["git", "clone", "--quiet", "--no-hardlinks", str(ROOT), "clone"]


def python_without_ensurepip(folder: Path) -> str:
    """Return a python3 without ensurepip, as on Debian without python3-venv."""
    shim = folder / "python3"
    shim.write_text(
        "#!/bin/sh\n"
        'case " $* " in *" -m venv "*) case " $* " in *--without-pip*) ;; *)\n'
        '  echo "The virtual environment was not created successfully because ensurepip is not available." >&2\n'
        "  exit 1 ;; esac ;; *' -m ensurepip '*|*' -m virtualenv '*) exit 1 ;; esac\n"
        f'exec {sys.executable} "$@"\n'
    )
    shim.chmod(shim.stat().st_mode | stat.S_IXUSR)
    return str(shim)


def first_page(url: str, server: subprocess.Popen[bytes], output: int) -> str:
    deadline = time.monotonic() + LONGEST_START
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise SystemExit(f"make run ended with {server.returncode}: {drain(output)}")
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                return str(answer.read().decode())
        except urllib.error.HTTPError as error:
            raise SystemExit(f"the first page answered {error.code}: {drain(output)}") from None
        except OSError:
            time.sleep(0.05)
    raise SystemExit("no page within four minutes")


def drain(output: int) -> str:
    """Return the output so far."""
    os.set_blocking(output, False)
    text = b""
    try:
        while piece := os.read(output, 65536):
            text += piece
    except OSError:
        pass
    return text.decode(errors="replace")


def open_and_close(clone: Path, python: str, environment: dict[str, str]) -> float:
    """Run `make run` at a terminal, wait for the page, press Ctrl-C; return the seconds to the page."""
    port = free_port()
    ours, theirs = pty.openpty()
    began = time.monotonic()
    server = subprocess.Popen(
        ["make", "run", f"PYTHON={python}", f"PORT={port}"],
        cwd=clone,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
        start_new_session=True,
        preexec_fn=lambda: _take_terminal(),
    )
    os.close(theirs)
    try:
        return _visit(server, port, ours, began)
    finally:
        if server.poll() is None:
            # Leave no process behind after a failure; make passes the signal on.
            server.terminate()
            server.wait(20)


def _visit(server: subprocess.Popen[bytes], port: int, ours: int, began: float) -> float:
    page = first_page(f"http://localhost:{port}/", server, ours)
    took = time.monotonic() - began
    assert "<h1" in page, "the first page has no heading"
    assert "Barpoint" in page, "the first page is not ours"
    time.sleep(1.5)
    printed = drain(ours)
    os.set_blocking(ours, True)
    os.write(ours, CTRL_C)
    status = server.wait(20)
    assert status == 0, f"Ctrl-C ended make run with status {status}: {printed} {drain(ours)}"
    assert f":{port}/" in printed, f"the address was not printed: {printed}"
    return took


def _take_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def main(arguments: list[str]) -> int:
    """Run the test in an empty directory and print the times."""
    with tempfile.TemporaryDirectory(prefix="barpoint-smoke-") as name:
        folder = Path(name)
        subprocess.run(CLONE, cwd=folder, check=True)
        clone = folder / "clone"
        python = sys.executable if not os.environ.get("SMOKE_PYTHON") else os.environ["SMOKE_PYTHON"]
        python = str(Path(python).resolve()) if shutil.which(python) is None else python
        if "--without-ensurepip" in arguments:
            python = python_without_ensurepip(folder)
        kept = {
            k: v
            for k, v in os.environ.items()
            if k not in {"VIRTUAL_ENV", "DATABASE_URL", "REDIS_URL", "DATA_DIR"}
        }
        cold = open_and_close(clone, python, kept)
        warm = open_and_close(clone, python, kept)
        print(
            f"first page after {cold:.1f} s from a bare clone, {warm:.1f} s warm; Ctrl-C exits 0 both times"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
