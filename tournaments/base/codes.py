"""Signed codes for people without an account: for the door of an event, a match or a table; and their addresses.

A code is valid until the beginning of a day, so that pages show the same code all day. It is short, for large
squares in its QR code: "m12-34-35-20412" and a signature. Packages above make the addresses (ADR 90). If
an address is "", slips and screens show no code.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from django.core.signing import BadSignature, Signer

from tournaments import hooks
from tournaments.hooks import CodedMatch, TypedLetters

SALT: Final = "records.codes"
DOOR_SALT: Final = "tournaments.door"
MATCH: Final = "m"
TABLE: Final = "t"
# The kind of a table's code that is only for the matches of one event.
EVENT_TABLE: Final = "e"
EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
DAY: Final = timedelta(days=1)
# The code of a match is valid this long after it was made, or after the deadline of the match if that is
# later.
MATCH_LASTS: Final = DAY
# The code of a table expires with its event; at the latest after this time.
TABLE_LASTS: Final = timedelta(days=30)


def build_match_address(match: CodedMatch, *, now: datetime) -> str:
    """Return the address for the two players of a match; "" without both, or if no package makes codes."""
    return "" if None in (match.a_id, match.b_id) else hooks.CODES.get().of_match(match, now)


def build_table_address(key: str, *, now: datetime, event_id: int | None = None) -> str:
    """Return the address of the match that is played at a table; "" if no event is open.

    *event_id*: only for matches of this event.
    """
    return hooks.CODES.get().of_table(key, now, event_id)


def shorten_addresses(
    addresses: Collection[str], *, begins: datetime, now: datetime
) -> Mapping[str, TypedLetters]:
    """Return the letters to type instead of each address; *begins* is the start of the event."""
    return hooks.CODES.get().shorten(addresses, begins, now) if addresses else {}


@dataclass(frozen=True, slots=True)
class DoorCode:
    event_id: int
    until: datetime


@dataclass(frozen=True, slots=True)
class MatchCode:
    """A match with the two entries for which the code was made."""

    pairing_id: int
    seats: tuple[int, int]
    until: datetime


@dataclass(frozen=True, slots=True)
class TableCode:
    """The code of a table during an event.

    It opens the matches of the event, and unless `is_for_event` also those of the next events in the room.
    """

    table: str
    event_id: int
    until: datetime
    is_for_event: bool = False

    @property
    def printed(self) -> datetime:
        """The end of the day on which the code was made."""
        return self.until - TABLE_LASTS


def build_door_code(event_id: int, starts_at: datetime, now: datetime) -> str:
    """Return the code of an event's door, valid until the end of the day after its start, or after today."""
    return _build_signer(DOOR_SALT).sign(
        f"{event_id}-{_compute_day_after(max(starts_at, now) + MATCH_LASTS)}"
    )


def parse_door_code(code: str) -> DoorCode | None:
    """Parse the code of a door, valid or expired; None if the signature is wrong."""
    try:
        event, until = map(int, _build_signer(DOOR_SALT).unsign(code).split("-"))
    except (BadSignature, ValueError):
        return None
    return DoorCode(event, EPOCH + until * DAY)


def build_match_code(match: CodedMatch, now: datetime) -> str:
    until = _compute_day_after(max(now, match.deadline_at or now) + MATCH_LASTS)
    return _build_signer().sign(f"{MATCH}{match.pk}-{match.a_id}-{match.b_id}-{until}")


def build_table_code(key: str, event_id: int, now: datetime, *, is_for_event: bool = False) -> str:
    """Return the code of a table during an event, for its room or for the matches of that event alone."""
    kind = EVENT_TABLE if is_for_event else TABLE
    return _build_signer().sign(f"{kind}{key}-{event_id}-{_compute_day_after(now + TABLE_LASTS)}")


def compute_evening_expiry(when: datetime) -> datetime:
    """Return the expiry of the code of a match that is played in the evening of *when*."""
    return EPOCH + _compute_day_after(when + MATCH_LASTS) * DAY


def parse_code(code: str) -> MatchCode | TableCode | None:
    """Parse the code of a match or a table, valid or expired; None if the signature is wrong."""
    try:
        fields = _build_signer().unsign(code)
    except BadSignature:
        return None
    kind, (*parts, day) = fields[:1], fields[1:].split("-")
    until = EPOCH + int(day) * DAY
    if kind in {TABLE, EVENT_TABLE}:
        table, event = parts
        return TableCode(table, int(event), until, kind == EVENT_TABLE)
    pairing, a, b = map(int, parts)
    return MatchCode(pairing, (a, b), until)


def extract_code(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]


def get_expiry(address: str) -> datetime:
    """Return the expiry of the code in an address.

    :raises LookupError: the address has no valid signature.
    """
    code = parse_code(extract_code(address))
    if code is None:
        raise LookupError(address)
    return code.until


def _compute_day_after(when: datetime) -> int:
    """Return the first day that begins after *when*, in days since the epoch."""
    return (when - EPOCH) // DAY + 1


def _build_signer(salt: str = SALT) -> Signer:
    return Signer(salt=salt, sep="~")
