"""Rows for which two requests compete: python -m tests.tournaments.contested ROUNDS [SECONDS]

Prints, as JSON, for each kind of race so many rounds of it: the token or session of each request, and its
target. With SECONDS only boards, on which a plain clock of so many seconds runs from now on.
"""

from __future__ import annotations

import json
import os
import sys
from datetime import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from players.models import User
    from tests.tournaments.event_desk import Desk


def main(rounds: int, *seconds: float) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    print(json.dumps(boards(rounds, *seconds) if seconds else everything(rounds)))


def everything(rounds: int) -> dict[str, Any]:
    from django.utils import timezone

    from tests.tournaments.event_desk import Desk

    now = timezone.now()
    desk = Desk(now)
    people = [person(desk, number, now) for number in range(1, 2 * rounds + 1)]
    return {
        "slug": desk.club.slug,
        "desks": [token_of(desk.director, now), token_of(second_director(desk, now), now)],
        "session": session_of(desk.director),
        "reported": event_of(desk, people),
        "answered": event_of(desk, people),
        "published": [drawn_by_nobody(desk) for _ in range(rounds)],
        "merged": merged(desk, rounds, now),
        "invited": invited(desk, people, now),
        "turns": boards(rounds, 10_000),
    }


def person(desk: Desk, number: int, now: datetime) -> User:
    from players.accounts import accounts
    from players.clubs import clubs

    user = accounts.register(email=f"p{number}@example.org", password=None, name=f"Player {number}", now=now)
    clubs.join(club=desk.club, player=user.player, now=now)
    return user


def second_director(desk: Desk, now: datetime) -> User:
    from players.clubs import clubs
    from players.models import Role

    user = person(desk, 0, now)
    clubs.set_role(club=desk.club, player=user.player, role=Role.DIRECTOR, by=desk.director, now=now)
    return user


def token_of(user: User, now: datetime) -> str:
    from players.accounts import tokens
    from players.models import Scope

    return tokens.create(user=user, name="race", scope=Scope.PLAY, now=now)


def session_of(user: User) -> str:
    from django.conf import settings
    from django.test import Client

    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def event_of(desk: Desk, people: list[User]) -> dict[str, Any]:
    """Begin a knock-out in which each two people have a match to play, all at once."""
    from tests.tournaments.event_desk import a_plan
    from tournaments.base.settings import Settings
    from tournaments.models import Entry
    from tournaments.plan import drawing
    from tournaments.play import entering

    # Without a deadline for reports: otherwise a worker may confirm one before the player does.
    desk.announce(a_plan("single-elimination", Settings(reporting="both")))
    for user in people:
        entering.enter_own_player(tournament_id=desk.pk, user=user, now=desk.now)
    desk.do(drawing.publish)
    by_player = {user.player.pk: user for user in people}
    entries = Entry.objects.filter(tournament=desk.event)
    users = {entry.number: by_player[entry.player_id] for entry in entries}
    matches = [
        {"key": key, "a": token_of(users[a], desk.now), "b": token_of(users[b], desk.now)}
        for key, (a, b) in desk.pairs().items()
    ]
    return {"key": desk.event.key, "matches": matches}


def drawn_by_nobody(desk: Desk) -> str:
    from tests.tournaments.event_desk import a_plan

    return desk.announce(a_plan("single-elimination"), players=5).key


def merged(desk: Desk, rounds: int, now: datetime) -> dict[str, Any]:
    """Begin an event of guests; each of those in the upper lines turns out to be a person with an account."""
    from tests.tournaments.event_desk import a_plan

    desk.start(a_plan("single-elimination"), players=2 * rounds)
    pairs = desk.pairs()
    matches = [
        {
            "key": key,
            "guest": desk.player(a).key,
            "account": person(desk, 10_000 + a, now).player.key,
        }
        for key, (a, _b) in pairs.items()
    ]
    return {"key": desk.event.key, "matches": matches}


def invited(desk: Desk, people: list[User], now: datetime) -> list[dict[str, Any]]:
    """Invite a person to a club, once, and let two have the link."""
    from players.clubs import clubs, invitations
    from players.models import Role

    club = clubs.create(owner=desk.director, name="There", now=now)
    return [
        {
            "token": invitations.invite(club=club, by=desk.director, role=Role.MEMBER, now=now),
            "sessions": [session_of(one), session_of(other)],
        }
        for one, other in zip(people[::2], people[1::2], strict=True)
    ]


def boards(count: int, seconds: float) -> list[dict[str, Any]]:
    """Lay out matches in which a person is to make the first play, with two plays to choose from."""
    from django.utils import timezone

    from engine.clock import DelayMethod, TimeControl
    from engine.plays import legal_plays
    from engine.rules import Rules
    from matches.state import terms
    from players.models import User
    from tests.matches.support import Table

    agreed = terms.build_terms(Rules(length=3), TimeControl(DelayMethod.PLAIN, round(seconds * 1000)))
    found = []
    for number in range(count):
        names = [f"board-{os.getpid()}-{number}-{side}@example.org" for side in "ab"]
        users = [User.objects.create_user(each) for each in names]
        now = timezone.now()
        table = Table(now, agreed=agreed, chained=(), players=(users[0].player, users[1].player), seed=number)
        table.begin()
        game = table.state.match.game
        assert game.turn is not None
        assert game.dice is not None
        plays = legal_plays(game.board, game.turn, game.dice)
        found.append(
            {
                "key": table.match.key,
                "token": token_of(users[game.turn], now),
                "after": table.head,
                "due": now.timestamp() + seconds,
                "moves": [[list(step) for step in play.steps] for play in (plays[0], plays[-1])],
            }
        )
    return found


if __name__ == "__main__":
    main(int(sys.argv[1]), *map(float, sys.argv[2:]))
