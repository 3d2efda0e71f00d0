"""The room as rows: its tables, the matches that are called to them and why, and the screens on its walls."""

from venue.models.assignments import Assignment, Chair, PushKey, PushSubscription
from venue.models.overlays import Layout, Overlay
from venue.models.queues import Break, CallMode, EventRoom, QueueRun, StreamedMatch
from venue.models.rehearsals import Goal, Rehearsal
from venue.models.rooms import Room, Table, TableState, TableTag
from venue.models.screens import Screen, Show

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
