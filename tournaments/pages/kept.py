"""What everybody is shown alike, members too, is read once and kept in this process while its mark says the same.

The marks are those of public pages (`page_versions`, ADR 48); nothing that is kept here depends on who is looking.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from django.utils.translation import get_language

from runtime.value_cache import ValueCache

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from datetime import datetime

T = TypeVar("T")

# Counted in matches and lines of lists, of which each takes 2 to 3 KB.
ROOM: Final = 16_000
# An event of 1,024 with last chance is 4,100 of them, and what reading it costs is most of what a page of it does.
LARGEST: Final = 5_000
CACHE: Final = ValueCache(ROOM, LARGEST)


def value(
    *key: Hashable,
    mark: Hashable,
    make: Callable[[], T],
    now: datetime,
    until: Callable[[], datetime] | None = None,
    size: Callable[[T], int],
) -> T:
    """Return what was made under *key* in the reader's language, or make it; *mark* was read before."""
    return CACHE.value((*key, get_language()), mark, make, now=now, until=until, size=size)
