"""Who looks at a match, and what they get to see of it: one place answers for snapshots, lists and streams.

The two players and the directors of the match's club see it as it is. Everybody else sees it as it was
`terms.delay` ago, until it is over. Of a private match nobody else sees anything.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from django.http import Http404

from engine.side import Side
from matches.journal import journal, live
from matches.models import Match, Room
from matches.play import sources
from matches.play.visiting import VisitingUser
from matches.state.status import ENDED
from players.models import User
from runtime import stream
from runtime.stream import Watch

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.contrib.auth.models import AnonymousUser

    from matches.state.match_state import MatchState

# A page of a player reads the seat, of a spectator the gallery: so it is known who is there.
SEAT: Final = "seat"
GALLERY: Final = "gallery"
PRESENCE: Final = "presence"
CHAT: Final = "chat"


class Role(StrEnum):
    """As what somebody looks at a match."""

    PLAYER = "player"
    DIRECTOR = "director"
    SPECTATOR = "spectator"


@dataclass(frozen=True, slots=True)
class View:
    """A match and somebody who may look at it."""

    row: Match
    role: Role
    side: Side | None = None
    # Without an account one sees the board and hears nobody.
    has_account: bool = False

    @property
    def waits(self) -> bool:
        """Is the match shown later than it is played?"""
        return self.role is Role.SPECTATOR and bool(self.row.terms.get("delay", 0))

    @property
    def reads(self) -> tuple[Room, ...]:
        """The rooms whose talk may be read: one's own, and by the players afterwards what was said about them."""
        if not self.row.terms.get("has_chat", True) or not self.has_account:
            return ()
        if self.role is Role.SPECTATOR:
            return (Room.GALLERY,)
        hears_all = self.role is Role.DIRECTOR or self.row.status in ENDED
        return (Room.PLAYERS, Room.GALLERY) if hears_all else (Room.PLAYERS,)

    @property
    def writes(self) -> tuple[Room, ...]:
        """The rooms in which one may talk."""
        if self.role is Role.DIRECTOR:
            return self.reads
        own = Room.PLAYERS if self.role is Role.PLAYER else Room.GALLERY
        return tuple(room for room in self.reads if room is own)

    @property
    def frames(self) -> str:
        """The stream that carries the match itself."""
        key = self.row.key
        return sources.delayed_topic(key) if self.waits else live.topic(key)

    @property
    def topics(self) -> tuple[str, ...]:
        """Every other stream to read."""
        key, found = self.row.key, [presence_topic(self.row.key)]
        if self.side is not None:
            found.append(seat_topic(key, self.side))
        elif self.role is Role.SPECTATOR:
            found.append(gallery_topic(key))
        return (*found, *(chat_topic(key, room) for room in self.reads))

    @property
    def readable(self) -> frozenset[str]:
        """Every stream that may be read: also as a spectator, for who puts the match on a wall."""
        key = self.row.key
        found = {self.frames, *self.topics, sources.delayed_topic(key), gallery_topic(key)}
        return frozenset(found | ({live.topic(key)} if self.row.status in ENDED else set()))


def find(key: str, user: User | AnonymousUser) -> View | None:
    """Return the match of this key as this person sees it, or None if they may not know of it."""
    row = Match.objects.select_related("white", "black", "club").filter(key=key).first()
    return None if row is None else view(row, user)


def get_or_404(key: str, user: User | AnonymousUser) -> View:
    """Return the match of this key as this person sees it.

    :raises Http404: there is none that this person may know of.
    """
    seen = find(key, user)
    if seen is None:
        raise Http404
    return seen


def view(row: Match, user: User | AnonymousUser) -> View | None:
    """Return how this person sees the match, or None if they may not know of it."""
    return view_of(row, user, directs=lambda: user.has_perm("matches.adjudicate", row))


def view_of(row: Match, user: User | AnonymousUser, *, directs: Callable[[], bool]) -> View | None:
    """Return how this person sees the match, where the caller knows who directs."""
    if isinstance(user, VisitingUser) and (seat := user.side_in(row)) is not None:
        return View(row, Role.PLAYER, seat)
    if not isinstance(user, User):
        return None if row.is_private else View(row, Role.SPECTATOR)
    side = _side(row, user)
    if side is not None:
        return View(row, Role.PLAYER, side, has_account=True)
    if directs():
        return View(row, Role.DIRECTOR, has_account=True)
    return None if row.is_private else View(row, Role.SPECTATOR, has_account=True)


def _side(row: Match, user: User) -> Side | None:
    if row.white.user_id == user.pk:
        return Side.WHITE
    return Side.BLACK if row.black.user_id == user.pk else None


def state_for(seen: View, *, now: datetime) -> MatchState:
    """Return the match as this person may see it."""
    return sources.shown(seen.row, now=now) if seen.waits else journal.load(seen.row)


def as_shown(row: Match, user: User | AnonymousUser, *, now: datetime) -> Match:
    """Return a row of a list with nothing in it that this person should only see later; not to be saved."""
    if not row.terms.get("delay", 0) or row.status in ENDED:
        return row
    seen = view(row, user)
    if seen is not None and not seen.waits:
        return row
    shown = copy(row)
    for name, value in journal.cached(row, sources.shown(row, now=now)).items():
        setattr(shown, name, value)
    return shown


def token(seen: View, shown: MatchState, *, holder: str) -> str:
    """Return the permission to read on from what was shown."""
    return stream.token([Watch(((seen.frames, shown.head),)), *seen.topics], who=holder)


def presence_topic(key: str) -> str:
    """Return the stream that says who is at the board, and how many look on."""
    return f"{PRESENCE}.{key}"


def seat_topic(key: str, side: Side) -> str:
    """Return the stream that a player reads to be seen at the board; nothing is told there."""
    return f"{SEAT}.{key}.{side.word}"


def gallery_topic(key: str) -> str:
    """Return the stream that a spectator reads to be counted; nothing is told there."""
    return f"{GALLERY}.{key}"


def chat_topic(key: str, room: Room) -> str:
    """Return the stream of what is said in a room."""
    return f"{CHAT}.{key}.{room.value}"
