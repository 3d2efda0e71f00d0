"""Every e-mail: the product's texts, two parts, and user input escaped."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import allauth
import pytest
from allauth.account import app_settings
from django.conf import settings as ours
from django.core import mail
from django.test import Client, RequestFactory
from django.utils import timezone, translation

from players.accounts import account_emails, accounts
from players.clubs import clubs
from players.clubs.club_pages import find_home_club
from players.models import Club, User
from players.notices import emails, notices
from players.notices.emails import Email, Link
from runtime.models import Outbox
from runtime.work import outbox
from tests.clients import signed_in
from tests.deliveries import deliver
from tests.notices import PAGE, ROOT, email_table, leave_notice
from tests.packages import PACKAGES
from tests.players.conftest import PASSWORD

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

ALLAUTH = Path(allauth.__file__).parent
# They come with signing in by mailed codes, which is off.
OF_CODES = {"account/email/login_code", "account/email/password_reset_code"}
HOSTILE = 'O\'Neil & "Söhne" <b onclick=x>'
KINDS = sorted(account_emails.EMAILS)


def sent_by_allauth() -> set[str]:
    """Return the e-mails that allauth's own code names."""
    found = set()
    for part in ("account", "mfa", "core"):
        for file in (ALLAUTH / part).rglob("*.py"):
            if "tests" not in file.parts:
                found |= set(re.findall(r"[\"']((?:account|mfa)/email/\w+)[\"']", file.read_text()))
    return found


def test_each_email_that_allauth_sends_is_one_of_ours() -> None:
    assert not app_settings.LOGIN_BY_CODE_ENABLED
    assert not app_settings.PASSWORD_RESET_BY_CODE_ENABLED
    assert len(sent_by_allauth()) > 12
    assert sent_by_allauth() - OF_CODES == set(account_emails.EMAILS)


def test_the_documentation_lists_them() -> None:
    assert email_table(account_emails.EMAILS) in PAGE.read_text("utf-8"), "run python -m tests.notices"


def test_no_other_email_is_sent_than_those_of_the_documentation() -> None:
    """Code that sends another one adds it to docs/notices.md, and its file here."""
    sends = re.compile(
        r"emails\.queue_email\(|outbox\.queue_mail\(|runtime\.mail\b|(?:from|import) django\.core\.mail\b"
    )
    senders = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        if package != "runtime" and sends.search(path.read_text("utf-8"))
    }
    assert senders == {
        "players/notices/emails.py",  # hands all of them to the outbox, except the test
        "players/accounts/adapter.py",  # e-mails about an account
        "players/receivers.py",  # notices
        "players/accounts/settings_views.py",  # the test of the mail server
    }


@pytest.fixture
def hostile(ada: User, club: Club, settings: SettingsWrapper) -> User:
    """A person whose name, and whose club's name, would like to be markup."""
    type(ada.player).objects.filter(pk=ada.player.pk).update(name=HOSTILE)
    type(club).objects.update(name="Gin & <i>Tonic</i>")
    settings.PUBLIC_URL, settings.HAS_PUBLIC_URL = "https://club.example", True
    return User.objects.get(pk=ada.pk)


def context(rf: RequestFactory) -> dict[str, Any]:
    there = "http://evil.example:99/accounts/x/?a=b"
    return {
        "request": rf.get("/"),
        "activate_url": there,
        "password_reset_url": there,
        "signup_url": there,
        "timestamp": timezone.now(),
        "ip": "2001:db8::1",
        "user_agent": "Mozilla/5.0 (X11; Linux) Firefox/140.0 <script>alert(1)</script>",
        "deleted_email": "o'neil&old@example.org",
    }


CHANGED = {"from_email": "o'neil&old@example.org", "to_email": "o'neil&new@example.org"}


