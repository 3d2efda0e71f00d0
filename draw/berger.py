"""Berger tables for round robins (P77)."""

from __future__ import annotations

Table = tuple[tuple[int, int], ...]


def build_berger_table(count: int) -> tuple[Table, ...]:
    """List the rounds for players 1 to *count*. With an odd count, one player sits out each round.

    >>> build_berger_table(4)
    (((1, 4), (2, 3)), ((4, 3), (1, 2)), ((2, 4), (3, 1)))
    """
    last = count + count % 2
    others = last - 1
    half = last // 2
    rounds: list[Table] = []
    for number in range(others):
        # The highest number stays; the others move on by half a circle each round.
        first = number * half % others
        circle = [(first + step) % others + 1 for step in range(others)]
        pairs = [(circle[0], last) if number % 2 == 0 else (last, circle[0])]
        pairs += [(circle[step], circle[-step]) for step in range(1, half)]
        rounds.append(tuple(pair for pair in pairs if max(pair) <= count))
    return tuple(rounds)
