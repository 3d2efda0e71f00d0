"""Tables that people bring along: csv, xlsx or ods, as rows of text; what cannot be read is refused with a code."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
import zipfile
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

MOST_BYTES: Final = 1_000_000
MOST_INSIDE: Final = 50_000_000
MOST_ROWS: Final = 2_000
MOST_COLUMNS: Final = 40
# The child ends itself before that.
SECONDS: Final = 20
CHILD: Final = Path(__file__).with_name("sheet_child.py")
TEXT, EXCEL, OPEN = "csv", "xlsx", "ods"
BY_ENDING: Final = {".csv": TEXT, ".tsv": TEXT, ".txt": TEXT, ".xlsx": EXCEL, ".xlsm": EXCEL, ".ods": OPEN}

Rows = list[list[str]]


def read(data: bytes, name: str) -> Rows:
    """Return the rows of a file, without empty ones at the end; cells without spaces around them.

    :raises BadSheet: one of its kinds says why it is not read.
    """
    if len(data) > MOST_BYTES:
        raise SheetTooLarge(most=MOST_BYTES // 1_000_000)
    said, found = BY_ENDING.get(Path(name).suffix.lower()), kind(data)
    if said is None or found != said:
        raise WrongSheetType
    rows = [[cell.strip()[:200] for cell in row] for row in (_text(data) if found == TEXT else _book(data))]
    while rows and not any(rows[-1]):
        rows.pop()
    if not rows:
        raise EmptySheet
    if len(rows) > MOST_ROWS:
        raise SheetTooLong(most=MOST_ROWS)
    return rows


def kind(data: bytes) -> str:
    """Return what a file is by its content; "" for what is none of ours."""
    if not data.startswith(b"PK"):
        return "" if b"\0" in data or data.startswith(b"\xd0\xcf\x11\xe0") else TEXT
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.NameToInfo
            inside = sum(info.file_size for info in names.values())
    except (zipfile.BadZipFile, ValueError, OSError) as problem:
        raise SheetUnreadable from problem
    if inside > MOST_INSIDE:
        raise SheetTooMuchInside
    return EXCEL if "xl/workbook.xml" in names else OPEN if "content.xml" in names else ""


def _text(data: bytes) -> Rows:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    head = text[:4_000]
    # The comma is a decimal sign in half of the world: there the semicolon parts cells.
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


def _book(data: bytes) -> Rows:
    command = [sys.executable, "-I", str(CHILD), str(MOST_ROWS), str(MOST_COLUMNS)]
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=SECONDS, check=False)  # noqa: S603 - ours
    except subprocess.TimeoutExpired as problem:
        raise SheetTooMuchInside from problem
    if done.returncode != 0:
        # Ended by a limit, by a signal, or because memory was refused it; everything else is a file that is broken.
        ended = done.returncode < 0 or b"MemoryError" in done.stderr or b"memory allocation" in done.stderr
        raise SheetTooMuchInside if ended else SheetUnreadable
    rows: Rows = json.loads(done.stdout)
    return rows
