"""Whose right to look has ended hears nothing more: the open stream ends, and the old address opens nothing."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from matches.models import Room
from matches.play import chat, match_access
from players.accounts import tokens
from players.clubs import clubs
from players.models import ApiToken, Membership, Role, Scope
from runtime import stream
from runtime.stream import relay, rights
from runtime.stream import tokens as grants
from runtime.stream.hub import HUB, Hub
from runtime.stream.rights import Bearer, StreamCheck
from tests.matches.departures import KEYS, WAYS, direct
from tests.matches.journal.test_live_servers import really
from tests.matches.support import PASSWORD, Table, person
from tests.matches.test_crash import say
from tests.runtime.conftest import (  # noqa: F401
    _services_or_skip,
    apart,
    front,
    migrated_postgresql,
    static_root,
)
from tests.runtime.support import Listener, get, until
from tests.services import free_port
from tournaments.plan import setup

ask_about_all = Hub.ask_about_all


@pytest.fixture(autouse=True)
def _nobody_looks_by_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Switch off the periodic check that finds ended rights without a message."""
    monkeypatch.setattr(Hub, "ask_about_all", lambda _: None)


@pytest.fixture
def port(front: int, transactional_db: None) -> Iterator[int]:  # noqa: F811
    yield front
    until(lambda: HUB.open_streams == 0 and HUB.presence._tally.is_empty)


class Hall:
    """A club with a private match, and a director of the club who watches it."""

    def __init__(self, port: int) -> None:
        self.port, self.now = port, timezone.now()
        self.owner = person("Olga", self.now)
        self.club = clubs.create(owner=self.owner, name="Here", now=self.now)
        self.director = direct(self.club, "Dora")
        self.table = Table(self.now, club=self.club, is_private=True)
        self.table.begin()
        self.browser = Client()
        self.browser.force_login(self.director)
        self.cookie = f"session={self.browser.cookies['session'].value}"
        self.api_token = ""

    def look(self, **headers: str) -> str:
        """The stream token of the match for a client that sends these headers."""
        headers = headers or {"Cookie": self.cookie}
        path = f"/api/v1/matches/{self.table.match.key}/"
        status, body, _ = get(self.port, path, Host="127.0.0.1", **headers)
        assert status == 200, body
        return str(json.loads(body)["live"]["token"])

    def look_by_program(self) -> str:
        """Look with an API token of the director's, and go on with it instead of the browser's cookie."""
        self.api_token = tokens.create(user=self.director, name="Eyes", scope=Scope.READ, now=self.now)
        self.cookie = ""
        return self.look(**self.headers)

    @property
    def headers(self) -> dict[str, str]:
        """The headers of a request for a stream."""
        return {"Cookie": self.cookie} | (
            {"Authorization": f"Bearer {self.api_token}"} if self.api_token else {}
        )

    def listen(self, token: str) -> Listener:
        listener = Listener(self.port, token, cookie=self.cookie, api_token=self.api_token)
        assert listener.event() == {"name": "hello"}
        return listener

    def say(self, text: str) -> None:
        player = self.table.white
        assert player.user is not None
        seen = match_access.load_view(self.table.row, player.user)
        assert seen is not None
        chat.post_line(seen=seen, author=player, text=text, client_key=text.ljust(8, "-"), now=timezone.now())


@pytest.fixture
def hall(port: int) -> Hall:
    return Hall(port)


def assert_ends(listener: Listener) -> None:
    """Read the remaining events; then the stream must announce its end and close."""
    # Less than what keeps a silent stream open.
    while listener.event(within=10)["name"] != "ended":
        pass
    with pytest.raises(EOFError):
        listener.event(within=10)
    listener.close()


def opens(hall: Hall, token: str) -> int:
    """Return the answer to an address that was good before."""
    again = [
        get(hall.port, f"/live/?{query}t={token}", method=method, **hall.headers)[0]
        for query, method in (("", "HEAD"), ("renew=1&", "GET"))
    ]
    assert len(set(again)) == 1
    return again[0]


@pytest.mark.long
@pytest.mark.parametrize("way", WAYS)
def test_who_may_look_no_more_hears_no_more(hall: Hall, way: str) -> None:
    token = hall.look_by_program() if way in KEYS else hall.look()
    listener = hall.listen(token)
    hall.say("before")
    assert listener.event()["data"]["text"] == "before"
    WAYS[way](hall.club, hall.director)
    assert_ends(listener)
    assert opens(hall, token) == 403
    hall.say("after")
    assert Listener(hall.port, token, cookie=hall.cookie, api_token=hall.api_token).answer.status == 403


