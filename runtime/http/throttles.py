"""Rate limits of the API, counted by network, in a separate cache."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework.throttling import AnonRateThrottle, UserRateThrottle

from runtime import addresses
from runtime.http.counters import LIMITS

if TYPE_CHECKING:
    from rest_framework.request import Request
    from rest_framework.views import APIView


class _NetworkIdentity:
    """Mixin that identifies clients by network, and counts them in the cache for limits."""

    cache: Any = LIMITS

    def get_ident(self, request: Request) -> str:
        return addresses.find_network(_find_caller(request))


class WideThrottle(_NetworkIdentity, AnonRateThrottle):
    """Limit for the /48 around an IPv6 network; IPv4 addresses are not counted."""

    scope = "wide"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        _narrow, *wide = addresses.list_networks(_find_caller(request))
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


def _find_caller(request: Any) -> str:
    return addresses.find_caller(
        request.META.get("HTTP_X_FORWARDED_FOR", ""), request.META.get("REMOTE_ADDR", "")
    )
