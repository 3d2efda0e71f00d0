"""Run targets of the Makefile one after the other, and print the time of each.

python -m tests.check format lint types ...

Continues after a failed target; the exit status is 1 if any failed. DRAWN is the seed of the long tests that run
(`tests/drawn.py`): a new one each time; DRAWN=all runs them all.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time


def main(targets: list[str]) -> int:
    """Run the targets; return the exit status."""
    seed = os.environ.setdefault("DRAWN", f"{random.randrange(10_000):04}")
    lines: list[str] = []
    failed = False
    began = time.monotonic()
    for target in targets:
        print(f"== {target}", flush=True)
        start = time.monotonic()
        code = subprocess.call(["make", "--no-print-directory", target])
        failed = failed or code != 0
        lines.append(line(target, time.monotonic() - start, "passed" if code == 0 else "FAILED"))
    outcome = "FAILED" if failed else "passed"
    lines.append(line("all", time.monotonic() - began, f"{outcome} DRAWN={seed}"))
    print("\n".join(lines), flush=True)
    return 1 if failed else 0


def line(target: str, seconds: float, outcome: str) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{target:14} {minutes:3}:{rest:02}  {outcome}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
