"""Series as the API tells and takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from matches.serializers import problems
from runtime.strict_fields import StrictFields
from tournaments.models import MOST_DAYS_BEFORE

if TYPE_CHECKING:
    from tournaments.selectors.series import Evening, SeriesView

Shape = StrictFields
TAG: Final = "series"
PROBLEMS: Final = problems.answers(
    {
        **problems.USUAL,
        403: {
            "not_director": "only a director of the club may do this",
            "read_only_token": "the token is for reading",
        },
        409: {"event_refused": "it cannot be done as things are; the code and the sentence say why"},
    }
)


@extend_schema_field({"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$", "example": "19:30"})
class HourField(serializers.TimeField):
    """An hour on a wall, "19:30": the format that documents call a time has seconds and a zone."""

    def __init__(self, **options: Any) -> None:
        super().__init__(format="%H:%M", input_formats=["%H:%M"], **options)


class EveningShape(Shape):
    """An evening of a series that is to come."""

    day = serializers.DateField(help_text="By the club's clock.")
    event = serializers.CharField(allow_null=True, help_text="The key of its event, once it is announced.")
    skipped = serializers.BooleanField(help_text="No event is announced for this day.")
    announced_at = serializers.DateTimeField(allow_null=True, help_text="When its event will be announced.")


class SeriesChange(Shape):
    """When a series has its evenings, and what they are like."""

    name = serializers.CharField(max_length=80, help_text="Each of its events is called so.")
    weekday = serializers.IntegerField(min_value=0, max_value=6, help_text="0 is Monday.")
    at = HourField(help_text="The hour by the club's clock, in summer and in winter.")
    days_before = serializers.IntegerField(
        min_value=1,
        max_value=MOST_DAYS_BEFORE,
        help_text="So many days before, at the same hour, it is announced.",
    )
    until = serializers.DateField(required=False, allow_null=True, help_text="The last day; null: no end.")
    like = serializers.CharField(
        max_length=10,
        required=False,
        allow_blank=True,
        help_text="The key of the event that each is like; empty: the club's last one on this weekday.",
    )


class SeriesAmendment(SeriesChange):
    """Another version of a series; what is left out stays."""

    seen = serializers.IntegerField(min_value=0, help_text="The `version` that is changed.")

    def validate(self, attrs: Any) -> Any:
        """Have it said what was seen, whatever else is left out."""
        if "seen" not in attrs:
            raise serializers.ValidationError(
                {"seen": self.fields["seen"].error_messages["required"]}, code="required"
            )
        return attrs


class SeriesShape(SeriesChange):
    """A series: an evening each week that is announced by itself."""

    key = serializers.CharField(read_only=True)
    club = serializers.SlugField(help_text="The club's address.")
    paused = serializers.BooleanField(read_only=True)
    trouble = serializers.CharField(
        read_only=True, help_text="The code of the refusal that paused it; empty where a director did."
    )
    due_at = serializers.DateTimeField(
        read_only=True, allow_null=True, help_text="When its next evening is announced."
    )
    version = serializers.IntegerField(read_only=True)
    evenings = EveningShape(many=True, read_only=True, help_text="What is to come, the next first.")


class SeriesDayShape(Shape):
    """A day of a series."""

    day = serializers.DateField()


def series(view: SeriesView) -> dict[str, Any]:
    """Tell a series."""
    row = view.row
    same = ("key", "name", "weekday", "days_before", "until", "trouble", "due_at", "version")
    return {
        **{name: getattr(row, name) for name in same},
        "at": row.at.strftime("%H:%M"),
        "club": row.club.slug,
        "like": row.like.key if row.like else "",
        "paused": row.paused_at is not None,
        "evenings": [evening(each) for each in view.evenings],
    }


def evening(each: Evening) -> dict[str, Any]:
    """Tell an evening that is to come."""
    return {
        "day": each.day,
        "event": each.event.key if each.event else None,
        "skipped": each.is_skipped,
        "announced_at": each.announced_at,
    }
