"""What plugs into people and clubs: signals that packages above receive, and hooks that they add to.

Each signal is sent inside the transaction of the change: a receiver either changes its own rows in the same transaction
or raises, which undoes it all.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.dispatch import Signal

from runtime.hooks import Hook, Single, Slot

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from datetime import datetime

    from django.contrib.auth.models import AnonymousUser

    from players.models import Club, Player

# --- Signals -----------------------------------------------------------------------------------------------------------------

# kept: Player, dropped: Player, now: datetime. What pointed at `dropped` should point at `kept`. A receiver returns what it has
# moved, under a name of its own, in values that JSON knows: {"entries": [...]}.
player_merged: Final = Signal()

# kept: Player, dropped: Player, moved: dict, now: datetime. What was moved then goes back.
player_unmerged: Final = Signal()

# player: Player, now: datetime. The name that pages show is another; nothing else has changed.
player_renamed: Final = Signal()

# player: Player, now: datetime. The name is gone; whoever copied it forgets it too.
player_erased: Final = Signal()

# --- Pages -------------------------------------------------------------------------------------------------------------------

# At the top of every page of a club in which an event is rehearsed; given the primary key of the club.
PAGE_REHEARSAL: Final[Slot[int]] = Slot()

# A player's page, given the player's key: buttons at its head, and its cards.
PLAYER_HEAD: Final[Slot[str]] = Slot()
PLAYER_PAGE: Final[Slot[str]] = Slot()

# More figures beside a player's rating, given the player's key: on the card of the player's page, and above the graph.
RATING_CARD: Final[Slot[str]] = Slot()
RATING_FIGURES: Final[Slot[str]] = Slot()

# --- A person's own data, and their rows -------------------------------------------------------------------------------------

# The sections of a person's export: each is given the player and returns what JSON can hold.
EXPORTS: Final[Hook[Callable[[Player], object]]] = Hook()

# What is locked before the rows of players are, while they are merged or erased; each is given their primary keys. The lock
# order is event, match, players (ADR 6), so the names begin with their place in it.
LOCKS: Final[Hook[Callable[[Collection[int]], object]]] = Hook()
LOCK_EVENTS: Final = "1 events"
LOCK_MATCHES: Final = "2 matches"

# The player of a session in which nobody is signed in; None where it has none.
GUEST: Final[Single[Callable[[Mapping[str, Any]], AnonymousUser | None]]] = Single(lambda _session: None)


# --- What players have played, and how strong they are -----------------------------------------------------------------------


@dataclass(slots=True)
class Appearances:
    """What some players have played, by their primary keys."""

    matches: Counter[int] = field(default_factory=Counter)
    events: defaultdict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    last_seen: dict[int, datetime] = field(default_factory=dict)
    # Which of them have played each other, the lower key first.
    met: set[tuple[int, int]] = field(default_factory=set)

    def see(self, player: int, at: datetime | None, *, matches: int = 0) -> None:
        """Add so many matches of a player, the last of them at that time."""
        self.matches[player] += matches
        if at is not None:
            self.last_seen[player] = max(at, self.last_seen.get(player, at))

    def meet(self, one: int, other: int) -> None:
        """Add that two have played each other."""
        self.met.add((min(one, other), max(one, other)))


# Each is given the primary keys of some players, and adds what it knows of them.
APPEARANCES: Final[Hook[Callable[[Collection[int], Appearances], object]]] = Hook()


def load_appearances(players: Collection[int]) -> Appearances:
    """Ask all packages for what these players have played."""
    found = Appearances()
    if players:
        for collect in APPEARANCES:
            collect(players, found)
    return found


class ListedRatings(NamedTuple):
    """A list of ratings as it stands."""

    name: str
    # By the player's primary key.
    ratings: Mapping[int, float]


# The list of a club that rates most players; None where it has none.
RATINGS: Final[Single[Callable[[Club], ListedRatings | None]]] = Single(lambda _club: None)
