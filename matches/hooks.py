"""What plugs into a match: signals that packages above receive, and hooks that they add to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.dispatch import Signal

from runtime.hooks import Hook, Single, Slot

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from datetime import datetime

    from django.contrib.auth.models import AnonymousUser
    from django.db.models import Q, QuerySet
    from django_stubs_ext import StrOrPromise

    from engine.match import Match
    from engine.record import Record
    from engine.rules import Rules
    from engine.side import BySide, Side
    from matches.models import Match as Row
    from matches.state.commands import Command
    from players.models import User

    Viewer = User | AnonymousUser

# --- Signals: sent after the commit, with a match id, and possibly twice -----------------------------------

# match_id, row: both sit at the board, and play begins.
match_begun: Final = Signal()
# match_id, row: a result stands.
match_finished: Final = Signal()
# match_id, row: a result that stood does not any more.
match_reopened: Final = Signal()
# key, now: the facts of a recorded match have changed; unlike the others, sent before the commit.
record_changed: Final = Signal()
# match_id, row, due: the match waits for somebody else than before.
match_due: Final = Signal()


# --- Pages --------------------------------------------------------------------------------------------------

# A match at the board, given its key: below the board, for its players only, and beside it.
MATCH_FOOT: Final[Slot[str]] = Slot()
MATCH_SIDE: Final[Slot[str]] = Slot()

# A replay, given its `matches.journal.replays.ReplaySubject`: beside the board, below it, and where a position is shared, given
# its XGID.
REPLAY_BESIDE: Final[Slot[Any]] = Slot()
REPLAY_UNDER: Final[Slot[Any]] = Slot()
REPLAY_SHARE: Final[Slot[str]] = Slot()

# The lobby: buttons at its head, and beside the bots.
LOBBY_HEAD: Final[Slot[[]]] = Slot()
LOBBY_PRACTICE: Final[Slot[[]]] = Slot()

# A position, given its XGID: found in the archive of records, and on the page of its analysis.
ARCHIVE_POSITION: Final[Slot[str]] = Slot()
POSITION_BESIDE: Final[Slot[str]] = Slot()

# The front page: a card for members; at its head for visitors, where it is cached.
HOME_DAILY: Final[Slot[[]]] = Slot()
HOME_HERO: Final[Slot[[]]] = Slot()


# --- Bots ---------------------------------------------------------------------------------------------------


class Thought(NamedTuple):
    """The question to a mind: what *side* does in a match."""

    # The match's key, and the number of the last line of its journal.
    key: str
    head: int
    match: Match
    side: Side


@dataclass(frozen=True, slots=True)
class Mind:
    """Something that decides for a bot."""

    # As in `Bot.mind`.
    name: str
    # Of the bot that plays by it: in addresses, and as the player is called.
    slug: str
    player: str
    # Among all minds, from 1.
    rank: int
    title: StrOrPromise
    # About which PR it plays.
    pr: float
    decide: Callable[[Thought], Command | None]
    # It answers within milliseconds, from this process: it may be asked while a match is locked.
    is_quick: bool = True
    # Why nobody can play against it here; "" where they can.
    why_not: Callable[[], StrOrPromise] = lambda: ""
    # Why it does not know these rules; "" where it does.
    why_no_rules: Callable[[Rules], StrOrPromise] = lambda _rules: ""


# `matches.bots.minds` finds and ranks them.
MINDS: Final[Hook[Mind]] = Hook()


class Look(NamedTuple):
    """A package that looks at what a person has played before the bot answers: a tutor."""

    # Must the bot wait? Asked while the match is locked.
    holds: Callable[[Row], bool]
    # Look, without any lock.
    look: Callable[[int], object]
    # The matches in which the person has to answer first: no sweep need wake their bots.
    waits: Callable[[], Q]
    # All the matches in which it looks. Who practises without it goes on with none of these.
    matches: Callable[[], Q]


LOOKS: Final[Hook[Look]] = Hook()


# --- Recorded matches: not played on a board of ours, their facts kept by a package above -------------------


@dataclass(frozen=True, slots=True)
class RecordedMatch:
    """A match of which there is a record that stands."""

    key: str
    # Hash of what determines its facts: its bytes, and what the part of the match before it proves.
    sha256: str
    names: BySide[str]
    # 0 in unlimited play.
    length: int
    winner: Side | None


class PlayedRecord(NamedTuple):
    """A recorded match of a player of ours, which ended as the result that stands, or a part of it."""

    key: str
    sha256: str
    side: Side
    # When the match was over, and since when its record stands.
    played_at: datetime | None
    kept_at: datetime
    # The key of the match that it records: a match in two files has two of these.
    match: str


class RecordKeeper(NamedTuple):
    """The functions of the package that keeps recorded matches. `matches.watch.recorded` calls them."""

    # None where there is none of this key, or its record does not stand.
    find: Callable[[str], RecordedMatch | None]
    facts: Callable[[str], Record]
    # A `matches.journal.replays.Replay`.
    replay: Callable[[str], Any]
    # Where this person watches it again; "" where they may not.
    address: Callable[[Viewer, str], str]
    # The rows of those that stand, with their `key`: all of them, or those since then.
    standing: Callable[[Any], QuerySet[Any]]
    # Of these players' matches, the parts of one match after each other; with a viewer, those that this person may see.
    of_players: Callable[[Collection[int], Viewer | None], list[PlayedRecord]]


# None if no package keeps records.
RECORDS: Final[Single[RecordKeeper | None]] = Single(None)
