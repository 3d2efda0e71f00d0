"""`barpoint`: the command that an installed wheel brings; without a word it serves."""

from __future__ import annotations

import gc
import os
import sys
from importlib.metadata import PackageNotFoundError, version


def main() -> None:
    """Run the command that the arguments name."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        sys.stdout.write(f"barpoint {installed()}\n")
        return
    run([sys.argv[0], *(sys.argv[1:] or ["serve"])])


def installed() -> str:
    """Return the version of what is installed; of a checkout nobody can say."""
    try:
        return version("barpoint")
    except PackageNotFoundError:
        return "from a checkout"


def run(arguments: list[str]) -> None:
    """Set everything up and run one of our commands."""
    # Letters, backups, exports and the database are nobody else's to read.
    os.umask(0o077)
    # What is imported stays: to look through it for garbage would be a twentieth of a start.
    gc.disable()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        django.setup()
        gc.freeze()
        gc.enable()
        execute_from_command_line(arguments)
    except ImproperlyConfigured as error:
        sys.stderr.write(f"barpoint: {error}\n")
        sys.exit(2)
