"""Progress of an event as a row of backgammon points, one for each match."""

from __future__ import annotations

from typing import Final

# Width of a point and of the gap beside it, and height, in SVG units.
WIDTH, GAP, HEIGHT = 16, 4, 28
# Shorter rows leave space on the right, so that their points are not wider.
FEWEST: Final = 24
# In larger events each point represents several matches.
MOST: Final = 160


def scale_progress(done: int, live: int, left: int) -> tuple[int, int, int]:
    """Return the numbers of points for these numbers of matches: at most `MOST` in total."""
    total = done + live + left
    if total <= MOST:
        return done, live, left
    # Live matches are visible even if they are less than a point.
    shown = max(1, round(live * MOST / total)) if live else 0
    drawn = min(done * MOST // total, MOST - shown)
    return drawn, shown, MOST - drawn - shown


def draw_progress(done: int, live: int, left: int) -> str:
    """Return the row as SVG. Live points are separate paths, for the animation."""
    done, live, left = scale_progress(done, live, left)
    total = done + live + left
    paths = [
        *([f'<path class="pips__done" d="{_draw_points(0, done)}"/>'] if done else []),
        *(f'<path class="pips__live" d="{_draw_points(at, at + 1)}"/>' for at in range(done, done + live)),
        *([f'<path class="pips__left" d="{_draw_points(done + live, total)}"/>'] if left else []),
    ]
    width = max(total, FEWEST) * (WIDTH + GAP) - GAP
    return (
        f'<svg class="pips" viewBox="0 0 {width} {HEIGHT}" preserveAspectRatio="none" aria-hidden="true" '
        f'focusable="false">{"".join(paths)}</svg>'
    )


def _draw_points(first: int, end: int) -> str:
    return "".join(
        f"M{index * (WIDTH + GAP)} {HEIGHT}h{WIDTH}l-{WIDTH // 2}-{HEIGHT}z" for index in range(first, end)
    )
