"""Signed permission to read topics, so that a stream needs neither session nor database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core import signing

from runtime.stream.events import Watch, watch

if TYPE_CHECKING:
    from collections.abc import Sequence

SALT = "barpoint.live"
VALID_SECONDS = 12 * 3600
MOST_TOPICS = 12


class BadToken(Exception):
    """The token is forged, spoiled or too old."""


def token(topics: Sequence[str | Watch]) -> str:
    """Return a token for *topics* that also says where each stood."""
    positions: dict[str, int] = {}
    names = [topic for topic in topics if isinstance(topic, str)]
    for seen in (*(t for t in topics if isinstance(t, Watch)), *([watch(*names)] if names else [])):
        for topic, seq in seen.positions:
            positions.setdefault(topic, seq)
    if len(positions) > MOST_TOPICS:
        raise ValueError(f"a page may follow {MOST_TOPICS} topics, not {len(positions)}")
    return signing.dumps(list(positions.items()), salt=SALT, compress=False)


def read(value: str) -> dict[str, int]:
    """Return the topics and positions that *value* grants.

    :raises BadToken: if it is not one of ours, or has expired.
    """
    try:
        positions = signing.loads(value, salt=SALT, max_age=VALID_SECONDS)
        return {str(topic): int(seq) for topic, seq in positions}
    except (signing.BadSignature, ValueError, TypeError) as error:
        raise BadToken from error
