"""Search for the matches in which a position occurred."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from players.models import Club
from records.archive import archive, sightings
from records.archive.archive import ArchiveLine, Viewer
from records.archive.sightings import Sighting
from records.models import ArchivedMatch, ArchivedPositions, PositionIndex

MOST_SHOWN: Final = 20
# For very frequent positions only the latest matches are checked.
MOST_LOOKED_AT: Final = 2_000
PORTION: Final = 100


@dataclass(frozen=True, slots=True)
class Occurrence:
    line: ArchiveLine
    sightings: tuple[Sighting, ...]


@dataclass(frozen=True, slots=True)
class Occurrences:
    rows: tuple[Occurrence, ...]
    has_more: bool


def find_occurrences(user: Viewer, position: bytes, club: Club | None = None) -> Occurrences:
    """Return the latest matches in which a position occurred and whose facts the viewer may see."""
    found = list(islice(_list_occurrences(user, position, club), MOST_SHOWN + 1))
    return Occurrences(tuple(found[:MOST_SHOWN]), len(found) > MOST_SHOWN)


def list_owners(position: bytes) -> list[int]:
    """Return the primary keys of the archived matches with a position, the latest filed first.

    Hash collisions add matches without it.
    """
    first = sightings.build_first_entry(position)
    rows = PositionIndex.objects.filter(pk__gt=first, pk__lt=first + sightings.MOST_OWNERS)
    return [pk - first for pk in rows.order_by("-pk").values_list("pk", flat=True)[:MOST_LOOKED_AT]]


def _list_occurrences(user: Viewer, position: bytes, club: Club | None) -> Iterator[Occurrence]:
    numbers = list_owners(position)
    for start in range(0, len(numbers), PORTION):
        some = numbers[start : start + PORTION]
        rows = archive.list_with_facts(user).filter(pk__in=some)
        if club is not None:
            rows = rows.filter(club=club)
        seen = list(rows.order_by("-pk").values_list("pk", flat=True)[: MOST_SHOWN + 1])
        if not seen:
            continue
        packed = ArchivedPositions.objects.filter(archived__in=seen).values_list("archived", "packed")
        places = {pk: tuple(sightings.find_sightings(bytes(each), position)) for pk, each in packed}
        shown = archive.load_relations(ArchivedMatch.objects.filter(pk__in=seen)).order_by("-pk")
        for row in shown:
            if places.get(row.pk):
                yield Occurrence(archive.build_line(row), places[row.pk])
