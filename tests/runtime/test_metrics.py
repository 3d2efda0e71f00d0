"""The counters of a web process; each of several web processes exports its counters separately."""

from __future__ import annotations

import re

import pytest

from runtime.metrics import Counters
from runtime.models import Node
from tests.runtime.premises import ALIAS, Premises
from tests.runtime.support import get, until


def test_requests_are_counted_by_method_and_status() -> None:
    desk = Counters()
    for _ in range(3):
        desk.count(method="GET", status=200, seconds=0.003)
    desk.count(method="GET", status=200, seconds=0.2)
    desk.count(method="POST", status=599, seconds=99)
    desk.count(method="BREW", status=418, seconds=0.003)
    found = desk.total()
    assert found.requests == {("GET", 200): 4, ("POST", 599): 1, ("other", 418): 1}
    assert found.answers.in_bucket == [4, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
    assert found.answers.seconds == pytest.approx(99.212)
    desk.count(method="GET", status=200, seconds=0.01)
    assert found.requests["GET", 200] == 4, "what was told stays as it was"
    assert Counters().total().requests == {}


@pytest.mark.services
def test_of_two_web_processes_each_tells_its_own_under_its_own_name(apart: Premises) -> None:
    apart.open("serve", "web", "--processes", "2")
    until(lambda: Node.objects.using(ALIAS).filter(role="web").count() == 2)
    told: dict[str, int] = {}

    def both_have_told() -> bool:
        assert get(apart.port, "/nowhere/")[0] == 404
        text = get(apart.port, "/metrics")[1].decode()
        (found,) = re.findall(
            r'barpoint_requests_total\{method="GET",status="404",process="(\d+)"\} (\d+)', text
        ) or [("", 0)]
        if found[0]:
            assert int(found[1]) >= told.get(found[0], 0)
            told[found[0]] = int(found[1])
        return len(told) == 2

    until(both_have_told)
