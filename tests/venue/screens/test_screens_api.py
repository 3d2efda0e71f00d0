"""Screens by program: put on the wall, told what to show, taken off."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.db.models import QuerySet
from django.test import Client

from tests.tournaments.event_desk import Desk, a_plan
from venue.models import Screen
from venue.rooms import rooms
from venue.screens import screens


@pytest.fixture(autouse=True)
def no_tries() -> None:
    cache.clear()


def test_a_change_keeps_what_another_program_changes_at_the_same_time(
    desk: Desk, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen, _token = screens.open_screen(address="10.0.0.1", now=desk.now)
    bound = screens.bind(club=desk.club, by=desk.director, letters=screen.code, name="Bar", now=desk.now)
    lock = QuerySet.select_for_update

    def lock_after_the_other(rows: QuerySet[Any], **options: Any) -> QuerySet[Any]:
        Screen.objects.filter(pk=bound.pk).update(seconds=60)
        return lock(rows, **options)

    monkeypatch.setattr(QuerySet, "select_for_update", lock_after_the_other)
    client.force_login(desk.director)
    told = client.patch(
        f"/api/v1/screens/{bound.key}/", {"speaks": True}, content_type="application/json"
    ).json()
    assert (told["speaks"], told["seconds"]) == (True, 60)


def test_a_program_does_what_directors_do(desk: Desk, client: Client) -> None:
    desk.start(a_plan("single-elimination"), 4)
    room = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="1", now=desk.now)
    client.force_login(desk.director)
    browser = type(client)()
    browser.get("/tv")
    address = f"/api/v1/clubs/{desk.club.slug}/screens/"
    wrong = client.post(address, {"letters": "0000", "name": "Bar"}, content_type="application/json")
    assert (wrong.status_code, wrong.json()["code"]) == (404, "unknown_letters")
    said = {"letters": Screen.objects.get().code, "name": "Bar", "room": room.key}
    made = client.post(address, said, content_type="application/json")
    assert made.status_code == 201, made.content
    assert (made.json()["name"], made.json()["room"]) == ("Bar", room.key)
    assert client.get(address).json()["results"] == [made.json()]

    one = f"/api/v1/screens/{made.json()['key']}/"
    change = {"held": "announcement", "announcement": "Last orders", "minutes": 5, "event": desk.event.key}
    told = client.patch(one, change, content_type="application/json").json()
    assert (told["held"], told["event"], told["room"]) == ("announcement", desk.event.key, room.key)
    assert "Last orders" in browser.get("/tv/picture").content.decode()
    # What is left out stays.
    told = client.patch(one, {"held": None, "room": None}, content_type="application/json").json()
    assert (told["held"], told["room"], told["announcement"]) == (None, None, "Last orders")
    assert told["programme"] == [show.value for show in screens.FIRST_PROGRAMME]
    for bad in ({"seconds": 4}, {"programme": ["nothing"]}, {"room": "elsewhere"}):
        assert client.patch(one, bad, content_type="application/json").status_code == 400
    assert client.delete(one).status_code == 204
    assert client.delete(one).status_code == 404
    assert browser.get("/tv/picture").status_code == 200
