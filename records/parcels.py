"""What was sent, taken apart into the files to judge: a zip is opened in memory, once, and never believed. Pure."""

from __future__ import annotations

import io
import stat
import unicodedata
import zipfile
import zlib
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.formats import LIMITS

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_FILES: Final = 500
MOST_UNPACKED: Final = 64 << 20
LONGEST_NAME: Final = 200
ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
# gzip, bzip2, xz, 7z, rar, zstd
OTHERS: Final = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf\x27\x1c", b"Rar!", b"\x28\xb5\x2f\xfd")
TAR, TAR_AT = b"ustar", 257
DAMAGE: Final = (
    OSError,
    EOFError,
    ValueError,
    RuntimeError,
    NotImplementedError,
    zlib.error,
    zipfile.BadZipFile,
)
READ: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
LOCKED: Final = 0x1


class Part(NamedTuple):
    """One file to judge, or the code of why it is not kept."""

    name: str
    data: bytes = b""
    refusal: str = ""


def parts(name: str, data: bytes) -> Iterator[Part]:
    """Yield the files in what was sent: itself, or the files in a zip."""
    shown = label(name)
    if data.startswith(ZIP):
        yield from _unzipped(shown, data)
    elif _is_other_archive(data):
        yield Part(shown, refusal="other-archive")
    else:
        yield _checked(shown, data)


def label(name: str) -> str:
    """Return a file's name as it is shown: its last part, without what cannot be seen.

    >>> label("C:\\\\games\\\\final.mat"), label("../../etc/pass\\u202ewd")
    ('final.mat', 'passwd')
    """
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return _visible(last)[-LONGEST_NAME:] or "?"


def _visible(text: str) -> str:
    normal = unicodedata.normalize("NFC", text)
    return "".join(char for char in normal if unicodedata.category(char)[0] != "C").strip()


def _checked(name: str, data: bytes) -> Part:
    return Part(name, refusal="too-large") if len(data) > LIMITS.bytes else Part(name, data)


def _unzipped(name: str, data: bytes) -> Iterator[Part]:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except DAMAGE:
        yield Part(name, refusal="bad-zip")
        return
    found = unpacked = 0
    with archive:
        for info in archive.infolist():
            if info.is_dir() or _is_litter(info.filename):
                continue
            found += 1
            if found > MOST_FILES or unpacked > MOST_UNPACKED:
                yield Part(name, refusal="too-much")
                return
            part = _member(archive, info)
            unpacked += len(part.data)
            yield part
    if not found:
        yield Part(name, refusal="empty-zip")


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Part:
    name = label(info.filename)
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
            # Whatever the headers promise, no more is unpacked than a reader takes and one byte.
            data = file.read(LIMITS.bytes + 1)
    except DAMAGE:
        return Part(name, refusal="bad-zip")
    if data.startswith(ZIP) or _is_other_archive(data):
        return Part(name, refusal="nested-archive")
    return _checked(name, data)


def _is_other_archive(data: bytes) -> bool:
    return data.startswith(OTHERS) or data[TAR_AT:].startswith(TAR)


def _is_litter(path: str) -> bool:
    """Say whether a system put it there by itself."""
    return path.startswith("__MACOSX/") or path.rpartition("/")[2] in (".DS_Store", "Thumbs.db")
