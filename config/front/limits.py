"""Limits on requests: how long headers may be, how slowly they may arrive, how many connections at once.

One table, each row of which stands in docs/operations.md. Everything counts for one web process.
"""

from __future__ import annotations

import resource
from dataclasses import dataclass
from typing import Final

KIB: Final = 1024
# What a web process has open besides connections: databases, the log, what a page reads.
KEPT_FILES: Final = 250

# What a request may weigh, by where it goes. A page's largest form is a pasted list of players.
MOST_BODY: Final = (
    # Files: some records, or a zip of a season.
    ("/api/v1/records/", 8 * 1024 * KIB),
    ("/records/", 8 * 1024 * KIB),
    ("/api/", 1024 * KIB),
    ("/", 256 * KIB),
)


@dataclass(frozen=True, slots=True)
class Limits:
    """How patient one web process is."""

    # A browser sends some twenty lines and two kilobytes.
    header_lines: int = 100
    head_bytes: int = 32 * KIB
    # From the first moment of a connection, or of the next request on it, until its head is here.
    head_seconds: float = 15
    # A body may begin slowly for so long, and then has to keep this pace.
    body_grace_seconds: float = 15
    body_bytes_a_second: int = KIB
    # Nothing of the answer was taken for so long: the phone is out of reach.
    stalled_seconds: float = 60
    # Requests sent ahead on one connection before the first is answered.
    pipelined: int = 8
    # Of one address there may be as many as the setting CONNECTIONS_PER_ADDRESS says, and at most half of all.
    connections: int = 8_000


def within(files: int) -> Limits:
    """Return the limits of a process that may have so many files open, of which connections are some."""
    return Limits(connections=min(Limits().connections, max(files - KEPT_FILES, files // 2)))


def open_files() -> int:
    """Have this process open as many files as the system lets it; return how many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = Limits().connections + KEPT_FILES
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    # Most systems give 1,024 at first, and more to whoever asks.
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most


def most_body(path: str) -> int:
    """Return how many bytes may be sent to a path."""
    return next((size for prefix, size in MOST_BODY if path.startswith(prefix)), MOST_BODY[-1][1])
