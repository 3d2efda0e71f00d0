"""The product with one more kind of work: python -m tests.runtime.product serve ...

It is a Django application, so that web processes that a supervisor starts know that work too. `tests.count`
has an effect that is visible if it happens twice, and takes as long as its row says. Arrivals and departures
of the readers of topics of the family `seat` are published on the topic `told`. LOOK_SECONDS is the interval
at which web processes look for events that no message announced.
"""

from __future__ import annotations

import os
import sys
import time
from datetime import datetime
from typing import Any

KIND = "tests.count"
TOPIC = "effects"
TOLD = "told"


def count(payload: dict[str, Any], *, now: datetime) -> None:
    """Add one; be killed before or after it as chance will have it."""
    from django.db.models import F

    from runtime.models import Topic

    time.sleep(payload["seconds"] / 2)
    Topic.objects.filter(name=TOPIC).update(head=F("head") + 1)
    time.sleep(payload["seconds"] / 2)


def tell(topic: str, is_here: bool, now: datetime) -> None:
    """Publish that the readers of a topic arrived or left."""
    from runtime import stream

    stream.publish(TOLD, "seat", {"topic": topic, "here": is_here}, now=now)


def register() -> None:
    """Add to the product what only tests want."""
    from runtime import stream
    from runtime.stream import relay
    from runtime.work import outbox

    relay.LOOK_SECONDS = float(os.environ.get("LOOK_SECONDS", relay.LOOK_SECONDS))
    outbox.register(KIND, count)
    stream.register_presence("seat", tell)
    stream.register_rule("seat", lambda wishes: wishes)


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.runtime.product_settings"
    from django.core.management import execute_from_command_line

    execute_from_command_line(["manage.py", *sys.argv[1:]])


if __name__ == "__main__":
    main()
