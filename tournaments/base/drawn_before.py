"""What was drawn of an event the last time: after a result only the rows that it changed are read and drawn again.

A row that the database tells as before is the same object as before, and whatever was made of the same objects is the
same. So a piece is kept with what it was made of, and is right as long as each of these is
the very object it was, or its equal.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, TypeVar

from django.utils.translation import get_language

if TYPE_CHECKING:
    from collections.abc import Callable

    from runtime.kept_rows import KeptRow

T = TypeVar("T")

# In rows of matches and players, of which each takes with all that is drawn of it 3 to 6 KB.
ROOM: Final = 12_000

Made = dict[Any, tuple[tuple[object, ...], Any]]


@dataclass
class Pieces:
    """The rows of an event as they were, what was made of them, and what was drawn of that, in one language."""

    # Who is in: what that was read from, and what it came to.
    entered: tuple[object, dict[int, Any]] = (None, {})
    # The matches by their rows.
    plays: dict[int, KeptRow[Any]] = field(default_factory=dict)
    # What was made, by what it is and of which match.
    made: Made = field(default_factory=dict)
    # What is drawn of the boxes of a picture, by the picture: see draw/drawing/svg.py.
    boxes: dict[str, dict[str, tuple[object, ...]]] = field(default_factory=dict)

    def piece(self, what: tuple[str, str], of: tuple[object, ...], make: Callable[[], T]) -> T:
        """Return what was made of these very objects, or make it."""
        there = self.made.get(what)
        # To compare tuples is to ask first whether each is the same object.
        if there is not None and there[0] == of:
            found: T = there[1]
            return found
        fresh = make()
        self.made[what] = (of, fresh)
        return fresh

    @property
    def size(self) -> int:
        """How many rows there are."""
        return len(self.entered[1]) + len(self.plays)


_kept: Final[OrderedDict[tuple[int, str | None], Pieces]] = OrderedDict()
_lock: Final = Lock()


def of(event: int) -> Pieces:
    """Return what was drawn of an event the last time, in the reader's language."""
    key = (event, get_language())
    with _lock:
        found = _kept.pop(key, None) or Pieces()
        _kept[key] = found
        room = ROOM - found.size
        for other in reversed([*_kept][:-1]):
            room -= _kept[other].size
            if room < 0:
                del _kept[other]
    return found


def forget() -> None:
    """Have everything drawn anew: rows that are rolled back, as after a test, come back as others."""
    with _lock:
        _kept.clear()
