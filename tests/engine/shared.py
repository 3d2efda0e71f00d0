"""Positions, records and rounds for tests.

The samples of the repository are always there (`tests/samples`). Material of other people lies beside the
checkout, if it is there at all: the long run.
"""

from __future__ import annotations

import csv
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"
SAMPLES = Path(__file__).resolve().parents[1] / "samples"
ORACLE, RECORDS, TRF = SHARED / "oracle", SHARED / "records", SHARED / "trf"

needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the long run: material from elsewhere is not here"
)
THE_LONG_RUN = (needs_shared, pytest.mark.long)


def long_run(test: Callable[..., object]) -> Callable[..., object]:
    """Mark a test that has nothing to do with our samples."""
    return needs_shared(pytest.mark.long(test))


@dataclass(frozen=True)
class Source:
    """One place where all of it lies."""

    plays: Path
    perft: Path
    # Whole matches, with `matches.csv` and `games.csv` beside them.
    played: Path
    # Records of every format, with `manifest.csv` beside them.
    collected: Path
    faults: Path
    trf: Path

    @property
    def is_ours(self) -> bool:
        return self is OURS


OURS = Source(
    plays=SAMPLES / "oracle" / "plays.jsonl",
    perft=SAMPLES / "oracle" / "perft.txt",
    played=SAMPLES / "records",
    collected=SAMPLES / "records",
    faults=SAMPLES / "faults",
    trf=SAMPLES / "trf",
)
OTHERS = Source(
    plays=ORACLE / "plays.jsonl.gz",
    perft=ORACLE / "perft.txt",
    played=RECORDS / "gnubg" / "gnubg-matches.tar.gz",
    collected=RECORDS / "real" / "records.tar.gz",
    faults=RECORDS / "faults",
    trf=TRF,
)
each_source = pytest.mark.parametrize(
    "source", [pytest.param(OURS, id="samples"), pytest.param(OTHERS, id="shared", marks=THE_LONG_RUN)]
)


def files(place: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the records in a folder or an archive: their paths in it, and what is in them."""
    if place.is_dir():
        for path in sorted(place.iterdir()):
            if path.suffix != ".csv":
                yield path.name, path.read_bytes()
        return
    with tarfile.open(place) as archive:
        for member in archive:
            source = archive.extractfile(member)
            if source is not None:
                yield member.name.removeprefix("./"), source.read()


def table(place: Path, name: str) -> list[dict[str, str]]:
    """Return the rows of a table in a folder, or beside an archive."""
    folder = place if place.is_dir() else place.parent
    with (folder / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))
