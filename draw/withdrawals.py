"""The result of a match after a withdrawal: the remaining player wins, even if they withdraw later."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from draw.event import EntrantId


def find_winner(
    pair: tuple[EntrantId, EntrantId], gone: Sequence[bool], order: Mapping[EntrantId, int]
) -> EntrantId | None:
    """The winner without play (P33): None if both have left in unknown order.

    A win at the moment the other left stays valid, because matches may have been played since that depend on it.
    """
    a, b = pair
    if not all(gone):
        return b if gone[0] else a
    if order[a] == order[b]:
        return None
    return b if order[a] < order[b] else a
