"""Access to the streams of matches: the rules of `match_access`, for many readers at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from matches.journal import live
from matches.models import Match, Mute
from matches.play import match_access
from players.access import listeners
from players.access.permissions import DIRECTORS
from players.models import Membership, User
from runtime.stream.rights import ReadRequest

FAMILIES = (
    live.FAMILY,
    match_access.PRESENCE,
    match_access.SEAT,
    match_access.GALLERY,
    match_access.CHAT,
)


def allow_readable_topics(wishes: Sequence[ReadRequest]) -> Iterator[ReadRequest]:
    rows = Match.objects.select_related("white", "black", "club")
    by_key = {row.key: row for row in rows.filter(key__in={wish.key for wish in wishes})}
    directing = _load_director_pairs(by_key.values(), [wish.person for wish in wishes])
    for wish in wishes:
        row = by_key.get(wish.key)
        if row is not None and _is_readable(row, wish, directing):
            yield wish


def _is_readable(row: Match, wish: ReadRequest, directing: Collection[tuple[int, int | None]]) -> bool:
    user = wish.person

    def directs() -> bool:
        return user.is_superuser or (row.club_id, user.pk) in directing

    seen = match_access.build_view(row, user, directs=directs)
    return seen is not None and wish.topic in seen.readable


def _load_director_pairs(rows: Iterable[Match], people: Iterable[object]) -> set[tuple[int, int | None]]:
    """Return the pairs of club and user with the right to direct."""
    clubs = {row.club_id for row in rows if row.club_id}
    users = {each.pk for each in people if isinstance(each, User)}
    if not (clubs and users):
        return set()
    found = Membership.objects.filter(club__in=clubs, player__user__in=users, role__in=DIRECTORS)
    return {*found.values_list("club", "player__user")}


def load_mutes(names: Collection[str]) -> dict[str, frozenset[str]]:
    users = [int(name.partition(".")[2]) for name in names]
    found: dict[str, set[str]] = {}
    rows = Mute.objects.filter(player__user__in=users).values_list("player__user", "muted__key")
    for user_id, key in rows if users else ():
        if user_id is not None:
            found.setdefault(listeners.build_user_name(user_id), set()).add(key)
    return {name: frozenset(keys) for name, keys in found.items()}
