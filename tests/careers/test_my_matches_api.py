"""A player's own page over the API, and following a friend."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from players.accounts import accounts, tokens
from players.models import Follow, Scope, User
from tests.clients import signed_in
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Tournament
from tournaments.plan import drawing
from tournaments.play import directing, results
from venue.calls import table_filling
from venue.models import CallMode
from venue.rooms import room_settings, rooms

pytestmark = pytest.mark.today

MATCHES = "/api/v1/me/matches/"
FRIENDS = "/api/v1/me/friends/"


@pytest.fixture
def two(desk: Desk) -> tuple[User, User]:
    return desk.member("Ada"), desk.member("Bo")


def begin(desk: Desk, two: tuple[User, User]) -> Tournament:
    desk.announce(a_plan("single-elimination"))
    desk.do(directing.admit_members, player_keys=[user.player.key for user in two])
    desk.do(drawing.publish)
    return desk.fresh()


def load_answer(user: User, path: str = MATCHES) -> dict:
    client = signed_in(user)
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.json()


def test_visitors_are_told_nothing_and_follow_nobody(desk: Desk, client: Client) -> None:
    assert client.get(MATCHES).status_code == 401
    assert client.get(FRIENDS).status_code == 401
    address = f"/api/v1/players/{desk.director.player.key}/follow/"
    assert [client.put(address).status_code, client.delete(address).status_code] == [401, 401]


@pytest.mark.long
def test_a_program_is_told_what_the_page_says(desk: Desk, two: tuple[User, User]) -> None:
    ada, bo = two
    event = begin(desk, two)
    room = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="4", now=desk.now)
    room_settings.set_room(event=event, room=room, mode=CallMode.CONFIRMED, by=desk.director, now=desk.now)

    (match,) = load_answer(ada)["matches"]
    assert match["opponent"] == {"key": bo.player.key, "name": "Bo"}
    assert (match["event"], match["match"], match["length"]) == (event.key, "main/1.1", 5)
    assert (match["table"], match["step"]) == ("", "")
    assert match["queue"]["before"] == 0

    table_filling.call_next(room=room, by=desk.director, now=desk.now)
    (match,) = load_answer(ada)["matches"]
    assert (match["table"], match["step"], match["queue"]) == ("4", "come", None)

    results.report_result(tournament_id=event.pk, key="main/1.1", user=bo, score=(5, 2), now=desk.now)
    (match,) = load_answer(ada)["matches"]
    assert match["step"] == "answer"
    assert "Bo" in match["reported"]

    desk.play("main/1.1", next(row.number for row in desk.event.entries.all() if row.player == ada.player))
    found = load_answer(ada)
    assert found["matches"] == []
    (own,) = found["events"]
    assert [(step["is_won"], step["opponent"]) for step in own["played"]] == [(True, "Bo")]
    assert own["place"] == 1


def test_what_was_entered_is_told_with_the_place_on_it(desk: Desk, two: tuple[User, User]) -> None:
    ada, _bo = two
    desk.announce(a_plan("swiss", rounds=3))
    starts = desk.now + timedelta(days=1)
    Tournament.objects.filter(pk=desk.pk).update(starts_at=starts)
    desk.do(directing.admit_members, player_keys=[ada.player.key])
    (coming,) = load_answer(ada)["coming"]
    assert (coming["event"], coming["has_place"]) == (desk.event.key, True)


def test_a_friend_is_followed_and_unfollowed(desk: Desk, two: tuple[User, User]) -> None:
    ada, bo = two
    begin(desk, two)
    fan = accounts.register(email="fan@example.org", password=None, name="Fay Nan", now=desk.now)
    client = signed_in(fan)
    address = f"/api/v1/players/{ada.player.key}/follow/"
    assert [client.put(address).status_code for _ in range(2)] == [204, 204]
    (friend,) = load_answer(fan, FRIENDS)["results"]
    assert (friend["key"], friend["name"]) == (ada.player.key, "Ada")
    (match,) = friend["matches"]
    assert (match["event"], match["opponent"], match["is_open"]) == (desk.event.key, bo.player.name, True)
    assert client.delete(address).status_code == 204
    assert load_answer(fan, FRIENDS)["results"] == []


def test_who_hides_and_oneself_cannot_be_followed(desk: Desk, two: tuple[User, User]) -> None:
    ada, bo = two
    bo.player.hidden_from_search = True
    bo.player.save(update_fields=["hidden_from_search"])
    client = signed_in(ada)
    for player in (ada.player, bo.player):
        answer = client.put(f"/api/v1/players/{player.key}/follow/")
        assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
    assert client.put("/api/v1/players/aaaaaaaaaa/follow/").status_code == 404
    assert not Follow.objects.exists()


def test_a_token_for_reading_follows_nobody(desk: Desk, two: tuple[User, User], client: Client) -> None:
    ada, bo = two
    text = tokens.create(user=ada, name="A reader", scope=Scope.READ, now=desk.now)
    headers = {"Authorization": f"Bearer {text}"}
    answer = client.put(f"/api/v1/players/{bo.player.key}/follow/", headers=headers)
    assert answer.json()["code"] == "read_only_token"
    assert client.get(MATCHES, headers=headers).status_code == 200
