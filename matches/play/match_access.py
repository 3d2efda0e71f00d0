"""Access of viewers to a match: the single source for snapshots, lists and streams.

The players and the directors of the match's club see it live. All others see it with a delay of
`terms.delay` until it is over. They see nothing of private matches.
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
from matches.play.visitor_sessions import VisitingUser
from matches.state.status import ENDED
from players.models import User
from runtime import stream
from runtime.rows import find_row
from runtime.stream import TopicPositions

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from django.contrib.auth.models import AnonymousUser

    from matches.state.match_state import MatchState

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
    """A match as one viewer sees it."""

    row: Match
    role: Role
    side: Side | None = None
    # Viewers without an account have no access to chat.
    has_account: bool = False

    @property
    def waits(self) -> bool:
        """True if the match is shown with a delay."""
        return self.role is Role.SPECTATOR and bool(self.row.terms.get("delay", 0))

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
        """The topic of the match itself."""
        key = self.row.key
        return sources.get_delayed_topic(key) if self.waits else live.get_topic(key)

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
        key = self.row.key
        found = {self.frames, *self.topics, sources.get_delayed_topic(key), get_gallery_topic(key)}
        return frozenset(found | ({live.get_topic(key)} if self.row.status in ENDED else set()))


def find_view(key: str, user: User | AnonymousUser) -> View | None:
    """Return the match as the user sees it, or None if it is not visible to them."""
    row = find_row(Match.objects.select_related("white", "black", "club").filter(key=key))
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
    """Return the user's view of the match, or None if it is not visible to them."""
    return build_view(row, user, directs=lambda: user.has_perm("matches.adjudicate", row))


def build_view(row: Match, user: User | AnonymousUser, *, directs: Callable[[], bool]) -> View | None:
    """Like `load_view`, with the director check supplied by the caller."""
    if isinstance(user, VisitingUser) and (seat := user.side_in(row)) is not None:
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


def load_state(seen: View, *, now: datetime) -> MatchState:
    """Return the state that this viewer may see."""
    return sources.load_shown_state(seen.row, now=now) if seen.waits else journal.load(seen.row)


def copy_as_shown(row: Match, user: User | AnonymousUser, *, now: datetime) -> Match:
    """Return the row, or a copy, as this user may see it now; a copy must not be saved."""
    if not row.terms.get("delay", 0) or row.status in ENDED:
        return row
    seen = load_view(row, user)
    if seen is not None and not seen.waits:
        return row
    shown = copy(row)
    for name, value in journal.build_columns(row, sources.load_shown_state(row, now=now)).items():
        setattr(shown, name, value)
    return shown


def create_token(seen: View, shown: MatchState, *, holder: str) -> str:
    """Return a stream token from the shown state on."""
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
