"""Two rows of one person become one: a guest claimed by its owner, a name typed twice.

The dropped row stays and points at the kept one, so that an old link and an old fact still lead
somewhere. Happens once: the row itself, changed by compare-and-set, is the proof. Or a director says that two of a name
are two people.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction

from players.clubs import clubs
from players.errors import AlreadyMerged, CannotMerge, HasAccount, NotMember
from players.hooks import player_merged
from players.models import Club, Invitation, Membership, Merge, Player, Role, TwoPeople, User
from players.people import player_locks
from runtime.work import outbox

if TYPE_CHECKING:
    from datetime import datetime

    from players.models import User

RANK = {Role.OWNER: 0, Role.DIRECTOR: 1, Role.MEMBER: 2}


@transaction.atomic
def merge(*, kept: Player, dropped: Player, by: User, now: datetime) -> None:
    """Unite a guest with another member of the clubs that *by* directs.

    :raises CannotMerge: they are not two players, one of them is gone, or they share no club.
    :raises AlreadyMerged: it has happened.
    :raises HasAccount: the dropped one is not a guest.
    :raises NotAllowed: the guest belongs to a club where the account may not do this.
    """
    kept, dropped = hold(kept=kept, dropped=dropped)
    homes = list(Club.objects.filter(memberships__player=dropped))
    for club in homes:
        clubs.require(by, "players.merge_players", club)
    # Someone in no club of ours is nobody's to merge, unless by the back office.
    if not by.is_superuser and not Membership.objects.filter(player=kept, club__in=homes).exists():
        raise CannotMerge
    merge_id = _move(kept, dropped, by=by, now=now)
    outbox.put(
        "players.merged",
        {"player_id": kept.pk, "guest_id": dropped.pk, "guest_name": dropped.name, "by_id": by.pk},
        dedupe_key=f"players.merged:{merge_id}",
        now=now,
    )


@transaction.atomic
def unite(*, kept: Player, dropped: Player, by: User | None = None, now: datetime) -> None:
    """Move everything of *dropped* to *kept*, by whatever right the caller has checked.

    :raises CannotMerge: they are not two players, or one of them is gone.
    :raises AlreadyMerged: it has happened.
    :raises HasAccount: the dropped one is not a guest.
    """
    _move(*hold(kept=kept, dropped=dropped), by=by, now=now)


def _move(kept: Player, dropped: Player, *, by: User | None, now: datetime) -> int:
    guest = Player.objects.filter(pk=dropped.pk, merged_into__isnull=True, user__isnull=True)
    if not guest.update(merged_into=kept):
        raise AlreadyMerged
    # No chains: whatever was merged into the dropped row follows it in one step.
    followers = Player.objects.filter(merged_into=dropped)
    moved: dict[str, Any] = {"merged": list(followers.order_by("pk").values_list("pk", flat=True))}
    followers.update(merged_into=kept)
    end_claim_links(dropped, now=now)
    slugs, moved["memberships"] = _unite_memberships(kept, dropped)
    answers: list[tuple[Any, Any]] = player_merged.send(sender=Player, kept=kept, dropped=dropped, now=now)
    for _receiver, told in answers:
        moved |= told or {}
    made = Merge.objects.create(kept=kept, dropped=dropped, by=by, at=now, moved=moved)
    clubs.hint(slugs, now=now)
    return made.pk


def end_claim_links(guest: Player, *, now: datetime) -> None:
    """Withdraw the links that would hand *guest* over."""
    Invitation.objects.filter(guest=guest, revoked_at__isnull=True, uses_left__gt=0).update(revoked_at=now)


def hold(*, kept: Player, dropped: Player) -> tuple[Player, Player]:
    """Lock both rows and what the dropped one is in, and return the two as they are now.

    :raises CannotMerge: they are not two players, or one of them is gone.
    :raises AlreadyMerged: it has happened.
    :raises HasAccount: the dropped one is not a guest.
    """
    if kept.pk == dropped.pk:
        raise CannotMerge
    rows = player_locks.hold_with_all([dropped.pk], staying=[kept.pk])
    kept, dropped = rows[kept.pk], rows[dropped.pk]
    if dropped.merged_into_id is not None or kept.merged_into_id is not None:
        raise AlreadyMerged
    if dropped.user_id is not None:
        raise HasAccount(name=dropped.public_name)
    if kept.erased_at is not None or dropped.erased_at is not None:
        raise CannotMerge
    return kept, dropped


def _unite_memberships(kept: Player, dropped: Player) -> tuple[list[str], list[dict[str, Any]]]:
    """Leave one membership a club, with the higher role and the earlier day; return the clubs' slugs, and what was."""
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
    """Remember that two members are two people; saying it again changes nothing.

    :raises NotAllowed: the account may not.
    :raises NotMember: one of them is none of the club's.
    :raises CannotMerge: they are one already.
    """
    clubs.require(by, "players.merge_players", club)
    if one.pk == other.pk:
        raise CannotMerge
    if Membership.objects.filter(club=club, player__in=(one, other)).count() != 2:
        raise NotMember
    first, second = sorted((one, other), key=lambda each: each.pk)
    TwoPeople.objects.get_or_create(one=first, other=second, defaults={"by": by, "at": now})
    clubs.hint([club.slug], now=now)
