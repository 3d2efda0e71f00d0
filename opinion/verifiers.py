"""Invariants of opinion: a finished analysis has all its remarks, each with an existing line."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, F, Max, Min, Q

from opinion.models import Analysis, Progress


def verify_analyses() -> Iterator[str]:
    """Report incomplete analyses. Those of an outdated journal are skipped, since they will be dropped."""
    rows = (
        Analysis.objects.filter(Q(head_hash=F("match__head_hash")) | ~Q(record=""))
        .select_related("match")
        .order_by("pk")
    )
    for row in rows.annotate(
        remarked=Count("remarks"),
        first=Min("remarks__number"),
        last=Max("remarks__number"),
        line=Max("remarks__seq"),
    ).iterator(chunk_size=500):
        of = f"record {row.record}" if row.match is None else f"match {row.match.key}"
        yield from (f"analysis of {of}: {sentence}" for sentence in _list_problems(row))


def _list_problems(row: Analysis) -> Iterator[str]:
    # The annotations of `verify_analyses`.
    remarked, first, last, line = (getattr(row, name) for name in ("remarked", "first", "last", "line"))
    expected = row.total if row.level else row.done
    if row.progress != Progress.UNJUDGED and remarked < expected:
        yield f"{remarked} decisions are told of {expected}"
    summed = sum(row.sums.values_list("number", flat=True)) if row.level else remarked
    if summed != remarked:
        yield f"its sums are of {summed} decisions, it has {remarked}"
    if remarked and (first != 0 or last != remarked - 1):
        yield "its decisions are not numbered without a gap"
    if line is not None and row.match is not None and line > row.match.head:
        yield f"it speaks of line {line}, the journal ends with {row.match.head}"
