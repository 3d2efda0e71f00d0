"""The API's words for two players against each other."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from runtime.http.answers import Answer, about

if TYPE_CHECKING:
    from careers import head_to_head

BY_FIRST = "By the first player."
BY_OTHER = "Won by the other."
LENGTH = "Points; in a best of so many games, the games that win it."
BEST_OF = "The number of games where only games count; else 0."


class RivalAnswer(Answer):
    """One of two players."""

    key: str
    name: str


class TallyAnswer(Answer):
    """The numbers of matches that each of two players has won."""

    won: int = about(BY_FIRST)
    lost: int = about(BY_OTHER)


class LengthTallyAnswer(Answer):
    """Their matches of one length."""

    length: int = about(LENGTH)
    best_of: int = about(BEST_OF)
    won: int = about(BY_FIRST)
    lost: int = about(BY_OTHER)


class YearTallyAnswer(Answer):
    """Their matches of one year, by the clocks of the clubs."""

    year: int
    won: int = about(BY_FIRST)
    lost: int = about(BY_OTHER)


class EventTallyAnswer(Answer):
    """Their matches in one event."""

    event: str = about("The event's key.", source="key")
    won: int = about(BY_FIRST, source="tally.won")
    lost: int = about(BY_OTHER, source="tally.lost")


class MeetingAnswer(Answer):
    """One match of the two."""

    at: datetime = about("When it was finished.")
    event: str = about("The event's key.", source="event_key")
    length: int = about(LENGTH)
    best_of: int = about(BEST_OF)
    won: bool = about("Whether the first player won.")
    score: str = about("The first player's points first; empty: only the winner was said.")
    match: str = about("The board it was played on, where it may be seen again; or empty.", source="board")


class HeadToHeadAnswer(Answer):
    """Two players and every match they have played against each other in events."""

    player: RivalAnswer = about(source="one")
    opponent: RivalAnswer = about(source="other")
    won: int = about(BY_FIRST, source="total.won")
    lost: int = about(BY_OTHER, source="total.lost")
    streak: int = about("How many of the last matches were won in a row.")
    streak_of: str = about(
        "The key of who won them; empty where they have not met.",
        source=lambda found: found.streak_of.key if found.streak else "",
    )
    by_length: list[LengthTallyAnswer]
    by_year: list[YearTallyAnswer] = about("The latest first.")
    by_event: list[EventTallyAnswer] = about("The last ten.")
    events: int = about("In how many events they have met.")
    page: int = about(source="page.number")
    pages: int = about(source="page.pages")
    meetings: list[MeetingAnswer] = about("Of this page, the latest first.", source="page.rows")


def serialize_head_to_head(found: head_to_head.HeadToHead) -> HeadToHeadAnswer:
    return HeadToHeadAnswer.read(
        found,
        by_length=[
            LengthTallyAnswer.read(tally, length=length.points, best_of=length.best_of)
            for length, tally in found.by_length
        ],
        by_year=[YearTallyAnswer.read(tally, year=year) for year, tally in found.by_year],
    )
