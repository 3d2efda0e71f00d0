"""Transcriptions over HTTP: begin, enter lines, undo, submit, download, delete. And their shapes."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from rest_framework import permissions, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engine.rules import LONGEST_READ
from matches.play import callers
from matches.watch.downloads_api import FixedContentNegotiation
from players.access.callers import get_account, read_body
from records import models
from records.base.errors import LineRefused
from records.base.operations import describe
from records.submissions import visible_submissions
from records.submissions.handing_in_api import JobAnswer, load_target, respond_with_job
from records.submissions.replays import FILES
from records.transcripts import transcribing, transcriptions
from records.transcripts.transcribing import MOST_LINES
from records.transcripts.typed_input import LONGEST, IllegalInput
from runtime.http.answer_schema import make_list_serializer
from runtime.http.answers import Answer, about
from runtime.http.strict_fields import StrictFields, refuse_body, refuse_unread

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


GONE = {404: {"not_found": "there is no such transcription of yours"}}
EDITING = {
    **GONE,
    409: {
        "other_version": "it was changed since `version`: read it again, and enter this anew with another key",
        "line_refused": "it cannot be; `context` has the `reason`, the `rule` and the `nearest` legal plays. `say_play`: a "
        "roll alone can be played in several ways",
        "too_much_typed": "it is longer than any match; also `not_a_transcription`",
        "nothing_to_take_back": "no entry is kept that could be taken back",
    },
    422: {"idempotency_key_reused": "this `key` was used before, for another edit"},
}
BEGINNING = {
    403: {"not_a_member": "members of the club transcribe"},
    404: {"not_found": "there is no such record, or it is none of those that you see"},
    409: {
        "unknown_match": "there is no such match in this club",
        "nothing_to_mend": "nothing can be read in that record",
        "too_many_transcriptions": "finish or delete one first; also `too_much_typed`",
    },
    429: {"file-in-progress": "another record of this account is being read; one at a time"},
}
RENAMING = {**GONE, 409: {"other_version": EDITING[409]["other_version"]}}
HANDING_IN = {
    **GONE,
    403: BEGINNING[403],
    409: {"other_version": EDITING[409]["other_version"], "nothing_typed": "there is no line"},
}
FILE = {
    (200, "text/plain"): str,
    (200, "application/x-go-sgf"): str,
    (200, "application/json"): dict,
}


def enter_line(row: models.Transcription, request: Request) -> Response:
    data = read_body(EntryRequest, request)
    try:
        row, entered = transcribing.enter_line(
            transcription=row, key=data["key"], version=data["version"], at=data.get("at"), text=data["text"],
            is_instead=data["instead"], is_as_written=data["as_written"], now=callers.get_arrival_time(request),
        )  # fmt: skip
    except IllegalInput as refusal:
        problem = transcribing.describe_problem(refusal)
        raise LineRefused(
            reason=problem["code"], said=problem["sentence"], rule=refusal.rule, nearest=list(refusal.nearest)
        ) from refusal
    if entered is not None and entered.choice is not None:
        said_so = _("Enter the play as well, as in 31 8/5 6/5.")
        raise LineRefused(reason="say_play", said=said_so, rule="", nearest=[])
    return Response(serialize_transcription(row))


def remove_lines(row: models.Transcription, request: Request) -> Response:
    """Delete lines; respond with the new state."""
    data = read_body(RemoveRequest, request)
    row = transcribing.edit(
        transcription=row, key=data["key"], version=data["version"], at=data["at"], out=data["count"], lines=(),
        now=callers.get_arrival_time(request),
    )  # fmt: skip
    return Response(serialize_transcription(row))


def undo_entry(row: models.Transcription, request: Request) -> Response:
    """Undo the last entry; respond with the new state."""
    data = read_body(TakeBackRequest, request)
    row = transcribing.undo_edit(transcription=row, now=callers.get_arrival_time(request), **data)
    return Response(serialize_transcription(row))


def build_file_response(row: models.Transcription, form: str) -> HttpResponse:
    """Build the file of a transcription in this format; raises like `transcriptions.write_file`."""
    return HttpResponse(transcriptions.write_file(row, form), content_type=FILES[form])


class TranscriptionsView(APIView):
    permission_classes = (permissions.IsAuthenticated,)

    @describe("transcriptions_list", make_list_serializer(TranscriptionLineAnswer))
    def get(self, request: Request) -> Response:
        """Your transcriptions with changes not yet handed in, the last changed first."""
        rows = transcriptions.list_unfinished(get_account(request))
        return Response([TranscriptionLineAnswer.read(row) for row in rows])

    @describe("transcriptions_begin", TranscriptionAnswer, BEGINNING, request=BeginRequest, status=201)
    def post(self, request: Request) -> Response:
        """Begin to transcribe a match, or to correct a record; an existing transcription of yours is returned."""
        data = read_body(BeginRequest, request)
        user, now = get_account(request), callers.get_arrival_time(request)
        if "mends" in data:
            record = get_object_or_404(visible_submissions.list_visible(user), key=data["mends"])
            row = transcribing.begin_correction(by=user, submission=record, number=data["number"], now=now)
        else:
            club, pairing = load_target(data)
            names = (data["white"], data["black"])
            row = transcribing.begin(
                by=user, club=club, names=names, length=data["length"], pairing=pairing, now=now
            )
        return Response(serialize_transcription(row), status=status.HTTP_201_CREATED)


class _TranscriptionBase(APIView):
    permission_classes = (permissions.IsAuthenticated,)

    def row(self, request: Request, key: str) -> models.Transcription:
        return get_object_or_404(transcriptions.list_own(get_account(request)), key=key)


class TranscriptionDetailView(_TranscriptionBase):
    @describe("transcription_read", TranscriptionAnswer, GONE)
    def get(self, request: Request, key: str) -> Response:
        """A transcription with its lines, and the findings of the referee."""
        return Response(serialize_transcription(self.row(request, key)))

    @describe("transcription_rename", TranscriptionAnswer, RENAMING, request=NamesRequest)
    def put(self, request: Request, key: str) -> Response:
        """Correct the names and the length of the match; its lines stay."""
        data, row = read_body(NamesRequest, request), self.row(request, key)
        row = transcribing.rename(
            transcription=row, version=data["version"], names=(data["white"], data["black"]),
            length=data["length"], now=callers.get_arrival_time(request),
        )  # fmt: skip
        return Response(serialize_transcription(row))

    @describe("transcription_delete", None, GONE, status=204)
    @refuse_body
    def delete(self, request: Request, key: str) -> Response:
        """Delete a transcription; what was handed in of it stays."""
        transcribing.delete(transcription=self.row(request, key))
        return Response(status=status.HTTP_204_NO_CONTENT)


class TypedLinesView(_TranscriptionBase):
    @describe("transcription_enter", TranscriptionAnswer, EDITING, request=EntryRequest)
    def post(self, request: Request, key: str) -> Response:
        """Enter a line: at the end, before another, or in its place."""
        return enter_line(self.row(request, key), request)


class TypedRemovalView(_TranscriptionBase):
    @describe("transcription_remove", TranscriptionAnswer, EDITING, request=RemoveRequest)
    def post(self, request: Request, key: str) -> Response:
        """Delete lines; this can be undone like any entry."""
        return remove_lines(self.row(request, key), request)


class TypedUndoView(_TranscriptionBase):
    @describe("transcription_take_back", TranscriptionAnswer, EDITING, request=TakeBackRequest)
    def post(self, request: Request, key: str) -> Response:
        """Undo the last entry that is not undone yet."""
        return undo_entry(self.row(request, key), request)


class TypedHandInView(_TranscriptionBase):
    @describe("transcription_hand_in", JobAnswer, HANDING_IN, request=VersionRequest, status=202)
    def post(self, request: Request, key: str) -> Response:
        """Hand in the current state; again without a change it is the same submission.

        The answer is a job to follow.
        """
        version = read_body(VersionRequest, request)["version"]
        row, now = self.row(request, key), callers.get_arrival_time(request)
        made = transcribing.hand_in(transcription=row, version=version, now=now)
        seen = visible_submissions.list_visible(get_account(request))
        return respond_with_job(made.batch, seen, reverse("api:record-job", args=[made.batch]))


class TypedFileView(_TranscriptionBase):
    content_negotiation_class = FixedContentNegotiation

    @describe("transcription_file", FILE, GONE)
    def get(self, request: Request, key: str, form: str) -> HttpResponse:
        """The transcription as a file, finished or not: `mat`, `sgf` or `json`."""
        return build_file_response(self.row(request, key), form)


paths: list[URLPattern] = [
    path("transcriptions/", TranscriptionsView.as_view(), name="transcription-list"),
    path("transcriptions/<slug:key>/", TranscriptionDetailView.as_view(), name="transcription-detail"),
    path("transcriptions/<slug:key>/lines/", TypedLinesView.as_view(), name="transcription-lines"),
    path("transcriptions/<slug:key>/remove/", TypedRemovalView.as_view(), name="transcription-remove"),
    path("transcriptions/<slug:key>/take-back/", TypedUndoView.as_view(), name="transcription-take-back"),
    path("transcriptions/<slug:key>/hand-in/", TypedHandInView.as_view(), name="transcription-hand-in"),
    path("transcriptions/<slug:key>/file/<slug:form>/", TypedFileView.as_view(), name="transcription-file"),
]
