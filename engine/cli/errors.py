"""Errors of the command line that do not belong to a record."""

from __future__ import annotations

from typing import Final

# Exit statuses. The last two are what a shell reports of a program that was interrupted or lost its reader.
GOOD: Final = 0
BAD: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 130
NO_READER: Final = 141


class UsageError(Exception):
    """The arguments are wrong or do not fit together."""
