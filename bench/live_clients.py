"""The clients of `bench.live`: players that play whole matches over HTTP, and watchers with open streams.

python -m bench.live_clients seed JSON                      creates matches and prints them with their players' tokens;
                                                            JSON has the arguments of `seed`
python -m bench.live_clients play URL FILE RATE SECONDS     plays them and writes the acknowledged moves to FILE.played
python -m bench.live_clients leave URL FILE                 begins them, plays no further, and writes to FILE.left by match
                                                            the last line and when the time of the side to play is over
python -m bench.live_clients watch URL FILE EACH            watches until a line on stdin, writes the events to FILE.heard
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import re
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from engine.fair import Chain, Party, compute_commitment

SIDES = ("white", "black")
SEQ = re.compile(rb'"seq":(\d+)')
# Seconds to wait for the last events.
LAST_FRAMES = 2.0
# Seconds before a stream that has ended is opened again.
PAUSE = 0.5


# -- seed -----------------------------------------------------------------------------------------


def seed(count: int, points: int, *, bots: int = 0, reserves: Sequence[float] = ()) -> list[dict[str, Any]]:
    """Create accounts with tokens, and a match for each pair of them.

    *bots*: so many of the matches are against a bot, which has no token. *reserves*: seconds a side, by match.
    """
    from django.utils import timezone

    from engine.clock import PRESETS, SECOND, DelayMethod, TimeControl
    from engine.rules import Rules
    from matches.bots import bots as club_bots
    from matches.journal import lifecycle
    from matches.state import terms
    from players.accounts import tokens
    from players.models import Scope, User

    now = timezone.now()
    # A clock that does not run out on a busy machine.
    slow = terms.build_terms(Rules(length=points), PRESETS["slow"].control(25), "slow")
    made = []
    for number in range(count):
        agreed = slow
        if reserves:
            control = TimeControl(DelayMethod.PLAIN, round(reserves[number] * SECOND))
            agreed = terms.build_terms(slow.rules, control)
        users = [
            User.objects.create_user(
                f"{os.getpid()}-{number}-{side}@example.org", name=f"Player {number} {side}"
            )
            for side in ("a" if number < bots else "ab")
        ]
        keys = [tokens.create(user=user, name="bench", scope=Scope.PLAY, now=now) for user in users]
        players = [user.player for user in users]
        if number < bots:
            players.append(club_bots.get_practice_bot().player)
        white, black = players
        row = lifecycle.create(white=white, black=black, terms=agreed, now=now)
        if row.has_bot:
            club_bots.act(match_id=row.pk, now=now)
        made.append({"key": row.key, "tokens": keys, "players": [white.key, black.key], "points": points})
    return made


# -- play -----------------------------------------------------------------------------------------


class Connection:
    """A persistent HTTP/1.1 connection, reopened when the server has closed it."""

    def __init__(self, url: str, token: str) -> None:
        parts = urlsplit(url)
        self.host, self.port = parts.hostname, parts.port
        self.head = f"Host: {parts.netloc}\r\nAuthorization: Bearer {token}\r\n"
        self.streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send_request(
        self, method: str, path: str, body: Mapping[str, Any] | None = None, key: str = ""
    ) -> tuple[int, Any]:
        """Send a request; return status and body. The caller retries after an OSError."""
        if self.streams is None:
            self.streams = await asyncio.open_connection(self.host, self.port)
        reader, writer = self.streams
        data = b"" if body is None else json.dumps(body).encode()
        more = f"Idempotency-Key: {key}\r\n" if key else ""
        more += (
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n" if body is not None else ""
        )
        try:
            writer.write(f"{method} {path} HTTP/1.1\r\n{self.head}{more}\r\n".encode() + data)
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)
            length = int(re.search(rb"content-length: (\d+)", head.lower())[1])  # type: ignore[index]
            text = await reader.readexactly(length)
        except (OSError, asyncio.IncompleteReadError, TimeoutError, TypeError) as error:
            self.close()
            raise ConnectionError(str(error)) from error
        status = int(head.split(b" ", 2)[1])
        try:
            return status, json.loads(text)
        except ValueError:
            # Nothing, or a sentence: a server that is starting or too busy answers before it reads the request.
            return status, None

    def close(self) -> None:
        if self.streams is not None:
            self.streams[1].close()
            self.streams = None


class Pace:
    """A limit on the moves per second of all boards; 0: none."""

    def __init__(self, rate: float, until: float) -> None:
        self.gap = 1 / rate if rate else 0.0
        self.next = time.monotonic()
        self.until = until

    async def wait(self) -> bool:
        """Wait for the next slot; return False if the time is over."""
        if self.gap:
            self.next = max(self.next + self.gap, time.monotonic() - 0.25)
            await asyncio.sleep(max(0.0, self.next - time.monotonic()))
        return time.monotonic() < self.until


class Board:
    """A match, played in turn by those of its players who have a token."""

    def __init__(self, url: str, match: Mapping[str, Any], acked: list[Any]) -> None:
        self.path = f"/api/v1/matches/{match['key']}/"
        self.key = match["key"]
        self.lines = [Connection(url, token) for token in match["tokens"]]
        self.players = match["players"]
        self.rng = random.Random(self.key)
        self.chains: dict[tuple[int, int], Chain] = {}
        self.acked = acked
        self.given = 0
        self.head = 0
        self.refused: dict[str, int] = {}

    async def seal(self, few: asyncio.Semaphore) -> None:
        """Load the match and send the dice commitments, which are required before the first move.

        If that fails, for example because a test kills servers, `run` sends them.
        """
        async with few:
            for _ in range(5):
                if (await self._look())["roll"]["stage"] == "ready":
                    return
                for side in range(len(self.lines)):
                    command = await self._command(side, self.state)
                    if command is not None and command["type"] in ("promise", "open"):
                        await self._give(side, command)

    async def run(self, pace: Pace, *, until_clock_runs: bool = False) -> None:
        """Play until the end of the match or of the time."""
        try:
            while await pace.wait():
                state = await self._look()
                if state["outcome"] or (until_clock_runs and is_running(state["clock"])):
                    return
                await self._act(
                    [side for side in range(len(self.lines)) if SIDES[side] in state["owing"]], pace
                )
        finally:
            for line in self.lines:
                line.close()

    async def _look(self) -> dict[str, Any]:
        if getattr(self, "state", None) is None:
            status, whole = await self._ask(0, "GET", self.path)
            if status != 200:
                raise AssertionError(f"{self.path} answers {status}: {whole}")
            self.state = whole["snapshot"]
            self.set = whole["snapshot"]["dice_set"]
            self.plays = None
        return self.state

    async def _act(self, sides: list[int], pace: Pace) -> None:
        if not sides:
            # A bot is to play.
            self.state = None
        for side in sides:
            command = None if self.state is None else await self._command(side, self.state)
            if command is None:
                continue
            if side != sides[0] and not await pace.wait():
                return
            await self._give(side, command)

    async def _command(self, side: int, state: dict[str, Any]) -> dict[str, Any] | None:
        word = SIDES[side]
        if word not in state["owing"]:
            return None
        stage = state["roll"]["stage"]
        if stage != "ready":
            return self._sealing(side, stage)
        if state["roll"]["asked"]:
            return {"type": "share"}
        match state["phase"]:
            case "opening" | "to-roll":
                may = state["phase"] == "to-roll" and state["cube"]["owner"] in (None, word)
                doubles = may and not state["game_is_crawford"] and self.rng.random() < 0.05
                return {"type": "double"} if doubles else {"type": "roll"}
            case "to-play":
                plays = self.plays
                if plays is None:
                    _, found = await self._ask(side, "GET", self.path + "plays/")
                    plays = found["plays"]
                return {"type": "move", "steps": self.rng.choice(plays)["steps"]}
            case "doubled":
                return {"type": "take" if self.rng.random() < 0.7 else "drop"}
        return {"type": "accept"}

    def _sealing(self, side: int, stage: str) -> dict[str, Any] | None:
        party = Party("AB"[side])
        head = self._chain(side).head
        if stage == "promising":
            sealed = compute_commitment(self.key, party, self.players[side], head)
            return {"type": "promise", "commitment": sealed.hex()}
        return {"type": "open", "head": head.hex()}

    def _chain(self, side: int) -> Chain:
        """Return a side's dice chain, which is the same after a restart, as in a browser."""
        first = self.set["first"]
        if (side, first) not in self.chains:
            secret = random.Random(f"{self.key}/{side}/{first}").randbytes(32)
            self.chains[side, first] = Chain.grow(secret, self.set["length"])
        return self.chains[side, first]

    async def _give(self, side: int, command: dict[str, Any]) -> None:
        self.given += 1
        key = f"{os.getpid()}-{self.key}-{self.given}"
        number = self.state["roll"]["number"]
        shares = {}
        if self.state["roll"]["stage"] == "ready":
            chain = self._chain(side)
            numbers = range(number, min(number + 2, self.set["first"] + chain.length))
            shares = {str(n): chain.share(n - self.set["first"] + 1).hex() for n in numbers}
        body = {"after": self.state["head"], "command": command, "shares": shares}
        sent = time.monotonic()
        status, answer = await self._ask(side, "POST", self.path + "commands/", body, key)
        if status != 200:
            code = (answer or {}).get("code", str(status))
            self.refused[code] = self.refused.get(code, 0) + 1
            self.state = None
            return
        self.acked.append(
            (self.key, [frame["line"]["seq"] for frame in answer["frames"]], sent, time.monotonic())
        )
        for frame in answer["frames"]:
            self.state = frame["state"]
            self.set = frame.get("dice_set", self.set)
        self.plays = None
        if answer["plays"] is not None:
            self.plays = answer["plays"]

    async def _ask(self, side: int, *request: Any) -> tuple[int, Any]:
        for attempt in range(200):
            try:
                status, answer = await self.lines[side].send_request(*request)
                if status not in (429, 500, 502, 503):
                    return status, answer
                self.refused[str(status)] = self.refused.get(str(status), 0) + 1
            except OSError:
                self.refused["lost"] = self.refused.get("lost", 0) + 1
            await asyncio.sleep(min(0.05 * 2**attempt, 0.5))
        raise ConnectionError("the server does not come back")


