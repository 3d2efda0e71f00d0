"""What several web processes count is one sum, which never goes back."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from runtime import tally
from runtime.models import Node
from runtime.tally import Counters, Tally
from tests.runtime.premises import ALIAS
from tests.runtime.support import ROOT, Listener, get, until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from runtime.tally import Shared
    from tests.runtime.premises import Premises


@pytest.fixture
def shared() -> Iterator[Shared]:
    made = tally.make(3)
    yield made
    os.close(made.descriptor)


def desk_at(shared: Shared, place: int) -> Counters:
    desk = Counters()
    desk.join(shared.descriptor, place)
    return desk


def test_whoever_is_asked_tells_the_sum_of_all(shared: Shared) -> None:
    first, second = desk_at(shared, 0), desk_at(shared, 2)
    for _ in range(3):
        first.count(method="GET", status=200, seconds=0.003)
    second.count(method="GET", status=200, seconds=0.2)
    second.count(method="POST", status=599, seconds=99)
    second.count(method="BREW", status=418, seconds=0.003)
    first.set_streams(4)
    second.set_streams(7)
    found = first.total()
    assert found == second.total()
    assert found.requests == {("GET", 200): 4, ("POST", 599): 1, ("other", 418): 1}
    assert found.in_bucket == [4, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    assert found.seconds == pytest.approx(99.212)
    assert found.streams == 11


def test_the_next_in_a_place_counts_on_from_the_last_and_has_no_streams_yet(shared: Shared) -> None:
    before = desk_at(shared, 1)
    before.count(method="GET", status=200, seconds=0)
    before.set_streams(9)
    after, other = desk_at(shared, 1), desk_at(shared, 0)
    assert other.total().streams == 0
    after.count(method="GET", status=200, seconds=0)
    assert other.total().requests == {("GET", 200): 2}


def test_what_one_process_counts_another_one_reads(shared: Shared) -> None:
    code = f"from runtime.tally import COUNTERS; COUNTERS.join({shared.descriptor}, 2); COUNTERS.count(method='GET', status=204, seconds=1)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, pass_fds=[shared.descriptor], check=True)
    assert desk_at(shared, 0).total().requests == {("GET", 204): 1}


def test_alone_it_counts_for_itself() -> None:
    desk = Counters()
    desk.count(method="GET", status=200, seconds=0.01)
    assert desk.total().requests == {("GET", 200): 1}
    assert Counters().total().requests == {}


def test_every_status_of_http_has_its_number() -> None:
    place: Tally = tally.private()
    for status in (100, 599):
        place.count(method="other", status=status, seconds=0)
    assert tally.total([place]).requests == {("other", 100): 1, ("other", 599): 1}


# Two real web processes


def told(premises: Premises, figure: str) -> int:
    lines = get(premises.port, "/metrics")[1].decode().splitlines()
    return sum(int(line.split()[-1]) for line in lines if line.startswith(figure))


@pytest.mark.services
def test_two_web_processes_tell_one_sum_that_outlives_either(apart: Premises) -> None:
    apart.open("serve", "web", "--processes", "2")
    until(lambda: Node.objects.using(ALIAS).filter(role="web").count() == 2, within=60)
    names = set(Node.objects.using(ALIAS).values_list("name", flat=True))
    misses = 'barpoint_requests_total{method="GET",status="404"}'
    for _ in range(200):
        assert get(apart.port, "/nowhere/")[0] == 404
    # Over fresh connections, so that both are asked.
    assert [told(apart, misses) for _ in range(20)] == [200] * 20

    listeners = [Listener(apart.port, apart.token("club.a")) for _ in range(20)]
    until(lambda: told(apart, "barpoint_streams_open") == 20)
    os.kill(int(names.pop().split("-")[-2]), signal.SIGKILL)
    until(lambda: told(apart, "barpoint_streams_open") < 20)
    for _ in range(10):
        assert told(apart, misses) == 200
    until(lambda: Node.objects.using(ALIAS).exclude(name__in=names).count() >= 2, within=60)
    for _ in range(50):
        assert get(apart.port, "/nowhere/")[0] == 404
    assert [told(apart, misses) for _ in range(10)] == [250] * 10
    for listener in listeners:
        listener.close()
    until(lambda: told(apart, "barpoint_streams_open") == 0)
