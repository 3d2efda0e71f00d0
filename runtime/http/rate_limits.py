"""Rate limits: separate caches that evict small counters first (ADR 45), and the API's limits by network."""

from __future__ import annotations

import pickle
import sys
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.core.cache import caches
from django.core.cache.backends.locmem import LocMemCache
from django.utils.connection import ConnectionProxy
from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle, UserRateThrottle

from runtime import addresses

if TYPE_CHECKING:
    from rest_framework.views import APIView


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


class _NetworkIdentity:
    """Mixin that identifies clients by network, and counts them in the cache for limits."""

    cache: Any = LIMITS

    def get_ident(self, request: Request) -> str:
        return addresses.find_network(addresses.read_caller(request.META))


class WideThrottle(_NetworkIdentity, AnonRateThrottle):
    """Limit for the /48 around an IPv6 network; IPv4 addresses are not counted."""

    scope = "wide"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        _narrow, *wide = addresses.list_networks(addresses.read_caller(request.META))
        return self.cache_format % {"scope": self.scope, "ident": wide[0]} if wide else None


class AnonThrottle(_NetworkIdentity, AnonRateThrottle):
    """Limit for visitors, by network and by the /48 around it."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Check the /48 first: one that is over its limit must not create more counters."""
        if self.get_cache_key(request, view) is not None:
            wide = WideThrottle()
            if not wide.allow_request(request, view):
                self.history, self.now = wide.history, wide.now
                return False
        return super().allow_request(request, view)


class UserThrottle(_NetworkIdentity, UserRateThrottle):
    """Limit for accounts; visitors count by network."""
