"""The API's words for a player's record."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from careers.rival_shapes import Rival
from runtime.http.answers import Answer, about

if TYPE_CHECKING:
    from careers import record


class OfLength(Answer):
    """The matches of one length."""

    length: int
    won: int
    lost: int


class OfYear(Answer):
    """The matches of one year, by the clocks of the clubs."""

    year: int
    won: int
    lost: int


class OfEvent(Answer):
    """The matches of one event."""

    event: str = about("The event's key.", source="key")
    won: int = about(source="tally.won")
    lost: int = about(source="tally.lost")


class Opponent(Answer):
    """Somebody they have met."""

    player: Rival = about(source=lambda met: met)
    won: int = about(source="tally.won")
    lost: int = about(source="tally.lost")


class Streak(Answer):
    """Matches won, or lost, one after the other."""

    matches: int
    won: bool
    first_at: datetime
    last_at: datetime


class Title(Answer):
    """An event that was won."""

    event: str = about("The event's key.", source="key")
    at: datetime
    players: int = about(source="field")


class Achievement(Answer):
    """Something that was reached; it follows from the results as they stand now."""

    code: str = about("first, matches, run, length, opponents, comeback, title or unbeaten.")
    figure: int = about("The step that was reached: matches, points, opponents, players.")
    at: datetime
    opponent: str = about("The name; empty where it was the event, or they are not named.")
    event: str = about("The key of the event that earned it, or in which the match was.", source="event_key")


class Upcoming(Answer):
    """A match that is to be played, or an event that was entered and is to come."""

    is_match: bool
    opponent: str = about("The name; empty where there is none, or they are not named.")
    at: datetime | None = about("By when the match is to be played, or when the event begins.")
    event: str = about("The event's key.", source="event_key")


class Record(Answer):
    """Every match that a player has played to its end in events, as the results stand now."""

    player: Rival = about(source=lambda found: found)
    won: int = about(source="total.won")
    lost: int = about(source="total.lost")
    streak: Streak | None = about("The one that goes on.", source="current")
    longest_won: Streak | None
    longest_lost: Streak | None
    opponents: list[Opponent] = about("Two hundred at most, those most often met first.")
    met: int = about("How many opponents, with those who are not named.")
    nemesis: Opponent | None = about("Most more lost than won against, of three matches.")
    favourite: Opponent | None = about("Most more won than lost against, of three matches.")
    by_length: list[OfLength]
    by_year: list[OfYear] = about("The latest first.")
    by_event: list[OfEvent] = about("The last ten.")
    events: int
    titles: list[Title] = about("The last ten.")
    titles_in_all: int
    achievements: list[Achievement] = about("The latest first, eight at most.")
    coming: list[Upcoming]


def told(found: record.Record) -> Record:
    """Tell a record."""
    return Record.read(
        found,
        by_length=[OfLength.read(tally, length=length) for length, tally in found.by_length],
        by_year=[OfYear.read(tally, year=year) for year, tally in found.by_year],
    )
