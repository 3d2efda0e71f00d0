"""Records that were handed in, as the API shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rest_framework import serializers

from records.base.errors import REFUSED
from records.models import Outcome
from runtime.http.strict_fields import StrictFields

if TYPE_CHECKING:
    from records.models import RecordMatch, Submission
    from records.submissions.whole import Whole

TAG: Final = "records"
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
    """Which of the two of the match is White in the record, if either is."""

    white = serializers.ChoiceField(
        ["a", "b", "neither"],
        help_text="`a` and `b` as the match names them; `neither`: it is a match of others, and no name is remembered.",
    )


class RecordMatchShape(StrictFields):
    """The verdict on one match of a file."""

    key = serializers.CharField()
    number = serializers.IntegerField(help_text="Its place in the file, from 1.")
    verdict = serializers.DictField(help_text="As `python -m engine adjudicate --jsonl` writes it.")
    engine = serializers.CharField(help_text="The version of the engine that judged.")
    judged_at = serializers.DateTimeField()


class WholeShape(StrictFields):
    """A match in two files, and the verdict over both."""

    first = serializers.CharField(help_text="The key of the submission with the beginning.")
    second = serializers.CharField(help_text="The key of the one that goes on where the first stopped.")
    verdict = serializers.ChoiceField(["accepted", "noted"])
    players = serializers.ListField(child=serializers.CharField())
    score = serializers.ListField(child=serializers.IntegerField())
    winner = serializers.IntegerField(allow_null=True, help_text="0 or 1, as `players` has them.")
    games = serializers.IntegerField()
    findings = serializers.IntegerField()


class SubmissionShape(StrictFields):
    """A file that was handed in, and its verdict as soon as there is one."""

    key = serializers.CharField()
    uid = serializers.UUIDField(
        help_text="Made with the row, never changed, and the same wherever the row travels."
    )
    club = serializers.CharField()
    name = serializers.CharField()
    at = serializers.DateTimeField()
    state = serializers.ChoiceField([WAITING, JUDGED, REFUSED_STATE])
    code = serializers.CharField(allow_blank=True, help_text="Why the file was refused.")
    sentence = serializers.CharField(allow_blank=True)
    sha256 = serializers.CharField(allow_blank=True)
    size = serializers.IntegerField()
    verdict = serializers.CharField(allow_blank=True, help_text="That of the worst match in it.")
    match = serializers.UUIDField(allow_null=True, help_text="The match that it was handed in for.")
    outcome = serializers.ChoiceField(
        ["", *Outcome.values], help_text="What it did to that match; `who`: the names do not tell who is who."
    )
    matches = RecordMatchShape(many=True)
    whole = WholeShape(
        allow_null=True, help_text="Where the match is in two files: told where one submission is read alone."
    )


class JobShape(StrictFields):
    """All that was handed in together."""

    key = serializers.CharField()
    total = serializers.IntegerField()
    waiting = serializers.IntegerField(
        help_text="How many files have no verdict yet; 0 when the job is done."
    )
    submissions = SubmissionShape(many=True)


def submission(row: Submission, whole: Whole | None = None) -> dict[str, Any]:
    """Return a submission as plain values."""
    file = row.file
    return {
        "key": row.key,
        "uid": row.uid,
        "club": row.club.slug,
        "name": row.name,
        "at": row.at,
        "state": REFUSED_STATE if file is None else JUDGED if file.judged_at else WAITING,
        "code": row.refusal,
        "sentence": str(REFUSED.get(row.refusal, "")),
        "sha256": file.sha256 if file else "",
        "size": file.size if file else 0,
        "verdict": file.word if file else "",
        "match": row.pairing.uid if row.pairing else None,
        "outcome": row.outcome,
        "matches": [match(each) for each in file.matches.all()] if file else [],
        "whole": None if whole is None else _whole(whole),
    }


def _whole(found: Whole) -> dict[str, Any]:
    verdict = found.verdict
    return {
        "first": found.first.key,
        "second": found.second.key,
        "verdict": verdict.word,
        "players": list(verdict.players),
        "score": list(verdict.score),
        "winner": verdict.winner,
        "games": verdict.games,
        "findings": verdict.findings,
    }


def match(row: RecordMatch) -> dict[str, Any]:
    """Return the verdict on a match as plain values."""
    return {
        "key": row.key,
        "number": row.number,
        "verdict": row.verdict,
        "engine": row.engine,
        "judged_at": row.judged_at,
    }


def job(key: str, rows: list[Submission]) -> dict[str, Any]:
    """Return what was handed in together as plain values."""
    told = [submission(row) for row in rows]
    waiting = sum(each["state"] == WAITING for each in told)
    return {"key": key, "total": len(told), "waiting": waiting, "submissions": told}
