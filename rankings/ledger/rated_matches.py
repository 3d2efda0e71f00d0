"""The matches that a list rates, by current data."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeAlias
from uuid import UUID

from django.db.models import F, Min, Q, QuerySet

from players.models import Player
from rankings.formulas.values import Outcome, Standing, System
from rankings.ledger import reach
from rankings.models import LedgerEntry, PlayerRating, PlayMedium, Policy, RatingList, Rebuild, RulesOfPlay
from tournaments.base import substitutes
from tournaments.models import Pairing, PairingState, ResultKind
from tournaments.status import Status

CHUNK: Final = 2_000
# The number of matches rated in one transaction during a rebuild.
PORTION: Final = 1_000
LONG: Final = 20_000
MONTHS: Final = 12
# Rules that make a match unusual; clocks and display settings do not.
UNUSUAL: Final = frozenset({"cube", "crawford", "gammons", "backgammons", "jacoby", "best_of"})
LONGEST_MONTH: Final = timedelta(days=31)
# A position in a ledger: finish time and uid (hex); without the uid, before all matches of that time.
Order: TypeAlias = tuple[datetime, str]
# Its columns in pairings.
PLACE: Final = ("decided_at", "uid")


@dataclass(frozen=True, slots=True)
class RateableMatch:
    match: UUID
    event: int
    at: datetime
    a: int
    b: int
    a_won: bool
    length: int
    policy: int

    @property
    def winner(self) -> int:
        return self.a if self.a_won else self.b

    @property
    def order(self) -> Order:
        """The position in the ledger."""
        return self.at, self.match.hex

    @property
    def outcome(self) -> Outcome:
        """The match as input for the systems; a rating period is a month (UTC)."""
        return Outcome(
            id=self.match.hex,
            at=self.at.timestamp(),
            a=str(self.a),
            b=str(self.b),
            a_won=self.a_won,
            length=self.length,
            period=compute_period(self.at),
        )


def compute_period(moment: datetime) -> int:
    """Return the rating period of a time: a running number of months (UTC)."""
    utc = moment.astimezone(UTC)
    return utc.year * MONTHS + utc.month


def get_period_start(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)


def get_period_end(moment: datetime) -> datetime:
    """Return the start of the next rating period."""
    return get_period_start(get_period_start(moment) + LONGEST_MONTH)


@dataclass(frozen=True, slots=True)
class Portion:
    """The rated matches of a range of the ledger, the number of matches read, and the end of the range."""

    matches: list[RateableMatch]
    looked_at: int
    until: Order | None


def list_matches(rating_list: RatingList, event: int | None = None) -> Iterator[RateableMatch]:
    """Yield the matches that the list rates, all or those of one event, in the order of the ledger.

    Only matches played to the end are rated: no byes, walkovers, forfeits or matches without a winner.
    Penalty points are part of a match.
    """
    rows = _query_played(rating_list)
    if event is not None:
        rows = rows.filter(tournament=event)
    yield from _list_rated(rating_list, rows.iterator(chunk_size=CHUNK), event)


def load_portion(rating_list: RatingList, since: Order | None, *, by_period: bool, of: int) -> Portion:
    """Return the next portion of the ledger: some matches, or a whole period.

    *of* is the number of matches that the whole rebuild reads.
    """
    if of <= LONG and not by_period:
        found = list(_query_played(rating_list, since)[: PORTION + 1])
        until = _get_order(found[PORTION]) if len(found) > PORTION else None
        return _build_portion(rating_list, found[:PORTION], until)
    began = since or _find_start(rating_list)
    if began is None:
        return Portion([], 0, None)
    until = _find_next_place(began, by_period=by_period)
    rows = _query_played(rating_list, began).filter(filter_before(until, *PLACE))
    return _build_portion(rating_list, rows, until)


def _find_start(rating_list: RatingList) -> Order | None:
    at = _query_played(rating_list).order_by().aggregate(first=Min("decided_at"))["first"]
    return None if at is None else (at, "")


def _build_portion(rating_list: RatingList, rows: Iterable[dict[str, Any]], until: Order | None) -> Portion:
    found = list(rows)
    return Portion(list(_list_rated(rating_list, found)), len(found), until)


def _find_next_place(since: Order, *, by_period: bool) -> Order | None:
    """Return the end of the next range of a long list: after some matches of the site, or at a period's end.

    This query uses an index only. With both ends known the range is also read by index; otherwise the
    database would sort the rest of a long list each time.
    """
    ahead = Pairing.objects.filter(filter_from(since, *PLACE), decided_at__isnull=False)
    places: QuerySet[Pairing, Any] = ahead.order_by(*PLACE).values(*PLACE)
    if not by_period:
        after = places[PORTION : PORTION + 1].first()
        return None if after is None else _get_order(after)
    first = places.first()
    if first is None:
        return None
    end = get_period_end(first["decided_at"])
    return (end, "") if ahead.filter(decided_at__gte=end).exists() else None


def count_matches(rating_list: RatingList, since: Order | None) -> int:
    """Return the number of matches a rebuild reads."""
    return _query_played(rating_list, since).order_by().count()


def _list_rated(
    rating_list: RatingList, rows: Iterable[dict[str, Any]], event: int | None = None
) -> Iterator[RateableMatch]:
    policies = list(rating_list.policies.order_by("from_at"))
    moments = [policy.from_at for policy in policies]
    windows = reach.load_membership_periods(rating_list)
    of_event = Q() if event is None else Q(tournament=event)
    replaced = substitutes.load_replacements(reach.filter_played(rating_list) & of_event)
    for row in rows:
        # The policy in force when the match was opened applies.
        opened_at = row["opened_at"] or row["decided_at"]
        version = bisect_right(moments, opened_at) - 1
        if version < 0 or not windows.has(row["tournament__club"], opened_at):
            continue
        if is_rated(
            policies[version],
            length=row["length"],
            is_live=row["match"] is not None,
            is_friendly=row["tournament__is_friendly"],
            is_usual=has_usual_rules(row["rules"]),
        ):
            yield RateableMatch(
                match=row["uid"],
                event=row["tournament"],
                at=row["decided_at"],
                a=substitutes.find_player(replaced, row["a"], row["a__player"], row["decided_at"]),
                b=substitutes.find_player(replaced, row["b"], row["b__player"], row["decided_at"]),
                a_won=row["winner"] == row["a"],
                length=row["length"],
                policy=policies[version].pk,
            )


def has_usual_rules(rules: Mapping[str, Any]) -> bool:
    """True for a match for points, with cube, Crawford, gammons and backgammons, and without Jacoby.

    >>> has_usual_rules({"reporting": "score", "play": {"clock": "long"}}), has_usual_rules({"play": {"cube": False}})
    (True, False)
    """
    # A match's rules only contain differences from the default.
    return UNUSUAL.isdisjoint(rules.get("play", {}))


def is_rated(policy: Policy, *, length: int, is_live: bool, is_friendly: bool, is_usual: bool = True) -> bool:
    if (is_friendly and not policy.friendlies) or (policy.rules == RulesOfPlay.USUAL and not is_usual):
        return False
    wanted = PlayMedium.LIVE if is_live else PlayMedium.BOARD
    return policy.shortest <= length <= policy.longest and policy.played in (PlayMedium.ANYWHERE, wanted)


def _get_order(row: dict[str, Any]) -> Order:
    return row["decided_at"], row["uid"].hex


def _query_played(rating_list: RatingList, since: Order | None = None) -> QuerySet[Pairing, dict[str, Any]]:
    rows = (
        Pairing.objects.filter(
            reach.filter_played(rating_list),
            state=PairingState.DECIDED,
            kind=ResultKind.PLAYED,
            decided_at__isnull=False,
            is_derived=False,
            is_cancelled=False,
            winner__isnull=False,
            a__isnull=False,
            b__isnull=False,
        )
        # If a director approves the final order, nothing is rated before that.
        .filter(Q(tournament__needs_approval=False) | Q(tournament__status=Status.FINISHED))
        .exclude(a__player=F("b__player"))
    )
    rows = rows.filter(filter_from(since, *PLACE))
    found: QuerySet[Pairing, dict[str, Any]] = rows.order_by(*PLACE).values(
        *("uid", "tournament", "decided_at", "opened_at", "length", "match", "winner", "a", "b"),
        *("a__player", "b__player", "tournament__club", "tournament__is_friendly", "rules"),
    )
    return found


def filter_from(place: Order | None, at: str = "at", match: str = "match") -> Q:
    """Filter entries, or by other columns pairings, from a position in the ledger on; None: the beginning."""
    if place is None:
        return Q()
    moment, uid = place
    later = Q(**{f"{at}__gt": moment}) | Q(**{at: moment, f"{match}__gte": UUID(uid)}) if uid else Q()
    # The redundant condition on the time makes the index usable.
    return later & Q(**{f"{at}__gte": moment})


def filter_before(place: Order | None, at: str = "at", match: str = "match") -> Q:
    """Filter entries, or by other columns pairings, before a position in the ledger; None: the end."""
    if place is None:
        return Q()
    moment, uid = place
    earlier = Q(**{f"{at}__lt": moment})
    if not uid:
        return earlier
    return (earlier | Q(**{at: moment, f"{match}__lt": UUID(uid)})) & Q(**{f"{at}__lte": moment})


def list_entries(rating_list: RatingList) -> QuerySet[LedgerEntry]:
    """Return the entries of a list that are not voided, in the order of the ledger, a's before b's."""
    standing = LedgerEntry.objects.filter(list=rating_list, voided_at__isnull=True)
    return standing.order_by("at", "match", "-is_a")


def find_rebuild_start(rating_list: RatingList) -> datetime | None:
    """Return since when the list is being rebuilt; None if it is not."""
    return Rebuild.objects.filter(list=rating_list).values_list("asked_at", flat=True).first()


def list_shown_entries(rating_list: RatingList, before: datetime | None) -> QuerySet[LedgerEntry]:
    """Return the entries from which the displayed ratings come, in the same order.

    They are the current ones, or those from *before* the rebuild began.
    """
    if before is None:
        return list_entries(rating_list)
    stood = Q(voided_at__isnull=True) | Q(voided_at__gt=before)
    rows = LedgerEntry.objects.filter(stood, list=rating_list, written_at__lte=before)
    return rows.order_by("at", "match", "-is_a")


def read_standing(entry: LedgerEntry) -> Standing:
    return Standing(
        entry.after, entry.experience, entry.deviation, entry.volatility, period=compute_period(entry.at)
    )


def compute_shown_standing(how: System, row: PlayerRating, now: datetime) -> Standing:
    """Return the standing that lists show: as of the end of the current rating period."""
    last = row.last
    standing = Standing(
        row.rating, row.experience, last.deviation, last.volatility, period=compute_period(row.last_at)
    )
    return how.at(standing, compute_period(now))


def export_entries(player: Player) -> list[dict[str, object]]:
    """Return all current entries of this player, for their data export."""
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
