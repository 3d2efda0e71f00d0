"""The order of a list: established ratings first, then provisional ones, each by rating.

A page of a long list is read along an index that covers the order and the filters, from the nearer end; only
the rows of the page itself are read whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import datetime
from functools import cached_property
from typing import Final, NamedTuple

from django.db import connection
from django.db.models import Count, Q, QuerySet

from rankings.models import PlayerRating, Policy, RatingList
from tournaments.pages import page_cache

# Ratings that are equal to two decimals share a place.
DIGITS: Final = 2
HALF: Final = 0.005
# The columns of players and last entries that lists show: the rest of these long rows is not read.
SHOWN: Final = (
    *("list", "player", "last", "rating", "matches", "experience", "last_at"),
    *(f"player__{name}" for name in ("uid", "key", "name", "alias", "shown_as", "erased_at", "user")),
    *("last__deviation", "last__volatility"),
)
BETTER: Final = """SELECT {number}, COUNT(*) FROM rankings_playerrating
    WHERE list_id = %s AND experience {part} %s AND rating >= %s AND rating < %s"""


class Size(NamedTuple):
    """The number of players with an established and with a provisional rating."""

    ranked: int
    provisional: int

    @property
    def total(self) -> int:
        return self.ranked + self.provisional


def find_policy(rating_list: RatingList, now: datetime) -> Policy | None:
    """Return the version of a list's policy that is in force, None if there is none yet."""
    return rating_list.policies.filter(from_at__lte=now).order_by("-from_at").first()


def get_inactivity_months(rating_list: RatingList, now: datetime) -> int:
    """Return the number of months without a rated match after which a player is inactive; 0: never."""
    policy = find_policy(rating_list, now)
    return policy.inactive_after if policy else 0


def get_provisional_limit(rating_list: RatingList, now: datetime) -> int:
    """Return the experience below which a rating is provisional."""
    policy = find_policy(rating_list, now)
    return policy.provisional_under if policy else 0


@dataclass(frozen=True)
class OrderedPlayers:
    """The players of a list, or those matching *which*, in order; sliced and counted like a queryset.

    Players with less experience than *least* are provisional and rank below all others.
    """

    rating_list: RatingList
    least: int
    which: Q | None = None
    _: KW_ONLY
    now: datetime

    @cached_property
    def size(self) -> Size:
        """The number of players, counted once; for a whole list it is cached by the list's version."""
        if self.which is not None:
            return self._count_size()
        return page_cache.get_or_compute(
            *("rankings.size", self.rating_list.pk, self.least),
            mark=self.rating_list.version,
            make=self._count_size,
            now=self.now,
            size=lambda _size: 1,
        )

    def count(self) -> int:
        return self.size.total

    def __getitem__(self, some: slice) -> list[PlayerRating]:
        start, stop, _ = some.indices(self.count())
        above = self._list_slice(self._ranked_filter, self.size.ranked, start, stop)
        below = self._list_slice(
            ~self._ranked_filter, self.size.provisional, start - self.size.ranked, stop - self.size.ranked
        )
        return self._load_rows([*above, *below])

    def before(self, row: PlayerRating) -> int:
        """Return the number of players ahead of this one."""
        is_ranked = row.experience >= self.least
        ahead = Q(rating__gt=row.rating) | Q(rating=row.rating, player__lt=row.player_id)
        # The redundant condition on the rating makes the index usable.
        rows = self._query_rows().filter(ahead, self._ranked_filter if is_ranked else ~self._ranked_filter)
        return rows.filter(rating__gte=row.rating).count() + (0 if is_ranked else self.size.ranked)

    def _count_size(self) -> Size:
        found = self._query_rows().aggregate(all=Count("*"), ranked=Count("pk", filter=self._ranked_filter))
        return Size(found["ranked"], found["all"] - found["ranked"])

    @property
    def _ranked_filter(self) -> Q:
        return Q(experience__gte=self.least)

    def _query_rows(self) -> QuerySet[PlayerRating]:
        return PlayerRating.objects.filter(self.which or Q(), list=self.rating_list)

    def _list_slice(self, part: Q, size: int, start: int, stop: int) -> list[int]:
        """Return the primary keys of the players in a slice of one part, established or provisional."""
        start, stop = max(0, start), min(size, stop)
        if start >= stop:
            return []
        rows = self._query_rows().filter(part)
        if start + stop <= size:
            return list(rows.order_by("-rating", "player").values_list("player", flat=True)[start:stop])
        last = rows.order_by("rating", "-player").values_list("player", flat=True)
        return list(last[size - stop : size - start])[::-1]

    def _load_rows(self, players: Sequence[int]) -> list[PlayerRating]:
        rows = PlayerRating.objects.filter(list=self.rating_list, player__in=players)
        found = {row.player_id: row for row in rows.select_related("player", "last").only(*SHOWN)}
        for row in found.values():
            row.list = self.rating_list
        return [found[player] for player in players if player in found]


