"""The file with an installation's secret key: made once, atomically, and readable only by its owner."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def fresh() -> str:
    """Return a key that nobody has."""
    return secrets.token_urlsafe(48)


def kept(path: Path) -> str:
    """Return the key that is kept there, if any."""
    try:
        return path.read_text().strip()
    except FileNotFoundError:
        return ""


def keep(path: Path, key: str) -> str:
    """Keep a key where none is kept; return the one that is kept then.

    :raises OSError: the folder cannot be used.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    with open(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
        file.write(key)
        file.flush()
        os.fsync(file.fileno())
    try:
        # link, unlike rename, refuses to replace: of two first starts one key wins for both.
        os.link(unfinished, path)
    except FileExistsError:
        if not kept(path):  # a power cut has left it empty
            unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return kept(path)
