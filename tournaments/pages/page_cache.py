"""In-process cache of values that are the same for all viewers, validated by a version key.

The version keys are those of public pages (`page_versions`, ADR 48).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from datetime import datetime
from typing import Final, TypeVar

from django.utils.translation import get_language

from runtime.versioned_cache import VersionedCache

T = TypeVar("T")

# The size of the cache in matches and list rows; each takes 2 to 3 KB.
ROOM: Final = 16_000
# The size of the largest entry: an event of 1,024 players with last chance has 4,100 rows. Reading them takes
# most of the time of a page.
LARGEST: Final = 5_000
CACHE: Final = VersionedCache(ROOM, LARGEST)


def get_or_compute(
    *key: Hashable,
    mark: Hashable,
    make: Callable[[], T],
    now: datetime,
    until: Callable[[], datetime] | None = None,
    size: Callable[[T], int],
) -> T:
    """Return the cached value for *key* and the current language, or compute it.

    *mark* is its version key, which the caller has read before.
    """
    return CACHE.value((*key, get_language()), mark, make, now=now, until=until, size=size)
