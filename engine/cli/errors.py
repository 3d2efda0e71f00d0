"""What goes wrong on a command line and is nobody's record."""

from __future__ import annotations

from typing import Final

# Exit statuses. The last two are what a shell reports of a program that was interrupted or lost its reader.
GOOD: Final = 0
BAD: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 130
NO_READER: Final = 141


class Usage(Exception):
    """The command cannot be carried out as it was given."""
