"""Players as others see them, and what an account sees of itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q
from django.http import Http404

from players.models import Club, Export, Follow, Membership, Notice, Player, User
from players.models.folded import holding, nearest
from players.names import fold, initials
from players.selectors.paging import Page, cut

if TYPE_CHECKING:
    from datetime import datetime

    from django.contrib.auth.models import AnonymousUser
    from django.db.models import QuerySet

    Someone = User | AnonymousUser


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A player in a search."""

    name: str
    key: str
    is_guest: bool
    clubs: tuple[str, ...]

    @property
    def initials(self) -> str:
        """The letters in the small circle."""
        return initials(self.name)


@dataclass(frozen=True, slots=True)
class PersonClub:
    """A club on a player's page."""

    name: str
    slug: str
    role_label: str
    since: datetime


@dataclass(frozen=True, slots=True)
class PersonPage:
    """A player's public page."""

    name: str
    key: str
    is_former: bool
    is_guest: bool
    is_hidden: bool
    is_self: bool
    clubs: tuple[PersonClub, ...]
    # By the account that looks at the page.
    is_followed: bool = False

    @property
    def can_be_followed(self) -> bool:
        """Say whether others may have them on their own page."""
        return not (self.is_former or self.is_hidden or self.is_self)

    @property
    def is_open_to_challenges(self) -> bool:
        """Say whether somebody else may be offered to play them."""
        return not (self.is_former or self.is_guest or self.is_hidden or self.is_self)

    @property
    def initials(self) -> str:
        """The letters in the small circle."""
        return initials(self.name)


@dataclass(frozen=True, slots=True)
class NoticeRow:
    """A notice in the list."""

    id: int
    text: str
    created_at: datetime
    is_new: bool
    leads_somewhere: bool


@dataclass(frozen=True, slots=True)
class ExportState:
    """How far a person's export is; `id` is set once it can be fetched."""

    asked_at: datetime
    ready_at: datetime | None
    id: int
    size: int

    @property
    def is_ready(self) -> bool:
        """Say whether it can be fetched."""
        return self.ready_at is not None


def find_players(*, query: str, insider_of: QuerySet[Club] | None = None, page: int = 1) -> Page[PersonRow]:
    """Return the players whose public name holds *query*; nobody without one."""
    rows = visible_players(query=query, insider_of=insider_of).prefetch_related("memberships__club")
    return cut(rows, page, _view_row)


def nearest_players(*, query: str, insider_of: QuerySet[Club], most: int) -> tuple[PersonRow, ...]:
    """Return the first so many whom *query* names, those first whose names begin with it."""
    rows = visible_players(query=query, insider_of=insider_of).prefetch_related("memberships__club")
    return tuple(_view_row(row) for row in rows.order_by(nearest(query), "folded_name", "pk")[:most])


def visible_players(*, query: str, insider_of: QuerySet[Club] | None = None) -> QuerySet[Player]:
    """Return the players that a search may name.

    Who hides from searches is found by those alone who direct a club they share (*insider_of*).
    """
    seen = Q(hidden_from_search=False)
    if insider_of is not None:
        shared = Membership.objects.filter(club__in=insider_of).values("player")
        seen |= Q(pk__in=shared)
    return named(query).filter(seen).order_by("folded_name", "pk")


def named(query: str) -> QuerySet[Player]:
    """Return the players whose public name holds *query*, whoever may know; nobody without one."""
    if not fold(query):
        return Player.objects.none()
    return Player.objects.filter(holding(query), merged_into__isnull=True, erased_at__isnull=True)


def _view_row(player: Player) -> PersonRow:
    clubs = () if player.hidden_from_search else sorted(each.club.name for each in player.memberships.all())
    return PersonRow(player.public_name, player.key, player.user_id is None, tuple(clubs))


def get_player(*, key: str) -> Player:
    """Return the player of this key, or the one they were merged into.

    :raises Http404: there is none.
    """
    player = Player.objects.select_related("merged_into").filter(key=key).first()
    if player is None or _is_rehearsed(player):
        raise Http404
    return player.merged_into or player


def _is_rehearsed(player: Player) -> bool:
    """Say whether this is the copy of somebody in a rehearsal, who is nobody elsewhere."""
    if player.user_id is not None or not player.hidden_from_search:
        return False
    return Membership.objects.filter(player=player, club__rehearses__isnull=False).exists()


def visible_player(*, key: str, user: Someone, insider_of: QuerySet[Club]) -> Player | None:
    """Return a player whose matches this person may look up: who hides shows them to themselves and to *insider_of*.

    :raises Http404: there is no such player.
    """
    player = get_player(key=key)
    if not player.hidden_from_search or (user.is_authenticated and player.user_id == user.pk):
        return player
    is_insider = Membership.objects.filter(player=player, club__in=insider_of).exists()
    return player if is_insider else None


def show_player(*, user: Someone, player: Player, insider_of: QuerySet[Club]) -> PersonPage:
    """Return a player's page; who hides shows their clubs to themselves and to those clubs' directors."""
    is_self = user.is_authenticated and player.user_id == user.pk
    memberships = Membership.objects.filter(player=player).select_related("club").order_by("club__name")
    if player.hidden_from_search and not is_self:
        memberships = memberships.filter(club__in=insider_of)
    return PersonPage(
        name=player.public_name,
        key=player.key,
        is_former=player.erased_at is not None,
        is_guest=player.user_id is None and player.erased_at is None,
        is_hidden=player.hidden_from_search,
        is_self=is_self,
        clubs=tuple(
            PersonClub(each.club.name, each.club.slug, each.get_role_display(), each.joined_at)
            for each in memberships
        ),
        is_followed=user.is_authenticated and _follows(user, player),
    )


def _follows(user: Someone, player: Player) -> bool:
    """Say whether an account follows a player, or who was merged into them."""
    same = Q(player=player) | Q(player__merged_into=player)
    return Follow.objects.filter(same, user=user.pk).exists()


def list_notices(*, user: User, page: int = 1) -> Page[NoticeRow]:
    """Return an account's notices, the newest first."""
    return cut(
        Notice.objects.filter(user=user),
        page,
        lambda each: NoticeRow(each.pk, each.text, each.created_at, each.read_at is None, bool(each.url)),
    )


def find_notice(*, user: User, notice_id: int) -> Notice | None:
    """Return one of the account's own notices."""
    return Notice.objects.filter(user=user, pk=notice_id).first()


def find_export(*, user: User) -> ExportState | None:
    """Return the account's newest export."""
    found = Export.objects.filter(user=user).order_by("-asked_at", "-pk").first()
    if found is None:
        return None
    return ExportState(found.asked_at, found.ready_at, found.pk, len(found.content))


def get_export(*, user: User, export_id: int) -> Export:
    """Return one of the account's own exports that is ready.

    :raises Http404: there is none.
    """
    found = Export.objects.filter(user=user, pk=export_id, ready_at__isnull=False).first()
    if found is None:
        raise Http404
    return found
