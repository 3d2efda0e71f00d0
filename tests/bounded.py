"""Long machines end: by their number of examples, or on a slow computer when their minutes are over."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

BATCH = 10
# Of each machine; a batch that has begun is still played.
MINUTES = float(os.environ.get("MACHINE_MINUTES", "4"))


def in_batches(play: Callable[[int], None], *, examples: int) -> None:
    """Have *play* try so many examples, some at a time, until its minutes are over."""
    ends = time.monotonic() + MINUTES * 60
    tried = 0
    while tried < examples and (tried == 0 or time.monotonic() < ends):
        batch = min(BATCH, examples - tried)
        play(batch)
        tried += batch
    if tried < examples:
        print(f"{tried} of {examples} examples in {MINUTES:g} minutes")
