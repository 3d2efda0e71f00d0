"""What an engine thinks of a match or a position, for programs. About a match that is not over nothing is told, whoever asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import exceptions, permissions
from rest_framework.response import Response
from rest_framework.views import APIView

from matches.api import callers, visiting
from matches.errors import Refused
from matches.serializers import problems
from opinion import serializers
from opinion.selectors import analyses, deck, pooled, positions
from opinion.services import asking, learning

if TYPE_CHECKING:
    from django.urls import URLPattern
    from rest_framework.request import Request
    from rest_framework.throttling import BaseThrottle

    from players.models import User

PROBLEMS = problems.answers(
    {
        404: problems.USUAL[404],
        409: {"not-finished": "the match is not over: until then an engine tells nobody anything"},
    }
)
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
CARD = problems.answers(
    {
        400: {"invalid": "no choice was sent", "unknown-choice": "it is none of the choices of the card"},
        401: problems.USUAL[401],
        403: {"read_only_token": problems.USUAL[403]["read_only_token"]},
        404: problems.USUAL[404],
        409: {
            "card-not-due": "it was answered, and has not come again",
            "position-in-play": "its position stands in a match that is being played",
        },
    }
)


class MatchAnalysis(APIView):
    """The analysis of one match."""

    authentication_classes = visiting.AT_THE_BOARD
    permission_classes = (permissions.AllowAny,)

    def get_throttles(self) -> list[BaseThrottle]:
        """Return the limits: those of match play."""
        return callers.throttles(self.request)

    @extend_schema(
        operation_id="matches_analysis",
        responses={200: serializers.AnalysisShape, **PROBLEMS},
        tags=[serializers.TAG],
    )
    def get(self, request: Request, key: str) -> Response:
        """Errors, luck and the best plays of a match that is over, as far as the analysis is."""
        found = analyses.of_match(callers.find(request, key))
        if found is None:
            raise Refused(_("The match is not over yet."), code="not-finished")
        return Response(analyses.document(found))


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


paths: list[URLPattern] = [
    path("deck/", Deck.as_view(), name="deck"),
    path("deck/<int:card>/", DeckCard.as_view(), name="deck-card"),
    path("players/<slug:key>/analysis/", PlayerAnalysis.as_view(), name="player-analysis"),
    path("positions/", Positions.as_view(), name="positions"),
    path("matches/<str:key>/analysis/", MatchAnalysis.as_view(), name="match-analysis"),
]
