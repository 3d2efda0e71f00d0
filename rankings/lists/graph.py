"""The geometry of a rating graph: its line, levels and labels, computed from numbers alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil, floor, log10
from typing import Final

WIDTH, HEIGHT = 640, 220
LEFT, RIGHT, TOP, BOTTOM = 58, 12, 12, 34
LINES: Final = 4
LABELS: Final = 6
MONTHS: Final = 12
# Up to this span the axis shows days, then months.
DAYS_NAMED: Final = timedelta(days=62)


@dataclass(frozen=True, slots=True)
class Level:
    rating: int
    y: str


@dataclass(frozen=True, slots=True)
class TimeLabel:
    day: date
    x: str


@dataclass(frozen=True, slots=True)
class Dot:
    day: date
    rating: float
    x: str
    y: str


@dataclass(frozen=True, slots=True)
class Graph:
    """A rating graph. Coordinates are strings, so that they are not localized with a decimal comma."""

    line: str
    area: str
    levels: tuple[Level, ...]
    moments: tuple[TimeLabel, ...]
    dots: tuple[Dot, ...]
    names_days: bool
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM

    @property
    def last(self) -> Dot:
        return self.dots[-1]


def draw_graph(points: Sequence[tuple[date, float]]) -> Graph | None:
    """Draw ratings at the end of days, the oldest first; None for fewer than two days.

    >>> found = draw_graph([(date(2026, 1, 1), 1500.0), (date(2026, 3, 2), 1560.0)])
    >>> found.line, [level.rating for level in found.levels]
    ('M58.0,186.0L628.0,12.0', [1500, 1520, 1540, 1560])
    """
    if len(points) < 2:
        return None
    first, last = points[0][0], points[-1][0]
    levels = _compute_levels(min(rating for _, rating in points), max(rating for _, rating in points))
    low, high = levels[0], levels[-1]

    def x(day: date) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * ((day - first).days / (last - first).days)

    def y(rating: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * ((rating - low) / (high - low))

    dots = tuple(Dot(day, rating, f"{x(day):.1f}", f"{y(rating):.1f}") for day, rating in points)
    line = "M" + "L".join(f"{dot.x},{dot.y}" for dot in dots)
    return Graph(
        line=line,
        area=f"{line}V{HEIGHT - BOTTOM}H{LEFT}Z",
        levels=tuple(Level(rating, f"{y(rating):.1f}") for rating in levels),
        moments=tuple(TimeLabel(day, f"{x(day):.1f}") for day in _list_label_days(first, last)),
        dots=dots,
        names_days=last - first <= DAYS_NAMED,
    )


SPARK_WIDTH, SPARK_HEIGHT = 96, 28
# Room for the thickness of the line and for the dot at its end.
SPARK_EDGE: Final = 4


@dataclass(frozen=True, slots=True)
class Sparkline:
    """A line of a few figures, small enough for a row of a table."""

    line: str
    area: str
    x: str
    y: str
    rises: bool
    width: int = SPARK_WIDTH
    height: int = SPARK_HEIGHT


def draw_sparkline(ratings: Sequence[float]) -> Sparkline:
    """Draw at least two ratings, the oldest first, from edge to edge.

    >>> draw_sparkline([1500.0, 1510.0, 1505.0]).line
    'M4.0,24.0L48.0,4.0L92.0,14.0'
    """
    low, high = min(ratings), max(ratings)
    across = (SPARK_WIDTH - 2 * SPARK_EDGE) / (len(ratings) - 1)
    # A constant rating is a line in the middle.
    up = (SPARK_HEIGHT - 2 * SPARK_EDGE) / (high - low) if high > low else 0.0
    middle = SPARK_HEIGHT / 2
    places = [
        (SPARK_EDGE + number * across, SPARK_HEIGHT - SPARK_EDGE - (rating - low) * up if up else middle)
        for number, rating in enumerate(ratings)
    ]
    line = "M" + "L".join(f"{x:.1f},{y:.1f}" for x, y in places)
    (x, y) = places[-1]
    area = f"{line}V{SPARK_HEIGHT}H{SPARK_EDGE}Z"
    return Sparkline(line, area, f"{x:.1f}", f"{y:.1f}", rises=ratings[-1] >= ratings[0])


def _compute_levels(lowest: float, highest: float) -> list[int]:
    """Return the round figures from below the lowest rating to above the highest."""
    spread = max(highest - lowest, float(LINES))
    rough = spread / LINES
    power = 10 ** floor(log10(rough))
    step = max(1, int(next(size * power for size in (1, 2, 5, 10) if size * power >= rough)))
    low, high = floor(lowest / step), ceil(highest / step)
    return [number * step for number in range(low, max(high, low + 1) + 1)]


def _list_label_days(first: date, last: date) -> list[date]:
    """Return the days to label: some days of a few weeks, the first days of months for a longer span."""
    span = last - first
    if span <= DAYS_NAMED:
        every = max(1, ceil(span.days / LABELS))
        return [first + timedelta(days=day) for day in range(0, span.days + 1, every)]
    begun = first.year * MONTHS + first.month - 1 + (first.day > 1)
    ended = last.year * MONTHS + last.month - 1
    every = max(1, ceil((ended - begun + 1) / LABELS))
    return [date(month // MONTHS, month % MONTHS + 1, 1) for month in range(begun, ended + 1, every)]
