"""What a process asks the database each second, in one statement: must the heartbeat be faster, which sweeps have work?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from runtime import nodes
from runtime.work import hints, sweeps

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from runtime.nodes import Heart
    from runtime.work.sweeps import Sweep

HURRY: Final = "hurry"


class Poller:
    """Keeps the heart of a process beating and, if told how, sends sweeps that have something to do."""

    def __init__(self, heart: Heart, *, send: Callable[[Sweep], object] | None = None) -> None:
        self._heart = heart
        self._send = send
        self._turns = sweeps.Turns()

    def tick(self, now: datetime) -> None:
        """Ask, beat if it is time, and send; called each second."""
        asked = self._turns.take(now) if self._send else []
        found = sweeps.with_work(asked, now=now, **{HURRY: nodes.is_hurried})
        self._heart.tick(now, is_hurried=HURRY in found)
        for sweep in asked:
            if self._send and sweep.name in found:
                self._send(sweep)


_turns: Final = sweeps.Turns()


def look(*, now: datetime) -> None:
    """Send the sweeps that have something to do: a worker does this each second, when beat asks for it."""
    asked = _turns.take(now)
    found = sweeps.with_work(asked, now=now)
    for sweep in asked:
        if sweep.name in found:
            send(sweep)


def send(sweep: Sweep) -> None:
    """Have *sweep* run; what could not start in time is pointless, the next one looks at the same rows."""
    expires = max(5.0, 2 * sweep.every.total_seconds())
    hints.hint("runtime.sweep", sweeps.run, queue=sweep.queue, expires=expires, name=sweep.name)
