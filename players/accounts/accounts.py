"""Accounts: registration, changes, erasure; and the one-time welcome link for the first person.

The link is printed when the server starts. It is derived from the installation's secret, so that every
process prints the same one and nothing is stored; the unique row of `FirstDirector` ensures that it is used
once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.crypto import constant_time_compare, salted_hmac

from players import names
from players.clubs import clubs
from players.errors import EmailTaken, SoleOwner, WelcomeLinkUsed
from players.hooks import player_erased, player_renamed
from players.models import Club, FirstDirector, Follow, Membership, Player, Role, ShownAs, Theme, User
from players.people import people

PLAYER_SETTINGS: Final = ("name", "alias", "shown_as", "hidden_from_search")
USER_SETTINGS: Final = ("language", "time_zone", "theme", "high_contrast", "mails_notices")
CLEANERS: Final[Mapping[str, Callable[[Any], object]]] = {
    "name": partial(names.clean_name, limit=80),
    "alias": partial(names.clean_optional, limit=40),
    "shown_as": ShownAs,
    "time_zone": lambda zone: names.clean_time_zone(zone) if zone else "",
    "theme": Theme,
}


def register(*, email: str, password: str | None, name: str, now: datetime) -> User:
    """Create an account with its player.

    :raises InvalidText: the name is invalid.
    :raises EmailTaken: the address has an account.
    """
    name = names.clean_name(name, limit=80)
    try:
        with transaction.atomic():
            return User.objects.create_user(email, password, name=name, joined_at=now)
    except IntegrityError:
        raise EmailTaken from None


@transaction.atomic
def change(*, user: User, now: datetime, **changes: str | bool) -> None:
    """Change the given settings only.

    :raises InvalidText: a name or time zone is invalid.
    """
    player = user.player
    people.lock_players([player.pk])
    # Another request may have changed them since they were read.
    player.refresh_from_db(fields=PLAYER_SETTINGS)
    user.refresh_from_db(fields=USER_SETTINGS)
    for name, value in changes.items():
        clean = CLEANERS.get(name)
        setattr(player if name in PLAYER_SETTINGS else user, name, clean(value) if clean else value)
    if not player.alias:
        # A removed alias cannot be shown.
        player.shown_as = ShownAs.NAME
    player.save(update_fields=PLAYER_SETTINGS)
    user.save(update_fields=USER_SETTINGS)

    if changes.keys() & {"name", "alias", "shown_as"}:
        player_renamed.send(sender=Player, player=player, now=now)
        clubs.announce_change(
            Club.objects.filter(memberships__player=player).values_list("slug", flat=True), now=now
        )


@transaction.atomic
def erase(*, user: User, now: datetime) -> None:
    """Delete the account and remove the name from its player and merged players; results stay.

    :raises SoleOwner: the account is the only owner of a club with other accounts as members.
    """
    # Players merged into this one have the same person's names.
    theirs = Player.objects.filter(Q(user=user) | Q(merged_into__user=user)).values_list("pk", flat=True)
    held = people.lock_with_references(list(theirs)).values()
    player = next(row for row in held if row.user_id == user.pk)
    joined = list(clubs.lock_clubs(Club.objects.filter(memberships__player=player)))
    if needy := [club.name for club in joined if _needs_new_owner(club, player)]:
        raise SoleOwner(clubs=", ".join(needy))
    clubs.announce_change([club.slug for club in joined], now=now)
    clubs.withdraw_invitations(by=user, now=now)
    Membership.objects.filter(player=player).delete()
    Follow.objects.filter(player__in=list(held)).delete()
    for row in held:
        _anonymise(row, now=now)
    user.delete()


def _needs_new_owner(club: Club, player: Player) -> bool:
    """True if *player* is the only owner of *club* while another member could be one."""
    members = Membership.objects.filter(club=club)
    if not members.filter(player=player, role=Role.OWNER).exists():
        return False
    others = members.exclude(player=player).filter(player__user__isnull=False)
    return others.exists() and not others.filter(role=Role.OWNER).exists()


def _anonymise(player: Player, *, now: datetime) -> None:
    player.user = None
    player.name = player.alias = ""
    player.shown_as = ShownAs.NAME
    player.hidden_from_search = True
    player.erased_at = now
    player.save(update_fields=["user", "name", "alias", "shown_as", "hidden_from_search", "erased_at"])
    player_erased.send(sender=Player, player=player, now=now)


def find_welcome_token() -> str | None:
    """Return the token of the welcome link; None once there is or was an account."""
    if User.objects.exists() or FirstDirector.objects.exists():
        return None
    # 40 hexadecimal digits: 160 bits.
    return salted_hmac("players.welcome", "first director", algorithm="sha256").hexdigest()[:40]


def is_welcome_link_open(*, token: str) -> bool:
    expected = find_welcome_token()
    return expected is not None and constant_time_compare(token, expected)


@transaction.atomic
def create_first_account(*, token: str, email: str, password: str, name: str, now: datetime) -> User:
    """Create the first account, a superuser; its club comes next.

    :raises WelcomeLinkUsed: the token is wrong, or was used.
    :raises InvalidText, EmailTaken: see `accounts.register`.
    """
    if not is_welcome_link_open(token=token):
        raise WelcomeLinkUsed
    try:
        with transaction.atomic():
            first = FirstDirector.objects.create(entered_at=now)
    except IntegrityError:
        raise WelcomeLinkUsed from None
    user = register(email=email, password=password, name=name, now=now)
    user.is_staff = user.is_superuser = True
    user.save(update_fields=["is_staff", "is_superuser"])
    first.user = user
    first.save(update_fields=["user"])
    return user
