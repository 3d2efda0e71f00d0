"""Callers' addresses, and the networks under which every limit counts them (ADR 45).

One household or server has an IPv6 network of 64 bits to itself, and a customer of a provider often 48: to count single
addresses would be no limit. So each caller counts in the /64, and where a limit is to hold against somebody with many of
these, in the /48 as well, which may do `WIDE_FACTOR` times as much. An IPv4 address is a network of its own.
"""

from __future__ import annotations

import ipaddress
from functools import lru_cache
from typing import Final

from django.conf import settings

NETWORK_BITS: Final = 64
WIDE_BITS: Final = 48
# A /48 holds 65,536 networks of 64 bits; so many of them may use all that one may.
WIDE_FACTOR: Final = 8
# What each network of `list_networks` may do, as a multiple of what one caller may.
FACTORS: Final = (1, WIDE_FACTOR)


def find_caller(forwarded: str, peer: str) -> str:
    """Return the address of whoever asks: what the outermost of our own proxies saw, or the connection's other end."""
    if proxies := settings.TRUSTED_PROXIES:
        said = forwarded.split(",")
        if len(said) >= proxies and (address := _clean(said[-proxies])):
            return address
    return _clean(peer) or peer


def find_network(address: str) -> str:
    """Return the network that counts as one caller; text that is no address is returned as it is."""
    return list_networks(address)[0]


@lru_cache(maxsize=4_096)
def list_networks(address: str) -> tuple[str, ...]:
    """Return the caller's network, and for IPv6 the wider one around it."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return (address,)
    if isinstance(ip, ipaddress.IPv4Address):
        return (str(ip),)
    if ip.ipv4_mapped is not None:
        return (str(ip.ipv4_mapped),)
    narrow, wide = (ipaddress.ip_network((ip, bits), strict=False) for bits in (NETWORK_BITS, WIDE_BITS))
    # The wide one is told apart from its first /64 by its length.
    return str(narrow.network_address), str(wide)


def _clean(text: str) -> str:
    """Return an address without the port, brackets and zone that a proxy may add; empty if there is none."""
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
