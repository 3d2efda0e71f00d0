"""Runs the suites that lean on a burden without it: python -m tests.without [express gate front matching wheel] [-- PYTEST ARGS].

docs/how-it-runs.md tells what the burdens are. What truly needs one is marked `needs("gate", "why")` and skipped.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import Final, NamedTuple

FAST: Final = "not slow and not long and not browser and not services"


class Burden(NamedTuple):
    """How to do without something, and who would notice."""

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
    # The analysis engine, which not every machine has a wheel of.
    "wheel": Burden(
        {},
        (
            "tests/opinion",
            "tests/records/submissions/test_replays.py",
            "tests/matches/watch/test_replay_pages.py",
        ),
    ),
    "front": Burden({"FRONT_GUARD": "0"}, ("tests/config", "tests/runtime")),
}
# Those that this run does without; a worker of pytest inherits the variable.
ABSENT: Final = frozenset(os.environ.get("WITHOUT", "").split())


def switch_off() -> None:
    """Do without the burdens of the libraries, which read no environment; the others are settings of the product."""
    if "express" in ABSENT:
        from engine import express

        express.is_on = False
    if "matching" in ABSENT:
        from draw import matching

        matching.is_on = False
    if "wheel" in ABSENT:
        # Python takes it for one that is not installed.
        sys.modules["bgsage"] = None  # type: ignore[assignment]


def run(name: str, *arguments: str) -> int:
    """Run its suites without one burden; return pytest's status."""
    burden = BURDENS[name]
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-m", FAST, *arguments, *burden.suites],
        env={**os.environ, **burden.settings, "WITHOUT": name},
    )
    print(f"without {name}: status {done.returncode}, {time.monotonic() - began:.0f} s", flush=True)
    return done.returncode


def main() -> None:
    """Do without each in turn."""
    given = sys.argv[1:]
    end = given.index("--") if "--" in given else len(given)
    sys.exit(max([run(name, *given[end + 1 :]) for name in given[:end] or BURDENS]))


if __name__ == "__main__":
    main()
