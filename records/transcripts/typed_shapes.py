"""A transcription as the API takes it in and shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from rest_framework import serializers

from engine.rules import LONGEST_READ
from records.transcripts import transcriptions
from records.transcripts.entering import LONGEST
from records.transcripts.transcribing import MOST_LINES
from runtime.http.strict_fields import StrictFields

if TYPE_CHECKING:
    from records.models import Transcription

KEY: Final = r"^[0-9a-zA-Z-]{8,40}$"


class BeginRequest(StrictFields):
    """A match of two, or a record that is mended."""

    club = serializers.CharField(
        max_length=80, required=False, help_text="The club's address; needed unless a record is mended."
    )
    white = serializers.CharField(
        max_length=80, required=False, help_text="Who is written left; needed likewise."
    )
    black = serializers.CharField(max_length=80, required=False)
    length = serializers.IntegerField(
        min_value=0,
        max_value=LONGEST_READ,
        required=False,
        default=0,
        help_text="In points; 0 is unlimited play.",
    )
    match = serializers.UUIDField(
        required=False, help_text="The `uid` of the match of the club's events that it is."
    )
    mends = serializers.CharField(
        max_length=10, required=False, help_text="The key of a record to be mended."
    )
    number = serializers.IntegerField(
        min_value=1, max_value=1000, required=False, default=1, help_text="Which match in that record."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Ask for both names and the club where no record says them."""
        missing = [name for name in ("club", "white", "black") if name not in attrs]
        if missing and "mends" not in attrs:
            raise serializers.ValidationError({name: [_("This is needed.")] for name in missing})
        return attrs


class EntryRequest(StrictFields):
    """Something that is entered, as one types it on the page."""

    key = serializers.RegexField(KEY, help_text="Fresh for each entry: sent again it counts once.")
    version = serializers.IntegerField(min_value=0, help_text="The version that you have seen.")
    text = serializers.CharField(
        max_length=LONGEST,
        help_text="A roll and its play, `31 8/5 6/5`, or `double`, `take`, `drop`, `resign gammon`; what is forced is completed.",
    )
    at = serializers.IntegerField(
        min_value=0,
        required=False,
        help_text="Before the line of this index; without it, behind the last one.",
    )
    instead = serializers.BooleanField(required=False, default=False, help_text="In place of that line.")
    as_written = serializers.BooleanField(
        required=False, default=False, help_text="Keep it even if it is not legal: as a fault of the record."
    )


class RemoveRequest(StrictFields):
    """Lines that are deleted."""

    key = serializers.RegexField(KEY)
    version = serializers.IntegerField(min_value=0)
    at = serializers.IntegerField(min_value=0, help_text="The index of the first one.")
    count = serializers.IntegerField(min_value=1, max_value=MOST_LINES, required=False, default=1)


class TakeBackRequest(StrictFields):
    """The last entry is taken back."""

    key = serializers.RegexField(KEY)
    version = serializers.IntegerField(min_value=0)


class VersionRequest(StrictFields):
    """What is handed in."""

    version = serializers.IntegerField(min_value=0, help_text="The version that you have seen.")


class TypedFaultShape(StrictFields):
    """What the referee says of a line."""

    at = serializers.IntegerField(allow_null=True, help_text="The index of the line.")
    sentence = serializers.CharField()
    rule = serializers.CharField(allow_blank=True)
    nearest = serializers.ListField(child=serializers.CharField())
    is_fault = serializers.BooleanField(help_text="False for a note.")


class TranscriptionShape(StrictFields):
    """A transcription as it stands."""

    key = serializers.CharField()
    uid = serializers.UUIDField()
    club = serializers.CharField()
    match = serializers.UUIDField(allow_null=True)
    mends = serializers.CharField(allow_null=True, help_text="The key of the record that it mends.")
    handed_in = serializers.CharField(
        allow_null=True, help_text="The key of the submission that it is as it stands."
    )
    version = serializers.IntegerField()
    players = serializers.ListField(child=serializers.CharField(allow_blank=True))
    length = serializers.IntegerField(allow_null=True)
    score = serializers.ListField(child=serializers.IntegerField())
    is_over = serializers.BooleanField()
    asked = serializers.CharField(help_text="What is expected next, for people.")
    lines = serializers.ListField(child=serializers.CharField())
    findings = TypedFaultShape(many=True)


class TranscriptionLineShape(StrictFields):
    """A transcription in a list."""

    key = serializers.CharField()
    club = serializers.CharField()
    players = serializers.ListField(child=serializers.CharField(allow_blank=True))
    version = serializers.IntegerField()
    changed_at = serializers.DateTimeField()


def shown(row: Transcription) -> dict[str, Any]:
    """Return a transcription as plain values."""
    view = transcriptions.view(row)
    return {
        "key": row.key, "uid": row.uid, "club": row.club.slug, "version": row.version,
        "match": row.pairing.uid if row.pairing else None,
        "mends": row.mends.key if row.mends else None,
        "handed_in": row.handed_in.key if row.handed_in else None,
        "players": [view.white[0], view.black[0]], "length": view.length,
        "score": [view.white[1], view.black[1]], "is_over": view.is_over, "asked": view.asked, "lines": row.lines,
        "findings": [
            {"at": each.at, "sentence": each.message, "rule": each.rule or "", "nearest": list(each.nearest), "is_fault": each.is_fault}
            for each in view.faults
        ],
    }  # fmt: skip
