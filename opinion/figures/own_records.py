"""Statistics of a player's recorded matches: sums and errors.

A record could be uploaded to analyse a position that its author is playing. Positions that occur in a match
between people are therefore left out of the sums (ADR 73). This is checked for records uploaded since the
oldest of those matches began; earlier ones cannot have been written for them.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q

from matches import hooks as match_hooks
from matches.models import Match
from matches.state.status import Status
from opinion.analyses import analyses
from opinion.figures import duplicates
from opinion.judging.figures import NAMES, ByFault, Totals, compute_figures
from opinion.models import Analysis, Remark, SideSum
from players.models import Player

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from datetime import datetime

    from django.contrib.auth.models import AnonymousUser
    from django.db.models import QuerySet

    from matches.hooks import PlayedRecord
    from players.models import User

    Viewer = User | AnonymousUser


@dataclass(frozen=True, slots=True)
class RecordSums:
    """The sums of a player in one record: a match, or one of its two parts."""

    # Engine, version and level.
    judge: tuple[str, str, int]
    # The match the record belongs to.
    match: str
    played_at: datetime
    totals: Totals
    by_fault: dict[str, ByFault]


def list_own(player: Player, viewer: Viewer) -> list[PlayedRecord]:
    """Return a player's recorded matches, with those of merged players, that the viewer may see."""
    same = Player.objects.filter(Q(pk=player.pk) | Q(merged_into=player))
    return list_records(list(same.values_list("pk", flat=True)), viewer)


def list_records(players: Collection[int], viewer: Viewer) -> list[PlayedRecord]:
    """List the players' recorded matches visible to the viewer, without duplicates of known ones."""
    return duplicates.remove_duplicates(
        match_hooks.RECORDS.get().of_players(players, viewer), players, viewer
    )


def filter_remarks(records: Iterable[PlayedRecord]) -> Q:
    """Return a filter for remarks on the decisions of each record's `side`."""
    found = Q(pk__in=())
    keys: dict[int, list[str]] = defaultdict(list)
    for each in records:
        keys[int(each.side)].append(each.key)
    for side, some in keys.items():
        found |= Q(side=side, analysis__record__in=some)
    return found


def list_in_play(records: Iterable[PlayedRecord], rows: QuerySet[Remark]) -> list[int]:
    """Return the primary keys of remarks on records whose positions occur in a match between people."""
    since = _find_oldest_start()
    fresh = [each for each in records if since is not None and each.kept_at >= since]
    found = list(rows.filter(filter_remarks(fresh)).order_by("pk")) if fresh else []
    told = {row.pk for row in analyses.exclude_in_play(found)}
    return [row.pk for row in found if row.pk not in told]


def list_sums(records: Collection[PlayedRecord]) -> Iterator[RecordSums]:
    """Yield the sums of each analysed record."""
    by_key = {each.key: each for each in records}
    rows = Analysis.objects.filter(record__in=by_key, level__gt=0)
    found = [row for row in rows.order_by("pk") if row.head_hash == by_key[row.record].sha256]
    since = _find_oldest_start() if found else None
    fresh = {row.pk for row in found if since is not None and by_key[row.record].kept_at >= since}
    added = _load_sums({row.pk: int(by_key[row.record].side) for row in found if row.pk not in fresh})
    for row in found:
        record = by_key[row.record]
        totals, by_fault = (
            _compute_sums_outside_play(row, record) if row.pk in fresh else added.get(row.pk, (Totals(), {}))
        )
        played_at = record.played_at or record.kept_at
        judge = (row.engine, row.version, row.level)
        yield RecordSums(judge, record.match, played_at, totals, by_fault)


def _find_oldest_start() -> datetime | None:
    """Return the start of the oldest match being played between people; None if there is none."""
    being = Match.objects.filter(status__in=(Status.LIVE.value, Status.PAUSED.value), has_bot=False)
    return being.order_by("created_at").values_list("created_at", flat=True).first()


def _load_sums(sides: dict[int, int]) -> dict[int, tuple[Totals, dict[str, ByFault]]]:
    """Return the stored sums of one side of each analysis."""
    found: dict[int, tuple[Totals, dict[str, ByFault]]] = {}
    for row in SideSum.objects.filter(analysis__in=sides):
        if row.side != sides[row.analysis_id]:
            continue
        totals, by_fault = found.get(row.analysis_id, (Totals(), {}))
        if row.fault:
            by_fault[row.fault] = ByFault(row.number, row.error)
        found[row.analysis_id] = (totals + Totals(*(getattr(row, name) for name in NAMES)), by_fault)
    return found


def _compute_sums_outside_play(row: Analysis, record: PlayedRecord) -> tuple[Totals, dict[str, ByFault]]:
    """Return the sums without decisions whose positions occur in a match between people."""
    rows = list(Remark.objects.filter(analysis=row, side=int(record.side)).order_by("number"))
    told = compute_figures(analyses.build_line(each) for each in analyses.exclude_in_play(rows))
    return told.totals, dict(told.by_fault)
