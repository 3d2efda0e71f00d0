"""Clubs and their members."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest

from players.accounts import accounts
from players.clubs import club_pages, clubs, invitations, members, webhooks
from players.errors import (
    AlreadyMember,
    ByInvitationOnly,
    GuestHasNoRole,
    HiddenCharacters,
    LastOwner,
    NotAllowed,
    NotMember,
)
from players.models import Club, Invitation, Joining, Membership, Role, User
from players.people import people
from runtime.models import Outbox, TopicEvent
from tests.clubs import change_club


def role_in(club: Club, user: User) -> str | None:
    return Membership.objects.filter(club=club, player=user.player).values_list("role", flat=True).first()


def test_the_founder_owns_the_club(ada: User, club: Club) -> None:
    assert club.slug == "bristol-backgammon"
    assert role_in(club, ada) == Role.OWNER


def test_two_clubs_of_one_name_have_two_addresses(ada: User, club: Club, now: datetime) -> None:
    second = clubs.create(owner=ada, name="Bristol Backgammon", now=now)

    assert second.slug == "bristol-backgammon-2"


@pytest.mark.parametrize("name", ["New", "将棋クラブ", "Ω"])
def test_every_name_finds_an_address(ada: User, name: str, now: datetime) -> None:
    club = clubs.create(owner=ada, name=name, now=now)

    assert club.slug not in {"", "new"}
    assert club.get_absolute_url()


def test_a_hostile_name_founds_nothing(ada: User, now: datetime) -> None:
    with pytest.raises(HiddenCharacters):
        clubs.create(owner=ada, name="Brist\u202elo", now=now)

    assert not Club.objects.exists()


def test_only_owners_change_the_club(
    club: Club, enrol: Callable[..., User], ada: User, now: datetime
) -> None:
    words = {"name": "Bath Backgammon", "city": "Bath", "joining": Joining.INVITATION}
    with pytest.raises(NotAllowed):
        change_club(club, by=enrol(club, "Cleo Marsh", Role.DIRECTOR), now=now, **words)

    change_club(club, by=ada, now=now, **words)
    change_club(club, by=ada, now=now, **words)

    club.refresh_from_db()
    assert (club.name, club.slug, club.joining) == ("Bath Backgammon", "bristol-backgammon", "invitation")


def test_joining_twice_is_joining_once(club: Club, bo: User, now: datetime) -> None:
    clubs.join(club=club, player=bo.player, now=now)
    with pytest.raises(AlreadyMember):
        clubs.join(club=club, player=bo.player, now=now)

    assert Membership.objects.filter(club=club).count() == 2
    assert Outbox.objects.filter(kind="players.joined").count() == 1
    assert TopicEvent.objects.filter(topic="club.bristol-backgammon", name="members").exists()


def test_a_club_by_invitation_takes_nobody_who_comes_along(ada: User, bo: User, now: datetime) -> None:
    club = clubs.create(owner=ada, name="Closed", joining=Joining.INVITATION, now=now)

    with pytest.raises(ByInvitationOnly):
        clubs.join(club=club, player=bo.player, now=now)


def test_the_last_owner_stays(club: Club, ada: User, bo: User, now: datetime) -> None:
    clubs.join(club=club, player=bo.player, now=now)

    with pytest.raises(LastOwner):
        clubs.leave(club=club, player=ada.player, now=now)
    with pytest.raises(LastOwner):
        clubs.set_role(club=club, player=ada.player, role=Role.MEMBER, by=ada, now=now)
    with pytest.raises(LastOwner):
        clubs.remove(club=club, player=ada.player, by=ada, now=now)

    assert role_in(club, ada) == Role.OWNER


def test_an_owner_who_is_not_the_last_may_go(club: Club, ada: User, bo: User, now: datetime) -> None:
    clubs.join(club=club, player=bo.player, now=now)
    clubs.set_role(club=club, player=bo.player, role=Role.OWNER, by=ada, now=now)

    clubs.leave(club=club, player=ada.player, now=now)
    with pytest.raises(NotMember):
        clubs.leave(club=club, player=ada.player, now=now)

    assert role_in(club, ada) is None


def test_a_role_given_twice_is_news_once(club: Club, ada: User, bo: User, now: datetime) -> None:
    clubs.join(club=club, player=bo.player, now=now)
    for _ in range(2):
        clubs.set_role(club=club, player=bo.player, role=Role.DIRECTOR, by=ada, now=now)

    assert role_in(club, bo) == Role.DIRECTOR
    assert Outbox.objects.filter(kind="players.role_changed").count() == 1


def test_a_guest_has_no_role(club: Club, ada: User, now: datetime) -> None:
    guest = clubs.add_guest(club=club, name="Gus", by=ada, now=now)

    with pytest.raises(GuestHasNoRole):
        clubs.set_role(club=club, player=guest, role=Role.DIRECTOR, by=ada, now=now)


def test_directors_remove_members_and_owners_remove_directors(
    club: Club, enrol: Callable[..., User], ada: User, now: datetime
) -> None:
    cleo, dan = enrol(club, "Cleo Marsh", Role.DIRECTOR), enrol(club, "Dan Wu", Role.DIRECTOR)
    eve = enrol(club, "Eve Novak")

    clubs.remove(club=club, player=eve.player, by=cleo, now=now)
    with pytest.raises(NotMember):
        clubs.remove(club=club, player=eve.player, by=cleo, now=now)
    with pytest.raises(NotAllowed):
        clubs.remove(club=club, player=dan.player, by=cleo, now=now)
    with pytest.raises(NotAllowed):
        clubs.remove(club=club, player=ada.player, by=cleo, now=now)
    clubs.remove(club=club, player=dan.player, by=ada, now=now)

    assert Membership.objects.filter(club=club).count() == 2


def test_a_right_that_ends_takes_its_links_along(
    club: Club, enrol: Callable[..., User], ada: User, now: datetime
) -> None:
    cleo = enrol(club, "Cleo Marsh", Role.DIRECTOR)
    invitations.invite(club=club, by=cleo, role=Role.MEMBER, now=now)

    clubs.set_role(club=club, player=cleo.player, role=Role.MEMBER, by=ada, now=now)

    assert Invitation.objects.get().revoked_at == now


def test_nobody_directs_another_club(ada: User, bo: User, club: Club, now: datetime) -> None:
    clubs.create(owner=bo, name="Elsewhere", now=now)

    with pytest.raises(NotAllowed):
        clubs.add_guest(club=club, name="Gus", by=bo, now=now)
    with pytest.raises(NotAllowed):
        clubs.remove(club=club, player=ada.player, by=bo, now=now)


def test_a_member_does_nothing_that_directors_and_owners_do(
    ada: User, bo: User, club: Club, now: datetime
) -> None:
    clubs.join(club=club, player=bo.player, now=now)
    guest = clubs.add_guest(club=club, name="Gus", by=ada, now=now)
    invitations.invite(club=club, by=ada, role=Role.MEMBER, uses=5, now=now)
    hook, _ = webhooks.add(club=club, url="https://93.184.216.34/hook", by=ada, now=now)
    acts: list[Callable[[], object]] = [
        lambda: clubs.set_role(club=club, player=bo.player, role=Role.OWNER, by=bo, now=now),
        lambda: clubs.rename_guest(club=club, player=guest, name="Guy", by=bo, now=now),
        lambda: clubs.set_logo(club=club, by=bo, data=b"", now=now),
        lambda: clubs.remove_logo(club=club, by=bo, now=now),
        lambda: invitations.revoke(invitation=Invitation.objects.get(), by=bo, now=now),
        lambda: webhooks.add(club=club, url="https://93.184.216.34/other", by=bo, now=now),
        lambda: webhooks.remove(club=club, key=hook.key, by=bo),
    ]
    for act in acts:
        with pytest.raises(NotAllowed):
            act()


def test_an_alias_stands_where_the_alias_belongs(
    club: Club, enrol: Callable[..., User], ada: User, bo: User, now: datetime
) -> None:
    """Sorted by the real name it would give its owner away."""
    for name in ("Bea Adams", "Cleo Marsh", "Zoe Young"):
        enrol(club, name)
    accounts.change(
        user=User.objects.get(player__name="Bea Adams"), now=now, alias="The Mule", shown_as="alias"
    )
    for looking in (ada, User.objects.get(player__name="Cleo Marsh")):
        names = [row.name for row in members.list_members(user=looking, club=club).rows]
        assert names == ["Ada Okafor", "Cleo Marsh", "The Mule", "Zoe Young"]


def test_members_are_found_and_sorted_without_capitals_and_accents(
    club: Club, ada: User, now: datetime
) -> None:
    for name in ("Zoë Stone", "Bo Lindgren", "Ángel Ruiz"):
        clubs.add_guest(club=club, name=name, by=ada, now=now)

    def found(query: str) -> list[str]:
        return [row.name.split()[1] for row in members.list_members(user=ada, club=club, query=query).rows]

    assert found("") == ["Okafor", "Ruiz", "Lindgren", "Stone"]
    assert [found(query) for query in ("zoe", "ángel", "ruiz angel")] == [["Stone"], ["Ruiz"], ["Ruiz"]]
    assert [player.name.split()[1] for player in members.list_guests(club)] == ["Ruiz", "Lindgren", "Stone"]


def test_clubs_are_sorted_without_capitals_and_accents(club: Club, ada: User, now: datetime) -> None:
    for name in ("Zürich", "Älpler", "antwerp"):
        clubs.create(owner=ada, name=name, now=now)
    sorted_slugs = ["alpler", "antwerp", "bristol-backgammon", "zurich"]
    assert [each.slug for each in club_pages.list_visible_clubs()] == sorted_slugs
    insiders = Club.objects.filter(memberships__player=ada.player)
    page = people.load_player_page(user=ada, player=ada.player, insider_of=insiders)
    assert [each.club.slug for each in page.memberships] == sorted_slugs
