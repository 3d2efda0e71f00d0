"""Thousands of corrupted files: each is read or refused, and soon.

``BARPOINT_FUZZ=200000 pytest tests/engine/test_fuzz.py -m slow -s`` runs more of them and prints the slowest
and the largest.
"""

from __future__ import annotations

import itertools
import json
import os
import time
import traceback
import tracemalloc
from collections.abc import Iterable
from typing import NamedTuple

import pytest

from engine import formats
from engine.express import reader
from engine.verdict import Verdict, adjudicate, judge
from tests.engine import fuzzing

SEED = 20_260_101
FEW = 400
MANY = int(os.environ.get("BARPOINT_FUZZ", "15000"))
# Far more than a match ever takes: a guard against what grows without bound, not a measurement.
SECONDS = 2.0
BYTES = 50 << 20
# Records with more facts than any match has are judged, but not written and read again.
LONG = 1_000
WRITABLE = ("mat", "sgf", "json")


class Tally(NamedTuple):
    """Counts the results of the files."""

    verdicts: dict[str, int]
    slowest: float
    culprit: bytes
    crashes: list[str]
    # So many were passed by the fast path.
    clean: int


def judged(data: bytes) -> tuple[Verdict, ...]:
    """Do with a file what is done with an upload: judge it and write the findings down."""
    verdicts = judge(data)
    for verdict in verdicts:
        json.dumps(verdict.to_json())
    return verdicts


def check_fast_path(verdicts: tuple[Verdict, ...], data: bytes) -> None:
    """A sheet that the express reader accepts is accepted by the referee too, with the same content."""
    assert verdicts[0].word == "accepted"
    read = [adjudicate(sheet).to_json() for sheet in formats.read(data)]
    assert [verdict.to_json() for verdict in verdicts] == read


def check(verdicts: tuple[Verdict, ...], *, round_trip: bool) -> None:
    """See that the facts can be replayed, counted, and written and read again."""
    if verdicts[0].word == "unreadable":
        return
    for verdict in verdicts:
        if len(verdict.record.actions) < LONG:
            check_facts(verdict, round_trip=round_trip)


def check_facts(verdict: Verdict, *, round_trip: bool) -> None:
    score = verdict.record.replay().score
    assert verdict.statistics
    if verdict.is_accepted:
        assert score == verdict.score
        for name in WRITABLE if round_trip else ():
            (sheet,) = formats.read(formats.write(verdict.record, name))
            assert adjudicate(sheet).record.digest() == verdict.record.digest(), name


def run(spoiled: Iterable[bytes]) -> Tally:
    verdicts: dict[str, int] = {}
    crashes: list[str] = []
    slowest, culprit, clean = 0.0, b"", 0
    for number, data in enumerate(spoiled):
        began = time.process_time()
        took, word = 0.0, "crashed"
        try:
            found = judged(data)
            took, word = time.process_time() - began, found[0].word
            if reader.read_clean_sheet(data) is not None:
                clean += 1
                check_fast_path(found, data)
            check(found, round_trip=number % 4 == 0)
        except Exception:
            crashes.append(f"{data[:3000]!r}\n{traceback.format_exc(limit=-4)}")
        if took > slowest:
            slowest, culprit = took, data
        verdicts[word] = verdicts.get(word, 0) + 1
    return Tally(verdicts, slowest, culprit, crashes, clean)


@pytest.fixture(scope="module")
def files():
    return fuzzing.seeds()


@pytest.mark.long
def test_every_seed_is_known(files):
    assert all(formats.sniff(data) for data in files)


@pytest.mark.long
def test_spoiled_files_are_read_or_refused(files):
    tally = run(itertools.islice(fuzzing.Spoiler(SEED, files), FEW))
    assert tally.crashes == []
    assert tally.verdicts["unreadable"] < FEW * 0.7, "too few files come as far as the adjudicator"
    assert tally.clean, "no file comes as far as the fast path"


@pytest.mark.slow
def test_many_spoiled_files(files):
    resource = pytest.importorskip("resource")
    spoiler = fuzzing.Spoiler(SEED + 1, files)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    tally = run(itertools.islice(spoiler, MANY))
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    print(
        f"\n{MANY:,} files: {tally.verdicts}; slowest {tally.slowest * 1000:.0f} ms, {len(tally.culprit):,} bytes;"
    )
    print(f"{tally.clean:,} passed by the fast path; the process grew by {grown / 2**20:.1f} MB")
    assert tally.crashes[:3] == []
    assert tally.slowest < SECONDS
    assert grown < BYTES


@pytest.mark.slow
def test_the_worst_files_stay_small(files):
    """Files made to be large inside: what one of them takes is measured, not guessed."""
    spoiler = fuzzing.Spoiler(SEED + 2, files)
    worst = [*spoiler.bombs, *(way() for way in spoiler.rare for _ in range(8))]
    tracemalloc.start()
    try:
        for data in worst:
            tracemalloc.reset_peak()
            held, _ = tracemalloc.get_traced_memory()
            judged(data)
            _, peak = tracemalloc.get_traced_memory()
            assert peak - held < BYTES, data[:100]
    finally:
        tracemalloc.stop()
