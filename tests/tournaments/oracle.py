"""Swiss tournaments paired by others, or by trying every way: their rounds, their reports and their tie-breaks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.engine import shared
from tests.engine.shared import Source


@dataclass(frozen=True)
class Cell:
    """One round of one player in a report: opponent (0 = none) and the letter of the result."""

    opponent: int
    result: str


@dataclass(frozen=True)
class Report:
    name: str
    rating: dict[int, int]
    cells: dict[int, tuple[Cell, ...]]
    # start number -> column -> value, of FIDE's own tie-break server
    ties: dict[int, dict[str, str]]
    rounds: list[dict[str, Any]]


@cache
def files(source: Source) -> dict[str, str]:
    found = shared.files(source.trf if source.is_ours else source.trf / "swiss.tar.gz")
    return {name.rsplit("/", 1)[-1]: data.decode() for name, data in found}


def names(source: Source) -> list[str]:
    return sorted(name.removesuffix(".lf.trf") for name in files(source) if name.endswith(".lf.trf"))


def report(source: Source, name: str) -> Report:
    rating, cells = {}, {}
    for line in files(source)[f"{name}.lf.trf"].replace("\r", "\n").split("\n"):
        if line.startswith("001"):
            number = int(line[4:8])
            rating[number] = int(line[48:52])
            row = line[91:].ljust(10)
            cells[number] = tuple(
                Cell(int(row[at : at + 4]), row[at + 7]) for at in range(0, len(row) - 7, 10)
            )
    header, *rows = (row.split("\t") for row in files(source)[f"{name}.tb.tsv"].split("\n") if row.strip())
    # For one of the tournaments the server stored its own failure instead.
    ties = {int(row[1]): dict(zip(header, row, strict=True)) for row in rows if len(row) > 1}
    return Report(name, rating, cells, ties, json.loads(files(source)[f"{name}.json"])["round_data"])
