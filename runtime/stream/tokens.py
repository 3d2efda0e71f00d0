"""Signed permission to read topics: what a page may follow, for whom, and where each topic stood."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.core import signing

from runtime.stream.events import Watch, watch

if TYPE_CHECKING:
    from collections.abc import Sequence

SALT = "barpoint.live"
# An address stands in logs and histories: it opens a stream for minutes.
VALID_SECONDS = 5 * 60
# As long a page that slept may ask for a fresh one; whether it gets it is asked of the rights as they are then.
RENEWABLE_SECONDS = 12 * 3600
MOST_TOPICS = 12


class BadToken(Exception):
    """The token is forged, spoiled or too old."""


class Grant(NamedTuple):
    """What a token says: who may read, and where each topic stood."""

    who: str
    positions: dict[str, int]


def token(topics: Sequence[str | Watch], *, who: str = "") -> str:
    """Return a token for *topics* that also says who holds it and where each stood."""
    positions: dict[str, int] = {}
    names = [topic for topic in topics if isinstance(topic, str)]
    for seen in (*(t for t in topics if isinstance(t, Watch)), *([watch(*names)] if names else [])):
        for topic, seq in seen.positions:
            positions.setdefault(topic, seq)
    if len(positions) > MOST_TOPICS:
        raise ValueError(f"a page may follow {MOST_TOPICS} topics, not {len(positions)}")
    return seal(Grant(who, positions))


def seal(grant: Grant) -> str:
    """Return a token, valid from now."""
    return signing.dumps([grant.who, list(grant.positions.items())], salt=SALT, compress=False)


def unseal(value: str, *, within: int | None = None) -> Grant:
    """Return what a token says that is not older than *within* seconds, or than it may be.

    :raises BadToken: if it is not one of ours, or has expired.
    """
    try:
        who, positions = signing.loads(value, salt=SALT, max_age=within or VALID_SECONDS)
        return Grant(str(who), {str(topic): int(seq) for topic, seq in positions})
    except (signing.BadSignature, ValueError, TypeError) as error:
        raise BadToken from error


def read(value: str) -> dict[str, int]:
    """Return the topics and positions that *value* grants.

    :raises BadToken: if it is not one of ours, or has expired.
    """
    return unseal(value).positions
