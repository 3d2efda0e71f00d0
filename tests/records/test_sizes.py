"""Size limits of submissions, and the pages with which Django's refusals are answered."""

from __future__ import annotations

from typing import Any

from django.conf import settings as installed
from django.core.exceptions import TooManyFilesSent
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, RequestFactory

from config.pages import bad_request
from players.models import Club, User
from records.submissions.limited_reading import MOST_FILES


def test_more_text_than_is_read_is_a_page_and_no_bad_request(
    client: Client, settings: Any, club: Club, otis: User
) -> None:
    client.force_login(otis)
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1_000
    answer = client.post(
        f"/records/{club.slug}/",
        {"text": "x" * 2_000},
        headers={"referer": "http://testserver/me/", "host": "testserver"},
    )
    assert answer.status_code == 413
    assert 'href="http://testserver/me/"' in answer.content.decode()
    told = client.post("/api/v1/records/", {"club": club.slug, "text": "x" * 2_000})
    assert (told.status_code, told.json()["code"]) == (413, "too_large")


def test_a_record_of_megabytes_may_be_pasted(client: Client, club: Club, otis: User) -> None:
    client.force_login(otis)
    answer = client.post(f"/records/{club.slug}/", {"text": "x" * 2_000_000})
    assert answer.status_code == 302


def test_as_many_files_as_a_hand_in_takes_reach_it_and_more_are_a_page(
    client: Client, club: Club, otis: User, rf: RequestFactory
) -> None:
    assert installed.DATA_UPLOAD_MAX_NUMBER_FILES == MOST_FILES
    client.force_login(otis)
    many = [SimpleUploadedFile("a.mat", b"x") for _ in range(MOST_FILES + 1)]
    answer = client.post(f"/records/{club.slug}/", {"files": many})
    assert answer.status_code == 413
    assert str(MOST_FILES) in answer.content.decode()
    assert bad_request(rf.get("/"), TooManyFilesSent()).status_code == 413
