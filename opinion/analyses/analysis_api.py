"""Analyses of finished matches and records over HTTP: read and request. And their shapes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import Any, Final

from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import permissions, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from matches import hooks as match_hooks
from matches.play import callers, match_access, problems
from matches.state.errors import Refused
from opinion.analyses import analyses, analysing
from opinion.analyses.analyses import ABSENT, DIGITS, NONE, AnalysisView, RemarkView
from opinion.judging.decisions import Kind
from opinion.judging.documents import NOTES
from opinion.models import Progress
from players.access.callers import found_or_404, get_account
from runtime.http.answers import Answer, about
from runtime.http.strict_fields import refuse_body

describe: Final = partial(problems.describe, tag="analysis")
PROGRESS: Final = (*Progress.values, NONE, ABSENT)


def make_rounded_source(path: str) -> Callable[[Any], float | None]:
    """Return a `source` that reads a number by attribute path and rounds it."""
    read = attrgetter(path)
    return lambda each: None if read(each) is None else round(read(each), DIGITS)


class FaultAnswer(Answer):
    """The errors of one kind."""

    fault: str
    number: int
    error: float


class AnalysedSideAnswer(Answer):
    """The figures of one side; an analysis has white's, then black's."""

    pr: float | None = about("Null from 1 ply and under 50 counted decisions.")
    interval: float | None = about("To either side of the PR, 95 %.")
    counted: int = about(source="totals.counted")
    error: float = about("In terms of the cube.", source=make_rounded_source("totals.error"))
    cost: float = about(
        "In terms of the match's chance; points in money play.", source=make_rounded_source("totals.cost")
    )
    luck: float = about(source=make_rounded_source("totals.luck"))
    luck_adjusted: float | None
    blunders: int = about(source="totals.blunders")
    faults: list[FaultAnswer]


class CandidateAnswer(Answer):
    """A play and its evaluation."""

    play: str
    equity: float
    level: int
    percents: list[float] = about("Wins, of them gammons and backgammons, lost gammons and backgammons.")


@extend_schema_field(
    {
        "type": "object",
        "nullable": True,
        "properties": {name: {"type": "number"} for name in ("no_double", "take", "pass")},
    }
)
class CubeField(serializers.DictField):
    """The equities of no double, a take and a pass for the doubler."""


def serialize_cube(remark: RemarkView) -> dict[str, float] | None:
    """Serialize the cube equities for the doubler; None for a play."""
    return remark.cube and {"no_double": remark.cube[0], "take": remark.cube[1], "pass": 1.0}


class DecisionAnswer(Answer):
    """A decision, or a roll after which there was none."""

    line: int = about("The line of the journal; of a record the fact, from 1.", source="seq")
    game: int
    roll: int = about(source="ply")
    side: str = about(source="side.word", words=("white", "black"))
    kind: Kind
    position: str = about("XGID.")
    dice: str | None = about(source=lambda each: each.dice or None)
    done: str = about(source="decided")
    best: str
    counted: bool
    level: int = about("0 where there was nothing to decide.")
    error: float
    cost: float
    fault: str
    luck: float | None = about(source=make_rounded_source("luck"))
    chance: float | None = about("White's chance of the match, had the decision been the best.")
    plays: list[CandidateAnswer]
    cube: dict[str, float] | None = about(source=serialize_cube, described=CubeField(allow_null=True))


def _build_note(found: AnalysisView) -> str:
    return " ".join(NOTES[why] for why in sorted({side.why_no_pr for side in found.sides if side.why_no_pr}))


class AnalysisAnswer(Answer):
    """The analysis of a finished match by an engine."""

    progress: str = about(words=PROGRESS)
    why: str
    engine: str
    version: str
    level: int = about("The deepest pass that is done; 0 before the first.")
    sides: list[AnalysedSideAnswer]
    decisions: list[DecisionAnswer] = about(source="remarks")
    left_out: int = about(
        "Decisions of a record that are not told now: their positions stand in a match that is being played."
    )
    note: str = about(source=_build_note)


NOT_FINISHED = {"not-finished": "the match is not over: until then an engine tells nobody anything"}
NO_ENGINE = {"no-engine": "there is no engine on this machine"}
NOT_YOURS = {"permission_denied": "only the two players and directors have it analysed"}
PROBLEMS = {404: problems.USUAL[404], 409: NOT_FINISHED}
SIGNED_IN = {401: problems.USUAL[401]}
READ_RECORD = SIGNED_IN | {404: problems.USUAL[404]}
ANALYSE = READ_RECORD | {403: problems.READ_ONLY | NOT_YOURS, 409: NOT_FINISHED | NO_ENGINE}
ANALYSE_RECORD = READ_RECORD | {403: problems.READ_ONLY, 409: NO_ENGINE}


class MatchAnalysis(callers.BoardView):
    permission_classes = (permissions.AllowAny,)

    @describe("matches_analysis", AnalysisAnswer, PROBLEMS)
    def get(self, request: Request, key: str) -> Response:
        """Errors, luck and the best plays of a finished match, as far as it has been analysed."""
        found = analyses.load_analysis(callers.find_match(request, key), timezone.now())
        if found is None:
            raise Refused(_("The match is not over yet."), code="not-finished")
        return Response(AnalysisAnswer.read(found))

    @describe("matches_analyse", AnalysisAnswer, ANALYSE, request=None, status=202)
    @refuse_body
    def post(self, request: Request, key: str) -> Response:
        """Request the analysis of a finished match, as its player or director; poll until it is `done`."""
        now, seen = timezone.now(), match_access.get_or_404(key, get_account(request))
        analysing.submit_match_request(seen, now=now)
        found = analyses.load_analysis(seen.row, now)
        return Response(None if found is None else AnalysisAnswer.read(found), status=202)


class RecordAnalysis(APIView):
    permission_classes = (permissions.IsAuthenticated,)

    @describe("recorded_matches_analysis", AnalysisAnswer, READ_RECORD)
    def get(self, request: Request, key: str) -> Response:
        """Errors, luck and the best plays of a recorded match, for those who may see its verdict."""
        found = found_or_404(match_hooks.RECORDS.get().find_visible(request.user, key))
        return Response(AnalysisAnswer.read(analyses.load_record_analysis(found, timezone.now())))

    @describe("recorded_matches_analyse", AnalysisAnswer, ANALYSE_RECORD, request=None, status=202)
    @refuse_body
    def post(self, request: Request, key: str) -> Response:
        """Request the analysis of a recorded match whose verdict you may see; poll until it is `done`."""
        analysing.submit_record_request(get_account(request), key, now=timezone.now())
        answer = self.get(request, key)
        answer.status_code = 202
        return answer


paths: list[URLPattern] = [
    path("recorded-matches/<slug:key>/analysis/", RecordAnalysis.as_view(), name="record-analysis"),
    path("matches/<str:key>/analysis/", MatchAnalysis.as_view(), name="match-analysis"),
]
