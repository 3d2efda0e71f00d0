"""Open streams, and the checks of their rights, in a thread and in batches."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import structlog

from runtime.stream import rights
from runtime.stream.events import Event
from runtime.stream.rights import Bearer, Right, StreamCheck
from runtime.stream.threads import Threads

log = structlog.get_logger(__name__)

MOST_AT_ONCE = 500
# Pause before the next try if the database is away.
PAUSE_SECONDS = 1.0

_thread = Threads(1, "rights")


class Reader:
    """An open stream: its bearer, and its position in each topic."""

    __slots__ = (
        "bearer",
        "cursors",
        "heard",
        "is_doubted",
        "is_gone",
        "is_refused",
        "lost",
        "muted",
        "name",
        "wake",
    )

    def __init__(self, cursors: dict[str, int], bearer: Bearer = Bearer()) -> None:  # noqa: B008 - frozen
        self.cursors = cursors
        self.bearer = bearer
        # The person's name, after the check of rights.
        self.name: str | None = None
        self.muted: frozenset[str] = frozenset()
        # Highest numbers announced while the reader is joining.
        self.heard = dict.fromkeys(cursors, 0)
        self.lost: set[str] = set()
        self.wake = asyncio.Event()
        self.is_gone = False
        # Rights may have changed since the last check.
        self.is_doubted = False
        self.is_refused = False

    @property
    def permissions(self) -> StreamCheck:
        return StreamCheck(self.bearer, tuple(self.cursors))

    def wants(self, event: Event) -> bool:
        """True unless the event's author is muted."""
        author = event.data.get("author") if self.muted else None
        return author is None or author["key"] not in self.muted

    def is_meant_by(self, names: set[str]) -> bool:
        """True if *names* contains the person, the bearer or a topic; always while the person is unknown."""
        is_theirs = self.name is None or self.name in names or self.bearer.who in names
        return is_theirs or not names.isdisjoint(self.cursors)


class Guard:
    """Admission of streams, and the end of those whose rights were revoked."""

    def __init__(self) -> None:
        self._waiting: list[tuple[StreamCheck, asyncio.Future[Right]]] = []
        self._task: asyncio.Task[None] | None = None
        self._doubts: set[asyncio.Task[None]] = set()

    async def admits(self, reader: Reader) -> bool:
        """Set the name and mutes of *reader*; True if it may read all its topics."""
        answer = await self._request_check(reader.permissions)
        reader.name, reader.muted = answer.name, answer.muted
        return answer.is_allowed

    def doubt(self, readers: Iterable[Reader]) -> None:
        """Schedule a new check of these readers; end those that are refused."""
        for reader in readers:
            if not reader.is_doubted:
                reader.is_doubted = True
                task = asyncio.get_running_loop().create_task(self._recheck(reader))
                self._doubts.add(task)
                task.add_done_callback(self._doubts.discard)

    async def _recheck(self, reader: Reader) -> None:
        while not reader.is_gone:
            # Cleared before the query: a later change needs another check.
            reader.is_doubted = False
            try:
                is_admitted = await self.admits(reader)
            except Exception as error:  # noqa: BLE001 - a database that is away comes back
                log.warning("guard.not_asked", error=f"{type(error).__name__}: {error}")
                reader.is_doubted = True
                await asyncio.sleep(PAUSE_SECONDS)
                continue
            if not is_admitted:
                reader.is_refused = True
                reader.wake.set()
            return

    async def _request_check(self, ask: StreamCheck) -> Right:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Right] = loop.create_future()
        self._waiting.append((ask, future))
        if self._task is None or self._task.done():
            self._task = loop.create_task(self._check_batches())
        return await future

    async def _check_batches(self) -> None:
        while batch := self._waiting[:MOST_AT_ONCE]:
            del self._waiting[:MOST_AT_ONCE]
            try:
                found = await _thread.run(rights.check_rights, [ask for ask, _ in batch])
            except Exception as error:  # noqa: BLE001 - passed on to the callers
                for _, future in batch:
                    if not future.done():
                        future.set_exception(error)
            else:
                for (_, future), answer in zip(batch, found, strict=True):
                    if not future.done():
                        future.set_result(answer)
