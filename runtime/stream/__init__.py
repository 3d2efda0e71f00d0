"""Live updates: numbered events by topic, over server-sent events.

The database stores recent events, so that a reader that reconnects gets those it missed. One that missed too
many gets a "resync" event and has to reload.
"""

from runtime.stream.events import (
    Event,
    Source,
    Watch,
    register_source,
    watch,
)
from runtime.stream.presence import audiences, present, read_since, readers, register_presence
from runtime.stream.publishing import hold, publish, publish_to
from runtime.stream.relay import announce, ask_again, look_at
from runtime.stream.rights import register_rule
from runtime.stream.tokens import token

__all__ = [
    "Event",
    "Source",
    "Watch",
    "announce",
    "ask_again",
    "audiences",
    "hold",
    "look_at",
    "present",
    "publish",
    "publish_to",
    "read_since",
    "readers",
    "register_presence",
    "register_rule",
    "register_source",
    "token",
    "watch",
]
