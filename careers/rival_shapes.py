"""The API's words for two players against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers

from runtime.http.strict_fields import StrictFields

if TYPE_CHECKING:
    from careers.head_to_head import HeadToHead, Rival, RivalMatch
    from tournaments.base.tallies import Tally

Shape = StrictFields


class RivalShape(Shape):
    """One of two players."""

    key = serializers.CharField()
    name = serializers.CharField()


class TallyShape(Shape):
    """Of some of their matches, how many each has won."""

    won = serializers.IntegerField(help_text="By the first player.")
    lost = serializers.IntegerField(help_text="Won by the other.")


class LengthTallyShape(TallyShape):
    """Their matches of one length."""

    length = serializers.IntegerField()


class YearTallyShape(TallyShape):
    """Their matches of one year, by the clocks of the clubs."""

    year = serializers.IntegerField()


class EventTallyShape(TallyShape):
    """Their matches in one event."""

    event = serializers.CharField(help_text="The event's key.")


class MeetingShape(Shape):
    """One match of the two."""

    at = serializers.DateTimeField(help_text="When it was finished.")
    event = serializers.CharField(help_text="The event's key.")
    length = serializers.IntegerField()
    won = serializers.BooleanField(help_text="Whether the first player won.")
    score = serializers.CharField(
        help_text="The first player's points first; empty: only the winner was said."
    )
    match = serializers.CharField(
        help_text="The board it was played on, where it may be seen again; or empty."
    )


class HeadToHeadShape(TallyShape):
    """Two players and every match they have played against each other in events."""

    player = RivalShape()
    opponent = RivalShape()
    streak = serializers.IntegerField(help_text="How many of the last matches were won in a row.")
    streak_of = serializers.CharField(help_text="The key of who won them; empty where they have not met.")
    by_length = LengthTallyShape(many=True)
    by_year = YearTallyShape(many=True, help_text="The latest first.")
    by_event = EventTallyShape(many=True, help_text="The last ten.")
    events = serializers.IntegerField(help_text="In how many events they have met.")
    page = serializers.IntegerField()
    pages = serializers.IntegerField()
    meetings = MeetingShape(many=True, help_text="Of this page, the latest first.")


def told(found: HeadToHead) -> dict[str, Any]:
    """Tell the record of two players."""
    on_streak = found.one if found.is_streak_of_one else found.other
    return {
        "player": _rival(found.one),
        "opponent": _rival(found.other),
        **_tally(found.total),
        "streak": found.streak,
        "streak_of": on_streak.key if found.streak else "",
        "by_length": [{"length": length, **_tally(tally)} for length, tally in found.by_length],
        "by_year": [{"year": year, **_tally(tally)} for year, tally in found.by_year],
        "by_event": [{"event": each.key, **_tally(each.tally)} for each in found.by_event],
        "events": found.events,
        "page": found.page.number,
        "pages": found.page.pages,
        "meetings": [_meeting(each) for each in found.page.rows],
    }


def _rival(rival: Rival) -> dict[str, Any]:
    return {"key": rival.key, "name": rival.name}


def _tally(tally: Tally) -> dict[str, Any]:
    return {"won": tally.won, "lost": tally.lost}


def _meeting(meeting: RivalMatch) -> dict[str, Any]:
    return {
        "at": meeting.at,
        "event": meeting.event_key,
        "length": meeting.length,
        "won": meeting.won,
        "score": meeting.score,
        "match": meeting.board,
    }
