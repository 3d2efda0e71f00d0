"""Whose matches a list rates: those of its club, of the clubs of its group, or of every club of this site."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q

from players.models import Club
from rankings.models import GroupMember, RatingList, Reach

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet


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


def beyond(club: Club) -> list[RatingList]:
    """Return the lists of other clubs that rate what a club plays now."""
    groups = GroupMember.objects.filter(club=club, joined_at__isnull=False, left_at__isnull=True)
    leads = list(groups.values_list("lead", flat=True))
    of_all = Q(reach=Reach.SITE) if club.rehearses_id is None else Q(pk__in=())
    rows = RatingList.objects.filter(of_all | Q(reach=Reach.GROUP, club__in=leads)).exclude(club=club)
    return list(rows.select_related("club").order_by("-reach", "pk"))


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
