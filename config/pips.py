"""The row of points that shows how far an event is: one point for every match of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

# A point and the gap beside it, in units of the drawing.
WIDTH, GAP, HEIGHT = 16, 4, 28
# A short row is drawn with room to its right: its points are no wider than those of a longer one.
FEWEST: Final = 24
# No row has more; of a larger event each point stands for several matches.
MOST: Final = 160


@dataclass(frozen=True, slots=True)
class Row:
    """How many points of a row are done, being played and to come."""

    done: int
    live: int
    left: int

    @classmethod
    def of(cls, *, done: int, live: int, left: int) -> Row:
        """Return the row of an event with so many matches; nothing is lost by scaling but size."""
        total = done + live + left
        if total <= MOST:
            return cls(done, live, left)
        # What is being played is seen even where it is less than a point.
        shown = max(1, round(live * MOST / total)) if live else 0
        drawn = min(done * MOST // total, MOST - shown)
        return cls(drawn, shown, MOST - drawn - shown)

    @property
    def total(self) -> int:
        """How many points are drawn."""
        return self.done + self.live + self.left

    def svg(self) -> str:
        """Return the drawing; what is being played is drawn point by point, so that it can fade in turn."""
        width = max(self.total, FEWEST) * (WIDTH + GAP) - GAP
        return (
            f'<svg class="pips" viewBox="0 0 {width} {HEIGHT}" preserveAspectRatio="none" aria-hidden="true" '
            f'focusable="false">{"".join(self._paths())}</svg>'
        )

    def _paths(self) -> Iterator[str]:
        if self.done:
            yield f'<path class="pips__done" d="{_points(0, self.done)}"/>'
        for index in range(self.done, self.done + self.live):
            yield f'<path class="pips__live" d="{_points(index, index + 1)}"/>'
        if self.left:
            yield f'<path class="pips__left" d="{_points(self.done + self.live, self.total)}"/>'


def _points(first: int, end: int) -> str:
    return "".join(
        f"M{index * (WIDTH + GAP)} {HEIGHT}h{WIDTH}l-{WIDTH // 2}-{HEIGHT}z" for index in range(first, end)
    )