async def play(url: str, matches: list[dict[str, Any]], rate: float, seconds: float) -> dict[str, Any]:
    """Play all matches concurrently; return acknowledged moves with their times, and refusals."""
    acked: list[Any] = []
    few = asyncio.Semaphore(8)
    boards = [Board(url, match, acked) for match in matches]
    await asyncio.gather(*(board.seal(few) for board in boards), return_exceptions=True)
    acked.clear()
    print("sealed", flush=True)
    pace = Pace(rate, time.monotonic() + seconds)
    began = time.monotonic()
    ended = await asyncio.gather(*(board.run(pace) for board in boards), return_exceptions=True)
    refused: dict[str, int] = {}
    for board, end in zip(boards, ended, strict=True):
        for code, count in board.refused.items():
            refused[code] = refused.get(code, 0) + count
        if isinstance(end, BaseException):
            refused[repr(end)[:80]] = refused.get(repr(end)[:80], 0) + 1
    return {"acked": acked, "refused": refused, "took": time.monotonic() - began}


# -- leave ----------------------------------------------------------------------------------------


def is_running(clock: Mapping[str, Any]) -> bool:
    return clock["turn"] is not None and clock["since"] is not None


def compute_end(clock: Mapping[str, Any]) -> int:
    """Return when the time of the side to play is over, in milliseconds since 1970, if its clock has no delay."""
    return int(clock["since"] - clock["used"] + clock["reserve"][clock["turn"] == "black"])


