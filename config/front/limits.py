"""Limits on requests: how long headers may be, how slowly they may arrive, how many connections at once.

One table, each row of which stands in docs/operations.md. Everything counts for one web process.
"""

from __future__ import annotations

import re
import resource
from dataclasses import dataclass
from typing import Final

from players.files import sheets
from runtime import pictures

KIB: Final = 1024
# What a web process has open besides connections: databases, the log, what a page reads.
KEPT_FILES: Final = 250


@dataclass(frozen=True, slots=True)
class BodyLimit:
    """The most bytes that a request to some addresses may have; *largest_file* of them for each file, 0 if there is no such limit."""

    name: str
    pattern: re.Pattern[str]
    size: int
    largest_file: int = 0
    takes_files: bool = False


# All `Cookie` lines together. Our own cookies come to 2 KiB at most, while a message waits to be shown.
COOKIE_BYTES: Final = 4 * KIB
# What a form has beside its files: names, a token, and lines that keep parts apart.
FORM: Final = 64 * KIB
# The first whose pattern matches counts; patterns match addresses and the routes of `urls.py` alike, without the first slash.
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
# Bytes of bodies beyond this are counted for a whole process (`bodies.py`).
SMALL_BODY: Final = 256 * KIB
# All large bodies of a process together, from their first byte until they are answered, and those of one network.
LARGE_BODIES: Final = 64 * 1024 * KIB
LARGE_BODIES_PER_NETWORK: Final = 20 * 1024 * KIB


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
    # All of a body has to be here by then: a large one is kept in memory.
    body_seconds: float = 600
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


def find_body_limit(path: str) -> BodyLimit:
    """Return the limit for an address, or for a route as `urls.py` has it."""
    return next(each for each in BODY_LIMITS if each.pattern.search(path.removeprefix("/")))


def most_body(path: str) -> int:
    """Return how many bytes may be sent to a path."""
    return find_body_limit(path).size


def describe_size(size: int) -> str:
    """Return a limit as people read it.

    >>> describe_size(8 << 20), describe_size(256 << 10)
    ('8 MB', '256 KiB')
    """
    return f"{size // 1_000_000} MB" if size >= 1_000_000 else f"{size // KIB} KiB"


def lines_of_bodies() -> list[str]:
    """Return the rows of the table of bodies in docs/operations.md."""
    return [
        f"| {each.name} | {describe_size(each.size)} | {describe_size(each.largest_file) if each.largest_file else ''} |"
        for each in BODY_LIMITS
    ]
