"""Static files under names that carry their content's hash, so that browsers may keep them for ever."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

import brotli
from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


# What a board weighs is promised (docs/design.md): these folders, all of them ours, are worth the best there is.
WORTH_THE_BEST = {"css", "js"}


class QuickCompressor(Compressor):  # type: ignore[misc]  # not typed
    """What others bring is compressed with a tenth more bytes for a hundredth of the time before a first page."""

    def compress(self, path: str) -> list[str]:
        """Lay what browsers ask for beside a file."""
        folder = Path(path).relative_to(settings.STATIC_ROOT).parts[0]
        if folder in WORTH_THE_BEST:
            return list(Compressor(quiet=True).compress(path))
        return list(super().compress(path))

    @staticmethod
    def compress_brotli(data: bytes) -> bytes:
        """Compress for the browsers that ask by https or from this machine."""
        return bytes(brotli.compress(data, quality=7))

    @staticmethod
    def compress_gzip(data: bytes) -> bytes:
        """Compress for all others; the same bytes at each time."""
        return gzip.compress(data, compresslevel=6, mtime=0)


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

    def create_compressor(self, **options: Any) -> Compressor:
        """Compress without keeping the first page waiting."""
        return QuickCompressor(**options)

    def url(self, name: str | None, force: bool = False) -> str:
        """Return the address of a file; two dozen are asked for by every page."""
        if name not in self._urls:
            self._urls[name] = super().url(name, force)
        return self._urls[name]


def collect_if_stale(*, announce: Callable[[], None] = lambda: None) -> bool:
    """Collect the static files unless nothing changed since the last time; return whether it was done."""
    root = Path(settings.STATIC_ROOT)
    if (root / "staticfiles.json").exists() and not os.access(root, os.W_OK):
        return False  # an image brings its own
    stamp = root / ".stamp"
    current = _fingerprint()
    with _alone(root):
        if stamp.exists() and stamp.read_text() == current:
            return False
        announce()
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
    config: Any = apps.get_app_config("staticfiles")
    for finder in get_finders():
        for path, storage in finder.list(ignore_patterns=list(config.ignore_patterns)):
            found = Path(storage.path(path)).stat()
            yield f"{path} {found.st_size} {found.st_mtime_ns}\n"
