"""The files that a command line names, also in folders and in archives."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from engine.cli import archives
from engine.cli.archives import ENOUGH, Source
from engine.cli.terminal import UsageError

STANDARD_INPUT: Final = "-"


def list_files(paths: Iterable[str]) -> list[str]:
    """Return every file that *paths* name, and those in folders in sorted order, but no hidden ones.

    Raises UsageError for a path that does not exist.
    """
    files: list[str] = []
    for path in paths:
        if Path(path).is_dir():
            files.extend(_walk_folder(path))
        elif path == STANDARD_INPUT or Path(path).exists():
            files.append(path)
        else:
            raise UsageError(f"There is no {path}.")
    return files


def list_sources(path: str) -> Iterator[Source]:
    """Yield the sources at *path*: the file itself, or the members of an archive."""
    if path == STANDARD_INPUT:
        yield Source(path, data=sys.stdin.buffer.read(ENOUGH))
    elif not archives.is_archive(path):
        yield Source(path, path=path)
    else:
        for member in archives.list_members(path):
            yield member._replace(name=f"{path}/{member.name}" if member.name else path)


def read_single_file(path: str) -> bytes:
    """Return the content of the file at *path*, or of standard input for ``-``.

    Raises UsageError if there is no such file, Unreadable if it cannot be opened.
    """
    if path == STANDARD_INPUT:
        return sys.stdin.buffer.read(ENOUGH)
    if not Path(path).exists():
        raise UsageError(f"There is no {path}.")
    if Path(path).is_dir():
        raise UsageError(f"{path} is a folder.")
    return Source(path, path=path).read()


def _walk_folder(folder: str) -> Iterator[str]:
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = os.path.join(here, name)
            if not name.startswith(".") and Path(path).is_file():
                yield path
