"""While a stranger attacks, others are served; the attack gets what the limits say, and leaves nothing behind.

How quickly others are served is measured by `bench/attacks.py`.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from config.front.limits import Limits
from tests.attack import attacks
from tests.attack.besieged import besiege, connections_of, visit
from tests.attack.probes import PROBES
from tests.runtime.conftest import migrated_file, premises, static_root  # noqa: F401
from tests.runtime.premises import Premises
from tests.runtime.support import until

MOST_MEMORY = 300_000_000
# As the settings have it, for one address.
CONNECTIONS, STREAMS = 1_000, 600
# A caller who still writes when the door is closed may never read what was said.
CUT = 0

Outcomes = dict[int, int]


def _only(*statuses: int) -> Callable[[Outcomes], bool]:
    return lambda outcomes: set(outcomes) <= set(statuses)


EXPECTED: dict[str, Callable[[Outcomes], bool]] = {
    "header_flood": _only(431, CUT),
    "endless_heads": _only(431, CUT),
    "slow_heads": _only(408),
    "slow_bodies": _only(408),
    "great_bodies": _only(413, CUT),
    "idle_connections": lambda found: found == {408: CONNECTIONS},
    "crowd": lambda found: set(found) <= {408, 503, CUT} and found[408] <= CONNECTIONS,
    "streams": lambda found: set(found) <= {200, 429, 503, CUT} and found[200] == STREAMS,
    "pipelining": lambda found: found[503] == 20 and found.get(200, 0) <= 20 * (Limits().pipelined + 2),
    "probes": lambda found: found == {0: len(PROBES), 1: 0},
}


def test_every_attack_is_expected_to_end_somehow() -> None:
    assert set(EXPECTED) == set(attacks.ATTACKS)
    assert len(PROBES) >= 80


@pytest.mark.slow
@pytest.mark.installation
def test_nobody_else_notices_an_attack(premises: Premises) -> None:  # noqa: F811
    pid = premises.open().process.pid
    token = premises.token("club.a")
    assert visit(premises.port)[0] == 200
    before = connections_of(pid)
    for name, is_right in EXPECTED.items():
        siege = besiege(name, port=premises.port, pid=pid, token=token)
        assert siege.outcomes, siege.said
        assert is_right(siege.outcomes), (name, siege.outcomes, siege.said)
        assert {status for status, _ in siege.visits} == {200}, name
        assert siege.most_memory < MOST_MEMORY, name
        # Within what a connection may stay open for.
        until(lambda: connections_of(pid) <= before + 5, within=60)
    assert visit(premises.port)[0] == 200
