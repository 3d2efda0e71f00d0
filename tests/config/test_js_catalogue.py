"""German texts of scripts: Django's catalogue, cached by browsers, and pages that do not need it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from config.templatetags import look

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    look.build_catalogue_url.cache_clear()
    yield
    look.build_catalogue_url.cache_clear()


def test_the_german_catalogue_is_kept_by_browsers_and_small() -> None:
    answer = Client(headers={"accept-language": "en"}).get(look.build_catalogue_url("de"))

    assert answer.headers["Content-Type"].startswith("text/javascript")
    assert {"public", "immutable"} <= {each.strip() for each in answer.headers["Cache-Control"].split(",")}
    assert '"Roll": "' in answer.content.decode()
    assert "Django" not in answer.content.decode()
    assert len(answer.content) < 30_000


def test_there_is_none_in_english_nor_in_a_language_that_is_not_ours() -> None:
    assert look.build_catalogue_url("en") == ""
    assert Client().get("/sentences/xx/0.js").status_code == 404


@pytest.mark.django_db
def test_a_page_without_a_catalogue_is_shown(settings: SettingsWrapper, tmp_path: Path) -> None:
    german = Client(headers={"accept-language": "de"})
    page = german.get("/help/exercises/").content.decode()
    assert page.index(look.build_catalogue_url("de")) < page.index('type="module" src="/static/js/exercises')

    look.build_catalogue_url.cache_clear()
    settings.SITE_DIR = tmp_path
    assert look.build_catalogue_url("de") == ""
    assert Client(headers={"accept-language": "de"}).get("/sentences/de/0.js").status_code == 200
