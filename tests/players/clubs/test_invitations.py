"""Invitations by link, and guests claimed by them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.db.models import QuerySet

from players.clubs import clubs, invitations
from players.errors import (
    AlreadyClaimed,
    AlreadyMember,
    InvitationExpired,
    InvitationRevoked,
    InvitationSpent,
    InvitationUnknown,
    NotAllowed,
    NotMember,
    OutOfBounds,
)
from players.models import Club, Invitation, Membership, Player, Role, User


def test_only_the_digest_is_stored(club: Club, ada: User, now: datetime) -> None:
    token = invitations.invite(club=club, by=ada, role=Role.MEMBER, now=now)

    stored = Invitation.objects.get()
    assert len(token) == 32
    assert token not in str(vars(stored))
    assert stored.token_hash == invitations.digest(token)


def test_a_link_lets_in_as_many_as_it_says(
    club: Club, ada: User, sign_up: Callable[..., User], now: datetime
) -> None:
    token = invitations.invite(club=club, by=ada, role=Role.MEMBER, uses=2, now=now)
    bo, cleo, dan = (sign_up(name) for name in ("Bo Lindgren", "Cleo Marsh", "Dan Wu"))

    invitations.accept(token=token, user=bo, now=now)
    with pytest.raises(AlreadyMember):
        invitations.accept(token=token, user=bo, now=now)
    invitations.accept(token=token, user=cleo, now=now)
    with pytest.raises(InvitationSpent):
        invitations.accept(token=token, user=dan, now=now)

    invitation = Invitation.objects.get()
    assert (invitation.uses, invitation.uses_left) == (2, 0)
    assert Membership.objects.filter(club=club).count() == 3


def test_a_link_opens_a_club_by_invitation(club: Club, ada: User, bo: User, now: datetime) -> None:
    club.joining = "invitation"
    club.save(update_fields=["joining"])
    token = invitations.invite(club=club, by=ada, role=Role.DIRECTOR, now=now)

    assert invitations.accept(token=token, user=bo, now=now).role == Role.DIRECTOR


def test_a_higher_role_is_taken_and_a_lower_one_is_not(
    club: Club, ada: User, bo: User, now: datetime
) -> None:
    clubs.join(club=club, player=bo.player, now=now)
    up = invitations.invite(club=club, by=ada, role=Role.DIRECTOR, now=now)
    down = invitations.invite(club=club, by=ada, role=Role.MEMBER, now=now)

    assert invitations.accept(token=up, user=bo, now=now).role == Role.DIRECTOR
    with pytest.raises(AlreadyMember):
        invitations.accept(token=down, user=bo, now=now)
    with pytest.raises(AlreadyMember):
        invitations.accept(token=down, user=ada, now=now)

    assert Membership.objects.get(player=bo.player).role == Role.DIRECTOR
    assert Membership.objects.get(player=ada.player).role == Role.OWNER


def test_a_role_that_is_given_meanwhile_is_not_lowered(
    club: Club, ada: User, bo: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the club could be left without an owner."""
    clubs.join(club=club, player=bo.player, now=now)
    link = invitations.invite(club=club, by=ada, role=Role.DIRECTOR, now=now)
    lock = clubs.lock_clubs

    def lock_late(rows: QuerySet[Club]) -> QuerySet[Club]:
        Membership.objects.filter(player=bo.player).update(role=Role.OWNER)
        return lock(rows)

    monkeypatch.setattr(clubs, "lock_clubs", lock_late)

    assert invitations.accept(token=link, user=bo, now=now).role == Role.OWNER
    assert Membership.objects.get(player=bo.player).role == Role.OWNER


def test_each_closed_link_says_why(club: Club, ada: User, bo: User, now: datetime) -> None:
    expired = invitations.invite(club=club, by=ada, role=Role.MEMBER, days=1, now=now)
    revoked = invitations.invite(club=club, by=ada, role=Role.MEMBER, now=now)
    for _ in range(2):
        invitations.revoke(invitation=invitations.get_invitation(token=revoked), by=ada, now=now)

    with pytest.raises(InvitationUnknown):
        invitations.accept(token="no such token", user=bo, now=now)
    with pytest.raises(InvitationRevoked):
        invitations.accept(token=revoked, user=bo, now=now)
    with pytest.raises(InvitationExpired):
        invitations.accept(token=expired, user=bo, now=now + timedelta(days=1))
    assert invitations.accept(token=expired, user=bo, now=now + timedelta(hours=23))


