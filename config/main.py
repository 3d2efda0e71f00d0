"""`barpoint`: the command of an installed wheel; without arguments it serves."""

from __future__ import annotations

import os
import sys
from importlib.metadata import PackageNotFoundError, version


def main() -> None:
    if sys.argv[1:] in (["--version"], ["-V"]):
        sys.stdout.write(f"barpoint {get_version()}\n")
        return
    run([sys.argv[0], *(sys.argv[1:] or ["serve"])])


def get_version() -> str:
    try:
        return version("barpoint")
    except PackageNotFoundError:
        return "from a checkout"


def run(arguments: list[str]) -> None:
    # E-mails, backups, exports and the database must be private.
    os.umask(0o077)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        django.setup()
        execute_from_command_line(arguments)
    except ImproperlyConfigured as error:
        sys.stderr.write(f"barpoint: {error}\n")
        sys.exit(2)
