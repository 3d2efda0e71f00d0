"""Reader of spreadsheets, run in a process with limited memory and time (`runtime.work.child_processes`).

Usage: `sheet_child.py PART BYTES ROWS COLUMNS < file`. The exit code is 3 if the archive declares more than BYTES,
and 4 if PART is missing. It imports no modules of this project.

A small file can need any amount of memory, by a cell far away or an archive that unpacks without end; this process
alone is ended then.
"""

import json
import sys
import zipfile
from datetime import date, datetime
from io import BytesIO

from python_calamine import CalamineWorkbook

TOO_MUCH_INSIDE, OTHER_KIND = 3, 4


def format_cell(value: object) -> str:
    """Convert a cell to text as people would type it."""
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return "" if value is None else str(value)[:200]


def main() -> int:
    """Write the rows of the first sheet that has any to stdout; return the exit code."""
    part = sys.argv[1]
    most_inside, most_rows, most_columns = map(int, sys.argv[2:])
    file = BytesIO(sys.stdin.buffer.read())
    with zipfile.ZipFile(file) as archive:
        if sum(info.file_size for info in archive.infolist()) > most_inside:
            return TOO_MUCH_INSIDE
        if part not in archive.namelist():
            return OTHER_KIND
    file.seek(0)
    book = CalamineWorkbook.from_filelike(file)
    rows: list[list[str]] = []
    for name in book.sheet_names:
        sheet = book.get_sheet_by_name(name)
        # One more than the limit, so that the caller can detect more rows.
        found = sheet.to_python(skip_empty_area=True, nrows=most_rows + 1)
        rows = [[format_cell(cell) for cell in row[:most_columns]] for row in found]
        if rows:
            break
    json.dump(rows, sys.stdout)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
