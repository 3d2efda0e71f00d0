"""The referee on a file: there is always a verdict, within limits of time and memory. Pure."""

from __future__ import annotations

import resource
import signal
import threading
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from engine import __version__
from engine.cli.adjudicate import FAULTS_OF_OURS
from engine.errors import EngineError, Unreadable
from engine.formats import json_record
from engine.verdict import Verdict, judge
from records.submissions.parsing_child import MOST_FACTS

# Less than the 30 seconds of a worker's task.
MOST_SECONDS: Final = 15.0
MOST_SECONDS_FOR_FACTS: Final = 5.0
# In addition to the memory in use.
MOST_MEMORY: Final = 256 << 20
MOST_NUMBER: Final = 1 << 62
VERSION: Final = __version__
# From good to bad: a file has the verdict of its worst match.
WORDS: Final = ("accepted", "noted", "rejected", "unreadable")


class OutOfTime(Exception):
    """The referee took too long."""


class Judgement(NamedTuple):
    """The verdict on each match of a file as plain JSON values, and optionally the facts, compressed."""

    word: str
    verdicts: tuple[dict[str, Any], ...]
    # b"" for a match without facts, or with too many.
    facts: tuple[bytes, ...] = ()


def judge_file(data: bytes, *, with_facts: bool = False) -> Judgement:
    try:
        with _limit_resources(MOST_SECONDS):
            verdicts = tuple(map(_refuse_huge_score, judge(data)))
            found = tuple(verdict.to_json() for verdict in verdicts)
    except OutOfTime:
        return build_failed_verdict("out-of-time", "The referee did not come to an end with this file.")
    except EngineError as error:
        return build_refused_verdict(error)
    except FAULTS_OF_OURS as error:
        return build_failed_verdict(
            "internal-error", f"The referee failed on this file, which is a fault of its own: {error!r}."
        )
    return _build_judgement(found)._replace(facts=_read_facts(verdicts) if with_facts else ())


def _refuse_huge_score(verdict: Verdict) -> Verdict:
    """Replace the verdict on a match whose score no database can store."""
    if max(map(abs, verdict.score)) < MOST_NUMBER:
        return verdict
    return Verdict.unreadable(Unreadable("too-much", "The score is higher than will be read."))


def _read_facts(verdicts: Iterable[Verdict]) -> tuple[bytes, ...]:
    """Return the facts of each match; empty if they take too long, and are then read on first use."""
    try:
        with _limit_resources(MOST_SECONDS_FOR_FACTS):
            return tuple(map(_pack_facts, verdicts))
    except (OutOfTime, EngineError, *FAULTS_OF_OURS):
        return ()


def _pack_facts(verdict: Verdict) -> bytes:
    if verdict.rules is None or len(verdict.record.actions) > MOST_FACTS:
        return b""
    return zlib.compress(json_record.write(verdict.record))


def build_failed_verdict(code: str, sentence: str) -> Judgement:
    """Return the verdict on a file that the referee could not handle."""
    return build_refused_verdict(Unreadable(code, sentence))


def judge_files(files: Iterable[bytes]) -> list[Judgement]:
    return [judge_file(data) for data in files]


def build_crash_verdict() -> Judgement:
    """Return the verdict on a file that killed the referee's process."""
    return build_failed_verdict(
        "internal-error", "The referee failed on this file, which is a fault of its own."
    )


def build_refused_verdict(error: EngineError) -> Judgement:
    return _build_judgement((Verdict.unreadable(error).to_json(),))


def _build_judgement(verdicts: tuple[dict[str, Any], ...]) -> Judgement:
    return Judgement(
        max((each["verdict"] for each in verdicts), key=WORDS.index), tuple(map(make_storable, verdicts))
    )


def make_storable(value: Any) -> Any:
    """Make values storable in every database: no NUL, no lone surrogates, no huge integers."""
    match value:
        case str():
            return value.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode("utf-8")
        case dict():
            return {make_storable(name): make_storable(each) for name, each in value.items()}
        case list() | tuple():
            return [make_storable(each) for each in value]
        case int() if not isinstance(value, bool):
            return int(value) if abs(value) < MOST_NUMBER else None
        case _:
            return value


@contextmanager
def _limit_resources(seconds: float) -> Iterator[None]:
    """Limit time and memory; without effect outside the main thread of a process."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    timer = signal.signal(signal.SIGALRM, _raise_out_of_time)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    limits = resource.getrlimit(resource.RLIMIT_AS)
    if limits[0] == resource.RLIM_INFINITY and (held := _read_mapped_memory()):
        resource.setrlimit(resource.RLIMIT_AS, (held + MOST_MEMORY, limits[1]))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, timer)
        resource.setrlimit(resource.RLIMIT_AS, limits)


def _raise_out_of_time(_number: int, _frame: object) -> None:
    raise OutOfTime


def _read_mapped_memory() -> int:
    """Return the mapped memory of the process in bytes; 0 if unknown."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    except OSError:
        return 0
