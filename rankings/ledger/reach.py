"""The reach of a list: the matches of its club, of the clubs of its group, or of every club of this site.

`list_friendlies_policies` adds which of these lists count friendlies.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from players.hooks import ListedRatings
from players.models import Club
from rankings.models import GroupMember, PlayerRating, Policy, RatingList, Reach
from tournaments.models import Tournament

# From the nearest to the farthest.
REACHES: Final = (Reach.CLUB, Reach.GROUP, Reach.SITE)


@dataclass(frozen=True, slots=True)
class MembershipPeriods:
    """The membership periods of a group's clubs; `stays` is None if all matches within reach count."""

    lead: int
    # By club; the end is None while a period lasts.
    stays: dict[int, list[tuple[datetime, datetime | None]]] | None

    def has(self, club: int, at: datetime) -> bool:
        """True if a match that a club opened at this time is within reach."""
        if self.stays is None or club == self.lead:
            return True
        return any(since <= at and (until is None or at < until) for since, until in self.stays.get(club, ()))


def list_lists(club: Any) -> QuerySet[RatingList]:
    """Return the lists that rate, or once rated, a club's matches.

    *club* may be a subquery.
    """
    was_in = GroupMember.objects.filter(lead=OuterRef("club"), club=club, joined_at__isnull=False)
    # The default manager leaves out rehearsal clubs, whose matches are not rated.
    is_real = Club.objects.filter(pk=club)
    return RatingList.objects.filter(
        Q(club_id=club) | (Q(reach=Reach.GROUP) & Exists(was_in)) | (Q(reach=Reach.SITE) & Exists(is_real))
    )


def is_rated(event: Tournament) -> bool:
    """True if `list_lists` has any list for the event's club.

    This takes one simple query, unless a list is of a group.
    """
    lists = RatingList.objects.filter(Q(club=event.club_id) | ~Q(reach=Reach.CLUB)).order_by()
    found = set(lists.values_list("reach", "club"))
    if any(keeper == event.club_id for _, keeper in found):
        return True
    if any(how == Reach.SITE for how, _ in found) and event.club.rehearses_id is None:
        return True
    leads = {keeper for how, keeper in found if how == Reach.GROUP}
    was_in = GroupMember.objects.filter(lead__in=leads, club=event.club_id, joined_at__isnull=False)
    return bool(leads) and was_in.exists()


def list_rating_lists(clubs: Collection[int]) -> QuerySet[RatingList]:
    """Return the lists that rate matches opened now in any of these clubs."""
    groups = GroupMember.objects.filter(club__in=clubs, joined_at__isnull=False, left_at__isnull=True)
    is_real = Club.objects.filter(pk__in=clubs, rehearses__isnull=True)
    return RatingList.objects.filter(
        Q(club__in=clubs)
        | Q(reach=Reach.GROUP, club__in=groups.order_by().values("lead"))
        | (Q(reach=Reach.SITE) & Exists(is_real))
    )


def list_current_lists(club: int) -> list[RatingList]:
    """Return the lists that rate a club's matches now: its own, then those of its groups, then the site's."""

    def distance(each: RatingList) -> tuple[int, int]:
        return 0 if each.club_id == club else REACHES.index(Reach(each.reach)), each.pk

    return sorted(list_rating_lists([club]).select_related("club"), key=distance)


def list_foreign_lists(club: Club) -> list[RatingList]:
    """Return the lists of other clubs that rate this club's matches now, the nearest first."""
    return [each for each in list_current_lists(club.pk) if each.club_id != club.pk]


def format_list_name(rating_list: RatingList, club: int) -> str:
    """Return the name of a list on the pages of a club, with the club that keeps it if that is another."""
    is_own = rating_list.club_id == club
    return rating_list.name if is_own else f"{rating_list.name} ({rating_list.club.name})"


def filter_played(rating_list: RatingList, path: str = "tournament__club") -> Q:
    """Filter matches, or events, by the clubs within a list's reach; *path* leads to the club."""
    if rating_list.reach == Reach.SITE:
        return Q(**{f"{path}__rehearses__isnull": True})
    if rating_list.reach == Reach.GROUP:
        rows = GroupMember.objects.filter(lead=rating_list.club_id, joined_at__isnull=False)
        members = set(rows.order_by().values_list("club", flat=True))
        return Q(**{f"{path}__in": sorted({rating_list.club_id} | members)})
    return Q(**{path: rating_list.club_id})


def load_membership_periods(rating_list: RatingList) -> MembershipPeriods:
    if rating_list.reach != Reach.GROUP:
        return MembershipPeriods(rating_list.club_id, None)
    stays: dict[int, list[tuple[datetime, datetime | None]]] = defaultdict(list)
    rows = GroupMember.objects.filter(lead=rating_list.club_id, joined_at__isnull=False)
    for club, since, until in rows.order_by().values_list("club", "joined_at", "left_at"):
        if since is not None:
            stays[club].append((since, until))
    return MembershipPeriods(rating_list.club_id, dict(stays))


def list_members(lead: Club) -> QuerySet[GroupMember]:
    """Return the current members of a club's group, the earliest first."""
    rows = GroupMember.objects.filter(lead=lead, joined_at__isnull=False, left_at__isnull=True)
    return rows.select_related("club").order_by("joined_at", "pk")


def list_invited(lead: Club) -> QuerySet[GroupMember]:
    rows = GroupMember.objects.filter(lead=lead, joined_at__isnull=True, left_at__isnull=True)
    return rows.select_related("club").order_by("asked_at", "pk")


def list_groups(club: Club) -> QuerySet[GroupMember]:
    """Return the groups of other clubs that a club is in, or is invited to."""
    rows = GroupMember.objects.filter(club=club, left_at__isnull=True)
    return rows.select_related("lead").order_by("joined_at", "pk")


def count_group_sizes(lists: list[RatingList]) -> dict[int, int]:
    leads = {each.club_id for each in lists if each.reach == Reach.GROUP}
    rows = GroupMember.objects.filter(lead__in=leads, joined_at__isnull=False, left_at__isnull=True)
    counted = dict(rows.order_by().values("lead").annotate(clubs=Count("pk")).values_list("lead", "clubs"))
    return {lead: 1 + counted.get(lead, 0) for lead in leads}


class FriendliesPolicy(NamedTuple):
    """A list, and the policy in force if it counts friendlies."""

    list: RatingList
    policy: Policy | None


def list_friendlies_policies(clubs: Collection[int], *, now: datetime) -> tuple[FriendliesPolicy, ...]:
    """Return the lists that rate these clubs, each with the policy in force if it counts friendlies."""
    lists = list(list_rating_lists(clubs).select_related("club").order_by("club", "pk"))
    rows = Policy.objects.filter(list__in=lists, from_at__lte=now).order_by("from_at")
    # The latest policy that has begun.
    in_force = {row.list_id: row for row in rows}
    return tuple(
        FriendliesPolicy(each, row if (row := in_force.get(each.pk)) is not None and row.friendlies else None)
        for each in lists
    )


def find_largest(club: Club) -> ListedRatings | None:
    """Return the ratings of the club's list with most rated players; None if no list has any."""
    rows = RatingList.objects.filter(club=club).annotate(rated=Count("ratings")).filter(rated__gt=0)
    row = rows.order_by("-rated", "pk").first()
    if row is None:
        return None
    return ListedRatings(
        row.name, dict(PlayerRating.objects.filter(list=row).values_list("player", "rating"))
    )
