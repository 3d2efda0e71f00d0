"""Analyses of finished matches and records over HTTP: read and request."""

from __future__ import annotations

from typing import cast

from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import exceptions, permissions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from matches import hooks as match_hooks
from matches.play import callers, match_access, problems, visitor_sessions
from matches.state.errors import Refused
from opinion.analyses import analyses, analysing
from opinion.analyses.analysis_shapes import TAG, AnalysisAnswer
from players.models import User
from runtime.http.strict_fields import refuse_body

NOT_FINISHED = {"not-finished": "the match is not over: until then an engine tells nobody anything"}
NO_ENGINE = {"no-engine": "there is no engine on this machine"}
NOT_YOURS = {"permission_denied": "only the two players and directors have it analysed"}
PROBLEMS = problems.build_responses({409: NOT_FINISHED}, usual=(404,))
READ_RECORD = problems.build_responses({}, usual=(401, 404))
ANALYSE = problems.build_responses(
    {403: problems.READ_ONLY | NOT_YOURS, 409: NOT_FINISHED | NO_ENGINE}, usual=(401, 404)
)
ANALYSE_RECORD = problems.build_responses({403: problems.READ_ONLY, 409: NO_ENGINE}, usual=(401, 404))


@extend_schema(tags=[TAG])
class MatchAnalysis(APIView):
    authentication_classes = visitor_sessions.AT_THE_BOARD
    permission_classes = (permissions.AllowAny,)

    def get_throttles(self) -> list[BaseThrottle]:
        """Return the throttles of match play."""
        return callers.list_throttles(self.request)

    @extend_schema(operation_id="matches_analysis", responses={200: AnalysisAnswer, **PROBLEMS})
    def get(self, request: Request, key: str) -> Response:
        """Errors, luck and the best plays of a finished match, as far as it has been analysed."""
        found = analyses.load_analysis(callers.find_match(request, key), timezone.now())
        if found is None:
            raise Refused(_("The match is not over yet."), code="not-finished")
        return Response(AnalysisAnswer.read(found))

    @extend_schema(operation_id="matches_analyse", request=None, responses={202: AnalysisAnswer, **ANALYSE})
    @refuse_body
    def post(self, request: Request, key: str) -> Response:
        """Request the analysis of a finished match, as its player or director; poll until it is `done`."""
        if not isinstance(request.user, User):
            raise exceptions.NotAuthenticated
        now = timezone.now()
        seen = match_access.get_or_404(key, request.user)
        analysing.submit_match_request(seen, now=now)
        found = analyses.load_analysis(seen.row, now)
        return Response(None if found is None else AnalysisAnswer.read(found), status=202)


@extend_schema(tags=[TAG])
class RecordAnalysis(APIView):
    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(operation_id="recorded_matches_analysis", responses={200: AnalysisAnswer, **READ_RECORD})
    def get(self, request: Request, key: str) -> Response:
        """Errors, luck and the best plays of a recorded match, for those who may see its verdict."""
        found = match_hooks.RECORDS.get().find_visible(request.user, key)
        if found is None:
            raise exceptions.NotFound
        return Response(AnalysisAnswer.read(analyses.load_record_analysis(found, timezone.now())))

    @extend_schema(
        operation_id="recorded_matches_analyse",
        request=None,
        responses={202: AnalysisAnswer, **ANALYSE_RECORD},
    )
    @refuse_body
    def post(self, request: Request, key: str) -> Response:
        """Request the analysis of a recorded match whose verdict you may see; poll until it is `done`."""
        analysing.submit_record_request(cast("User", request.user), key, now=timezone.now())
        answer = self.get(request, key)
        answer.status_code = 202
        return answer


paths: list[URLPattern] = [
    path("recorded-matches/<slug:key>/analysis/", RecordAnalysis.as_view(), name="record-analysis"),
    path("matches/<str:key>/analysis/", MatchAnalysis.as_view(), name="match-analysis"),
]
