"""Pairing and standings of an event, as a library: facts go in, a proposal with reasons comes out.

Uses the standard library only, and no other package of this project. Chance comes from a seed; the time is an argument.

>>> from draw import Entrant, EntrantId, Event, Stage, make_pairings, propose
>>> event = Event((Stage("", "single-elimination"),), tuple(Entrant(EntrantId(name)) for name in "abcd"), seed="7")
>>> event = make_pairings(event, propose(event))
>>> len(propose(event).ready)
2
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from draw.event import Entrant, EntrantId, Event, Kind, Proposal, Result, Stage
    from draw.facts import make_pairings, record_result
    from draw.files.event_input import read_event
    from draw.stages import propose

__all__ = [
    "Entrant",
    "EntrantId",
    "Event",
    "Kind",
    "Proposal",
    "Result",
    "Stage",
    "make_pairings",
    "propose",
    "read_event",
    "record_result",
]

# Loaded lazily, so that importing one module does not import every format.
_MODULES = {
    "record_result": "draw.facts",
    "make_pairings": "draw.facts",
    "propose": "draw.stages",
    "read_event": "draw.files.event_input",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'draw' has no attribute {name!r}")
    return getattr(import_module(_MODULES.get(name, "draw.event")), name)
