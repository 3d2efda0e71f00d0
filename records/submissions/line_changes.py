"""Line-by-line differences between two versions of a record. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Final, NamedTuple

# Number of unchanged context lines.
AROUND: Final = 2


class LinePair(NamedTuple):
    """A line before and after, None if missing, each with its number."""

    numbers: tuple[int | None, int | None]
    texts: tuple[str | None, str | None]

    @property
    def is_changed(self) -> bool:
        return self.texts[0] != self.texts[1]


def compare_lines(before: Sequence[str], after: Sequence[str]) -> list[LinePair]:
    """Return the changed lines with context.

    >>> [pair.texts for pair in compare_lines(["a", "b", "c"], ["a", "x", "c"])]
    [('a', 'a'), ('b', 'x'), ('c', 'c')]
    >>> [pair.texts for pair in compare_lines(["a", "b"], ["a", "x", "b"])]
    [('a', 'a'), (None, 'x'), ('b', 'b')]
    >>> compare_lines(["a"], ["a"])
    []
    """
    # Skip common lines at both ends, which are most of them.
    first = max(_count_equal_lines(before, after) - AROUND, 0)
    rests = before[first:], after[first:]
    last = max(_count_equal_lines(*(rest[::-1] for rest in rests)) - AROUND, 0)
    one, other = (rest[: len(rest) - last] for rest in rests)
    found = SequenceMatcher(None, one, other).get_grouped_opcodes(AROUND)
    return [
        LinePair(
            (None if i is None else first + i + 1, None if j is None else first + j + 1),
            (None if i is None else one[i], None if j is None else other[j]),
        )
        for group in found
        for _word, i1, i2, j1, j2 in group
        for i, j in zip_longest(range(i1, i2), range(j1, j2))
    ]


def find_closest_version(wanted: Sequence[str], choice: Iterable[Sequence[str]]) -> Sequence[str]:
    """Return the version with the most lines in common with *wanted*; the first of equals.

    >>> find_closest_version(["a", "b"], [["c"], ["b", "d"]])
    ['b', 'd']
    """
    lines = set(wanted)
    return max(choice, key=lambda each: len(lines.intersection(each)))


def _count_equal_lines(one: Sequence[str], other: Sequence[str]) -> int:
    shorter = min(len(one), len(other))
    return next((at for at in range(shorter) if one[at] != other[at]), shorter)
