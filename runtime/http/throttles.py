"""The API's limits, counted by network and in a cache of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework.throttling import AnonRateThrottle, UserRateThrottle

from runtime import addresses
from runtime.http.counters import LIMITS

if TYPE_CHECKING:
    from rest_framework.request import Request
    from rest_framework.views import APIView


class _NetworkIdentity:
    """Name the caller by network, as all other limits do."""

    def get_ident(self, request: Request) -> str:
        """Return the network of the caller."""
        return addresses.find_network(_find_caller(request))


class WideThrottle(AnonRateThrottle):
    """So many requests from the 48 bits around an IPv6 network; IPv4 addresses are not counted here."""

    scope = "wide"
    cache: Any = LIMITS

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """Return the key of the wider network."""
        _narrow, *wide = addresses.list_networks(_find_caller(request))
        return self.cache_format % {"scope": self.scope, "ident": wide[0]} if wide else None


class AnonThrottle(_NetworkIdentity, AnonRateThrottle):
    """Visitors without an account, by network and by the wider one around it."""

    cache: Any = LIMITS

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Count the wide network first, so that one that is over its limit opens no more counters."""
        if self.get_cache_key(request, view) is not None:
            wide = WideThrottle()
            if not wide.allow_request(request, view):
                self.history, self.now = wide.history, wide.now
                return False
        return super().allow_request(request, view)


class UserThrottle(_NetworkIdentity, UserRateThrottle):
    """Accounts; visitors count by network."""

    cache: Any = LIMITS


def _find_caller(request: Any) -> str:
    return addresses.find_caller(
        request.META.get("HTTP_X_FORWARDED_FOR", ""), request.META.get("REMOTE_ADDR", "")
    )