def about(kind: str, rf: RequestFactory) -> dict[str, Any]:
    """The context that allauth gives an e-mail of this kind."""
    return {**context(rf), **(CHANGED if kind.endswith("email_changed") else {})}


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_email_about_an_account(hostile: User, rf: RequestFactory, kind: str, language: str) -> None:
    with translation.override(language):
        message = account_emails.build_email(
            kind, email="o'neil&co@example.org", user=hostile, context=about(kind, rf)
        )
        plain, page = emails.render_text(message), emails.render_html(message)
        subject = emails.clean_subject(message.subject)

    mark = "," if language == "en" else "!"
    assert f" {HOSTILE}{mark}" in plain
    assert "Gin & <i>Tonic</i> · Barpoint\nhttps://club.example\n" in plain
    assert "Gin &amp; &lt;i&gt;Tonic&lt;/i&gt; · Barpoint" in page
    assert f"O&#x27;Neil &amp; &quot;Söhne&quot; &lt;b onclick=x&gt;{mark}" in page
    for loose in ("<b ", "<i>", "<script", "alert(", "evil.example", "testserver", "&amp;amp;"):
        assert loose not in page
    assert not re.search(r"&(amp|#x27|#39|quot|lt|gt);", plain)
    assert not re.search(r"\{\w*\}|%\(", plain)
    assert re.findall(r"https?://[^/\s\"]+", plain + page)
    assert set(re.findall(r"https?://[^/\s\"<]+", plain + page)) == {"https://club.example"}
    # To the address of before, a new password would be no help.
    assert bool(re.search(r"href=\"https://club\.example/accounts/", page)) is ("email_changed" not in kind)
    assert subject
    assert subject == subject.strip()
    assert message.title or plain.split("\n\n")[1] == f"{subject}."
    assert f'<html lang="{language}">' in page
    if language == "de":
        assert not re.search(r"\b(Sie|Ihnen|Ihre?[mnrs]?)\b", f"{subject} {plain}")


def test_without_an_account_nobody_is_named(club: Club, rf: RequestFactory) -> None:
    message = account_emails.build_email(
        "account/email/unknown_account", email="gus@example.org", user=None, context=context(rf)
    )
    assert emails.render_text(message).startswith("Hello,\n\nSomeone, most likely you, tried")
    assert message.sender == "Bristol Backgammon · Barpoint"


@pytest.mark.parametrize(
    "name", ["win at evil.example", "https://evil.example", "evil.example/x", "a@b", "www.evil"]
)
def test_a_name_that_mail_programs_would_make_a_link_of_is_left_out(name: str) -> None:
    assert Email(subject="s", paragraphs=(), name=name).greeting == "Hello,"


@pytest.mark.parametrize("name", ["J. R. Hartley", "Käthe Ó Briain-Söder", "O'Neil & Co.", "Dr.Z"])
def test_a_name_is_a_name(name: str) -> None:
    assert Email(subject="s", paragraphs=(), name=name).greeting == f"Hello {name},"


def test_an_email_speaks_for_the_only_club(ada: User, club: Club, bo: User, now: datetime) -> None:
    assert find_home_club(None) == find_home_club(bo) == find_home_club(ada) == "Bristol Backgammon"
    other = clubs.create(owner=bo, name="Oslo Gammon", now=now)
    assert (find_home_club(None), find_home_club(bo), find_home_club(ada)) == (
        "",
        "Oslo Gammon",
        "Bristol Backgammon",
    )
    clubs.join(club=other, player=ada.player, now=now)
    assert find_home_club(ada) == ""
    assert Email(subject="s", paragraphs=()).sender == "Barpoint"


@pytest.mark.parametrize(
    ("agent", "told"),
    [
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit Chrome/140 Safari/537 Edg/140", "Edge on Windows"),
        ("Mozilla/5.0 (iPhone; like Mac OS X) Version/18 Mobile Safari/604", "Safari on iPhone"),
        ("Mozilla/5.0 (Linux; Android 15) Chrome/140 Mobile Safari", "Chrome on Android"),
        ("curl/8", ""),
        ("<b>Firefox/1</b>", "Firefox"),
    ],
)
def test_browsers_are_called_as_people_call_them(agent: str, told: str) -> None:
    assert account_emails.describe_browser(agent) == told


# The two parts


def test_plain_text_keeps_addresses_whole() -> None:
    url = "https://club.example/accounts/password/reset/key/" + "x" * 90
    message = Email(subject="s", paragraphs=("word " * 40,), button=Link("Go", url))
    lines = emails.render_text(message).splitlines()
    assert url in lines
    assert max(len(line) for line in lines if line != url) <= 76


@pytest.mark.parametrize(
    ("subject", "line"),
    [
        ("Tea\r\nBcc: all@example.org", "Tea Bcc: all@example.org"),
        ("Tea\u2028is\x85served\x00", "Tea is served"),
        ("x" * 300, "x" * 149 + "…"),
    ],
)
def test_a_subject_is_one_line(subject: str, line: str, now: datetime, db: None) -> None:
    assert emails.clean_subject(subject) == line
    assert emails.queue_email(
        Email(subject=subject, paragraphs=()), to="a@example.org", dedupe_key="x", now=now
    )
    told = Outbox.objects.get().payload
    assert told["subject"] == line
    assert f"<title>{line}</title>" in told["html"]


def everything() -> str:
    """Return a page with everything that an e-mail may have."""
    message = Email(
        subject="Subject",
        paragraphs=("Said",),
        title="Title",
        name="Ada",
        button=Link("Go", "https://club.example/x"),
        facts=(("When", "now"),),
        advice=("Advice",),
        then=("Then",),
        club="Club",
        why="Why",
        stop=Link("Stop", "https://club.example/stop"),
    )
    return emails.render_html(message)


