"""Static files under names that carry their content's hash, so that browsers may keep them for ever."""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from whitenoise.storage import CompressedManifestStaticFilesStorage

if TYPE_CHECKING:
    from collections.abc import Iterator


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # not typed
    """Whitenoise's storage, with the imports inside our own ES modules rewritten as well."""

    # Only ours: Django's patterns find imports in other people's comments and regular expressions.
    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("js/*.js", CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]),  # noqa: SLF001
    )
    manifest_strict = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._urls: dict[str | None, str] = {}
        super().__init__(*args, **kwargs)

    def url(self, name: str | None, force: bool = False) -> str:
        """Return the address of a file; two dozen are asked for by every page."""
        if name not in self._urls:
            self._urls[name] = super().url(name, force)
        return self._urls[name]


def collect_if_stale() -> bool:
    """Collect the static files unless nothing changed since the last time; say whether it was done."""
    root = Path(settings.STATIC_ROOT)
    if (root / "staticfiles.json").exists() and not os.access(root, os.W_OK):
        return False  # an image brings its own
    stamp = root / ".stamp"
    current = _fingerprint()
    with _alone(root):
        if stamp.exists() and stamp.read_text() == current:
            return False
        call_command("collectstatic", interactive=False, verbosity=0, clear=True)
        stamp.write_text(current)
    return True


@contextlib.contextmanager
def _alone(root: Path) -> Iterator[None]:
    """Let one process at a time collect: two that clear the folder at once trip over each other."""
    root.parent.mkdir(parents=True, exist_ok=True)
    with (root.parent / f"{root.name}.lock").open("w") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _fingerprint() -> str:
    digest = hashlib.sha256()
    for line in sorted(_files()):
        digest.update(line.encode())
    return digest.hexdigest()


def _files() -> Iterator[str]:
    for finder in get_finders():
        for path, storage in finder.list(ignore_patterns=None):
            found = Path(storage.path(path)).stat()
            yield f"{path} {found.st_size} {found.st_mtime_ns}\n"
