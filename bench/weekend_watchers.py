"""The watchers of `bench.weekend`: streams of pages, followed as browsers do.

python -m bench.weekend_watchers URL FILE    opens the streams that FILE lists until a line on stdin, writes FILE.heard
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import sys
from html import unescape
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlsplit

from bench.weekend_hand import Hand, Journal

LIVE: Final = re.compile(rb'<meta name="live" content="([^"]+)">')


def find_token(url: str, path: str) -> str:
    """Return the token of the stream that a page follows."""
    hand = Hand(url, Journal())
    found = LIVE.search(hand.read("page", path))
    hand.close()
    return unescape(found[1].decode()) if found else ""


class Watchers:
    """Open streams, one for each page that is followed.

    A stream that breaks is opened again after the last number it has heard, as browsers do.
    """

    def __init__(self, url: str, pages: list[str]) -> None:
        self._url = url
        self._pages = pages
        self._opening = asyncio.Semaphore(50)
        self._connected: set[int] = set()
        self._are_open = asyncio.Event()
        self.events = self.broken = 0
        self.gaps: list[str] = []

    async def watch(self) -> None:
        """Follow all pages until there is a line on stdin."""
        tokens = {page: await self._find_token(page) for page in sorted({*self._pages})}
        tasks = [
            asyncio.create_task(self._follow(number, page, tokens[page]))
            for number, page in enumerate(self._pages)
        ]
        if tasks:
            await asyncio.wait_for(self._are_open.wait(), 120)
        print("open", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        for task in tasks:
            task.cancel()

    async def _find_token(self, page: str) -> str:
        return await asyncio.to_thread(find_token, self._url, page)

    async def _follow(self, number: int, page: str, token: str) -> None:
        last: dict[str, int] = {}
        position = ""
        while True:
            with contextlib.suppress(OSError, ValueError):
                # The writer is kept: without it the connection is closed.
                reader, _writer = await self._open(token, position)
                while line := await reader.readline():
                    if line.startswith(b"id: "):
                        position = line[4:].strip().decode()
                    if line.startswith(b"data: "):
                        self._hear(number, json.loads(line[6:]), last)
            self.broken += 1
            await asyncio.sleep(0.5)
            # A token is good for some minutes.
            token = await self._find_token(page) or token

    async def _open(self, token: str, position: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        parts = urlsplit(self._url)
        more = f"Last-Event-ID: {position}\r\n" if position else ""
        async with self._opening:
            reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
            writer.write(
                f"GET /live/?t={quote(token)} HTTP/1.1\r\nHost: {parts.netloc}\r\n{more}\r\n".encode()
            )
        return reader, writer

    def _hear(self, number: int, event: dict[str, Any], last: dict[str, int]) -> None:
        if event.get("name") == "hello":
            self._connected.add(number)
            if len(self._connected) == len(self._pages):
                self._are_open.set()
        elif "seq" in event:
            topic, seq = str(event.get("topic", "")), int(event["seq"])
            if topic in last and seq > last[topic] + 1:
                self.gaps.append(f"{topic}: {seq} after {last[topic]}")
            last[topic] = max(seq, last.get(topic, 0))
            self.events += 1


def main(arguments: list[str]) -> None:
    """Run the watchers in a separate process."""
    url, file = arguments
    watchers = Watchers(url, json.loads(Path(file).read_text()))
    asyncio.run(watchers.watch())
    heard = {"gaps": watchers.gaps, "events": watchers.events, "broken": watchers.broken}
    Path(f"{file}.heard").write_text(json.dumps(heard))


if __name__ == "__main__":
    main(sys.argv[1:])
