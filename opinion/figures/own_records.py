"""Statistics of a player's recorded matches: sums and errors.

A record could be uploaded to analyse a position that its author is playing. Positions that occur in a match
between people are therefore left out of the sums (ADR 73). This is checked for records uploaded since the
oldest of those matches began; earlier ones cannot have been written for them.

A player could also upload one record for two matches, or a record of an online match for a match of an event;
its decisions count once. Duplicates are recognised by their decisions (board, dice and action), not by file
content.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.db.models import F, Q, QuerySet

from matches import hooks as match_hooks
from matches.hooks import PlayedRecord
from matches.models import Match
from matches.play import callers
from matches.state.status import Status
from opinion.analyses import analyses
from opinion.judging.figures import NAMES, ByFault, Totals, compute_figures
from opinion.models import Analysis, Remark, SideSum
from players.models import Player, User

Viewer = User | AnonymousUser
# The analysis of a match, or of each of its parts.
Told = tuple[Analysis, ...]
Decided = tuple[tuple[str, str, str, str], ...]


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
    return remove_duplicates(match_hooks.RECORDS.get().of_players(players, viewer), players, viewer)


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
    in_play = {row.pk for row in analyses.exclude_in_play(found)}
    return [row.pk for row in found if row.pk not in in_play]


def list_sums(records: Collection[PlayedRecord]) -> Iterator[RecordSums]:
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
    figures = compute_figures(analyses.build_line(each) for each in analyses.exclude_in_play(rows))
    return figures.totals, dict(figures.by_fault)


def remove_duplicates(
    records: Collection[PlayedRecord], players: Collection[int], viewer: Viewer
) -> list[PlayedRecord]:
    """Return the records without those that repeat a match of these players here, or an earlier record."""
    if not records:
        return []
    parts: dict[str, list[PlayedRecord]] = defaultdict(list)
    for each in records:
        parts[each.match].append(each)
    keys = {each.key for each in records}
    rows = list(Analysis.objects.filter(record__in=keys, level__gt=0).only("record", "total"))
    analysed = {row.record: row for row in rows}
    # Records without an analysis are in no sum.
    decisions_of = {
        match: tuple(analysed[each.key] for each in some)
        for match, some in parts.items()
        if all(each.key in analysed for each in some)
    }
    again = _find_duplicates(decisions_of, players, viewer) if decisions_of else set()
    return [each for each in records if each.match not in again]


def _find_duplicates(decisions_of: dict[str, Told], players: Collection[int], viewer: Viewer) -> set[str]:
    numbers = {match: sum(row.total for row in some) for match, some in decisions_of.items()}
    known: dict[int, list[Told]] = defaultdict(list)
    for row in _list_board_analyses(players, viewer, set(numbers.values())):
        known[row.total].append((row,))
    found = set()
    for match, some in decisions_of.items():
        # Compare only matches with equal numbers of decisions.
        others = known[numbers[match]]
        if (
            others
            and (mine := _load_decisions(some))
            and any(_load_decisions(each) == mine for each in others)
        ):
            found.add(match)
        else:
            others.append(some)
    return found


def _list_board_analyses(players: Collection[int], viewer: Viewer, numbers: set[int]) -> QuerySet[Analysis]:
    """Query the players' current analyses of matches played here with these *numbers* of decisions."""
    theirs = Q(white__in=players) | Q(black__in=players)
    matches = Match.objects.filter(theirs, status=Status.FINISHED.value, lesson__isnull=True)
    seen = callers.list_visible_matches(viewer).filter(pk__in=matches.values("pk")).order_by()
    rows = Analysis.objects.filter(match__in=seen.values("pk"), head_hash=F("match__head_hash"), level__gt=0)
    return rows.filter(total__in=numbers).only("total")


def _load_decisions(subject: Told) -> Decided:
    rows = Remark.objects.filter(analysis__in=[row.pk for row in subject]).order_by("number")
    found: dict[int, list[tuple[str, str, str, str]]] = defaultdict(list)
    for analysis, position, kind, dice, decided in rows.values_list(
        "analysis", "position", "kind", "dice", "decided"
    ):
        # Compare the board only: after an interruption a record may contain a different score.
        found[analysis].append((position.partition(":")[0], kind, dice, decided))
    return tuple(each for row in subject for each in found[row.pk])
