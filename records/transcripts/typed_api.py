"""Transcriptions over HTTP: begin, enter lines, undo, submit, download, delete."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import exceptions, permissions, status
from rest_framework.response import Response
from rest_framework.views import APIView

from engine import formats
from engine.errors import EngineError
from matches.play import callers, problems
from matches.watch.downloads_api import FixedContentNegotiation
from players.access.callers import get_account
from players.models import Club
from records.base.errors import LineRefused, UnknownMatch
from records.submissions import handing_in_shapes as shapes
from records.submissions import visible_submissions
from records.submissions.replay_views import FILES
from records.transcripts import transcribing, transcriptions
from records.transcripts.typed_input import IllegalInput
from records.transcripts.typed_shapes import (
    BeginRequest,
    EntryRequest,
    NamesRequest,
    RemoveRequest,
    TakeBackRequest,
    TranscriptionAnswer,
    TranscriptionLineAnswer,
    VersionRequest,
    serialize_transcription,
)
from runtime.http.answer_schema import make_list_serializer
from runtime.http.strict_fields import refuse_body

if TYPE_CHECKING:
    from django.urls import URLPattern
    from rest_framework.request import Request

    from records import models

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


def enter_line(row: models.Transcription, request: Request) -> Response:
    """Enter a line; respond with the new state."""
    form = EntryRequest(data=request.data)
    form.is_valid(raise_exception=True)
    said = form.validated_data
    try:
        row, entered = transcribing.enter_line(
            transcription=row, key=said["key"], version=said["version"], at=said.get("at"), text=said["text"],
            is_instead=said["instead"], is_as_written=said["as_written"], now=callers.get_arrival_time(request),
        )  # fmt: skip
    except IllegalInput as refusal:
        told = transcribing.describe_problem(refusal)
        raise LineRefused(
            reason=told["code"], said=told["sentence"], rule=refusal.rule, nearest=list(refusal.nearest)
        ) from refusal
    if entered is not None and entered.choice is not None:
        said_so = _("Enter the play as well, as in 31 8/5 6/5.")
        raise LineRefused(reason="say_play", said=said_so, rule="", nearest=[])
    return Response(serialize_transcription(row))


def remove_lines(row: models.Transcription, request: Request) -> Response:
    """Delete lines; respond with the new state."""
    form = RemoveRequest(data=request.data)
    form.is_valid(raise_exception=True)
    said = form.validated_data
    row = transcribing.edit(
        transcription=row, key=said["key"], version=said["version"], at=said["at"], out=said["count"], lines=(),
        now=callers.get_arrival_time(request),
    )  # fmt: skip
    return Response(serialize_transcription(row))


def undo_entry(row: models.Transcription, request: Request) -> Response:
    """Undo the last entry; respond with the new state."""
    form = TakeBackRequest(data=request.data)
    form.is_valid(raise_exception=True)
    row = transcribing.undo_edit(
        transcription=row, now=callers.get_arrival_time(request), **form.validated_data
    )
    return Response(serialize_transcription(row))


def build_file_response(row: models.Transcription, form: str) -> HttpResponse:
    """Build the file of a transcription in this format.

    :raises NotFound: the format is unknown, or cannot express the match.
    """
    if form not in FILES:
        raise exceptions.NotFound
    try:
        content = formats.write(transcriptions.judge_lines(row).record, form)
    except EngineError as error:
        raise exceptions.NotFound from error
    return HttpResponse(content, content_type=FILES[form])


class TranscriptionsView(APIView):
    """The transcriptions of the caller."""

    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(
        operation_id="transcriptions_list",
        responses=make_list_serializer(TranscriptionLineAnswer),
        tags=[shapes.TAG],
    )
    def get(self, request: Request) -> Response:
        """Your transcriptions with changes not yet handed in, the last changed first."""
        return Response(
            [
                TranscriptionLineAnswer.read(row)
                for row in transcriptions.list_unfinished(get_account(request))
            ]
        )

    @extend_schema(
        operation_id="transcriptions_begin",
        request=BeginRequest,
        responses={201: TranscriptionAnswer, **problems.build_responses(BEGINNING)},
        tags=[shapes.TAG],
    )
    def post(self, request: Request) -> Response:
        """Begin to transcribe a match, or to correct a record; an existing transcription of yours is returned."""
        form = BeginRequest(data=request.data)
        form.is_valid(raise_exception=True)
        said, user, now = form.validated_data, get_account(request), callers.get_arrival_time(request)
        if "mends" in said:
            record = get_object_or_404(visible_submissions.list_visible(user), key=said["mends"])
            row = transcribing.begin_correction(by=user, submission=record, number=said["number"], now=now)
        else:
            club = Club.objects.filter(slug=said["club"]).first()
            if club is None:
                raise exceptions.ValidationError({"club": [_("There is no club at this address.")]})
            pairing = visible_submissions.find_match(club, str(said["match"])) if "match" in said else None
            if "match" in said and pairing is None:
                raise UnknownMatch
            names = (said["white"], said["black"])
            row = transcribing.begin(
                by=user, club=club, names=names, length=said["length"], pairing=pairing, now=now
            )
        return Response(serialize_transcription(row), status=status.HTTP_201_CREATED)


class _TranscriptionBase(APIView):
    permission_classes = (permissions.IsAuthenticated,)

    def row(self, request: Request, key: str) -> models.Transcription:
        """Load a transcription of the caller."""
        return get_object_or_404(transcriptions.list_own(get_account(request)), key=key)


class TranscriptionDetailView(_TranscriptionBase):
    """A transcription of the caller."""

    @extend_schema(
        operation_id="transcription_read",
        responses={200: TranscriptionAnswer, **problems.build_responses(GONE)},
        tags=[shapes.TAG],
    )
    def get(self, request: Request, key: str) -> Response:
        """A transcription with its lines, and the findings of the referee."""
        return Response(serialize_transcription(self.row(request, key)))

    @extend_schema(
        operation_id="transcription_rename",
        request=NamesRequest,
        responses={200: TranscriptionAnswer, **problems.build_responses(RENAMING)},
        tags=[shapes.TAG],
    )
    def put(self, request: Request, key: str) -> Response:
        """Correct the names and the length of the match; its lines stay."""
        form = NamesRequest(data=request.data)
        form.is_valid(raise_exception=True)
        said = form.validated_data
        row = transcribing.rename(
            transcription=self.row(request, key), version=said["version"], names=(said["white"], said["black"]),
            length=said["length"], now=callers.get_arrival_time(request),
        )  # fmt: skip
        return Response(serialize_transcription(row))

    @extend_schema(
        operation_id="transcription_delete",
        responses={204: None, **problems.build_responses(GONE)},
        tags=[shapes.TAG],
    )
    @refuse_body
    def delete(self, request: Request, key: str) -> Response:
        """Delete a transcription; what was handed in of it stays."""
        transcribing.delete(transcription=self.row(request, key))
        return Response(status=status.HTTP_204_NO_CONTENT)


class TypedLinesView(_TranscriptionBase):
    """The lines of a transcription."""

    @extend_schema(
        operation_id="transcription_enter",
        request=EntryRequest,
        responses={200: TranscriptionAnswer, **problems.build_responses(EDITING)},
        tags=[shapes.TAG],
    )
    def post(self, request: Request, key: str) -> Response:
        """Enter a line: at the end, before another, or in its place."""
        return enter_line(self.row(request, key), request)


class TypedRemovalView(_TranscriptionBase):
    """Deletion of lines of a transcription."""

    @extend_schema(
        operation_id="transcription_remove",
        request=RemoveRequest,
        responses={200: TranscriptionAnswer, **problems.build_responses(EDITING)},
        tags=[shapes.TAG],
    )
    def post(self, request: Request, key: str) -> Response:
        """Delete lines; this can be undone like any entry."""
        return remove_lines(self.row(request, key), request)


class TypedUndoView(_TranscriptionBase):
    """Undo of the last entry of a transcription."""

    @extend_schema(
        operation_id="transcription_take_back",
        request=TakeBackRequest,
        responses={200: TranscriptionAnswer, **problems.build_responses(EDITING)},
        tags=[shapes.TAG],
    )
    def post(self, request: Request, key: str) -> Response:
        """Undo the last entry that is not undone yet."""
        return undo_entry(self.row(request, key), request)


class TypedHandInView(_TranscriptionBase):
    """Submission of a transcription as a record."""

    @extend_schema(
        operation_id="transcription_hand_in",
        request=VersionRequest,
        responses={202: shapes.JobAnswer, **problems.build_responses(HANDING_IN)},
        tags=[shapes.TAG],
    )
    def post(self, request: Request, key: str) -> Response:
        """Hand in the current state; again without a change it is the same submission.

        The answer is a job to follow.
        """
        form = VersionRequest(data=request.data)
        form.is_valid(raise_exception=True)
        made = transcribing.hand_in(
            transcription=self.row(request, key),
            version=form.validated_data["version"],
            now=callers.get_arrival_time(request),
        )
        found = list(visible_submissions.list_visible(get_account(request)).filter(batch=made.batch))
        return Response(
            shapes.serialize_job(made.batch, found),
            status=status.HTTP_202_ACCEPTED,
            headers={"Location": reverse("api:record-job", args=[made.batch])},
        )


class TypedFileView(_TranscriptionBase):
    """A transcription as a file."""

    content_negotiation_class = FixedContentNegotiation

    @extend_schema(
        operation_id="transcription_file",
        responses={
            (200, "text/plain"): OpenApiTypes.STR, (200, "application/x-go-sgf"): OpenApiTypes.STR,
            (200, "application/json"): OpenApiTypes.OBJECT, **problems.build_responses(GONE),
        },
        tags=[shapes.TAG],
    )  # fmt: skip
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
