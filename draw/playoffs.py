"""Play-offs for places that tie-breaks leave shared: one loss eliminates a player (P89)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draw.event import Key, Pairing
from draw.history import PLAYOFF

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draw.event import EntrantId
    from draw.history import History
    from draw.rounds import RoundsState


def list_due(sheet: RoundsState, places: int) -> tuple[tuple[Pairing, ...], bool]:
    """List the play-off matches to be played now, for ties that begin within the first *places*.

    The second value is True if none is left, even after players who are away come back.
    """
    history = sheet.history
    if "play-off" not in sheet.ties:
        return (), True
    lost = set(_list_losers(history))
    played = [who for _, one in history.playoffs for who in (one.a, one.b)]
    given = max((int(one.key.removeprefix(PLAYOFF)) for _, one in history.playoffs), default=0)
    found: list[Pairing] = []
    is_done = True
    for rank in range(1, places + 1):
        tied = [one.entrant for one in sheet.ranking if one.rank == rank and one.shared > 1]
        left = [one for one in tied if one not in lost and history.by_id[one].left is None]
        is_done = is_done and len(left) < 2
        # Of an odd number, the player with the most play-offs waits.
        here = sorted((one for one in left if one not in history.field.absent), key=played.count)
        for a, b in zip(here[::2], here[1::2], strict=False):
            found.append(Pairing(Key(f"{PLAYOFF}{given + len(found) + 1}"), a, b))
    return tuple(found), is_done


def _list_losers(history: History) -> Iterator[EntrantId | None]:
    for _, one in history.playoffs:
        yield one.loser
        if one.result is not None and one.result.winner is None:
            yield from (one.a, one.b)
