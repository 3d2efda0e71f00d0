"""Attacks on one web server of this machine, each bounded in count and time.

    python -m tests.attack.attacks NAME PORT [TOKEN]

Here are those on connections; those of accounts are in `strangers`. Prints `ready` when the attack is set up, waits for a
line, and at the end prints what was answered: the count of each status, or of 0 for a connection that was closed without one.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import resource
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from tests.attack import strangers
from tests.attack.probes import HOST, PROBES, Probe

ADDRESS: Final = "127.0.0.1"
# No attack lasts longer; what is refused for slowness is refused within half of it.
LONGEST_SECONDS: Final = 60.0
STATUS: Final = re.compile(rb"HTTP/1\.1 (\d{3}) ")
MB: Final = 1_000_000

Outcomes = Counter[int]


class Line:
    """One connection of an attacker."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        # Not closed when the talk is over.
        self.stays = False

    async def send(self, data: bytes) -> bool:
        """Send it; say whether anybody still takes it."""
        try:
            self.writer.write(data)
            await self.writer.drain()
        except OSError:
            return False
        return not self.writer.is_closing()

    async def read_all(self) -> bytes:
        """Read until the connection is closed."""
        found = b""
        with contextlib.suppress(OSError):
            while piece := await self.reader.read(65_536):
                found += piece
        return found

    async def status(self) -> int:
        """Read the status of the next answer."""
        with contextlib.suppress(OSError):
            if found := STATUS.match(await self.reader.read(4_096)):
                return int(found[1])
        return 0

    async def close(self) -> None:
        self.writer.close()
        with contextlib.suppress(OSError):
            await self.writer.wait_closed()


async def connect(port: int) -> Line:
    return Line(*await asyncio.open_connection(ADDRESS, port))


async def count_outcome(port: int, talk: Callable[[Line], Awaitable[int]]) -> int:
    """Open a connection and return the outcome of *talk*: 0 if refused, -1 after a timeout."""
    try:
        line = await connect(port)
    except OSError:
        return 0
    try:
        return await asyncio.wait_for(talk(line), LONGEST_SECONDS)
    except TimeoutError:
        return -1
    finally:
        if not line.stays:
            await line.close()


async def many(port: int, count: int, talk: Callable[[Line], Awaitable[int]], *, at_once: int) -> Outcomes:
    """Have *count* connections, so many at once."""
    room = asyncio.Semaphore(at_once)

    async def next_one() -> int:
        async with room:
            return await count_outcome(port, talk)

    return Counter(await asyncio.gather(*(next_one() for _ in range(count))))


# Heads


async def header_flood(port: int, token: str) -> Outcomes:
    """Send sixty thousand lines of one name, again and again."""
    flood = b"GET / HTTP/1.1\r\n" + HOST + b"X: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n" * 60_000 + b"\r\n"

    async def talk(line: Line) -> int:
        await line.send(flood)
        return await line.status()

    return await many(port, 60, talk, at_once=3)


async def endless_heads(port: int, token: str) -> Outcomes:
    """Begin heads that never end, as far as anybody reads them."""

    async def talk(line: Line) -> int:
        await line.send(b"GET / HTTP/1.1\r\n" + HOST + b"X: ")
        for _ in range(300):
            if not await line.send(b"a" * MB):
                break
        return await line.status()

    return await many(port, 40, talk, at_once=4)


async def slow_heads(port: int, token: str) -> Outcomes:
    """Send a letter of a head each second."""

    async def talk(line: Line) -> int:
        await line.send(b"GET / HTTP/1.1\r\nX: ")
        return await _drip(line, b"a")

    return await many(port, 300, talk, at_once=300)


# Bodies


async def slow_bodies(port: int, token: str) -> Outcomes:
    """Promise a body, and send a letter of it each second."""

    async def talk(line: Line) -> int:
        await line.send(b"POST /accounts/login/ HTTP/1.1\r\n" + HOST + b"Content-Length: 100000\r\n\r\n")
        return await _drip(line, b"a")

    return await many(port, 300, talk, at_once=300)


