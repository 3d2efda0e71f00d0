"""A club's logo: sent by an owner, painted again, shown on its page and at its own address."""

from __future__ import annotations

from datetime import datetime
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from players.clubs import clubs
from players.models import Club, ClubLogo, User
from tests.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.page]


@pytest.fixture
def world(now: datetime) -> World:
    made = World(now)
    clubs.remove_logo(club=made.club, by=made._user("owner"), now=now)
    made.club.refresh_from_db()
    return made


@pytest.fixture
def owner(world: World) -> User:
    found = world.users["owner"]
    assert found is not None
    return found


def drawn(colour: str) -> bytes:
    kept = BytesIO()
    Image.new("RGB", (900, 600), colour).save(kept, "PNG", pnginfo=None)
    return kept.getvalue()


def send(client: Client, club: Club, data: bytes) -> str:
    sent = {"logo": SimpleUploadedFile("logo.png", data, "image/png")}
    answer = client.post(f"/clubs/{club.slug}/settings/logo/", sent, follow=True)
    return " ".join(answer.content.decode().split())


@pytest.mark.long
@pytest.mark.share
def test_an_owner_sends_one_and_everybody_sees_it(client: Client, world: World, owner: User) -> None:
    club = world.club
    page = client.get(club.get_absolute_url()).content.decode()
    assert 'class="crest"' in page
    client.force_login(owner)
    assert "Saved." in send(client, club, drawn("red"))
    club.refresh_from_db()
    client.logout()
    assert f'src="{club.logo_url}"' in client.get(club.get_absolute_url()).content.decode()
    answer = client.get(club.logo_url)
    assert answer["Content-Type"] == "image/png"
    assert "immutable" in answer["Cache-Control"]
    assert Image.open(BytesIO(answer.content)).size == (512, 341)
    assert client.get(f"/api/v1/clubs/{club.slug}/").json()["logo"] == club.logo_url


@pytest.mark.long
@pytest.mark.share
def test_a_new_one_has_a_new_address_and_the_old_one_is_gone(
    client: Client, world: World, owner: User
) -> None:
    client.force_login(owner)
    addresses = []
    for colour in ("red", "blue"):
        send(client, world.club, drawn(colour))
        addresses.append(Club.objects.get(pk=world.club.pk).logo_url)
    assert [client.get(each).status_code for each in addresses] == [404, 200]
    client.post(f"/clubs/{world.club.slug}/settings/logo/", {"remove": "1"})
    assert client.get(addresses[1]).status_code == 404
    assert not ClubLogo.objects.exists()
    assert 'class="crest"' in client.get(world.club.get_absolute_url()).content.decode()


@pytest.mark.long
@pytest.mark.share
def test_what_is_no_picture_is_refused_and_the_old_one_stays(
    client: Client, world: World, owner: User
) -> None:
    client.force_login(owner)
    send(client, world.club, drawn("red"))
    before = Club.objects.get(pk=world.club.pk).logo_hash
    assert "picture cannot be read" in send(client, world.club, b"<svg onload=alert(1)>")
    assert "picture cannot be read" in " ".join(
        client.post(f"/clubs/{world.club.slug}/settings/logo/", follow=True).content.decode().split()
    )
    assert Club.objects.get(pk=world.club.pk).logo_hash == before


@pytest.mark.long
@pytest.mark.share
def test_the_hash_is_that_of_what_is_kept(world: World, owner: User) -> None:
    from hashlib import sha256

    clubs.set_logo(club=world.club, by=owner, data=drawn("red"), now=world.now)
    kept = ClubLogo.objects.get()
    assert sha256(bytes(kept.content)).hexdigest() == Club.objects.get(pk=world.club.pk).logo_hash
