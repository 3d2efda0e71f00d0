"""A club whose directors look at a private match, and every way in which their right to do so ends.

    python -m tests.matches.departures seed
    python -m tests.matches.departures WAY

The first makes a director for each way and prints, by way, how each is let in; the second goes that way in a process of
its own, as a web process does that holds none of the streams.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from players.models import Club, User


KEYS = ("revoked",)


def removed(club: Club, user: User) -> None:
    from players.clubs import clubs

    clubs.remove(club=club, player=user.player, by=_owner(club), now=_now())


def left(club: Club, user: User) -> None:
    from players.clubs import clubs

    clubs.leave(club=club, player=user.player, now=_now())


def demoted(club: Club, user: User) -> None:
    from players.clubs import clubs
    from players.models import Role

    clubs.set_role(club=club, player=user.player, role=Role.MEMBER, by=_owner(club), now=_now())


def signed_out(club: Club, user: User) -> None:
    from django.contrib.sessions.backends.db import SessionStore
    from django.contrib.sessions.models import Session

    for row in Session.objects.all():
        if row.get_decoded().get("_auth_user_id") == str(user.pk):
            SessionStore(row.session_key).flush()


def changed_password(club: Club, user: User) -> None:
    user.set_password("four new pennies")
    user.save()


def erased(club: Club, user: User) -> None:
    from players.accounts import accounts

    accounts.erase(user=user, now=_now())


def locked(club: Club, user: User) -> None:
    user.is_active = False
    user.save(update_fields=["is_active"])


def revoked(club: Club, user: User) -> None:
    from players.accounts import tokens
    from players.models import ApiToken

    for key in ApiToken.objects.filter(user=user):
        tokens.revoke(user=user, token_id=key.pk)


WAYS: dict[str, Callable[[Club, User], None]] = {
    way.__name__: way
    for way in (removed, left, demoted, signed_out, changed_password, erased, locked, revoked)
}


def _now() -> Any:
    from django.utils import timezone

    return timezone.now()


def _owner(club: Club) -> User:
    from players.models import User

    return User.objects.get(player__memberships__club=club, player__memberships__role="owner")


def direct(club: Club, name: str) -> User:
    """Return a new director of *club*."""
    from players.clubs import clubs
    from players.models import Role
    from tests.matches.support import person

    user = person(name, _now())
    clubs.join(club=club, player=user.player, now=_now())
    clubs.set_role(club=club, player=user.player, role=Role.DIRECTOR, by=_owner(club), now=_now())
    return user


def let_in(user: User, *, by_key: bool) -> dict[str, str]:
    """Sign *user* in; return the header that proves it."""
    from django.test import Client

    from players.accounts import tokens
    from players.models import Scope

    if by_key:
        return {"Authorization": f"Bearer {tokens.create(user=user, name='x', scope=Scope.READ, now=_now())}"}
    browser = Client()
    browser.force_login(user)
    return {"Cookie": f"session={browser.cookies['session'].value}"}


def seed() -> dict[str, Any]:
    """Make the club, its private match, and a director for each way."""
    from players.clubs import clubs
    from tests.matches.support import Table, person

    club = clubs.create(owner=person("Olga", _now()), name="Here", now=_now())
    table = Table(_now(), club=club, is_private=True)
    table.begin()
    return {
        "match": table.match.key,
        "ways": {way: let_in(direct(club, way), by_key=way in KEYS) for way in WAYS},
    }


def main(word: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from players.models import Club, User

    if word == "seed":
        print(json.dumps(seed()))
        return
    WAYS[word](Club.objects.get(), User.objects.get(email=f"{word}@example.org"))
    print(json.dumps(word))


if __name__ == "__main__":
    main(sys.argv[1])
