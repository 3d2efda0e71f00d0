"""The frame of a page: nothing of one reader is in another's, and nothing in it is of yesterday."""

from __future__ import annotations

import re
from datetime import datetime
from html import unescape

import pytest
from django.test import Client

from players.access import context
from players.accounts import accounts
from players.models import Notice

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("standing_clock")]
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


def test_each_visitor_gets_secrets_of_their_own(client: Client) -> None:
    first = client.get("/clubs/").text
    client.cookies.clear()
    second = client.get("/clubs/").text

    assert TOKEN.findall(first)
    assert set(TOKEN.findall(first)).isdisjoint(TOKEN.findall(second))
    assert context.SECRET not in first + second


def test_an_account_never_meets_a_strangers_frame(client: Client, now: datetime) -> None:
    stranger = client.get("/clubs/").text
    client.force_login(
        accounts.register(email="ada@example.org", password="three old pennies", name="Ada", now=now)
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


def test_members_share_nothing_and_see_their_own_news(client: Client, now: datetime) -> None:
    ada, bo = (
        accounts.register(email=f"{name}@example.org", password="three old pennies", name=name, now=now)
        for name in ("Ada", "Bo")
    )
    client.force_login(ada)
    first = client.get("/clubs/").text
    Notice.objects.create(user=ada, text="News", created_at=now)
    second = client.get("/clubs/").text
    client.force_login(bo)
    other = client.get("/clubs/").text

    assert '<span class="count">' not in first
    assert '<span class="count">1<' in second
    assert "Bo" in other
    assert not re.search(r"\bAda\b", other)
    assert f"user.{ada.pk}" not in other
    assert set(TOKEN.findall(second)).isdisjoint(TOKEN.findall(other))


def test_whoever_chooses_comes_back_to_where_they_were(client: Client) -> None:
    addresses = ("/clubs/", "/clubs/?q=oak", '/clubs/?q="><script>')
    pages = [client.get(address).text for address in addresses]

    for address, page in zip(addresses, pages, strict=True):
        backs = {unescape(each) for each in re.findall(r'name="next" value="([^"]*)"', page)}
        assert backs == {client.get(address).wsgi_request.get_full_path()}
        assert "<script>" not in page.split("<footer")[1].split("</footer>")[0]
