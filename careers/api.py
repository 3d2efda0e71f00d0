"""Matches that players have played, and those that they play now, over the API.

A record of one player or of two may be read by everyone who may see its page; a player's own matches only by that
player. Also their shapes.
"""

from __future__ import annotations

from datetime import datetime

from django.urls import URLPattern, path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, permissions, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from careers import friends, head_to_head, my_matches, record
from careers.hooks import StepPriority
from matches.play import callers
from players.access.callers import found_or_404, get_account
from players.models import Follow
from players.people import people
from runtime.http.answer_schema import make_list_serializer
from runtime.http.answers import Answer, about, paginate
from tournaments import hooks as event_hooks

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


TAG = "players"
STEPS = tuple(turn.name.lower() for turn in StepPriority)
MOST_OPPONENTS = 200
PAGE = OpenApiParameter("page", int, description="The page of their matches, from 1.")


class QueuePlaceAnswer(Answer):
    """The place of a match among those that wait for a table."""

    before: int = about("How many matches come before it.")
    likely_at: datetime | None = about("When it is likely to get a table; null where nobody can know.")


class AppointmentAnswer(Answer):
    """The appointment of a match that is played over days."""

    starts_at: datetime | None = about("The agreed time, null where there is none.", source="agreed_at")
    place: str = about("Where, or empty.", source=lambda arranged: arranged.place or arranged.their_place)
    times: list[datetime] = about(
        "The times that are proposed and not answered.",
        source=lambda arranged: [time.value for time in arranged.theirs or arranged.own],
    )
    by_me: bool = about("Whether you have proposed them.", source=lambda arranged: bool(arranged.own))


class MyMatchAnswer(Answer):
    """A match of yours that is to be played now."""

    event: str = about("The key of the event.", source="event.key")
    match: str = about("Its place in the event, such as `main/1.2`.", source="meeting.key")
    opponent: RivalAnswer = about(source="meeting.opponent")
    title: str = about("Bracket and round, in words.", source="meeting.label")
    length: int = about(
        "How many points it is played to, or games where its rules say so.", source="meeting.play.length"
    )
    table: str = about("What is written on the table, or empty.", source="meeting.play.table")
    board: str = about(
        "The key of the board it is played on here, or empty.",
        source=lambda one: one.meeting.play.board or "",
    )
    deadline_at: datetime | None = about(source="meeting.play.deadline_at")
    appointment: AppointmentAnswer | None = about(
        "Where it is played over days; else null.", source="meeting.arranged"
    )
    reported: str = about("What was reported so far, as a sentence; or empty.", source="meeting.report_text")
    met: TallyAnswer | None = about(
        "Your matches against them in events; null where there are none.",
        source=lambda one: (one.met and one.met.total) or None,
    )
    queue: QueuePlaceAnswer | None = about("Null where it does not wait for a table.")
    step: str = about(
        source=lambda one: one.step.turn.name.lower() if one.step else "",
        described=serializers.ChoiceField(
            choices=STEPS,
            allow_blank=True,
            help_text=(
                "What to do next: `answer` a report, `play` at the board, `come` to the table, `keep` the score, "
                "`agree` on one of the times that are proposed, `propose` times. "
                "Empty where there is nothing to do but wait."
            ),
        ),
    )


class StepPlayedAnswer(Answer):
    """A match that you have played."""

    title: str
    opponent: str = about("A name, or empty.")
    score: str = about("Your points first; or how it ended, or empty.")
    is_won: bool
    is_lost: bool


class StepAheadAnswer(Answer):
    """A match that you are still to play."""

    title: str
    opponent: str = about("A name, or who may come, or empty.")
    is_open: bool = about("Whether it is to be played now.")
    begins_at: datetime | None = about("When it is likely to begin.")
    if_won: str = about("Where its winner goes on, or empty.")
    if_lost: str = about("Where its loser goes on, or empty.")


class MyEventAnswer(Answer):
    """An event that you play in, or that has just ended."""

    event: str = about("The key of the event.", source="line.key")
    name: str = about(source="line.name")
    is_running: bool = about(source="line.is_running")
    is_paused: bool = about(source="line.is_paused")
    ends_at: datetime | None = about("When it is likely to be over.")
    place: int | None = about("Your place, once it is over.", source="mine.place")
    played: list[StepPlayedAnswer] = about(source="way.played")
    ahead: list[StepAheadAnswer] = about(source="way.ahead")


