"""The effect of a match on both ratings, in each list that rated it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from rankings.ledger import reach
from rankings.models import LedgerEntry
from tournaments.models import Pairing

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from players.models import Club
    from rankings.models import RatingList
    from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two players of a rated match."""

    name: str
    url: str
    won: bool
    before: float
    expectancy: float
    weight: float
    k: float
    change: float
    after: float

    @property
    def score(self) -> int:
        """1 for a win, 0 for a loss: the result that is compared with the expectancy."""
        return int(self.won)


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A rated match, with its effect on both players in one list."""

    list: RatingList
    version: int
    at: datetime
    length: int
    event: Tournament
    sides: tuple[Side, ...]


@dataclass(frozen=True, slots=True)
class CorrectionEffect:
    """A rated match, and the number of later matches in the list."""

    match: RatedMatch
    later: int


def load_club_effects(club: Club, match: UUID) -> tuple[RatedMatch, ...]:
    """Return the effect of a match in the lists of a club, the winner first."""
    return _group_by_list(_list_entries(club.pk, match))


def load_pairing_effects(event: Tournament, key: str) -> tuple[RatedMatch, ...]:
    uid = Pairing.objects.filter(tournament=event, key=key).values_list("uid", flat=True).first()
    return _group_by_list(_list_entries(event.club_id, uid)) if uid else ()


def compute_correction_effects(event: Tournament, key: str) -> tuple[CorrectionEffect, ...]:
    """Return the effect of a match in each list, and how many later matches its correction affects."""
    return tuple(
        CorrectionEffect(each, _count_later_matches(each)) for each in load_pairing_effects(event, key)
    )


def _count_later_matches(match: RatedMatch) -> int:
    # Each match has two entries, and its winner has one of them.
    rows = LedgerEntry.objects.filter(list=match.list, voided_at__isnull=True, won=True)
    return rows.filter(at__gt=match.at).count()


def load_board_effects(key: str) -> tuple[RatedMatch, ...]:
    """Return the effect of a match played on this site, if it belongs to an event."""
    found = Pairing.objects.filter(match__key=key).values_list("tournament__club", "uid").first()
    return _group_by_list(_list_entries(*found)) if found else ()


def _list_entries(club: int, match: UUID) -> QuerySet[LedgerEntry]:
    # Filtered by the lists that rate the club, so that their index is used.
    rows = LedgerEntry.objects.filter(list__in=reach.list_lists(club), match=match, voided_at__isnull=True)
    return rows.select_related("list__club", "policy", "player", "event").order_by("list", "-won")


def _group_by_list(entries: Iterable[LedgerEntry]) -> tuple[RatedMatch, ...]:
    found = []
    for rating_list, rows in groupby(entries, lambda entry: entry.list):
        both = list(rows)
        one = both[0]
        sides = tuple(_build_side(entry) for entry in both)
        found.append(RatedMatch(rating_list, one.policy.number, one.at, one.length, one.event, sides))
    return tuple(found)


def _build_side(entry: LedgerEntry) -> Side:
    return Side(
        name=entry.player.public_name,
        url=entry.player.get_absolute_url(),
        won=entry.won,
        before=entry.before,
        expectancy=entry.expectancy,
        weight=entry.weight,
        k=entry.k,
        change=entry.change,
        after=entry.after,
    )
