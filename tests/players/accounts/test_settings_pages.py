"""One's own settings."""

from __future__ import annotations

import json
from datetime import datetime

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from players.accounts import exports
from players.clubs import clubs
from players.models import Club, Export, Notice, User
from tests.clients import signed_in
from tests.deliveries import deliver
from tests.notices import leave_notice
from tests.players.conftest import PASSWORD

PROFILE = {
    "name": "Ada O.",
    "alias": "Fox",
    "shown_as": "alias",
    "language": "de",
    "time_zone": "Europe/Berlin",
}


def test_the_profile_is_saved(ada: User) -> None:
    answer = signed_in(ada).post("/settings/", PROFILE)

    assert answer.status_code == 302
    ada = User.objects.get(pk=ada.pk)
    assert (ada.player.public_name, ada.language, ada.time_zone) == ("Fox", "de", "Europe/Berlin")


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": "Ad\u202ea"},
        {"alias": ""},
        {"shown_as": "email"},
        {"language": "tlh"},
        {"time_zone": "Mars/Base"},
        {"alias": "x" * 41},
    ],
)
def test_a_wrong_profile_is_not(ada: User, wrong: dict[str, str]) -> None:
    page = signed_in(ada).post("/settings/", {**PROFILE, **wrong})

    assert page.status_code == 200
    assert b"errorlist" in page.content
    assert User.objects.get(pk=ada.pk).player.name == "Ada Okafor"


def test_a_form_cannot_name_other_fields(ada: User) -> None:
    signed_in(ada).post(
        "/settings/", {**PROFILE, "is_staff": "1", "is_superuser": "1", "email": "x@example.org"}
    )

    fresh = User.objects.get(pk=ada.pk)
    assert (fresh.is_staff, fresh.is_superuser, fresh.email) == (False, False, "ada.okafor@example.org")


def test_the_footer_saves_languages_of_the_site_only(ada: User) -> None:
    browser = signed_in(ada)
    for asked, kept in (("de", "de"), ("fr", "de"), ("en-aaaaaaaa", "de"), ("", "de"), ("en", "en")):
        assert browser.post("/language/", {"language": asked}).status_code == 302
        assert User.objects.get(pk=ada.pk).language == kept


def test_a_visitor_chooses_by_cookie(db: None, client: Client) -> None:
    answer = client.post("/settings/appearance/", {"theme": "dark", "next": "/clubs/"})

    assert answer.headers["Location"] == "/clubs/"
    assert client.cookies["theme"].value == "dark"
    assert b'data-theme="dark"' in client.get("/clubs/").content
    client.post("/settings/appearance/", {"theme": "light", "high_contrast": "on", "whole": "1"})
    page = client.get("/clubs/").content
    assert b'data-theme="light"' in page
    assert b'data-contrast="high"' in page
    # The footer says nothing of contrast, so it stays.
    client.post("/settings/appearance/", {"theme": "auto"})
    assert client.cookies["contrast"].value == "1"


def test_an_account_keeps_its_look(ada: User) -> None:
    browser = signed_in(ada)
    browser.post("/settings/appearance/", {"theme": "dark", "high_contrast": "on", "whole": "1"})
    browser.cookies["theme"] = "light"

    assert b'data-theme="dark"' in browser.get("/clubs/").content
    assert User.objects.get(pk=ada.pk).high_contrast


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "javascript:alert(1)", ""])
def test_going_on_stays_here(db: None, client: Client, target: str) -> None:
    answer = client.post("/settings/appearance/", {"theme": "dark", "next": target})

    assert answer.headers["Location"] == "/settings/appearance/"


def test_a_theme_there_is_not_is_refused(db: None, client: Client) -> None:
    assert client.post("/settings/appearance/", {"theme": "<script>"}).status_code == 422
    client.cookies["theme"] = '"><script>'
    assert b"<script>alert" not in client.get("/clubs/").content


def test_privacy_is_saved(ada: User) -> None:
    signed_in(ada).post("/settings/privacy/", {"hidden_from_search": "on"})

    fresh = User.objects.get(pk=ada.pk)
    assert (fresh.player.hidden_from_search, fresh.mails_notices) == (True, False)


