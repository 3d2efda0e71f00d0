"""Invariants of records: file contents match their hashes, and judged files have verdicts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

from django.db.models import Count

from records.models import RecordFile

BATCH: Final = 100


def check_records() -> Iterator[str]:
    """Compare every file with its hash, and its state with its verdicts."""
    counted = RecordFile.objects.annotate(told=Count("matches")).order_by("pk")
    last = 0
    while rows := list(counted.filter(pk__gt=last)[:BATCH]):
        for row in rows:
            if hashlib.sha256(bytes(row.content)).hexdigest() != row.sha256 or len(row.content) != row.size:
                yield f"record file {row.pk} is not what was handed in"
            if bool(row.judged_at) != bool(row.told):
                yield f"record file {row.pk} has {row.told} verdicts, and its word is {row.word!r}"
        last = rows[-1].pk
