"""Detection of records that duplicate an already counted match, played here or recorded.

A player could upload one record for two matches, or a record of an online match for a match of an event; its
decisions count once. Duplicates are recognised by their decisions (board, dice and action), not by file
content.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from django.db.models import F, Q

from matches.models import Match
from matches.play import callers
from matches.state.status import Status
from opinion.models import Analysis, Remark

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.contrib.auth.models import AnonymousUser
    from django.db.models import QuerySet

    from matches.hooks import PlayedRecord
    from players.models import User

    Viewer = User | AnonymousUser

    # The analysis of a match, or of each of its parts.
    Told = tuple[Analysis, ...]
    Decided = tuple[tuple[str, str, str, str], ...]


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
    told = {
        match: tuple(analysed[each.key] for each in some)
        for match, some in parts.items()
        if all(each.key in analysed for each in some)
    }
    again = _find_duplicates(told, players, viewer) if told else set()
    return [each for each in records if each.match not in again]


def _find_duplicates(told: dict[str, Told], players: Collection[int], viewer: Viewer) -> set[str]:
    numbers = {match: sum(row.total for row in some) for match, some in told.items()}
    known: dict[int, list[Told]] = defaultdict(list)
    for row in _list_board_analyses(players, viewer, set(numbers.values())):
        known[row.total].append((row,))
    found = set()
    for match, some in told.items():
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


def _load_decisions(told: Told) -> Decided:
    """Return the decisions of all parts in order."""
    rows = Remark.objects.filter(analysis__in=[row.pk for row in told]).order_by("number")
    found: dict[int, list[tuple[str, str, str, str]]] = defaultdict(list)
    for analysis, position, kind, dice, decided in rows.values_list(
        "analysis", "position", "kind", "dice", "decided"
    ):
        # Compare the board only: after an interruption a record may contain a different score.
        found[analysis].append((position.partition(":")[0], kind, dice, decided))
    return tuple(each for row in told for each in found[row.pk])