class ComingAnswer(Answer):
    """An event that you have entered and that has not begun."""

    event: str = about("The key of the event.", source="key")
    name: str
    starts_at: datetime
    has_place: bool = about("False: you are on the waiting list.")


class MyMatchesAnswer(Answer):
    """Your matches and events."""

    matches: list[MyMatchAnswer] = about("The most urgent first.")
    more: int = about("How many more are open; `ahead` of their event has them.")
    events: list[MyEventAnswer]
    coming: list[ComingAnswer] = about("The nearest first.")


class FriendMatchAnswer(Answer):
    """A match that a friend plays, or waits for."""

    event: str = about("The key of the event.", source="event_key")
    title: str = about(source="label")
    opponent: str = about("A name, or who may come, or empty.")
    score: str = about("Their own points first; or empty.")
    table: str = about("Such as `Table 7`, or empty.")
    is_open: bool = about("Whether it is to be played now.")


class FriendAnswer(RivalAnswer):
    """A player whom you follow."""

    matches: list[FriendMatchAnswer]


def serialize_my_matches(found: my_matches.MyMatches, *, now: datetime) -> MyMatchesAnswer:
    place = event_hooks.QUEUE_PLACE.get()
    return MyMatchesAnswer.read(
        found,
        matches=[
            MyMatchAnswer.read(one, queue=place(one.event.key, one.meeting.key, now)) for one in found.matches
        ],
        coming=[ComingAnswer.read(line, has_place=has_place) for line, has_place in found.coming],
    )


class HeadToHeadView(APIView):
    permission_classes = (permissions.AllowAny,)

    @extend_schema(
        operation_id="head_to_head",
        parameters=[PAGE],
        responses=HeadToHeadAnswer,
        tags=[TAG],
    )
    def get(self, request: Request, key: str, other: str) -> Response:
        """The wins of each of two players: in total, by length, year and event, with their matches page by page."""
        one, two = people.get_player(key=key), people.get_player(key=other)
        number = int(request.query_params.get("page") or 1)
        found = head_to_head.load_head_to_head(one, two, request.user, number=number)
        return Response(HeadToHeadAnswer.read(found_or_404(found)))


class RecordView(APIView):
    permission_classes = (permissions.AllowAny,)

    @extend_schema(operation_id="player_record", responses=RecordAnswer, tags=[TAG])
    def get(self, request: Request, key: str) -> Response:
        """A player's wins and losses by opponent, length, event and year, with runs, titles and achievements.

        Also the matches and events to come.
        """
        player, now = people.get_player(key=key), callers.get_arrival_time(request)
        found = record.load_record(player, request.user, now=now, opponents=MOST_OPPONENTS)
        return Response(RecordAnswer.read(found_or_404(found)))


class MyMatchesView(APIView):
    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(operation_id="my_matches", responses=MyMatchesAnswer, tags=[TAG])
    def get(self, request: Request) -> Response:
        """Your next matches, your way through each event, and what you have entered.

        A match has its table, its place in the queue, and what to do next.
        """
        user, now = get_account(request), callers.get_arrival_time(request)
        found = my_matches.load_my_matches(callers.get_player(request), user, now=now)
        return Response(serialize_my_matches(found, now=now))


class FriendsView(generics.GenericAPIView[Follow]):
    queryset = Follow.objects.none()
    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(operation_id="my_friends", responses=make_list_serializer(FriendAnswer), tags=[TAG])
    def get(self, request: Request) -> Response:
        """The players you follow, and what they play as everybody may see it; those who play come first."""
        found = friends.list_friends(get_account(request), now=callers.get_arrival_time(request))
        return paginate(self, found, FriendAnswer.read)


paths: list[URLPattern] = [
    path("players/<slug:key>/against/<slug:other>/", HeadToHeadView.as_view(), name="player-against"),
    path("players/<slug:key>/record/", RecordView.as_view(), name="player-record"),
    path("me/matches/", MyMatchesView.as_view(), name="my-matches"),
    path("me/friends/", FriendsView.as_view(), name="my-friends"),
]
