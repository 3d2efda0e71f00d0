"""Single positions over HTTP: description and evaluation."""

from __future__ import annotations

from typing import Final

from django.urls import URLPattern, path
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework import permissions, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engine.side import BySide, Side
from matches.play import problems
from opinion.analyses.analyses import OFF
from opinion.analyses.analysis_api import PROGRESS, CandidateAnswer, describe
from opinion.judging.positions import Advice, Question
from opinion.positions import evaluation_requests, positions
from opinion.positions.positions import IN_PLAY, LONGEST
from players.access.callers import get_account, read_body
from runtime.http.answers import Answer, about
from runtime.http.strict_fields import StrictFields

UNREAD = {
    400: {
        "invalid": "no position was given, or one that is too long",
        "unknown-position": "this is no XGID, and no Position ID with or without a Match ID",
        "impossible-position": "there is no such position in a game",
        "position-over": "in this position the game is over",
    }
}
ASKED = UNREAD | {
    401: problems.USUAL[401],
    403: problems.READ_ONLY,
    409: {
        "position-in-play": "it stands in a match that is being played: until that is over no engine answers",
        "no-engine": "there is no engine on this machine",
    },
    429: problems.USUAL[429] | {"too-many-questions": "too many within an hour; wait as `Retry-After` says"},
}
POSITION: Final = OpenApiParameter(
    "position",
    str,
    required=True,
    description="An XGID, or a Position ID, alone or with a colon and a Match ID.",
)
SIDES: Final = ("white", "black")
POSITION_PROGRESS: Final = (*PROGRESS, IN_PLAY, OFF)


class PositionQuestionShape(StrictFields):
    """A position to be analysed."""

    position = serializers.CharField(max_length=LONGEST, help_text="As it is read by `GET`.")


class PositionSidesAnswer(Answer):
    """A number for each side."""

    white: int
    black: int


class PositionCubeAnswer(Answer):
    """The doubling cube."""

    value: int
    owner: str | None = about("Null in the middle.", words=SIDES, source="owner.word")


class PositionCubeWorthAnswer(Answer):
    """The equities of the choices for the side on roll, or for the doubler."""

    no_double: float
    take: float
    drop: float = about(name="pass", source=lambda _worth: 1.0)
    percents: list[float] = about(
        "As of a play.", source=lambda worth: [round(100 * chance, 1) for chance in worth.chances]
    )


class PositionAnswer(Answer):
    """The evaluation of a position by an engine."""

    engine: str
    version: str
    level: int = about("The deepest of it.")
    plays: list[CandidateAnswer] = about("The five best, the best first; none without dice.")
    cube: PositionCubeWorthAnswer | None = about("Null where dice lie.")
    advice: Advice | None


class AskedPositionAnswer(Answer):
    """A position, with the engine's answer if there is one."""

    xgid: str
    gnubg_id: str = about("Position ID and Match ID, with a colon between them.")
    turn: str = about("The side on roll; of a double the doubler.", words=SIDES, source="situation.turn.word")
    dice: str | None = about(source=lambda found: found.situation.dice and str(found.situation.dice))
    length: int = about("0 in money play.", source="situation.length")
    score: PositionSidesAnswer = about(source="situation.score")
    crawford: bool = about(source="situation.crawford")
    cube: PositionCubeAnswer = about(source="situation.cube")
    pips: PositionSidesAnswer = about(source=lambda found: BySide(*map(found.situation.board.pips, Side)))
    contact: bool = about(source="situation.board.has_contact")
    question: Question
    choices: int | None = about("To how many boards the dice can lead; null without dice.")
    progress: str = about(
        "`in-play`: it stands in a match that is being played, and until that is over nothing is told.",
        words=POSITION_PROGRESS,
    )
    why: str
    answer: PositionAnswer | None


class Positions(APIView):
    permission_classes = (permissions.IsAuthenticatedOrReadOnly,)

    @describe("positions_show", AskedPositionAnswer, UNREAD, parameters=[POSITION])
    def get(self, request: Request) -> Response:
        """A position, what is legal in it, and the engine's answer if one was requested."""
        situation = positions.parse_position(request.query_params.get("position", ""))
        return Response(AskedPositionAnswer.read(positions.load_view(situation)))

    @describe("positions_ask", AskedPositionAnswer, ASKED, request=PositionQuestionShape, status=202)
    def post(self, request: Request) -> Response:
        """Request the engine's analysis of a position; read it until `progress` is not `waiting`."""
        data = read_body(PositionQuestionShape, request)
        situation = positions.parse_position(data["position"])
        user, now = get_account(request), timezone.now()
        evaluation_requests.queue_evaluation(user=user, situation=situation, now=now)
        return Response(AskedPositionAnswer.read(positions.load_view(situation)), status=202)


paths: list[URLPattern] = [path("positions/", Positions.as_view(), name="positions")]
