"""The matches that a list rates, as they are now."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING, Any, Final

from django.db.models import F

from rankings.formulas.values import Outcome, Standing
from rankings.models import LedgerEntry, PlayedWhere
from tournaments.models import Ended, Pairing, Stand

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

    from players.models import Player
    from rankings.models import Policy, RatingList

CHUNK: Final = 2_000
MONTHS: Final = 12


@dataclass(frozen=True, slots=True)
class Rated:
    """A match that is rated: its facts, and the policy that says so."""

    match: UUID
    event: int
    at: datetime
    a: int
    b: int
    a_won: bool
    length: int
    policy: int

    @property
    def order(self) -> tuple[datetime, str]:
        """Where it stands in the ledger."""
        return self.at, self.match.hex

    @property
    def outcome(self) -> Outcome:
        """The match as the systems see it; a rating period is a month (UTC)."""
        return Outcome(
            id=self.match.hex,
            at=self.at.timestamp(),
            a=str(self.a),
            b=str(self.b),
            a_won=self.a_won,
            length=self.length,
            period=period_of(self.at),
        )


def period_of(moment: datetime) -> int:
    """Return the rating period of a moment, counted in months."""
    utc = moment.astimezone(UTC)
    return utc.year * MONTHS + utc.month


def period_start(moment: datetime) -> datetime:
    """Return when the rating period of a moment began."""
    return moment.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)


def matches(rating_list: RatingList, event: int | None = None) -> Iterator[Rated]:
    """Yield what the list rates, all of it or of one event, in the order of the ledger.

    Rated is what was played to its end: no byes, walkovers, forfeits or matches without a winner. Penalty points are
    part of a match.
    """
    policies = list(rating_list.policies.order_by("from_at"))
    moments = [policy.from_at for policy in policies]
    for row in _played(rating_list, event).iterator(chunk_size=CHUNK):
        # What is rated is said before it is played.
        version = bisect_right(moments, row["opened_at"] or row["decided_at"]) - 1
        if version >= 0 and rates(policies[version], length=row["length"], is_live=row["match"] is not None):
            yield Rated(
                match=row["uid"],
                event=row["tournament"],
                at=row["decided_at"],
                a=row["a__player"],
                b=row["b__player"],
                a_won=row["winner"] == row["a"],
                length=row["length"],
                policy=policies[version].pk,
            )


def rates(policy: Policy, *, length: int, is_live: bool) -> bool:
    """Say whether a policy rates such a match."""
    wanted = PlayedWhere.LIVE if is_live else PlayedWhere.BOARD
    return policy.shortest <= length <= policy.longest and policy.played in (PlayedWhere.ANYWHERE, wanted)


def _played(rating_list: RatingList, event: int | None) -> QuerySet[Pairing, dict[str, Any]]:
    rows = Pairing.objects.filter(
        tournament__club=rating_list.club_id,
        state=Stand.DECIDED,
        kind=Ended.PLAYED,
        is_derived=False,
        is_cancelled=False,
        winner__isnull=False,
        a__isnull=False,
        b__isnull=False,
    ).exclude(a__player=F("b__player"))
    if event is not None:
        rows = rows.filter(tournament=event)
    found: QuerySet[Pairing, dict[str, Any]] = rows.order_by("decided_at", "uid").values(
        *("uid", "tournament", "decided_at", "opened_at", "length", "match", "winner", "a"),
        *("a__player", "b__player"),
    )
    return found


def entered(rating_list: RatingList) -> QuerySet[LedgerEntry]:
    """Return the entries of the list that stand, in the order of the ledger, a's before b's."""
    standing = LedgerEntry.objects.filter(list=rating_list, voided_at__isnull=True)
    return standing.order_by("at", "match", "-is_a")


def rated(entry: LedgerEntry) -> Rated:
    """Return the match that an entry of player a rates."""
    return Rated(
        match=entry.match,
        event=entry.event_id,
        at=entry.at,
        a=entry.player_id,
        b=entry.opponent_id,
        a_won=entry.won,
        length=entry.length,
        policy=entry.policy_id,
    )


def standing(entry: LedgerEntry) -> Standing:
    """Return where an entry leaves its player."""
    return Standing(
        entry.after, entry.experience, entry.deviation, entry.volatility, period=period_of(entry.at)
    )


def own(player: Player) -> list[dict[str, object]]:
    """Return every entry of this player that stands, for the person's own export."""
    rows = LedgerEntry.objects.filter(player=player, voided_at__isnull=True).select_related("list__club")
    return [
        {
            "list": row.list.name,
            "club": row.list.club.name,
            "match_uid": str(row.match),
            "finished_at": row.at.isoformat(),
            "won": row.won,
            "length": row.length,
            "before": row.before,
            "after": row.after,
        }
        for row in rows.order_by("list", "at", "match")
    ]