def test_directors_invite_members_and_owners_anyone(
    club: Club, enrol: Callable[..., User], bo: User, now: datetime
) -> None:
    cleo = enrol(club, "Cleo Marsh", Role.DIRECTOR)

    assert invitations.invite(club=club, by=cleo, role=Role.MEMBER, now=now)
    for role in (Role.DIRECTOR, Role.OWNER):
        with pytest.raises(NotAllowed):
            invitations.invite(club=club, by=cleo, role=role, now=now)
    with pytest.raises(NotAllowed):
        invitations.invite(club=club, by=bo, role=Role.MEMBER, now=now)


@pytest.mark.parametrize(("uses", "days"), [(0, 1), (501, 1), (1, 0), (1, 366), (2**70, 1)])
def test_a_link_has_bounds(club: Club, ada: User, uses: int, days: int, now: datetime) -> None:
    with pytest.raises(OutOfBounds):
        invitations.invite(club=club, by=ada, role=Role.MEMBER, uses=uses, days=days, now=now)


def test_a_guest_is_claimed_with_everything(club: Club, ada: User, bo: User, now: datetime) -> None:
    guest = clubs.add_guest(club=club, name="Bo from work", by=ada, now=now - timedelta(days=30))
    token = invitations.invite(club=club, by=ada, role=Role.MEMBER, guest=guest, now=now)

    membership = invitations.accept(token=token, user=bo, now=now)

    guest.refresh_from_db()
    assert guest.merged_into == bo.player
    assert membership.player == bo.player
    assert membership.joined_at == now - timedelta(days=30)
    assert Membership.objects.filter(club=club).count() == 2


def test_a_guest_is_claimed_once(club: Club, ada: User, sign_up: Callable[..., User], now: datetime) -> None:
    guest = clubs.add_guest(club=club, name="Gus", by=ada, now=now)
    old = invitations.invite(club=club, by=ada, role=Role.MEMBER, guest=guest, now=now)
    new = invitations.invite(club=club, by=ada, role=Role.MEMBER, guest=guest, now=now)
    bo, cleo = sign_up("Bo Lindgren"), sign_up("Cleo Marsh")

    with pytest.raises(InvitationRevoked):
        invitations.accept(token=old, user=cleo, now=now)
    invitations.accept(token=new, user=bo, now=now)
    with pytest.raises(InvitationSpent):
        invitations.accept(token=new, user=cleo, now=now)
    with pytest.raises(AlreadyClaimed):
        invitations.invite(club=club, by=ada, role=Role.MEMBER, guest=guest, now=now)
    # Even if an old link were open still, the guest is gone.
    Invitation.objects.filter(token_hash=invitations.digest(old)).update(revoked_at=None)
    with pytest.raises(AlreadyClaimed):
        invitations.accept(token=old, user=cleo, now=now)

    assert Player.objects.get(pk=guest.pk).merged_into == bo.player
    assert not Membership.objects.filter(player=cleo.player).exists()


def test_only_a_guest_of_the_club_is_handed_over(club: Club, ada: User, bo: User, now: datetime) -> None:
    elsewhere = clubs.create(owner=bo, name="Elsewhere", now=now)
    stranger = clubs.add_guest(club=elsewhere, name="Gus", by=bo, now=now)

    with pytest.raises(NotMember):
        invitations.invite(club=club, by=ada, role=Role.MEMBER, guest=stranger, now=now)
    with pytest.raises(AlreadyClaimed):
        invitations.invite(club=club, by=ada, role=Role.MEMBER, guest=bo.player, now=now)


def test_someone_removed_may_not_use_the_link_they_made(
    club: Club, enrol: Callable[..., User], ada: User, now: datetime
) -> None:
    cleo = enrol(club, "Cleo Marsh", Role.DIRECTOR)
    token = invitations.invite(club=club, by=cleo, role=Role.MEMBER, now=now)
    clubs.remove(club=club, player=cleo.player, by=ada, now=now)

    with pytest.raises(InvitationRevoked):
        invitations.accept(token=token, user=cleo, now=now)


def test_the_link_of_a_removed_guest_ends(club: Club, ada: User, bo: User, now: datetime) -> None:
    guest = clubs.add_guest(club=club, name="Gus", by=ada, now=now)
    token = invitations.invite(club=club, by=ada, role=Role.MEMBER, guest=guest, now=now)
    clubs.remove(club=club, player=guest, by=ada, now=now)

    with pytest.raises(InvitationRevoked):
        invitations.accept(token=token, user=bo, now=now)

    assert not Membership.objects.filter(player=bo.player).exists()
