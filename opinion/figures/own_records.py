"""What an engine thinks of the matches of a player that were handed in as records: their sums, and their errors.

A record may have been written to ask about a position that somebody is playing. Whatever stands in a match between people is
left out of its sums, as of its page (ADR 73): looked at are the records that came after the first of those matches began. One that was
there before was not written for them.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q

from matches.models import Match
from matches.state.status import Status
from matches.watch import recorded
from opinion.analyses import analyses
from opinion.figures import twins
from opinion.judging.figures import NAMES, ByFault, Totals, figures
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
    """What a player's decisions in one record come to: in a match, or in one of the two parts of it."""

    # Engine, version and level.
    judge: tuple[str, str, int]
    # Which match it tells of.
    match: str
    played_at: datetime
    totals: Totals
    by_fault: dict[str, ByFault]


def of_player(player: Player, viewer: Viewer) -> list[PlayedRecord]:
    """Return the recorded matches of a player, and of who was merged into them, that this person may see."""
    same = Player.objects.filter(Q(pk=player.pk) | Q(merged_into=player))
    return of_players(list(same.values_list("pk", flat=True)), viewer)


def of_players(players: Collection[int], viewer: Viewer) -> list[PlayedRecord]:
    """Return the recorded matches of these players that this person may see, without those that are known already."""
    return twins.without(recorded.of_players(players, viewer), players, viewer)


def remarks(records: Iterable[PlayedRecord]) -> Q:
    """Return which remarks are on the decisions of the side that is named in each record."""
    found = Q(pk__in=())
    keys: dict[int, list[str]] = defaultdict(list)
    for each in records:
        keys[int(each.side)].append(each.key)
    for side, some in keys.items():
        found |= Q(side=side, analysis__record__in=some)
    return found


def standing(records: Iterable[PlayedRecord], rows: QuerySet[Remark]) -> list[int]:
    """Return which of these remarks on records stand in a match between people."""
    since = _playing_since()
    fresh = [each for each in records if since is not None and each.kept_at >= since]
    found = list(rows.filter(remarks(fresh)).order_by("pk")) if fresh else []
    told = {row.pk for row in analyses.outside_play(found)}
    return [row.pk for row in found if row.pk not in told]


def sums(records: Collection[PlayedRecord]) -> Iterator[RecordSums]:
    """Yield the sums of each record that is analysed."""
    by_key = {each.key: each for each in records}
    rows = Analysis.objects.filter(record__in=by_key, level__gt=0)
    found = [row for row in rows.order_by("pk") if row.head_hash == by_key[row.record].sha256]
    since = _playing_since() if found else None
    fresh = {row.pk for row in found if since is not None and by_key[row.record].kept_at >= since}
    added = _added({row.pk: int(by_key[row.record].side) for row in found if row.pk not in fresh})
    for row in found:
        record = by_key[row.record]
        totals, by_fault = (
            _outside_play(row, record) if row.pk in fresh else added.get(row.pk, (Totals(), {}))
        )
        played_at = record.played_at or record.kept_at
        judge = (row.engine, row.version, row.level)
        yield RecordSums(judge, record.match, played_at, totals, by_fault)


def _playing_since() -> datetime | None:
    """Return when the first of the matches began that are being played between people; None where there is none."""
    being = Match.objects.filter(status__in=(Status.LIVE.value, Status.PAUSED.value), has_bot=False)
    return being.order_by("created_at").values_list("created_at", flat=True).first()


def _added(sides: dict[int, int]) -> dict[int, tuple[Totals, dict[str, ByFault]]]:
    """Return what the sums say of one side of each analysis."""
    found: dict[int, tuple[Totals, dict[str, ByFault]]] = {}
    for row in SideSum.objects.filter(analysis__in=sides):
        if row.side != sides[row.analysis_id]:
            continue
        totals, by_fault = found.get(row.analysis_id, (Totals(), {}))
        if row.fault:
            by_fault[row.fault] = ByFault(row.number, row.error)
        found[row.analysis_id] = (totals + Totals(*(getattr(row, name) for name in NAMES)), by_fault)
    return found


def _outside_play(row: Analysis, record: PlayedRecord) -> tuple[Totals, dict[str, ByFault]]:
    """Return the sums of the decisions that stand in no match between people."""
    rows = list(Remark.objects.filter(analysis=row, side=int(record.side)).order_by("number"))
    told = figures(analyses.line(each) for each in analyses.outside_play(rows))
    return told.totals, dict(told.by_fault)
