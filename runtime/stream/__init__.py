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
from runtime.stream.presence import (
    count_audiences,
    count_readers,
    list_present,
    read_since,
    register_presence,
)
from runtime.stream.publishing import hold, publish, publish_to
from runtime.stream.relay import announce, look_at, recheck_readers
from runtime.stream.rights import register_rule
from runtime.stream.tokens import create_token

__all__ = [
    "Event",
    "Source",
    "Watch",
    "announce",
    "count_audiences",
    "count_readers",
    "create_token",
    "hold",
    "list_present",
    "look_at",
    "publish",
    "publish_to",
    "read_since",
    "recheck_readers",
    "register_presence",
    "register_rule",
    "register_source",
    "watch",
]
