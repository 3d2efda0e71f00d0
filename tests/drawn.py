"""Chooses the long tests that `make check` runs: of each file a third, drawn by a seed.

DRAWN is the seed. If it is unset or "all", every test runs. Each check draws other tests. Of the short tests, which
`make test` runs on SQLite, a third is repeated on PostgreSQL.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

import pytest

ALL: Final = "all"
SHARE: Final = 3
LONG: Final = ("slow", "long", "browser")
# These run on PostgreSQL alone, so they are no repetition.
SERVERS: Final = ("services", "installation")


def get_seed() -> str:
    """Return the seed of this run; empty if nothing is drawn."""
    seed = os.environ.get("DRAWN", "")
    return "" if seed == ALL else seed


def draw(names: Iterable[str], seed: str) -> set[str]:
    """Draw a third of these names, at least one."""
    ranked = sorted(names, key=lambda name: sha256(f"{seed} {name}".encode()).digest())
    return set(ranked[: -(-len(ranked) // SHARE)])


def keep_drawn(items: list[pytest.Item], seed: str, *, is_second_database: bool) -> list[pytest.Item]:
    """Remove what is not drawn from *items*, and return it."""
    groups: dict[str, list[str]] = defaultdict(list)
    for item in items:
        if has_mark(item, LONG):
            groups[item.nodeid.partition("::")[0]].append(item.nodeid)
        elif is_second_database and not has_mark(item, SERVERS):
            groups["repeated"].append(item.nodeid)
    left_out = {name for names in groups.values() for name in set(names) - draw(names, seed)}
    gone = [item for item in items if item.nodeid in left_out]
    items[:] = [item for item in items if item.nodeid not in left_out]
    return gone


def has_mark(item: pytest.Item, names: Iterable[str]) -> bool:
    return any(item.get_closest_marker(name) for name in names)
