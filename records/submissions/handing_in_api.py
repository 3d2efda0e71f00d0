"""Submission of records over HTTP: files are uploaded, and a job returns the verdicts. And its shapes."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework import exceptions, permissions, serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from players.access.callers import get_account, read_body
from players.files import uploads
from players.models import Club
from records import models
from records.base.errors import REFUSED, UnknownMatch
from records.base.operations import describe
from records.models import Outcome
from records.submissions import other_parts, record_outcomes, submissions, visible_submissions
from records.submissions.submissions import SentFile
from runtime.http.answers import Answer, about
from runtime.http.strict_fields import StrictFields
from tournaments.models import Pairing

WAITING: Final = "waiting"
JUDGED: Final = "judged"
REFUSED_STATE: Final = "refused"


class HandInRequest(StrictFields):
    """Files of a form, or a pasted record."""

    club = serializers.CharField(max_length=80, help_text="The club's address.")
    files = serializers.ListField(
        child=serializers.FileField(max_length=400, allow_empty_file=True),
        required=False,
        help_text="Records or zips of records, as files of a form (multipart/form-data).",
    )
    text = serializers.CharField(
        required=False, allow_blank=True, trim_whitespace=False, help_text="A pasted record."
    )
    match = serializers.UUIDField(
        required=False,
        help_text="The `uid` of a match of the club's events: the records are of it, and decide what they can.",
    )


class WhoRequest(StrictFields):
    """The player who is White in the record: one of the two of the match, or neither."""

    white = serializers.ChoiceField(
        ["a", "b", "neither"],
        help_text="`a` and `b` as the match names them; `neither`: it is a match of others, and no name is remembered.",
    )


class RecordMatchAnswer(Answer):
    """The verdict on one match of a file."""

    key: str
    number: int = about("Its place in the file, from 1.")
    verdict: dict[str, Any] = about("As `python -m engine adjudicate --jsonl` writes it.")
    engine: str = about("The version of the engine that judged.")
    judged_at: datetime


class WholeAnswer(Answer):
    """A match in two files, and the verdict on both."""

    first: str = about("The key of the submission with the beginning.", source="first.key")
    second: str = about("The key of the one that goes on where the first stopped.", source="second.key")
    verdict: str = about(words=("accepted", "noted"), source="verdict.word")
    players: list[str] = about(source="verdict.players")
    score: list[int] = about(source="verdict.score")
    winner: int | None = about("0 or 1, as `players` has them.", source="verdict.winner")
    games: int = about(source="verdict.games")
    findings: int = about(source="verdict.findings")


class SubmissionAnswer(Answer):
    """A file that was handed in, and its verdict as soon as there is one."""

    key: str
    uid: UUID = about("Made with the row, never changed, and the same wherever the row travels.")
    club: str = about(source="club.slug")
    name: str
    at: datetime
    state: str = about(words=(WAITING, JUDGED, REFUSED_STATE))
    code: str = about("Why the file was refused.", source="refusal")
    sentence: str = about(source=lambda row: str(REFUSED.get(row.refusal, "")))
    sha256: str
    size: int
    verdict: str = about("That of the worst match in it.")
    match: UUID | None = about("The match that it was handed in for.", source="pairing.uid")
    outcome: str = about(
        "What it did to that match; `who`: the names do not tell who is who.", words=("", *Outcome.values)
    )
    matches: list[RecordMatchAnswer]
    whole: WholeAnswer | None = about(
        "Where the match is in two files: told where one submission is read alone."
    )


class JobAnswer(Answer):
    """All that was handed in together."""

    key: str
    total: int
    waiting: int = about("How many files have no verdict yet; 0 when the job is done.")
    submissions: list[SubmissionAnswer]


def serialize_submission(
    row: models.Submission, whole: other_parts.WholeMatch | None = None
) -> SubmissionAnswer:
    file = row.file
    return SubmissionAnswer.read(
        row,
        state=REFUSED_STATE if file is None else JUDGED if file.judged_at else WAITING,
        sha256=file.sha256 if file else "",
        size=file.size if file else 0,
        verdict=file.word if file else "",
        matches=file.matches.all() if file else (),
        whole=whole,
    )


def serialize_job(key: str, rows: list[models.Submission]) -> JobAnswer:
    serialized = [serialize_submission(row) for row in rows]
    waiting = sum(each.state == WAITING for each in serialized)
    return JobAnswer(key=key, total=len(serialized), waiting=waiting, submissions=serialized)


def respond_with_job(batch: str, seen: QuerySet[models.Submission], address: str) -> Response:
    """Respond with the job of a batch, to be followed at this address."""
    job = serialize_job(batch, list(seen.filter(batch=batch)))
    return Response(job, status=status.HTTP_202_ACCEPTED, headers={"Location": address})


def load_target(data: dict[str, Any]) -> tuple[Club, Pairing | None]:
    """Load the club of a request, and the match of its events if one is named.

    :raises ValidationError: there is no such club.
    :raises UnknownMatch: the club has no such match.
    """
    club = Club.objects.filter(slug=data["club"]).first()
    if club is None:
        raise serializers.ValidationError({"club": [_("There is no club at this address.")]})
    pairing = visible_submissions.find_match(club, str(data["match"])) if "match" in data else None
    if "match" in data and pairing is None:
        raise UnknownMatch
    return club, pairing


class HandInView(APIView):
    permission_classes = (permissions.IsAuthenticated,)
    parser_classes = (MultiPartParser,)

    @describe("records_hand_in", JobAnswer, request={"multipart/form-data": HandInRequest}, status=202)
    def post(self, request: Request) -> Response:
        """Hand in records of matches: files, zips of files or pasted text. The answer is a job to follow."""
        data = read_body(HandInRequest, request)
        sent = [SentFile(each.name, each.read()) for each in data.get("files", ())]
        if text := data.get("text", ""):
            sent.append(SentFile("pasted.txt", text.encode()))
        club, pairing = load_target(data)
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
        return respond_with_job(batch, seen, reverse("api:record-job", args=[batch]))


class JobView(APIView):
    permission_classes = (permissions.IsAuthenticated,)

    @describe("records_job", JobAnswer)
    def get(self, request: Request, key: str) -> Response:
        """The progress of the verdicts on the records that were handed in together."""
        rows = list(visible_submissions.list_visible(get_account(request)).filter(batch=key))
        if not rows:
            raise exceptions.NotFound
        return Response(serialize_job(key, rows))


class NameSidesView(APIView):
    permission_classes = (permissions.IsAuthenticated,)

    @describe("records_who", SubmissionAnswer, request=WhoRequest)
    def post(self, request: Request, key: str) -> Response:
        """Set which player is White in a record with unknown names, or that neither is.

        Unless neither is, the club remembers both names.
        """
        white, user = read_body(WhoRequest, request)["white"], get_account(request)
        seen = visible_submissions.list_visible(user)
        row = get_object_or_404(seen, key=key)
        record_outcomes.name_white(submission=row, white=white, by=user, now=timezone.now())
        return Response(serialize_submission(seen.get(pk=row.pk)))


class SubmissionDetailView(APIView):
    permission_classes = (permissions.IsAuthenticated,)

    @describe("records_read", SubmissionAnswer)
    def get(self, request: Request, key: str) -> Response:
        """Read a file's verdict."""
        seen = visible_submissions.list_visible(get_account(request))
        row = get_object_or_404(seen, key=key)
        return Response(serialize_submission(row, other_parts.find_whole_match(row, seen)))


paths: list[URLPattern] = [
    path("records/", HandInView.as_view(), name="record-hand-in"),
    path("records/jobs/<slug:key>/", JobView.as_view(), name="record-job"),
    path("records/<slug:key>/who/", NameSidesView.as_view(), name="record-who"),
    path("records/<slug:key>/", SubmissionDetailView.as_view(), name="record-detail"),
]
