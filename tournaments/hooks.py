"""Extension points of events: signals that packages above receive, and hooks that they fill.

Events work without any of them: a `Hook` may be empty, and a `SingleHook` has a default.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from django.dispatch import Signal

from draw.forecast.room import Room
from players.models import Club, Player, User
from runtime.hooks import Hook, SingleHook, Slot
from tournaments.models import Pairing, Tournament

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

# --- Signals, sent in the transaction of the change; each may be sent twice -----------------------------

# event, now: the event has changed, perhaps its results. Not sent before its start, when there are no
# matches. Receivers only record what follows from it.
event_changed: Final = Signal()

# event, now: only what pages show of an open match has changed: its score, or what a player reports. Receivers
# notify other pages that show it.
open_match_changed: Final = Signal()

# event, like, now: a draft repeats another event. Receivers copy their settings of that event: its room, its
# money.
event_repeated: Final = Signal()

# event, before, now: the start of an event that has not begun has moved; `before` is the old start. Receivers
# move what depends on its day.
event_rescheduled: Final = Signal()

# event, by, now: an event of the demo was announced, and players have entered. Receivers add entry fees and
# the like.
demo_announced: Final = Signal()

# club, event, waiting, by, now: the demo was created, with its events. `event` is running, and its matches
# `waiting` are open and on no board. Receivers add their own data.
demo_built: Final = Signal()

# row, entry, now: the page of an open match was opened with its own code or its table's. `entry` is the entry
# of the browser's player, None if unknown. Receivers may take it as a sign that the players have found their
# table.
match_opened_by_code: Final = Signal()


# --- Places on pages -------------------------------------------------------------------------------------

# The overview of an event, given its key. The page is cached for all visitors: see `runtime.hooks.SlotPart`.
EVENT_PAGE: Final[Slot[str]] = Slot()

# An open match on the event's page, shown to one of its players, given the event's key and a
# `tournaments.pages.viewer_part.ViewerMatch`.
EVENT_MINE: Final[Slot[str, Any]] = Slot()

# The next match of a member on the front page.
HOME_MINE: Final[Slot[[]]] = Slot()

# The director's page of a match, the act of ruling on it, and the acts of correcting it; each given the event
# and the match's key.
EVENT_MATCH: Final[Slot[Tournament, str]] = Slot()
EVENT_RULE: Final[Slot[Tournament, str]] = Slot()
EVENT_CORRECT: Final[Slot[Tournament, str]] = Slot()

# The page of an act, and the page of a draw that is not published yet; each given the event.
EVENT_ACT: Final[Slot[Tournament]] = Slot()
EVENT_DRAW: Final[Slot[Tournament]] = Slot()

# The desk, given the event's key: what the director should look at; the open matches by their tables, given
# also their `tournaments.desk.typed_scores.DeskRow`s; at the bottom, the forecast of the end. Above the tabs
# of the desk, given the event and the tab's name.
DESK_NEEDS: Final[Slot[str]] = Slot()
DESK_ROOM: Final[Slot[str, Any]] = Slot()
DESK_ENDING: Final[Slot[str]] = Slot()
DESK_REHEARSE: Final[Slot[Tournament, str]] = Slot()

# The roster: each entrant's row, given the event and the entrant's number; beside the list, given the event.
ROSTER_ENTRANT: Final[Slot[Tournament, int]] = Slot()
ROSTER_ASIDE: Final[Slot[Tournament]] = Slot()

# A helper's page: each entrant, given the event and the entrant's number; each match, given the event, the
# match (a `tournaments.base.event_view.MatchView`) and the state that the page shows; at the bottom, given the
# event.
HELPING_ENTRANT: Final[Slot[Tournament, int]] = Slot()
HELPING_MATCH: Final[Slot[Tournament, Any, str]] = Slot()
HELPING_EVENT: Final[Slot[Tournament]] = Slot()

# A table in the list of the club's rooms, given the club's slug and the table's key.
ROOM_TABLE: Final[Slot[str, str]] = Slot()


# --- The event's page -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ExtraTab:
    """A tab of an event's page. Its address takes the key of the event.

    The page is cached for all visitors: the model whose rows decide about the tab is an `EventPageRow`.
    """

    address: str
    title: StrPromise
    is_there: Callable[[Tournament], bool]
    # The related row that `is_there` reads, loaded together with the event.
    related: str


TABS: Final[Hook[ExtraTab]] = Hook()


@dataclass(frozen=True, slots=True)
class ExtraPaper:
    address: str
    title: StrPromise
    about: StrPromise
    is_there: Callable[[Tournament], bool]
    # Its address takes the slug of the club, and the event as a query.
    is_of_club: bool = False


PAPERS: Final[Hook[ExtraPaper]] = Hook()


# --- Entries ---------------------------------------------------------------------------------------------


class EntryTicker(Protocol):
    """A service that ticks or unticks entries; idempotent."""

    def __call__(self, *, tournament_id: int, entries: Collection[int], by: User, now: datetime) -> None: ...


@dataclass(frozen=True, slots=True)
class ExtraColumn:
    """A column of the roster's file with a tick for each player."""

    title: StrPromise
    # The titles of such a column in a file, case-folded.
    heads: frozenset[str]
    is_there: Callable[[Tournament], bool]
    # The entries that are ticked, by number.
    ticked: Callable[[Tournament], Collection[int]]
    tick: EntryTicker
    # Takes back what `tick` has recorded, if the list is taken back.
    untick: EntryTicker


