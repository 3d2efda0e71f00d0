"""Checks the rights of streams in a thread, all that are waiting in one batch."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import structlog

from runtime.stream import rights
from runtime.stream.threads import Threads

if TYPE_CHECKING:
    from collections.abc import Iterable

    from runtime.stream.reader import Reader
    from runtime.stream.rights import Ask, Right

log = structlog.get_logger(__name__)

MOST_AT_ONCE = 500
# A database that is away is asked again after this long.
PAUSE_SECONDS = 1.0

_thread = Threads(1, "rights")


class Guard:
    """Lets streams in, and ends those that may not be read any more."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Ask, asyncio.Future[Right]]] = []
        self._task: asyncio.Task[None] | None = None
        self._doubts: set[asyncio.Task[None]] = set()

    async def admits(self, reader: Reader) -> bool:
        """Say whether *reader* may read all its topics."""
        answer = await self._answer(reader.ask)
        reader.name, reader.muted = answer.name, answer.muted
        return answer.is_allowed

    def doubt(self, readers: Iterable[Reader]) -> None:
        """Ask again about these readers, soon, and end those that are refused."""
        for reader in readers:
            if not reader.is_doubted:
                reader.is_doubted = True
                task = asyncio.get_running_loop().create_task(self._settle(reader))
                self._doubts.add(task)
                task.add_done_callback(self._doubts.discard)

    async def _settle(self, reader: Reader) -> None:
        while not reader.is_gone:
            # Whoever doubts from here on may know more than this answer does.
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

    async def _answer(self, ask: Ask) -> Right:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Right] = loop.create_future()
        self._waiting.append((ask, future))
        if self._task is None or self._task.done():
            self._task = loop.create_task(self._work())
        return await future

    async def _work(self) -> None:
        while batch := self._waiting[:MOST_AT_ONCE]:
            del self._waiting[:MOST_AT_ONCE]
            try:
                found = await _thread.run(rights.answers, [ask for ask, _ in batch])
            except Exception as error:  # noqa: BLE001 - who asked is told
                for _, future in batch:
                    if not future.done():
                        future.set_exception(error)
            else:
                for (_, future), answer in zip(batch, found, strict=True):
                    if not future.done():
                        future.set_result(answer)
