"""The API's words for a player's record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers

from careers.rival_shapes import RivalShape
from runtime.http.strict_fields import StrictFields

if TYPE_CHECKING:
    from careers.record import MetOpponent, Record, Streak
    from tournaments.base.tallies import Tally

Shape = StrictFields


class WonLostShape(Shape):
    """Of some matches, how many were won and how many were lost."""

    won = serializers.IntegerField()
    lost = serializers.IntegerField()


class OfLengthShape(WonLostShape):
    """The matches of one length."""

    length = serializers.IntegerField()


class OfYearShape(WonLostShape):
    """The matches of one year, by the clocks of the clubs."""

    year = serializers.IntegerField()


class OfEventShape(WonLostShape):
    """The matches of one event."""

    event = serializers.CharField(help_text="The event's key.")


class OpponentShape(WonLostShape):
    """Somebody they have met."""

    player = RivalShape()


class StreakShape(Shape):
    """Matches won, or lost, one after the other."""

    matches = serializers.IntegerField()
    won = serializers.BooleanField()
    first_at = serializers.DateTimeField()
    last_at = serializers.DateTimeField()


class TitleShape(Shape):
    """An event that was won."""

    event = serializers.CharField(help_text="The event's key.")
    at = serializers.DateTimeField()
    players = serializers.IntegerField()


class AchievementShape(Shape):
    """Something that was reached; it follows from the results as they stand now."""

    code = serializers.CharField(
        help_text="first, matches, run, length, opponents, comeback, title or unbeaten."
    )
    figure = serializers.IntegerField(
        help_text="The step that was reached: matches, points, opponents, players."
    )
    at = serializers.DateTimeField()
    event = serializers.CharField(help_text="The key of the event that earned it, or in which the match was.")
    opponent = serializers.CharField(
        help_text="The name; empty where it was the event, or they are not named."
    )


class UpcomingShape(Shape):
    """A match that is to be played, or an event that was entered and is to come."""

    event = serializers.CharField(help_text="The event's key.")
    is_match = serializers.BooleanField()
    opponent = serializers.CharField(help_text="The name; empty where there is none, or they are not named.")
    at = serializers.DateTimeField(
        allow_null=True, help_text="By when the match is to be played, or when the event begins."
    )


class RecordShape(WonLostShape):
    """Every match that a player has played to its end in events, as the results stand now."""

    player = RivalShape()
    streak = StreakShape(allow_null=True, help_text="The one that goes on.")
    longest_won = StreakShape(allow_null=True)
    longest_lost = StreakShape(allow_null=True)
    opponents = OpponentShape(many=True, help_text="Two hundred at most, those most often met first.")
    met = serializers.IntegerField(help_text="How many opponents, with those who are not named.")
    nemesis = OpponentShape(allow_null=True, help_text="Most more lost than won against, of three matches.")
    favourite = OpponentShape(allow_null=True, help_text="Most more won than lost against, of three matches.")
    by_length = OfLengthShape(many=True)
    by_year = OfYearShape(many=True, help_text="The latest first.")
    by_event = OfEventShape(many=True, help_text="The last ten.")
    events = serializers.IntegerField()
    titles = TitleShape(many=True, help_text="The last ten.")
    titles_in_all = serializers.IntegerField()
    achievements = AchievementShape(many=True, help_text="The latest first, eight at most.")
    coming = UpcomingShape(many=True)


def told(found: Record) -> dict[str, Any]:
    """Tell a record."""
    return {
        "player": {"key": found.key, "name": found.name},
        **_tally(found.total),
        "streak": _streak(found.current),
        "longest_won": _streak(found.longest_won),
        "longest_lost": _streak(found.longest_lost),
        "opponents": [_opponent(each) for each in found.opponents],
        "met": found.met,
        "nemesis": found.nemesis and _opponent(found.nemesis),
        "favourite": found.favourite and _opponent(found.favourite),
        "by_length": [{"length": length, **_tally(tally)} for length, tally in found.by_length],
        "by_year": [{"year": year, **_tally(tally)} for year, tally in found.by_year],
        "by_event": [{"event": each.key, **_tally(each.tally)} for each in found.by_event],
        "events": found.events,
        "titles": [{"event": each.key, "at": each.at, "players": each.field} for each in found.titles],
        "titles_in_all": found.titles_in_all,
        "achievements": [
            {
                **{name: getattr(each, name) for name in ("code", "figure", "at", "opponent")},
                "event": each.event_key,
            }
            for each in found.achievements
        ],
        "coming": [
            {
                **{name: getattr(each, name) for name in ("is_match", "opponent", "at")},
                "event": each.event_key,
            }
            for each in found.coming
        ],
    }


def _tally(tally: Tally) -> dict[str, int]:
    return {"won": tally.won, "lost": tally.lost}


def _opponent(each: MetOpponent) -> dict[str, Any]:
    return {"player": {"key": each.key, "name": each.name}, **_tally(each.tally)}


def _streak(streak: Streak | None) -> dict[str, Any] | None:
    if streak is None:
        return None
    return {name: getattr(streak, name) for name in ("matches", "won", "first_at", "last_at")}
