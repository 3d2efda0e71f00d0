"""Live updates: numbered events by topic, over server-sent events.

An event is a hint with a number; the database keeps the recent ones, so a reader who missed some
gets them again, and one who missed too many is told to start afresh.
"""

from runtime.stream.events import Event, Watch, publish, register_source, watch
from runtime.stream.tokens import token

__all__ = ["Event", "Watch", "publish", "register_source", "token", "watch"]
