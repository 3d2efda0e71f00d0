"""The API's words for a player's record."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from careers.rival_shapes import BEST_OF, LENGTH, RivalAnswer
from runtime.http.answers import Answer, about

if TYPE_CHECKING:
    from careers import record


class OfLengthAnswer(Answer):
    """The matches of one length."""

    length: int = about(LENGTH)
    best_of: int = about(BEST_OF)
    won: int
    lost: int


class OfYearAnswer(Answer):
    """The matches of one year, by the clocks of the clubs."""

    year: int
    won: int
    lost: int


class OfEventAnswer(Answer):
    """The matches of one event."""

    event: str = about("The event's key.", source="key")
    won: int = about(source="tally.won")
    lost: int = about(source="tally.lost")


class OpponentAnswer(Answer):
    """An opponent, with wins and losses against them."""

    player: RivalAnswer
    won: int = about(source="tally.won")
    lost: int = about(source="tally.lost")


class StreakAnswer(Answer):
    """Matches won, or lost, one after the other."""

    matches: int
    won: bool
    first_at: datetime
    last_at: datetime


class TitleAnswer(Answer):
    """An event that was won."""

    event: str = about("The event's key.", source="key")
    at: datetime
    players: int = about(source="field")


class AchievementAnswer(Answer):
    """An achievement, derived from the current results."""

    code: str = about("first, matches, run, length, opponents, comeback, title or unbeaten.")
    figure: int = about("The step that was reached: matches, points, opponents, players.")
    at: datetime
    opponent: str = about("The name; empty where it was the event, or they are not named.")
    event: str = about("The key of the event that earned it, or in which the match was.", source="event_key")


class UpcomingAnswer(Answer):
    """A match that is to be played, or an event that was entered and is to come."""

    is_match: bool
    opponent: str = about("The name; empty where there is none, or they are not named.")
    at: datetime | None = about("By when the match is to be played, or when the event begins.")
    event: str = about("The event's key.", source="event_key")


class RecordAnswer(Answer):
    """Every match that a player has played to its end in events, by the current results."""

    player: RivalAnswer = about(source=lambda found: found)
    won: int = about(source="total.won")
    lost: int = about(source="total.lost")
    streak: StreakAnswer | None = about("The one that goes on.", source="current")
    longest_won: StreakAnswer | None
    longest_lost: StreakAnswer | None
    opponents: list[OpponentAnswer] = about("Two hundred at most, those most often met first.")
    met: int = about("How many opponents, with those who are not named.")
    nemesis: OpponentAnswer | None = about("Most more lost than won against, of three matches.")
    favourite: OpponentAnswer | None = about("Most more won than lost against, of three matches.")
    by_length: list[OfLengthAnswer]
    by_year: list[OfYearAnswer] = about("The latest first.")
    by_event: list[OfEventAnswer] = about("The last ten.")
    events: int
    titles: list[TitleAnswer] = about("The last ten.")
    titles_in_all: int
    achievements: list[AchievementAnswer] = about("The latest first, eight at most.")
    coming: list[UpcomingAnswer]


def serialize_record(found: record.Record) -> RecordAnswer:
    return RecordAnswer.read(
        found,
        by_length=[
            OfLengthAnswer.read(tally, length=length.points, best_of=length.best_of)
            for length, tally in found.by_length
        ],
        by_year=[OfYearAnswer.read(tally, year=year) for year, tally in found.by_year],
    )
