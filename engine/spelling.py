"""A play as players write it: ``24/18 13/8*``, ``bar/22(2)``, ``13/7*/3``."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from engine.step import point_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.step import Step


def spelled(steps: Iterable[Step], hits: Iterable[int] = ()) -> str:
    """Format *steps* as one word for each checker, the rearmost first; a star marks a hit.

    >>> from engine.step import Step
    >>> spelled([Step(8, 5), Step(6, 1), Step(6, 1)], [1]), spelled([Step(13, 7), Step(7, 3)], [7])
    ('8/5 6/1*(2)', '13/7*/3')
    """
    left = set(hits)
    starred: set[tuple[int, ...]] = set()
    words: Counter[tuple[int, ...]] = Counter()
    for run in _runs(steps):
        # Intermediate points are written only if the checker hits there.
        told = (run[0], *(point for point in run[1:-1] if point in left), run[-1])
        if run[-1] in left:
            starred.add(told)
        left.difference_update(run[1:])
        words[told] += 1
    return " ".join(
        _word(points, points in starred, times) for points, times in sorted(words.items(), reverse=True)
    )


def _runs(steps: Iterable[Step]) -> list[list[int]]:
    """The points each checker touches, joining a step to one that ended where it begins.

    The order of the steps does not matter: 20/17 and then 22/20 lead to the same board as 22/17. Bearing off
    is not joined: ``6/off`` would not show whether one die was used or two.
    """
    runs: list[list[int]] = []
    for source, target in sorted(steps, reverse=True):
        run = next((run for run in runs if run[-1] == source), None) if target else None
        if run is None:
            runs.append([source, target])
        else:
            run.append(target)
    return runs


def _word(points: tuple[int, ...], starred: bool, times: int) -> str:
    stops = "*/".join(map(point_name, points[1:]))
    return f"{point_name(points[0])}/{stops}{'*' * starred}{f'({times})' if times > 1 else ''}"
