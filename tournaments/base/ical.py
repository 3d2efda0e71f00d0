"""Calendar feeds in iCalendar format (RFC 5545): folded lines, escaped text, times in UTC. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

CONTENT_TYPE: Final = "text/calendar; charset=utf-8"
PRODUCT: Final = "-//Barpoint//Club calendar//EN"
LONGEST_LINE: Final = 75
_CONTROLS: Final = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarEntry:
    uid: str
    starts_at: datetime
    ends_at: datetime
    changed_at: datetime
    # Increases with each change, so that subscribers replace their entry.
    sequence: int
    summary: str
    place: str = ""
    about: str = ""
    url: str = ""
    is_cancelled: bool = False


def build_feed(name: str, entries: Iterable[CalendarEntry]) -> bytes:
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:{PRODUCT}",
        "CALSCALE:GREGORIAN",
        f"NAME:{escape_text(name)}",
        f"X-WR-CALNAME:{escape_text(name)}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT60M",
    ]
    for each in entries:
        lines += _list_event_lines(each)
    lines.append("END:VCALENDAR")
    return b"".join(part + b"\r\n" for line in lines for part in fold_line(line))


def escape_text(text: str) -> str:
    r"""Escape text as the value of a property; line ends become a literal \n.

    >>> escape_text("Bar, back room; 2nd floor")
    'Bar\\, back room\\; 2nd floor'
    """
    text = _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    for char, written in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\n", "\\n")):
        text = text.replace(char, written)
    return text


def fold_line(line: str) -> Iterator[bytes]:
    """Yield a line in pieces of at most 75 octets, without splitting a character."""
    piece = b""
    for char in line:
        octets = char.encode()
        if len(piece) + len(octets) > LONGEST_LINE:
            yield piece
            piece = b" "
        piece += octets
    yield piece


def format_utc(moment: datetime) -> str:
    """Return a moment as a UTC date-time.

    >>> format_utc(datetime(2025, 1, 2, 19, 30, tzinfo=UTC))
    '20250102T193000Z'
    """
    return moment.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _list_event_lines(each: CalendarEntry) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{escape_text(each.uid)}"
    yield f"DTSTAMP:{format_utc(each.changed_at)}"
    yield f"LAST-MODIFIED:{format_utc(each.changed_at)}"
    yield f"SEQUENCE:{each.sequence}"
    yield f"DTSTART:{format_utc(each.starts_at)}"
    yield f"DTEND:{format_utc(each.ends_at)}"
    yield f"SUMMARY:{escape_text(each.summary)}"
    if each.place:
        yield f"LOCATION:{escape_text(each.place)}"
    if each.about:
        yield f"DESCRIPTION:{escape_text(each.about)}"
    if each.url:
        # URIs are not escaped.
        yield f"URL:{each.url}"
    yield f"STATUS:{'CANCELLED' if each.is_cancelled else 'CONFIRMED'}"
    yield "END:VEVENT"
