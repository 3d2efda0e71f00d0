"""A record that is read, written and read again is the same match, in every format.

``BARPOINT_STRIDE=1 pytest tests/engine/test_round_trips.py -m slow`` takes every file, not each twelfth.
"""

from __future__ import annotations

import csv
import os
import re
import tarfile
from collections import Counter

import pytest

from engine.actions import Played
from engine.formats import FORMATS, read, write
from engine.verdict import adjudicate
from tests.engine import selfplay
from tests.engine.shared import OURS, RECORDS, files, long_run

STRIDE = int(os.environ.get("BARPOINT_STRIDE", "12"))
WRITABLE = ("mat", "sgf", "json")


def gnubg_files():
    with tarfile.open(RECORDS / "gnubg" / "gnubg-matches.tar.gz") as archive:
        for member in archive:
            if member.isfile():
                yield member.name, archive.extractfile(member).read()


def real_files():
    """Every real file that makes a match on its own, with its dialect."""
    with (RECORDS / "real" / "manifest.csv").open(encoding="utf-8", newline="") as file:
        dialects = {row["file"]: row["dialect"] for row in csv.DictReader(file)}
    with tarfile.open(RECORDS / "real" / "records.tar.gz") as archive:
        for member in archive:
            dialect = dialects.get(member.name.removeprefix("./"), "broken")
            if "broken" not in dialect:
                yield dialect, archive.extractfile(member).read()


def partings(data):
    """Write every accepted match of a file in every format; yield each difference after reading it."""
    for source in read(data):
        verdict = adjudicate(source)
        if not verdict.is_accepted:
            continue
        record = verdict.record
        digest = record.digest()
        for name in WRITABLE:
            text = write(record, name)
            (again,) = read(text)
            second = adjudicate(again)
            if not second.is_accepted or second.record.digest() != digest:
                yield name, [finding.message for finding in second.findings]
            elif write(second.record, name) != text and name != "json":
                yield name, ["It is written another way the second time."]
            yield None, []


def run(files):
    """Count how many ways there and back were gone, and those that led elsewhere."""
    gone, lost = 0, []
    for name, data in files:
        for format_name, why in partings(data):
            if format_name is None:
                gone += 1
            else:
                lost.append((name, format_name, why[:3]))
    return gone, lost


def test_what_is_written_is_known_by_its_name():
    assert all(FORMATS[name].write for name in WRITABLE)


@pytest.mark.long
def test_our_matches_come_back():
    gone, lost = run((name, data) for name, data in files(OURS.played) if name.endswith(".sgf"))
    assert (gone, lost) == (10 * len(WRITABLE), [])


def test_sgf_is_written_as_our_samples_have_it():
    for name, data in files(OURS.played):
        if name.endswith(".sgf"):
            (sheet,) = read(data)
            assert plain(write(adjudicate(sheet).record, "sgf")) == plain(data)


@pytest.mark.long
def test_a_game_of_thousands_of_rolls_comes_back():
    record = selfplay.match_of_one_long_game(rolls=3_500)
    lost = list(partings(write(record, "json")))

    assert record.replay().is_over
    assert sum(isinstance(action, Played) for action in record.actions) >= 3_500
    assert lost == [(None, [])] * len(WRITABLE)


@long_run
def test_some_matches_come_back():
    files = [each for number, each in enumerate(gnubg_files()) if number % 300 == 0]
    short = {dialect: data for dialect, data in real_files() if len(data) < 4_000}
    gone, lost = run([*files, *short.items()])
    assert gone > 30
    assert lost == []


@long_run
def test_sgf_is_written_as_gnu_backgammon_writes_it():
    files = [data for name, data in gnubg_files() if name.endswith(".sgf")][::60]
    for data in files:
        (sheet,) = read(data)
        assert plain(write(adjudicate(sheet).record, "sgf")) == plain(data)


def plain(data):
    """Remove the writer's name, its statistics, trailing blanks, and the routes of checkers."""
    text = re.sub(r"AP\[[^]]*\]|GS(\[[MCD]:[^]]*\])+", "", data.decode())
    text = re.sub(r"(?<=\[\d\d)[a-z]+(?=\])", lambda play: moved(play[0]), text)
    return re.sub(r"\s+\n", "\n", text).strip()


def moved(letters):
    left, reached = Counter(letters[::2]), Counter(letters[1::2])
    return "".join(sorted((left - reached).elements())) + "/" + "".join(sorted((reached - left).elements()))


@long_run
@pytest.mark.slow
def test_the_matches_of_gnu_backgammon_come_back():
    sgf = [(name, data) for name, data in gnubg_files() if name.endswith(".sgf")]
    gone, lost = run(sgf[::STRIDE])
    assert gone == len(sgf[::STRIDE]) * len(WRITABLE)
    assert lost == []


@long_run
@pytest.mark.slow
def test_the_accepted_real_matches_come_back():
    gone, lost = run(list(real_files())[::STRIDE])
    assert gone > 4_000 // STRIDE
    assert lost == []
