"""Clubs for pages, with the viewer's permissions."""

from __future__ import annotations

from dataclasses import dataclass, fields

from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.db.models import Count, Exists, OuterRef, QuerySet

from players.access.requests import Page, paginate
from players.models import Club, Joining, Membership, Role, User
from players.models.folded_names import build_name_filter, build_name_order

Someone = User | AnonymousUser


@dataclass(frozen=True, slots=True)
class ClubRights:
    """The viewer's permissions in one club, for templates, from `players.access.permissions`."""

    see_members: bool = False
    see_member_emails: bool = False
    add_guest: bool = False
    rename_guest: bool = False
    merge_players: bool = False
    manage_members: bool = False
    invite: bool = False
    set_roles: bool = False
    edit_club: bool = False
    direct: bool = False

    @classmethod
    def load(cls, user: Someone, club: Club) -> ClubRights:
        perms = {perm.partition(".")[2] for perm in user.get_all_permissions(club)}
        return cls(**{field.name: field.name in perms for field in fields(cls)})


def find_clubs(*, user: Someone, query: str = "", page: int = 1) -> Page[Club]:
    """Find clubs by name or town; the viewer's own, marked as `is_own`, come first."""
    rows = list_visible_clubs(query=query)
    if user.is_authenticated:
        own = Membership.objects.filter(club=OuterRef("pk"), player__user=user)
        rows = rows.annotate(is_own=Exists(own)).order_by("-is_own", "folded_name", "pk")
    return paginate(rows, page, lambda club: club)


def find_nearest_clubs(*, query: str, most: int) -> list[Club]:
    """Find the first clubs matching *query*, those whose names begin with it first."""
    rows = Club.objects.filter(build_name_filter(query)).order_by(
        build_name_order(query), "folded_name", "pk"
    )
    return list(rows[:most])


def list_visible_clubs(*, query: str = "") -> QuerySet[Club]:
    """Return the clubs matching *query*, with their number of members; all clubs are public."""
    rows = Club.objects.annotate(how_many=Count("memberships")).order_by("folded_name", "pk")
    return rows.filter(build_name_filter(query))


def load_club_page(*, user: Someone, club: Club) -> dict[str, object]:
    """Load what a club's own page shows beside the club itself; the directors are memberships."""
    leaders = (
        Membership.objects.filter(club=club, role__in=(Role.OWNER, Role.DIRECTOR))
        .select_related("player")
        .order_by("joined_at", "pk")
    )
    is_member = user.is_authenticated and Membership.objects.filter(club=club, player__user=user.pk).exists()
    return {
        "members": Membership.objects.filter(club=club).count(),
        "directors": leaders,
        "is_member": is_member,
        "may_join": club.joining == Joining.OPEN and not is_member,
        "rights": ClubRights.load(user, club),
    }


def list_directors(club: Club) -> QuerySet[User]:
    leaders = User.objects.filter(
        player__memberships__club=club, player__memberships__role__in=(Role.OWNER, Role.DIRECTOR)
    )
    return leaders.order_by("pk")


def find_home_club(user: User | None) -> str:
    """Return the club named in e-mails to an account: its only one, else the site's only one, else ""."""
    own = Club.objects.filter(memberships__player__user=user) if user else Club.objects.none()
    for found in (own, Club.objects.all()):
        names = list(found.values_list("name", flat=True)[:2])
        if len(names) == 1:
            return str(names[0])
    return ""


def compute_version_key(*, club: str = "") -> tuple[object, ...]:
    """Return the version key of pages about a club, or about all.

    Every change is published on the club's topic, which counts messages. Raw SQL, as it runs for each page of
    a visitor: compiling the query takes ten times as long as running it.
    """
    query = (
        "SELECT COUNT(*), MAX(club.id), SUM(topic.head) FROM players_club club "
        "LEFT JOIN runtime_topic topic ON topic.name = 'club.' || club.slug"
    )
    with connection.cursor() as cursor:
        cursor.execute(f"{query} WHERE club.slug = %s" if club else query, [club] if club else [])
        return tuple(cursor.fetchone())
