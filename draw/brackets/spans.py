"""Ranges of finishing places, widened where more players share some places than there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

# First and last place.
Span: TypeAlias = "tuple[int, int]"


def widen_spans(spans: Sequence[Span]) -> list[Span]:
    """Widen spans until no range of places holds more players than places.

    >>> widen_spans([(1, 2), (1, 2), (3, 3)])
    [(1, 2), (1, 2), (3, 3)]
    >>> widen_spans([(1, 1), (3, 3), (3, 3)])
    [(1, 1), (2, 3), (2, 3)]
    """
    people = len(spans)
    found = [(min(max(1, min(span)), people), min(max(span), people)) for span in spans]
    while (crowd := _find_crowd(found)) is not None:
        wider = _find_room(crowd, found)
        found = [wider if _is_within(span, crowd) else span for span in found]
    return found


def _find_crowd(spans: Sequence[Span]) -> Span | None:
    """Find the narrowest range that holds more players than places."""
    kinds = sorted(Counter(spans).items(), key=lambda kind: kind[0][1])
    crowds: list[tuple[int, int, int]] = []
    for low in {first for first, _ in spans}:
        inside = 0
        for (first, last), count in kinds:
            inside += count if first >= low else 0
            if inside > max(last - low + 1, 0):
                crowds.append((last - low, low, last))
                break
    return min(crowds)[1:] if crowds else None


def _find_room(crowd: Span, spans: Sequence[Span]) -> Span:
    """Find the narrowest range around a crowd that has room for all players in it."""
    kinds, (first, last) = Counter(spans), crowd
    return next(
        (low, low + width)
        for width in range(last - first + 1, len(spans))
        for low in range(max(1, last - width), min(first, len(spans) - width) + 1)
        if _count_inside(kinds, (low, low + width)) <= width + 1
    )


def _count_inside(kinds: Counter[Span], places: Span) -> int:
    return sum(count for span, count in kinds.items() if _is_within(span, places))


def _is_within(span: Span, places: Span) -> bool:
    return places[0] <= span[0] and span[1] <= places[1]
