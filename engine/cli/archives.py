"""A reader of archives that unpacks nothing to disk and does not trust their headers.

It holds at most one member in memory, cut at the limit of a reader. The total size unpacked is limited, even if
the headers claim less.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from io import BufferedIOBase
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

from engine.errors import Unreadable
from engine.formats import LIMITS

# One byte more than a reader accepts, so that it refuses a file that is too large.
ENOUGH: Final = LIMITS.bytes + 1
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


class Source(NamedTuple):
    """A file on disk, a file of an archive, or the reason why it cannot be read."""

    name: str
    path: str = ""
    data: bytes = b""
    refusal: tuple[str, str] | None = None

    def read(self) -> bytes:
        """Return the content, cut at `ENOUGH` bytes; raises Unreadable if there is none."""
        if self.refusal is not None:
            raise Unreadable(*self.refusal)
        if not self.path:
            return self.data
        try:
            with Path(self.path).open("rb") as file:
                return file.read(ENOUGH)
        except OSError as error:
            raise Unreadable("cannot-open", f"The file cannot be opened: {error.strerror}.") from error


class ArchiveTooLarge(Exception):
    """The archive exceeds a limit."""


def is_archive(path: str) -> bool:
    """True if the file is a zip or tar archive or is compressed."""
    head = _read_head(path)
    return head.startswith((*ZIP, *PACKERS)) or head[TAR_AT:].startswith(TAR)


def list_members(path: str) -> Iterator[Source]:
    """Yield the files in an archive, each cut at `ENOUGH` bytes; errors are yielded as refusals.

    The name is empty for a compressed file that is no archive, and for an error of the whole archive.
    """
    inside = _list_zip_members if _read_head(path).startswith(ZIP) else _list_tar_members
    unpacked = 0
    try:
        for count, member in enumerate(inside(path), 1):
            unpacked += len(member.data)
            if count > MOST_MEMBERS or unpacked > MOST_UNPACKED:
                raise ArchiveTooLarge
            yield member
    except ArchiveTooLarge:
        message = f"The archive has more than {MOST_MEMBERS:,} files or {MOST_UNPACKED:,} bytes in it."
        yield Source("", refusal=("archive-too-large", message))
    except DAMAGE as error:
        yield Source("", refusal=("bad-archive", f"The archive cannot be read: {error}."))


def _read_head(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            return file.read(HEAD)
    except OSError:
        return b""  # reading the whole file reports why


def _list_zip_members(path: str) -> Iterator[Source]:
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if not info.is_dir():
                yield _read_zip_member(archive, info)


def _read_zip_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Source:
    # With other compression methods, `zipfile` does not limit how much one read unpacks.
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return Source(info.filename, refusal=("bad-archive", "The file is packed in a way not read here."))
    try:
        with archive.open(info) as file:
            return Source(info.filename, data=file.read(ENOUGH))
    except DAMAGE as error:
        return Source(info.filename, refusal=("bad-archive", f"The file cannot be unpacked: {error}."))


def _list_tar_members(path: str) -> Iterator[Source]:
    head = _read_head(path)
    opener = next((opener for mark, opener in PACKERS.items() if head.startswith(mark)), _open_plain)
    with opener(path) as file:
        if not file.read(HEAD)[TAR_AT:].startswith(TAR):
            file.seek(0)
            yield Source("", data=file.read(ENOUGH))  # no archive, but a single compressed file
            return
        file.seek(0)
        with tarfile.open(fileobj=_GuardedFile(file), mode="r:") as archive:
            for info in archive:
                content = archive.extractfile(info) if info.isreg() else None
                if content is not None:
                    yield Source(info.name.removeprefix("./"), data=content.read(ENOUGH))


def _open_plain(path: str) -> IO[bytes]:
    return Path(path).open("rb")


class _GuardedFile(BufferedIOBase):
    """A file that limits its position and the size of each read.

    A header may announce a name of any length, which `tarfile` would read at once.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file

    def read(self, size: int | None = -1, /) -> bytes:
        if size is None or not 0 <= size <= ENOUGH + tarfile.RECORDSIZE:
            raise ArchiveTooLarge
        return self.file.read(size)

    def seek(self, place: int, whence: int = 0, /) -> int:
        if place > MOST_UNPACKED:
            raise ArchiveTooLarge
        return self.file.seek(place, whence)

    def tell(self) -> int:
        return self.file.tell()
