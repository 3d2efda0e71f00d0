"""Statistics of a player over all their matches: sums are added in SQL and divided at the end.

Results of different engines, versions or levels are never added. Unfinished matches and outdated analyses are
not counted. Records of a player's matches count as those matches (`opinion.figures.own_records`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import TruncMonth
from django.utils import timezone

from engine.side import Side
from matches.play import callers
from matches.state.status import Status
from opinion.analyses import availability
from opinion.analyses.analyses import DIGITS, NONE, FaultView
from opinion.figures import own_records
from opinion.judging.figures import LEAST_COUNTED, NAMES, ByFault, Totals, explain_no_pr, find_label
from opinion.models import SideSum
from players.access.permissions import list_clubs_where
from players.models import Player, User
from players.people import people

Viewer = User | AnonymousUser


SEATS: Final = {side.word: side for side in Side}


class Judge(NamedTuple):
    """Engine, version and search depth."""

    engine: str
    version: str
    level: int


@dataclass(frozen=True, slots=True)
class Sums:
    judge: Judge
    totals: Totals
    matches: int

    @property
    def pr(self) -> float | None:
        """The PR, None if there are too few decisions or plies."""
        return self.totals.published(self.judge.level)

    @property
    def interval(self) -> float | None:
        """Half width of the PR's 95 % interval; None without a PR."""
        return None if self.pr is None else self.totals.interval

    @property
    def why_no_pr(self) -> str:
        """Why there is no PR: `level`, `counted` or ""."""
        return explain_no_pr(self.totals, self.judge.level)

    @property
    def label(self) -> str:
        """The skill label of the PR; "" without a PR."""
        return "" if self.pr is None else find_label(self.pr)


@dataclass(frozen=True, slots=True)
class Month(Sums):
    first: date


@dataclass(frozen=True, slots=True)
class Pool(Sums):
    """The results of one version of an engine at one level."""

    months: tuple[Month, ...] = ()
    by_fault: dict[str, ByFault] = field(default_factory=dict[str, ByFault])

    @property
    def missing(self) -> int:
        """The number of counted decisions missing for a PR."""
        return max(0, LEAST_COUNTED - self.totals.counted)

    @property
    def faults(self) -> list[FaultView]:
        """Errors by kind, the most expensive first."""
        worst = sorted(self.by_fault.items(), key=lambda item: -item[1].error)
        return [FaultView(fault, sums.number, round(sums.error, DIGITS)) for fault, sums in worst]


@dataclass(frozen=True, slots=True)
class PooledView:
    key: str
    name: str
    # The most significant one first.
    pools: tuple[Pool, ...]
    # `OFF`, `ABSENT`, `NONE`, or "" if there are statistics.
    why_none: str = ""
    is_self: bool = False


def load_statistics(user: Viewer, key: str) -> PooledView | None:
    """Return a player's statistics; None if the viewer may not find the player, or the player was erased.

    :raises Http404: there is no such player.
    """
    player = people.find_visible_player(
        key=key, user=user, insider_of=list_clubs_where(user, "players.find_hidden")
    )
    if player is None or player.erased_at is not None:
        return None
    pools = build_pools(user, player) if availability.is_enabled() else ()
    why = "" if pools else availability.find_obstacle() or NONE
    is_self = user.is_authenticated and player.user_id == user.pk
    return PooledView(player.key, player.public_name, pools, why, is_self)


def has_visible_match(user: Viewer, player_key: str) -> bool:
    """True if the player has a finished or recorded match that the viewer may see."""
    theirs = Q(white__key=player_key) | Q(black__key=player_key)
    if callers.list_visible_matches(user).filter(theirs, status=Status.FINISHED.value).exists():
        return True
    player = Player.objects.filter(key=player_key).first()
    return player is not None and bool(own_records.list_own(player, user))


def build_pools(user: Viewer, player: Player) -> tuple[Pool, ...]:
    """Sum up a player's matches, separately for each engine, version and level; most significant first."""
    months: dict[Judge, dict[datetime, tuple[Totals, int]]] = {}
    faults: dict[Judge, dict[str, ByFault]] = defaultdict(lambda: defaultdict(ByFault))
    for seat in ("white", "black"):
        rows = _list_side_sums(user, player, seat)
        for row in _load_sums(rows.annotate(month=TruncMonth("analysis__match__finished_at")), "month"):
            of_judge = months.setdefault(_build_judge(row), {})
            totals, matches = of_judge.get(row["month"], (Totals(), 0))
            of_judge[row["month"]] = (
                totals + Totals(**{name: row[f"sum_{name}"] for name in NAMES}),
                matches + row["matches"],
            )
        for row in _load_sums(rows.exclude(fault=""), "fault"):
            faults[_build_judge(row)][row["fault"]] += ByFault(row["sum_number"], row["sum_error"])
    counted: set[tuple[Judge, str]] = set()
    for record in own_records.list_sums(own_records.list_own(player, user)):
        judge = Judge(*record.judge)
        first = timezone.localtime(record.played_at).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
        # Two parts of a match count once.
        is_new = (judge, record.match) not in counted
        counted.add((judge, record.match))
        of_judge = months.setdefault(judge, {})
        totals, matches = of_judge.get(first, (Totals(), 0))
        of_judge[first] = (totals + record.totals, matches + is_new)
        for fault, sums in record.by_fault.items():
            faults[judge][fault] += sums
    found = [_build_pool(judge, by_month, dict(faults[judge])) for judge, by_month in months.items()]
    return tuple(sorted(found, key=lambda each: (each.pr is not None, each.totals.counted), reverse=True))


def _list_side_sums(user: Viewer, player: Player, seat: str) -> QuerySet[SideSum]:
    theirs = Q(**{f"analysis__match__{seat}": player}) | Q(
        **{f"analysis__match__{seat}__merged_into": player}
    )
    return SideSum.objects.filter(
        theirs,
        Exists(callers.list_visible_matches(user).filter(pk=OuterRef("analysis__match"))),
        side=int(SEATS[seat]),
        analysis__level__gt=0,
        # Matches with the tutor do not count.
        analysis__match__lesson__isnull=True,
        analysis__match__status=Status.FINISHED.value,
        analysis__head_hash=F("analysis__match__head_hash"),
    )


def _load_sums(rows: QuerySet[SideSum], by: str) -> Iterable[dict[str, Any]]:
    sums = {f"sum_{name}": Sum(name) for name in (*NAMES, "number")}
    grouped = rows.order_by().values("analysis__engine", "analysis__version", "analysis__level", by)
    found: Iterable[dict[str, Any]] = grouped.annotate(matches=Count("analysis", distinct=True), **sums)
    return found


def _build_judge(row: dict[str, Any]) -> Judge:
    return Judge(row["analysis__engine"], row["analysis__version"], row["analysis__level"])


def _build_pool(
    judge: Judge, by_month: dict[datetime, tuple[Totals, int]], by_fault: dict[str, ByFault]
) -> Pool:
    months = tuple(
        Month(judge, totals, matches, first.date())
        for first, (totals, matches) in sorted(by_month.items(), reverse=True)
    )
    totals = sum((each.totals for each in months), Totals())
    return Pool(judge, totals, sum(each.matches for each in months), months, by_fault)
