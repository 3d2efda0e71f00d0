"""Limits on requests: sizes of heads and bodies, times, and numbers of connections.

All apply to one web process. docs/operations.md lists them.
"""

from __future__ import annotations

import re
import resource
from dataclasses import dataclass
from typing import Final

from players.files import sheets
from runtime import pictures

KIB: Final = 1024
# Open files of a web process besides connections: databases, logs, files that pages read.
KEPT_FILES: Final = 250


@dataclass(frozen=True, slots=True)
class BodyLimit:
    """Maximum bytes of a request to some paths, and of each file in it (*largest_file*, 0: no limit)."""

    name: str
    pattern: re.Pattern[str]
    size: int
    largest_file: int = 0
    takes_files: bool = False


# All `Cookie` lines together. Our own cookies take 2 KiB at most, including a pending message.
COOKIE_BYTES: Final = 4 * KIB
# Allowance of a form besides its files: field names, a token, multipart boundaries.
FORM: Final = 64 * KIB
# The first match counts. Patterns match both paths and the routes of `urls.py`, without the leading slash.
BODY_LIMITS: Final = (
    BodyLimit(
        "records handed in",
        re.compile(r"^(api/v1/records|records/[^/]+)/$"),
        8 * 1024 * KIB,
        takes_files=True,
    ),
    BodyLimit(
        "photos of a match",
        re.compile(r"^(m/[^/]+/photos|events/[^/]+/photos/.+)/$"),
        16_000_000 + FORM,
        largest_file=pictures.MOST_BYTES,
        takes_files=True,
    ),
    BodyLimit(
        "one picture",
        re.compile(r"^(api/v1/(sheets|codes)/[^/]+/photos|clubs/[^/]+/settings/logo)/$"),
        pictures.MOST_BYTES + FORM,
        largest_file=pictures.MOST_BYTES,
        takes_files=True,
    ),
    BodyLimit(
        "a table of players or ratings",
        re.compile(r"^(events/[^/]+/roster/file/(columns/)?|clubs/[^/]+/rankings/lists/[^/]+/openings/upload/)$"),
        sheets.MOST_BYTES + FORM,
        largest_file=sheets.MOST_BYTES,
        takes_files=True,
    ),
    BodyLimit("the API", re.compile(r"^api/"), 1024 * KIB),
    BodyLimit("a page", re.compile(r""), 256 * KIB),
)  # fmt: skip
# Bytes beyond this count towards the limits of large bodies (`bridge.BodyMemory`).
SMALL_BODY: Final = 256 * KIB
# Bytes of large bodies of a process, and of one network, from the first byte until the response.
LARGE_BODIES: Final = 64 * 1024 * KIB
LARGE_BODIES_PER_NETWORK: Final = 20 * 1024 * KIB


@dataclass(frozen=True, slots=True)
class Limits:
    # A browser sends some twenty lines and two kilobytes.
    header_lines: int = 100
    head_bytes: int = 32 * KIB
    # From the start of a connection, or of the next request on it, until its head is complete.
    head_seconds: float = 15
    # Time before the minimum rate of a body applies.
    body_grace_seconds: float = 15
    body_bytes_a_second: int = KIB
    # Total time for a body, since it is held in memory.
    body_seconds: float = 600
    # Time without progress in sending the response, as when a phone is out of reach.
    stalled_seconds: float = 60
    # Pipelined requests on a connection.
    pipelined: int = 8
    # For one address, CONNECTIONS_PER_ADDRESS and at most half of these.
    connections: int = 8_000


def compute_limits(files: int) -> Limits:
    return Limits(connections=min(Limits().connections, max(files - KEPT_FILES, files // 2)))


def raise_file_limit() -> int:
    """Raise the limit of open files as far as needed and allowed; return how many may be used."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = Limits().connections + KEPT_FILES
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    # The soft limit is usually 1,024 and may be raised.
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most


def find_body_limit(path: str) -> BodyLimit:
    """Return the limit of a path, or of a route as in `urls.py`."""
    return next(each for each in BODY_LIMITS if each.pattern.search(path.removeprefix("/")))


def describe_size(size: int) -> str:
    """Format a number of bytes.

    >>> describe_size(8 << 20), describe_size(256 << 10)
    ('8 MB', '256 KiB')
    """
    return f"{size // 1_000_000} MB" if size >= 1_000_000 else f"{size // KIB} KiB"
