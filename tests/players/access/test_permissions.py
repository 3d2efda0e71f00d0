"""The table of permissions, checked for every role."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import AnonymousUser

from players.access.permissions import RULES, list_clubs_where, may_know
from players.clubs.club_pages import ClubRights
from players.models import Club, Role, User

# Written by hand and apart from the rules: what a club expects.
EVERYBODY_INSIDE = {"players.see_members", "records.hand_in"}
WHO_RUNS_IT = EVERYBODY_INSIDE | {
    "players.see_member_emails",
    "players.find_hidden",
    "players.add_guest",
    "players.rename_guest",
    "players.merge_players",
    "players.manage_members",
    "players.invite",
    "players.manage_webhooks",
    "tournaments.direct",
    "matches.adjudicate",
    "opinion.see_evidence",
}
WHO_OWNS_IT = WHO_RUNS_IT | {"players.set_roles", "players.edit_club"}

MAY = {Role.MEMBER: EVERYBODY_INSIDE, Role.DIRECTOR: WHO_RUNS_IT, Role.OWNER: WHO_OWNS_IT}


@pytest.mark.parametrize("perm", sorted(RULES))
@pytest.mark.parametrize("role", list(Role))
def test_each_role_may_what_it_may(club: Club, enrol: Callable[..., User], role: Role, perm: str) -> None:
    user = enrol(club, "Cleo Marsh", role)

    assert user.has_perm(perm, club) is (perm in MAY[role])
    assert (perm in user.get_all_permissions(club)) is (perm in MAY[role])
    assert list_clubs_where(user, perm).filter(pk=club.pk).exists() is (perm in MAY[role])


@pytest.mark.parametrize("perm", sorted(RULES))
def test_outsiders_may_nothing(club: Club, bo: User, ada: User, perm: str) -> None:
    ada.is_active = False

    for nobody in (bo, AnonymousUser(), ada):
        assert not nobody.has_perm(perm, club)
        assert not nobody.get_all_permissions(club)
    assert not list_clubs_where(AnonymousUser(), perm).exists()


def test_a_right_needs_a_club(ada: User, club: Club) -> None:
    assert not ada.has_perm("players.invite")
    assert not ada.has_perm("players.invite", ada.player)
    assert not ada.has_perm("players.no_such_thing", club)


def test_what_belongs_to_a_club_is_asked_like_the_club(ada: User, bo: User, club: Club) -> None:
    membership = club.memberships.get()

    assert ada.has_perm("players.invite", membership)
    assert not bo.has_perm("players.invite", membership)


def test_only_directors_know_of_a_rehearsal(ada: User, club: Club, enrol: Callable[..., User]) -> None:
    member, director = (enrol(club, f"A {role.value}", role) for role in (Role.MEMBER, Role.DIRECTOR))
    rehearsed = Club(name="Rehearsal", slug="rehearsal", rehearses=club)

    assert all(may_know(user, club) for user in (ada, director, member, AnonymousUser()))
    assert may_know(ada, rehearsed)
    assert may_know(director, rehearsed)
    assert not may_know(member, rehearsed)
    assert not may_know(AnonymousUser(), rehearsed)


def test_a_superuser_may_everything(club: Club) -> None:
    root = User.objects.create_superuser("root@example.org", "three old pennies")

    assert all(root.has_perm(perm, club) for perm in RULES)
    assert root.get_all_permissions(club) >= set(RULES)
    assert ClubRights.load(root, club).set_roles


def test_back_office_staff_have_no_power_in_clubs(club: Club, bo: User) -> None:
    bo.is_staff = True

    assert not any(bo.has_perm(perm, club) for perm in RULES)
