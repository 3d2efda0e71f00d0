"""The effect of a match on both ratings, in each list that rated it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from rankings.ledger import reach
from rankings.models import LedgerEntry
from tournaments.models import Pairing

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

    from django.db.models import QuerySet

    from players.models import Club
    from tournaments.models import Tournament

    # The entries of both players in one list, the winner's first.
    RatedMatch = tuple[LedgerEntry, ...]


def load_club_effects(club: Club, match: UUID) -> tuple[RatedMatch, ...]:
    """Return the effect of a match in the lists of a club, the winner first."""
    return _group_by_list(_list_entries(club.pk, match))


def load_pairing_effects(event: Tournament, key: str) -> tuple[RatedMatch, ...]:
    uid = Pairing.objects.filter(tournament=event, key=key).values_list("uid", flat=True).first()
    return _group_by_list(_list_entries(event.club_id, uid)) if uid else ()


def compute_correction_effects(event: Tournament, key: str) -> list[tuple[RatedMatch, int]]:
    """Return the effect of a match in each list, and how many later matches its correction affects."""
    return [(both, _count_later_matches(both[0])) for both in load_pairing_effects(event, key)]


def _count_later_matches(entry: LedgerEntry) -> int:
    # Each match has two entries, and its winner has one of them.
    rows = LedgerEntry.objects.filter(list=entry.list, voided_at__isnull=True, won=True)
    return rows.filter(at__gt=entry.at).count()


def load_board_effects(key: str) -> tuple[RatedMatch, ...]:
    """Return the effect of a match played on this site, if it belongs to an event."""
    found = Pairing.objects.filter(match__key=key).values_list("tournament__club", "uid").first()
    return _group_by_list(_list_entries(*found)) if found else ()


def _list_entries(club: int, match: UUID) -> QuerySet[LedgerEntry]:
    # Filtered by the lists that rate the club, so that their index is used.
    rows = LedgerEntry.objects.filter(list__in=reach.list_lists(club), match=match, voided_at__isnull=True)
    return rows.select_related("list__club", "player", "event").order_by("list", "-won")


def _group_by_list(entries: Iterable[LedgerEntry]) -> tuple[RatedMatch, ...]:
    return tuple(tuple(both) for _, both in groupby(entries, lambda entry: entry.list_id))
