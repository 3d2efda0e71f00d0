"""The frame that strangers see is kept; nothing of one visitor is in another's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from config.templatetags import look
from players.services import accounts

if TYPE_CHECKING:
    from datetime import datetime

    from django.test import Client

pytestmark = pytest.mark.django_db
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


def test_each_visitor_gets_secrets_of_their_own(client: Client) -> None:
    look._kept.clear()
    first = client.get("/clubs/").text
    client.cookies.clear()
    second = client.get("/clubs/").text

    assert look._kept, "the frame was not kept"
    assert TOKEN.findall(first)
    assert set(TOKEN.findall(first)).isdisjoint(TOKEN.findall(second))
    assert look.SECRET not in first + second


def test_an_account_never_meets_a_strangers_frame(client: Client, now: datetime) -> None:
    stranger = client.get("/clubs/").text
    client.force_login(
        accounts.register(email="ada@example.org", password="three old pennies", name="Ada", now=now),
        backend="django.contrib.auth.backends.ModelBackend",
    )
    member = client.get("/clubs/").text

    assert "/accounts/login/" in stranger
    assert "/accounts/login/" not in member
    assert "Ada" in member


def test_language_and_theme_have_frames_of_their_own(client: Client) -> None:
    english = client.get("/clubs/", headers={"Accept-Language": "en"}).text
    german = client.get("/clubs/", headers={"Accept-Language": "de"}).text
    client.post("/settings/appearance/", {"theme": "dark", "next": "/clubs/"})
    dark = client.get("/clubs/").text

    assert "Sign in" in english
    assert "Sign in" not in german
    assert re.search(r'value="dark"\s+aria-pressed="true"', dark)
    assert not re.search(r'value="dark"\s+aria-pressed="true"', english)


@pytest.mark.long
def test_invented_addresses_do_not_fill_the_memory(client: Client) -> None:
    for number in range(look.MOST_KEPT // 2 + 20):
        client.get(f"/clubs/?q={number}")

    assert len(look._kept) <= look.MOST_KEPT