async def leave(url: str, matches: list[dict[str, Any]]) -> dict[str, tuple[int, int]]:
    """Begin all matches; return by match the last line, and when the time of the side to play is over."""
    few = asyncio.Semaphore(8)
    boards = [Board(url, match, []) for match in matches]
    for board in boards:
        await board.seal(few)
        await board.run(Pace(0, float("inf")), until_clock_runs=True)
    return {board.key: (board.state["head"], compute_end(board.state["clock"])) for board in boards}


# -- watch ----------------------------------------------------------------------------------------


class Watchers:
    """Streams of matches; one that ends, since its server was killed, is opened again where it ended."""

    def __init__(self, url: str, matches: list[dict[str, Any]], each: int) -> None:
        self.url = url
        self.all = [match for match in matches for _ in range(each)]
        self.heard: list[tuple[str, int, float]] = []
        self.opening = asyncio.Semaphore(50)
        self.opened = 0
        self.all_open = asyncio.Event()

    async def follow(self, match: Mapping[str, Any]) -> None:
        """Follow a match until cancelled."""
        position = ""
        is_counted = False
        while True:
            with contextlib.suppress(OSError):
                async with self.opening:
                    reader, writer = await self._open(match, position)
                self.opened += not is_counted
                is_counted = True
                if self.opened == len(self.all):
                    self.all_open.set()
                while line := await reader.readline():
                    if line.startswith(b"id: "):
                        position = line[4:].strip().decode()
                    elif b'"name":"line"' in line[:200] and (found := SEQ.search(line)):
                        self.heard.append((match["key"], int(found[1]), time.monotonic()))
                writer.close()
            await asyncio.sleep(PAUSE)

    async def _open(
        self, match: Mapping[str, Any], after: str
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        line = Connection(self.url, match["tokens"][0])
        try:
            status, whole = await line.send_request("GET", f"/api/v1/matches/{match['key']}/")
        finally:
            line.close()
        if status != 200:
            raise ConnectionError(f"the match answers {status}")
        reader, writer = await asyncio.open_connection(line.host, line.port)
        query = f"t={quote(whole['live']['token'])}" + (f"&after={after}" if after else "")
        writer.write(f"GET /live/?{query} HTTP/1.1\r\n{line.head}\r\n".encode())
        while b'"hello"' not in (answer := await reader.readline()):
            if not answer:
                raise ConnectionError("the stream was not opened")
        return reader, writer


async def watch(url: str, matches: list[dict[str, Any]], each: int) -> list[Any]:
    """Open *each* streams per match; return (match, seq, time) of events until a line on stdin."""
    watchers = Watchers(url, matches, each)
    tasks = [asyncio.create_task(watchers.follow(match)) for match in watchers.all]
    if tasks:
        await asyncio.wait_for(watchers.all_open.wait(), 60)
    print("open", flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    await asyncio.sleep(LAST_FRAMES)
    for task in tasks:
        task.cancel()
    return watchers.heard


def main(arguments: list[str]) -> None:
    """Run the command that the first argument names."""
    if arguments[0] == "seed":
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        import django

        django.setup()
        print(json.dumps(seed(**json.loads(arguments[1]))))
        return
    import uvloop

    what, url, file, *numbers = arguments
    matches = json.loads(Path(file).read_text())
    if what == "play":
        played = uvloop.run(play(url, matches, float(numbers[0]), float(numbers[1])))
        Path(f"{file}.played").write_text(json.dumps(played))
    elif what == "leave":
        left = uvloop.run(leave(url, matches))
        Path(f"{file}.left").write_text(json.dumps(left))
    else:
        heard = uvloop.run(watch(url, matches, int(numbers[0])))
        Path(f"{file}.heard").write_text(json.dumps(heard))


if __name__ == "__main__":
    main(sys.argv[1:])
