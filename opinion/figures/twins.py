"""Records that tell of a match whose decisions are counted already: one that was played on a board here, or another record.

Who plays outside an event and hands in the record for a match of one, or one record for two, has decided no more for it. Told by
the decisions: board, dice and what was done, one after the other, whatever the bytes are.
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

    # Of one match its analysis, or those of its parts.
    Told = tuple[Analysis, ...]
    Decided = tuple[tuple[str, str, str, str], ...]


def without(
    records: Collection[PlayedRecord], players: Collection[int], viewer: Viewer
) -> list[PlayedRecord]:
    """Return the records without those that tell what a match of these players on a board, or an earlier record, tells."""
    if not records:
        return []
    parts: dict[str, list[PlayedRecord]] = defaultdict(list)
    for each in records:
        parts[each.match].append(each)
    keys = {each.key for each in records}
    rows = list(Analysis.objects.filter(record__in=keys, level__gt=0).only("record", "total"))
    analysed = {row.record: row for row in rows}
    # What is not analysed is in no sum.
    told = {
        match: tuple(analysed[each.key] for each in some)
        for match, some in parts.items()
        if all(each.key in analysed for each in some)
    }
    again = _again(told, players, viewer) if told else set()
    return [each for each in records if each.match not in again]


def _again(told: dict[str, Told], players: Collection[int], viewer: Viewer) -> set[str]:
    numbers = {match: sum(row.total for row in some) for match, some in told.items()}
    known: dict[int, list[Told]] = defaultdict(list)
    for row in _on_boards(players, viewer, set(numbers.values())):
        known[row.total].append((row,))
    found = set()
    for match, some in told.items():
        # Only where there are as many decisions are they compared.
        others = known[numbers[match]]
        if others and (mine := _decided(some)) and any(_decided(each) == mine for each in others):
            found.add(match)
        else:
            others.append(some)
    return found


def _on_boards(players: Collection[int], viewer: Viewer, numbers: set[int]) -> QuerySet[Analysis]:
    """Return the analyses of the matches that these players played here, as far as they count, of so many decisions."""
    theirs = Q(white__in=players) | Q(black__in=players)
    matches = Match.objects.filter(theirs, status=Status.FINISHED.value, lesson__isnull=True)
    seen = callers.visible(viewer).filter(pk__in=matches.values("pk")).order_by()
    rows = Analysis.objects.filter(match__in=seen.values("pk"), head_hash=F("match__head_hash"), level__gt=0)
    return rows.filter(total__in=numbers).only("total")


def _decided(told: Told) -> Decided:
    """Return what was decided, the parts after each other."""
    rows = Remark.objects.filter(analysis__in=[row.pk for row in told]).order_by("number")
    found: dict[int, list[tuple[str, str, str, str]]] = defaultdict(list)
    for analysis, position, kind, dice, decided in rows.values_list(
        "analysis", "position", "kind", "dice", "decided"
    ):
        # The board alone: after an interruption a record may write the score otherwise.
        found[analysis].append((position.partition(":")[0], kind, dice, decided))
    return tuple(each for row in told for each in found[row.pk])
