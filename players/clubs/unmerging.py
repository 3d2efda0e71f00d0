"""Undoing a merge.

The merge's row records what was moved, and that is moved back, with its later changes: an entry takes along
the matches played in it. Entries and matches that are new since the merge stay with the kept player, under
whose name they were played.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction

from players.clubs import clubs
from players.errors import CannotUnmerge, MergedOn, NotMerged
from players.hooks import player_unmerged
from players.models import Club, Membership, Merge, Player, Role, User
from players.people import player_locks
from runtime.work import outbox

if TYPE_CHECKING:
    from collections.abc import Iterable


@transaction.atomic
def unmerge(*, merge_id: int, by: User, now: datetime) -> Merge:
    """Undo a merge.

    :raises NotAllowed: the guest belonged to a club in which the account lacks the permission.
    :raises NotMerged: it has been undone.
    :raises MergedOn: the kept player was merged into another since; undo that merge first.
    :raises CannotUnmerge: the kept player is erased, or the guest had no club.
    """
    row = Merge.objects.get(pk=merge_id)
    # Lock the rows of the kept player first: they include all that is moved back.
    held = player_locks.lock_with_references([row.kept_id], staying=[row.dropped_id])
    kept, dropped = held[row.kept_id], held[row.dropped_id]
    homes = list(Club.objects.filter(pk__in=[each["club"] for each in row.moved["memberships"]]))
    for club in homes:
        clubs.require_permission(by, "players.merge_players", club)
    if not homes and not by.is_superuser:
        raise CannotUnmerge
    # Only one request can win this update.
    if not Merge.objects.filter(pk=row.pk, undone_at__isnull=True).update(undone_at=now, undone_by=by):
        raise NotMerged
    if kept.merged_into_id is not None:
        raise MergedOn(name=kept.public_name)
    if kept.erased_at is not None or dropped.merged_into_id != kept.pk:
        raise CannotUnmerge
    Player.objects.filter(pk=dropped.pk).update(merged_into=None)
    dropped.merged_into = None
    Player.objects.filter(pk__in=row.moved["merged"], merged_into=kept).update(merged_into=dropped)
    _restore_memberships(kept, dropped, row.moved["memberships"])
    player_unmerged.send(sender=Player, kept=kept, dropped=dropped, moved=row.moved, now=now)
    clubs.announce_change([club.slug for club in homes], now=now)
    outbox.put(
        "players.unmerged",
        {"player_id": kept.pk, "guest_name": dropped.name, "merge_id": row.pk, "by_id": by.pk},
        dedupe_key=f"players.unmerged:{row.pk}",
        now=now,
    )
    row.refresh_from_db()
    return row


def _restore_memberships(kept: Player, dropped: Player, moved: Iterable[dict[str, Any]]) -> None:
    """Restore the guest's memberships; a kept player with a role in the club stays a member."""
    for each in moved:
        own = Membership.objects.filter(club=each["club"], player=kept).first()
        joined_at = datetime.fromisoformat(each["joined_at"])
        if each["kept_joined_at"] is None and own is not None and own.role == Role.MEMBER:
            # The kept player is in this club only through the merge.
            Membership.objects.filter(pk=own.pk).update(player=dropped, joined_at=joined_at)
            continue
        if own is not None and each["kept_joined_at"] is not None:
            Membership.objects.filter(pk=own.pk, joined_at=min(own.joined_at, joined_at)).update(
                joined_at=datetime.fromisoformat(each["kept_joined_at"])
            )
        if Club.objects.filter(pk=each["club"]).exists():
            Membership.objects.create(
                club_id=each["club"], player=dropped, role=Role.MEMBER, joined_at=joined_at
            )
