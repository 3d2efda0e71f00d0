"""Signed codes on paper and on screens, for those who need no account: the door of an event, a match, a table.

Nobody else can make one, and each is good until the beginning of a day, so that a page shows the same code all day long. Short, for the
squares of a QR code are to be large: "m12-34-35-20412", and a signature.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

from django.core.signing import BadSignature, Signer

if TYPE_CHECKING:
    from tournaments.hooks import CodedMatch

SALT: Final = "records.codes"
DOOR_SALT: Final = "tournaments.door"
MATCH: Final = "m"
TABLE: Final = "t"
# A table's code for matches of one event.
EVENT_TABLE: Final = "e"
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
DAY: Final = timedelta(days=1)
# After tonight, and after the deadline of a match that is played at home.
MATCH_LASTS: Final = DAY
# A table's code ends with its event; after this also if the event never does.
TABLE_LASTS: Final = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class DoorCode:
    """The door of an event."""

    event_id: int
    until: datetime


@dataclass(frozen=True, slots=True)
class MatchCode:
    """A match, and the two it was made for."""

    pairing_id: int
    seats: tuple[int, int]
    until: datetime


@dataclass(frozen=True, slots=True)
class TableCode:
    """A table during an event, whoever plays there: a card for the room, or for that event alone."""

    table: str
    event_id: int
    until: datetime
    is_for_event: bool = False

    @property
    def printed(self) -> datetime:
        """The end of the day on which it was made."""
        return self.until - TABLE_LASTS


def of_door(event_id: int, starts_at: datetime, now: datetime) -> str:
    """Return the code at the door of an event: it lasts as that of a match which is played when the event starts."""
    return _signer(DOOR_SALT).sign(f"{event_id}-{_day_after(max(starts_at, now) + MATCH_LASTS)}")


def read_door(code: str) -> DoorCode | None:
    """Return what a code at a door says, whether it is still good or not; None: it is none of ours."""
    try:
        event, until = map(int, _signer(DOOR_SALT).unsign(code).split("-"))
    except (BadSignature, ValueError):
        return None
    return DoorCode(event, EPOCH + until * DAY)


def of_match(match: CodedMatch, now: datetime) -> str:
    """Return the code of a match."""
    until = _day_after(max(now, match.deadline_at or now) + MATCH_LASTS)
    return _signer().sign(f"{MATCH}{match.pk}-{match.a_id}-{match.b_id}-{until}")


def of_table(key: str, event_id: int, now: datetime, *, is_for_event: bool = False) -> str:
    """Return the code of a table during an event, for the room or for the matches of that event alone."""
    kind = EVENT_TABLE if is_for_event else TABLE
    return _signer().sign(f"{kind}{key}-{event_id}-{_day_after(now + TABLE_LASTS)}")


def end_of_evening(when: datetime) -> datetime:
    """Return until when the code of a match that is played on that evening is good."""
    return EPOCH + _day_after(when + MATCH_LASTS) * DAY


def read(code: str) -> MatchCode | TableCode | None:
    """Return what a code of a match or a table says, whether it is still good or not; None: it is none of ours."""
    try:
        said = _signer().unsign(code)
    except BadSignature:
        return None
    kind, parts = said[:1], said[1:].split("-")
    until = EPOCH + int(parts[-1]) * DAY
    if kind in {TABLE, EVENT_TABLE}:
        # Codes that were printed before they had an event have none that is open.
        return TableCode(parts[0], int(parts[1]) if len(parts) > 2 else 0, until, kind == EVENT_TABLE)
    pairing, a, b = map(int, parts[:-1])
    return MatchCode(pairing, (a, b), until)


def in_path(path: str) -> str:
    """Return the code at the end of its address."""
    return path.rstrip("/").rpartition("/")[2]


def until(address: str) -> datetime:
    """Return until when the code of an address is good.

    :raises LookupError: there is none.
    """
    said = read(in_path(address))
    if said is None:
        raise LookupError(address)
    return said.until


def _day_after(when: datetime) -> int:
    """Return the first day that begins after that, counted from the epoch."""
    return (when - EPOCH) // DAY + 1


def _signer(salt: str = SALT) -> Signer:
    return Signer(salt=salt, sep="~")