@pytest.mark.long
@pytest.mark.parametrize("way", ["removed", "erased", "locked"])
def test_a_program_of_theirs_hears_no_more_either(hall: Hall, way: str) -> None:
    token = hall.look_by_program()
    listener = hall.listen(token)
    WAYS[way](hall.club, hall.director)
    assert_ends(listener)
    assert opens(hall, token) == 403


def test_who_signs_out_in_one_tab_has_signed_out_in_all(hall: Hall) -> None:
    token = hall.look()
    listener = hall.listen(token)
    hall.browser.post("/accounts/logout/")
    assert_ends(listener)
    assert opens(hall, token) == 403


def test_an_expired_token_hears_no_more_when_next_asked(hall: Hall) -> None:
    token = hall.look_by_program()
    listener = hall.listen(token)
    past = timezone.now() - timedelta(minutes=1)
    ApiToken.objects.update(created_at=past - timedelta(days=1), expires_at=past)
    # The relay does this every twenty seconds, because no message announces that a token has expired.
    HUB.call_soon(ask_about_all, HUB)
    assert_ends(listener)
    assert opens(hall, token) == 403


def test_an_event_that_is_hidden_goes_dark_for_all_but_its_directors(hall: Hall) -> None:
    details = setup.Details(name="A night", starts_at=hall.now + timedelta(days=1))
    event = setup.announce(club=hall.club, by=hall.owner, key="nightnight", details=details, now=hall.now)
    path = "/api/v1/events/nightnight/"
    found = [get(hall.port, path, Host="127.0.0.1", **cookie)[1] for cookie in ({}, {"Cookie": hall.cookie})]
    public, own = (json.loads(body)["live"]["token"] for body in found)
    stranger, director = Listener(hall.port, public), hall.listen(own)
    event.status, event.published_at = "DRAFT", None
    event.save()
    assert_ends(stranger)
    assert Listener(hall.port, public).answer.status == 403
    stream.publish("event.nightnight", "changed", {}, now=timezone.now())
    assert director.event()["name"] == "changed"
    setup.discard(tournament_id=event.pk, by=hall.owner)
    assert_ends(director)


def test_what_no_message_told_is_found_all_the_same(hall: Hall) -> None:
    listener = hall.listen(hall.look())
    # As from a shell beside the server.
    Membership.objects.filter(player=hall.director.player).update(role=Role.MEMBER)
    hall.say("still heard")
    assert listener.event()["data"]["text"] == "still heard"
    HUB.call_soon(ask_about_all, HUB)
    assert_ends(listener)
    assert relay.ASK_SECONDS <= 30


@pytest.mark.long
def test_others_hear_on(hall: Hall) -> None:
    assert hall.table.white.user is not None
    key = tokens.create(user=hall.table.white.user, name="x", scope=Scope.PLAY, now=hall.now)
    player = Listener(hall.port, hall.look(Authorization=f"Bearer {key}"), api_token=key)
    watching_too = hall.listen(hall.look())
    WAYS["removed"](hall.club, hall.director)
    assert_ends(watching_too)
    hall.say("still here")
    with contextlib.closing(player):
        while player.event(within=20)["name"] != "said":
            pass


def test_a_stolen_address_opens_nothing_without_the_session(hall: Hall) -> None:
    token = hall.look()
    hall.cookie = ""
    assert opens(hall, token) == 403
    hall.cookie = "session=" + "a" * 32
    assert opens(hall, token) == 403


