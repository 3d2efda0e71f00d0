"""Calls by Web Push: recipients, subscriptions kept or dropped after an error, browsers without push."""

from __future__ import annotations

import json
import socket
import threading
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from players.accounts import accounts
from players.models import User
from runtime import web_push
from runtime.http import http_client
from runtime.install import held_copies
from runtime.models import Outbox
from runtime.work import outbox
from tests.runtime.test_web_push import AUTH, THEIR_POINT, THEIRS, claims
from tests.tournaments.event_desk import Desk
from tests.venue.desk.test_desk_room import begin
from tournaments.models import Pairing
from tournaments.play import directing
from venue.calls import calling, seats
from venue.errors import BadSubscription, PushNotOffered, TooManyTries
from venue.models import Assignment, PushKey, PushSubscription, Room
from venue.player import call_answers, push
from venue.rooms import rooms

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

ENDPOINT = "https://push.example.net/send/abc"


class Service:
    """A push service that records its requests and gives a configured answer."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, bytes, dict[str, str]]] = []
        self.error: http_client.CallError | None = None

    def post(self, url: str, body: bytes, headers: dict[str, str], **_more: Any) -> int:
        self.sent.append((url, body, headers))
        if self.error is not None:
            raise self.error
        return 201

    def read(self) -> dict[str, Any]:
        """Return the last message, as the browser reads it."""
        key = web_push.parse_private_key(THEIRS)
        body = http_ece.decrypt(
            self.sent[-1][1], private_key=key, auth_secret=web_push.decode_base64(AUTH), version="aes128gcm"
        )
        return dict(json.loads(body))


@pytest.fixture(autouse=True)
def https(settings: SettingsWrapper) -> None:
    cache.clear()
    settings.IS_PUBLIC = True
    settings.PUBLIC_URL = "https://club.example.org"


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Service:
    found = Service()
    monkeypatch.setattr(http_client, "post", found.post)
    return found


@pytest.fixture
def ada(desk: Desk, room: Room) -> User:
    """A member who plays, with one browser switched on."""
    user = desk.member("Ada Okafor")
    desk.do(directing.admit_members, player_keys=[user.player.key])
    begin(desk, room)
    subscribed(user, desk.now)
    return user


def subscribed(user: User, now: datetime, endpoint: str = ENDPOINT) -> PushSubscription:
    return push.subscribe(user=user, endpoint=endpoint, public=THEIR_POINT, auth=AUTH, now=now)


def call(desk: Desk, user: User, room: Room) -> Assignment:
    row = Pairing.objects.filter(tournament=desk.event, state="ready")
    key = (row.filter(a__player=user.player) | row.filter(b__player=user.player)).get().key
    table = room.tables.first()
    assert table is not None
    return calling.call(table=table, event=desk.event, key=key, by=desk.director, now=desk.now)


def delivered(now: datetime) -> list[bool]:
    due = outbox.list_due(now=now).filter(kind=seats.PUSH)
    return [outbox.deliver(outbox_id=row.pk, now=now) for row in due]


def test_the_export_of_one_s_data_has_the_browser_without_its_secrets(desk: Desk, ada: User) -> None:
    assert push.export_subscriptions(ada.player) == [
        {"service": "push.example.net", "created_at": desk.now, "last_notified_at": None}
    ]
    assert push.export_subscriptions(desk.director.player) == []


def test_a_call_reaches_the_browser_and_only_it_can_read_it(
    desk: Desk, room: Room, ada: User, service: Service
) -> None:
    accounts.change(user=ada, now=desk.now, language="de")
    made = call(desk, ada, room)
    assert delivered(desk.now) == [True]
    ((url, body, headers),) = service.sent
    assert url == ENDPOINT
    assert b"Tisch" not in body
    told = service.read()
    assert told["title"] == "Tisch 1: Du bist dran"
    assert (told["url"], told["tag"]) == ("/called/", str(made.uid))
    assert headers["TTL"] == "180"
    assert headers["Content-Encoding"] == "aes128gcm"
    said = claims(headers["Authorization"])
    assert (said["aud"], said["sub"]) == ("https://push.example.net", "https://club.example.org")
    assert 0 < int(str(said["exp"])) - desk.now.timestamp() <= 24 * 3600
    # Once: what is carried out is not carried out again.
    assert delivered(desk.now + timedelta(minutes=1)) == []


def test_who_has_not_switched_it_on_is_not_written_to(
    desk: Desk, room: Room, ada: User, service: Service
) -> None:
    push.unsubscribe(user=ada, endpoint=ENDPOINT)
    call(desk, ada, room)
    assert not Outbox.objects.filter(kind=seats.PUSH).exists()
    assert service.sent == []


@pytest.mark.parametrize("how", ["seen", "taken back", "late", "locked out"])
def test_what_is_over_is_not_sent(desk: Desk, room: Room, ada: User, service: Service, how: str) -> None:
    made = call(desk, ada, room)
    now = desk.now
    if how == "seen":
        call_answers.acknowledge_call(uid=made.uid, by=ada, now=now)
    elif how == "taken back":
        calling.withdraw_call(assignment=made, by=desk.director, now=now)
    elif how == "locked out":
        User.objects.filter(pk=ada.pk).update(is_active=False)
    else:
        now += push.LASTS
    assert delivered(now) == [True]
    assert service.sent == []


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(
    desk: Desk, room: Room, ada: User, service: Service, status: int
) -> None:
    service.error = http_client.CallError("gone", status=status)
    call(desk, ada, room)
    assert delivered(desk.now) == [True]
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize(
    ("status", "wait", "soonest"), [(429, 40, 40), (429, 0, 2), (503, 7, 7), (500, 0, 2), (0, 0, 2)]
)
def test_a_service_that_is_busy_is_asked_again_not_sooner_than_it_says(
    desk: Desk, room: Room, ada: User, service: Service, status: int, wait: int, soonest: int
) -> None:
    service.error = http_client.CallError("busy", status=status, retry_after=wait)
    call(desk, ada, room)
    assert delivered(desk.now) == [False]
    assert PushSubscription.objects.get().last_error == "busy"
    service.error = None
    assert delivered(desk.now + timedelta(seconds=soonest - 1)) == []
    assert delivered(desk.now + timedelta(seconds=soonest)) == [True]
    assert service.read()["title"] == "Table 1: you are called"
    assert PushSubscription.objects.get().last_error == ""


def test_a_refusal_that_will_stay_one_is_noted_and_not_repeated(
    desk: Desk, room: Room, ada: User, service: Service
) -> None:
    service.error = http_client.CallError("push.example.net answered 403.", status=403)
    call(desk, ada, room)
    assert delivered(desk.now) == [True]
    assert PushSubscription.objects.get().last_error == "push.example.net answered 403."


@pytest.mark.parametrize("address", ["127.0.0.1", "10.1.2.3", "::1", "fd00::1", "169.254.169.254"])
def test_an_address_that_leads_inside_is_not_called_and_forgotten(
    desk: Desk, room: Room, ada: User, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_a, **_k: [(family, 1, 6, "", (address, 443))])
    monkeypatch.setattr(socket, "create_connection", lambda *_a, **_k: pytest.fail("it was called"))
    call(desk, ada, room)
    assert delivered(desk.now) == [True]
    assert not PushSubscription.objects.exists()


@pytest.mark.long
def test_a_service_that_hangs_is_cut_off(
    desk: Desk, room: Room, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        held: list[socket.socket] = []
        threading.Thread(target=lambda: held.append(server.accept()[0]), daemon=True).start()
        port = server.getsockname()[1]
        plain = http_client.post
        monkeypatch.setattr(http_client, "SECONDS", 0.3)
        monkeypatch.setattr(http_client, "resolve_address", lambda _host, _port: "127.0.0.1")
        monkeypatch.setattr(
            http_client,
            "post",
            lambda _url, body, headers, **more: plain(
                f"http://push.example.net:{port}/x", body, headers, **more
            ),
        )
        call(desk, ada, room)
        assert delivered(desk.now) == [False]
        assert "did not answer" in PushSubscription.objects.get().last_error
        for each in held:
            each.close()


def test_a_copy_tells_nobody(desk: Desk, room: Room, ada: User, service: Service) -> None:
    call(desk, ada, room)
    held_copies.hold(now=desk.now)
    assert delivered(desk.now) == []
    assert service.sent == []


def test_the_key_of_the_installation_is_made_once(db: None, now: datetime) -> None:
    first = push.get_public_key(now=now)
    assert push.get_public_key(now=now + timedelta(days=400)) == first
    assert PushKey.objects.count() == 1
    ec.EllipticCurvePublicKey.from_encoded_point(web_push.CURVE, web_push.decode_base64(first))


@pytest.mark.parametrize(
    ("endpoint", "public", "auth"),
    [
        ("http://push.example.net/1", THEIR_POINT, AUTH),
        ("https://push.example.net:22/1", THEIR_POINT, AUTH),
        ("https://user@push.example.net/1", THEIR_POINT, AUTH),
        (f"https://push.example.net/{'x' * 1000}", THEIR_POINT, AUTH),
        ("", THEIR_POINT, AUTH),
        (ENDPOINT, "x", AUTH),
        (ENDPOINT, THEIR_POINT, ""),
    ],
)
def test_what_is_no_subscription_is_refused(
    db: None, now: datetime, endpoint: str, public: str, auth: str
) -> None:
    user = accounts.register(email="bo@example.org", password=None, name="Bo", now=now)
    with pytest.raises(BadSubscription):
        push.subscribe(user=user, endpoint=endpoint, public=public, auth=auth, now=now)


def test_a_browser_belongs_to_who_used_it_last_and_the_oldest_of_many_goes(db: None, now: datetime) -> None:
    one, other = (
        accounts.register(email=f"{name}@example.org", password=None, name=name, now=now)
        for name in ("one", "other")
    )
    subscribed(one, now)
    subscribed(other, now)
    assert PushSubscription.objects.get().user == other
    for number in range(push.MOST_BROWSERS + 2):
        subscribed(one, now + timedelta(seconds=number), f"{ENDPOINT}{number}")
    kept = PushSubscription.objects.filter(user=one).values_list("endpoint", flat=True)
    assert len(kept) == push.MOST_BROWSERS
    assert f"{ENDPOINT}0" not in kept


def test_a_test_is_sent_and_not_without_end(db: None, now: datetime, service: Service) -> None:
    user = accounts.register(email="bo@example.org", password=None, name="Bo", now=now)
    assert not push.send_test(user=user, endpoint=ENDPOINT, now=now)
    subscribed(user, now)
    assert push.send_test(user=user, endpoint=ENDPOINT, now=now)
    assert delivered(now) == [True]
    assert service.read()["title"] == "Calls reach this browser"

    def often() -> None:
        for _ in range(20):
            push.send_test(user=user, endpoint=ENDPOINT, now=now)

    with pytest.raises(TooManyTries):
        often()


def test_the_page_switches_it_on_and_off(db: None, now: datetime, client: Client) -> None:
    user = accounts.register(email="bo@example.org", password=None, name="Bo", now=now)
    client.force_login(user)
    page = reverse("venue:push")
    assert push.get_public_key(now=now) in client.get(page).content.decode()
    keys = {"endpoint": ENDPOINT, "public": THEIR_POINT, "auth": AUTH}
    assert client.post(page, {"act": "on", **keys}).status_code == 204
    assert "Call notifications are on in 1 browser." in client.get(page).content.decode()
    assert client.post(page, {"act": "test", **keys}).status_code == 204
    assert client.post(page, {"act": "off", **keys}).status_code == 204
    assert client.post(page, {"act": "test", **keys}).status_code == 409
    wrong = client.post(page, {"act": "on", **keys, "endpoint": "https://10.0.0.1:22/"})
    assert (wrong.status_code, wrong.content.decode()[:12]) == (409, "This browser")
    client.post(page, {"act": "on", **keys})
    client.post(page, {"act": "off-everywhere"})
    assert not PushSubscription.objects.exists()
    worker = client.get(reverse("venue:worker"))
    assert worker["Content-Type"].startswith("text/javascript")
    assert "showNotification" in worker.content.decode()


def test_who_signs_out_is_told_of_no_more_calls_there(db: None, now: datetime, client: Client) -> None:
    user = accounts.register(email="bo@example.org", password=None, name="Bo", now=now)
    client.force_login(user)
    keys = {"endpoint": ENDPOINT, "public": THEIR_POINT, "auth": AUTH}
    client.post(reverse("venue:push"), {"act": "on", **keys})
    elsewhere = subscribed(user, now, "https://push.example.org/their/telephone")

    assert client.post(reverse("account_logout")).status_code == 302
    assert [*PushSubscription.objects.all()] == [elsewhere]


def test_under_plain_http_nothing_is_offered_and_the_page_says_what_works(
    db: None, now: datetime, client: Client, settings: SettingsWrapper
) -> None:
    settings.IS_PUBLIC = False
    user = accounts.register(email="bo@example.org", password=None, name="Bo", now=now)
    client.force_login(user)
    shown = client.get(reverse("venue:push")).content.decode()
    assert "only over HTTPS" in shown
    assert "push.js" not in shown
    with pytest.raises(PushNotOffered):
        subscribed(user, now)


def test_an_account_that_goes_takes_its_browsers_along(db: None, now: datetime) -> None:
    user = accounts.register(email="bo@example.org", password=None, name="Bo", now=now)
    subscribed(user, now)
    accounts.erase(user=user, now=now)
    assert not PushSubscription.objects.exists()


def test_it_names_the_room_where_the_club_has_several(
    desk: Desk, room: Room, ada: User, service: Service
) -> None:
    rooms.open_room(club=desk.club, by=desk.director, name="Cellar", labels="1-2", now=desk.now)
    call(desk, ada, room)
    assert delivered(desk.now) == [True]
    assert service.read()["title"] == f"Table 1, {room.name}: you are called"
