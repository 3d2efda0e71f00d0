"""Where limits count: caches that nobody fills by using something else, and that give up small counters first (ADR 45)."""

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
    """A bounded table of this process that gives up small counters first.

    To push out a counter at n, somebody has to bring three quarters of the table's entries to n, too. The stock cache gives
    up what was not used for the longest, so that as many networks as it has entries make it forget every wrong password.
    """

    # Django's own, which its types leave out.
    _cache: OrderedDict[str, bytes]
    _delete: Callable[[str], bool]
    _has_expired: Callable[[str], bool]
    _max_entries: int

    def _cull(self) -> None:
        for key in [key for key in self._cache if self._has_expired(key)]:
            self._delete(key)
        # Used longest ago first; the sort keeps that order among equals.
        oldest_first = reversed(self._cache)
        surplus = len(self._cache) - self._max_entries * 3 // 4
        if surplus > 0:
            for key in sorted(oldest_first, key=lambda key: _weight(self._cache[key]))[:surplus]:
                self._delete(key)


def _weight(pickled: bytes) -> int:
    """Return how much has been counted; what is no counter is worth most."""
    value = pickle.loads(pickled)  # noqa: S301 - written by this process
    if isinstance(value, int):
        return value
    return len(value) if isinstance(value, list) else sys.maxsize


# Wrong passwords and codes.
ATTEMPTS = ConnectionProxy(caches, "attempts")
# Requests to the API, visitors.
LIMITS = ConnectionProxy(caches, "limits")
