"""Runs of seeds, each with its own database, and the search for the few steps that a failure needs."""

from __future__ import annotations

import logging
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from django.db import connection
from django.test.utils import setup_databases, setup_test_environment

from matches.bots.thinker import Thinker
from runtime.redis_calls import CALLS
from tests.simulation.evening import STEPS, Evening, Tally


class Runs:
    """Runs seeds one after the other in this process."""

    def __init__(self, folder: Path) -> None:
        setup_test_environment()
        setup_databases(verbosity=0, interactive=False)
        # Each planted error would be a traceback.
        logging.disable()
        CALLS.is_muted = Thinker.is_muted = True
        self._database = connection.settings_dict["NAME"]
        self._empty = folder / "empty.sqlite3"
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(self._empty)])
        self.counts = Counter[str]()
        self.last: Evening

    def run(self, seed: int, steps: Sequence[int] | None = None) -> Tally:
        """Play one seed in an empty database.

        :raises Broken: a promise was not kept.
        """
        connection.close()
        for ending in ("-wal", "-shm"):
            self._database.with_name(self._database.name + ending).unlink(missing_ok=True)
        shutil.copy(self._empty, self._database)
        self.last = Evening(seed)
        try:
            return self.last.play(steps)
        finally:
            for name in ("acknowledged", "refused", "lost_answers", "deaths", "errors"):
                self.counts[name] += getattr(self.last.tally, name)

    def find_problem(self, seed: int, steps: Sequence[int] | None = None) -> str:
        """The error of a seed, or "" without one."""
        try:
            self.run(seed, steps)
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        return ""

    def shrink(self, seed: int) -> list[int]:
        """Return few steps with which the seed still fails."""
        return find_fewest(range(STEPS), lambda steps: bool(self.find_problem(seed, steps)))

    def describe(self) -> str:
        """Describe what happened in all runs."""
        return ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in sorted(self.counts.items()))


def find_fewest(steps: Iterable[int], is_failing: Callable[[Sequence[int]], bool]) -> list[int]:
    """Return few of the steps that still fail: halves are left out, then quarters, at last single steps."""
    found = list(steps)
    size = len(found) // 2
    while size:
        at = 0
        while at < len(found):
            fewer = found[:at] + found[at + size :]
            if is_failing(fewer):
                found = fewer
            else:
                at += size
        size //= 2
    return found
