"""What an engine thinks of a match or a position, for programs.

About a match that is not over nothing is told, but for the tutor of a practice match against a bot: to its own player.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import exceptions, permissions
from rest_framework.response import Response
from rest_framework.views import APIView

from matches.bots import bots
from matches.lobby import levels
from matches.play import callers, problems, visiting_api
from opinion import serializers
from opinion.api.analyses import MatchAnalysis, RecordAnalysis
from opinion.selectors import deck, evidence, lessons, pooled, positions
from opinion.services import asking, learning, tutoring
from players.models import Club

if TYPE_CHECKING:
    from django.urls import URLPattern
    from rest_framework.request import Request
    from rest_framework.throttling import BaseThrottle

    from matches.models import Match
    from opinion.selectors.lessons import LessonView
    from players.models import User

UNREAD = problems.answers(
    {
        400: {
            "invalid": "no position was given, or one that is too long",
            "unknown-position": "this is no XGID, and no Position ID with or without a Match ID",
            "impossible-position": "there is no such position in a game",
            "position-over": "in this position the game is over",
        },
    }
)
ASKED = UNREAD | problems.answers(
    {
        401: problems.USUAL[401],
        403: {"read_only_token": problems.USUAL[403]["read_only_token"]},
        409: {
            "position-in-play": "it stands in a match that is being played: until that is over no engine answers",
            "no-engine": "there is no engine on this machine",
        },
        429: problems.USUAL[429]
        | {"too-many-questions": "too many within an hour; wait as `Retry-After` says"},
    }
)


SIGNED_IN = problems.answers({401: problems.USUAL[401]})
EVIDENCE = problems.answers(
    {
        401: problems.USUAL[401],
        403: {"permission_denied": "only directors of the club are told"},
        404: {
            "not_found": "there is no such club or player, the player is of another, or the club does not want it"
        },
    }
)
CARD = problems.answers(
    {
        400: {
            "invalid": "no choice was sent",
            "unknown-choice": "it is no legal play, or nothing that can be done about the cube",
        },
        401: problems.USUAL[401],
        403: {"read_only_token": problems.USUAL[403]["read_only_token"]},
        404: problems.USUAL[404],
        409: {
            "card-not-due": "it was answered, and has not come again",
            "position-in-play": "its position stands in a match that is being played",
        },
    }
)


BEGUN = problems.answers(
    {
        400: {
            "invalid": "a field is missing or not as it should be",
            "bad-limit": "a play loses between 0.01 and 1",
        },
        401: problems.USUAL[401],
        403: {
            "read_only_token": problems.USUAL[403]["read_only_token"],
            "not-a-player": "the account belongs to nobody who plays",
        },
        409: {
            "no-engine": "there is no engine on this machine",
            "no-bot": "there is no such bot here",
            "too-many-matches": "you have as many unfinished matches of this kind as you may",
        },
    }
)
TUTORED = problems.answers(
    {
        401: problems.USUAL[401],
        403: {"not-a-player": "the account belongs to nobody who plays"},
        404: {"not_found": "there is no tutor in this match, or it is not yours"},
    }
)
TUTORED_ANSWER = TUTORED | problems.answers(
    {
        400: {"invalid": "the answer is neither `take-back` nor `play-on`"},
        403: {
            "not-a-player": "the account belongs to nobody who plays",
            "read_only_token": problems.USUAL[403]["read_only_token"],
        },
        409: {"no-hint": "the tutor asks nothing (any more)", "play-after-end": "the match is over"},
    }
)


class Positions(APIView):
    """A position by itself."""

    permission_classes = (permissions.IsAuthenticatedOrReadOnly,)

    @extend_schema(
        operation_id="positions_show",
        parameters=[
            OpenApiParameter(
                "position",
                OpenApiTypes.STR,
                required=True,
                description="An XGID, or a Position ID, alone or with a colon and a Match ID.",
            )
        ],
        responses={200: serializers.AskedPositionShape, **UNREAD},
        tags=[serializers.TAG],
    )
    def get(self, request: Request) -> Response:
        """A position, what is legal in it, and the engine's answer if somebody has asked for it."""
        situation = positions.read(request.query_params.get("position", ""))
        return Response(positions.document(positions.view(situation)))

    @extend_schema(
        operation_id="positions_ask",
        request=serializers.PositionQuestionShape,
        responses={202: serializers.AskedPositionShape, **ASKED},
        tags=[serializers.TAG],
    )
    def post(self, request: Request) -> Response:
        """Ask the engine about a position; read it again until `progress` is no longer `waiting`."""
        question = serializers.PositionQuestionShape(data=request.data)
        question.is_valid(raise_exception=True)
        situation = positions.read(question.validated_data["position"])
        user = cast("User", request.user)
        asking.ask(user=user, situation=situation, now=timezone.now())
        return Response(positions.document(positions.view(situation)), status=202)


class PlayerAnalysis(APIView):
    """A player's errors and luck over all their matches."""

    permission_classes = (permissions.AllowAny,)

    @extend_schema(
        operation_id="players_analysis",
        responses={200: serializers.PooledShape, **problems.answers({404: problems.USUAL[404]})},
        tags=[serializers.TAG],
    )
    def get(self, request: Request, key: str) -> Response:
        """Sums over the matches that the caller may see, for each engine, version and level by itself."""
        found = pooled.of_player(request.user, key)
        if found is None:
            raise exceptions.NotFound
        return Response(pooled.document(found))


