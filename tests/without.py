"""Runs test suites without optional performance code.

python -m tests.without [express matching wheel] [-- PYTEST ARGS]

docs/how-it-runs.md lists these parts. Tests that need one are marked `needs("express", "why")` and skipped.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import Final

FAST: Final = "not slow and not long and not browser and not services"


# The suites that depend on each part.
PARTS: Final = {
    "express": ("tests/engine", "tests/records/submissions", "tests/test_ways.py"),
    "matching": ("tests/draw", "tests/tournaments/play", "tests/test_ways.py"),
    # The analysis engine, whose wheel is not available for all machines.
    "wheel": (
        "tests/opinion",
        "tests/records/submissions/test_replays.py",
        "tests/matches/watch/test_replay_pages.py",
    ),
}
# The parts disabled in this run; pytest workers inherit the variable.
ABSENT: Final = frozenset(os.environ.get("WITHOUT", "").split())


def switch_off() -> None:
    """Disable the absent parts."""
    if "express" in ABSENT:
        from engine import express

        express.is_on = False
    if "matching" in ABSENT:
        from draw import matching

        matching.is_on = False
    if "wheel" in ABSENT:
        # An import then fails as if it were not installed.
        sys.modules["bgsage"] = None  # type: ignore[assignment]


def run(name: str, *arguments: str) -> int:
    """Run the suites of a part without it; return pytest's status."""
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-m", FAST, *arguments, *PARTS[name]],
        env={**os.environ, "WITHOUT": name},
    )
    print(f"without {name}: status {done.returncode}, {time.monotonic() - began:.0f} s", flush=True)
    return done.returncode


def main() -> None:
    """Run the suites without each part in turn."""
    given = sys.argv[1:]
    end = given.index("--") if "--" in given else len(given)
    sys.exit(max([run(name, *given[end + 1 :]) for name in given[:end] or PARTS]))


if __name__ == "__main__":
    main()
