"""API fields of acts: numbers of entries, keys of matches, scores, reasons."""

from __future__ import annotations

from functools import singledispatch
from typing import Any, Final

from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from matches.play.bodies import PlainText
from runtime.http.strict_fields import NumberField, StrictFields
from tournaments.base import act_fields, local_times

LARGEST_VERSION: Final = 2**31 - 1
GAME_ENDS: Final = ("single", "gammon", "backgammon", "drop")


def _build_entry_field(**more: Any) -> Any:
    return serializers.IntegerField(min_value=1, max_value=act_fields.MOST_ENTRIES, **more)


@extend_schema_field(
    {
        "type": "array",
        "minItems": 2,
        "maxItems": 2,
        "items": {"type": "integer", "minimum": 0},
        "example": [7, 5],
    }
)
class ScoreField(serializers.ListField):
    child = serializers.IntegerField(min_value=0, max_value=10_000)

    def to_internal_value(self, data: Any) -> Any:
        found = super().to_internal_value(data)
        if len(found) != 2:
            raise serializers.ValidationError(
                gettext("Send two numbers: the points of a and of b."), code="score"
            )
        return tuple(found)


class GameShape(StrictFields):
    """One game of a match."""

    winner = serializers.ChoiceField(choices=("a", "b"))
    points = serializers.IntegerField(min_value=1, max_value=10_000)
    cube = serializers.IntegerField(min_value=1, max_value=10_000, required=False)
    end = serializers.ChoiceField(choices=GAME_ENDS, required=False)


class Expects(StrictFields):
    """The state that the caller of an act saw; only the given fields are compared."""

    version = serializers.IntegerField(
        min_value=0,
        max_value=LARGEST_VERSION,
        required=False,
        help_text="The event's version: it grows with every change, so this is strict.",
    )
    people = serializers.DictField(
        child=serializers.CharField(max_length=10),
        required=False,
        help_text="Entries by number, with the key of the player each of them is.",
    )


class MatchExpects(Expects):
    """The state that the caller of an act on one match saw; names and values are those of the pairing."""

    a = _build_entry_field(required=False, allow_null=True, help_text="The number of the entry on side a.")
    b = _build_entry_field(required=False, allow_null=True, help_text="The number of the entry on side b.")
    kind = serializers.CharField(
        max_length=14, required=False, allow_blank=True, help_text="How it ended; blank while it is open."
    )
    score = ScoreField(required=False, allow_null=True)
    winner = _build_entry_field(required=False, allow_null=True)

    def to_internal_value(self, data: Any) -> Any:
        """Return the given fields as plain JSON values, to be compared with the current state."""
        found = super().to_internal_value(data)
        if found.get("score") is not None:
            found["score"] = list(found["score"])
        return found


@singledispatch
def build_api_field(field: act_fields.Field) -> Any:
    """Return the API field; those with other fields in them, and those of packages above, are registered."""
    options = _build_common_options(field)
    match field:
        case act_fields.Text():
            return PlainText(max_length=field.most, allow_blank=field.may_be_blank, **options)
        case act_fields.PointInTime():
            return serializers.DateTimeField(validators=[local_times.validate_moment], **options)
        case act_fields.Member():
            return serializers.CharField(max_length=10, **options)
        case act_fields.Number():
            return serializers.IntegerField(min_value=field.least, max_value=field.most, **options)
        case act_fields.Rating():
            most = act_fields.MOST_RATING
            return NumberField(min_value=-most, max_value=most, **options)
        case act_fields.Flag():
            return serializers.BooleanField(**options)
        case act_fields.Choice():
            return serializers.ChoiceField(choices=field.values, **options)
        case act_fields.Score():
            return ScoreField(**options)
        case _:
            raise TypeError(field)


def _build_common_options(field: act_fields.Field) -> dict[str, Any]:
    """Return the options that all fields have: default, null, help text."""
    options: dict[str, Any] = {"help_text": field.help or None}
    if field.default is act_fields.UNCHANGED:
        options["required"] = False
    elif not field.is_needed:
        options["default"] = field.default
    if field.may_be_none:
        options["allow_null"] = True
    return options


@build_api_field.register
def _(field: act_fields.Games) -> Any:
    return serializers.ListField(
        child=GameShape(), max_length=act_fields.MOST_GAMES, **_build_common_options(field)
    )


@build_api_field.register
def _(field: act_fields.Places) -> Any:
    place = serializers.IntegerField(min_value=1, max_value=act_fields.MOST_ENTRIES, allow_null=True)
    return serializers.DictField(child=place, **_build_common_options(field))


@build_api_field.register
def _(field: act_fields.ListField) -> Any:
    return serializers.ListField(
        child=build_api_field(field.of),
        min_length=field.least or None,
        max_length=field.most,
        **_build_common_options(field),
    )
