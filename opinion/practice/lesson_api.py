"""Practice with the tutor over HTTP, visible to its player only."""

from __future__ import annotations

from django.urls import URLPattern, path
from django.utils import timezone
from rest_framework import permissions, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from matches.bots import bots
from matches.lobby import visitors
from matches.models import Match
from matches.play import callers, problems
from opinion.analyses.analysis_api import describe
from opinion.judging.formulas import BLUNDER
from opinion.models import Silence
from opinion.practice import lessons, tutoring
from opinion.practice.lessons import LessonView
from players.access.callers import found_or_404, read_body
from runtime.http.answers import Answer, about
from runtime.http.strict_fields import NumberField, StrictFields

BEGUN = {
    400: {
        "invalid": "a field is missing or not as it should be",
        "bad-limit": "a play loses between 0.01 and 1",
    },
    401: problems.USUAL[401],
    403: {**problems.READ_ONLY, "not-a-player": "the account belongs to nobody who plays"},
    409: {
        "no-engine": "there is no engine on this machine",
        "no-bot": "there is no such bot here",
        "too-many-matches": "you have as many unfinished matches of this kind as you may",
    },
}
TUTORED = {
    401: problems.USUAL[401],
    403: {"not-a-player": "the account belongs to nobody who plays"},
    404: {"not_found": "there is no tutor in this match, or it is not yours"},
}
TUTORED_ANSWER = TUTORED | {
    400: {"invalid": "the answer is neither `take-back` nor `play-on`"},
    403: {"not-a-player": "the account belongs to nobody who plays", **problems.READ_ONLY},
    409: {"no-hint": "the tutor asks nothing (any more)", "play-after-end": "the match is over"},
}


class LessonBeginShape(StrictFields):
    """A practice match with the tutor."""

    opponent = serializers.CharField(max_length=10, help_text="A bot's key.")
    length = serializers.ChoiceField(visitors.LENGTHS, default=visitors.LENGTH)
    limit = NumberField(
        default=BLUNDER,
        help_text="What a play must give away to be pointed out, in terms of the cube: 0.01 to 1.",
    )


class BegunLessonAnswer(Answer):
    """The match that has begun."""

    match: str


class HintAnswer(Answer):
    """A play that was pointed out."""

    line: int = about("Of the journal.", source="seq")
    played: str
    loss: float = about("In terms of the cube.")
    best: str
    level: int = about("How many plies it was looked ahead.")


class LessonAnswer(Answer):
    """The state of the tutor."""

    limit: float
    looking: bool = about("Your last play is being looked at; the bot waits.", source="is_looking")
    asking: bool = about("Say whether you take it back; the bot waits.", source="is_asking")
    silence: str = about(
        "Why nothing is said: no answer, or the position stands in a match between people.",
        words=("", *Silence.values),
    )
    hint: HintAnswer | None


class LessonAnswerShape(StrictFields):
    """The response to a hint: take the play back, or play on."""

    answer = serializers.ChoiceField(("take-back", "play-on"))


class Lessons(APIView):
    permission_classes = (permissions.IsAuthenticated,)

    @describe("lessons_begin", BegunLessonAnswer, BEGUN, request=LessonBeginShape, status=201)
    def post(self, request: Request) -> Response:
        """Begin a practice match with the tutor, or continue one with the same bot, limit and length."""
        data = read_body(LessonBeginShape, request)
        row = tutoring.begin(
            player=callers.get_player(request),
            limit=data["limit"],
            level=visitors.find_slug(data["opponent"]),
            length=data["length"],
            now=timezone.now(),
        )
        return Response(BegunLessonAnswer(match=row.key), status=201)


class MatchTutor(callers.BoardView):
    permission_classes = (permissions.IsAuthenticated,)

    @describe("matches_tutor", LessonAnswer, TUTORED)
    def get(self, request: Request, key: str) -> Response:
        """What the tutor says about your last play; while `looking`, ask again in a moment."""
        row = callers.find_match(request, key)
        found = self._load_lesson(request, row)
        if found.is_looking:
            bots.THINKER.enqueue(row.pk)
        return Response(LessonAnswer.read(found))

    @describe("matches_tutor_answer", LessonAnswer, TUTORED_ANSWER, request=LessonAnswerShape)
    def post(self, request: Request, key: str) -> Response:
        """Take back the play that was pointed out, or play on: until then the bot waits."""
        row = callers.find_match(request, key)
        self._load_lesson(request, row)
        data = read_body(LessonAnswerShape, request)
        answer = tutoring.take_back if data["answer"] == "take-back" else tutoring.play_on
        answer(match_id=row.pk, player=callers.get_player(request), now=timezone.now())
        row.refresh_from_db()
        return Response(LessonAnswer.read(self._load_lesson(request, row)))

    def _load_lesson(self, request: Request, row: Match) -> LessonView:
        return found_or_404(lessons.load_lesson(row, callers.get_player(request)))


paths: list[URLPattern] = [
    path("lessons/", Lessons.as_view(), name="lessons"),
    path("matches/<str:key>/tutor/", MatchTutor.as_view(), name="match-tutor"),
]
