"""People and clubs over the API: what it says, to whom, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from players.accounts import accounts
from players.clubs import clubs, merging
from players.models import Club, Player, Role, User
from tests.clients import signed_in

CLUBS = "/api/v1/clubs/"
BRISTOL = "/api/v1/clubs/bristol-backgammon/"
ME = "/api/v1/me/"


def post(browser: Client, path: str, body: object, key: str = "") -> Any:
    return browser.post(
        path, body, content_type="application/json", headers={"Idempotency-Key": key} if key else {}
    )


def patch(browser: Client, body: object) -> Any:
    return browser.patch(ME, body, content_type="application/json")


def test_anyone_reads_clubs(club: Club, client: Client) -> None:
    assert client.get(CLUBS).json()["results"] == [
        {
            "uid": str(club.uid),
            "slug": "bristol-backgammon",
            "name": "Bristol Backgammon",
            "city": "Bristol",
            "country": "England",
            "about": "",
            "time_zone": "UTC",
            "joining": "open",
            "logo": "",
            "members": 1,
        }
    ]
    assert client.get(BRISTOL).json()["members"] == 1
    assert client.get(CLUBS, {"q": "oslo"}).json()["results"] == []
    assert client.get(f"{CLUBS}oslo/").status_code == 404
    assert client.post(CLUBS, {"name": "Mine"}).status_code in {403, 405}


def test_members_are_for_members_and_addresses_for_directors(
    club: Club, ada: User, bo: User, enrol: Callable[..., User], client: Client
) -> None:
    mia = enrol(club, "Mia Sand")
    assert client.get(f"{BRISTOL}members/").status_code == 401
    assert signed_in(bo).get(f"{BRISTOL}members/").status_code == 403

    for_member = signed_in(mia).get(f"{BRISTOL}members/").json()["results"]
    assert [set(row) for row in for_member] == [{"player", "role", "joined_at"}] * 2
    assert set(for_member[0]["player"]) == {"uid", "key", "name", "is_guest", "is_former"}
    assert "example.org" not in str(for_member)

    for_owner = signed_in(ada).get(f"{BRISTOL}members/").json()["results"]
    assert [(row["real_name"], row["email"], row["role"]) for row in for_owner] == [
        ("Ada Okafor", "ada.okafor@example.org", "owner"),
        ("Mia Sand", "mia.sand@example.org", "member"),
    ]


def test_members_cost_the_same_however_many(
    club: Club, ada: User, django_assert_max_num_queries: Any, now: datetime
) -> None:
    for number in range(40):
        clubs.add_guest(club=club, name=f"Guest {number}", by=ada, now=now)
    browser = signed_in(ada)

    with django_assert_max_num_queries(7):
        assert browser.get(f"{BRISTOL}members/").json()["count"] == 41


def test_a_guest_is_added_once_a_key(club: Club, ada: User) -> None:
    browser, key = signed_in(ada), uuid4().hex

    answers = [post(browser, f"{BRISTOL}guests/", {"name": "Gus"}, key) for _ in range(3)]
    other = post(browser, f"{BRISTOL}guests/", {"name": "Hal"}, key)

    assert [answer.status_code for answer in answers] == [201] * 3
    assert len({answer.content for answer in answers}) == 1
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")
    assert Player.objects.filter(user__isnull=True).count() == 1


@pytest.mark.parametrize(
    ("body", "key"),
    [
        ({"name": "Gus"}, ""),
        ({"name": "Gus"}, "short"),
        ({"name": "Gu\u202es"}, "a-good-enough-key"),
        ({"name": "Gus\x00"}, "a-good-enough-key"),
        ({"name": " "}, "a-good-enough-key"),
        ({"name": "x" * 81}, "a-good-enough-key"),
        ({"name": {"first": "Gus"}}, "a-good-enough-key"),
        ({"name": "Gus", "role": "owner"}, "a-good-enough-key"),
        ({}, "a-good-enough-key"),
        ([], "a-good-enough-key"),
        ("Gus", "a-good-enough-key"),
    ],
)
def test_a_wrong_guest_is_refused(club: Club, ada: User, body: object, key: str) -> None:
    answer = post(signed_in(ada), f"{BRISTOL}guests/", body, key)

    assert answer.status_code == 400
    assert not Player.objects.filter(user__isnull=True).exists()


def test_only_directors_add_guests(club: Club, bo: User, enrol: Callable[..., User], client: Client) -> None:
    mia, dan = enrol(club, "Mia Sand"), enrol(club, "Dan Wu", Role.DIRECTOR)

    def add() -> int:
        return int(post(client, f"{BRISTOL}guests/", {"name": "Gus"}, uuid4().hex).status_code)

    assert add() == 401
    for user, status in ((bo, 403), (mia, 403), (dan, 201)):
        client.force_login(user)
        assert add() == status


def test_players_are_found_by_what_they_show(
    club: Club, ada: User, bo: User, client: Client, now: datetime
) -> None:
    clubs.join(club=club, player=bo.player, now=now)
    accounts.change(user=bo, now=now, hidden_from_search=True)

    def found(query: str) -> list[str]:
        return [row["name"] for row in client.get("/api/v1/players/", {"q": query}).json()["results"]]

    assert found("okafor") == ["Ada Okafor"]
    assert found("") == []
    assert found("example.org") == []
    assert found("lindgren") == []
    client.force_login(ada)
    assert found("lindgren") == ["Bo Lindgren"]


def test_an_old_key_answers_with_the_player_of_now(
    club: Club, ada: User, bo: User, client: Client, now: datetime
) -> None:
    guest = clubs.add_guest(club=club, name="Gus", by=ada, now=now)
    merging.merge_guest(kept=ada.player, dropped=guest, by=ada, now=now)
    accounts.erase(user=bo, now=now)

    assert client.get(f"/api/v1/players/{guest.key}/").json()["key"] == ada.player.key
    former = client.get(f"/api/v1/players/{bo.player.key}/").json()
    assert (former["name"], former["is_former"]) == ("Former player", True)
    assert client.get("/api/v1/players/2222222222/").status_code == 404


def test_me_is_read_and_changed_in_part(ada: User, client: Client) -> None:
    assert client.get(ME).status_code == 401
    client.force_login(ada)
    before = client.get(ME).json()

    answer = patch(client, {"alias": "The  Fox", "shown_as": "alias", "time_zone": "Europe/Oslo"})

    assert answer.status_code == 200
    assert answer.json() == {**before, "alias": "The Fox", "shown_as": "alias", "time_zone": "Europe/Oslo"}
    assert client.get(ME).json() == answer.json()
    assert patch(client, {}).json() == answer.json()


@pytest.mark.parametrize(
    "body",
    [
        {"is_staff": True},
        {"email": "x@example.org"},
        {"key": "2222222222"},
        {"name": "Ad\u200ba"},
        {"name": ""},
        {"shown_as": "alias"},
        {"shown_as": "email"},
        {"language": "tlh"},
        {"time_zone": "Mars/Base"},
        {"theme": 2**70},
        {"high_contrast": "perhaps"},
        {"name": None},
        {"alias": ["x"]},
    ],
)
def test_a_wrong_change_changes_nothing(ada: User, body: dict[str, object]) -> None:
    browser = signed_in(ada)
    before = browser.get(ME).json()

    answer = patch(browser, {"high_contrast": True, **body})

    assert answer.status_code == 400
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert browser.get(ME).json() == before


def test_no_right_to_change_without_the_token(ada: User, now: datetime) -> None:
    from django.test import Client

    browser = Client(enforce_csrf_checks=True)
    browser.force_login(ada)

    assert patch(browser, {"alias": "Fox"}).status_code == 403