def test_the_colours_of_an_email_are_those_of_our_pages() -> None:
    sheet = (Path(ours.BASE_DIR) / "static/css/tokens.css").read_text()
    parts = re.split(r"(?m)^(?=\S.*\{$|@media)", sheet)
    light = next(part for part in parts if "--ground: #faf7f1" in part)
    dark = next(part for part in parts if "--ground: #14130f" in part)
    page = everything()
    style, body = page.split("</style>")

    def names(text: str, tokens: str) -> list[set[str]]:
        return [set(re.findall(rf"--([\w-]+): {hue};", tokens)) for hue in re.findall(r"#[0-9a-f]{6}", text)]

    assert all(names(body, light))
    assert all(names(style, dark))
    # What is said of a class in the dark is the same token as in its own style.
    for css, tokens in re.findall(r"\.([\w-]+) \{ ([^}]*) \}", style):
        at_night = names(tokens, dark)
        by_day = [names(inline, light) for inline in re.findall(rf'class="{css}"[^>]*style="([^"]*)"', body)]
        assert by_day
        for each in by_day:
            wanted = [hue for hue in each if hue]
            assert all(any(day & night for night in at_night) for day in wanted), css


def test_an_email_loads_nothing() -> None:
    page = everything()
    for sign in ("<img", "<link", "<script", "src=", "url(", "@import", "<svg", "<form"):
        assert sign not in page
    assert set(re.findall(r"href=\"(https?://[^\"]*)\"", page)) == {
        "https://club.example/x",
        "https://club.example/stop",
    }


def test_what_an_email_has_not_leaves_no_empty_places() -> None:
    page = emails.render_html(Email(subject="Subject", paragraphs=("Said",)))
    for sign in ("<h1", 'class="button"', "<p></p>", "None"):
        assert sign not in page
    assert "None" not in emails.render_text(Email(subject="Subject", paragraphs=("Said",)))


# On its way


def envelope() -> EmailMessage:
    [message] = mail.outbox
    return message.message()  # type: ignore[no-any-return]


def test_the_envelope(now: datetime, db: None, settings: SettingsWrapper) -> None:
    settings.TIME_ZONE = "Europe/Berlin"
    emails.queue_email(
        Email(subject="Grüße", paragraphs=("Käthe & Co",)), to="a@example.org", dedupe_key="x", now=now
    )
    outbox.drain(queue="default", now=now)
    sent = envelope()
    assert sent["Date"].endswith(" +0100")
    assert parsedate_to_datetime(sent["Date"]) == now
    assert re.fullmatch(r"<[0-9a-f]{32}@localhost>", sent["Message-ID"])
    assert sent["Auto-Submitted"] == "auto-generated"
    assert "List-Unsubscribe" not in sent
    plain, page = sent.get_payload()
    assert (plain.get_content_type(), page.get_content_type()) == ("text/plain", "text/html")
    assert "Käthe & Co" in plain.get_payload(decode=True).decode()
    assert "Käthe &amp; Co" in page.get_payload(decode=True).decode()


def test_a_row_of_an_earlier_version_still_leaves(now: datetime, db: None) -> None:
    old = {"to": "a@example.org", "subject": "s", "body": "b"}
    outbox.put("runtime.mail", old, dedupe_key="x", now=now)
    assert outbox.drain(queue="default", now=now) == 1
    sent = envelope()
    assert not sent.is_multipart()
    assert sent["Message-ID"].endswith("@localhost>")


def test_an_email_sent_twice_is_the_same_email(now: datetime, db: None) -> None:
    emails.queue_email(Email(subject="s", paragraphs=("b",)), to="a@example.org", dedupe_key="x", now=now)
    for _ in range(2):
        outbox.drain(queue="default", now=now)
        Outbox.objects.update(done_at=None)
    one, two = (each.message() for each in mail.outbox)
    assert one["Message-ID"] == two["Message-ID"]


# From signing in and up


def waiting(to: str) -> list[dict[str, Any]]:
    rows = Outbox.objects.filter(kind="runtime.mail").order_by("pk").values_list("payload", flat=True)
    return [payload for payload in rows if payload["to"] == to]


def test_links_lead_to_the_public_address_whatever_the_request_says(
    ada: User, client: Client, settings: SettingsWrapper
) -> None:
    asks = {"email": ada.email}
    client.post("/accounts/password/reset/", asks, HTTP_HOST="127.0.0.1:8280")
    settings.PUBLIC_URL, settings.HAS_PUBLIC_URL = "https://club.example", True
    client.post("/accounts/password/reset/", asks, HTTP_HOST="127.0.0.1:8280")
    by_room, by_address = (message["body"] for message in waiting(ada.email))
    assert "\nhttp://127.0.0.1:8280/accounts/password/reset/key/" in by_room, (
        "a club's laptop has many addresses"
    )
    assert "\nhttps://club.example/accounts/password/reset/key/" in by_address
    assert "127.0.0.1" not in by_address