async def great_bodies(port: int, token: str) -> Outcomes:
    """Send bodies of thirty megabytes, announced and not."""
    announced = b"Content-Length: %d\r\n\r\n" % (30 * MB)
    heads = (announced, b"Transfer-Encoding: chunked\r\n\r\n")

    def talk_with(head: bytes) -> Callable[[Line], Awaitable[int]]:
        async def talk(line: Line) -> int:
            await line.send(b"POST /api/v1/matches/ HTTP/1.1\r\n" + HOST + head)
            piece = b"a" * MB if head is announced else b"%x\r\n" % MB + b"a" * MB + b"\r\n"
            for _ in range(30):
                if not await line.send(piece):
                    break
            return await line.status()

        return talk

    return sum([await many(port, 20, talk_with(head), at_once=4) for head in heads], Outcomes())


async def _drip(line: Line, piece: bytes) -> int:
    answer = asyncio.ensure_future(line.status())
    while not answer.done():
        await line.send(piece)
        await asyncio.wait([answer], timeout=1)
    return await answer


# Connections


async def idle_connections(port: int, token: str) -> Outcomes:
    """Come by the thousand and say nothing."""
    return await many(port, 1_000, Line.status, at_once=1_000)


async def crowd(port: int, token: str) -> Outcomes:
    """Come in greater numbers than one address may, and say nothing."""
    return await many(port, 3_000, Line.status, at_once=3_000)


async def streams(port: int, token: str) -> Outcomes:
    """Open ten thousand streams with one token that anybody may have, and keep those that are given."""
    kept: list[Line] = []

    async def talk(line: Line) -> int:
        await line.send(b"GET /live/?t=" + token.encode() + b" HTTP/1.1\r\n" + HOST + b"\r\n")
        status = await line.status()
        if status == 200:
            line.stays = True
            kept.append(line)
        return status

    found = await many(port, 10_000, talk, at_once=200)
    await asyncio.gather(*(line.close() for line in kept))
    return found


async def pipelining(port: int, token: str) -> Outcomes:
    """Ask a thousand times on one connection before the first answer is read."""
    found = Outcomes()

    async def talk(line: Line) -> int:
        await line.send((b"GET /clubs/ HTTP/1.1\r\n" + HOST + b"\r\n") * 1_000)
        said = STATUS.findall(await line.read_all())
        found.update(int(status) for status in said)
        return 0

    await many(port, 20, talk, at_once=4)
    return found


# Bytes


async def probes(port: int, token: str) -> Outcomes:
    """Send what no browser sends; the outcome 0 is right, 1 is wrong."""
    wrong: list[str] = []

    async def send(probe: Probe) -> None:
        said: list[int] = []

        async def talk(line: Line) -> int:
            await line.send(probe.raw)
            said.extend(int(each) for each in STATUS.findall(await line.read_all()))
            return 0

        is_open = await count_outcome(port, talk) == -1
        if is_open or len(said) > 1 or (said or [0])[0] not in probe.right:
            wrong.append(f"{probe.name}: {said}{' and still open' * is_open}")

    await asyncio.gather(*map(send, PROBES))
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
    return Outcomes({0: len(PROBES) - len(wrong), 1: len(wrong)})


ATTACKS: Final[dict[str, Callable[[int, str], Awaitable[Outcomes]]]] = {
    attack.__name__: attack
    for attack in (
        header_flood, endless_heads, slow_heads, slow_bodies, great_bodies,
        idle_connections, crowd, streams, pipelining, probes,
    )
}  # fmt: skip


def main(words: Iterable[str]) -> None:
    name, port, *token = words
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if name in strangers.ATTACKS:
        report = strangers.carry_out(name, int(port), when_ready=_await_go)
    else:
        _await_go()
        report = strangers.Report(asyncio.run(ATTACKS[name](int(port), "".join(token))))  # type: ignore[arg-type]
    print(json.dumps(vars(report)))


def _await_go() -> None:
    print("ready", flush=True)
    sys.stdin.readline()


if __name__ == "__main__":
    main(sys.argv[1:])
