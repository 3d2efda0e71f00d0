"""Whose matches a list rates: those of its club, of the clubs of its group, or of every club of this site.

And which of the lists that rate a club take friendlies.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q

from players.hooks import ListedRatings
from players.models import Club
from rankings.models import GroupMember, PlayerRating, Policy, RatingList, Reach

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from django.db.models import QuerySet


# From the nearest to the farthest.
REACHES: Final = (Reach.CLUB, Reach.GROUP, Reach.SITE)


class Stay(NamedTuple):
    """How long a club was in a group."""

    since: datetime
    until: datetime | None


@dataclass(frozen=True, slots=True)
class Windows:
    """When the clubs of a group were in it; without one, every match of the list's reach counts."""

    lead: int
    stays: dict[int, list[Stay]] | None

    def has(self, club: int, at: datetime) -> bool:
        """Say whether a match of a club that was opened then is within reach."""
        if self.stays is None or club == self.lead:
            return True
        return any(
            stay.since <= at and (stay.until is None or at < stay.until) for stay in self.stays.get(club, ())
        )


def lists_of(club: Any) -> QuerySet[RatingList]:
    """Return the lists that rate, or once rated, what a club plays; *club* may be a gap of a prepared query."""
    was_in = GroupMember.objects.filter(lead=OuterRef("club"), club=club, joined_at__isnull=False)
    # A club that stands in for another while an event is rehearsed plays for nothing.
    is_real = Club.objects.filter(pk=club)
    return RatingList.objects.filter(
        Q(club_id=club) | (Q(reach=Reach.GROUP) & Exists(was_in)) | (Q(reach=Reach.SITE) & Exists(is_real))
    )


def rating(clubs: Collection[int]) -> QuerySet[RatingList]:
    """Return the lists that rate what is opened now in any of these clubs."""
    groups = GroupMember.objects.filter(club__in=clubs, joined_at__isnull=False, left_at__isnull=True)
    is_real = Club.objects.filter(pk__in=clubs, rehearses__isnull=True)
    return RatingList.objects.filter(
        Q(club__in=clubs)
        | Q(reach=Reach.GROUP, club__in=groups.order_by().values("lead"))
        | (Q(reach=Reach.SITE) & Exists(is_real))
    )


def nearest(club: int) -> list[RatingList]:
    """Return the lists that rate what a club plays now: its own first, then those of its groups, then those of the site."""

    def distance(each: RatingList) -> tuple[int, int]:
        return 0 if each.club_id == club else REACHES.index(Reach(each.reach)), each.pk

    return sorted(rating([club]).select_related("club"), key=distance)


def beyond(club: Club) -> list[RatingList]:
    """Return the lists of other clubs that rate what a club plays now, the nearest first."""
    return [each for each in nearest(club.pk) if each.club_id != club.pk]


def called(rating_list: RatingList, club: int) -> str:
    """Return what a list is called on the pages of a club."""
    return named(rating_list.name, rating_list.club.name, is_own=rating_list.club_id == club)


def named(name: str, keeper: str, *, is_own: bool) -> str:
    """Return the name of a list, with the club that keeps it where that is another.

    >>> named("Open", "North", is_own=True), named("Open", "North", is_own=False)
    ('Open', 'Open (North)')
    """
    return name if is_own else f"{name} ({keeper})"


def played(rating_list: RatingList, path: str = "tournament__club") -> Q:
    """Return which matches, or events, are of the clubs within a list's reach; *path* leads to the club."""
    if rating_list.reach == Reach.SITE:
        return Q(**{f"{path}__rehearses__isnull": True})
    if rating_list.reach == Reach.GROUP:
        rows = GroupMember.objects.filter(lead=rating_list.club_id, joined_at__isnull=False)
        members = set(rows.order_by().values_list("club", flat=True))
        return Q(**{f"{path}__in": sorted({rating_list.club_id} | members)})
    return Q(**{path: rating_list.club_id})


def windows(rating_list: RatingList) -> Windows:
    """Return when the clubs of a list's group were in it."""
    if rating_list.reach != Reach.GROUP:
        return Windows(rating_list.club_id, None)
    stays: dict[int, list[Stay]] = defaultdict(list)
    rows = GroupMember.objects.filter(lead=rating_list.club_id, joined_at__isnull=False)
    for club, since, until in rows.order_by().values_list("club", "joined_at", "left_at"):
        if since is not None:
            stays[club].append(Stay(since, until))
    return Windows(rating_list.club_id, dict(stays))


def members(lead: Club) -> QuerySet[GroupMember]:
    """Return the clubs that are in the group of a club now, the first to join first."""
    rows = GroupMember.objects.filter(lead=lead, joined_at__isnull=False, left_at__isnull=True)
    return rows.select_related("club").order_by("joined_at", "pk")


def asked(lead: Club) -> QuerySet[GroupMember]:
    """Return the clubs that were asked to join and have not answered."""
    rows = GroupMember.objects.filter(lead=lead, joined_at__isnull=True, left_at__isnull=True)
    return rows.select_related("club").order_by("asked_at", "pk")


def groups_of(club: Club) -> QuerySet[GroupMember]:
    """Return the groups of others that a club is in, or is asked to join."""
    rows = GroupMember.objects.filter(club=club, left_at__isnull=True)
    return rows.select_related("lead").order_by("joined_at", "pk")


def sizes(lists: list[RatingList]) -> dict[int, int]:
    """Return of how many clubs the lists of groups rate matches, by the club that leads."""
    leads = {each.club_id for each in lists if each.reach == Reach.GROUP}
    rows = GroupMember.objects.filter(lead__in=leads, joined_at__isnull=False, left_at__isnull=True)
    counted = dict(rows.order_by().values("lead").annotate(clubs=Count("pk")).values_list("lead", "clubs"))
    return {lead: 1 + counted.get(lead, 0) for lead in leads}


class Counting(NamedTuple):
    """A list, and the version of its policy that is in force where it takes friendlies."""

    list: RatingList
    policy: Policy | None


def list_counting(clubs: Collection[int], *, now: datetime) -> tuple[Counting, ...]:
    """Return the lists that rate these clubs, each with the policy by which friendlies count; None where they do not."""
    lists = list(rating(clubs).select_related("club").order_by("club", "pk"))
    rows = Policy.objects.filter(list__in=lists, from_at__lte=now).order_by("from_at")
    # The last one that has begun.
    in_force = {row.list_id: row for row in rows}
    return tuple(
        Counting(each, row if (row := in_force.get(each.pk)) is not None and row.friendlies else None)
        for each in lists
    )


def find_largest(club: Club) -> ListedRatings | None:
    """Return the list of a club that rates most players; None where no list of the club rates anybody."""
    rows = RatingList.objects.filter(club=club).annotate(rated=Count("ratings")).filter(rated__gt=0)
    row = rows.order_by("-rated", "pk").first()
    if row is None:
        return None
    return ListedRatings(
        row.name, dict(PlayerRating.objects.filter(list=row).values_list("player", "rating"))
    )
