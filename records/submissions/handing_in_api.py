"""Submission of records over HTTP: files are uploaded, and a job returns the verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import exceptions, permissions, status
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response
from rest_framework.views import APIView

from players.access.callers import get_account
from players.files import uploads
from players.models import Club
from records.base.errors import UnknownMatch
from records.submissions import handing_in_shapes as shapes
from records.submissions import judging, other_parts, record_outcomes, submissions, visible_submissions
from records.submissions.submissions import SentFile
from runtime.work import cpu

if TYPE_CHECKING:
    from django.urls import URLPattern
    from rest_framework.request import Request


class HandInView(APIView):
    """Submission of records of matches."""

    permission_classes = (permissions.IsAuthenticated,)
    parser_classes = (MultiPartParser,)

    @extend_schema(
        operation_id="records_hand_in",
        request={"multipart/form-data": shapes.HandInRequest},
        responses={202: shapes.JobAnswer},
        tags=[shapes.TAG],
    )
    def post(self, request: Request) -> Response:
        """Hand in records of matches: files, zips of files or pasted text. The answer is a job to follow."""
        cpu.warm_up(judging.load_referee)
        form = shapes.HandInRequest(data=request.data)
        form.is_valid(raise_exception=True)
        said: dict[str, Any] = form.validated_data
        sent = [SentFile(each.name, each.read()) for each in said.get("files", ())]
        if text := said.get("text", ""):
            sent.append(SentFile("pasted.txt", text.encode()))
        club = Club.objects.filter(slug=said["club"]).first()
        if club is None:
            raise exceptions.ValidationError({"club": [_("There is no club at this address.")]})
        pairing = visible_submissions.find_match(club, str(said["match"])) if "match" in said else None
        if "match" in said and pairing is None:
            raise UnknownMatch
        rows = submissions.hand_in(
            club=club,
            by=get_account(request),
            files=sent,
            now=timezone.now(),
            pairing=pairing,
            payers=uploads.list_payers(request),
        )
        batch = rows[0].batch
        found = list(visible_submissions.list_visible(get_account(request)).filter(batch=batch))
        return Response(
            shapes.serialize_job(batch, found),
            status=status.HTTP_202_ACCEPTED,
            headers={"Location": reverse("api:record-job", args=[batch])},
        )


class JobView(APIView):
    """The records that were handed in together."""

    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(operation_id="records_job", responses=shapes.JobAnswer, tags=[shapes.TAG])
    def get(self, request: Request, key: str) -> Response:
        """The progress of the verdicts on the records that were handed in together."""
        rows = list(visible_submissions.list_visible(get_account(request)).filter(batch=key))
        if not rows:
            raise exceptions.NotFound
        return Response(shapes.serialize_job(key, rows))


class NameSidesView(APIView):
    """The answer to the question which player is White in a record."""

    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(
        operation_id="records_who",
        request=shapes.WhoRequest,
        responses=shapes.SubmissionAnswer,
        tags=[shapes.TAG],
    )
    def post(self, request: Request, key: str) -> Response:
        """Set which player is White in a record with unknown names, or that neither is.

        Unless neither is, the club remembers both names.
        """
        form = shapes.WhoRequest(data=request.data)
        form.is_valid(raise_exception=True)
        row = get_object_or_404(visible_submissions.list_visible(get_account(request)), key=key)
        white = form.validated_data["white"]
        record_outcomes.name_white(submission=row, white=white, by=get_account(request), now=timezone.now())
        return Response(
            shapes.serialize_submission(visible_submissions.list_visible(get_account(request)).get(pk=row.pk))
        )


class SubmissionDetailView(APIView):
    """A file that was handed in."""

    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(operation_id="records_read", responses=shapes.SubmissionAnswer, tags=[shapes.TAG])
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
