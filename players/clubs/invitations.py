"""Invitations by link: anybody who has one may join, within its limits of time and number.

A link is 192 random bits and only their digest is stored. How many may come in is counted by the
database in one conditional update; nothing else decides it.
"""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from datetime import datetime

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
    """Make a link into the club and return its token, which nobody can be told again.

    With a *guest* the link hands that guest's history to whoever accepts it; an older one for the
    same guest ends.

    :raises NotAllowed: the account may not invite, or not into this role.
    :raises NotMember: the guest is not of this club.
    :raises AlreadyClaimed: the guest is one no more.
    :raises OutOfBounds: too many uses or days, or none.
    """
    clubs.require(by, "players.invite" if role == Role.MEMBER else "players.set_roles", club)
    if not (1 <= uses <= MOST_USES and 1 <= days <= MOST_DAYS):
        raise OutOfBounds
    if guest is not None:
        _refuse_unclaimable(guest, club)
        merging.end_claim_links(guest, now=now)
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


def find(*, token: str) -> Invitation:
    """Return the invitation behind a token, whatever its state.

    :raises InvitationUnknown: there is none.
    """
    found = Invitation.objects.select_related("club", "guest").filter(token_hash=digest(token)).first()
    if found is None:
        raise InvitationUnknown
    return found


def refuse_unusable(invitation: Invitation, *, now: datetime) -> None:
    """Say why the link does not work now.

    :raises InvitationRevoked:
    :raises InvitationExpired:
    :raises InvitationSpent:
    """
    if invitation.revoked_at is not None:
        raise InvitationRevoked
    # A link that served its purpose says so for ever, not that it has expired.
    if invitation.uses_left == 0:
        raise InvitationSpent
    if invitation.expires_at <= now:
        raise InvitationExpired


@transaction.atomic
def accept(*, token: str, user: User, now: datetime) -> Membership:
    """Come in by a link: as a member, with the role it gives, with the guest's history it hands over.

    :raises AlreadyMember: it would change nothing; the link keeps its use.
    :raises InvitationRefused: the link is unknown, expired, spent or withdrawn.
    :raises AlreadyClaimed: somebody has this guest's history.
    """
    invitation = find(token=token)
    player = user.player
    membership = Membership.objects.filter(club=invitation.club, player=player).first()
    if invitation.guest is None and membership is not None and not _raises(invitation, membership):
        raise AlreadyMember
    if invitation.guest is not None:
        refuse_unusable(invitation, now=now)
        _claim(invitation, invitation.guest, by=player, now=now)
        membership = Membership.objects.filter(club=invitation.club, player=player).first()
    else:
        _spend(invitation, now=now)
    if membership is None:
        return clubs.admit(club=invitation.club, player=player, role=Role(invitation.role), now=now)
    if _raises(invitation, membership):
        membership.role = invitation.role
        membership.save(update_fields=["role"])
        clubs.hint([invitation.club.slug], now=now)
    return membership


@transaction.atomic
def revoke(*, invitation: Invitation, by: User, now: datetime) -> None:
    """Withdraw a link; withdrawing it twice changes nothing.

    :raises NotAllowed: the account may not.
    """
    clubs.require(by, "players.invite", invitation.club)
    Invitation.objects.filter(pk=invitation.pk, revoked_at__isnull=True).update(revoked_at=now)


def _spend(invitation: Invitation, *, now: datetime) -> None:
    """Take one use, if there is one: of two people at the same moment, the database lets in one."""
    usable = Invitation.objects.filter(
        pk=invitation.pk, uses_left__gt=0, revoked_at__isnull=True, expires_at__gt=now
    )
    if usable.update(uses_left=F("uses_left") - 1, uses=F("uses") + 1):
        return
    invitation.refresh_from_db(fields=["uses_left", "revoked_at"])
    refuse_unusable(invitation, now=now)
    raise InvitationRefused


def _claim(invitation: Invitation, guest: Player, *, by: Player, now: datetime) -> None:
    try:
        # Players before links, as everywhere: the other order would lock two claims into each other.
        merging.hold(kept=by, dropped=guest)
        _spend(invitation, now=now)
        merging.unite(kept=by, dropped=guest, by=by.user, now=now)
    except (AlreadyMerged, HasAccount):
        raise AlreadyClaimed from None
    outbox.put(
        "players.claimed",
        {"invitation_id": invitation.pk, "player_id": by.pk, "guest_name": guest.name},
        dedupe_key=f"players.claimed:{guest.pk}",
        now=now,
    )


def _raises(invitation: Invitation, membership: Membership) -> bool:
    """Say whether the link gives a higher role than the member has."""
    return merging.RANK[Role(invitation.role)] < merging.RANK[Role(membership.role)]


def _refuse_unclaimable(guest: Player, club: Club) -> None:
    still_guest = Player.objects.filter(
        pk=guest.pk, user__isnull=True, merged_into__isnull=True, erased_at__isnull=True
    )
    if not still_guest.exists():
        raise AlreadyClaimed
    if not Membership.objects.filter(club=club, player=guest).exists():
        raise NotMember
