"""Uploaded tables in csv, xlsx or ods as rows of text; unreadable files are refused with a code."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Collection
from pathlib import Path
from typing import Final

from players.errors import (
    EmptySheet,
    SheetTooLarge,
    SheetTooLong,
    SheetTooMuchInside,
    SheetUnreadable,
    WrongSheetType,
)
from runtime.work import child_processes

MOST_BYTES: Final = 1_000_000
MOST_INSIDE: Final = 50_000_000
MOST_ROWS: Final = 2_000
MOST_COLUMNS: Final = 40
LIMITS: Final = child_processes.Limits(memory=512 << 20)
CHILD: Final = Path(__file__).with_name("sheet_child.py")
TEXT, EXCEL, OPEN = "csv", "xlsx", "ods"
BY_ENDING: Final = {".csv": TEXT, ".tsv": TEXT, ".txt": TEXT, ".xlsx": EXCEL, ".xlsm": EXCEL, ".ods": OPEN}

# The part of the archive that identifies the kind.
PARTS: Final = {EXCEL: "xl/workbook.xml", OPEN: "content.xml"}
# The child's exit codes.
REFUSALS: Final = {3: SheetTooMuchInside, 4: WrongSheetType}

Rows = list[list[str]]


def read_rows(data: bytes, name: str, *, payers: Collection[str] = ()) -> Rows:
    """Read the rows of a file, with cells stripped and without empty rows at the end.

    :raises BadSheet: one of its subclasses, with the reason.
    :raises FileInProgress: one of the payers, or enough others, have a file in progress.
    """
    if len(data) > MOST_BYTES:
        raise SheetTooLarge(most=MOST_BYTES // 1_000_000)
    kind = BY_ENDING.get(Path(name).suffix.lower())
    is_text = not data.startswith((b"PK", b"\xd0\xcf\x11\xe0")) and b"\0" not in data
    if kind is None or is_text != (kind == TEXT):
        raise WrongSheetType
    found = _read_text(data) if kind == TEXT else _read_spreadsheet(data, kind, payers)
    rows = [[cell.strip()[:200] for cell in row] for row in found]
    while rows and not any(rows[-1]):
        rows.pop()
    if not rows:
        raise EmptySheet
    if len(rows) > MOST_ROWS:
        raise SheetTooLong(most=MOST_ROWS)
    return rows


def _read_text(data: bytes) -> Rows:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    head = text[:4_000]
    # With decimal commas the semicolon separates cells.
    delimiter = max("\t;,", key=lambda sign: (head.count(sign), sign == ";"))
    if ";" in head and head.count(";") >= len(head.strip().splitlines()):
        delimiter = ";"
    rows: Rows = []
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            rows.append(row[:MOST_COLUMNS])
            if len(rows) > MOST_ROWS + 1:
                break
    except csv.Error as problem:
        raise SheetUnreadable from problem
    return rows


def _read_spreadsheet(data: bytes, kind: str, payers: Collection[str]) -> Rows:
    if not data.startswith(b"PK"):
        raise WrongSheetType
    given = PARTS[kind], str(MOST_INSIDE), str(MOST_ROWS), str(MOST_COLUMNS)
    try:
        read = child_processes.run(CHILD, *given, data=data, limits=LIMITS, payers=payers)
    except child_processes.OutOfLimits as problem:
        raise SheetTooMuchInside from problem
    except child_processes.ChildFailed as problem:
        raise REFUSALS.get(problem.status, SheetUnreadable) from problem
    rows: Rows = json.loads(read)
    return rows
