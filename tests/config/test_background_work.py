"""Which work may wait for other work, in the installation as a whole."""

from __future__ import annotations

from opinion.selectors import here
from runtime import sweeps
from runtime.models import Queue

# Somebody waits for these: verdicts and pairings (in the outbox, and lost ones), and a visitor's end is quick.
QUICK = {"outbox-slow", "tournaments.rounds", "matches.visitors", "matches.delayed"}


def test_whatever_takes_long_leaves_a_thread_to_verdicts_and_pairings() -> None:
    slow = [sweep for sweep in sweeps.registered() if sweep.queue == Queue.SLOW]
    assert {sweep.name for sweep in slow if not sweep.is_background} <= QUICK
    assert {"rankings.rebuild", "rankings.dated", "records.archive", "venue.rehearsals"} <= {
        sweep.name for sweep in slow
    }
    assert ("opinion.analyses" in {sweep.name for sweep in slow}) == here.is_on()
