"""Two hundred events with everything that goes wrong between two writes, and damages that the simulation has to find."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.simulation.plants import PLANTS
from tests.simulation.runs import find_fewest

ROOT = Path(__file__).parents[2]
SEEDS, PORTION = 200, 25


def simulate(*arguments: str, **environment: str) -> tuple[int, str]:
    """Run the simulation; return its exit status and what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.simulation", *arguments],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.long
@pytest.mark.parametrize("first", range(1, SEEDS, PORTION))
def test_every_promise_is_kept(first: int) -> None:
    status, printed = simulate("--first", str(first), "--seeds", str(PORTION))

    assert status == 0, printed
    counts = {
        name.strip(): int(count)
        for name, count in re.findall(r"([a-z ]+) (\d+)(?:,|$)", printed.partition(";")[2])
    }
    assert counts["acknowledged"] > 10 * PORTION
    assert min(counts.values()) > 0


@pytest.mark.long
def test_a_seed_goes_the_same_way_each_time() -> None:
    runs = {simulate("--seed", "13", "--log", PYTHONHASHSEED=chance) for chance in "12"}

    assert len(runs) == 1
    assert len(runs.pop()[1].splitlines()) > 40


@pytest.mark.long
@pytest.mark.parametrize("plant", PLANTS)
def test_planted_damage_is_found(plant: str) -> None:
    status, printed = simulate("--plant", plant, "--seeds", "20")

    assert status == 1, printed
    assert "Broken" in printed


@pytest.mark.parametrize("needed", [{3, 17}, {0}, {39}, {1, 2, 3}, set()])
def test_a_failure_is_shrunk_to_the_steps_it_needs(needed: set[int]) -> None:
    assert find_fewest(range(40), lambda steps: needed <= {*steps}) == sorted(needed)
