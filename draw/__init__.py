"""The order of an event as a library: what has happened in, what should exist now out, with reasons.

Standard library only; chance is a seed, time is an argument, and it knows nothing of the packages beside it.

>>> event = Event((Stage("single-elimination"),), tuple(Entrant(EntrantId(name)) for name in "abcd"), seed="7")
>>> event = made(event, propose(event))
>>> len(propose(event).ready)
2
"""

from draw.event import Entrant, EntrantId, Event, Kind, Proposal, Result, Stage
from draw.facts import decided, made
from draw.reading import read
from draw.stages import propose

__all__ = [
    "Entrant",
    "EntrantId",
    "Event",
    "Kind",
    "Proposal",
    "Result",
    "Stage",
    "decided",
    "made",
    "propose",
    "read",
]
