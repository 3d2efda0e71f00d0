"""Extension points of people and clubs: signals for packages above, and hooks that they fill.

Each signal is sent inside the transaction of the change: a receiver either changes its own rows in the same
transaction or raises, which rolls everything back.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.dispatch import Signal

from players.models import Club, Player
from runtime.hooks import Hook, SingleHook, Slot

# --- Signals -----------------------------------------------------------------------------------------------------------------

# kept: Player, dropped: Player, now: datetime. References to `dropped` should change to `kept`. A receiver
# returns the rows that it moved, under its own key, as JSON: {"entries": [...]}.
player_merged: Final = Signal()

# kept: Player, dropped: Player, moved: dict, now: datetime. What was moved should be moved back.
player_unmerged: Final = Signal()

# player: Player, now: datetime. The name, the alias or the choice between them was saved, perhaps unchanged.
player_renamed: Final = Signal()

# player: Player, now: datetime. The name is deleted; receivers delete their copies.
player_erased: Final = Signal()

# club: Club, was: str, now: datetime. The time zone of the club was another; its days begin at other times.
time_zone_changed: Final = Signal()

# --- Pages -------------------------------------------------------------------------------------------------------------------

# At the top of every page of a rehearsal; gets the primary key of the club.
PAGE_REHEARSAL: Final[Slot[int]] = Slot()

# A player's page, with the player's key: buttons at its head, and its cards.
PLAYER_HEAD: Final[Slot[str]] = Slot()
PLAYER_PAGE: Final[Slot[str]] = Slot()

# Further figures beside a player's rating, with the player's key: on the rating card, and above the graph.
RATING_CARD: Final[Slot[str]] = Slot()
RATING_FIGURES: Final[Slot[str]] = Slot()

# --- A person's own data, and their rows -------------------------------------------------------------------------------------

# The sections of a person's export: each gets the player and returns JSON.
EXPORTS: Final[Hook[Callable[[Player], object]]] = Hook()

# Locks taken before the rows of players during merges and erasures; each gets their primary keys. The lock
# order is event, match, players (ADR 6), so the names begin with their position in it.
LOCKS: Final[Hook[Callable[[Collection[int]], object]]] = Hook()
LOCK_EVENTS: Final = "1 events"
LOCK_MATCHES: Final = "2 matches"

# The guest player of a session without an account; None if it has none.
GUEST: Final[SingleHook[Callable[[Mapping[str, Any]], AnonymousUser | None]]] = SingleHook(
    lambda _session: None
)


# --- What players have played, and how strong they are -----------------------------------------------------------------------


@dataclass(slots=True)
class Appearances:
    """The matches and events of players, by primary key."""

    matches: Counter[int] = field(default_factory=Counter)
    events: defaultdict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    last_seen: dict[int, datetime] = field(default_factory=dict)
    # Pairs who have played each other, the lower key first.
    met: set[tuple[int, int]] = field(default_factory=set)

    def see(self, player: int, at: datetime | None, *, matches: int = 0) -> None:
        """Add matches of a player, the last of them at that time."""
        self.matches[player] += matches
        if at is not None:
            self.last_seen[player] = max(at, self.last_seen.get(player, at))

    def meet(self, one: int, other: int) -> None:
        self.met.add((min(one, other), max(one, other)))


# Each gets the primary keys of some players, and adds its data about them.
APPEARANCES: Final[Hook[Callable[[Collection[int], Appearances], object]]] = Hook()


def load_appearances(players: Collection[int]) -> Appearances:
    """Collect from all packages what these players have played."""
    found = Appearances()
    if players:
        for collect in APPEARANCES:
            collect(players, found)
    return found


class ListedRatings(NamedTuple):
    name: str
    # By the player's primary key.
    ratings: Mapping[int, float]


# The list of a club with most rated players; None if there is none.
RATINGS: Final[SingleHook[Callable[[Club], ListedRatings | None]]] = SingleHook(lambda _club: None)
