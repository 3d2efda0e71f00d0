"""A player's figures over all their matches, over HTTP: for everyone, and as evidence for directors of their club."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework import exceptions, permissions, serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from matches.play import callers, problems
from opinion.analyses.analyses import ABSENT, NONE
from opinion.analyses.analysis_shapes import TAG, FaultShape, Shape, null_float
from opinion.figures import evidence, pooled
from opinion.figures.pooled import OFF
from players.models import Club

if TYPE_CHECKING:
    from django.urls import URLPattern
    from rest_framework.request import Request


EVIDENCE = problems.answers(
    {
        401: problems.USUAL[401],
        403: {"permission_denied": "only directors of the club are told"},
        404: {
            "not_found": "there is no such club or player, the player is of another, or the club does not want it"
        },
    }
)


class SumsShape(Shape):
    """What decisions of some matches come to."""

    matches = serializers.IntegerField()
    pr = null_float(help_text="Null from 1 ply and under 50 counted decisions.")
    interval = null_float(help_text="To either side of the PR, 95 %.")
    counted = serializers.IntegerField()
    error = serializers.FloatField(help_text="In terms of the cube.")
    luck = serializers.FloatField(help_text="In terms of the cube; told at 1 ply.")
    blunders = serializers.IntegerField()


class MonthShape(SumsShape):
    """One month."""

    month = serializers.CharField(help_text="2026-11")


class PoolShape(SumsShape):
    """What one version of an engine found at one level."""

    engine = serializers.CharField()
    version = serializers.CharField()
    level = serializers.IntegerField()
    faults = FaultShape(many=True)
    months = MonthShape(many=True, help_text="The latest first.")
    note = serializers.CharField(allow_blank=True, help_text="Why there is no PR.")


class PooledShape(Shape):
    """A player's errors and luck over all matches."""

    player = serializers.CharField()
    missing = serializers.ChoiceField(
        ("", NONE, ABSENT, "off"),
        help_text="Why there are no figures: no match is analysed, there is no engine, or analyses are off.",
    )
    pools = PoolShape(many=True, help_text="Never added to each other; the one with most decisions first.")


class PlayRecordShape(Shape):
    """How many plays were the engine's, and what the decisions come to."""

    matches = serializers.IntegerField()
    plays = serializers.IntegerField(help_text="Those with a choice.")
    found = serializers.IntegerField(help_text="Those of them that gave nothing away.")
    rate = null_float(help_text="Null under 50 plays.")
    low = null_float(help_text="Of the 95 % interval of the rate (Wilson).")
    high = null_float()
    pr = null_float(help_text="Null under 50 counted decisions.")
    interval = null_float(help_text="To either side of the PR, 95 %.")
    counted = serializers.IntegerField()


class BaseRateShape(PlayRecordShape):
    """The same of the others, together."""

    players = serializers.IntegerField()
    as_many = serializers.IntegerField(help_text="Of these players, those whose rate is as high or higher.")
    ratings = serializers.ListField(
        child=serializers.FloatField(), allow_null=True, help_text="The lowest and the highest."
    )


class DifferenceShape(Shape):
    """By how much the player's rate is above the base rate."""

    rate = serializers.FloatField()
    low = serializers.FloatField(help_text="Of the 95 % interval (Newcombe).")
    high = serializers.FloatField()


class EvidenceShape(Shape):
    """A player's play against their rating: evidence, and no verdict."""

    player = serializers.CharField()
    missing = serializers.ChoiceField(("", NONE, ABSENT, OFF), help_text="Why there are no figures.")
    engine = serializers.CharField(allow_blank=True)
    version = serializers.CharField(allow_blank=True)
    level = serializers.IntegerField()
    list = serializers.CharField(allow_blank=True, help_text="The rating list of the club.")
    rating = null_float()
    own = PlayRecordShape(allow_null=True)
    others = BaseRateShape(
        allow_null=True,
        help_text="The ten others whose ratings are nearest; all others where the player has no rating.",
    )
    difference = DifferenceShape(allow_null=True)
    note = serializers.CharField()


class PlayerAnalysis(APIView):
    """A player's errors and luck over all their matches."""

    permission_classes = (permissions.AllowAny,)

    @extend_schema(
        operation_id="players_analysis",
        responses={200: PooledShape, **problems.answers({404: problems.USUAL[404]})},
        tags=[TAG],
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
        responses={200: EvidenceShape, **EVIDENCE},
        tags=[TAG],
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


paths: list[URLPattern] = [
    path("clubs/<slug:slug>/evidence/<slug:key>/", ClubEvidence.as_view(), name="club-evidence"),
    path("players/<slug:key>/analysis/", PlayerAnalysis.as_view(), name="player-analysis"),
]
