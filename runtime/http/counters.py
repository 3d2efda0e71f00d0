"""Caches for rate limits, separate from other caches, that evict small counters first (ADR 45)."""

from __future__ import annotations

import pickle
import sys
from typing import TYPE_CHECKING

from django.core.cache import caches
from django.core.cache.backends.locmem import LocMemCache
from django.utils.connection import ConnectionProxy

if TYPE_CHECKING:
    from collections import OrderedDict
    from collections.abc import Callable


class CounterCache(LocMemCache):
    """A bounded in-process cache that evicts small counters first.

    To evict a counter at n, an attacker has to raise three quarters of the table's entries to n, too. The
    stock cache evicts the least recently used entry, so that requests from enough networks would erase all
    counts of wrong passwords.
    """

    # Attributes of Django's class that its type stubs omit.
    _cache: OrderedDict[str, bytes]
    _delete: Callable[[str], bool]
    _has_expired: Callable[[str], bool]
    _max_entries: int

    def _cull(self) -> None:
        for key in [key for key in self._cache if self._has_expired(key)]:
            self._delete(key)
        # Least recently used first; the sort is stable.
        oldest_first = reversed(self._cache)
        surplus = len(self._cache) - self._max_entries * 3 // 4
        if surplus > 0:
            for key in sorted(oldest_first, key=lambda key: _compute_weight(self._cache[key]))[:surplus]:
                self._delete(key)


def _compute_weight(pickled: bytes) -> int:
    """Return the count; values that are not counters weigh most."""
    value = pickle.loads(pickled)  # noqa: S301 - written by this process
    if isinstance(value, int):
        return value
    return len(value) if isinstance(value, list) else sys.maxsize


# For wrong passwords and codes.
ATTEMPTS = ConnectionProxy(caches, "attempts")
# For API requests and visitors.
LIMITS = ConnectionProxy(caches, "limits")
