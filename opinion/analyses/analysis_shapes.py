"""What the API tells of an analysis, for its description."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from opinion.analyses.analyses import ABSENT, NONE
from opinion.judging.decisions import Kind
from opinion.models import Progress
from runtime.http.strict_fields import StrictFields

Shape = StrictFields
TAG: Final = "analysis"
PROGRESS: Final = (*Progress.values, NONE, ABSENT)


def null_float(**more: Any) -> serializers.FloatField:
    """Return a field for a number, or null."""
    return serializers.FloatField(allow_null=True, **more)


class FaultShape(Shape):
    """The errors of one kind."""

    fault = serializers.CharField()
    number = serializers.IntegerField()
    error = serializers.FloatField()


class AnalysedSideShape(Shape):
    """One side's figures: white's, then black's."""

    pr = null_float(help_text="Null from 1 ply and under 50 counted decisions.")
    interval = null_float(help_text="To either side of the PR, 95 %.")
    counted = serializers.IntegerField()
    error = serializers.FloatField(help_text="In terms of the cube.")
    cost = serializers.FloatField(help_text="In terms of the match's chance; points in unlimited play.")
    luck = serializers.FloatField()
    luck_adjusted = null_float()
    blunders = serializers.IntegerField()
    faults = FaultShape(many=True)


class CandidateShape(Shape):
    """A play and its worth."""

    play = serializers.CharField()
    equity = serializers.FloatField()
    level = serializers.IntegerField()
    percents = serializers.ListField(
        child=serializers.FloatField(),
        help_text="Wins, of them gammons and backgammons, lost gammons and backgammons.",
    )


@extend_schema_field(
    {
        "type": "object",
        "nullable": True,
        "properties": {name: {"type": "number"} for name in ("no_double", "take", "pass")},
    }
)
class CubeField(serializers.DictField):
    """What no double, a take and a pass are worth to the doubler."""


class DecisionShape(Shape):
    """A decision, or a roll after which there was none."""

    line = serializers.IntegerField(help_text="The line of the journal; of a record the fact, from 1.")
    game = serializers.IntegerField()
    roll = serializers.IntegerField()
    side = serializers.ChoiceField(("white", "black"))
    kind = serializers.ChoiceField([kind.value for kind in Kind])
    position = serializers.CharField(help_text="XGID.")
    dice = serializers.CharField(allow_null=True)
    done = serializers.CharField(allow_blank=True)
    best = serializers.CharField(allow_blank=True)
    counted = serializers.BooleanField()
    level = serializers.IntegerField(help_text="0 where there was nothing to decide.")
    error = serializers.FloatField()
    cost = serializers.FloatField()
    fault = serializers.CharField(allow_blank=True)
    luck = null_float()
    chance = null_float(help_text="White's chance of the match, had the decision been the best.")
    plays = CandidateShape(many=True)
    cube = CubeField(allow_null=True)


class AnalysisShape(Shape):
    """What an engine thinks of a match that is over."""

    progress = serializers.ChoiceField(PROGRESS)
    why = serializers.CharField(allow_blank=True)
    engine = serializers.CharField(allow_blank=True)
    version = serializers.CharField(allow_blank=True)
    level = serializers.IntegerField(help_text="The deepest pass that is done; 0 before the first.")
    sides = AnalysedSideShape(many=True)
    decisions = DecisionShape(many=True)
    left_out = serializers.IntegerField(
        help_text="Decisions of a record that are not told now: their positions stand in a match that is being played."
    )
    note = serializers.CharField(allow_blank=True)
