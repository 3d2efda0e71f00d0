"""The API's words for a player's own page: their matches, their way through each event, and their friends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers

from careers.hooks import Turn
from careers.rival_shapes import RivalShape, TallyShape
from runtime.http.strict_fields import StrictFields
from tournaments import hooks as event_hooks

if TYPE_CHECKING:
    from datetime import datetime

    from careers.friends import Friend, FriendMatch
    from careers.my_matches import MyEvent, MyMatch, MyMatches
    from careers.my_way import StepAhead
    from tournaments.base.lines import EventLine
    from tournaments.pages.finish import Step
    from tournaments.play.appointments import Arranged

Shape = StrictFields
TAG = "players"
STEPS = tuple(turn.name.lower() for turn in Turn)


class QueuePlaceShape(Shape):
    """The place of a match among those that wait for a table."""

    before = serializers.IntegerField(help_text="How many matches come before it.")
    likely_at = serializers.DateTimeField(
        allow_null=True, help_text="When it is likely to get a table; null where nobody can know."
    )


class AppointmentShape(Shape):
    """When a match that is played over days is to be played."""

    starts_at = serializers.DateTimeField(
        allow_null=True, help_text="The agreed time, null where there is none."
    )
    place = serializers.CharField(help_text="Where, or empty.")
    times = serializers.ListField(
        child=serializers.DateTimeField(), help_text="The times that are proposed and not answered."
    )
    by_me = serializers.BooleanField(help_text="Whether you have proposed them.")


class MyMatchShape(Shape):
    """A match of yours that is to be played now."""

    event = serializers.CharField(help_text="The key of the event.")
    match = serializers.CharField(help_text="Its place in the event, such as `main/1.2`.")
    opponent = RivalShape()
    title = serializers.CharField(help_text="Bracket and round, in words.")
    length = serializers.IntegerField(
        help_text="How many points it is played to, or games where its rules say so."
    )
    table = serializers.CharField(help_text="What is written on the table, or empty.")
    board = serializers.CharField(help_text="The key of the board it is played on here, or empty.")
    deadline_at = serializers.DateTimeField(allow_null=True)
    appointment = AppointmentShape(allow_null=True, help_text="Where it is played over days; else null.")
    reported = serializers.CharField(help_text="What was reported so far, as a sentence; or empty.")
    met = TallyShape(
        allow_null=True, help_text="Your matches against them in events; null where there are none."
    )
    queue = QueuePlaceShape(allow_null=True, help_text="Null where it does not wait for a table.")
    step = serializers.ChoiceField(
        choices=STEPS,
        allow_blank=True,
        help_text=(
            "What to do next: `answer` a report, `play` at the board, `come` to the table, `keep` the score, "
            "`agree` on one of the times that are proposed, `propose` times. "
            "Empty where there is nothing to do but wait."
        ),
    )


class StepPlayedShape(Shape):
    """A match that you have played."""

    title = serializers.CharField()
    opponent = serializers.CharField(help_text="A name, or empty.")
    score = serializers.CharField(help_text="Your points first; or how it ended, or empty.")
    is_won = serializers.BooleanField()
    is_lost = serializers.BooleanField()


class StepAheadShape(Shape):
    """A match that you are still to play."""

    title = serializers.CharField()
    opponent = serializers.CharField(help_text="A name, or who may come, or empty.")
    is_open = serializers.BooleanField(help_text="Whether it is to be played now.")
    begins_at = serializers.DateTimeField(allow_null=True, help_text="When it is likely to begin.")
    if_won = serializers.CharField(help_text="Where its winner goes on, or empty.")
    if_lost = serializers.CharField(help_text="Where its loser goes on, or empty.")


class MyEventShape(Shape):
    """An event that you play in, or that has just ended."""

    event = serializers.CharField(help_text="The key of the event.")
    name = serializers.CharField()
    is_running = serializers.BooleanField()
    is_paused = serializers.BooleanField()
    ends_at = serializers.DateTimeField(allow_null=True, help_text="When it is likely to be over.")
    place = serializers.IntegerField(allow_null=True, help_text="Your place, once it is over.")
    played = StepPlayedShape(many=True)
    ahead = StepAheadShape(many=True)


class ComingShape(Shape):
    """An event that you have entered and that has not begun."""

    event = serializers.CharField(help_text="The key of the event.")
    name = serializers.CharField()
    starts_at = serializers.DateTimeField()
    has_place = serializers.BooleanField(help_text="False: you are on the waiting list.")


class MyMatchesShape(Shape):
    """What concerns you tonight."""

    matches = MyMatchShape(many=True, help_text="The most urgent first.")
    more = serializers.IntegerField(help_text="How many more are open; `ahead` of their event has them.")
    events = MyEventShape(many=True)
    coming = ComingShape(many=True, help_text="The nearest first.")


class FriendMatchShape(Shape):
    """What a friend plays, or waits for."""

    event = serializers.CharField(help_text="The key of the event.")
    title = serializers.CharField()
    opponent = serializers.CharField(help_text="A name, or who may come, or empty.")
    score = serializers.CharField(help_text="Their own points first; or empty.")
    table = serializers.CharField(help_text="Such as `Table 7`, or empty.")
    is_open = serializers.BooleanField(help_text="Whether it is to be played now.")


class FriendShape(RivalShape):
    """A player whom you follow."""

    matches = FriendMatchShape(many=True)


def told(found: MyMatches, *, now: datetime) -> dict[str, Any]:
    """Tell a player's own page."""
    return {
        "matches": [_match(one, now=now) for one in found.matches],
        "more": found.more,
        "events": [_event(one) for one in found.events],
        "coming": [_coming(line, has_place=has_place) for line, has_place in found.coming],
    }


