"""Merging two players of one person, a claimed guest or a name that was typed twice, and undoing a merge.

The dropped row stays and points at the kept one, so that old links and results still resolve. A
compare-and-set on the row ensures that it happens once. A director can also record that two players are two
people.

The merge's row records what was moved. Undoing moves that back, with its later changes: an entry takes along
the matches played in it. Entries and matches that are new since the merge stay with the kept player, under
whose name they were played.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction

from players.clubs import clubs
from players.errors import (
    AlreadyMerged,
    CannotMerge,
    CannotUnmerge,
    HasAccount,
    MergedOn,
    NotMember,
    NotMerged,
    PlayedEachOther,
)
from players.hooks import load_appearances, player_merged, player_unmerged
from players.models import Club, Membership, Merge, Player, Role, TwoPeople, User
from players.people import people
from runtime.work import outbox

RANK = {Role.OWNER: 0, Role.DIRECTOR: 1, Role.MEMBER: 2}


@transaction.atomic
def merge_guest(*, kept: Player, dropped: Player, by: User, now: datetime) -> None:
    """Merge a guest into another member of a club that *by* directs.

    :raises CannotMerge: both are the same player, one is erased, or they share no club.
    :raises AlreadyMerged: one of them was merged already.
    :raises HasAccount: the dropped one is not a guest.
    :raises PlayedEachOther: the two have played each other.
    :raises NotAllowed: the guest belongs to a club in which the account lacks the permission.
    """
    kept, dropped = lock_players(kept=kept, dropped=dropped)
    homes = list(Club.objects.filter(memberships__player=dropped))
    for club in homes:
        clubs.require_permission(by, "players.merge_players", club)
    # Only the back office can merge into a player who is in none of the guest's clubs.
    if not by.is_superuser and not Membership.objects.filter(player=kept, club__in=homes).exists():
        raise CannotMerge
    merge_id = _move_rows(kept, dropped, by=by, now=now)
    outbox.put(
        "players.merged",
        {"player_id": kept.pk, "merge_id": merge_id, "guest_name": dropped.name, "by_id": by.pk},
        dedupe_key=f"players.merged:{merge_id}",
        now=now,
    )


@transaction.atomic
def merge_players(*, kept: Player, dropped: Player, by: User | None, now: datetime) -> None:
    """Merge *dropped* into *kept*. The caller has checked the permission.

    :raises CannotMerge: both are the same player, or one is erased.
    :raises AlreadyMerged: one of them was merged already.
    :raises HasAccount: the dropped one is not a guest.
    :raises PlayedEachOther: the two have played each other.
    """
    _move_rows(*lock_players(kept=kept, dropped=dropped), by=by, now=now)


def _move_rows(kept: Player, dropped: Player, *, by: User | None, now: datetime) -> int:
    if load_appearances([kept.pk, dropped.pk]).met:
        raise PlayedEachOther(one=kept.public_name, other=dropped.public_name)
    guest = Player.objects.filter(pk=dropped.pk, merged_into__isnull=True, user__isnull=True)
    if not guest.update(merged_into=kept):
        raise AlreadyMerged
    # No chains: players merged into the dropped one now point at the kept one.
    followers = Player.objects.filter(merged_into=dropped)
    moved: dict[str, Any] = {"merged": list(followers.order_by("pk").values_list("pk", flat=True))}
    followers.update(merged_into=kept)
    clubs.end_claim_links(guest=dropped, now=now)
    slugs, moved["memberships"] = _merge_memberships(kept, dropped)
    answers: list[tuple[Any, Any]] = player_merged.send(sender=Player, kept=kept, dropped=dropped, now=now)
    for _receiver, answer in answers:
        moved |= answer or {}
    made = Merge.objects.create(kept=kept, dropped=dropped, by=by, at=now, moved=moved)
    clubs.announce_change(slugs, now=now)
    return made.pk


def lock_players(*, kept: Player, dropped: Player) -> tuple[Player, Player]:
    """Lock both players, and the rows that refer to the dropped one; return their current rows.

    :raises CannotMerge: both are the same player, or one is erased.
    :raises AlreadyMerged: one of them was merged already.
    :raises HasAccount: the dropped one is not a guest.
    """
    if kept.pk == dropped.pk:
        raise CannotMerge
    rows = people.lock_with_references([dropped.pk], staying=[kept.pk])
    kept, dropped = rows[kept.pk], rows[dropped.pk]
    if dropped.merged_into_id is not None or kept.merged_into_id is not None:
        raise AlreadyMerged
    if dropped.user_id is not None:
        raise HasAccount(name=dropped.public_name)
    if kept.erased_at is not None or dropped.erased_at is not None:
        raise CannotMerge
    return kept, dropped


def _merge_memberships(kept: Player, dropped: Player) -> tuple[list[str], list[dict[str, Any]]]:
    """Merge memberships with the higher role and the earlier date; return the clubs' slugs, and the former state."""
    own = {each.club_id: each for each in Membership.objects.filter(player=kept)}
    slugs: list[str] = []
    was: list[dict[str, Any]] = []
    for other in Membership.objects.filter(player=dropped).select_related("club"):
        slugs.append(other.club.slug)
        mine = own.get(other.club_id)
        was.append(
            {
                "club": other.club_id,
                "joined_at": other.joined_at.isoformat(),
                "kept_joined_at": mine.joined_at.isoformat() if mine else None,
            }
        )
        if mine is None:
            Membership.objects.filter(pk=other.pk).update(player=kept)
            continue
        mine.role = min(Role(mine.role), Role(other.role), key=RANK.__getitem__)
        mine.joined_at = min(mine.joined_at, other.joined_at)
        mine.save(update_fields=["role", "joined_at"])
        other.delete()
    return slugs, was


@transaction.atomic
def tell_apart(*, club: Club, one: Player, other: Player, by: User, now: datetime) -> None:
    """Record that two members are two people; repeating it changes nothing.

    :raises NotAllowed: the account lacks the permission.
    :raises NotMember: one of them is not a member of the club.
    :raises CannotMerge: both are the same player.
    """
    clubs.require_permission(by, "players.merge_players", club)
    if one.pk == other.pk:
        raise CannotMerge
    if Membership.objects.filter(club=club, player__in=(one, other)).count() != 2:
        raise NotMember
    first, second = sorted((one, other), key=lambda each: each.pk)
    TwoPeople.objects.get_or_create(one=first, other=second, defaults={"by": by, "at": now})
    clubs.announce_change([club.slug], now=now)


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
    held = people.lock_with_references([row.kept_id], staying=[row.dropped_id])
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
