"""Dice tallies of finished matches: counted once, and again after a reopened result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, Final

from django.db import transaction
from django.db.models import F, Q, QuerySet

from engine.fair_check import Trust
from matches.journal import journal
from matches.models import DiceTally, Match
from matches.state.status import ENDED
from matches.watch import exports
from runtime.work import failures, sweeps

THROWS: Final = 36


@transaction.atomic
def update_tally(*, match_id: int) -> bool:
    """Update the tally of a match, or delete it if the match is not over; True if anything changed."""
    row = journal.lock(match_id)
    if row.status not in ENDED:
        return bool(DiceTally.objects.filter(match=row).delete()[0])
    if DiceTally.objects.filter(match=row, head=row.head).exists():
        return False
    DiceTally.objects.update_or_create(match=row, defaults={"head": row.head, **count_dice(row)})
    return True


def count_dice(row: Match) -> dict[str, Any]:
    """Count the dice of a journal. Rolls taken back count as well."""
    rolls = exports.build_dice_log(row).rolls
    throws, openings = [0] * THROWS, [0] * THROWS
    labels = dict.fromkeys(Trust, 0)
    for roll in rolls:
        first, second = roll.dice
        (openings if roll.roller is None else throws)[6 * first + second - 7] += 1
        labels[Trust.WEAKER if None in (roll.links.a, roll.links.b) else Trust(roll.mode)] += 1
    counts = {trust.value: number for trust, number in labels.items()}
    return {
        **counts,
        "throws": throws,
        "openings": openings,
        "runs": count_runs([roll.dice for roll in rolls]),
    }


def count_runs(thrown: Sequence[tuple[int, int]]) -> list[int]:
    """Return the number of runs of one, two, three ... doubles.

    >>> count_runs([(3, 3), (1, 2), (6, 6), (6, 6), (2, 1), (5, 5)])
    [2, 1]
    """
    found = [
        len(list(run)) for is_double, run in groupby(first == second for first, second in thrown) if is_double
    ]
    return [found.count(length) for length in range(1, max(found, default=0) + 1)]


def list_outdated() -> QuerySet[Match]:
    has_ended = Q(status__in=ENDED)
    is_counted = Q(dice_tally__head=F("head"))
    return Match.objects.filter(
        (has_ended & (Q(dice_tally__isnull=True) | ~is_counted)) | (~has_ended & Q(dice_tally__isnull=False))
    ).order_by("pk")


def sweep(now: datetime) -> int:
    """Update outdated tallies; return their number. A match whose journal cannot be read waits for a retry."""
    found = list_outdated().values_list("pk", "key")
    return failures.process_each(
        "matches.dice",
        found,
        lambda each: update_tally(match_id=each[0]),
        key=lambda each: each[1],
        now=now,
        seconds=sweeps.SLICE,
    )


def find_problems() -> Iterator[str]:
    for tally in DiceTally.objects.select_related("match").order_by("pk").iterator(chunk_size=100):
        row = tally.match
        if tally.head != row.head:  # outdated: counted again soon
            continue
        try:
            found = count_dice(row)
        except journal.UNREADABLE as error:
            yield f"match {row.key}: its dice cannot be counted: {error}"
            continue
        for name, value in found.items():
            if getattr(tally, name) != value:
                yield f"match {row.key}: {name} of its dice are {getattr(tally, name)}, its journal says {value}"
