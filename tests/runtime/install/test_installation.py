"""Processes that share a database share its key and its way of sending e-mails, or do not start."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction

from config import preparation
from config.preparation import Refusal
from runtime.install import installation, keyfile
from runtime.models import Installation

pytestmark = pytest.mark.django_db

MAIL = "smtp://localhost:25"


def test_the_first_key_is_the_key_of_the_database(settings: Any, now: datetime) -> None:
    assert installation.join(is_web=True, now=now) == ""
    assert installation.join(is_web=False, now=now) == ""
    settings.SECRET_KEY = "a key of the second machine"
    for is_web in (True, False):
        assert "SECRET_KEY is not the one" in installation.join(is_web=is_web, now=now)
    assert Installation.objects.count() == 1


def test_a_machine_without_a_secret_key_is_told_that_none_is_set(
    settings: Any, now: datetime, tmp_path: Path
) -> None:
    installation.join(is_web=True, now=now)
    settings.KEPT_KEY = tmp_path / "secret_key"
    settings.SECRET_KEY = keyfile.store_key(settings.KEPT_KEY, "made at the first start of this machine")
    assert installation.join(is_web=True, now=now).startswith("SECRET_KEY is not set")


def test_a_key_is_changed_while_the_old_one_is_named(settings: Any, now: datetime) -> None:
    installation.join(is_web=True, now=now)
    old, settings.SECRET_KEY = settings.SECRET_KEY, "the next key"
    settings.SECRET_KEY_FALLBACKS = ["an older one", old]
    assert installation.join(is_web=True, now=now) == ""
    settings.SECRET_KEY_FALLBACKS = []
    assert installation.join(is_web=True, now=now) == "", "the next key is the key now"
    settings.SECRET_KEY = old
    assert installation.join(is_web=True, now=now) == installation.OTHER_KEY


def test_a_key_that_is_lost_is_replaced_by_command(
    settings: Any, now: datetime, capsys: pytest.CaptureFixture[str]
) -> None:
    installation.join(is_web=True, now=now)
    settings.SECRET_KEY = "all that is left"
    call_command("accept_key")
    assert "Everybody signs in again" in capsys.readouterr().out
    assert installation.join(is_web=True, now=now) == ""


def test_the_fingerprint_says_nothing_about_the_key(settings: Any, now: datetime) -> None:
    installation.join(is_web=True, now=now)
    told = Installation.objects.get().key
    assert len(told) == 32
    assert settings.SECRET_KEY not in told
    assert installation.compute_fingerprint("another") != told


def test_a_worker_that_would_swallow_emails_does_not_start(settings: Any, now: datetime) -> None:
    settings.EMAIL_URL = MAIL
    installation.join(is_web=True, now=now)
    assert installation.join(is_web=False, now=now) == ""
    settings.EMAIL_URL = ""
    assert "EMAIL_URL is not set here" in installation.join(is_web=False, now=now)
    with pytest.raises(Refusal, match="EMAIL_URL is not set here"):
        preparation.join_installation(is_web=False)
    installation.join(is_web=True, now=now)
    assert installation.join(is_web=False, now=now) == "", "the web server sends no e-mails any more"


def test_there_is_one_row_at_most(now: datetime) -> None:
    installation.join(is_web=True, now=now)
    with pytest.raises(IntegrityError), transaction.atomic():
        Installation.objects.create(key="another")