ROSTER_COLUMNS: Final[Hook[ExtraColumn]] = Hook()


def list_roster_columns(event: Tournament) -> dict[str, ExtraColumn]:
    return {name: column for name, column in ROSTER_COLUMNS.items() if column.is_there(event)}


# Called with the event locked when a player enters by themselves. Each raises a TournamentError to refuse the
# player.
ENTRY_CONDITIONS: Final[Hook[Callable[[Tournament, Player], None]]] = Hook()

# The entries of an event, by number, about which another package has rows. A merge of two players keeps such an
# entry, and is refused if both players have one and neither is in the draw.
ENTRIES_IN_USE: Final[Hook[Callable[[Tournament], Collection[int]]]] = Hook()

# The chance of the first of two players to win a match of a club, of a length, at a time; None if unknown.
WINNING_CHANCE: Final[SingleHook[Callable[[Club, Player, Player, int, datetime], float | None]]] = SingleHook(
    lambda _club, _one, _other, _length, _now: None
)


# --- Rooms and tables ------------------------------------------------------------------------------------


class Pause(NamedTuple):
    """The beginning and the end of a pause of an event, whose time does not count as played."""

    begun_at: datetime
    ended_at: datetime


@dataclass(frozen=True, slots=True)
class MatchPace:
    """The time that matches take, from their opening to their result."""

    minutes_a_point: float
    # Number of matches of this event that were measured; 0 for the usual pace.
    matches: int = 0

    @property
    def rounded(self) -> int:
        return max(1, round(self.minutes_a_point))


class EventSpace(NamedTuple):
    """Tables, breaks and pace of an event, for its forecast."""

    # Its tables and breaks, and the starts of matches at tables.
    room: Room = Room()
    # The pace at its tables; None if unknown, or without tables.
    pace: MatchPace | None = None
    pauses: tuple[Pause, ...] = ()


UNLIMITED: Final = EventSpace()

# The tables, breaks and pauses of an event, for its forecast; None if all tables of its room are taken or out
# of order.
EVENT_SPACE: Final[SingleHook[Callable[[Tournament], EventSpace | None]]] = SingleHook(
    lambda _event: UNLIMITED
)


class QueuePlace(NamedTuple):
    # The number of matches before it.
    before: int
    # When it is likely to get a table; None if one is free for it, or if that is unknown.
    likely_at: datetime | None


