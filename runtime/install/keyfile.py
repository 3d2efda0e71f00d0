"""The file with an installation's secret key: created atomically, readable only by its owner."""

from __future__ import annotations

import os
import secrets
from pathlib import Path


def generate_key() -> str:
    return secrets.token_urlsafe(48)


def read_key(path: Path) -> str:
    """Read the key, or "" if there is no file."""
    try:
        return path.read_text().strip()
    except FileNotFoundError:
        return ""


def store_key(path: Path, key: str) -> str:
    """Write the key unless the file has one; return the key in the file.

    :raises OSError: the folder is not writable.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    with open(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
        file.write(key)
        file.flush()
        os.fsync(file.fileno())
    try:
        # link, unlike rename, does not replace: two concurrent first starts end up with the same key.
        os.link(unfinished, path)
    except FileExistsError:
        if not read_key(path):  # left empty by a power cut
            unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return read_key(path)
