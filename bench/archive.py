"""How fast a position is found among those of many matches, and how large the index is.

    python -m bench.archive [MATCHES] [ENTRIES]

MATCHES are played by bots that choose at random among the legal plays and are written as the archive's worker writes them, but for the index:
that is written afterwards, in its own order, which is some times faster. Then the index alone is filled up to ENTRIES with numbers of
positions that nobody has, in its order, too. A database of its own is made and removed; DATABASE_URL says where, else it is SQLite.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from array import array
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
        weighed = Weight()
        positions, numbers = fill(matches)
        weighed.write(numbers)
        ask(positions, f"{matches:,} matches", weighed)
        began = time.perf_counter()
        pad(entries, weighed)
        print(f"index filled up to {entries:,} entries in {time.perf_counter() - began:.0f} s")
        ask(positions, "filled up", weighed)


def fill(matches: int) -> tuple[list[bytes], array[int]]:
    """Write so many matches with their positions; return some of these, and the index of all of them in its order."""
    from django.db import connection, transaction
    from django.utils import timezone

    from players.accounts import accounts
    from players.clubs import clubs
    from records.archive import sightings
    from records.models import (
        ArchivedMatch,
        ArchivedPositions,
        ArchivedSide,
        RecordFile,
        RecordMatch,
    )

    now = timezone.now()
    owner = accounts.register(email="bench@example.org", password=None, name="Bench", now=now)
    club = clubs.create(owner=owner, name="Bench", now=now)
    file = RecordFile.objects.create(
        club=club, sha256="", size=0, content=b"", kept_at=now, word="accepted", judged_at=now
    )
    rng, some, numbers, began, wrote = random.Random(79), [], array("q"), time.perf_counter(), 0.0
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
        wrote += time.perf_counter() - start
        numbers.extend(
            sightings.entry(key, row.pk)
            for row, each in zip(rows, packed, strict=True)
            for key in sightings.keys(each)
        )
        some += [packed[0][at : at + 10] for at in range(0, len(packed[0]), 12 * 40)]
    took = time.perf_counter() - began
    print(
        f"{connection.vendor}: {matches:,} matches, {len(numbers):,} entries, {took:.0f} s, {wrote:.0f} s of it writing"
    )
    return some, array("q", sorted(numbers))


def _lines(rng: random.Random) -> Iterator[bytes]:
    """Play games at random until there are enough rolls; yield what the archive keeps of each."""
    from engine.board import STANDARD, Board
    from engine.movegen import results
    from engine.packed import is_over, turned
    from engine.side import WHITE
    from records.archive import sightings

    position, game = STANDARD.seen_by(WHITE), 1
    for _ in range(ROLLS):
        yield sightings.LINE.pack(sightings.key(Board(position), WHITE), game << 1)
        high, low = sorted((rng.randint(1, 6), rng.randint(1, 6)), reverse=True)
        after = rng.choice(sorted(results(position, high, low)[1]))
        if is_over(after):
            position, game = STANDARD.seen_by(WHITE), game + 1
        else:
            position = turned(after)


def pad(entries: int, weighed: Weight) -> None:
    """Have the database itself add numbers that nobody asks for, spread as hashes are and in order, until there are so many entries."""
    from records.models import PositionIndex

    left = max(entries - PositionIndex.objects.count(), 0)
    step = LARGEST // max(left, 1)
    for first in range(0, left, MILLION):
        weighed.spread(first * step, step, min(MILLION, left - first))


def ask(positions: list[bytes], when: str, weighed: Weight) -> None:
    """Look positions up, and print how long that took and what the index weighs."""
    from django.contrib.auth import get_user_model

    from records.archive import positions as search
    from records.models import PositionIndex

    owner = get_user_model().objects.get()
    rng, spent = random.Random(5), []
    busy = time.process_time()
    for _ in range(ASKED):
        began = time.perf_counter()
        found = search.occurrences(owner, rng.choice(positions))
        spent.append(1000 * (time.perf_counter() - began))
        assert found.rows
    busy = 1000 * (time.process_time() - busy) / ASKED
    count, size = PositionIndex.objects.count(), weighed.bytes()
    each = size / count
    print(
        f"  {when}: {count:,} entries, {size / 1e6:,.0f} MB, {each:.1f} bytes an entry; a search takes "
        f"{median(spent):.1f} ms, p99 {quantiles(spent, n=100)[98]:.1f} ms, {busy:.1f} ms of it computing"
    )
    print(f"  a million matches of {ROLLS} positions: {each * ROLLS * MILLION / 1e9:.1f} GB")


class Weight:
    """The index, and how large it is on disk: as the database says, else by how much its file grew."""

    def __init__(self) -> None:
        from records.models import PositionIndex

        self.table, self.grown = PositionIndex._meta.db_table, 0

    def write(self, numbers: array[int]) -> None:
        """Add entries in their order."""
        from django.db import connection, transaction

        ignore = (
            "INSERT OR IGNORE INTO {} VALUES (%s)"
            if connection.vendor == "sqlite"
            else "INSERT INTO {} VALUES (%s) ON CONFLICT DO NOTHING"
        )
        before = self._used()
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.executemany(ignore.format(self.table), ((each,) for each in numbers))
        self.grown += self._used() - before

    def spread(self, first: int, step: int, number: int) -> None:
        """Add so many numbers, one at random in each *step* from *first* on."""
        from django.db import connection, transaction

        query = (
            "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < %s) "
            "INSERT OR IGNORE INTO {} SELECT %s + i * %s + abs(random() %% %s) FROM n"
            if connection.vendor == "sqlite"
            else "WITH n(i) AS (SELECT generate_series(0, %s - 1)::bigint) "
            "INSERT INTO {} SELECT %s + i * %s + floor(random() * %s)::bigint FROM n ON CONFLICT DO NOTHING"
        )
        before = self._used()
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(query.format(self.table), (number, first, step, step))
        self.grown += self._used() - before

    def bytes(self) -> int:
        """Return how large it is."""
        from django.db import DatabaseError, connection

        query, given = ("SELECT SUM(pgsize) FROM dbstat WHERE name = %s", [self.table])
        if connection.vendor == "postgresql":
            query = "SELECT pg_total_relation_size(%s)"
        try:
            with connection.cursor() as cursor:
                cursor.execute(query, given)
                return int(cursor.fetchone()[0])
        except DatabaseError:
            # This SQLite was built without dbstat. Nothing but the index was written meanwhile.
            return self.grown

    def _used(self) -> int:
        from django.db import connection

        if connection.vendor != "sqlite":
            return 0
        with connection.cursor() as cursor:
            found = []
            for name in ("page_count", "freelist_count", "page_size"):
                cursor.execute(f"PRAGMA {name}")
                found.append(int(cursor.fetchone()[0]))
        return (found[0] - found[1]) * found[2]


if __name__ == "__main__":
    main()
