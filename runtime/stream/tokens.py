"""Signed tokens for streams: the topics, their positions, and the bearer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.core import signing

from runtime.stream.events import TopicPositions, record_positions

SALT = "barpoint.live"
# URLs end up in logs and histories, so a token opens a stream for minutes only.
VALID_SECONDS = 5 * 60
# How long a page may renew its token; the current rights are checked then.
RENEWABLE_SECONDS = 12 * 3600
MOST_TOPICS = 12


class BadToken(Exception):
    """The token is forged, malformed or expired."""


class Grant(NamedTuple):
    """The contents of a token: the bearer, and the position of each topic."""

    who: str
    positions: dict[str, int]


def create_token(topics: Sequence[str | TopicPositions], *, who: str = "") -> str:
    """Return a token for *topics* with their positions and the bearer *who*."""
    positions: dict[str, int] = {}
    seen = [topic for topic in topics if isinstance(topic, TopicPositions)]
    names = [topic for topic in topics if isinstance(topic, str)]
    for each in (*seen, record_positions(*names)):
        for topic, seq in each.positions:
            positions.setdefault(topic, seq)
    if len(positions) > MOST_TOPICS:
        raise ValueError(f"a page may follow {MOST_TOPICS} topics, not {len(positions)}")
    return sign_grant(Grant(who, positions))


def sign_grant(grant: Grant) -> str:
    return signing.dumps([grant.who, list(grant.positions.items())], salt=SALT, compress=False)


def verify_token(value: str, *, within: int = VALID_SECONDS) -> Grant:
    """Verify a token that is at most *within* seconds old.

    :raises BadToken: if it is forged, malformed or expired.
    """
    try:
        who, positions = signing.loads(value, salt=SALT, max_age=within)
        return Grant(str(who), {str(topic): int(seq) for topic, seq in positions})
    except (signing.BadSignature, ValueError, TypeError) as error:
        raise BadToken from error