class ClubEvidence(APIView):
    """A player's play against their rating."""

    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(
        operation_id="clubs_evidence",
        responses={200: serializers.EvidenceShape, **EVIDENCE},
        tags=[serializers.TAG],
    )
    def get(self, request: Request, slug: str, key: str) -> Response:
        """For directors of a club that wants it: how many of the engine's plays a player finds, and others rated alike."""
        club = get_object_or_404(Club, slug=slug)
        if not callers.account(request).has_perm("opinion.see_evidence", club):
            raise exceptions.PermissionDenied
        found = evidence.of_player(club, key)
        if found is None:
            raise exceptions.NotFound
        return Response(evidence.document(found))


class Deck(APIView):
    """The deck of one's own errors."""

    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(
        operation_id="deck_show",
        responses={200: serializers.DeckShape, **SIGNED_IN},
        tags=[serializers.TAG],
    )
    def get(self, request: Request) -> Response:
        """The next card, and how many are due and new. Nothing in it says what is right."""
        return Response(deck.document(deck.of_user(callers.account(request), timezone.now())))


class DeckCard(APIView):
    """One card of it."""

    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(
        operation_id="deck_answer",
        request=serializers.ChoiceShape,
        responses={200: serializers.AnsweredShape, **CARD},
        tags=[serializers.TAG],
    )
    def post(self, request: Request, card: int) -> Response:
        """Answer a card: then it is told what is right, and when the card comes again."""
        sent = serializers.ChoiceShape(data=request.data)
        sent.is_valid(raise_exception=True)
        user = callers.account(request)
        learning.answer(user=user, card=card, choice=sent.validated_data["choice"], now=timezone.now())
        found = deck.answer(user, card)
        if found is None:
            raise exceptions.NotFound
        return Response(deck.answer_document(found))


class Lessons(APIView):
    """Practice with the tutor."""

    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(
        operation_id="lessons_begin",
        request=serializers.LessonBeginShape,
        responses={201: serializers.BegunLessonShape, **BEGUN},
        tags=[serializers.TAG],
    )
    def post(self, request: Request) -> Response:
        """Begin a practice match with the tutor; one that is not finished and is like it is gone on with."""
        sent = serializers.LessonBeginShape(data=request.data)
        sent.is_valid(raise_exception=True)
        told = sent.validated_data
        row = tutoring.begin(
            player=callers.player(request),
            limit=told["limit"],
            level=levels.slug_of(told["opponent"]),
            length=told["length"],
            now=timezone.now(),
        )
        return Response({"match": row.key}, status=201)


class MatchTutor(APIView):
    """The tutor of one's own practice match."""

    authentication_classes = visiting_api.AT_THE_BOARD
    permission_classes = (permissions.IsAuthenticated,)

    def get_throttles(self) -> list[BaseThrottle]:
        """Return the limits: those of match play."""
        return callers.throttles(self.request)

    @extend_schema(
        operation_id="matches_tutor",
        responses={200: serializers.LessonShape, **TUTORED},
        tags=[serializers.TAG],
    )
    def get(self, request: Request, key: str) -> Response:
        """What the tutor says about your last play; while `looking`, ask again in a moment."""
        row = callers.find(request, key)
        found = self._told(request, row)
        if found.is_looking:
            bots.THINKER.ask(row.pk)
        return Response(lessons.document(found))

    @extend_schema(
        operation_id="matches_tutor_answer",
        request=serializers.LessonAnswerShape,
        responses={200: serializers.LessonShape, **TUTORED_ANSWER},
        tags=[serializers.TAG],
    )
    def post(self, request: Request, key: str) -> Response:
        """Take the play back that was pointed out, or play on: until then the bot waits."""
        row = callers.find(request, key)
        self._told(request, row)
        sent = serializers.LessonAnswerShape(data=request.data)
        sent.is_valid(raise_exception=True)
        answer = tutoring.take_back if sent.validated_data["answer"] == "take-back" else tutoring.play_on
        answer(match_id=row.pk, player=callers.player(request), now=timezone.now())
        row.refresh_from_db()
        return Response(lessons.document(self._told(request, row)))

    def _told(self, request: Request, row: Match) -> LessonView:
        found = lessons.of_match(row, callers.player(request))
        if found is None:
            raise exceptions.NotFound
        return found


paths: list[URLPattern] = [
    path("clubs/<slug:slug>/evidence/<slug:key>/", ClubEvidence.as_view(), name="club-evidence"),
    path("deck/", Deck.as_view(), name="deck"),
    path("deck/<int:card>/", DeckCard.as_view(), name="deck-card"),
    path("players/<slug:key>/analysis/", PlayerAnalysis.as_view(), name="player-analysis"),
    path("lessons/", Lessons.as_view(), name="lessons"),
    path("matches/<str:key>/tutor/", MatchTutor.as_view(), name="match-tutor"),
    path("positions/", Positions.as_view(), name="positions"),
    path("recorded-matches/<slug:key>/analysis/", RecordAnalysis.as_view(), name="record-analysis"),
    path("matches/<str:key>/analysis/", MatchAnalysis.as_view(), name="match-analysis"),
]
