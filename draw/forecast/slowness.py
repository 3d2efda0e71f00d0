"""Slow matches: those behind the pace of others of the same length tonight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from draw.forecast.room import estimate_games

if TYPE_CHECKING:
    from collections.abc import Sequence

# Margins: a share of a whole match, and at least so many minutes.
SLOW_SHARE: Final = 0.25
SLOW_MINUTES: Final = 5.0
VERY_SLOW_SHARE: Final = 0.5
VERY_SLOW_MINUTES: Final = 15.0


def compute_allowed_minutes(length: int, minutes_a_point: float, score: Sequence[int] = ()) -> float:
    """Compute the minutes after which a match at tonight's pace should be past this score.

    Without a score, that is the time of a whole match. With one, it is the share that the leader has played plus one game,
    because the progress of the current game is unknown.
    """
    whole = minutes_a_point * length
    if not score:
        return whole
    return min(whole, whole * min(max(score), length) / length + whole / estimate_games(length))


def compute_slow_minute(length: int, minutes_a_point: float, score: Sequence[int] = ()) -> float:
    margin = max(SLOW_MINUTES, SLOW_SHARE * minutes_a_point * length)
    return compute_allowed_minutes(length, minutes_a_point, score) + margin


def compute_very_slow_minute(length: int, minutes_a_point: float, score: Sequence[int] = ()) -> float:
    """Compute the minute from which a director should have a look; never before the match is slow."""
    margin = max(VERY_SLOW_MINUTES, VERY_SLOW_SHARE * minutes_a_point * length)
    return compute_allowed_minutes(length, minutes_a_point, score) + margin
