"""Runs Hypothesis state machines for a number of examples, with a time limit."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

BATCH = 5
# For each machine, so that all suites end within an hour; a batch that has begun is completed. Set MACHINE_MINUTES
# before a release.
MINUTES = float(os.environ.get("MACHINE_MINUTES", "1"))


def run(machine: type[RuleBasedStateMachine], *, examples: int, steps: int, **more: Any) -> None:
    """Run a slow machine with this many examples of this many steps."""
    tried = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        **more,
    )
    run_state_machine_as_test(machine, settings=tried)  # type: ignore[no-untyped-call]


def in_batches(play: Callable[[int], None], *, examples: int) -> None:
    """Call *play* with batches of examples until the time limit."""
    ends = time.monotonic() + MINUTES * 60
    tried = 0
    while tried < examples and (tried == 0 or time.monotonic() < ends):
        batch = min(BATCH, examples - tried)
        play(batch)
        tried += batch
    if tried < examples:
        # Shown at the end of the run, so that an incomplete run is noticed.
        warnings.warn(f"{tried} of {examples} examples in {MINUTES:g} minutes", stacklevel=2)
