"""Without a mail server e-mails are files, and these do not pile up."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from runtime import receivers


@pytest.fixture
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.EMAIL_URL = ""
    settings.EMAIL_FILE_PATH = tmp_path / "mail"
    settings.EMAIL_FILE_PATH.mkdir()
    return tmp_path / "mail"


def write(folder: Path, number: int, at: datetime) -> None:
    path = folder / f"{number}.log"
    path.touch()
    os.utime(path, (at.timestamp(), at.timestamp()))


@pytest.mark.django_db
def test_the_latest_emails_of_a_week_are_kept(folder: Path, now: datetime) -> None:
    (folder / "notes.txt").touch()
    write(folder, 9_999, now - receivers.MAIL_KEPT_FOR - timedelta(seconds=1))
    receivers.prune_all(now)
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]
    for number in range(1_668):
        write(folder, number, now - timedelta(seconds=number))
    receivers.prune_all(now)
    kept = {int(path.stem) for path in folder.glob("*.log")}
    assert kept == set(range(receivers.MOST_MAIL_FILES))


def test_where_emails_are_sent_nothing_is_touched(folder: Path, settings: Any, now: datetime) -> None:
    write(folder, 1, now - timedelta(days=90))
    settings.EMAIL_URL = "smtp://localhost:25"
    assert receivers.prune_mail(now=now) == 0
    assert (folder / "1.log").exists()


def test_a_folder_that_nobody_has_made_is_no_error(folder: Path, now: datetime) -> None:
    folder.rmdir()
    assert receivers.prune_mail(now=now) == 0


@pytest.mark.django_db
@pytest.mark.parametrize("url", ["", "smtp://localhost:25"])
def test_the_back_office_says_that_no_email_leaves(
    client: Client, settings: Any, now: datetime, url: str
) -> None:
    settings.EMAIL_URL = url
    client.force_login(
        get_user_model().objects.create_superuser(
            "kit@club.example", "long enough for all", name="Kit", joined_at=now
        )
    )
    answer = client.get(reverse("admin:index"))
    assert answer.status_code == 200
    assert ("EMAIL_URL is not set" in answer.content.decode()) is (not url)
