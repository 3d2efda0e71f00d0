"""Invitations by link: every holder of a link may join, within its limits of time and number.

A link is 192 random bits, and only its digest is stored. Uses are counted by one conditional update.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from players import names
from players.clubs import clubs, merging
from players.errors import (
    AlreadyClaimed,
    AlreadyMember,
    AlreadyMerged,
    HasAccount,
    InvitationExpired,
    InvitationRefused,
    InvitationRevoked,
    InvitationSpent,
    InvitationUnknown,
    NotMember,
    OutOfBounds,
)
from players.keys import digest
from players.models import Club, Invitation, Membership, Player, Role, User
from runtime.work import outbox

MOST_USES = 500
MOST_DAYS = 365


@transaction.atomic
def invite(
    *,
    club: Club,
    by: User,
    role: Role,
    now: datetime,
    guest: Player | None = None,
    note: str = "",
    uses: int = 1,
    days: int = 14,
) -> str:
    """Create an invitation and return its token, which is not stored.

    With a *guest*, accepting it transfers the guest's history; an older link for the same guest ends.

    :raises NotAllowed: the account may not invite, or not for this role.
    :raises NotMember: the guest is not a member of this club.
    :raises AlreadyClaimed: the player is not a guest any longer.
    :raises OutOfBounds: *uses* or *days* is out of range.
    """
    clubs.require_permission(by, "players.invite" if role == Role.MEMBER else "players.set_roles", club)
    if not (1 <= uses <= MOST_USES and 1 <= days <= MOST_DAYS):
        raise OutOfBounds
    if guest is not None:
        _require_claimable(guest, club)
        clubs.end_claim_links(guest=guest, now=now)
    token = secrets.token_urlsafe(24)
    Invitation.objects.create(
        club=club,
        token_hash=digest(token),
        role=role,
        guest=guest,
        note=names.clean_optional(note, limit=80),
        created_by=by,
        created_at=now,
        expires_at=now + timedelta(days=days),
        uses_left=1 if guest else uses,
    )
    return token


def get_invitation(*, token: str) -> Invitation:
    """Return the invitation with this token, in any state.

    :raises InvitationUnknown: there is none.
    """
    return InvitationUnknown.raise_if_none(
        Invitation.objects.select_related("club", "guest").filter(token_hash=digest(token)).first()
    )


def require_usable(invitation: Invitation, *, now: datetime) -> None:
    """Require that an invitation can be used.

    :raises InvitationRevoked, InvitationExpired, InvitationSpent: it cannot; a used link is never called expired.
    """
    if invitation.revoked_at is not None:
        raise InvitationRevoked
    # Checked before the expiry, so that a used link is not reported as expired.
    if invitation.uses_left == 0:
        raise InvitationSpent
    if invitation.expires_at <= now:
        raise InvitationExpired


@transaction.atomic
def accept(*, token: str, user: User, now: datetime) -> Membership:
    """Accept an invitation: become a member with its role, and take over its guest's history.

    :raises AlreadyMember: it would change nothing; no use is counted.
    :raises InvitationRefused: the link is unknown, expired, spent or withdrawn.
    :raises AlreadyClaimed: the guest was claimed already.
    :raises NotMember: the membership ended after it was read.
    """
    invitation = get_invitation(token=token)
    player = user.player
    membership = Membership.objects.filter(club=invitation.club, player=player).first()
    if invitation.guest is None and membership is not None and not _is_promotion(invitation, membership):
        raise AlreadyMember
    if invitation.guest is not None:
        require_usable(invitation, now=now)
        _claim_guest(invitation, invitation.guest, by=player, now=now)
        membership = Membership.objects.filter(club=invitation.club, player=player).first()
    else:
        _count_use(invitation, now=now)
    if membership is None:
        return clubs.admit(club=invitation.club, player=player, role=Role(invitation.role), now=now)
    # Owners may have given another role, or ended the membership, since it was read.
    membership = clubs.lock_membership(invitation.club, player)
    if _is_promotion(invitation, membership):
        membership.role = invitation.role
        membership.save(update_fields=["role"])
        clubs.announce_change([invitation.club.slug], now=now)
    return membership


@transaction.atomic
def revoke(*, invitation: Invitation, by: User, now: datetime) -> None:
    """Withdraw an invitation; repeating it changes nothing.

    :raises NotAllowed: the account lacks the permission.
    """
    clubs.require_permission(by, "players.invite", invitation.club)
    Invitation.objects.filter(pk=invitation.pk, revoked_at__isnull=True).update(revoked_at=now)


def _count_use(invitation: Invitation, *, now: datetime) -> None:
    """Count one use by a conditional update, so that concurrent requests cannot exceed the limit."""
    usable = Invitation.objects.filter(
        pk=invitation.pk, uses_left__gt=0, revoked_at__isnull=True, expires_at__gt=now
    )
    if usable.update(uses_left=F("uses_left") - 1, uses=F("uses") + 1):
        return
    invitation.refresh_from_db(fields=["uses_left", "revoked_at"])
    require_usable(invitation, now=now)
    raise InvitationRefused


def _claim_guest(invitation: Invitation, guest: Player, *, by: Player, now: datetime) -> None:
    try:
        # Players are locked before invitations, as everywhere; the other order would deadlock two claims.
        merging.lock_players(kept=by, dropped=guest)
        _count_use(invitation, now=now)
        merging.merge_players(kept=by, dropped=guest, by=by.user, now=now)
    except (AlreadyMerged, HasAccount):
        raise AlreadyClaimed from None
    outbox.put(
        "players.claimed",
        {"invitation_id": invitation.pk, "player_id": by.pk, "guest_name": guest.name},
        dedupe_key=f"players.claimed:{invitation.pk}",
        now=now,
    )


def _is_promotion(invitation: Invitation, membership: Membership) -> bool:
    """True if the invitation gives a higher role than the member has."""
    return merging.RANK[Role(invitation.role)] < merging.RANK[Role(membership.role)]


def _require_claimable(guest: Player, club: Club) -> None:
    still_guest = Player.objects.filter(
        pk=guest.pk, user__isnull=True, merged_into__isnull=True, erased_at__isnull=True
    )
    if not still_guest.exists():
        raise AlreadyClaimed
    if not Membership.objects.filter(club=club, player=guest).exists():
        raise NotMember
