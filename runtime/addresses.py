"""Client addresses, and the networks by which rate limits count them (ADR 45).

A household or server usually has a whole IPv6 /64, and a provider's customer often a /48, so counting single
addresses would limit nothing. Each client counts in its /64, and some limits also count the /48 with
`WIDE_FACTOR` times the allowance. IPv4 addresses count singly.
"""

from __future__ import annotations

import ipaddress
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from asgiref.typing import HTTPScope
from django.conf import settings

NETWORK_BITS: Final = 64
WIDE_BITS: Final = 48
# Allowance of a /48, as a multiple of that of a /64. A /48 contains 65,536 of them.
WIDE_FACTOR: Final = 8
# Allowance of each network of `list_networks`, as a multiple of one client's.
FACTORS: Final = (1, WIDE_FACTOR)


def find_caller(forwarded: str, peer: str) -> str:
    """Return the client's address: from our outermost trusted proxy, or the peer's if there is none."""
    if proxies := settings.TRUSTED_PROXIES:
        hops = forwarded.split(",")
        if len(hops) >= proxies and (address := _normalize_address(hops[-proxies])):
            return address
    return _normalize_address(peer) or peer


def read_caller(meta: Mapping[str, str]) -> str:
    """Return the address of the client of a WSGI request."""
    return find_caller(meta.get("HTTP_X_FORWARDED_FOR", ""), meta.get("REMOTE_ADDR", ""))


def find_networks(scope: HTTPScope) -> tuple[str, ...]:
    """Return the networks of a request's client, from the header of the trusted proxies if there are any."""
    forwarded = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
    client = scope.get("client")
    return list_networks(find_caller(forwarded.decode("latin-1"), client[0] if client else ""))


def find_network(address: str) -> str:
    """Return the network that counts as one client; text that is not an address is returned unchanged."""
    return list_networks(address)[0]


@lru_cache(maxsize=4_096)
def list_networks(address: str) -> tuple[str, ...]:
    """Return the client's network, and for IPv6 also its /48."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return (address,)
    if isinstance(ip, ipaddress.IPv4Address):
        return (str(ip),)
    if ip.ipv4_mapped is not None:
        return (str(ip.ipv4_mapped),)
    narrow, wide = (ipaddress.ip_network((ip, bits), strict=False) for bits in (NETWORK_BITS, WIDE_BITS))
    # The prefix length distinguishes the /48 from its first /64.
    return str(narrow.network_address), str(wide)


class NetworkCounter(Counter[str]):
    """Counts by network; networks with nothing are left out. Not thread-safe."""

    def release(self, networks: Iterable[str], number: int = 1) -> None:
        for network in networks:
            self[network] -= number
            if not self[network]:
                del self[network]

    def exceeds(
        self, networks: Iterable[str], most: int, *, more: int = 0, ceiling: float = math.inf
    ) -> bool:
        """True if, with *more*, a network of `list_networks` has more than its allowance or the *ceiling*."""
        return any(
            self[network] + more > min(most * factor, ceiling)
            for network, factor in zip(networks, FACTORS, strict=False)
        )


def _normalize_address(text: str) -> str:
    """Return the address without port, brackets and zone, or "" if it is invalid."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        ip = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return ""
    mapped = getattr(ip, "ipv4_mapped", None)
    return str(mapped or ip)
