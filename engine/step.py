"""One checker's move with one die."""

from __future__ import annotations

from typing import NamedTuple

OFF, BAR = 0, 25


class Step(NamedTuple):
    """From a point to a lower one, both in the mover's numbering: 25 is the bar, 0 is off (R05, R17).

    >>> str(Step(25, 22)), str(Step(4, 0))
    ('bar/22', '4/off')
    """

    source: int
    target: int

    def __str__(self) -> str:
        return f"{point_name(self.source)}/{point_name(self.target)}"


def point_name(point: int) -> str:
    """``bar``, ``off`` or the number."""
    return "bar" if point == BAR else "off" if point == OFF else str(point)
