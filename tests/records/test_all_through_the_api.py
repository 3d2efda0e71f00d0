"""Every record of others through the upload API into one club: each is judged as the command judges it, and none is stuck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import timedelta
from hashlib import sha256
from itertools import islice
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from engine.cli import adjudicate, sources
from engine.cli.sources import Source
from players.models import Club, User
from records.submissions import judging, submissions
from tests.deliveries import deliver
from tests.records.archive.test_importing import SHARED, unwrapped

AT_ONCE = 40


def batches(found: Iterable[Source]) -> Iterator[list[Source]]:
    rest = iter(found)
    while some := list(islice(rest, AT_ONCE)):
        yield some


def verdict_of(source: Source) -> str:
    """The verdict of `python -m engine adjudicate` on the worst match of a file."""
    answers = adjudicate.adjudicate_source(adjudicate.JudgingOptions({}, for_programs=True), source)
    return max((answer.word for answer in answers), key=judging.WORDS.index)


@pytest.mark.long
@unwrapped
@pytest.mark.parametrize("name", ["real", "gnubg", "faults"])
def test_the_records_of_others_through_the_api(club: Club, otis: User, name: str) -> None:
    if not (SHARED / name).is_dir():
        pytest.skip(f"other people's records are not beside the checkout ({SHARED / name})")
    client = APIClient()
    client.force_authenticate(otis)
    seen: Counter[str] = Counter()
    wrong: list[Any] = []
    files = (each for file in sources.list_files([str(SHARED / name)]) for each in sources.list_sources(file))
    for batch in batches(files):
        sent = [SimpleUploadedFile(each.name.rpartition("/")[2], each.read()) for each in batch]
        answer = client.post(
            reverse("api:record-hand-in"), {"club": club.slug, "files": sent}, format="multipart"
        )
        assert answer.status_code == 202, answer.content
        deliver(timezone.now() + timedelta(seconds=1))
        job = client.get(answer["Location"]).json()
        assert (job["total"], job["waiting"]) == (len(batch), 0)
        told = {each["sha256"]: each["verdict"] for each in job["submissions"]}
        for source in batch:
            said = told[sha256(source.read()).hexdigest()]
            seen[said] += 1
            if said != verdict_of(source):
                wrong.append((source.name, said, verdict_of(source)))
    assert wrong == []
    assert seen["accepted"]
    assert not list(submissions.check_records())