def test_an_address_is_good_for_minutes_and_a_page_renews_it(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = hall.look()
    assert opens(hall, token) == 200
    monkeypatch.setattr(grants, "VALID_SECONDS", -1)
    assert get(hall.port, f"/live/?t={token}", method="HEAD", Cookie=hall.cookie)[0] == 403
    status, body, headers = get(hall.port, f"/live/?renew=1&t={token}", Cookie=hall.cookie)
    assert (status, headers["cache-control"]) == (200, "no-store")
    monkeypatch.undo()
    assert grants.VALID_SECONDS <= 600
    fresh = json.loads(body)["token"]
    assert grants.verify_token(fresh) == grants.verify_token(token)
    hall.listen(fresh).close()


def test_a_program_asks_for_the_match_and_not_for_a_fresh_address(hall: Hall) -> None:
    token = hall.look_by_program()
    assert get(hall.port, f"/live/?t={token}", method="HEAD", **hall.headers)[0] == 200
    assert get(hall.port, f"/live/?renew=1&t={token}", **hall.headers)[0] == 403


def test_a_stolen_address_of_a_program_opens_nothing_without_its_api_token(hall: Hall) -> None:
    token, browser = hall.look_by_program(), hall.browser
    others = tokens.create(user=hall.owner, name="Another's", scope=Scope.READ, now=hall.now)
    second = tokens.create(user=hall.director, name="Second", scope=Scope.READ, now=hall.now)
    own_session = {"Cookie": f"session={browser.cookies['session'].value}"}
    stolen: list[dict[str, str]] = [
        {},
        own_session,
        *({"Authorization": said} for said in ("", "Bearer", "Bearer ", f"Token {hall.api_token}")),
        *({"Authorization": f"Bearer {said}"} for said in ("bp_none", "\xff\xfe", others, second)),
    ]

    answers = [
        get(hall.port, f"/live/?{query}t={token}", method=method, **headers)[0]
        for headers in stolen
        for query, method in (("", "HEAD"), ("", "GET"), ("renew=1&", "GET"))
    ]

    assert set(answers) == {403}
    hall.listen(token).close()
    # Checks of bearers at the same address in one batch are kept separate.
    who = grants.verify_token(token).who
    asks = [
        StreamCheck(Bearer(who, said), (f"gallery.{hall.table.match.key}",))
        for said in ("", hall.api_token, second)
    ]
    assert [each.is_allowed for each in rights.check_rights(asks)] == [False, True, False]
    assert hall.api_token not in repr(asks)


def test_a_made_up_wish_is_not_granted(hall: Hall) -> None:
    key = hall.table.match.key
    for topic in (f"match.{key}", f"seat.{key}.white", f"chat.{key}.{Room.PLAYERS}", "user.1", "x.y", "user"):
        assert Listener(hall.port, stream.create_token([topic])).answer.status == 403, topic


def test_a_player_signs_in_anew_and_the_old_session_is_no_more(hall: Hall) -> None:
    token = hall.look()
    listener = hall.listen(token)
    hall.browser.post("/accounts/password/change/", {
        "oldpassword": PASSWORD, "password1": "four new pennies", "password2": "four new pennies",
    })  # fmt: skip
    assert_ends(listener)
    assert opens(hall, token) == 403


@pytest.mark.long
def test_who_is_muted_is_heard_no_more_on_what_is_open_and_by_old_addresses(hall: Hall) -> None:
    token = hall.look()
    listener = hall.listen(token)
    hall.say("before")
    assert listener.event()["data"]["text"] == "before"
    chat.mute(player=hall.director.player, muted=hall.table.white)
    until(lambda: all(reader.muted for reader in HUB._readers))
    hall.say("muted")
    seen = match_access.load_view(hall.table.row, hall.director)
    assert seen is not None
    own = {"author": hall.director.player, "text": "mine", "client_key": "k" * 10, "now": timezone.now()}
    chat.post_line(seen=seen, room=Room.PLAYERS, **own)
    assert listener.event()["data"]["text"] == "mine"
    listener.close()
    again = Listener(hall.port, token, cookie=hall.cookie)
    assert [again.event()["name"], again.event()["data"]["text"]] == ["hello", "mine"]
    chat.unmute(player=hall.director.player, muted=hall.table.white)
    until(lambda: HUB._readers and not any(reader.muted for reader in HUB._readers))
    hall.say("heard again")
    assert again.event()["data"]["text"] == "heard again"
    again.close()


@pytest.mark.long
@pytest.mark.services
def test_rights_end_at_every_process(apart: Any) -> None:  # noqa: F811
    """Two web processes hold the streams; a third one without listeners ends the rights."""
    place = really(apart)
    ports = [place.port, free_port()]
    for number in ports:
        place.open("serve", "web", PORT=str(number))
    seeded = say(place, "tests.matches.departures", "seed")
    path = f"/api/v1/matches/{seeded['match']}/"
    listeners: dict[str, list[tuple[int, str, Listener]]] = {}
    for way, header in seeded["ways"].items():
        for number in ports:
            found = json.loads(get(number, path, Host="127.0.0.1", **header)[1])["live"]["token"]
            listener = Listener(
                number,
                found,
                cookie=header.get("Cookie", ""),
                api_token=header.get("Authorization", "").removeprefix("Bearer "),
            )
            assert listener.event() == {"name": "hello"}, way
            listeners.setdefault(way, []).append((number, found, listener))
    for way, header in seeded["ways"].items():
        say(place, "tests.matches.departures", way)
        for number, found, listener in listeners.pop(way):
            assert_ends(listener)
            assert get(number, f"/live/?t={found}", method="HEAD", **header)[0] == 403, way