def test_signing_up_and_again(db: None, client: Client, settings: SettingsWrapper) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    form = {"name": "Gus Hale", "email": "gus@example.org", "password1": PASSWORD}
    for _ in range(2):
        client.post("/accounts/signup/", form)
    first, again = waiting("gus@example.org")
    assert first["body"].startswith("Hello Gus Hale,\n\nWelcome to Barpoint!\n\nPlease confirm that")
    assert again["subject"] == "You already have an account"


def test_a_changed_password_is_told(ada: User) -> None:
    accounts.change(user=ada, now=timezone.now(), time_zone="Asia/Tokyo")
    browser = signed_in(User.objects.get(pk=ada.pk))
    new = "four new pennies"
    browser.post(
        "/accounts/password/change/",
        {"oldpassword": PASSWORD, "password1": new, "password2": new},
        headers={"User-Agent": "Mozilla/5.0 (X11; Linux) Firefox/140.0"},
    )
    [message] = waiting(ada.email)
    assert message["subject"] == "Your password was changed"
    assert "Browser: Firefox on Linux\nIP address: 127.0.0.1\n" in message["body"]
    assert re.search(r"When: .* \(JST\)", message["body"])


def test_the_reader_is_written_to_in_their_own_language(ada: User, client: Client) -> None:
    accounts.change(user=ada, now=timezone.now(), language="de")
    client.post("/accounts/password/reset/", {"email": ada.email}, headers={"Accept-Language": "en"})
    assert '<html lang="de">' in waiting(ada.email)[0]["html"]


# Notices


@pytest.fixture
def hostile_email(hostile: User, now: datetime) -> EmailMessage:
    text = f"{HOSTILE} has joined.\nReally."
    leave_notice(user=hostile, text=text, url="/clubs/", dedupe_key="x", now=now)
    deliver(now + 2 * notices.PATIENCE)
    return envelope()


def link_of(message: EmailMessage) -> str:
    header = str(message["List-Unsubscribe"])
    assert re.fullmatch(r"<https://club\.example/emails/stop/[^<>]+/>", header)
    return header.strip("<>").removeprefix("https://club.example")


def test_a_notice_by_mail(hostile_email: EmailMessage) -> None:
    plain, page = (part.get_payload(decode=True).decode() for part in hostile_email.get_payload())  # type: ignore[union-attr]
    assert plain.startswith(f"Hello {HOSTILE},\n\n{HOSTILE} has joined. Really.\n\nView:\n")
    assert "\nhttps://club.example/clubs/\n" in plain
    assert "<b " not in page
    assert 'href="https://club.example/clubs/"' in page
    assert "\n" not in mail.outbox[0].subject
    assert hostile_email["List-Unsubscribe-Post"] is None, "one click needs https, which the tests have not"
    assert f"https://club.example{link_of(hostile_email)}" in plain


def test_where_there_is_https_one_click_ends_them(
    hostile: User, now: datetime, settings: SettingsWrapper
) -> None:
    settings.IS_PUBLIC = True
    leave_notice(user=hostile, text="Tea", url="", dedupe_key="x", now=now)
    deliver(now + 2 * notices.PATIENCE)
    assert envelope()["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert "View" not in str(mail.outbox[0].body)


def test_looking_ends_nothing_and_pressing_does(
    hostile_email: EmailMessage, hostile: User, client: Client
) -> None:
    def wants() -> bool:
        return User.objects.get(pk=hostile.pk).mails_notices

    link = link_of(hostile_email)
    assert "Stop notices by e-mail?" in client.get(link).content.decode()
    assert wants()
    # The request of a mail program: without a cookie or a CSRF token.
    answer = Client(enforce_csrf_checks=True).post(link, {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert not wants()
    assert "Notices by e-mail are off" in client.get(link).content.decode()
    assert "no-store" in answer.headers["Cache-Control"]


@pytest.mark.parametrize(
    "change", [lambda t: t[:-2], lambda t: "x" + t, lambda t: t.partition(":")[0], lambda _t: "x"]
)
def test_no_other_token_ends_anything(hostile: User, client: Client, change: Callable[[str], str]) -> None:
    token = notices.build_unsubscribe_url(hostile).rstrip("/").rpartition("/")[2]
    assert notices.find_reader(token) == hostile
    assert client.post(f"/emails/stop/{change(token)}/").status_code == 404
    assert User.objects.get(pk=hostile.pk).mails_notices