# The place of a match in the queue for a table, by the keys of event and match; None if it does not wait.
QUEUE_PLACE: Final[SingleHook[Callable[[str, str, datetime], QueuePlace | None]]] = SingleHook(
    lambda _event, _match, _now: None
)


@dataclass(frozen=True, slots=True)
class WantedRoom:
    """The room for an event: one of the club's by its key, a new one with so many tables, or none."""

    key: str = ""
    tables: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomProvider:
    """The functions of the package that runs the rooms."""

    # The key and the name of each room of a club.
    list_rooms: Callable[[Club], list[tuple[str, str]]]
    # The key of an event's room, or without an event of the room of the club's last event; "" if there is
    # none.
    find_usual: Callable[[Club, Tournament | None], str]
    # Called as assign(event, wanted, by, now), within a transaction; may raise a Refusal.
    assign: Callable[[Tournament, WantedRoom, User, datetime], None]


# None if no package runs rooms.
ROOMS: Final[SingleHook[RoomProvider | None]] = SingleHook(None)


class TableFinder(NamedTuple):
    """The functions of the package that knows the tables, which are given by their keys."""

    # The primary key of the match that is played there now.
    match_at: Callable[[str], int | None]
    # The label of a table of a club, by primary key of the club; "" if there is no such table.
    label: Callable[[int, str], str]
    # The primary key of the event that is played there, or that is next; the code of the table is valid until
    # its end.
    event_at: Callable[[str], int | None]


TABLES: Final[SingleHook[TableFinder]] = SingleHook(
    TableFinder(lambda _table: None, lambda _club, _table: "", lambda _table: None)
)


# --- Codes and score sheets of matches at tables ----------------------------------------------------------


class CodedMatch(Protocol):
    """A match: a row, or an object with the same attributes."""

    @property
    def pk(self) -> int: ...
    @property
    def a_id(self) -> int | None: ...
    @property
    def b_id(self) -> int | None: ...
    @property
    def deadline_at(self) -> datetime | None: ...


class TypedLetters(NamedTuple):
    """Letters to type instead of an address, and their expiry."""

    letters: str
    until: datetime


class CodeMaker(NamedTuple):
    """The functions that make the addresses behind codes: paths of this site that expire.

    `tournaments.base.codes` calls them.
    """

    of_match: Callable[[CodedMatch, datetime], str]
    of_table: Callable[[str, datetime, int | None], str]
    shorten: Callable[[Collection[str], datetime, datetime], Mapping[str, TypedLetters]]


CODES: Final[SingleHook[CodeMaker]] = SingleHook(
    CodeMaker(
        lambda _match, _now: "", lambda _table, _now, _event_id: "", lambda _addresses, _begins, _now: {}
    )
)


class ResumePosition(NamedTuple):
    """A position from which a match continues: as stored, its score, and whose turn it is, "a" or "b"."""

    position: str
    score: tuple[int, int]
    turn: str


class ScoreSheetProvider(NamedTuple):
    """The functions of the package that keeps score sheets, for matches not played on an online board."""

    # The position of a match for an XGID; raises BadPosition, and OtherScore if the match was never at its
    # score.
    plays_on: Callable[[Pairing, str], ResumePosition | None]
    # The path of the sheet of a match, "" if it has none.
    address: Callable[[Pairing], str]
    # The ids of the matches whose two players keep a sheet, and have not adjourned it.
    list_kept: Callable[[Sequence[Pairing]], set[int]]
    # The games on the sheet of a match, as `Pairing.games` stores them.
    list_games: Callable[[Pairing], list[dict[str, Any]]]


SCORE_SHEETS: Final[SingleHook[ScoreSheetProvider]] = SingleHook(
    ScoreSheetProvider(lambda _row, _position: None, lambda _row: "", lambda _rows: set(), lambda _row: [])
)
