"""Models of rooms: tables, calls with their reasons, and screens."""

from venue.models.assignments import Assignment, Chair, PushKey, PushSubscription
from venue.models.queues import Break, CallMode, EventRoom, QueueRun, StreamedMatch
from venue.models.rehearsals import Goal, Rehearsal
from venue.models.rooms import Room, Table, TableState, TableTag
from venue.models.screens import Layout, Overlay, Screen, Show

__all__ = [
    "Assignment",
    "Break",
    "CallMode",
    "Chair",
    "EventRoom",
    "Goal",
    "Layout",
    "Overlay",
    "PushKey",
    "PushSubscription",
    "QueueRun",
    "Rehearsal",
    "Room",
    "Screen",
    "Show",
    "StreamedMatch",
    "Table",
    "TableState",
    "TableTag",
]
