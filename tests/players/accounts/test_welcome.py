"""The link that lets the first person in."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.test import Client

from players.accounts import accounts
from players.errors import HiddenCharacters, WelcomeLinkUsed
from players.models import Club, FirstDirector, Membership, Role, User

ANSWERS = {
    "email": "ada@example.org",
    "password": "three old pennies",
    "name": "Ada Okafor",
}


def test_the_link_lets_one_in(db: None, now: datetime) -> None:
    token = accounts.find_welcome_token()
    assert token is not None
    assert accounts.find_welcome_token() == token

    user = accounts.create_first_account(token=token, now=now, **ANSWERS)
    with pytest.raises(WelcomeLinkUsed):
        accounts.create_first_account(token=token, now=now, **ANSWERS)

    assert accounts.find_welcome_token() is None
    assert (user.is_staff, user.is_superuser) == (True, True)
    assert not Club.objects.exists()


def test_a_wrong_token_opens_nothing(db: None, now: datetime) -> None:
    for token in ("", "x", "0" * 40):
        with pytest.raises(WelcomeLinkUsed):
            accounts.create_first_account(token=token, now=now, **ANSWERS)

    assert not User.objects.exists()


def test_a_mistake_leaves_the_link_good(db: None, now: datetime) -> None:
    token = accounts.find_welcome_token() or ""
    with pytest.raises(HiddenCharacters):
        accounts.create_first_account(token=token, now=now, **{**ANSWERS, "name": "Ada\u202e"})

    assert accounts.find_welcome_token() == token
    assert not User.objects.exists()
    assert not FirstDirector.objects.exists()


def test_the_link_stays_used_when_the_first_one_leaves(db: None, now: datetime) -> None:
    token = accounts.find_welcome_token() or ""
    accounts.erase(user=accounts.create_first_account(token=token, now=now, **ANSWERS), now=now)

    assert not User.objects.exists()
    assert accounts.find_welcome_token() is None


def test_an_account_made_another_way_closes_it(ada: User, now: datetime) -> None:
    assert accounts.find_welcome_token() is None


def test_the_page_makes_everything_and_signs_in(db: None, client: Client, now: datetime) -> None:
    address = f"/welcome/{accounts.find_welcome_token()}/"
    assert client.get(address).status_code == 200
    assert client.post(address, {**ANSWERS, "password": "short"}).status_code == 200
    assert not User.objects.exists()

    answer = client.post(address, ANSWERS)

    assert answer.headers["Location"] == "/welcome/club/"
    page = client.get("/welcome/club/")
    assert page.context["viewer"].name == "Ada Okafor"
    assert b"data-guess-zone" in page.content
    assert client.get("/admin/players/user/").status_code == 200
    assert client.get(address).status_code == 404
    assert client.post(address, ANSWERS).status_code == 404


def test_the_first_club_is_made_once(client: Client, ada: User) -> None:
    client.force_login(ada)
    typed = {"name": "Bristol Backgammon", "city": "Bristol", "time_zone": "Europe/London", "language": "de"}

    for _press in range(2):
        answer = client.post("/welcome/club/", typed)
        assert answer.headers["Location"] == "/clubs/bristol-backgammon/events/first/"

    club = Club.objects.get()
    assert (club.city, club.time_zone, club.language) == ("Bristol", "Europe/London", "de")
    assert Membership.objects.get().role == Role.OWNER


def test_a_strangers_guess_is_not_found(db: None, client: Client) -> None:
    assert client.get("/welcome/anything/").status_code == 404
