"""Groups of clubs: one club invites, the other joins, and either can end it."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from players.clubs.club_pages import list_directors
from players.models import Club, User
from players.notices import notices
from players.notices.kinds import NoticeKind, Reader
from rankings.chances import title_chances
from rankings.errors import AskedAlready, BadGroup, GroupChanged, NotInGroup, NotKeeper, require_keeper
from rankings.models import GroupMember

GROUP_ASKED: Final = NoticeKind(
    name="group_asked",
    reader=Reader.DIRECTOR,
    when=_("Another club invites yours to join its group of rating lists."),
    text=_("{lead} invites {club} to a group whose lists rate the matches of all its clubs."),
)


def invite_club(*, lead: Club, club: Club, by: User, now: datetime) -> GroupMember:
    """Invite a club to the group that another leads and notify its directors.

    :raises NotKeeper: `by` is not a director of the leading club.
    :raises BadGroup: the two clubs are the same, or one of them is a rehearsal.
    :raises AskedAlready: the club is a member, or was invited already.
    """
    require_keeper(lead, by)
    if lead == club or lead.rehearses_id is not None or club.rehearses_id is not None:
        raise BadGroup
    try:
        with transaction.atomic():
            member = GroupMember.objects.create(lead=lead, club=club, asked_at=now, asked_by=by)
            _notify_directors(member, now=now)
    except IntegrityError as problem:
        if not GroupMember.objects.filter(lead=lead, club=club, left_at__isnull=True).exists():
            raise
        raise AskedAlready from problem
    return member


def join_group(*, lead: Club, club: Club, by: User, now: datetime) -> None:
    """Accept an invitation: the lists of the group rate the matches that the club opens from now on.

    :raises NotKeeper: `by` is not a director of the invited club.
    :raises NotInGroup: there is no invitation, or it was withdrawn.
    """
    require_keeper(club, by)
    # Compare-and-set: joining twice, or after the invitation was withdrawn, changes nothing.
    waiting = GroupMember.objects.filter(lead=lead, club=club, left_at__isnull=True)
    with transaction.atomic():
        joined = waiting.filter(joined_at__isnull=True).update(joined_at=now, joined_by=by)
        if joined:
            title_chances.request_for_club(club=club, now=now)
    if not joined and not waiting.exists():
        raise NotInGroup


def leave_group(*, lead: Club, club: Club, by: User, now: datetime, joined: bool | None = None) -> None:
    """End a membership, or decline or withdraw an invitation; matches opened until now stay rated.

    A page says what it showed: a club that has *joined*, or an invitation.

    :raises NotKeeper: `by` is a director of neither club.
    :raises NotInGroup: the club is neither a member nor invited.
    :raises GroupChanged: it is not as the page showed.
    """
    if not (by.has_perm("tournaments.direct", lead) or by.has_perm("tournaments.direct", club)):
        raise NotKeeper
    rows = GroupMember.objects.filter(lead=lead, club=club, left_at__isnull=True)
    shown = rows if joined is None else rows.filter(joined_at__isnull=not joined)
    with transaction.atomic():
        if not shown.update(left_at=now, left_by=by):
            raise GroupChanged if rows.exists() else NotInGroup
        title_chances.request_for_club(club=club, now=now)


def _notify_directors(member: GroupMember, *, now: datetime) -> None:
    for each in list_directors(member.club):
        notices.send(
            GROUP_ASKED,
            user=each,
            values={"lead": member.lead.name, "club": member.club.name},
            url=reverse("rankings:group", args=[member.club.slug]),
            dedupe_key=f"group:{member.pk}:{each.pk}",
            now=now,
        )
