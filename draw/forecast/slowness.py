"""Whether a match is slow: behind the pace at which others of its length are played tonight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from draw.forecast.room import estimate_games

if TYPE_CHECKING:
    from collections.abc import Sequence

# Shares of a whole match, and minutes below which nobody calls a match slow.
SLOW_SHARE: Final = 0.25
SLOW_MINUTES: Final = 5.0
VERY_SLOW_SHARE: Final = 0.5
VERY_SLOW_MINUTES: Final = 15.0


def compute_allowed_minutes(length: int, minutes_a_point: float, score: Sequence[int] = ()) -> float:
    """Return by when, in minutes from its beginning, a match at the pace of others has got farther than this score.

    Without a score that is the time of a whole match. With one it is the share that the leader has played, and one game, for nobody
    knows how far the game that is being played has got.
    """
    whole = minutes_a_point * length
    if not score:
        return whole
    return min(whole, whole * min(max(score), length) / length + whole / estimate_games(length))


def compute_slow_minute(length: int, minutes_a_point: float, score: Sequence[int] = ()) -> float:
    """Return from which minute on it is slow."""
    margin = max(SLOW_MINUTES, SLOW_SHARE * minutes_a_point * length)
    return compute_allowed_minutes(length, minutes_a_point, score) + margin


def compute_very_slow_minute(length: int, minutes_a_point: float, score: Sequence[int] = ()) -> float:
    """Return from which minute on it is so slow that somebody should have a look: never before it is slow."""
    margin = max(VERY_SLOW_MINUTES, VERY_SLOW_SHARE * minutes_a_point * length)
    return compute_allowed_minutes(length, minutes_a_point, score) + margin
