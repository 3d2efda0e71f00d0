"""Run seeds of the simulation; shrink those that fail, and print how to run each again."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.simulation.evening import Tally
    from tests.simulation.runs import Runs


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the seeds; return 1 if one failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--seed", type=int, help="run this one alone")
    parser.add_argument("--steps", help="take these steps alone, as in 3,8,21")
    parser.add_argument("--log", action="store_true", help="print each request")
    parser.add_argument(
        "--plant", default="", help="damage the product in this way, and stop at the first failure"
    )
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="barpoint-simulation-") as folder:
        os.environ |= {
            "DATA_DIR": folder,
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "LOG_LEVEL": "CRITICAL",
            # The clock of the simulation has no hand in it: a busy machine must not fail a seed.
            "TRANSACTION_SECONDS": "600",
        }
        import django

        django.setup()
        from tests.simulation.plants import plant
        from tests.simulation.runs import Runs

        runs = Runs(Path(folder))
        if chosen.seed is not None:
            steps = None if chosen.steps is None else [int(each) for each in chosen.steps.split(",") if each]
            return show(runs, chosen.seed, steps, with_log=chosen.log)
        seeds = range(chosen.first, chosen.first + chosen.seeds)
        with plant(chosen.plant):
            failed = find_failures(runs, seeds, is_planted=bool(chosen.plant))
        print(f"{len(seeds)} events, {failed} failed; {runs.describe()}")
        return 1 if failed else 0


def find_failures(runs: Runs, seeds: range, *, is_planted: bool) -> int:
    """Run all seeds, and shrink those that fail; with a planted damage, run until one fails. Return how many."""
    failed = 0
    for seed in seeds:
        if problem := runs.find_problem(seed):
            failed += 1
            print(f"seed {seed}: {problem}", flush=True)
            if is_planted:
                break
            steps = ",".join(map(str, runs.shrink(seed)))
            print(f"    python -m tests.simulation --log --seed {seed} --steps {steps or ','}", flush=True)
    return failed


def show(runs: Runs, seed: int, steps: list[int] | None, *, with_log: bool) -> int:
    """Run one seed and print its log or its traceback."""
    tally: Tally | None = None
    try:
        tally = runs.run(seed, steps)
    except Exception:
        traceback.print_exc()
    if with_log:
        print("\n".join(runs.last.tally.log))
    print(runs.last.plan)
    return 0 if tally else 1


if __name__ == "__main__":
    sys.exit(main())
