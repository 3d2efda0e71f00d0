"""Static files: WhiteNoise's storage with concatenated style sheets, collected when files have changed."""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # not typed
    """WhiteNoise's storage, with concatenated style sheets and hashed imports in our ES modules."""

    # Only our modules: Django's patterns match inside comments and regular expressions of third-party code.
    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("js/*.js", CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1]),  # noqa: SLF001
    )

    # A module is hashed again when the hash of one that it imports has changed: as often as imports are nested.
    max_post_process_passes = 20

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Concatenate style sheets first, so that the results are hashed and compressed like other files."""
        for name, parts in settings.STYLE_SHEETS.items():
            # All parts are in one folder, so relative URLs stay valid.
            if not dry_run and all(part in paths for part in parts):
                texts = [Path(self.path(part)).read_text(encoding="utf-8") for part in parts]
                Path(self.path(name)).write_text("\n".join(texts), encoding="utf-8")
                paths[name] = (self, name)
        yield from super().post_process(paths, dry_run, **options)


def collect_if_stale(*, announce: Callable[[], None] = lambda: None, is_open: bool = False) -> bool:
    """Collect the static files if they have changed since the last time; return True if it was done.

    While other processes serve the collected files (*is_open*), old ones are not deleted.
    """
    root = Path(settings.STATIC_ROOT)
    if (root / HashedStaticFiles.manifest_name).exists() and not os.access(root, os.W_OK):
        return False  # the container image contains collected files
    stamp = root / ".stamp"
    listed = "".join([*sorted(_list_files()), repr(settings.STYLE_SHEETS)])
    current = hashlib.sha256(listed.encode()).hexdigest()
    root.parent.mkdir(parents=True, exist_ok=True)
    with (root.parent / f"{root.name}.lock").open("w") as lock:
        # Only one process may clear and fill the folder at a time.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if stamp.exists() and stamp.read_text() == current:
            return False
        announce()
        call_command("collectstatic", interactive=False, verbosity=0, clear=not is_open)
        stamp.write_text(current)
    return True


def _list_files() -> Iterator[str]:
    config: Any = apps.get_app_config("staticfiles")
    for finder in get_finders():
        for path, storage in finder.list(ignore_patterns=list(config.ignore_patterns)):
            found = Path(storage.path(path)).stat()
            yield f"{path} {found.st_size} {found.st_mtime_ns}\n"
