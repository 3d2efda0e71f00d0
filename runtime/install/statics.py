"""Static files: WhiteNoise's, with the sheets of a page laid into one file; collected when something has changed."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from whitenoise.storage import CompressedManifestStaticFilesStorage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # not typed
    """WhiteNoise's storage, for style sheets that are served as one file and for our own ES modules."""

    # Only ours: Django's patterns find imports in other people's comments and regular expressions.
    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("js/*.js", CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]),  # noqa: SLF001
    )

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Lay the sheets of a page into one file first, which is then named and compressed as all others are."""
        for name, parts in settings.STYLE_SHEETS.items():
            # They lie in one folder, so what they name lies where it lay.
            if not dry_run and all(part in paths for part in parts):
                texts = [Path(self.path(part)).read_text(encoding="utf-8") for part in parts]
                Path(self.path(name)).write_text("\n".join(texts), encoding="utf-8")
                paths[name] = (self, name)
        yield from super().post_process(paths, dry_run, **options)


def collect_if_stale(*, announce: Callable[[], None] = lambda: None, is_open: bool = False) -> bool:
    """Collect the static files unless nothing has changed since the last time; return whether it was done.

    Where others are serving what is there (*is_open*), it stays until the next start.
    """
    root = Path(settings.STATIC_ROOT)
    if (root / HashedStaticFiles.manifest_name).exists() and not os.access(root, os.W_OK):
        return False  # an image brings its own
    stamp = root / ".stamp"
    current = _fingerprint()
    with _alone(root):
        if stamp.exists() and stamp.read_text() == current:
            return False
        announce()
        call_command("collectstatic", interactive=False, verbosity=0, clear=not is_open)
        stamp.write_text(current)
    return True


@contextlib.contextmanager
def _alone(root: Path) -> Iterator[None]:
    """Let one process at a time collect: two that clear the folder at once trip over each other."""
    root.parent.mkdir(parents=True, exist_ok=True)
    with (root.parent / f"{root.name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _fingerprint() -> str:
    return hashlib.sha256("".join([*sorted(_files()), repr(settings.STYLE_SHEETS)]).encode()).hexdigest()


def _files() -> Iterator[str]:
    config: Any = apps.get_app_config("staticfiles")
    for finder in get_finders():
        for path, storage in finder.list(ignore_patterns=list(config.ignore_patterns)):
            found = Path(storage.path(path)).stat()
            yield f"{path} {found.st_size} {found.st_mtime_ns}\n"
