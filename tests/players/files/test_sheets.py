"""Tables that people bring along: what is read, and what is refused before it costs anything."""

from __future__ import annotations

import pytest

from players.errors import BadSheet
from players.files import sheets
from tests.sheets_made import archive, ods, xlsx

ROWS = [["Name", "Rating"], ["Zoë Ångström", "1650.5"], ["Bob", "1500"]]
CELLS: list[list[str | float]] = [["Name", "Rating"], ["Zoë Ångström", 1650.5], ["Bob", 1500]]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("old.csv", "Name,Rating\nZoë Ångström,1650.5\nBob,1500\n\n,\n".encode()),
        ("old.csv", "Name;Rating\r\nZoë Ångström;1650.5\r\nBob;1500\r\n".encode("utf-8-sig")),
        ("old.tsv", "Name\tRating\nZoë Ångström\t1650.5\nBob\t1500".encode("cp1252")),
        ("OLD.XLSX", xlsx(CELLS)),
        ("old.ods", ods(CELLS)),
    ],
)
def test_what_is_read(name: str, data: bytes) -> None:
    assert sheets.read_rows(data, name) == ROWS


def test_a_decimal_comma_is_no_new_cell() -> None:
    assert sheets.read_rows(b"Ada;1650,5\nBob;1500,0", "a.csv") == [["Ada", "1650,5"], ["Bob", "1500,0"]]


HOSTILE = {
    "too large": ("a.csv", b"x" * (sheets.MOST_BYTES + 1), "sheet_too_large"),
    "another kind": ("a.csv", xlsx(CELLS), "wrong_sheet_type"),
    "another ending": ("a.pdf", b"Ada,1500", "wrong_sheet_type"),
    "no ending": ("ratings", b"Ada,1500", "wrong_sheet_type"),
    "old Excel": ("a.xlsx", b"\xd0\xcf\x11\xe0" + b"\0" * 600, "wrong_sheet_type"),
    "a picture": ("a.csv", b"\x89PNG\r\n\x1a\n\0\0", "wrong_sheet_type"),
    "any archive": ("a.xlsx", archive({"readme.txt": "hello"}), "wrong_sheet_type"),
    "cut short": ("a.xlsx", xlsx(CELLS)[:300], "sheet_unreadable"),
    "no workbook": ("a.xlsx", archive({"xl/workbook.xml": "<nothing"}), "sheet_unreadable"),
    "nothing": ("a.csv", b"\n\n ,\n", "empty_sheet"),
    "a bomb": (
        "a.xlsx",
        archive({"xl/workbook.xml": b"<x/>", "xl/worksheets/sheet1.xml": b"0" * (sheets.MOST_INSIDE + 1)}),
        "sheet_too_much_inside",
    ),
    # Two cells: as a table, seventeen thousand million.
    "far away": (
        "a.xlsx",
        xlsx(
            cells='<row r="1"><c r="A1"><v>1</v></c></row>'
            '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
        ),
        "sheet_too_much_inside",
    ),
    "a million rows": ("a.csv", b"A,1\n" * 200_000, "sheet_too_long"),
    "many rows": ("a.xlsx", xlsx([["Ada", 1500.0]] * (sheets.MOST_ROWS + 1)), "sheet_too_long"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_is_refused(what: str) -> None:
    name, data, code = HOSTILE[what]
    with pytest.raises(BadSheet) as refusal:
        sheets.read_rows(data, name)
    assert refusal.value.code == code
    assert str(refusal.value)
