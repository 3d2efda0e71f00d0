"""Live updates: numbered events by topic, over server-sent events.

The database stores recent events, so that a reader that reconnects gets those it missed. A reader that missed
too many gets a "resync" event and has to reload.
"""

from runtime.stream.events import (
    Event,
    Source,
    TopicPositions,
    record_positions,
    register_source,
)
from runtime.stream.presence import (
    count_readers,
    count_readers_by_topic,
    list_present,
    query_readers_since,
    register_presence,
)
from runtime.stream.relay import broadcast, lock_topics, publish, publish_to, recheck_readers
from runtime.stream.rights import register_rule
from runtime.stream.tokens import create_token

__all__ = [
    "Event",
    "Source",
    "TopicPositions",
    "broadcast",
    "count_readers",
    "count_readers_by_topic",
    "create_token",
    "list_present",
    "lock_topics",
    "publish",
    "publish_to",
    "query_readers_since",
    "recheck_readers",
    "record_positions",
    "register_presence",
    "register_rule",
    "register_source",
]
