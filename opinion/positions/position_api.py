"""A position by itself, over HTTP: what stands in it, and what an engine thinks of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from django.urls import path
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import permissions, serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from matches.play import problems
from opinion.analyses.analysis_shapes import PROGRESS, TAG, CandidateShape, Shape
from opinion.judging.positions import Advice, Question
from opinion.positions import asking, positions
from opinion.positions.positions import IN_PLAY, LONGEST, OFF

if TYPE_CHECKING:
    from django.urls import URLPattern
    from rest_framework.request import Request

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
POSITION_PROGRESS: Final = (*PROGRESS, IN_PLAY, OFF)


class PositionQuestionShape(Shape):
    """A position to be looked at."""

    position = serializers.CharField(max_length=LONGEST, help_text="As it is read by `GET`.")


class PositionSidesShape(Shape):
    """A number for each side."""

    white = serializers.IntegerField()
    black = serializers.IntegerField()


class PositionCubeShape(Shape):
    """The doubling cube."""

    value = serializers.IntegerField()
    owner = serializers.ChoiceField(("white", "black"), allow_null=True, help_text="Null in the middle.")


class PositionCubeWorthShape(Shape):
    """What the choices are worth to the side on roll, or to the doubler."""

    no_double = serializers.FloatField()
    take = serializers.FloatField()
    percents = serializers.ListField(child=serializers.FloatField(), help_text="As of a play.")

    def get_fields(self) -> dict[str, Any]:
        """Return the fields; one has a name that is a word of Python."""
        return {**super().get_fields(), "pass": serializers.FloatField()}


class PositionAnswerShape(Shape):
    """What an engine thinks of a position."""

    engine = serializers.CharField()
    version = serializers.CharField()
    level = serializers.IntegerField(help_text="The deepest of it.")
    plays = CandidateShape(many=True, help_text="The five best, the best first; none without dice.")
    cube = PositionCubeWorthShape(allow_null=True, help_text="Null where dice lie.")
    advice = serializers.ChoiceField([each.value for each in Advice], allow_null=True)


class AskedPositionShape(Shape):
    """A position by itself."""

    xgid = serializers.CharField()
    gnubg_id = serializers.CharField(help_text="Position ID and Match ID, with a colon between them.")
    turn = serializers.ChoiceField(("white", "black"), help_text="The side on roll; of a double the doubler.")
    dice = serializers.CharField(allow_null=True)
    length = serializers.IntegerField(help_text="0 in unlimited play.")
    score = PositionSidesShape()
    crawford = serializers.BooleanField()
    cube = PositionCubeShape()
    pips = PositionSidesShape()
    contact = serializers.BooleanField()
    question = serializers.ChoiceField([each.value for each in Question])
    choices = serializers.IntegerField(
        allow_null=True, help_text="To how many boards the dice can lead; null without dice."
    )
    progress = serializers.ChoiceField(
        POSITION_PROGRESS,
        help_text="`in-play`: it stands in a match that is being played, and until that is over nothing is told.",
    )
    why = serializers.CharField(allow_blank=True)
    answer = PositionAnswerShape(allow_null=True)


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
        responses={200: AskedPositionShape, **UNREAD},
        tags=[TAG],
    )
    def get(self, request: Request) -> Response:
        """A position, what is legal in it, and the engine's answer if somebody has asked for it."""
        situation = positions.read(request.query_params.get("position", ""))
        return Response(positions.document(positions.view(situation)))

    @extend_schema(
        operation_id="positions_ask",
        request=PositionQuestionShape,
        responses={202: AskedPositionShape, **ASKED},
        tags=[TAG],
    )
    def post(self, request: Request) -> Response:
        """Ask the engine about a position; read it again until `progress` is no longer `waiting`."""
        question = PositionQuestionShape(data=request.data)
        question.is_valid(raise_exception=True)
        situation = positions.read(question.validated_data["position"])
        user = cast("User", request.user)
        asking.ask(user=user, situation=situation, now=timezone.now())
        return Response(positions.document(positions.view(situation)), status=202)


paths: list[URLPattern] = [
    path("positions/", Positions.as_view(), name="positions"),
]
