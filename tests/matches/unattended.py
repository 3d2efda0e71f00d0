"""Matches whose players went away in their first turn: python -m tests.matches.unattended COUNT SECONDS [STEP]

Prints their keys. The clock is a plain one of so many seconds, for each match STEP more than for the one before.
"""

from __future__ import annotations

import json
import os
import sys


def main(count: int, seconds: float, step: float = 0) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.utils import timezone

    from engine.clock import DelayMethod, TimeControl
    from engine.rules import Rules
    from matches.state import terms
    from players.models import User
    from tests.matches.support import Table

    keys = []
    for number in range(count):
        time = round((seconds + number * step) * 1000)
        agreed = terms.build_terms(Rules(length=3), TimeControl(DelayMethod.PLAIN, time))
        names = [f"away-{os.getpid()}-{number}-{side}@example.org" for side in "ab"]
        white, black = (User.objects.create_user(name).player for name in names)
        table = Table(timezone.now(), agreed=agreed, chained=(), players=(white, black), seed=number)
        table.begin()
        keys.append(table.match.key)
    print(json.dumps(keys))


if __name__ == "__main__":
    main(int(sys.argv[1]), *map(float, sys.argv[2:]))
