"""The order of an event as it stands: asked often, made once for each change."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Final, NamedTuple

from draw import stages as rules
from tournaments.base import bracket_cache, event_rows

if TYPE_CHECKING:
    from draw.event import Ranked, Reason
    from tournaments.models import Tournament

MOST_TABLES: Final = 64

# What is to be known of an order as it stands: who does not count any more, and why it ended as it did.
NOTED: Final = frozenset({"cancelled", "split", "bracket"})


class _Kept(NamedTuple):
    stamp: str
    order: tuple[Ranked, ...]
    notes: tuple[Reason, ...]


_tables: OrderedDict[int, _Kept] = OrderedDict()
_lock = Lock()


def table(event: Tournament) -> tuple[Ranked, ...]:
    """Return the order of an event that is played here, the best first; ties share their rank."""
    return _of(event).order


def notes(event: Tournament) -> tuple[Reason, ...]:
    """Return what is to be known of this order, from the same answer."""
    return _of(event).notes


def _of(event: Tournament) -> _Kept:
    with _lock:
        kept = _tables.get(event.pk)
    if kept is not None and event.stamp and kept.stamp == event.stamp:
        return kept
    made = _made(event)
    with _lock:
        _tables[event.pk] = made
        while len(_tables) > MOST_TABLES:
            _tables.popitem(last=False)
    return made


def _made(event: Tournament) -> _Kept:
    order = bracket_cache.order(event)
    if order is None:
        proposal = event_rows.proposal_of(event_rows.load(event))
        return _Kept(event.stamp, proposal.ranking, tuple(one for one in proposal.why if one.code in NOTED))
    return _Kept(event.stamp, order if event.ended_early_at is None else rules.close_ranks(order), ())
