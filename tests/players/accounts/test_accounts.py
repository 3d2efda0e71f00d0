"""Accounts: opened, changed, erased."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest
from django.db import IntegrityError, transaction

from players.accounts import accounts
from players.clubs import clubs, invitations, merging
from players.errors import EmailTaken, HiddenCharacters, SoleOwner, UnknownTimeZone
from players.hooks import player_erased
from players.models import Club, Invitation, Membership, Player, Role, ShownAs, Theme, User


def test_an_account_comes_with_its_player(ada: User) -> None:
    assert ada.email == "ada.okafor@example.org"
    assert ada.player.name == "Ada Okafor"
    assert len(ada.player.key) == 10


def test_every_way_of_making_an_account_makes_the_player(db: None) -> None:
    root = User.objects.create_superuser("root@example.org", "three old pennies")

    assert root.player.name == "root"


def test_an_address_has_one_account_whatever_its_case(ada: User, now: datetime) -> None:
    with pytest.raises(EmailTaken):
        accounts.register(email="ADA.Okafor@example.org", password="x", name="Ada", now=now)

    assert Player.objects.count() == 1


def test_the_database_refuses_a_second_account_too(ada: User) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        User(email="ADA.OKAFOR@example.org").save()


def test_a_change_leaves_what_it_does_not_name(ada: User, now: datetime) -> None:
    accounts.change(user=ada, now=now, alias="The Fox", shown_as=ShownAs.ALIAS)
    accounts.change(user=ada, now=now, language="de")
    accounts.change(user=ada, now=now, language="de")

    ada = User.objects.get(pk=ada.pk)
    assert (ada.language, ada.player.name, ada.player.public_name) == ("de", "Ada Okafor", "The Fox")


def test_a_change_keeps_what_another_request_has_changed(ada: User, now: datetime) -> None:
    # Read before the first change, as by a request that comes at the same time.
    early = User.objects.select_related("player").get(pk=ada.pk)
    accounts.change(user=ada, now=now, name="Ada O.", alias="The Fox", shown_as=ShownAs.ALIAS, language="de")

    accounts.change(user=early, now=now, theme=Theme.DARK)

    fresh = User.objects.get(pk=ada.pk)
    assert (fresh.language, fresh.theme) == ("de", Theme.DARK)
    assert (fresh.player.name, fresh.player.public_name) == ("Ada O.", "The Fox")
    assert early.player.public_name == "The Fox"


def test_an_alias_taken_away_is_not_shown(ada: User, now: datetime) -> None:
    accounts.change(user=ada, now=now, alias="The Fox", shown_as=ShownAs.ALIAS)

    accounts.change(user=ada, now=now, alias="")

    assert ada.player.public_name == "Ada Okafor"


def test_a_bad_change_changes_nothing(ada: User, now: datetime) -> None:
    with pytest.raises(HiddenCharacters):
        accounts.change(user=ada, now=now, name="Ada\u202e", language="de")
    with pytest.raises(UnknownTimeZone):
        accounts.change(user=ada, now=now, name="Eve", time_zone="Mars/Olympus")

    fresh = User.objects.get(pk=ada.pk)
    assert (fresh.player.name, fresh.language) == ("Ada Okafor", "")


def test_erasing_takes_the_name_off_and_keeps_the_row(ada: User, bo: User, club: Club, now: datetime) -> None:
    heard = []
    listener = lambda player, **_: heard.append(player.pk)  # noqa: E731
    player_erased.connect(listener)
    clubs.join(club=club, player=bo.player, now=now)
    guest = clubs.add_guest(club=club, name="Bo L.", by=ada, now=now)
    merging.merge_guest(kept=bo.player, dropped=guest, by=ada, now=now)

    accounts.erase(user=bo, now=now)

    assert not User.objects.filter(email="bo.lindgren@example.org").exists()
    rows = list(Player.objects.filter(erased_at__isnull=False))
    assert {(row.name, row.alias, row.public_name) for row in rows} == {("", "", "Former player")}
    assert len(rows) == 2
    assert sorted(heard) == sorted(row.pk for row in rows)
    assert not Membership.objects.filter(player__in=rows).exists()
    player_erased.disconnect(listener)


def test_a_sole_owner_hands_over_first(ada: User, bo: User, club: Club, now: datetime) -> None:
    clubs.join(club=club, player=bo.player, now=now)
    with pytest.raises(SoleOwner, match="Bristol"):
        accounts.erase(user=ada, now=now)
    assert User.objects.filter(pk=ada.pk).exists()

    clubs.set_role(club=club, player=bo.player, role=Role.OWNER, by=ada, now=now)
    accounts.erase(user=ada, now=now)

    assert list(club.memberships.values_list("player__name", "role")) == [("Bo Lindgren", "owner")]


def test_nobody_is_kept_for_want_of_an_heir(ada: User, club: Club, now: datetime) -> None:
    clubs.add_guest(club=club, name="Gus", by=ada, now=now)

    accounts.erase(user=ada, now=now)

    assert not User.objects.exists()


def test_links_of_an_erased_account_open_nothing(
    ada: User, club: Club, enrol: Callable[..., User], now: datetime
) -> None:
    cleo = enrol(club, "Cleo Marsh", Role.DIRECTOR)
    invitations.invite(club=club, by=cleo, role=Role.MEMBER, now=now)

    accounts.erase(user=cleo, now=now)

    invitation = Invitation.objects.get()
    assert invitation.revoked_at == now
    assert invitation.created_by is None
