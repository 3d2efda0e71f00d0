"""Several web processes at one address: opened, watched, replaced and ended together.

A process that dies is replaced. SIGHUP replaces all of them, one after the other, by processes of what lies on the disk
now: the new one accepts at the same socket before the old one is told to leave, so no caller is refused a connection; and
if the new one does not come up, the old ones stay (docs/adr/0050).
"""

from __future__ import annotations

import contextlib
import signal
import socket
import sys
import time
from typing import TYPE_CHECKING

import structlog
from django.conf import settings
from django.db import connections

from config.child import LEAVE_SECONDS, Child
from config.notice import Notice
from config.process import Ending, Refusal
from runtime import tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

log = structlog.get_logger(__name__)

GRACE_SECONDS = 5
# A slow machine that is also busy with the visitors.
START_SECONDS = 120
LOOK_SECONDS = 0.2


def _listeners(count: int) -> list[socket.socket]:
    """Open one listening socket for each process, all at our address.

    The kernel then spreads callers over them; of one shared socket the first process to wake takes all
    that wait. They stay open here, so callers of a process that dies wait for the one that replaces it.
    """
    address = (settings.HOST, settings.PORT)
    if not hasattr(socket, "SO_REUSEPORT"):
        return [socket.create_server(address, backlog=2048)] * count
    # Alone first: an address shared on purpose would be shared with a stranger as well.
    socket.create_server(address).close()
    return [socket.create_server(address, backlog=2048, reuse_port=True) for _ in range(count)]


def run(processes: int, *, announce: Callable[[], None]) -> None:
    """Run web processes at one address; replace one that dies, and all when asked; end them together."""
    try:
        listeners = _listeners(processes)
    except OSError as error:
        raise Refusal(
            f"Nothing could be served at {settings.HOST}:{settings.PORT}: {error.strerror}."
        ) from None
    announce()
    # What was asked of the database has been answered.
    connections.close_all()
    Supervisor(listeners).run()


class Supervisor:
    """Web processes, one at each socket."""

    def __init__(self, listeners: Sequence[socket.socket]) -> None:
        self._listeners = listeners
        # For those that serve and, while they are replaced, for those that come and go.
        self._figures = tally.make(2 * len(listeners))
        self._free = list(range(2 * len(listeners)))
        self._children: list[Child] = []
        # Besides them: the one that starts, those that leave.
        self._others: list[Child] = []
        # How often a reload was asked for, up to which request one has begun, and up to which one has ended.
        self._asked = self._begun = self._done = 0
        self._outcome = ""
        self._reload: Iterator[None] = iter(())
        self._notice = Notice(settings.DATA_DIR, settings.PORT)

    def run(self) -> None:
        """Serve until told to stop."""
        ending = Ending()
        # At a terminal the signal says that the terminal is gone.
        signal.signal(signal.SIGHUP, ending.ask if sys.stdin.isatty() else self._ask)
        self._children = [self._start(listener) for listener in self._listeners]
        self._tell()
        while not ending.wait(LOOK_SECONDS):
            self._replace_the_dead(pause=ending.wait)
            self._go_on_reloading()
        self._end_all()
        self._notice.close()

    def _ask(self, *_: object) -> None:
        self._asked += 1
        self._tell()

    def _tell(self) -> None:
        self._notice.tell(asked=self._asked, done=self._done, outcome=self._outcome)

    def _start(self, listener: socket.socket, *, is_new: bool = False) -> Child:
        return Child(listener.fileno(), self._figures, self._free.pop(0), is_new=is_new)

    def _replace_the_dead(self, *, pause: Callable[[float], object]) -> None:
        for child in [one for one in self._others if not one.is_alive]:
            self._others.remove(child)
            self._bury(child)
        for at, child in enumerate(self._children):
            if not child.is_alive:
                log.warning("web.child_died", status=child.status)
                self._bury(child)
                # What does not even start would take the machine from those that serve.
                pause(0.5 if child.is_ready else 5)
                self._children[at] = self._start(self._listeners[at])

    def _bury(self, child: Child) -> None:
        child.kill()
        self._figures.places[child.place].set_streams(0)
        self._free.insert(0, child.place)

    # Replacing all of them

    def _go_on_reloading(self) -> None:
        with contextlib.suppress(StopIteration):
            next(self._reload)
            return
        if self._asked > self._begun:
            self._begun = self._asked
            self._reload = self._reloading()

    def _reloading(self) -> Iterator[None]:
        log.info("web.reloading", processes=len(self._listeners))
        for at, listener in enumerate(self._listeners):
            successor = self._start(listener, is_new=True)
            self._others.append(successor)
            yield from self._until(_has_answered, successor, START_SECONDS)
            if not (successor.is_ready and successor.is_alive):
                self._tell_failure(successor, replaced=at)
                return
            before = self._children[at]
            self._others[self._others.index(successor)] = before
            self._children[at] = successor
            before.leave()
            yield from self._until(_has_ended, before, LEAVE_SECONDS + GRACE_SECONDS)
            before.kill()
        log.info("web.reloaded", processes=len(self._listeners))
        self._end_reload("")

    @staticmethod
    def _until(condition: Callable[[Child], bool], child: Child, seconds: float) -> Iterator[None]:
        deadline = time.monotonic() + seconds
        while not condition(child) and time.monotonic() < deadline:
            yield

    def _tell_failure(self, child: Child, *, replaced: int) -> None:
        sentence = f"{child.complaint(START_SECONDS)} {_who_serves(replaced, len(self._listeners))}"
        child.kill()
        log.error("web.reload_failed", why=sentence)
        self._end_reload(sentence)

    def _end_reload(self, outcome: str) -> None:
        self._done, self._outcome = self._begun, outcome
        self._tell()

    def _end_all(self) -> None:
        everybody = [*self._children, *self._others]
        for child in everybody:
            child.end()
        deadline = time.monotonic() + GRACE_SECONDS + 3
        for child in everybody:
            child.wait(deadline - time.monotonic())
            child.kill()


def _has_answered(child: Child) -> bool:
    return child.is_ready or not child.is_alive


def _has_ended(child: Child) -> bool:
    return not child.is_alive


def _who_serves(replaced: int, processes: int) -> str:
    if not replaced:
        return "The old release goes on serving."
    return f"{replaced} of {processes} web processes are new, the others go on as they were."
