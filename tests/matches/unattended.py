"""Matches whose players went away in their first turn: python -m tests.matches.unattended COUNT SECONDS

Prints their keys. The clock is a plain one of so many seconds.
"""

from __future__ import annotations

import json
import os
import sys


def main(count: int, seconds: float) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.utils import timezone

    from engine.clock import Control, Timing
    from engine.rules import Rules
    from matches.state import terms
    from players.models import User
    from tests.matches.support import Table

    agreed = terms.standard(Rules(length=3), Control(Timing.PLAIN, round(seconds * 1000)))
    keys = []
    for number in range(count):
        names = [f"away-{os.getpid()}-{number}-{side}@example.org" for side in "ab"]
        white, black = (User.objects.create_user(name).player for name in names)
        table = Table(timezone.now(), agreed=agreed, chained=(), players=(white, black), seed=number)
        table.begin()
        keys.append(table.match.key)
    print(json.dumps(keys))


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
