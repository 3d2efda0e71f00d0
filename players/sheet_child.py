"""Reads a spreadsheet in a process of its own, whose memory and time are bounded: `sheet_child.py ROWS COLUMNS < file`.

A small file can ask for any amount of memory: a cell far away, an archive that unpacks without end. Then this process ends,
and nothing else does. It imports nothing of ours.
"""

import json
import sys
from datetime import date, datetime
from io import BytesIO

from python_calamine import CalamineWorkbook

MEMORY = 512 * 1024 * 1024
SECONDS = 10


def bound() -> None:
    """Take no more memory and time than any honest file of this size needs."""
    try:
        import resource
    except ImportError:
        # Windows: the parent still ends it after some seconds.
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def text(value: object) -> str:
    """Return a cell as people would type it."""
    if isinstance(value, datetime):
        return value.date().isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return "" if value is None else str(value)[:200]


def main() -> None:
    """Write the rows of the first sheet that has any."""
    most_rows, most_columns = int(sys.argv[1]), int(sys.argv[2])
    data = sys.stdin.buffer.read()
    bound()
    book = CalamineWorkbook.from_filelike(BytesIO(data))
    rows: list[list[str]] = []
    for name in book.sheet_names:
        sheet = book.get_sheet_by_name(name)
        # One more than is taken, so that whoever reads sees that there are more.
        found = sheet.to_python(skip_empty_area=True, nrows=most_rows + 1)
        rows = [[text(cell) for cell in row[:most_columns]] for row in found]
        if rows:
            break
    json.dump(rows, sys.stdout)


if __name__ == "__main__":
    main()
