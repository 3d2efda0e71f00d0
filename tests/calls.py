"""How much work something is, in calls: the same on every machine, however busy."""

from __future__ import annotations

import cProfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def calls_of(work: Callable[[], object]) -> int:
    """Return how many functions *work* calls, those of C with them."""
    profile = cProfile.Profile()
    profile.runcall(work)
    profile.create_stats()
    return sum(row[1] for row in profile.stats.values())  # type: ignore[attr-defined]
