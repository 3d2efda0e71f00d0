"""The verifiers of a restored database find each error and report nothing else."""

from __future__ import annotations

from datetime import datetime

from players.clubs import clubs, invitations, merging
from players.models import Club, Invitation, Membership, Player, Role, User


def problems() -> list[str]:
    return [*clubs.check_people(), *clubs.check_clubs(), *clubs.check_invitations()]


def test_what_services_leave_is_in_order(club: Club, ada: User, bo: User, now: datetime) -> None:
    guest = clubs.add_guest(club=club, name="Gus", by=ada, now=now)
    token = invitations.invite(club=club, by=ada, role=Role.DIRECTOR, guest=guest, now=now)
    invitations.accept(token=token, user=bo, now=now)
    other = clubs.add_guest(club=club, name="Bo", by=ada, now=now)
    merging.merge_guest(kept=bo.player, dropped=other, by=ada, now=now)

    assert problems() == []


def test_what_is_wrong_is_found(club: Club, ada: User, now: datetime) -> None:
    one, two, three = (clubs.add_guest(club=club, name=f"Gus {n}", by=ada, now=now) for n in (1, 2, 3))
    invitations.invite(club=club, by=ada, role=Role.MEMBER, guest=one, now=now)
    Player.objects.filter(pk=one.pk).update(merged_into=two)
    Player.objects.filter(pk=two.pk).update(merged_into=three)
    Membership.objects.filter(player=ada.player).update(role=Role.MEMBER)
    Membership.objects.filter(player=three).update(role=Role.DIRECTOR)
    User(email="lone@example.org").save()

    assert problems() == [
        "account lone@example.org has no player",
        f"player {one.key} was merged into one that was merged itself",
        f"player {one.key} was merged and still belongs to a club",
        f"player {two.key} was merged and still belongs to a club",
        "club bristol-backgammon has members and no owner",
        f"player {three.key} has a role and no account",
        f"invitation {Invitation.objects.get().pk} hands over a guest who is gone",
    ]
