"""The API's words for a player's record, and for two players against each other."""

from __future__ import annotations

from datetime import datetime

from runtime.http.answers import Answer, about

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


class OfLengthAnswer(Answer):
    """The matches of one length."""

    length: int = about(LENGTH, source=lambda group: group[0].points)
    best_of: int = about(BEST_OF, source=lambda group: group[0].best_of)
    won: int = about(source=lambda group: group[1].won)
    lost: int = about(source=lambda group: group[1].lost)


class OfYearAnswer(Answer):
    """The matches of one year, by the clocks of the clubs."""

    year: int = about(source=lambda group: group[0])
    won: int = about(source=lambda group: group[1].won)
    lost: int = about(source=lambda group: group[1].lost)


class OfEventAnswer(Answer):
    """The matches of one event."""

    event: str = about("The event's key.", source="key")
    won: int = about(source="tally.won")
    lost: int = about(source="tally.lost")


class LengthTallyAnswer(OfLengthAnswer):
    """Their matches of one length."""

    won: int = about(BY_FIRST, source=lambda group: group[1].won)
    lost: int = about(BY_OTHER, source=lambda group: group[1].lost)


class YearTallyAnswer(OfYearAnswer):
    """Their matches of one year, by the clocks of the clubs."""

    won: int = about(BY_FIRST, source=lambda group: group[1].won)
    lost: int = about(BY_OTHER, source=lambda group: group[1].lost)


class EventTallyAnswer(OfEventAnswer):
    """Their matches in one event."""

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
