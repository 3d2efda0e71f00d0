"""Exit statuses and usage errors of the command line."""

from __future__ import annotations

from typing import Final

# Exit statuses. The last two are those that a shell reports for SIGINT and SIGPIPE.
GOOD: Final = 0
BAD: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 130
NO_READER: Final = 141


class UsageError(Exception):
    """The arguments are wrong, do not fit together, or name a file that cannot be used."""
