"""Submission of records over HTTP: files are uploaded, and a job returns the verdicts."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from rest_framework import exceptions, permissions
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.access.callers import get_account, read_body
from players.files import uploads
from records.base.operations import describe
from records.submissions import handing_in_shapes as shapes
from records.submissions import other_parts, record_outcomes, submissions, visible_submissions
from records.submissions.submissions import SentFile


class HandInView(APIView):
    permission_classes = (permissions.IsAuthenticated,)
    parser_classes = (MultiPartParser,)

    @describe(
        "records_hand_in", shapes.JobAnswer, request={"multipart/form-data": shapes.HandInRequest}, status=202
    )
    def post(self, request: Request) -> Response:
        """Hand in records of matches: files, zips of files or pasted text. The answer is a job to follow."""
        said = read_body(shapes.HandInRequest, request)
        sent = [SentFile(each.name, each.read()) for each in said.get("files", ())]
        if text := said.get("text", ""):
            sent.append(SentFile("pasted.txt", text.encode()))
        club, pairing = shapes.load_target(said)
        rows = submissions.hand_in(
            club=club,
            by=get_account(request),
            files=sent,
            now=timezone.now(),
            pairing=pairing,
            payers=uploads.list_payers(request),
        )
        batch = rows[0].batch
        seen = visible_submissions.list_visible(get_account(request))
        return shapes.respond_with_job(batch, seen, reverse("api:record-job", args=[batch]))


class JobView(APIView):
    permission_classes = (permissions.IsAuthenticated,)

    @describe("records_job", shapes.JobAnswer)
    def get(self, request: Request, key: str) -> Response:
        """The progress of the verdicts on the records that were handed in together."""
        rows = list(visible_submissions.list_visible(get_account(request)).filter(batch=key))
        if not rows:
            raise exceptions.NotFound
        return Response(shapes.serialize_job(key, rows))


class NameSidesView(APIView):
    permission_classes = (permissions.IsAuthenticated,)

    @describe("records_who", shapes.SubmissionAnswer, request=shapes.WhoRequest)
    def post(self, request: Request, key: str) -> Response:
        """Set which player is White in a record with unknown names, or that neither is.

        Unless neither is, the club remembers both names.
        """
        white, user = read_body(shapes.WhoRequest, request)["white"], get_account(request)
        seen = visible_submissions.list_visible(user)
        row = get_object_or_404(seen, key=key)
        record_outcomes.name_white(submission=row, white=white, by=user, now=timezone.now())
        return Response(shapes.serialize_submission(seen.get(pk=row.pk)))


class SubmissionDetailView(APIView):
    permission_classes = (permissions.IsAuthenticated,)

    @describe("records_read", shapes.SubmissionAnswer)
    def get(self, request: Request, key: str) -> Response:
        """Read a file's verdict."""
        seen = visible_submissions.list_visible(get_account(request))
        row = get_object_or_404(seen, key=key)
        return Response(shapes.serialize_submission(row, other_parts.find_whole_match(row, seen)))


paths: list[URLPattern] = [
    path("records/", HandInView.as_view(), name="record-hand-in"),
    path("records/jobs/<slug:key>/", JobView.as_view(), name="record-job"),
    path("records/<slug:key>/who/", NameSidesView.as_view(), name="record-who"),
    path("records/<slug:key>/", SubmissionDetailView.as_view(), name="record-detail"),
]
