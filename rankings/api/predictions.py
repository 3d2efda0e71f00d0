"""What the API tells of a list's predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework import serializers

from runtime.strict_fields import StrictFields

if TYPE_CHECKING:
    from rankings.selectors.calibration import Calibration

Shape = StrictFields


class CalibrationBinShape(Shape):
    """Matches with about the same favourite."""

    low = serializers.IntegerField(help_text="The favourite's chance in per cent, from here ...")
    high = serializers.IntegerField(help_text="... to below here.")
    matches = serializers.IntegerField()
    expected = serializers.FloatField(help_text="The mean chance, between 0 and 1.")
    won = serializers.FloatField(help_text="The share of these matches that the favourite won.")


class CalibrationShape(Shape):
    """What a list predicted and what happened."""

    matches = serializers.IntegerField()
    brier = serializers.FloatField(
        allow_null=True, help_text="The mean of (chance - 1 or 0) squared; null: no match yet."
    )
    shows_chances = serializers.BooleanField(
        help_text="Whether chances are shown: 200 results with a Brier score under 0.25."
    )
    bins = CalibrationBinShape(many=True)


def told(found: Calibration) -> dict[str, Any]:
    """Tell what was predicted and what happened."""
    names = ("low", "high", "matches", "expected", "won")
    return {
        "matches": found.score.matches,
        "brier": found.score.brier,
        "shows_chances": found.score.is_good,
        "bins": [{name: getattr(each, name) for name in names} for each in found.bins],
    }
