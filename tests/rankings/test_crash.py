"""Programs that compute ratings are killed in the middle: afterwards the ledger is what the matches lead to."""

from __future__ import annotations

import pytest
from django.db.models import Count

from rankings.models import LedgerEntry, Rebuild
from tests.matches.test_crash import say
from tests.runtime.conftest import migrated_file, premises, static_root  # noqa: F401
from tests.runtime.premises import ALIAS, Premises
from tests.runtime.support import until

pytestmark = pytest.mark.long
MATCHES = 6_000


def begun() -> bool:
    return Rebuild.objects.using(ALIAS).filter(done__gt=0).exists()


def left() -> Rebuild:
    row = Rebuild.objects.using(ALIAS).filter(done__gt=0).first()
    assert row is not None, "it was killed too late"
    assert row.done < row.total
    return row


def test_a_rebuild_and_a_correction_are_killed(premises: Premises) -> None:  # noqa: F811
    say(premises, "tests.rankings.many", "seed", str(MATCHES))
    command = premises.start("rebuild_ratings")
    until(begun, within=60)
    command.kill()
    left()
    stopped = premises.run("rebuild_ratings", "--check")
    assert stopped.returncode == 1
    assert "rebuild_ratings goes on with it" in stopped.stdout
    assert premises.run("rebuild_ratings").returncode == 0
    check(premises, written=1)

    say(premises, "tests.rankings.many", "correct")
    server = premises.open()
    until(begun, within=60)
    server.kill()
    left()
    # Its lease is not waited for.
    Rebuild.objects.using(ALIAS).update(leased_until=None)
    premises.let_time_pass()
    server = premises.open()
    until(lambda: not Rebuild.objects.using(ALIAS).exists(), within=90)
    assert server.stop() == 0
    check(premises, written=2)


def check(place: Premises, *, written: int) -> None:
    """The ledger is right, and no entry was written more often than it had to be."""
    told = place.run("rebuild_ratings", "--check")
    assert told.returncode == 0, told.stdout
    assert "2 rating lists recomputed" in told.stdout
    most = (
        LedgerEntry.objects.using(ALIAS)
        .values("list", "match", "player")
        .annotate(times=Count("pk"))
        .order_by("-times")[0]
    )
    assert most["times"] <= written
