"""Transcriptions over HTTP with the code of a match, without an account."""

from __future__ import annotations

from typing import Final

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from matches.play import callers
from matches.watch.downloads_api import FixedContentNegotiation
from players.access.callers import found_or_404, read_body
from records import models
from records.base.operations import describe
from records.sheets import coded_matches
from records.sheets.callers import SPEAKING, CodedView, get_device
from records.submissions import visible_submissions
from records.submissions.handing_in_api import (
    JobAnswer,
    SubmissionAnswer,
    respond_with_job,
    serialize_submission,
)
from records.transcripts import transcribing, typed_api
from records.transcripts.typed_api import (
    EntryRequest,
    RemoveRequest,
    TakeBackRequest,
    TranscriptionAnswer,
    VersionRequest,
    serialize_transcription,
)
from runtime.http.strict_fields import refuse_body

GONE = {404: {**SPEAKING[404], "not_found": "nothing was begun for your side"}}
READING = SPEAKING | GONE
EDITING = READING | {409: {**SPEAKING[409], **typed_api.EDITING[409]}}
BEGINNING = SPEAKING | {
    409: {
        **SPEAKING[409],
        "result_stands": "the match is decided; also `not_open`, `on_a_board`, `event_refused`",
    }
}
HANDING_IN = READING | {409: {**SPEAKING[409], **typed_api.HANDING_IN[409]}}


class _CodedTranscriptionBase(CodedView):
    def row(self, request: Request, code: str) -> models.Transcription:
        """Load the transcription for the caller's side, begun on any device."""
        held, _who, own = self.side(request, code)
        return found_or_404(coded_matches.find_transcription(held, own))


class CodedTranscriptionView(_CodedTranscriptionBase):
    @describe("code_transcription_read", TranscriptionAnswer, READING)
    def get(self, request: Request, code: str) -> Response:
        """The transcription of your side, from any device, with the findings of the referee."""
        return Response(serialize_transcription(self.row(request, code)))

    @describe("code_transcription_begin", TranscriptionAnswer, BEGINNING, request=None, status=201)
    @refuse_body
    def post(self, request: Request, code: str) -> Response:
        """Begin or continue to transcribe the match for the player that you said you are."""
        held, _who, own = self.side(request, code)
        holder, now = held.holder(own.pk, get_device(request)), callers.get_arrival_time(request)
        row = transcribing.begin_at_table(pairing=held.row, who=holder, now=now)
        return Response(serialize_transcription(row), status=status.HTTP_201_CREATED)


class CodedLinesView(_CodedTranscriptionBase):
    @describe("code_transcription_enter", TranscriptionAnswer, EDITING, request=EntryRequest)
    def post(self, request: Request, code: str) -> Response:
        """Enter a line: at the end, before another, or in its place."""
        return typed_api.enter_line(self.row(request, code), request)


class CodedRemovalView(_CodedTranscriptionBase):
    @describe("code_transcription_remove", TranscriptionAnswer, EDITING, request=RemoveRequest)
    def post(self, request: Request, code: str) -> Response:
        """Delete lines; this can be undone like any entry."""
        return typed_api.remove_lines(self.row(request, code), request)


class CodedUndoView(_CodedTranscriptionBase):
    @describe("code_transcription_take_back", TranscriptionAnswer, EDITING, request=TakeBackRequest)
    def post(self, request: Request, code: str) -> Response:
        """Undo the last entry that is not undone yet."""
        return typed_api.undo_entry(self.row(request, code), request)


class CodedHandInView(_CodedTranscriptionBase):
    @describe("code_transcription_hand_in", JobAnswer, HANDING_IN, request=VersionRequest, status=202)
    def post(self, request: Request, code: str) -> Response:
        """Hand in the current state, for your side and from this device; the answer is a job to follow.

        Accepted, it is the report of your player, or confirms what the opponent has reported from another
        device.
        """
        held, _who, own = self.side(request, code)
        row, version = self.row(request, code), read_body(VersionRequest, request)["version"]
        now, device = callers.get_arrival_time(request), get_device(request)
        made = transcribing.hand_in(transcription=row, version=version, now=now, device=device)
        seen = visible_submissions.list_at_table(held, own)
        return respond_with_job(made.batch, seen, reverse("api:coded-record", args=[code, made.key]))


class CodedRecordView(_CodedTranscriptionBase):
    @describe("code_record_read", SubmissionAnswer, READING)
    def get(self, request: Request, code: str, key: str) -> Response:
        """A record that was handed in for your side with the code, and its verdict as soon as there is one."""
        held, _who, own = self.side(request, code)
        row = get_object_or_404(visible_submissions.list_at_table(held, own), key=key)
        return Response(serialize_submission(row))


class CodedTranscriptionFileView(_CodedTranscriptionBase):
    content_negotiation_class = FixedContentNegotiation

    @describe("code_transcription_file", typed_api.FILE, READING)
    def get(self, request: Request, code: str, form: str) -> HttpResponse:
        """The transcription as a file, finished or not: `mat`, `sgf` or `json`."""
        return typed_api.build_file_response(self.row(request, code), form)


TYPED: Final = "codes/<str:code>/transcription"
paths: list[URLPattern] = [
    path(f"{TYPED}/", CodedTranscriptionView.as_view(), name="coded-transcription"),
    path(f"{TYPED}/lines/", CodedLinesView.as_view(), name="coded-lines"),
    path(f"{TYPED}/remove/", CodedRemovalView.as_view(), name="coded-remove"),
    path(f"{TYPED}/take-back/", CodedUndoView.as_view(), name="coded-take-back"),
    path(f"{TYPED}/hand-in/", CodedHandInView.as_view(), name="coded-hand-in"),
    path(f"{TYPED}/file/<slug:form>/", CodedTranscriptionFileView.as_view(), name="coded-file"),
    path("codes/<str:code>/records/<slug:key>/", CodedRecordView.as_view(), name="coded-record"),
]
