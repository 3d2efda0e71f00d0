"""Static files under names that carry their content's hash, so that browsers may keep them for ever."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import os
import tempfile
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
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import MissingFileError
from whitenoise.storage import CompressedManifestStaticFilesStorage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase


MANIFEST = "staticfiles.json"
# What a board weighs is promised (docs/design.md): these folders, all of them ours, are worth the best there is.
WORTH_THE_BEST = {"css", "js"}


class QuickCompressor(Compressor):  # type: ignore[misc]  # not typed
    """What others bring is compressed with a tenth more bytes for a hundredth of the time before a first page."""

    root: Path

    def compress(self, path: str) -> list[str]:
        """Lay what browsers ask for beside a file."""
        folder = Path(path).relative_to(self.root).parts[0]
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
        compressor = QuickCompressor(**options)
        compressor.root = Path(self.location)
        return compressor

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Lay the sheets of a page into one file first, which is then named and compressed as all others are."""
        if not dry_run:
            paths = {**paths, **dict(self._sheets_as_one(paths))}
        yield from super().post_process(paths, dry_run, **options)

    def _sheets_as_one(self, paths: Mapping[str, Any]) -> Iterator[tuple[str, tuple[Any, str]]]:
        for name, parts in settings.STYLE_SHEETS.items():
            # They lie in one folder, so what they name lies where it lay.
            if all(part in paths for part in parts):
                texts = [Path(self.path(part)).read_text(encoding="utf-8") for part in parts]
                Path(self.path(name)).write_text("\n".join(texts), encoding="utf-8")
                yield name, (self, name)

    def url(self, name: str | None, force: bool = False) -> str:
        """Return the address of a file; two dozen are asked for by every page."""
        if name not in self._urls:
            self._urls[name] = super().url(name, force)
        return self._urls[name]


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]  # not typed
    """Looks for a file when it is first asked for, and finds also what was collected later.

    While processes are replaced, a page of the new ones asks the old ones, too. And to look at all files at a start would
    keep the first page waiting.
    """

    def update_files_dictionary(self, root: str, prefix: str) -> None:
        """Look at nothing yet."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Serve a file, or ask the next in line."""
        url = request.path_info
        if url not in self.files and url.startswith(self.static_prefix) and self.url_is_canonical(url):
            self._look_for(url)
        return super().__call__(request)  # type: ignore[no-any-return]

    def _look_for(self, url: str) -> None:
        root = Path(self.static_root)
        path = root / url.removeprefix(self.static_prefix)
        # What lies there under a dot is ours.
        if root in path.parents and not path.name.startswith(".") and path.is_file():
            with contextlib.suppress(MissingFileError):
                self.files[url] = self.find_file_at_path(str(path), url)


def collect_if_stale(*, announce: Callable[[], None] = lambda: None, is_open: bool = False) -> bool:
    """Collect the static files unless nothing changed since the last time; return whether it was done.

    Where others are serving what is there (*is_open*), it stays until the next start.
    """
    root = Path(settings.STATIC_ROOT)
    if (root / MANIFEST).exists() and not os.access(root, os.W_OK):
        return False  # an image brings its own
    stamp = root / ".stamp"
    current = _fingerprint()
    with _alone(root):
        if stamp.exists() and stamp.read_text() == current:
            return False
        announce()
        if is_open:
            _add(root)
        else:
            call_command("collectstatic", interactive=False, verbosity=0, clear=True)
        stamp.write_text(current)
    return True


def _add(root: Path) -> None:
    """Collect beside the folder and bring what is new into it, each file whole and the list of them last."""
    from django.contrib.staticfiles.management.commands.collectstatic import Command as Collect

    with tempfile.TemporaryDirectory(dir=root.parent, prefix=f"{root.name}-") as name:
        command = Collect()
        command.storage = HashedStaticFiles(location=name)
        call_command(command, interactive=False, verbosity=0)
        beside = Path(name)
        for path in sorted(beside.rglob("*")):
            place = root / path.relative_to(beside)
            if path.is_dir():
                place.mkdir(parents=True, exist_ok=True)
            elif not place.exists() and path.name != MANIFEST:
                path.replace(place)
        (beside / MANIFEST).replace(root / MANIFEST)


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
    for line in [*sorted(_files()), repr(settings.STYLE_SHEETS)]:
        digest.update(line.encode())
    return digest.hexdigest()


def _files() -> Iterator[str]:
    config: Any = apps.get_app_config("staticfiles")
    for finder in get_finders():
        for path, storage in finder.list(ignore_patterns=list(config.ignore_patterns)):
            found = Path(storage.path(path)).stat()
            yield f"{path} {found.st_size} {found.st_mtime_ns}\n"
