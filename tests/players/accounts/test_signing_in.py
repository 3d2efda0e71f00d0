"""Signing in while strangers guess: the right owner gets in, guessing stays slow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from django.core import signing
from django.test import Client

from players.access import attempts
from players.accounts import devices
from players.models import User
from runtime.models import Outbox
from tests.players.conftest import PASSWORD

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

pytestmark = pytest.mark.usefixtures("clock")

ADA = "ada.okafor@example.org"
HOME, HALL = "192.0.2.7", "192.0.2.99"


def knock(
    browser: Client, password: str = PASSWORD, *, email: str = ADA, address: str = HOME, **more: Any
) -> Any:
    return browser.post(
        "/accounts/login/", {"login": email, "password": password}, REMOTE_ADDR=address, **more
    )


def is_in(browser: Client) -> bool:
    return browser.get("/settings/").status_code == 200


def come_in(browser: Client, clock: time_machine.Coordinates, **who: Any) -> int:
    """Sign in after the waits that the server demands; the result is their sum in seconds."""
    waited = 0
    while (answer := knock(browser, **who)).status_code == 429:
        seconds = int(answer["Retry-After"])
        clock.shift(timedelta(seconds=seconds))
        waited += seconds
    assert answer.status_code == 302
    return waited


def spray(address: str, *, email: str = ADA, tries: int) -> Any:
    browser, answer = Client(), None
    for n in range(tries):
        answer = knock(browser, f"wrong password {n}", email=email, address=address)
    return answer


@pytest.fixture
def sprayed(monkeypatch: pytest.MonkeyPatch) -> str:
    """An address from which a person has tried made-up passwords until turns were scarce."""
    monkeypatch.setattr(attempts, "ADDRESS", replace(attempts.ADDRESS, free=30))
    for n in range(12):
        spray(HALL, email=f"nobody{n}@example.org", tries=3)
    return HALL


def used(browser: Client) -> Client:
    """Return a browser on which Ada has signed in and out again."""
    assert knock(browser).status_code == 302
    browser.post("/accounts/logout/")
    assert not is_in(browser)
    return browser


def test_who_comes_too_soon_is_told_for_how_long_to_wait(ada: User, client: Client) -> None:
    for _ in range(6):
        assert knock(client, "wrong").status_code == 200

    answer = knock(client, "wrong")

    assert (answer.status_code, answer["Retry-After"]) == (429, "5")
    assert "Wait 5 seconds" in answer.content.decode()
    assert ADA in answer.content.decode(), "what was typed stays"


def test_a_wait_looks_at_no_password(ada: User, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    spray(HOME, tries=6)
    monkeypatch.setattr("allauth.account.adapter.authenticate", lambda *_, **__: pytest.fail("looked"))

    assert knock(client).status_code == 429


def test_the_right_password_gets_in_after_a_short_wait(
    ada: User, client: Client, clock: time_machine.Coordinates
) -> None:
    spray(HOME, tries=20)

    assert 0 < come_in(client, clock) <= 30
    assert is_in(client)


@pytest.mark.long
def test_a_strangers_tries_do_not_slow_another_place(ada: User, client: Client) -> None:
    spray(HALL, tries=50)

    assert knock(client).status_code == 302


@pytest.mark.long
def test_a_known_device_gets_in_at_once(ada: User, client: Client) -> None:
    used(client)
    for n in range(30):
        spray(f"198.51.100.{n}", tries=3)
    spray(HOME, tries=30)
    assert knock(Client(), address="203.0.113.1").status_code == 429

    assert knock(client).status_code == 302


@pytest.mark.long
def test_a_known_device_gets_in_at_once_where_a_spray_goes_on(
    ada: User, client: Client, sprayed: str
) -> None:
    used(client)
    assert knock(Client(), address=sprayed).status_code == 429

    assert knock(client, address=sprayed).status_code == 302


@pytest.mark.long
def test_wrong_tries_on_a_known_device_are_slowed_too(
    ada: User, client: Client, clock: time_machine.Coordinates
) -> None:
    used(client)
    answers = [knock(client, "wrong").status_code for _ in range(20)]
    assert answers.count(200) == 11

    assert come_in(client, clock) == 2


def test_a_device_knows_only_who_has_signed_in_on_it(ada: User, bo: User, client: Client) -> None:
    used(client)
    spray(HOME, email="bo.lindgren@example.org", tries=6)

    assert knock(client, email="bo.lindgren@example.org").status_code == 429


def test_another_password_makes_devices_strangers(ada: User, client: Client) -> None:
    used(client)
    ada.set_password("four new pennies")
    ada.save()
    spray(HOME, tries=6)

    assert knock(client, "four new pennies").status_code == 429


def test_the_device_that_changed_the_password_is_known_still(ada: User, client: Client) -> None:
    knock(client)
    new = "four new pennies"
    client.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    client.post("/accounts/logout/")
    spray(HOME, tries=6)

    assert knock(client, new).status_code == 302


def test_the_cookie_is_signed_kept_from_scripts_and_names_nobody(ada: User, client: Client) -> None:
    cookie = knock(client).cookies["device"]
    assert (cookie["path"], cookie["samesite"]) == ("/accounts/", "Lax")
    assert cookie["httponly"]
    assert cookie["max-age"] == devices.SECONDS
    told = signing.loads(cookie.value, salt=devices.SALT)
    assert set(told) == {"name", "marks"}
    assert not {ada.email, ada.player.name, str(ada.pk)} & {told["name"], *told["marks"]}

    spray(HOME, tries=6)
    forger = Client()
    forger.cookies["device"] = cookie.value[:-3] + "abc"
    assert knock(forger).status_code == 429


def test_a_laptop_of_the_club_knows_its_last_thirty(
    client: Client, sign_up: Callable[..., User], rf: Any
) -> None:
    from django.http import HttpResponse

    people = [sign_up(f"Member {n}") for n in range(35)]
    for user in people:
        response = HttpResponse()
        request = rf.get("/accounts/login/")
        request.COOKIES.update({name: each.value for name, each in client.cookies.items()})
        devices.remember_user(request, response, user)
        client.cookies.update(response.cookies)
    request.COOKIES["device"] = client.cookies["device"].value

    device = devices.find_device(request)
    assert device is not None
    assert [device.knows(user) for user in people] == [False] * 5 + [True] * 30
    assert len(client.cookies["device"].value) < 1500


@pytest.mark.long
def test_an_email_always_gets_in(ada: User, client: Client, settings: SettingsWrapper) -> None:
    settings.EMAIL_URL = "smtp://localhost"
    spray(HOME, tries=30)
    assert "a new password by e-mail" in knock(client).content.decode()
    client.post("/accounts/password/reset/", {"email": ADA}, REMOTE_ADDR=HOME)
    body = Outbox.objects.get(kind="runtime.mail").payload["body"]
    link = next(word for word in body.split() if "/password/reset/key/" in word).partition("testserver")[2]

    form = client.get(link, follow=True)
    new = "four new pennies"
    client.post(form.redirect_chain[-1][0], {"password1": new, "password2": new}, REMOTE_ADDR=HOME)

    assert is_in(client)
    client.post("/accounts/logout/")
    assert knock(client, new).status_code == 302, "and the device is known from now on"


def test_nobody_is_flooded_with_emails(ada: User, clock: time_machine.Coordinates) -> None:
    def ask() -> int:
        answer = Client().post("/accounts/password/reset/", {"email": ADA})
        assert answer.status_code == 302, "who asks is not told"
        return Outbox.objects.filter(kind="runtime.mail").count()

    assert [ask() for _ in range(20)][-1] == 6
    clock.shift(timedelta(minutes=10))
    assert ask() == 7


@pytest.mark.long
def test_a_stranger_does_not_keep_the_owner_from_confirming_a_password(ada: User, client: Client) -> None:
    knock(client)
    for n in range(30):
        spray(f"198.51.100.{n}", tries=3)

    answer = client.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": "/settings/"})

    assert (answer.status_code, answer.headers.get("Location")) == (302, "/settings/")


def second_lock(user: User) -> str:
    """Give the account a second factor and return a code that opens it."""
    totp.TOTP.activate(user, totp.generate_totp_secret())
    return str(RecoveryCodes.activate(user).get_unused_codes()[0])


@pytest.mark.long
def test_who_knows_the_password_does_not_keep_the_owners_code_out(ada: User, client: Client) -> None:
    code = second_lock(ada)
    knock(client)
    client.post("/accounts/2fa/authenticate/", {"code": code})
    assert is_in(client)
    client.post("/accounts/logout/")
    code = RecoveryCodes(ada.authenticator_set.get(type="recovery_codes")).get_unused_codes()[0]

    for n in range(6):
        thief = Client()
        knock(thief, address=f"198.51.100.{n}")
        for _ in range(4):
            last = thief.post(
                "/accounts/2fa/authenticate/", {"code": "000000"}, REMOTE_ADDR=f"198.51.100.{n}"
            )
    assert (last.status_code, last["Retry-After"]) == (429, "10")
    assert "too many wrong tries" in last.content.decode()

    assert knock(client).status_code == 302
    client.post("/accounts/2fa/authenticate/", {"code": code}, REMOTE_ADDR="198.51.100.0")
    assert is_in(client)


@pytest.mark.long
def test_a_club_of_forty_behind_one_router_gets_in_within_five_minutes(
    sign_up: Callable[..., User], clock: time_machine.Coordinates, now: datetime
) -> None:
    people = [sign_up(f"Member {n}").email for n in range(40)]

    for email in people:
        browser = Client()
        for typo in ("three old penies", "three old"):
            assert knock(browser, typo, email=email, address=HALL).status_code == 200
        assert knock(browser, email=email, address=HALL).status_code == 302
        clock.shift(timedelta(seconds=7))

    assert (datetime.now(UTC) - now) < timedelta(minutes=5)


@pytest.mark.long
def test_the_club_gets_in_after_a_spray_from_its_own_address_too(
    sign_up: Callable[..., User], clock: time_machine.Coordinates, now: datetime, sprayed: str
) -> None:
    people = [sign_up(f"Member {n}").email for n in range(40)]

    waits = []
    for email in people:
        browser = Client()
        waits.append(come_in(browser, clock, email=email, address=sprayed))
        # A slip of the finger, by every second of them.
        if len(waits) % 2:
            knock(Client(), "three old penies", email=email, address=sprayed)

    assert 0 < max(waits) <= attempts.ADDRESS.most
    assert (datetime.now(UTC) - now) < timedelta(minutes=5)


@pytest.mark.long
def test_signing_up_leaves_room_for_a_club(db: None, settings: SettingsWrapper) -> None:
    from config import settings as ours

    settings.ACCOUNT_RATE_LIMITS = ours.ACCOUNT_RATE_LIMITS
    for n in range(40):
        browser = Client()
        form = {"name": f"Member {n}", "email": f"m{n}@example.org", "password1": "short"}
        assert browser.post("/accounts/signup/", form).status_code == 200
        assert browser.post("/accounts/signup/", {**form, "password1": PASSWORD}).status_code == 302

    assert User.objects.count() == 40
