"""Access of viewers to a match: the single source for snapshots, lists and streams.

Private matches are visible only to the players and the directors of the match's club.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.http import Http404

from engine.side import Side
from matches.journal import journal, live
from matches.models import Match, Room
from matches.play.visitor_sessions import VisitingUser
from matches.state.match_state import MatchState
from matches.state.status import ENDED
from players.models import User
from runtime import stream
from runtime.stream import TopicPositions

# Players' pages read the seat topic, spectators' the gallery topic, which makes them countable.
SEAT: Final = "seat"
GALLERY: Final = "gallery"
PRESENCE: Final = "presence"
CHAT: Final = "chat"


class Role(StrEnum):
    PLAYER = "player"
    DIRECTOR = "director"
    SPECTATOR = "spectator"


@dataclass(frozen=True, slots=True)
class View:
    row: Match
    role: Role
    side: Side | None = None
    # Viewers without an account have no access to chat.
    has_account: bool = False

    @property
    def reads(self) -> tuple[Room, ...]:
        """The readable rooms; players may read the spectators' room after the match."""
        if not self.row.terms.get("has_chat", True) or not self.has_account:
            return ()
        if self.role is Role.SPECTATOR:
            return (Room.GALLERY,)
        hears_all = self.role is Role.DIRECTOR or self.row.status in ENDED
        return (Room.PLAYERS, Room.GALLERY) if hears_all else (Room.PLAYERS,)

    @property
    def writes(self) -> tuple[Room, ...]:
        if self.role is Role.DIRECTOR:
            return self.reads
        own = Room.PLAYERS if self.role is Role.PLAYER else Room.GALLERY
        return tuple(room for room in self.reads if room is own)

    @property
    def frames(self) -> str:
        return live.get_topic(self.row.key)

    @property
    def topics(self) -> tuple[str, ...]:
        """All other topics of the page."""
        key, found = self.row.key, [get_presence_topic(self.row.key)]
        if self.side is not None:
            found.append(get_seat_topic(key, self.side))
        elif self.role is Role.SPECTATOR:
            found.append(get_gallery_topic(key))
        return (*found, *(get_chat_topic(key, room) for room in self.reads))

    @property
    def readable(self) -> frozenset[str]:
        """All readable topics, including those of spectators, for screens showing the match."""
        return frozenset((self.frames, *self.topics, get_gallery_topic(self.row.key)))


def find_view(key: str, user: User | AnonymousUser) -> View | None:
    row = Match.objects.select_related("white", "black", "club").filter(key=key).first()
    return None if row is None else load_view(row, user)


def get_or_404(key: str, user: User | AnonymousUser) -> View:
    """Return the match as the user sees it.

    :raises Http404: there is no such match, or the caller may not know of it.
    """
    seen = find_view(key, user)
    if seen is None:
        raise Http404
    return seen


def load_view(row: Match, user: User | AnonymousUser) -> View | None:
    return build_view(row, user, directs=lambda: user.has_perm("matches.adjudicate", row))


def build_view(row: Match, user: User | AnonymousUser, *, directs: Callable[[], bool]) -> View | None:
    """Like `load_view`, with the director check supplied by the caller."""
    if isinstance(user, VisitingUser) and (seat := journal.find_side(row, user.player.pk)) is not None:
        return View(row, Role.PLAYER, seat)
    if not isinstance(user, User):
        return None if row.is_private else View(row, Role.SPECTATOR)
    side = _find_side(row, user)
    if side is not None:
        return View(row, Role.PLAYER, side, has_account=True)
    if directs():
        return View(row, Role.DIRECTOR, has_account=True)
    return None if row.is_private else View(row, Role.SPECTATOR, has_account=True)


def _find_side(row: Match, user: User) -> Side | None:
    if row.white.user_id == user.pk:
        return Side.WHITE
    return Side.BLACK if row.black.user_id == user.pk else None


def create_token(seen: View, shown: MatchState, *, holder: str) -> str:
    return stream.create_token([TopicPositions(((seen.frames, shown.head),)), *seen.topics], who=holder)


def get_presence_topic(key: str) -> str:
    """Return the topic of presence and spectator counts."""
    return f"{PRESENCE}.{key}"


def get_seat_topic(key: str, side: Side) -> str:
    """Return the topic that marks a player as present; it has no events."""
    return f"{SEAT}.{key}.{side.word}"


def get_gallery_topic(key: str) -> str:
    """Return the topic that counts spectators; it has no events."""
    return f"{GALLERY}.{key}"


def get_chat_topic(key: str, room: Room) -> str:
    return f"{CHAT}.{key}.{room.value}"