def test_an_export_is_asked_for_made_and_fetched(ada: User, now: datetime) -> None:
    from django.utils import timezone

    browser = signed_in(ada)
    assert b"Make the file" in browser.get("/settings/data/").content
    for _ in range(2):
        browser.post("/settings/data/export/")
    waiting = browser.get("/settings/data/", headers={"HX-Request": "true", "HX-Target": "export"}).content
    assert b"every 2s" in waiting
    assert waiting.lstrip().startswith(b"<section")
    export = Export.objects.get()
    assert browser.get(f"/settings/data/export/{export.pk}/").status_code == 404

    deliver(timezone.now())

    ready = browser.get("/settings/data/").content
    assert b"every 2s" not in ready
    answer = browser.get(f"/settings/data/export/{export.pk}/")
    assert json.loads(answer.content)["account"]["email"] == "ada.okafor@example.org"
    assert "attachment" in answer.headers["Content-Disposition"]


def test_nobody_fetches_anothers_export(ada: User, bo: User, now: datetime) -> None:
    export = exports.request_export(user=ada, now=now)
    deliver(now)

    assert signed_in(bo).get(f"/settings/data/export/{export.pk}/").status_code == 404


def test_deleting_takes_the_password(ada: User) -> None:
    browser = signed_in(ada)
    assert browser.post("/settings/data/erase/", {"password": "wrong"}).status_code == 422
    assert browser.post("/settings/data/erase/", {}).status_code == 422
    assert User.objects.filter(pk=ada.pk).exists()

    answer = browser.post("/settings/data/erase/", {"password": PASSWORD})

    assert answer.headers["Location"] == "/"
    assert not User.objects.filter(pk=ada.pk).exists()
    assert browser.get("/settings/").status_code == 302


def test_without_a_password_the_address_is_typed(ada: User) -> None:
    ada.set_unusable_password()
    ada.save(update_fields=["password"])
    browser = signed_in(ada)

    assert b"Type your e-mail address" in browser.get("/settings/data/").content
    assert browser.post("/settings/data/erase/", {"typed": "yes"}).status_code == 422
    browser.post("/settings/data/erase/", {"typed": " ADA.Okafor@example.org"})

    assert not User.objects.filter(pk=ada.pk).exists()


def test_a_sole_owner_reads_what_to_do_first(club: Club, ada: User, bo: User, now: datetime) -> None:
    clubs.join(club=club, player=bo.player, now=now)

    page = signed_in(ada).post("/settings/data/erase/", {"password": PASSWORD})

    assert b"You are the only owner of Bristol Backgammon." in page.content
    assert User.objects.filter(pk=ada.pk).exists()


def test_notices_are_read_one_by_one_or_together(ada: User, bo: User, now: datetime) -> None:
    for number in range(3):
        leave_notice(user=ada, text=f"News {number}", url="/clubs/", dedupe_key=str(number), now=now)
    first = Notice.objects.order_by("pk").first()
    assert signed_in(bo).post(f"/notices/{first.pk}/").status_code == 404
    browser = signed_in(ada)
    assert browser.get("/notices/").content.count(b"list__row--unread") == 3

    assert browser.get(f"/notices/{first.pk}/").headers["Location"] == "/notices/"
    assert browser.post(f"/notices/{first.pk}/").headers["Location"] == "/clubs/"
    assert browser.get("/notices/").context["viewer"].unread == 2
    browser.post("/notices/read/")

    assert b"Mark all as read" not in browser.get("/notices/").content


def test_no_notices_say_what_will_come(ada: User) -> None:
    assert b"Nothing new" in signed_in(ada).get("/notices/").content


def test_an_address_is_confirmed_before_it_changes(ada: User) -> None:
    """The first address replaces no other, so its page asks only for a confirmation."""
    client = signed_in(ada)
    assert b"Open the link in it to confirm the address." in client.get("/accounts/email/").content

    EmailAddress.objects.filter(user=ada).update(verified=True)
    EmailAddress.objects.create(user=ada, email="fox@example.org")

    assert b"The address changes when you open the link in it." in client.get("/accounts/email/").content
