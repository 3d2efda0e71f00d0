"""An oracle in a separate process, limited in time and memory, killed if it hangs, and restarted.

A failure of that process only leaves a question unanswered.
"""

from __future__ import annotations

import json
import platform
import struct
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Self

from opinion.judging.oracle import CubeWorth, NoOracle, OracleFailed, WeighedPlay
from opinion.judging.spots import Choice, Spot, Throw

NAME: Final = "bgsage"
SAGE: Final = Path(__file__).with_name("sage.py")
# The system kills the process after 60 seconds of CPU time, which take longer on a busy machine.
SECONDS: Final = 180.0
# Questions per message; larger batches would make the time limit harder to keep.
BATCH: Final = 40
LONGEST: Final = 32 << 20
NOT_INSTALLED: Final = "no analysis on this machine: bgsage is not installed (requirements/opinion.lock)"
NO_AVX2: Final = "no analysis on this machine: its processor has no AVX2"


def explain_absence() -> str:
    """Return why there can be no oracle here; "" if it may work. Loads no engine code."""
    if find_spec(NAME) is None:
        return NOT_INSTALLED
    return "" if _has_avx2() else NO_AVX2


def get_engine() -> tuple[str, str]:
    """Return name and version of the installed engine, as the engine reports them."""
    return NAME, metadata.version(NAME)


def _has_avx2() -> bool:
    """True if the engine's compiled code can run; without AVX2 it would crash with an illegal instruction."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return True
    try:
        text = Path("/proc/cpuinfo").read_text("ascii", "replace")
    except OSError:
        # Not Linux: at worst the engine's process crashes.
        return True
    flags = next((line for line in text.splitlines() if line.startswith("flags")), "").split()
    return "avx2" in flags and "fma" in flags


class EngineProcess:
    """An `Oracle` in another process; use it as a context manager or call `close`. Tests replace *script*."""

    def __init__(
        self, script: Path = SAGE, seconds: float = SECONDS, *, to_start: float | None = None
    ) -> None:
        self._script, self._seconds = script, seconds
        self._to_start = seconds if to_start is None else to_start
        self._process: subprocess.Popen[bytes] | None = None
        self.name = self.version = ""
        self._start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill the process."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    with suppress(OSError):
                        stream.close()
            self._process = None

    def plays(self, asked: Sequence[Throw]) -> list[tuple[WeighedPlay, ...]]:
        found = self._ask("plays", [[each.spot.to_json(), list(each.dice)] for each in asked], 1)
        return [tuple(_parse_play(play, 1) for play in plays) for plays in found]

    def weigh(self, asked: Sequence[Choice], level: int) -> list[tuple[WeighedPlay, ...]]:
        of = [[each.throw.spot.to_json(), [list(board) for board in each.boards]] for each in asked]
        return [tuple(_parse_play(play, level) for play in plays) for plays in self._ask("weigh", of, level)]

    def cubes(self, asked: Sequence[Spot], level: int) -> list[CubeWorth]:
        found = self._ask("cubes", [spot.to_json() for spot in asked], level)
        return [CubeWorth(no_double, take, tuple(chances), level) for no_double, take, chances in found]

    def rolls(self, asked: Sequence[Spot]) -> list[tuple[float, ...]]:
        return [tuple(each) for each in self._ask("rolls", [spot.to_json() for spot in asked], 1)]

    # -- protocol ------------------------------------------------------------------------------------

    def _start(self) -> None:
        command = [sys.executable, "-I", str(self._script)]
        self._process = subprocess.Popen(  # noqa: S603 - a script of this package
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        try:
            hello = self._exchange(None, self._to_start)
        except OracleFailed as failed:
            raise NoOracle(f"no analysis on this machine: the engine does not start ({failed})") from failed
        self.name, self.version = hello["name"], hello["version"]

    def _ask(self, what: str, of: Sequence[object], level: int) -> list[Any]:
        if self._process is None:
            self._start()
        found: list[Any] = []
        for start in range(0, len(of), BATCH):
            batch = of[start : start + BATCH]
            answer = self._exchange({"ask": what, "of": batch, "level": level}, self._seconds)
            if "problem" in answer:
                raise OracleFailed(answer["problem"])
            found += answer["answer"]
        return found

    def _exchange(self, question: object, seconds: float) -> dict[str, Any]:
        """Send a question, unless it is None, and read the answer.

        :raises OracleFailed: on timeout or failure; the process is killed.
        """
        process = self._process
        assert process is not None  # noqa: S101 - `_ask` has started it
        assert process.stdin is not None  # noqa: S101 - opened with pipes
        assert process.stdout is not None  # noqa: S101
        too_late = threading.Event()

        def end() -> None:
            too_late.set()
            process.kill()

        timer = threading.Timer(seconds, end)
        timer.daemon = True
        timer.start()
        try:
            if question is not None:
                data = json.dumps(question).encode()
                process.stdin.write(struct.pack(">I", len(data)) + data)
                process.stdin.flush()
            head = process.stdout.read(4)
            length = struct.unpack(">I", head)[0] if len(head) == 4 else 0
            if 0 < length <= LONGEST:
                data = process.stdout.read(length)
                if len(data) == length:
                    answer: dict[str, Any] = json.loads(data)
                    return answer
        except (OSError, ValueError) as error:
            self.close()
            raise OracleFailed(f"the engine's process broke off: {error}") from error
        finally:
            timer.cancel()
        status = _describe_exit(process) if not head else "it said something else than an answer"
        self.close()
        if too_late.is_set():
            raise OracleFailed(f"the engine took longer than {seconds:.0f} seconds")
        raise OracleFailed(f"the engine's process ended ({status})")


def _describe_exit(process: subprocess.Popen[bytes]) -> str:
    try:
        status = process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        return "it says nothing any more"
    return f"by signal {-status}" if status < 0 else f"with status {status}"


def _parse_play(play: list[Any], level: int) -> WeighedPlay:
    board, equity, chances = play
    return WeighedPlay(tuple(board), equity, tuple(chances), level)
