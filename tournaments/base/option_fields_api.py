"""API fields of options: one field of a request or of an answer for each option."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from draw.options import Choice, Flag, Option, Setting, WholeNumber
from draw.rules_of_play import Count
from tournaments.base import local_times, settings
from tournaments.base.settings import DateAndTime, Lateness

STEP: Final = 2
# The limit of lateness steps.
MOST_STEPS: Final = 20
Fields = dict[str, Any]


@extend_schema_field(
    {
        "type": "array",
        "items": {
            "type": "array",
            "minItems": STEP,
            "maxItems": STEP,
            "items": {"type": "integer", "nullable": True},
        },
        "example": [[5, 1], [10, 2], [15, None]],
    }
)
class LatenessField(serializers.ListField):
    """Penalty points by minutes of lateness; null points lose the match."""

    child = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=settings.LARGEST_MINUTES, allow_null=True),
        min_length=STEP,
        max_length=STEP,
    )

    def to_internal_value(self, data: Any) -> Any:
        steps = [(minutes, points) for minutes, points in super().to_internal_value(data)]
        if any(minutes is None for minutes, _points in steps):
            raise serializers.ValidationError(
                _("Each step needs the number of minutes after which it begins."), code="no_minutes"
            )
        return tuple(steps)


def _build_field(option: Option[Any], **more: Any) -> Any:
    """Return the field for an option: of a request if *more* has a default or says that it is not required."""
    is_request = bool(more.keys() & {"default", "required"})
    match option:
        case Count():
            return serializers.IntegerField(**more)
        case WholeNumber():
            return serializers.IntegerField(min_value=option.least_said, max_value=option.largest, **more)
        case Flag():
            return serializers.BooleanField(**more)
        case Choice() if is_request:
            return serializers.ChoiceField(
                choices=[*option.choices], allow_blank="" in option.choices, **more
            )
        case Choice():
            return serializers.CharField(**more)
        case DateAndTime():
            return serializers.DateTimeField(validators=[local_times.validate_moment], **more)
        case Lateness() if "default" in more:
            # A callable default, so that the OpenAPI document states none.
            return LatenessField(max_length=MOST_STEPS, **more | {"default": tuple})
        case Lateness():
            return serializers.ListField(**more)
        case _:
            raise NotImplementedError(option)


def build_request_fields(known: Mapping[str, Setting], **usual: Any) -> Fields:
    """Return the fields of requests; without *usual*, an option that is left out has its default."""
    return {
        name: _build_setting_field(each, each.request_help, **(usual or {"default": each.option.default}))
        for name, each in known.items()
    }


def build_answer_fields(known: Mapping[str, Setting]) -> Fields:
    """Return the fields of answers, for settings that are public."""
    return {
        name: _build_setting_field(each, each.answer_help)
        for name, each in known.items()
        if each.answer_help is not None
    }


def _build_setting_field(setting: Setting, help_text: str, **more: Any) -> Any:
    described = {"help_text": help_text} if help_text else {}
    may_be_none = {"allow_null": True} if setting.option.default is None else {}
    return _build_field(setting.option, **more, **described, **may_be_none)
