"""Invariants of people and clubs, checked on all rows after a restore or a crash."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Q

from players.models import Club, Invitation, Membership, Player, Role, User


def check_people() -> Iterator[str]:
    """Check that every account has a player, and merged players a current one and no membership."""
    for email in User.objects.filter(player__isnull=True).values_list("email", flat=True):
        yield f"account {email} has no player"
    for key in Player.objects.filter(merged_into__merged_into__isnull=False).values_list("key", flat=True):
        yield f"player {key} was merged into one that was merged itself"
    for key in Player.objects.filter(merged_into__isnull=False, memberships__isnull=False).values_list(
        "key", flat=True
    ):
        yield f"player {key} was merged and still belongs to a club"


def check_clubs() -> Iterator[str]:
    """Check that a club with accounts as members has an owner, and that guests have no role."""
    owned = Membership.objects.filter(role=Role.OWNER).values("club")
    peopled = Membership.objects.filter(player__user__isnull=False).values("club")
    for slug in Club.objects.filter(pk__in=peopled).exclude(pk__in=owned).values_list("slug", flat=True):
        yield f"club {slug} has members and no owner"
    for key in Membership.objects.filter(~Q(role=Role.MEMBER), player__user__isnull=True).values_list(
        "player__key", flat=True
    ):
        yield f"player {key} has a role and no account"


def check_invitations() -> Iterator[str]:
    """Check that no open invitation transfers a guest who was merged or claimed."""
    handed = Invitation.objects.filter(guest__isnull=False, revoked_at__isnull=True, uses_left__gt=0)
    gone = handed.filter(Q(guest__merged_into__isnull=False) | Q(guest__user__isnull=False))
    for pk in gone.values_list("pk", flat=True):
        yield f"invitation {pk} hands over a guest who is gone"
