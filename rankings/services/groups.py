"""A group of clubs: directors of one ask, directors of the other agree, and either side ends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from players.models import Role, User
from players.services import notices
from rankings.errors import AskedAlready, BadGroup, NotKeeper, PlaceGone
from rankings.models import GroupMember

if TYPE_CHECKING:
    from datetime import datetime

    from players.models import Club


def ask(*, lead: Club, club: Club, by: User, now: datetime) -> GroupMember:
    """Ask a club to join the group that another leads; its directors are told.

    :raises NotKeeper: `by` does not direct at the club that leads.
    :raises BadGroup: a club leads its own group, and a rehearsal joins none.
    :raises AskedAlready: it is in, or was asked.
    """
    _require_director(lead, by)
    if lead == club or lead.rehearses_id is not None or club.rehearses_id is not None:
        raise BadGroup
    try:
        with transaction.atomic():
            place = GroupMember.objects.create(lead=lead, club=club, asked_at=now, asked_by=by)
            _tell_directors(place, now=now)
    except IntegrityError as problem:
        if not GroupMember.objects.filter(lead=lead, club=club, left_at__isnull=True).exists():
            raise
        raise AskedAlready from problem
    return place


def join(*, lead: Club, club: Club, by: User, now: datetime) -> None:
    """Agree, for a club that was asked: what it opens from now on is rated by the lists of the group.

    :raises NotKeeper: `by` does not direct at the club that was asked.
    :raises PlaceGone: it is not asked any more.
    """
    _require_director(club, by)
    # By compare-and-set: who agrees twice, or while the other side takes it back, changes nothing.
    waiting = GroupMember.objects.filter(lead=lead, club=club, left_at__isnull=True)
    joined = waiting.filter(joined_at__isnull=True).update(joined_at=now, joined_by=by)
    if not joined and not waiting.exists():
        raise PlaceGone


def leave(*, lead: Club, club: Club, by: User, now: datetime) -> None:
    """End a club's place in a group, or what was asked; what was opened until now stays rated.

    :raises NotKeeper: `by` directs at neither of the two clubs.
    :raises PlaceGone: it is not in the group.
    """
    if not (by.has_perm("tournaments.direct", lead) or by.has_perm("tournaments.direct", club)):
        raise NotKeeper
    place = GroupMember.objects.filter(lead=lead, club=club, left_at__isnull=True)
    if not place.update(left_at=now, left_by=by):
        raise PlaceGone


def _tell_directors(place: GroupMember, *, now: datetime) -> None:
    directors = User.objects.filter(
        player__memberships__club=place.club, player__memberships__role__in=(Role.OWNER, Role.DIRECTOR)
    )
    for each in directors.order_by("pk"):
        notices.tell(
            user=each,
            text=format_lazy(
                _("{lead} asks {club} to have its matches rated by the lists of a group."),
                lead=place.lead.name,
                club=place.club.name,
            ),
            url=f"/clubs/{place.club.slug}/rankings/group/",
            dedupe_key=f"group:{place.pk}:{each.pk}",
            now=now,
        )


def _require_director(club: Club, by: User) -> None:
    if not by.has_perm("tournaments.direct", club):
        raise NotKeeper
