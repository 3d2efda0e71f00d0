"""A match of somebody who has left: whoever was left behind has won it, even if they leave later themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from draw.event import EntrantId


def find_winner(
    pair: tuple[EntrantId, EntrantId], gone: Sequence[bool], order: Mapping[EntrantId, int]
) -> EntrantId | None:
    """Return who wins without play (P33): None where both are gone and nobody knows who went first.

    What was won when the other left stays won: matches may have been played since that hang on it.
    """
    a, b = pair
    if not all(gone):
        return b if gone[0] else a
    if order[a] == order[b]:
        return None
    return b if order[a] < order[b] else a