def compute_places(
    rating_list: RatingList, rows: Sequence[PlayerRating], least: int, *, first: int | None = None
) -> dict[int, int]:
    """Return the places of rows that are in the order of the list; equal displayed ratings share a place.

    If the rows are consecutive in the whole list and *first* players are ahead of them, no counting is
    needed.
    """
    if not rows:
        return {}
    if first is not None:
        return _number_rows(rows, first + 1, _compute_shared_place(rating_list, rows[0], least, first), least)
    ranked = [row for row in rows if row.experience >= least]
    found = _count_places(rating_list, ranked, least, is_ranked=True)
    if below := [row for row in rows if row.experience < least]:
        above = PlayerRating.objects.filter(list=rating_list, experience__gte=least).count()
        for pk, place in _count_places(rating_list, below, least, is_ranked=False).items():
            found[pk] = above + place
    return found


def _number_rows(rows: Iterable[PlayerRating], number: int, shared: int, least: int) -> dict[int, int]:
    found: dict[int, int] = {}
    last: tuple[bool, float] | None = None
    for at, row in enumerate(rows, number):
        figure = row.experience >= least, round(row.rating, DIGITS)
        if last is not None and figure != last:
            shared = at
        found[row.pk], last = shared, figure
    return found


def _compute_shared_place(rating_list: RatingList, row: PlayerRating, least: int, before: int) -> int:
    """Return the place of a player with *before* players ahead: it can be shared with a better one."""
    part = Q(experience__gte=least) if row.experience >= least else Q(experience__lt=least)
    level = PlayerRating.objects.filter(
        part, list=rating_list, rating__lt=_compute_upper_bound(row), rating__gte=row.rating
    )
    return before + 1 - level.exclude(rating=row.rating, player__gte=row.player_id).count()


def _compute_upper_bound(row: PlayerRating) -> float:
    """Return the upper bound of ratings that are rounded to the same figure."""
    return round(row.rating, DIGITS) + HALF


def _count_places(
    rating_list: RatingList, rows: Sequence[PlayerRating], least: int, *, is_ranked: bool
) -> dict[int, int]:
    """Return the places of any rows in one part of the list; each range between two rows is counted once."""
    tops = sorted({_compute_upper_bound(row) for row in rows}, reverse=True)
    if not tops:
        return {}
    one = BETTER.replace("{part}", ">=" if is_ranked else "<")
    parts = " UNION ALL ".join(one.format(number=number) for number in range(len(tops)))
    above = (float("inf"), *tops)
    given = [
        value
        for number, top in enumerate(tops)
        for value in (rating_list.pk, least, top, min(above[number], 1e308))
    ]
    with connection.cursor() as cursor:
        cursor.execute(parts, given)
        stretches = dict(cursor.fetchall())
    found: dict[float, int] = {}
    before = 0
    for number, top in enumerate(tops):
        before += stretches[number]
        found[top] = before + 1
    return {row.pk: found[_compute_upper_bound(row)] for row in rows}


def load_whole_list(rating_list: RatingList, least: int) -> list[PlayerRating]:
    """Load a whole list, sorted, for a file."""
    rows = PlayerRating.objects.filter(list=rating_list).select_related("player", "last")
    return sorted(rows, key=lambda row: (row.experience < least, -row.rating, row.player_id))
