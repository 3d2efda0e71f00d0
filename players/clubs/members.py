"""The members of a club, its invitations, and its merges."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Case, F, IntegerField, Q, QuerySet, Value, When
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy as _

from players.access.requests import Page, paginate
from players.clubs.club_pages import ClubRights
from players.models import Club, Invitation, Membership, Merge, Player, Role, User
from players.models.folded_names import build_name_filter
from players.names import build_initials

MOST_MERGES: Final = 50
ROLE_ACTS = {
    Role.OWNER: _("Make an owner"),
    Role.DIRECTOR: _("Make a director"),
    Role.MEMBER: _("Take the role away"),
}

# The filters of the list.
KINDS = {"directors": Q(role__in=(Role.OWNER, Role.DIRECTOR)), "guests": Q(player__user__isnull=True)}


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A member in the list; `email` and `real_name` are "" if the viewer may not read them."""

    name: str
    key: str
    real_name: str
    email: str
    role: str
    role_label: str
    is_guest: bool
    is_self: bool
    joined_at: datetime
    # The roles that the viewer may give this member, with the labels of their buttons.
    roles: tuple[tuple[str, str], ...]
    may_remove: bool
    may_hand_over: bool
    may_merge: bool
    may_rename: bool

    @property
    def initials(self) -> str:
        return build_initials(self.name)

    @property
    def has_menu(self) -> bool:
        return bool(self.roles) or self.may_remove or self.may_hand_over or self.may_merge


def list_members(
    *, user: User, club: Club, query: str = "", kind: str = "", page: int = 1
) -> Page[MemberRow]:
    """Return the members of *club*: owners and directors first, then by name; optionally filtered by *kind*."""
    rights = ClubRights.load(user, club)
    rows = list_visible_members(club=club, query=query, sees_names=rights.see_member_emails)
    if kind in KINDS:
        rows = rows.filter(KINDS[kind])
    return paginate(rows, page, lambda each: build_member_row(each, user=user, rights=rights))


def get_membership(*, club: Club, key: str) -> Membership:
    """Return the membership of the player with this key.

    :raises Http404: there is none.
    """
    return get_object_or_404(Membership.objects.select_related("player__user"), club=club, player__key=key)


def list_visible_members(*, club: Club, query: str = "", sees_names: bool = False) -> QuerySet[Membership]:
    """Return the memberships of *club*; *query* matches only the names that the viewer may read."""
    rank = Case(
        When(role=Role.OWNER, then=Value(0)),
        When(role=Role.DIRECTOR, then=Value(1)),
        default=Value(2),
        output_field=IntegerField(),
    )
    rows = Membership.objects.filter(club=club).select_related("player__user")
    if query := query.strip():
        rows = rows.filter(_build_name_filter(query, sees_names=sees_names))
    return rows.annotate(rank=rank).order_by("rank", "player__folded_name", "pk")


def _build_name_filter(query: str, *, sees_names: bool) -> Q:
    """Match the public name, and with *sees_names* also the real name and the address."""
    found = build_name_filter(query, "player__")
    if sees_names:
        found |= Q(player__name__icontains=query) | Q(player__user__email__icontains=query)
    return found


def build_member_row(each: Membership, *, user: User, rights: ClubRights) -> MemberRow:
    player = each.player
    is_guest = player.user is None
    is_plain = each.role == Role.MEMBER
    is_self = player.user_id == user.pk
    roles: tuple[tuple[str, str], ...] = ()
    if rights.set_roles and not is_guest:
        roles = tuple((role.value, str(act)) for role, act in ROLE_ACTS.items() if role != each.role)
    details = rights.see_member_emails
    return MemberRow(
        name=player.public_name,
        key=player.key,
        real_name=player.name if details and player.name != player.public_name else "",
        email=player.user.email if details and player.user else "",
        role=each.role,
        role_label=each.get_role_display(),
        is_guest=is_guest,
        is_self=is_self,
        joined_at=each.joined_at,
        roles=roles,
        may_remove=not is_self and (rights.manage_members if is_plain else rights.set_roles),
        may_hand_over=is_guest and rights.invite,
        may_merge=is_guest and rights.merge_players,
        may_rename=is_guest and rights.rename_guest,
    )


def list_invitations(*, club: Club, now: datetime) -> list[tuple[Invitation, str]]:
    """Return the club's latest invitations, the newest first, each with its state."""
    rows = Invitation.objects.filter(club=club).select_related("guest", "created_by__player")
    return [(each, _get_invitation_state(each, now)) for each in rows.order_by("-created_at", "-pk")[:200]]


def _get_invitation_state(each: Invitation, now: datetime) -> str:
    if each.revoked_at is not None:
        return "revoked"
    if each.uses_left == 0:
        return "spent"
    return "expired" if each.expires_at <= now else "open"


def list_guests(club: Club) -> QuerySet[Player]:
    return Player.objects.filter(memberships__club=club, user__isnull=True).order_by("folded_name", "pk")


def list_players(club: Club) -> QuerySet[Player]:
    members = Player.objects.filter(memberships__club=club).select_related("user")
    return members.order_by("folded_name", "pk")


def list_merges(*, club: Club) -> QuerySet[Merge]:
    """List the club's merges that can be undone, the latest first: the kept player was not merged since."""
    rows = Merge.objects.filter(
        undone_at__isnull=True, kept__memberships__club=club, dropped__merged_into=F("kept")
    )
    return rows.select_related("kept", "dropped", "by__player")[:MOST_MERGES]
