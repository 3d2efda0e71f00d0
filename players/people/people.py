"""Players for pages; following them, which the followed player cannot see; and locks for merging or erasing them.

The lock order is event, match, players (docs/adr/0006). The packages above lock the events and matches of a
player (`hooks.LOCKS`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from players import hooks
from players.access.requests import Page, paginate
from players.errors import NotAllowed
from players.models import Club, Follow, Membership, Player, User
from players.models.folded_names import build_name_filter, build_name_order
from players.names import build_initials, fold

Someone = User | AnonymousUser


@dataclass(frozen=True, slots=True)
class PersonRow:
    name: str
    key: str
    is_guest: bool
    clubs: tuple[str, ...]

    @property
    def initials(self) -> str:
        return build_initials(self.name)


@dataclass(frozen=True, slots=True)
class PersonPage:
    name: str
    key: str
    is_former: bool
    is_guest: bool
    is_hidden: bool
    is_self: bool
    memberships: list[Membership]
    # By the viewer's account.
    is_followed: bool = False

    @property
    def can_be_followed(self) -> bool:
        return not (self.is_former or self.is_hidden or self.is_self)

    @property
    def initials(self) -> str:
        return build_initials(self.name)


def find_players(*, query: str, insider_of: QuerySet[Club] | None = None, page: int = 1) -> Page[PersonRow]:
    """Find players by public name; an empty *query* finds none."""
    rows = list_visible_players(query=query, insider_of=insider_of).prefetch_related("memberships__club")
    return paginate(rows, page, _build_row)


def find_nearest_players(*, query: str, insider_of: QuerySet[Club], most: int) -> tuple[PersonRow, ...]:
    """Find the first players matching *query*, those whose names begin with it first."""
    rows = list_visible_players(query=query, insider_of=insider_of).prefetch_related("memberships__club")
    return tuple(
        _build_row(row) for row in rows.order_by(build_name_order(query), "folded_name", "pk")[:most]
    )


def list_visible_players(*, query: str, insider_of: QuerySet[Club] | None = None) -> QuerySet[Player]:
    """Return the players that a search may find.

    Players hidden from search are found only by directors of a club they share (*insider_of*).
    """
    seen = Q(hidden_from_search=False)
    if insider_of is not None:
        shared = Membership.objects.filter(club__in=insider_of).values("player")
        seen |= Q(pk__in=shared)
    return find_named_players(query).filter(seen).order_by("folded_name", "pk")


def find_named_players(query: str) -> QuerySet[Player]:
    """Return the players whose public name matches *query*, including hidden ones; none if it is empty."""
    if not fold(query):
        return Player.objects.none()
    return Player.objects.filter(build_name_filter(query), merged_into__isnull=True, erased_at__isnull=True)


def _build_row(player: Player) -> PersonRow:
    clubs = () if player.hidden_from_search else sorted(each.club.name for each in player.memberships.all())
    return PersonRow(player.public_name, player.key, player.user_id is None, tuple(clubs))


def get_player(*, key: str) -> Player:
    """Return the player with this key, or the one they were merged into.

    :raises Http404: there is none.
    """
    player = get_object_or_404(Player.objects.select_related("merged_into"), key=key)
    # A copy of a player in a rehearsal is not visible elsewhere.
    may_be_copy = player.user_id is None and player.hidden_from_search
    if may_be_copy and Membership.objects.filter(player=player, club__rehearses__isnull=False).exists():
        raise Http404
    return player.merged_into or player


def find_visible_player(*, key: str, user: Someone, insider_of: QuerySet[Club]) -> Player | None:
    """Find a player whose matches the viewer may look up; None if hidden, and the viewer is no insider.

    :raises Http404: there is no such player.
    """
    player = get_player(key=key)
    # Not user.is_authenticated: a visitor at a board has no account, and hidden guests have none either.
    if not player.hidden_from_search or (isinstance(user, User) and player.user_id == user.pk):
        return player
    is_insider = Membership.objects.filter(player=player, club__in=insider_of).exists()
    return player if is_insider else None


def load_player_page(*, user: Someone, player: Player, insider_of: QuerySet[Club]) -> PersonPage:
    """Load a player's page.

    A hidden player's clubs are visible to the player and to directors of these clubs.
    """
    is_self = user.is_authenticated and player.user_id == user.pk
    memberships = (
        Membership.objects.filter(player=player).select_related("club").order_by("club__folded_name", "pk")
    )
    if player.hidden_from_search and not is_self:
        memberships = memberships.filter(club__in=insider_of)
    return PersonPage(
        name=player.public_name,
        key=player.key,
        is_former=player.erased_at is not None,
        is_guest=player.user_id is None and player.erased_at is None,
        is_hidden=player.hidden_from_search,
        is_self=is_self,
        memberships=list(memberships),
        is_followed=user.is_authenticated and _query_follows(user.pk, player).exists(),
    )


def _query_follows(user: int | None, player: Player) -> QuerySet[Follow]:
    """Select the account's follows of the player, and of those merged into them."""
    return Follow.objects.filter(Q(player=player) | Q(player__merged_into=player), user=user)


def follow(*, user: User, player: Player, now: datetime) -> None:
    """Follow a player who is public; repeating it changes nothing.

    :raises NotAllowed: it is the account's own player, or one who is hidden from search or erased.
    """
    if player.user_id == user.pk or player.hidden_from_search or player.erased_at is not None:
        raise NotAllowed
    Follow.objects.get_or_create(user=user, player=player, defaults={"since": now})


def unfollow(*, user: User, player: Player) -> None:
    _query_follows(user.pk, player).delete()


def lock_with_references(leaving: Collection[int], *, staying: Collection[int] = ()) -> dict[int, Player]:
    """Lock the rows that refer to the leaving players, then all players; return their current rows."""
    for lock in hooks.LOCKS:
        lock(leaving)
    return lock_players([*leaving, *staying])


def lock_players(pks: Iterable[int]) -> dict[int, Player]:
    """Lock players in the order of their primary keys; return their current rows."""
    locked = Player.objects.order_by("pk").select_for_update(of=("self",), no_key=True)
    return {row.pk: row for row in locked.filter(pk__in=list(pks))}
