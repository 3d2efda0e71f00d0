"""A player's statistics over HTTP: public ones, and the evidence for directors."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path
from rest_framework import permissions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from matches.play import problems
from opinion.analyses.analyses import ABSENT, NONE, OFF
from opinion.analyses.analysis_api import FaultAnswer, describe, make_rounded_source
from opinion.figures import evidence, player_statistics
from opinion.figures.evidence import EvidenceView
from opinion.figures.player_statistics import Judge
from opinion.judging.documents import NOTES
from opinion.judging.evidence import PlayRecord
from players.access.callers import found_or_404, require_account
from players.models import Club
from runtime.http.answers import Answer, about

EVIDENCE = {
    401: problems.USUAL[401],
    403: {"permission_denied": "only directors of the club are told"},
    404: {
        "not_found": "there is no such club or player, the player is of another, or the club does not want it"
    },
}


class SumsAnswer(Answer):
    """Sums over the decisions of some matches."""

    matches: int
    pr: float | None = about("Null from 1 ply and under 50 counted decisions.")
    interval: float | None = about("To either side of the PR, 95 %.")
    counted: int = about(source="totals.counted")
    error: float = about("In terms of the cube.", source=make_rounded_source("totals.error"))
    luck: float = about("In terms of the cube; told at 1 ply.", source=make_rounded_source("totals.luck"))
    blunders: int = about(source="totals.blunders")


class OfMonthAnswer(Answer):
    """The month, as the first field of its sums."""

    month: str = about("2026-11", source=lambda month: f"{month.first:%Y-%m}")


class MonthAnswer(SumsAnswer, OfMonthAnswer):
    """The sums of one month."""


class OfJudgeAnswer(Answer):
    """The engine and its level, as the first fields of the sums of its analyses."""

    engine: str = about(source="judge.engine")
    version: str = about(source="judge.version")
    level: int = about(source="judge.level")


class PoolAnswer(SumsAnswer, OfJudgeAnswer):
    """The results of one version of an engine at one level."""

    faults: list[FaultAnswer]
    months: list[MonthAnswer] = about("The latest first.")
    note: str = about("Why there is no PR.", source=lambda pool: NOTES.get(pool.why_no_pr, ""))


class PooledAnswer(Answer):
    """A player's errors and luck over all matches."""

    player: str = about(source="key")
    missing: str = about(
        "Why there are no figures: no match is analysed, there is no engine, or analyses are off.",
        words=("", NONE, ABSENT, OFF),
        source="why_none",
    )
    pools: list[PoolAnswer] = about("Never added to each other; the one with most decisions first.")


class PlayRecordAnswer(Answer):
    """The number of plays that were the engine's best, and the sums of the decisions."""

    matches: int
    plays: int = about("Those with a choice.", source="share.of")
    found: int = about("Those of them that gave nothing away.", source="share.found")
    rate: float | None = about("Null under 50 plays.")
    low: float | None = about("Of the 95 % interval of the rate (Wilson).")
    high: float | None
    pr: float | None = about("Null under 50 counted decisions.")
    interval: float | None = about("To either side of the PR, 95 %.")
    counted: int = about(source="totals.counted")


class BaseRateAnswer(PlayRecordAnswer):
    """The plays of the others, of about the same rating, together."""

    players: int
    as_many: int = about("Of these players, those whose rate is as high or higher.")
    ratings: list[float] | None = about("The lowest and the highest.")


class DifferenceAnswer(Answer):
    """The player's rate minus the base rate."""

    rate: float
    low: float = about("Of the 95 % interval (Newcombe).")
    high: float


class EvidenceAnswer(Answer):
    """A player's play against their rating: evidence, and no verdict."""

    player: str = about(source="key")
    missing: str = about("Why there are no figures.", words=("", NONE, ABSENT, OFF))
    engine: str
    version: str
    level: int
    list: str = about("The rating list of the club.", source="list_name")
    rating: float | None
    own: PlayRecordAnswer | None
    others: BaseRateAnswer | None = about(
        "The ten others whose ratings are nearest; all others where the player has no rating."
    )
    difference: DifferenceAnswer | None
    note: str


def serialize_evidence(found: EvidenceView) -> EvidenceAnswer:
    judge, seen = found.judge or Judge("", "", 0), found.comparison
    own, others, difference = None, None, None
    if seen is not None:
        own = _serialize_record(seen.own, judge)
        others = BaseRateAnswer(
            **_serialize_record(seen.others, judge),
            players=seen.number,
            as_many=seen.as_many,
            ratings=seen.ratings and list(seen.ratings),
        )
        if seen.difference is not None:
            difference = DifferenceAnswer(**dict(zip(("rate", "low", "high"), seen.difference, strict=True)))
    return EvidenceAnswer.read(
        found, **judge._asdict(), own=own, others=others, difference=difference, note=evidence.NOTE
    )


def _serialize_record(record: PlayRecord, judge: Judge) -> PlayRecordAnswer:
    rate, pr = record.share.rate, record.totals.published(judge.level)
    low, high = (None, None) if rate is None else record.share.interval
    interval = None if pr is None else record.totals.interval
    return PlayRecordAnswer.read(record, rate=rate, low=low, high=high, pr=pr, interval=interval)


class PlayerAnalysis(APIView):
    permission_classes = (permissions.AllowAny,)

    @describe("players_analysis", PooledAnswer, {404: problems.USUAL[404]})
    def get(self, request: Request, key: str) -> Response:
        """Sums over the matches that the caller may see, separately for each engine, version and level."""
        found = found_or_404(player_statistics.load_statistics(request.user, key))
        return Response(PooledAnswer.read(found))


class ClubEvidence(APIView):
    permission_classes = (permissions.IsAuthenticated,)

    @describe("clubs_evidence", EvidenceAnswer, EVIDENCE)
    def get(self, request: Request, slug: str, key: str) -> Response:
        """How many of the engine's plays a player finds, compared with others of about the same rating.

        Only for directors of the club, if it enables this.
        """
        club = get_object_or_404(Club, slug=slug)
        require_account(request, "opinion.see_evidence", club)
        return Response(serialize_evidence(found_or_404(evidence.load_evidence(club, key))))


paths: list[URLPattern] = [
    path("clubs/<slug:slug>/evidence/<slug:key>/", ClubEvidence.as_view(), name="club-evidence"),
    path("players/<slug:key>/analysis/", PlayerAnalysis.as_view(), name="player-analysis"),
]
