"""Runs test suites without optional performance code.

python -m tests.without [express gate matching wheel] [-- PYTEST ARGS]

docs/how-it-runs.md lists these parts. Tests that need one are marked `needs("gate", "why")` and skipped.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import Final, NamedTuple

FAST: Final = "not slow and not long and not browser and not services"


class Burden(NamedTuple):
    """How to disable a part, and the suites that depend on it."""

    settings: dict[str, str]
    suites: tuple[str, ...]


BURDENS: Final = {
    "express": Burden({}, ("tests/engine", "tests/matches", "tests/test_ways.py")),
    "matching": Burden(
        {}, ("tests/draw", "tests/tournaments", "tests/careers", "tests/fixtures", "tests/test_ways.py")
    ),
    "gate": Burden(
        {"SQLITE_GATE": "0"}, ("tests/runtime", "tests/matches", "tests/config", "tests/tournaments")
    ),
    # The analysis engine, whose wheel is not available for all machines.
    "wheel": Burden(
        {},
        (
            "tests/opinion",
            "tests/records/submissions/test_replays.py",
            "tests/matches/watch/test_replay_pages.py",
        ),
    ),
}
# The parts disabled in this run; pytest workers inherit the variable.
ABSENT: Final = frozenset(os.environ.get("WITHOUT", "").split())


def switch_off() -> None:
    """Disable parts that have no setting; the others are disabled by environment variables."""
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
    burden = BURDENS[name]
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-m", FAST, *arguments, *burden.suites],
        env={**os.environ, **burden.settings, "WITHOUT": name},
    )
    print(f"without {name}: status {done.returncode}, {time.monotonic() - began:.0f} s", flush=True)
    return done.returncode


def main() -> None:
    """Run the suites without each part in turn."""
    given = sys.argv[1:]
    end = given.index("--") if "--" in given else len(given)
    sys.exit(max([run(name, *given[end + 1 :]) for name in given[:end] or BURDENS]))


if __name__ == "__main__":
    main()
