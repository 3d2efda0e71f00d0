"""Reading archives without unpacking them to disk; their headers are not trusted.

At most one member is held in memory, of at most the size that a reader accepts, and the total size unpacked
is limited, even if the headers claim less.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import zipfile
import zlib
from io import BufferedIOBase
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOST_MEMBERS: Final = 100_000
MOST_UNPACKED: Final = 512 << 20

HEAD: Final = 512
ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
TAR, TAR_AT = b"ustar", 257
PACKERS: Final[dict[bytes, Callable[[str], Any]]] = {
    b"\x1f\x8b": gzip.open,
    b"BZh": bz2.open,
    b"\xfd7zXZ": lzma.open,
}
DAMAGE: Final = (
    OSError,
    EOFError,
    ValueError,
    RuntimeError,
    zlib.error,
    lzma.LZMAError,
    tarfile.TarError,
    zipfile.BadZipFile,
)


class ArchiveMember(NamedTuple):
    """One file of an archive, or the reason why it cannot be read; without a name, why the archive cannot."""

    name: str
    data: bytes = b""
    refusal: tuple[str, str] | None = None


class ArchiveTooLarge(Exception):
    """The archive exceeds a limit."""


def is_archive(path: str) -> bool:
    """True for a zip or tar archive, or a compressed file that may contain one."""
    head = _read_head(path)
    packed = any(head.startswith(mark) for mark in (*ZIP, *PACKERS))
    return packed or head[TAR_AT:].startswith(TAR)


def list_members(path: str, most: int) -> Iterator[ArchiveMember]:
    """Yield the files in an archive, of each no more than *most* bytes."""
    inside = _list_zip_members if _read_head(path).startswith(ZIP) else _list_tar_members
    unpacked = 0
    try:
        for count, member in enumerate(inside(path, most), 1):
            unpacked += len(member.data)
            if count > MOST_MEMBERS or unpacked > MOST_UNPACKED:
                raise ArchiveTooLarge
            yield member
    except ArchiveTooLarge:
        message = f"The archive has more than {MOST_MEMBERS:,} files or {MOST_UNPACKED:,} bytes in it."
        yield ArchiveMember("", refusal=("archive-too-large", message))
    except DAMAGE as error:
        yield ArchiveMember("", refusal=("bad-archive", f"The archive cannot be read: {error}."))


def _read_head(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(HEAD)
    except OSError:
        return b""  # the reader of the whole file reports why


def _list_zip_members(path: str, most: int) -> Iterator[ArchiveMember]:
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if not info.is_dir():
                yield _read_zip_member(archive, info, most)


def _read_zip_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> ArchiveMember:
    # The other ways of packing unpack as much at once as the archive likes.
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return ArchiveMember(
            info.filename, refusal=("bad-archive", "The file is packed in a way not read here.")
        )
    try:
        with archive.open(info) as file:
            return ArchiveMember(info.filename, file.read(most))
    except DAMAGE as error:
        return ArchiveMember(info.filename, refusal=("bad-archive", f"The file cannot be unpacked: {error}."))


def _list_tar_members(path: str, most: int) -> Iterator[ArchiveMember]:
    head = _read_head(path)
    opener = next((opener for mark, opener in PACKERS.items() if head.startswith(mark)), _open_plain)
    with opener(path) as file:
        if not file.read(HEAD)[TAR_AT:].startswith(TAR):
            file.seek(0)
            yield ArchiveMember("", file.read(most))  # no archive, but one packed file
            return
        file.seek(0)
        with tarfile.open(fileobj=_GuardedFile(file, most + tarfile.RECORDSIZE), mode="r:") as archive:
            for info in archive:
                content = archive.extractfile(info) if info.isreg() else None
                if content is not None:
                    yield ArchiveMember(info.name.removeprefix("./"), content.read(most))


def _open_plain(path: str) -> IO[bytes]:
    return Path(path).open("rb")


class _GuardedFile(BufferedIOBase):
    """A file that limits the size of each read, and how far it is read.

    A header may promise a name of any length, and `tarfile` would read it at once.
    """

    def __init__(self, file: IO[bytes], most: int) -> None:
        self.file = file
        self.most = most

    def read(self, size: int | None = -1, /) -> bytes:
        if size is None or not 0 <= size <= self.most:
            raise ArchiveTooLarge
        return self.file.read(size)

    def seek(self, place: int, whence: int = 0, /) -> int:
        if place > MOST_UNPACKED:
            raise ArchiveTooLarge
        return self.file.seek(place, whence)

    def tell(self) -> int:
        return self.file.tell()
