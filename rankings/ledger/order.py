"""Who stands where in a list: established ratings first, then provisional ones, each by the figure.

A page of a long list is read along an index that knows all that the order and the filters ask for, from whichever end is nearer; only
the rows of the page itself are read whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from django.db import connection
from django.db.models import Count, Q

from rankings.models import PlayerRating
from tournaments.pages import kept

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from rankings.models import Policy, RatingList

# Two figures that look the same are a tie.
DIGITS: Final = 2
HALF: Final = 0.005
# What of somebody and of their last match is shown where a list is: the rest of these long rows is not read.
SHOWN: Final = (
    *("list", "player", "last", "rating", "matches", "experience", "last_at"),
    *(f"player__{name}" for name in ("uid", "key", "name", "alias", "shown_as", "erased_at", "user")),
    *("last__deviation", "last__volatility"),
)
BETTER: Final = """SELECT {number}, COUNT(*) FROM rankings_playerrating
    WHERE list_id = %s AND experience {part} %s AND rating >= %s AND rating < %s"""


class Size(NamedTuple):
    """How many there are: with an established rating, and with a provisional one."""

    ranked: int
    provisional: int

    @property
    def total(self) -> int:
        """All of them."""
        return self.ranked + self.provisional


def policy_at(rating_list: RatingList, now: datetime) -> Policy | None:
    """Return the version of a list's policy that is in force."""
    return rating_list.policies.filter(from_at__lte=now).order_by("-from_at").first()


def months_at(rating_list: RatingList, now: datetime) -> int:
    """Return after how many months without a rated match somebody is inactive; 0: never."""
    policy = policy_at(rating_list, now)
    return policy.inactive_after if policy else 0


def least_at(rating_list: RatingList, now: datetime) -> int:
    """Return below how much experience a rating is provisional."""
    policy = policy_at(rating_list, now)
    return policy.provisional_under if policy else 0


@dataclass(frozen=True)
class Ordered:
    """Everybody in a list, or those of them *which* says, in their order: to be counted and cut like a queryset.

    Few matches say little: who is provisional, with less experience than the *least*, stands below everybody else, whatever the figure.
    """

    rating_list: RatingList
    least: int
    which: Q | None
    now: datetime

    @cached_property
    def size(self) -> Size:
        """How many there are, counted once; of all of a list it is kept while the list is the same."""
        if self.which is not None:
            return self._counted()
        return kept.value(
            *("rankings.size", self.rating_list.pk, self.least),
            mark=self.rating_list.version,
            make=self._counted,
            now=self.now,
            size=lambda _size: 1,
        )

    def count(self) -> int:
        """Return how many there are."""
        return self.size.total

    def __len__(self) -> int:
        return self.count()

    def __getitem__(self, some: slice) -> list[PlayerRating]:
        """Return some that follow one another, with their players and last entries."""
        start, stop, _ = some.indices(self.count())
        above = self._cut(self._ranked, self.size.ranked, start, stop)
        below = self._cut(
            ~self._ranked, self.size.provisional, start - self.size.ranked, stop - self.size.ranked
        )
        return self._whole([*above, *below])

    def before(self, row: PlayerRating) -> int:
        """Return how many stand before somebody who is among them."""
        is_ranked = row.experience >= self.least
        ahead = Q(rating__gt=row.rating) | Q(rating=row.rating, player__lt=row.player_id)
        # The rating on its own as well: an index goes by it.
        rows = self._rows().filter(ahead, self._ranked if is_ranked else ~self._ranked)
        return rows.filter(rating__gte=row.rating).count() + (0 if is_ranked else self.size.ranked)

    def _counted(self) -> Size:
        found = self._rows().aggregate(all=Count("*"), ranked=Count("pk", filter=self._ranked))
        return Size(found["ranked"], found["all"] - found["ranked"])

    @property
    def _ranked(self) -> Q:
        return Q(experience__gte=self.least)

    def _rows(self) -> QuerySet[PlayerRating]:
        return PlayerRating.objects.filter(self.which or Q(), list=self.rating_list)

    def _cut(self, part: Q, size: int, start: int, stop: int) -> list[int]:
        """Return the players from one place to another of those with an established rating, or of the others."""
        start, stop = max(0, start), min(size, stop)
        if start >= stop:
            return []
        rows = self._rows().filter(part)
        if start + stop <= size:
            return list(rows.order_by("-rating", "player").values_list("player", flat=True)[start:stop])
        last = rows.order_by("rating", "-player").values_list("player", flat=True)
        return list(last[size - stop : size - start])[::-1]

    def _whole(self, players: Sequence[int]) -> list[PlayerRating]:
        rows = PlayerRating.objects.filter(list=self.rating_list, player__in=players)
        found = {row.player_id: row for row in rows.select_related("player", "last").only(*SHOWN)}
        for row in found.values():
            row.list = self.rating_list
        return [found[player] for player in players if player in found]


def places(
    rating_list: RatingList, rows: Sequence[PlayerRating], least: int, *, first: int | None = None
) -> dict[int, int]:
    """Number rows that stand in the order of the list; who shows the same figure shares a place.

    Where they follow one another in the whole list, and so many stand before the *first*, nothing is counted.
    """
    if not rows:
        return {}
    if first is not None:
        return _numbered(rows, first + 1, _shared(rating_list, rows[0], least, first), least)
    ranked = [row for row in rows if row.experience >= least]
    found = _counted(rating_list, ranked, least, is_ranked=True)
    if below := [row for row in rows if row.experience < least]:
        above = PlayerRating.objects.filter(list=rating_list, experience__gte=least).count()
        for pk, place in _counted(rating_list, below, least, is_ranked=False).items():
            found[pk] = above + place
    return found


def _numbered(rows: Iterable[PlayerRating], number: int, shared: int, least: int) -> dict[int, int]:
    found: dict[int, int] = {}
    last: tuple[bool, float] | None = None
    for at, row in enumerate(rows, number):
        figure = row.experience >= least, round(row.rating, DIGITS)
        if last is not None and figure != last:
            shared = at
        found[row.pk], last = shared, figure
    return found


def _shared(rating_list: RatingList, row: PlayerRating, least: int, before: int) -> int:
    """Return the place of somebody of whom it is known how many stand *before* them: it may be that of a better one."""
    part = Q(experience__gte=least) if row.experience >= least else Q(experience__lt=least)
    level = PlayerRating.objects.filter(part, list=rating_list, rating__lt=_top(row), rating__gte=row.rating)
    return before + 1 - level.exclude(rating=row.rating, player__gte=row.player_id).count()


def _top(row: PlayerRating) -> float:
    """Half of the last digit more: from there on a figure is rounded up to the one above."""
    return round(row.rating, DIGITS) + HALF


def _counted(
    rating_list: RatingList, rows: Sequence[PlayerRating], least: int, *, is_ranked: bool
) -> dict[int, int]:
    """Number rows from anywhere in one part of the list: each stretch between two of them is counted once."""
    tops = sorted({_top(row) for row in rows}, reverse=True)
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
    return {row.pk: found[_top(row)] for row in rows}


def everybody(rating_list: RatingList, least: int) -> list[PlayerRating]:
    """Return all of a list at once, for a file; one sorts for them all."""
    rows = PlayerRating.objects.filter(list=rating_list).select_related("player", "last")
    return sorted(rows, key=lambda row: (row.experience < least, -row.rating, row.player_id))


def ordered(rating_list: RatingList, least: int, which: Q | None = None, *, now: datetime) -> Ordered:
    """Return everybody in a list in their order, or those of them *which* says."""
    return Ordered(rating_list, least, which, now)
