"""Builds small spreadsheets, valid and malicious."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence

CONTENT_TYPES = """<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml"
ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>"""
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELS = "http://schemas.openxmlformats.org/package/2006/relationships"


def archive(files: Mapping[str, str | bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as book:
        for name, content in files.items():
            book.writestr(name, content)
    return made.getvalue()


def xlsx(rows: Sequence[Sequence[str | float]] = (), *, cells: str = "") -> bytes:
    """Return a workbook with one sheet, from rows or from the XML of its cells."""
    written = cells or "".join(
        f'<row r="{number}">{"".join(_cell(value) for value in row)}</row>'
        for number, row in enumerate(rows, 1)
    )
    return archive(
        {
            "[Content_Types].xml": CONTENT_TYPES,
            "_rels/.rels": f'<?xml version="1.0"?><Relationships xmlns="{RELS}"><Relationship Id="r1"'
            f' Type="{REL}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
            "xl/workbook.xml": f'<?xml version="1.0"?><workbook xmlns="{MAIN}" xmlns:r="{REL}"><sheets>'
            '<sheet name="Old" sheetId="1" r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": f'<?xml version="1.0"?><Relationships xmlns="{RELS}"><Relationship'
            f' Id="r1" Type="{REL}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
            "xl/worksheets/sheet1.xml": f'<?xml version="1.0"?><worksheet xmlns="{MAIN}"><sheetData>{written}'
            "</sheetData></worksheet>",
        }
    )


def _cell(value: str | float) -> str:
    if isinstance(value, str):
        return f'<c t="inlineStr"><is><t>{value}</t></is></c>'
    return f"<c><v>{value}</v></c>"


def ods(rows: Sequence[Sequence[str | float]]) -> bytes:
    def cell(value: str | float) -> str:
        kind = (
            'office:value-type="string"'
            if isinstance(value, str)
            else f'office:value-type="float" office:value="{value}"'
        )
        return f"<table:table-cell {kind}><text:p>{value}</text:p></table:table-cell>"

    written = "".join(f"<table:table-row>{''.join(map(cell, row))}</table:table-row>" for row in rows)
    oasis = "urn:oasis:names:tc:opendocument:xmlns"
    return archive(
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "META-INF/manifest.xml": f'<?xml version="1.0"?><manifest:manifest xmlns:manifest="{oasis}:manifest:1.0"/>',
            "content.xml": f'<?xml version="1.0"?><office:document-content xmlns:office="{oasis}:office:1.0"'
            f' xmlns:table="{oasis}:table:1.0" xmlns:text="{oasis}:text:1.0"><office:body><office:spreadsheet>'
            f'<table:table table:name="Old">{written}</table:table></office:spreadsheet></office:body>'
            "</office:document-content>",
        }
    )
