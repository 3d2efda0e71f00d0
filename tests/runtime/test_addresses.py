"""Rate limits count callers by network, so that many addresses of one network are no advantage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import pytest

from config.front.limits import Limits
from config.front.protocol import ConnectionMonitor
from runtime import addresses
from runtime.stream import app
from tests.config.test_bridge import scope

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper


@pytest.mark.parametrize(
    ("address", "networks"),
    [
        ("192.0.2.7", ("192.0.2.7",)),
        ("::ffff:192.0.2.7", ("192.0.2.7",)),
        ("::ffff:c000:207", ("192.0.2.7",)),
        ("2001:db8:1:2:3:4:5:6", ("2001:db8:1:2::", "2001:db8:1::/48")),
        ("2001:db8:1:2::9", ("2001:db8:1:2::", "2001:db8:1::/48")),
        ("2001:db8:1::9", ("2001:db8:1::", "2001:db8:1::/48")),
        ("fe80::1%eth0", ("fe80::", "fe80::/48")),
        ("nonsense", ("nonsense",)),
        ("", ("",)),
    ],
)
def test_an_address_counts_in_its_networks(address: str, networks: tuple[str, ...]) -> None:
    assert addresses.list_networks(address) == networks
    assert addresses.find_network(address) == networks[0]


@pytest.mark.parametrize(
    ("proxies", "forwarded", "caller"),
    [
        (0, "6.6.6.6", "127.0.0.1"),
        (1, "6.6.6.6, 9.9.9.9", "9.9.9.9"),
        (2, "6.6.6.6, 9.9.9.9, 10.0.0.1", "9.9.9.9"),
        (2, "6.6.6.6", "127.0.0.1"),
        (1, "nonsense", "127.0.0.1"),
        (1, "9.9.9.9:4711", "9.9.9.9"),
        (1, "[2001:db8::9]:4711", "2001:db8::9"),
        (1, "::ffff:9.9.9.9", "9.9.9.9"),
    ],
)
def test_the_caller_is_what_our_proxies_vouch_for(
    settings: SettingsWrapper, proxies: int, forwarded: str, caller: str
) -> None:
    settings.TRUSTED_PROXIES = proxies
    assert addresses.find_caller(forwarded, "127.0.0.1") == caller


def test_connections_of_one_network_count_together(settings: SettingsWrapper) -> None:
    settings.CONNECTIONS_PER_ADDRESS = 10
    loop = Mock()
    watch = ConnectionMonitor()

    def connect(address: str) -> Any:
        networks = addresses.list_networks(address)
        one: Any = Mock(networks=networks, limits=Limits(), loop=loop)
        watch.add(one)
        return one

    first = [connect(f"2001:db8::{number:x}") for number in range(1, 11)]
    assert not watch.is_crowded_by(first[-1])
    last = connect("2001:db8::ffff")
    assert watch.is_crowded_by(last)
    assert not watch.is_crowded_by(connect("2001:db8:0:1::1"))
    for number in range(2, 2 + 10 * addresses.WIDE_FACTOR):
        last = connect(f"2001:db8:0:{number:x}::1")
    assert watch.is_crowded_by(last), "one of 65,536 networks each"
    assert not watch.is_crowded_by(connect("2001:db8:1::1"))
    for one in list(watch._all):
        watch.discard(one)
    assert not watch._by_network


def test_streams_of_one_network_count_together(
    settings: SettingsWrapper, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.STREAMS_PER_ADDRESS = 3
    monkeypatch.setattr(app, "_by_network", type(app._by_network)())
    for number in range(3):
        networks = addresses.find_networks(scope(client=(f"2001:db8::{number}", 1)))
        assert not app._is_full(networks)
        app._by_network.update(networks)
    assert app._is_full(addresses.find_networks(scope(client=("2001:db8::ffff:1", 1))))
    assert not app._is_full(addresses.find_networks(scope(client=("2001:db8:0:1::1", 1))))
