"""The parts of an installable site: the manifest, the start page, the service worker and the offline page."""

from __future__ import annotations

import re
import struct
from datetime import datetime

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from config import installable
from players.accounts import accounts
from players.clubs import clubs
from players.models import Club, ClubLogo, User
from players.models.clubs import Felt

pytestmark = pytest.mark.django_db
# The head of a picture is all that is read.
LOGO = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + struct.pack(">II", 300, 240)


def text_of(path: str) -> str:
    found = finders.find(path)
    assert isinstance(found, str)
    with open(found, encoding="utf-8") as file:
        return file.read()


@pytest.fixture
def ada(now: datetime) -> User:
    return accounts.register(email="ada@example.org", password=None, name="Ada Okafor", now=now)


@pytest.fixture
def club(ada: User, now: datetime) -> Club:
    return clubs.create(owner=ada, name="Bristol Backgammon", felt=Felt.BLUE, now=now)


def test_the_site_can_be_installed(client: Client) -> None:
    answer = client.get("/manifest.webmanifest")
    said = answer.json()

    assert answer["Content-Type"] == "application/manifest+json"
    assert answer["Cache-Control"] == "public, max-age=3600"
    assert (said["name"], said["short_name"], said["start_url"]) == ("Barpoint", "Barpoint", "/start/")
    assert (said["scope"], said["display"]) == ("/", "standalone")
    assert said["theme_color"] in client.get("/").text
    assert {(icon["sizes"], icon["purpose"]) for icon in said["icons"]} == {
        (f"{side}x{side}", purpose) for side in (192, 512) for purpose in ("any", "maskable")
    }
    for name, side, _purpose in installable.ICONS:
        found = finders.find(name)
        assert isinstance(found, str)
        with open(found, "rb") as file:
            assert struct.unpack(">II", file.read(24)[16:]) == (side, side)


def test_a_club_is_an_app_of_its_own_with_its_name_colour_and_logo(
    client: Client, club: Club, now: datetime
) -> None:
    ClubLogo.objects.create(club=club, content=LOGO, changed_at=now)
    Club.objects.filter(pk=club.pk).update(logo_hash="abc")
    said = client.get(f"/manifest.webmanifest?club={club.slug}").json()

    assert (said["name"], said["short_name"]) == ("Bristol Backgammon", "BB")
    assert said["id"] == said["start_url"] == "/start/?club=bristol-backgammon"
    assert said["theme_color"] == installable.FELT[Felt.BLUE]
    assert said["icons"][0] == {
        "src": reverse("players:logo", args=[club.slug, "abc"]),
        "sizes": "300x240",
        "type": "image/png",
        "purpose": "any",
    }
    assert client.get("/manifest.webmanifest?club=nobody").status_code == 404
    assert client.get("/start/?club=nobody").status_code == 404


def test_a_club_has_the_colour_that_its_pages_have() -> None:
    styles = text_of("css/tokens-felt.css")
    for felt in set(Felt) - {Felt.GREEN}:
        found = re.search(rf"^\.felt-{felt} {{\s+--felt-1: (#\w+);", styles, re.M)
        assert found[1] == installable.FELT[felt]
    first = re.search(r"--felt-1: (#\w+);", text_of("css/tokens.css"))
    assert first[1] == installable.FELT[Felt.GREEN]


def test_pages_of_a_club_name_its_manifest(client: Client, club: Club) -> None:
    link = '<link rel="manifest" href="/manifest.webmanifest{}">'

    assert link.format("?club=bristol-backgammon") in client.get(club.get_absolute_url()).text
    assert link.format("") in client.get("/clubs/").text


def test_the_app_starts_with_ones_own_matches(client: Client, club: Club, ada: User) -> None:
    assert client.get("/start/")["Location"] == "/"
    assert client.get(f"/start/?club={club.slug}")["Location"] == club.get_absolute_url()
    client.force_login(ada)
    assert client.get(f"/start/?club={club.slug}")["Location"] == "/me/"


def test_the_service_worker_has_the_whole_site_and_is_sent_once(client: Client) -> None:
    answer = client.get("/sw.js")

    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Cache-Control"] == "no-cache"
    again = client.get("/sw.js", headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_offline_page_says_nothing_of_who_asked(client: Client, ada: User) -> None:
    accounts.change(user=ada, now=ada.joined_at, theme="dark", language="de", time_zone="Europe/Berlin")
    client.force_login(ada)
    shown = client.get("/offline/").text

    assert 'lang="de"' in shown
    assert 'data-theme="dark"' in shown
    assert "Ada" not in shown
    assert "Berlin" not in shown
    assert "csrf" not in shown
    assert "data-viewer" not in shown


def test_a_page_says_for_whom_it_is(client: Client, ada: User) -> None:
    assert 'data-viewer=""' in client.get("/clubs/").text
    client.force_login(ada)
    assert f'data-viewer="user.{ada.pk}"' in client.get("/clubs/").text
