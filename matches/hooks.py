"""Extension points of matches: signals that packages above receive, and hooks that they add to."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

from django.apps import apps
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.dispatch import Signal

from engine.match import Match
from engine.record import Record
from engine.rules import Rules
from engine.side import BySide, Side
from matches.models import Match as Row
from matches.state.commands import Command
from players.models import User
from runtime.hooks import Hook, SingleHook, Slot

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Viewer = User | AnonymousUser

# --- Signals: sent after the commit, with a match id, and possibly twice -----------------------------------

# match_id, row: both players have joined and play begins.
match_begun: Final = Signal()
# match_id, row: a result was recorded.
match_finished: Final = Signal()
# match_id, row: a result was withdrawn.
match_reopened: Final = Signal()
# key, now: the facts of a recorded match have changed; unlike the others, sent before the commit.
record_changed: Final = Signal()
# match_id, row, due: the side to act has changed.
match_due: Final = Signal()


# --- Pages --------------------------------------------------------------------------------------------------

# Given the match key: below the board (players only), and beside it.
MATCH_FOOT: Final[Slot[str]] = Slot()
MATCH_SIDE: Final[Slot[str]] = Slot()

# Given a `matches.journal.replays.ReplaySubject`: below the board of a replay. The last one is for sharing a
# position and is given its XGID.
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


class DecisionRequest(NamedTuple):
    # Match key, and sequence number of the last journal line.
    key: str
    head: int
    match: Match
    side: Side


@dataclass(frozen=True, slots=True)
class Mind:
    """A decision maker for a bot: its function, name and strength."""

    # As in `Bot.mind`.
    name: str
    # The bot's slug, which forms send as the level, and its player name.
    slug: str
    player: str
    # Rank among all minds, from 1.
    rank: int
    title: StrOrPromise
    # Approximate performance rating (PR).
    pr: float
    decide: Callable[[DecisionRequest], Command | None]
    # Decides within milliseconds in this process, so it may be called while a match is locked.
    is_quick: bool = True
    # Why it is unavailable here; "" if it is available.
    why_not: Callable[[], StrOrPromise] = lambda: ""
    # Why it does not support these rules; "" if it does.
    why_no_rules: Callable[[Rules], StrOrPromise] = lambda _rules: ""


# `matches.bots.minds` finds and ranks them.
MINDS: Final[Hook[Mind]] = Hook()


class Reviewer(NamedTuple):
    """Functions of a package that reviews a person's decisions before the bot moves, such as a tutor."""

    # True if the bot has to wait. Called while the match is locked.
    holds: Callable[[Row], bool]
    # Reviews the last decision, given the match id; called without any lock.
    review: Callable[[int], object]
    # Matches in which the person has to respond first: sweeps skip them.
    waits: Q
    # All matches under review. Practice without a tutor never resumes one of these.
    matches: Q


REVIEWERS: Final[Hook[Reviewer]] = Hook()


# --- Recorded matches: not played here; a package above stores their facts ---------------------------------


@dataclass(frozen=True, slots=True)
class RecordedMatch:
    key: str
    # Hash of all that determines its facts: its bytes and the evidence of the preceding part.
    sha256: str
    names: BySide[str]
    # 0 in money play.
    length: int
    winner: Side | None


class PlayedRecord(NamedTuple):
    """A record of a match, or of a part of one, of a local player; it agrees with the official result."""

    key: str
    sha256: str
    side: Side
    # End of the match, and acceptance of its record.
    played_at: datetime | None
    kept_at: datetime
    # Key of the match that it records: a match in two files has two records.
    match: str


class RecordKeeper(NamedTuple):
    # None if there is no accepted record of this key.
    find: Callable[[str], RecordedMatch | None]
    facts: Callable[[str], Record]
    # A `matches.journal.replays.Replay`.
    replay: Callable[[str], Any]
    # The URL of its replay for this viewer; "" if they may not see it.
    address: Callable[[Viewer, str], str]
    # Rows of the accepted records, with their `key`; with a time, only those accepted since.
    standing: Callable[[Any], QuerySet[Any]]
    # Records of these players' matches, parts of a match in order; with a viewer, only those visible to them.
    of_players: Callable[[Collection[int], Viewer | None], list[PlayedRecord]]

    def find_visible(self, user: Viewer, key: str) -> RecordedMatch | None:
        return self.find(key) if self.address(user, key) else None


def _find_no_record(key: str) -> NoReturn:
    raise LookupError(f"no package keeps the record {key}")


RECORDS: Final[SingleHook[RecordKeeper]] = SingleHook(
    RecordKeeper(
        find=lambda _key: None,
        facts=_find_no_record,
        replay=_find_no_record,
        address=lambda _viewer, _key: "",
        standing=lambda _since: apps.get_model("matches.Match").objects.none(),
        of_players=lambda _players, _viewer: [],
    )
)
