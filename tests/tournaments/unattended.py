"""An event and its players: python -m tests.tournaments.unattended PLAYERS FORMAT

Prints its key, the tokens of two directors, and a token for each entrant by number. A player's report is
confirmed by the next sweep.
"""

from __future__ import annotations

import json
import os
import sys


def main(players: int, form: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.utils import timezone

    from players.accounts import accounts, tokens
    from players.clubs import clubs
    from players.models import Role, Scope
    from tests.tournaments.event_desk import Desk, a_plan
    from tournaments.base.settings import Settings
    from tournaments.models import Entry
    from tournaments.plan import drawing
    from tournaments.play import entering

    now = timezone.now()
    desk = Desk(now)
    second = accounts.register(email="second@example.org", password=None, name="Sid Second", now=now)
    clubs.join(club=desk.club, player=second.player, now=now)
    clubs.set_role(club=desk.club, player=second.player, role=Role.DIRECTOR, by=desk.director, now=now)
    options = {"rounds": 3} if form == "swiss" else {}
    desk.announce(a_plan(form, Settings(reporting="both", confirm_minutes=0), **options))
    token = {}
    for number in range(1, players + 1):
        name = f"Player {number}"
        user = accounts.register(email=f"p{number}@example.org", password=None, name=name, now=now)
        clubs.join(club=desk.club, player=user.player, now=now)
        entering.enter_own_player(tournament_id=desk.pk, user=user, now=now)
        entry = Entry.objects.get(tournament=desk.event, player=user.player)
        token[entry.number] = tokens.create(user=user, name="play", scope=Scope.PLAY, now=now)
    desk.do(drawing.publish)
    directors = [
        tokens.create(user=user, name="desk", scope=Scope.PLAY, now=now) for user in (desk.director, second)
    ]
    print(json.dumps({"key": desk.event.key, "directors": directors, "players": token}))


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
