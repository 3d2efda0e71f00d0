"""What an engine thinks of a match, for programs. About a match that is not over nothing is told, whoever asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import path
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import permissions
from rest_framework.response import Response
from rest_framework.views import APIView

from matches.api import callers, visiting
from matches.errors import Refused
from matches.serializers import problems
from opinion import serializers
from opinion.selectors import analyses

if TYPE_CHECKING:
    from django.urls import URLPattern
    from rest_framework.request import Request
    from rest_framework.throttling import BaseThrottle

PROBLEMS = problems.answers(
    {
        404: problems.USUAL[404],
        409: {"not-finished": "the match is not over: until then an engine tells nobody anything"},
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


paths: list[URLPattern] = [
    path("matches/<str:key>/analysis/", MatchAnalysis.as_view(), name="match-analysis"),
]
