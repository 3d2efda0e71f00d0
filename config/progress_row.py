"""Progress of an event as a row of backgammon points, one for each match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

# Width of a point and of the gap beside it, and height, in SVG units.
WIDTH, GAP, HEIGHT = 16, 4, 28
# Shorter rows leave space on the right, so that their points are not wider.
FEWEST: Final = 24
# In larger events each point represents several matches.
MOST: Final = 160


@dataclass(frozen=True, slots=True)
class ProgressRow:
    """Numbers of points: matches done, live, and still to play."""

    done: int
    live: int
    left: int

    @classmethod
    def build(cls, *, done: int, live: int, left: int) -> ProgressRow:
        """Return the row for these numbers of matches, scaled to at most `MOST` points."""
        total = done + live + left
        if total <= MOST:
            return cls(done, live, left)
        # Live matches are visible even if they are less than a point.
        shown = max(1, round(live * MOST / total)) if live else 0
        drawn = min(done * MOST // total, MOST - shown)
        return cls(drawn, shown, MOST - drawn - shown)

    @property
    def total(self) -> int:
        return self.done + self.live + self.left

    def svg(self) -> str:
        """Return the SVG. Live points are separate paths, for the animation."""
        width = max(self.total, FEWEST) * (WIDTH + GAP) - GAP
        return (
            f'<svg class="pips" viewBox="0 0 {width} {HEIGHT}" preserveAspectRatio="none" aria-hidden="true" '
            f'focusable="false">{"".join(self._draw_paths())}</svg>'
        )

    def _draw_paths(self) -> Iterator[str]:
        if self.done:
            yield f'<path class="pips__done" d="{_draw_points(0, self.done)}"/>'
        for index in range(self.done, self.done + self.live):
            yield f'<path class="pips__live" d="{_draw_points(index, index + 1)}"/>'
        if self.left:
            yield f'<path class="pips__left" d="{_draw_points(self.done + self.live, self.total)}"/>'


def _draw_points(first: int, end: int) -> str:
    return "".join(
        f"M{index * (WIDTH + GAP)} {HEIGHT}h{WIDTH}l-{WIDTH // 2}-{HEIGHT}z" for index in range(first, end)
    )