def friend(one: Friend) -> dict[str, Any]:
    """Tell of a friend."""
    return {"key": one.key, "name": one.name, "matches": [_friend_match(each) for each in one.matches]}


def _match(one: MyMatch, *, now: datetime) -> dict[str, Any]:
    meeting, event = one.meeting, one.event.key
    place = event_hooks.QUEUE_PLACE.get()(event, meeting.key, now)
    total = one.met.total if one.met else None
    return {
        "event": event,
        "match": meeting.key,
        "opponent": {"key": meeting.opponent.key, "name": meeting.opponent.name},
        "title": meeting.label,
        "length": meeting.play.length,
        "table": meeting.play.table,
        "board": meeting.play.board or "",
        "deadline_at": meeting.play.deadline_at,
        "appointment": _appointment(meeting.arranged),
        "reported": meeting.told,
        "met": {"won": total.won, "lost": total.lost} if total else None,
        "queue": place._asdict() if place else None,
        "step": one.step.turn.name.lower() if one.step else "",
    }


def _appointment(arranged: Arranged | None) -> dict[str, Any] | None:
    if arranged is None:
        return None
    return {
        "starts_at": arranged.agreed_at,
        "place": arranged.place or arranged.their_place,
        "times": [time.value for time in arranged.theirs or arranged.own],
        "by_me": bool(arranged.own),
    }


def _event(one: MyEvent) -> dict[str, Any]:
    return {
        "event": one.line.key,
        "name": one.line.name,
        "is_running": one.line.is_running,
        "is_paused": one.line.is_paused,
        "ends_at": one.ends_at,
        "place": one.mine.place,
        "played": [_played(step) for step in one.way.played],
        "ahead": [_ahead(step) for step in one.way.ahead],
    }


def _played(step: Step) -> dict[str, Any]:
    return {
        "title": step.title,
        "opponent": step.opponent,
        "score": step.score,
        "is_won": step.is_won,
        "is_lost": step.is_lost,
    }


def _ahead(step: StepAhead) -> dict[str, Any]:
    return {
        "title": step.title,
        "opponent": step.opponent,
        "is_open": step.is_open,
        "begins_at": step.begins_at,
        "if_won": step.if_won,
        "if_lost": step.if_lost,
    }


def _coming(line: EventLine, *, has_place: bool) -> dict[str, Any]:
    return {"event": line.key, "name": line.name, "starts_at": line.starts_at, "has_place": has_place}


def _friend_match(one: FriendMatch) -> dict[str, Any]:
    return {
        "event": one.event_key,
        "title": one.label,
        "opponent": one.opponent,
        "score": one.score,
        "table": one.table,
        "is_open": one.is_open,
    }
