"""Unpacking of zips in a process with limited memory and time (`runtime.work.child_processes`).

Usage: `unpacking_child.py FILE FILES BYTES < zips > files`. FILE is the size of the largest file taken, FILES
and BYTES are the budget of all zips together. The exit code is 3 for too many files and 4 for too many bytes,
including refused ones. It imports no modules of this project.

Input and output are framed: a line of JSON with name, size and more, followed by that number of bytes.
"""

from __future__ import annotations

import io
import json
import stat
import sys
import unicodedata
import zipfile
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

LONGEST_NAME: Final = 200
# Folders and system files do not count; a zip can list some beside each file.
ENTRIES_PER_FILE: Final = 4
ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
# gzip, bzip2, xz, 7z, rar, zstd
OTHERS: Final = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf\x27\x1c", b"Rar!", b"\x28\xb5\x2f\xfd")
TAR, TAR_AT = b"ustar", 257
READ: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
LOCKED: Final = 0x1
TOO_MANY_FILES, TOO_MANY_BYTES = 3, 4


class Part(NamedTuple):
    """A file to judge, or the code of its refusal."""

    name: str
    data: bytes = b""
    refusal: str = ""


class OverBudget(Exception):
    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Budget:
    """The remaining numbers of files and bytes, and the size limit of a file."""

    def __init__(self, largest: int, files: int, size: int) -> None:
        self.largest = largest
        self.files = files
        self.bytes = size

    def count_file(self) -> None:
        self.files -= 1
        if self.files < 0:
            raise OverBudget(TOO_MANY_FILES)

    def count_bytes(self, size: int) -> None:
        self.bytes -= size
        if self.bytes < 0:
            raise OverBudget(TOO_MANY_BYTES)


def clean_file_name(name: str) -> str:
    """Return the file name for display: the last part of the path, without invisible characters.

    >>> clean_file_name("C:\\\\games\\\\final.mat"), clean_file_name("../../etc/pass\\u202ewd")
    ('final.mat', 'passwd')
    """
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    # Limit the work: anything before would be cut off anyway.
    normal = unicodedata.normalize("NFC", last[-4 * LONGEST_NAME :])
    seen = "".join(char for char in normal if unicodedata.category(char)[0] != "C").strip()
    return seen[-LONGEST_NAME:] or "?"


def is_other_archive(data: bytes) -> bool:
    """True for archives and compressed files that are not supported."""
    return data.startswith(OTHERS) or data[TAR_AT : TAR_AT + len(TAR)] == TAR


def unpack_zip(name: str, data: bytes, budget: Budget) -> Iterator[Part]:
    """Yield the files in a zip.

    :raises OverBudget: too many files or bytes.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - any error of the reader means it is no zip
        budget.count_file()
        yield Part(name, refusal="bad-zip")
        return
    with archive:
        entries = archive.infolist()
        if len(entries) > ENTRIES_PER_FILE * budget.files:
            raise OverBudget(TOO_MANY_FILES)
        files = [info for info in entries if not info.is_dir() and not _is_system_file(info.filename)]
        for info in files:
            budget.count_file()
            yield _read_member(archive, info, budget)
    if not files:
        budget.count_file()
        yield Part(name, refusal="empty-zip")


def _read_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> Part:
    name = clean_file_name(info.filename)
    path = info.filename.replace("\\", "/")
    if path.startswith("/") or ".." in path.split("/") or path[1:2] == ":":
        return Part(name, refusal="bad-path")
    if stat.S_ISLNK(info.external_attr >> 16):
        return Part(name, refusal="link")
    if info.flag_bits & LOCKED:
        return Part(name, refusal="locked-zip")
    if info.compress_type not in READ:
        return Part(name, refusal="bad-zip")
    try:
        with archive.open(info) as file:
            # Do not trust the headers: read at most one byte more than the limit.
            data = file.read(budget.largest + 1)
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001
        # The unpacked size is unknown: count the largest possible one.
        budget.count_bytes(min(max(info.file_size, info.compress_size), budget.largest))
        return Part(name, refusal="bad-zip")
    budget.count_bytes(len(data))
    if data.startswith(ZIP) or is_other_archive(data):
        return Part(name, refusal="nested-archive")
    return Part(name, refusal="too-large") if len(data) > budget.largest else Part(name, data)


def _is_system_file(path: str) -> bool:
    """True for files that operating systems add."""
    return path.startswith("__MACOSX/") or path.rpartition("/")[2] in (".DS_Store", "Thumbs.db")


def frame_data(data: bytes, **head: Any) -> bytes:
    """Frame bytes with a header line."""
    return json.dumps({**head, "size": len(data)}).encode() + b"\n" + data


def unframe_data(data: bytes) -> Iterator[tuple[dict[str, Any], bytes]]:
    """Yield the header and the bytes of each frame."""
    at = 0
    while at < len(data):
        end = data.index(b"\n", at)
        head = json.loads(data[at:end])
        at = end + 1 + head["size"]
        yield head, data[end + 1 : at]


def main() -> int:
    """Write the files of each zip, with the zip's number; return the exit code."""
    budget = Budget(*map(int, sys.argv[1:4]))
    try:
        for number, (head, data) in enumerate(unframe_data(sys.stdin.buffer.read())):
            for part in unpack_zip(head["name"], data, budget):
                line = frame_data(part.data, zip=number, name=part.name, refusal=part.refusal)
                sys.stdout.buffer.write(line)
    except OverBudget as excess:
        return excess.status
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
