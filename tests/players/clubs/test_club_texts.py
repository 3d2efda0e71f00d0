"""A club's own texts, the usual ones in their place, and the test of the mail server."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import pytest
from django.core import mail
from django.test import Client

from players.clubs import clubs
from players.errors import NotAllowed
from players.models import Club, User
from players.models.clubs import LONGEST_TEXT
from tests.clients import signed_in
from tests.clubs import change_club

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

RULES = "## When we play\n\nThursdays, **half past seven**.\n\n- [The bar](https://bar.example)\n- <script>alert(1)</script>\n\n[x](javascript:alert(1))"


def test_an_owner_writes_house_rules_and_everybody_reads_them(club: Club, ada: User, client: Client) -> None:
    client.force_login(ada)
    answer = client.post(
        f"/clubs/{club.slug}/settings/texts/", {"house_rules": RULES, "terms": "Our *own* terms."}
    )
    assert answer.headers["Location"] == f"/clubs/{club.slug}/rules/"

    page = client.get(f"/clubs/{club.slug}/rules/").text
    assert "<h3>When we play</h3>" in page
    assert "<strong>half past seven</strong>" in page
    assert '<a href="https://bar.example" rel="nofollow noopener ugc">' in page
    assert "<script>alert" not in page
    assert 'href="javascript:' not in page
    assert "Our <em>own</em> terms." in page
    # What was left empty is what usually holds.
    assert "Cookies are used to keep you signed in" in page


def test_a_line_break_counts_once_as_on_the_page(club: Club, ada: User) -> None:
    longest = "x\n" * (LONGEST_TEXT // 2 - 1) + "yz"
    sent = {"house_rules": longest.replace("\n", "\r\n")}
    browser = signed_in(ada)
    assert browser.post(f"/clubs/{club.slug}/settings/texts/", sent).status_code == 302

    club.refresh_from_db()
    assert club.house_rules == longest
    sent["house_rules"] += "!"
    assert browser.post(f"/clubs/{club.slug}/settings/texts/", sent).status_code == 200


def test_without_texts_of_its_own_the_usual_ones_hold_in_the_readers_language(
    club: Club, client: Client
) -> None:
    address = f"/clubs/{club.slug}/rules/"
    english, german = client.get(address).text, client.get(address, headers={"Accept-Language": "de"}).text

    assert "plays fairly" in english
    assert "spielt fair" in german
    assert 'id="rules"' not in english


def test_only_owners_write(club: Club, bo: User, now: datetime) -> None:
    clubs.join(club=club, player=bo.player, now=now)
    with pytest.raises(NotAllowed):
        clubs.update(club=club, by=bo, house_rules="Mine.", terms="", privacy="", now=now)


def test_the_mail_server_is_tried_by_those_who_run_it(
    ada: User, bo: User, now: datetime, settings: SettingsWrapper
) -> None:
    ada.is_staff = True
    ada.save(update_fields=["is_staff"])
    staff = signed_in(ada)

    assert staff.post("/settings/mail/").status_code == 302
    assert mail.outbox[-1].to == [ada.email]
    # No mail server listens on this port.
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_URL = "127.0.0.1", 1, "smtp://127.0.0.1:1"
    refused = staff.post("/settings/mail/")
    assert refused.status_code == 422
    assert "refused" in refused.text
    assert signed_in(bo).get("/settings/mail/").status_code == 403


def test_the_language_of_the_only_club_is_spoken_to_those_who_ask_for_none_of_ours(
    club: Club, ada: User, client: Client, now: datetime
) -> None:
    french = {"headers": {"Accept-Language": "fr"}}
    assert client.get("/clubs/", **french).headers["Content-Language"] == "en"
    change_club(club, by=ada, now=now, language="de")

    assert client.get("/clubs/", **french).headers["Content-Language"] == "de"
    assert client.get("/clubs/", headers={"Accept-Language": "en"}).headers["Content-Language"] == "en"
