"""Pairing and standings of an event, as a library: facts go in, a proposal with reasons comes out.

Uses the standard library only, and no other package of this project. Chance comes from a seed; the time is an argument.

>>> from draw import Entrant, EntrantId, Event, Stage, make_pairings, propose
>>> event = Event((Stage("", "single-elimination"),), tuple(Entrant(EntrantId(name)) for name in "abcd"), seed="7")
>>> event = make_pairings(event, propose(event))
>>> len(propose(event).ready)
2
"""

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
