"""Attacks of a stranger or a new account on the site: their answers, stored data and notified users.

`bench/attacks.py` measures how long others wait; these tests do not depend on the machine.
"""

from __future__ import annotations

import pytest

from tests.attack import strangers
from tests.attack.besieged import Siege, besiege, visit
from tests.attack.client import sign_up
from tests.runtime.conftest import migrated_file, premises, static_root  # noqa: F401
from tests.runtime.premises import Premises

pytestmark = [
    pytest.mark.slow,
    pytest.mark.installation,
]
# The goal is 100 MB; sampling, and a server that has just started, make it more.
MOST_GROWTH = 200_000_000
# Sessions, counters, and pages of the database that are not full.
MOST_KEPT = 8_000_000
ERRORS = {500, 502, 503, 504}
# Attacks whose every request is to be refused, but for what one address or network is free to do.
REFUSED = {"long_cookie", "codes_in_log"}


def attack(premises: Premises, name: str) -> tuple[Siege, str]:  # noqa: F811
    """Run one attack; return its report and the log."""
    program = premises.open(LOG_LEVEL="INFO", TRUSTED_PROXIES="1")
    pid = program.process.pid
    account = sign_up(premises.port, source="127.0.0.4")
    for _ in range(5):
        assert visit(premises.port)[0] == 200
    siege = besiege(
        name, port=premises.port, pid=pid, token="", account=account, measure_disk=lambda: disk_of(premises)
    )
    assert siege.outcomes, siege.said
    assert visit(premises.port)[0] == 200
    return siege, program.text


def disk_of(premises: Premises) -> int:  # noqa: F811
    return sum(path.stat().st_size for path in premises.folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("name", strangers.ATTACKS)
def test_an_attack_of_one_stranger_stays_small(premises: Premises, name: str) -> None:  # noqa: F811
    siege, log = attack(premises, name)
    assert not ERRORS & set(siege.outcomes), siege.outcomes
    assert {status for status, _ in (*siege.visits, *siege.health)} <= {200}
    # A redirect says that the setting was saved.
    assert {status for status, _ in siege.writes} <= {302}
    assert siege.leaked == []
    assert [secret for secret in siege.secrets if secret in log] == []
    assert siege.memory_growth < MOST_GROWTH
    assert siege.disk_growth < MOST_KEPT
    if name in REFUSED:
        assert siege.is_refused, siege.outcomes


def test_a_round_robin_is_refused_before_its_names_are_kept(premises: Premises) -> None:  # noqa: F811
    siege, _ = attack(premises, "round_robin_of_many")
    assert siege.is_refused, siege.outcomes
