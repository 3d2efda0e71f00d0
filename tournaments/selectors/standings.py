"""The order of an event as it stands: asked often, made once for each change."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Final

from draw import stages as rules
from tournaments.selectors import plays, sheets

if TYPE_CHECKING:
    from draw.event import Ranked
    from tournaments.models import Tournament

MOST_TABLES: Final = 64

_tables: OrderedDict[int, tuple[str, tuple[Ranked, ...]]] = OrderedDict()
_lock = Lock()


def table(event: Tournament) -> tuple[Ranked, ...]:
    """Return the order of an event that is played here, the best first; ties share their rank."""
    with _lock:
        kept = _tables.get(event.pk)
    if kept is not None and event.stamp and kept[0] == event.stamp:
        return kept[1]
    made = sheets.order(event)
    if made is None:
        made = plays.proposal_of(plays.load(event)).ranking
    elif event.ended_early_at is not None:
        made = rules.settled(made)
    with _lock:
        _tables[event.pk] = (event.stamp, made)
        while len(_tables) > MOST_TABLES:
            _tables.popitem(last=False)
    return made
