"""Signing up and in with allauth and the product's adapter."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

import pytest
from django.test import Client, RequestFactory

from players.accounts.adapter import AccountAdapter
from players.accounts.settings_views import language
from players.models import User
from runtime.models import Outbox
from tests.players.conftest import PASSWORD

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

FORM = {"name": "Gus Hale", "email": "Gus@Example.org", "password1": PASSWORD}


def test_signing_up_makes_account_and_player(db: None, client: Client) -> None:
    client.post("/accounts/signup/", FORM)

    user = User.objects.get()
    assert (user.email, user.player.name) == ("gus@example.org", "Gus Hale")
    assert client.get("/settings/").status_code == 200


@pytest.mark.parametrize("name", ["", "Gu\u202es", "Gus\x00", "\u200b", "x" * 81])
def test_a_hostile_name_signs_nobody_up(db: None, client: Client, name: str) -> None:
    assert client.post("/accounts/signup/", {**FORM, "name": name}).status_code == 200

    assert not User.objects.exists()


def test_a_taken_address_is_not_betrayed(client: Client, ada: User, settings: SettingsWrapper) -> None:
    # Only where e-mails can be sent: a club's laptop has no other way to say it.
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"

    answer = client.post("/accounts/signup/", {**FORM, "email": "ADA.okafor@example.org"})

    assert answer.headers["Location"] == "/accounts/confirm-email/"
    assert User.objects.count() == 1
    message = Outbox.objects.get(kind="runtime.mail")
    assert message.payload["to"] == "ada.okafor@example.org"


def read_next(page: str, action: str) -> dict[str, str]:
    """Read where the form with this action leads back to."""
    form = page.partition(f'action="{action}"')[2].partition("</form>")[0]
    assert form
    found = re.search(r'name="next" value="([^"]*)"', form)
    return {"next": html.unescape(found[1])} if found else {}


@pytest.mark.parametrize(
    ("said", "where"),
    [
        ("/clubs/here/?a=b&c=d", "/clubs/here/?a=b&c=d"),
        ("https://evil.example/", "/"),
        ("/" + 1_000 * "x", "/"),
    ],
)
@pytest.mark.usefixtures("clock")  # the link holds the second
def test_the_way_of_a_newcomer_ends_where_it_began(
    db: None, client: Client, settings: SettingsWrapper, said: str, where: str
) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    client.post("/accounts/signup/", {**FORM, "next": said})
    sent = Outbox.objects.get(kind="runtime.mail").payload["body"]
    link = re.search(r"(/accounts/confirm-email/[^/]+/)(\S*)", sent)

    # The e-mail is read on a phone.
    phone = Client()
    asked = phone.get(link[1] + link[2]).content.decode()
    confirmed = phone.post(link[1], read_next(asked, link[1]), follow=True).content.decode()
    sign_in = "/accounts/login/"
    answer = phone.post(
        sign_in, {"login": FORM["email"], "password": PASSWORD, **read_next(confirmed, sign_in)}
    )

    assert answer.headers["Location"] == where


def test_emails_wait_in_the_outbox(db: None, client: Client, ada: User, mailoutbox: list[object]) -> None:
    for _ in range(2):
        client.post("/accounts/password/reset/", {"email": "ada.okafor@example.org"})

    assert mailoutbox == []
    messages = Outbox.objects.filter(kind="runtime.mail")
    assert messages.count() == 2
    assert "/accounts/password/reset/key/" in messages[0].payload["body"]
    assert "\n" not in messages[0].payload["subject"]


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "6.6.6.6", "127.0.0.1"),
        (1, "6.6.6.6, 9.9.9.9", "9.9.9.9"),
        (2, "6.6.6.6, 9.9.9.9, 10.0.0.1", "9.9.9.9"),
        # A person who came round the proxies is counted under the address they came from.
        (2, "6.6.6.6", "127.0.0.1"),
        (1, "", "127.0.0.1"),
        (1, "nonsense", "127.0.0.1"),
    ],
)
def test_the_callers_address_is_what_our_proxies_vouch_for(
    rf: RequestFactory, settings: SettingsWrapper, proxies: int, forwarded: str, address: str
) -> None:
    settings.TRUSTED_PROXIES = proxies
    request = rf.get("/", headers={"X-Forwarded-For": forwarded} if forwarded else {})

    assert AccountAdapter().get_client_ip(request) == address


def test_a_language_chosen_by_an_account_is_kept(ada: User, rf: RequestFactory) -> None:
    for chosen in ("de", "tlh", ""):
        request = rf.post("/", {"language": chosen, "next": "/clubs/"})
        request.user = ada

        assert language(request).status_code == 302

    assert User.objects.get(pk=ada.pk).language == "de"


def test_two_at_once_make_one_account(client: Client, ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    # The form of the second found the address free, a moment before the first was saved.
    monkeypatch.setattr(
        "allauth.account.internal.flows.manage_email.email_already_exists", lambda v: (v, False)
    )

    answer = client.post("/accounts/signup/", {**FORM, "email": "ada.okafor@example.org"})

    assert answer.headers["Location"] == "/accounts/login/"
    assert User.objects.count() == 1
