"""Answers and requests of the API: transcriptions."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext as _
from rest_framework import serializers

from engine.rules import LONGEST_READ
from records import models
from records.transcripts import transcriptions
from records.transcripts.transcribing import MOST_LINES
from records.transcripts.typed_input import LONGEST
from runtime.http.answers import Answer, about
from runtime.http.strict_fields import StrictFields, refuse_unread

KEY: Final = r"^[0-9a-zA-Z-]{8,40}$"
# The fields with which a record is mended; the others begin a transcription.
MENDING: Final = ("mends", "number")


class BeginRequest(StrictFields):
    """A match to transcribe, or a record to correct."""

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
        help_text="In points; 0 is money play.",
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
        """Require names and club unless a record is corrected, and no fields of the other case."""
        is_mending = "mends" in attrs
        missing = [name for name in ("club", "white", "black") if name not in attrs]
        if missing and not is_mending:
            raise serializers.ValidationError({name: [_("This field is required.")] for name in missing})
        refuse_unread(self, MENDING if is_mending else self.fields.keys() - MENDING)
        return attrs


class EntryRequest(StrictFields):
    """Input as typed on the page."""

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

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require the line that is to be replaced."""
        if attrs["instead"] and "at" not in attrs:
            raise serializers.ValidationError({"at": [_("This field is required.")]})
        return attrs


class TakeBackRequest(StrictFields):
    """The undo of the last entry."""

    key = serializers.RegexField(KEY)
    version = serializers.IntegerField(min_value=0)


class RemoveRequest(TakeBackRequest):
    """The lines to delete."""

    at = serializers.IntegerField(min_value=0, help_text="The index of the first one.")
    count = serializers.IntegerField(min_value=1, max_value=MOST_LINES, required=False, default=1)


class VersionRequest(StrictFields):
    """The version to hand in."""

    version = serializers.IntegerField(min_value=0, help_text="The version that you have seen.")


class NamesRequest(VersionRequest):
    """The names and the length of the match."""

    white = serializers.CharField(max_length=80, help_text="Who is written left.")
    black = serializers.CharField(max_length=80)
    length = serializers.IntegerField(
        min_value=0, max_value=LONGEST_READ, help_text="In points; 0 is money play."
    )


class TypedFaultAnswer(Answer):
    """A finding of the referee about a line."""

    at: int | None = about("The index of the line.")
    sentence: str = about(source="message")
    rule: str = about(source=lambda fault: fault.rule or "")
    nearest: list[str]
    is_fault: bool = about("False for a note.")


class TranscriptionAnswer(Answer):
    """The current state of a transcription."""

    key: str
    uid: UUID
    club: str = about(source="club.slug")
    version: int
    match: UUID | None = about(source="pairing.uid")
    mends: str | None = about("The key of the record that it mends.", source="mends.key")
    handed_in: str | None = about(
        "The key of the submission that it is as it stands.", source="handed_in.key"
    )
    players: list[str]
    length: int | None
    score: list[int]
    is_over: bool
    asked: str = about("What is expected next, for people.")
    lines: list[str]
    findings: list[TypedFaultAnswer]


class TranscriptionLineAnswer(Answer):
    """A transcription in a list."""

    key: str
    club: str = about(source="club.slug")
    players: list[str] = about(source=lambda row: row.head["names"])
    version: int
    changed_at: datetime


def serialize_transcription(row: models.Transcription) -> TranscriptionAnswer:
    view = transcriptions.build_view(row)
    (white, white_score), (black, black_score) = view.white, view.black
    return TranscriptionAnswer.read(
        row,
        players=[white, black],
        length=view.length,
        score=[white_score, black_score],
        is_over=view.is_over,
        asked=view.asked,
        findings=view.faults,
    )
