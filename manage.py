#!/usr/bin/env python3
"""Django's command line; points at `config.settings` and does nothing else."""

import gc
import os
import sys


def main() -> None:
    """Run the command that the arguments name."""
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
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.stderr.write(f"barpoint: {error}\n")
        sys.exit(2)


if __name__ == "__main__":
    main()
