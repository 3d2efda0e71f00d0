"""How fast a position is found among those of many matches, and how large the index is.

    python -m bench.archive [MATCHES] [ENTRIES]

MATCHES are played by bots that choose at random among the legal plays and are written as the archive's worker writes them. Then the
index alone is filled up to ENTRIES with numbers of positions that nobody has. A database of its own is made and removed; DATABASE_URL
says where, else it is SQLite.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from statistics import median, quantiles
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

MATCHES, ENTRIES = 5_000, 10_000_000
PORTION: Final = 100
ASKED: Final = 300
# Positions of a match to 7 points, on the average (bench/adjudication.py: 176 rolls in matches of 1 to 15).
ROLLS: Final = 176
MILLION: Final = 1_000_000
LARGEST: Final = (1 << 63) - 1


def main() -> None:
    """Fill, ask, and print."""
    matches = int(sys.argv[1]) if len(sys.argv) > 1 else MATCHES
    entries = int(sys.argv[2]) if len(sys.argv) > 2 else ENTRIES
    with tempfile.TemporaryDirectory() as place:
        os.environ["DATA_DIR"] = place
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        positions = fill(matches)
        ask(positions, f"{matches:,} matches")
        pad(entries)
        ask(positions, "filled up")


def fill(matches: int) -> list[bytes]:
    """Write the positions of so many matches, and return some of them."""
    from django.db import connection, transaction
    from django.utils import timezone

    from players.services import accounts, clubs
    from records import sightings
    from records.models import (
        ArchivedMatch,
        ArchivedPositions,
        ArchivedSide,
        PositionIndex,
        RecordFile,
        RecordMatch,
    )

    now = timezone.now()
    owner = accounts.register(email="bench@example.org", password=None, name="Bench", now=now)
    club = clubs.create(owner=owner, name="Bench", now=now)
    file = RecordFile.objects.create(
        club=club, sha256="", size=0, content=b"", kept_at=now, word="accepted", judged_at=now
    )
    rng, some, total, began, wrote = random.Random(79), [], 0, time.perf_counter(), 0.0
    for first in range(0, matches, PORTION):
        packed = [b"".join(_lines(rng)) for _ in range(min(PORTION, matches - first))]
        start = time.perf_counter()
        with transaction.atomic():
            told = RecordMatch.objects.bulk_create(
                RecordMatch(
                    file=file, number=first + at + 1, word="accepted", verdict={}, engine="", judged_at=now
                )
                for at in range(len(packed))
            )
            rows = ArchivedMatch.objects.bulk_create(
                ArchivedMatch(record=each, club=club, length=7, played_at=now, is_read=True, has_facts=True)
                for each in told
            )
            ArchivedSide.objects.bulk_create(
                ArchivedSide(archived=row, side=side) for row in rows for side in (0, 1)
            )
            ArchivedPositions.objects.bulk_create(
                ArchivedPositions(archived=row, packed=each) for row, each in zip(rows, packed, strict=True)
            )
            numbers = sorted(
                sightings.entry(key, row.pk)
                for row, each in zip(rows, packed, strict=True)
                for key in sightings.keys(each)
            )
            PositionIndex.objects.bulk_create(map(PositionIndex, numbers), ignore_conflicts=True)
        wrote += time.perf_counter() - start
        total += len(numbers)
        some += [packed[0][at : at + 10] for at in range(0, len(packed[0]), 12 * 40)]
    took = time.perf_counter() - began
    print(
        f"{connection.vendor}: {matches:,} matches, {total:,} entries, {took:.0f} s, {wrote:.0f} s of it writing"
    )
    return some


def _lines(rng: random.Random) -> Iterator[bytes]:
    """Play games at random until there are enough rolls; yield what the archive keeps of each."""
    from engine.board import STANDARD, Board
    from engine.movegen import results
    from engine.packed import is_over, turned
    from engine.side import WHITE
    from records import sightings

    position, game = STANDARD.seen_by(WHITE), 1
    for _ in range(ROLLS):
        yield sightings.LINE.pack(sightings.key(Board(position), WHITE), game << 1)
        high, low = sorted((rng.randint(1, 6), rng.randint(1, 6)), reverse=True)
        after = rng.choice(sorted(results(position, high, low)[1]))
        if is_over(after):
            position, game = STANDARD.seen_by(WHITE), game + 1
        else:
            position = turned(after)


def pad(entries: int) -> None:
    """Fill the index up with numbers that nobody asks for, spread as hashes are."""
    from django.db import connection, transaction

    from records.models import PositionIndex

    rng, began = random.Random(7), time.perf_counter()
    left = entries - PositionIndex.objects.count()
    ignore = (
        "INSERT OR IGNORE INTO {} VALUES (%s)"
        if connection.vendor == "sqlite"
        else ("INSERT INTO {} VALUES (%s) ON CONFLICT DO NOTHING")
    )
    while left > 0:
        some = sorted(rng.randint(0, LARGEST) for _ in range(min(left, MILLION)))
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.executemany(ignore.format(PositionIndex._meta.db_table), [(each,) for each in some])
        left -= len(some)
    print(f"index filled up to {entries:,} entries in {time.perf_counter() - began:.0f} s")


def ask(positions: list[bytes], when: str) -> None:
    """Look positions up, and print how long that took and what the index weighs."""
    from django.contrib.auth import get_user_model

    from records.models import PositionIndex
    from records.selectors import positions as search

    owner = get_user_model().objects.get()
    rng, spent = random.Random(5), []
    for _ in range(ASKED):
        began = time.perf_counter()
        found = search.occurrences(owner, rng.choice(positions))
        spent.append(1000 * (time.perf_counter() - began))
        assert found.rows
    count, size = PositionIndex.objects.count(), weight()
    each = size / count
    print(
        f"  {when}: {count:,} entries, {size / 1e6:,.0f} MB, {each:.1f} bytes an entry; a search takes "
        f"{median(spent):.1f} ms, p99 {quantiles(spent, n=100)[98]:.1f} ms"
    )
    print(f"  a million matches of {ROLLS} positions: {each * ROLLS * MILLION / 1e9:.1f} GB")


def weight() -> int:
    """Return how large the index is on disk."""
    from django.db import connection

    from records.models import PositionIndex

    table = PositionIndex._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_total_relation_size(%s)", [table])
        else:
            cursor.execute("SELECT SUM(pgsize) FROM dbstat WHERE name = %s", [table])
        return int(cursor.fetchone()[0])


if __name__ == "__main__":
    main()
