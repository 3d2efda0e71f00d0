"""Tokens: what they open, for whom, how long, and how their owner makes and ends them."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import QuerySet
from django.test import Client
from django.utils import timezone, translation

from players.accounts import accounts, exports
from players.accounts import tokens as service
from players.errors import EmptyName, HiddenCharacters, OutOfBounds, TooLong
from players.keys import digest
from players.models import ApiToken, Club, Export, Notice, Scope, User
from tests.clients import signed_in
from tests.deliveries import deliver
from tests.players.conftest import PASSWORD
from tests.players.test_races import Meeting, at_once, refused

ME = "/api/v1/me/"
PAGE = "/settings/tokens/"
FORM = {"name": "My bot", "scope": "play", "days": "0"}


def make(user: User, **options: Any) -> str:
    return service.create(
        **{"user": user, "name": "My bot", "scope": Scope.PLAY, "now": timezone.now(), **options}
    )


def bearing(text: str, **options: Any) -> Client:
    """Return a program that sends *text* with each request."""
    return Client(headers={"Authorization": f"Bearer {text}"}, **options)


def code_of(answer: Any) -> tuple[int, str]:
    assert answer.headers["Content-Type"] == "application/problem+json"
    body = answer.json()
    assert body["title"]
    assert body["status"] == answer.status_code
    return answer.status_code, body["code"]


@pytest.fixture
def trusted(ada: User) -> Client:
    """Ada's browser, a moment after she typed her password once more."""
    browser = signed_in(ada)
    answer = browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert answer.status_code == 302
    return browser


# What a token opens


def test_a_program_is_its_owner(ada: User) -> None:
    answer = bearing(make(ada)).get(ME)

    assert answer.status_code == 200
    assert answer.json()["email"] == "ada.okafor@example.org"


def test_a_program_may_what_its_owner_may(club: Club, ada: User, bo: User) -> None:
    members = "/api/v1/clubs/bristol-backgammon/members/"

    assert bearing(make(ada)).get(members).status_code == 200
    assert bearing(make(bo)).get(members).status_code == 403


def test_a_program_needs_no_csrf_token_and_a_browser_still_does(ada: User) -> None:
    def change(browser: Client) -> int:
        answer = browser.patch(ME, {"alias": "Fox"}, content_type="application/json")
        return int(answer.status_code)

    session = Client(enforce_csrf_checks=True)
    session.force_login(ada)

    assert change(bearing(make(ada), enforce_csrf_checks=True)) == 200
    assert change(session) == 403


def test_a_token_counts_and_not_the_cookie_beside_it(ada: User, bo: User) -> None:
    both = bearing(make(bo), enforce_csrf_checks=True)
    both.force_login(ada)

    assert both.get(ME).json()["email"] == "bo.lindgren@example.org"
    assert both.patch(ME, {"alias": "Fox"}, content_type="application/json").status_code == 200
    assert User.objects.get(pk=ada.pk).player.alias == ""
    # Nor does a cookie make up for a token that opens nothing.
    both.defaults["HTTP_AUTHORIZATION"] = "Bearer bp_gone"
    assert code_of(both.get(ME)) == (401, "bad_token")


def test_a_token_opens_no_page(ada: User) -> None:
    program = bearing(make(ada))

    assert program.get("/settings/").headers["Location"].startswith("/accounts/login/")
    assert program.post(PAGE, FORM).headers["Location"].startswith("/accounts/login/")
    assert program.get("/admin/").status_code == 302
    assert ApiToken.objects.count() == 1


@pytest.mark.parametrize("sent", ["Basic YWRhOnB3", "Token abc", "", "Bear"])
def test_other_ways_to_sign_in_are_none_of_ours(ada: User, sent: str) -> None:
    """A proxy with a password sends such a header; the product ignores it and uses the session."""
    assert signed_in(ada).get(ME, headers={"Authorization": sent}).status_code == 200


@pytest.mark.parametrize(
    "sent",
    [
        "Bearer",
        "Bearer ",
        "bearer bp_",
        "Bearer bp_" + "x" * 43,
        "Bearer bp_" + "x" * 42 + "\x00",
        "Bearer bp_" + "ä" * 43,
        "Bearer bp_" + "x" * 44,
        "Bearer bp_" + "x" * 9000,
        "Bearer {token}x",
        "Bearer {token} {token}",
        "Bearer '{token}'",
        "Bearer {hash}",
    ],
)
def test_a_wrong_token_opens_nothing(ada: User, sent: str) -> None:
    text = make(ada)
    sent = sent.format(token=text, hash=digest(text))

    answer = Client().get(ME, headers={"Authorization": sent})

    assert code_of(answer) == (401, "bad_token")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    # Not even what everyone may read: a program should learn that its token is gone.
    assert Client().get("/api/v1/clubs/", headers={"Authorization": sent}).status_code == 401
    assert ApiToken.objects.get().last_used_at is None


@pytest.mark.parametrize("sent", ["bearer {}", "BEARER {}", "Bearer   {}  "])
def test_a_right_token_may_be_sent_a_little_untidily(ada: User, sent: str) -> None:
    assert Client().get(ME, headers={"Authorization": sent.format(make(ada))}).status_code == 200


def test_without_anything_the_answer_says_how_to_sign_in(db: None) -> None:
    answer = Client().get(ME)

    assert code_of(answer) == (401, "not_authenticated")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_revoked_token_opens_nothing(ada: User) -> None:
    text, other = make(ada), make(ada, name="Other")
    program = bearing(text)
    assert program.get(ME).status_code == 200

    assert service.revoke(user=ada, token_id=ApiToken.objects.get(name="My bot").pk)

    assert code_of(program.get(ME)) == (401, "bad_token")
    assert bearing(other).get(ME).status_code == 200


def test_an_expired_token_says_so(ada: User) -> None:
    begun = timezone.now() - timedelta(days=30)
    spent = make(ada, now=begun - timedelta(seconds=5), days=30)
    fresh = make(ada, now=begun + timedelta(minutes=5), days=30)

    assert code_of(bearing(spent).get(ME)) == (401, "expired_token")
    assert bearing(fresh).get(ME).status_code == 200


def test_an_inactive_account_is_refused(ada: User) -> None:
    text = make(ada)
    User.objects.update(is_active=False)

    assert code_of(bearing(text).get(ME)) == (401, "inactive_account")


def test_an_erased_account_takes_its_tokens_along(ada: User, now: datetime) -> None:
    text = make(ada)
    accounts.erase(user=ada, now=now)

    assert code_of(bearing(text).get(ME)) == (401, "bad_token")
    assert not ApiToken.objects.exists()


def test_a_token_for_reading_only_reads(ada: User) -> None:
    program = bearing(make(ada, scope=Scope.READ))

    assert program.get(ME).status_code == 200
    assert program.head(ME).status_code == 200
    for method in (program.post, program.put, program.patch, program.delete):
        answer = method(ME, {"alias": "Fox"}, content_type="application/json")
        assert code_of(answer) == (403, "read_only_token")
    assert User.objects.get(pk=ada.pk).player.alias == ""


def test_an_answer_speaks_the_programs_language(db: None) -> None:
    answer = bearing("bp_no").get(ME, headers={"Accept-Language": "en", "Authorization": "Bearer bp_no"})

    assert answer.json()["title"] == "We do not know this token. It may have been revoked."


# What it costs


def test_signing_in_is_one_query_and_seldom_a_write(ada: User, django_assert_num_queries: Any) -> None:
    program = bearing(make(ada))
    program.get(ME)

    # One query finds token, account and player, and nothing is written.
    with django_assert_num_queries(1) as asked:
        assert program.get(ME).status_code == 200
    assert asked.captured_queries[0]["sql"].startswith("SELECT")


def test_use_is_noted_once_a_minute(ada: User, now: datetime) -> None:
    text = make(ada, now=now)

    def use(seconds: float) -> bool:
        token = service.find_token(text=text)
        assert token is not None
        return service.note_use(token=token, now=now + timedelta(seconds=seconds))

    assert [use(at) for at in (0, 1, 59.9, 60, 61, 119.9, 120)] == [1, 0, 0, 1, 0, 0, 1]
    assert ApiToken.objects.get().last_used_at == now + timedelta(seconds=120)


def test_of_two_requests_at_once_one_notes_it(ada: User, now: datetime) -> None:
    text = make(ada, now=now)
    found = [service.find_token(text=text) for _ in range(2)]

    assert [service.note_use(token=token, now=now) for token in found if token] == [True, False]


def test_a_full_disk_does_not_stop_a_program_from_reading(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    program = bearing(make(ada))

    def fail(*args: object, **kwargs: object) -> int:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(QuerySet, "update", fail)

    assert program.get(ME).status_code == 200
    assert ApiToken.objects.get().last_used_at is None


# Making and ending them


def test_only_the_digest_is_kept_and_the_text_is_long_and_random(ada: User) -> None:
    texts = {make(ada) for _ in range(5)}

    assert len(texts) == 5
    assert all(re.fullmatch(r"bp_[A-Za-z0-9_-]{43}", text) for text in texts)
    assert set(ApiToken.objects.values_list("token_hash", flat=True)) == {digest(text) for text in texts}
    stored = str(list(ApiToken.objects.values())) + str(list(Notice.objects.values()))
    assert not any(text in stored for text in texts)


def test_a_new_token_is_news_to_its_owner(ada: User) -> None:
    accounts.change(user=ada, now=timezone.now(), language="en")
    with translation.override("de"):
        make(ada, name="Fox & bot")

    notice = Notice.objects.get(user=ada)
    assert "“Fox & bot” can now use Barpoint in your name" in notice.text
    assert notice.url == PAGE


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"name": " "}, EmptyName),
        ({"name": "b\u202eot"}, HiddenCharacters),
        ({"name": "x" * 61}, TooLong),
        ({"days": 0}, OutOfBounds),
        ({"days": -1}, OutOfBounds),
        ({"days": 366}, OutOfBounds),
    ],
)
def test_a_wrong_token_is_not_made(ada: User, wrong: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        make(ada, **wrong)
    assert not ApiToken.objects.exists()


def test_the_database_knows_that_time_goes_forward(ada: User, now: datetime) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        ApiToken.objects.create(user=ada, name="x", token_hash="y", created_at=now, expires_at=now)


def test_twenty_are_enough(ada: User, bo: User) -> None:
    for _ in range(20):
        make(ada)
    with pytest.raises(service.TooManyTokens) as refused:
        make(ada)

    assert str(refused.value) == "You have 20 tokens already. Revoke one that you no longer use."
    make(bo)
    service.revoke(user=ada, token_id=ApiToken.objects.filter(user=ada)[0].pk)
    make(ada)
    assert ApiToken.objects.filter(user=ada).count() == 20


def test_nobody_ends_anothers(ada: User, bo: User) -> None:
    make(ada)

    assert not service.revoke(user=bo, token_id=ApiToken.objects.get().pk)
    assert ApiToken.objects.exists()


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_guarded", [False, True])
def test_the_twentieth_and_the_twenty_first_at_once(
    ada: User, monkeypatch: pytest.MonkeyPatch, is_guarded: bool
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("needs PostgreSQL")
    for _ in range(19):
        make(ada)
    monkeypatch.setattr(ApiToken.objects, "create", Meeting().before(ApiToken.objects.create))
    if not is_guarded:
        monkeypatch.setattr(service, "_lock_player", lambda user: None)

    outcomes = at_once(*[lambda: make(ada)] * 2)

    assert refused(outcomes) == ([service.TooManyTokens] if is_guarded else [])
    assert ApiToken.objects.count() == (20 if is_guarded else 21)


# The page


def test_the_page_makes_a_token_and_shows_it_this_once(ada: User, trusted: Client) -> None:
    assert b"No tokens yet" in trusted.get(PAGE).content

    page = trusted.post(PAGE, FORM)

    assert page.status_code == 200
    assert "no-store" in page.headers["Cache-Control"]
    found = re.search(r'value="(bp_[\w-]{43})"', page.text)
    assert bearing(found[1]).get(ME).json()["email"] == ada.email
    after = trusted.get(PAGE).text
    assert "bp_" not in after
    assert "My bot" in after
    assert "Everything I may do" in after


@pytest.mark.parametrize(("days", "expected"), [("0", None), ("30", 30), ("365", 365)])
def test_the_page_says_how_long_and_how_far(trusted: Client, days: str, expected: int | None) -> None:
    trusted.post(PAGE, {"name": "Reader", "scope": "read", "days": days})

    made = ApiToken.objects.get()
    assert made.scope == Scope.READ
    assert made.expires_at == (made.created_at + timedelta(days=expected) if expected else None)


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": "b\u202eot"},
        {"name": "x" * 61},
        {"scope": "all"},
        {"days": "7"},
        {"days": "x"},
        {"days": ""},
    ],
)
def test_a_wrong_form_makes_none(trusted: Client, wrong: dict[str, str]) -> None:
    page = trusted.post(PAGE, {**FORM, **wrong})

    assert page.status_code == 422
    assert b"errorlist" in page.content
    assert not ApiToken.objects.exists()


def test_the_page_refuses_the_twenty_first(ada: User, trusted: Client) -> None:
    for _ in range(20):
        make(ada)

    page = trusted.post(PAGE, FORM)

    assert page.status_code == 422
    assert b"You have 20 tokens already." in page.content


def test_a_browser_left_open_makes_none_without_the_password(ada: User) -> None:
    browser = signed_in(ada)
    make(ada)
    token = ApiToken.objects.get()

    assert browser.get(PAGE).status_code == 200
    asked = browser.post(PAGE, FORM)
    assert asked.headers["Location"].startswith("/accounts/reauthenticate/")
    assert (
        browser.post(f"{PAGE}{token.pk}/revoke/").headers["Location"].startswith("/accounts/reauthenticate/")
    )
    assert list(ApiToken.objects.all()) == [token]

    # Once the password is typed, what was requested happens: here the newer of the two wishes.
    browser.post(PAGE, FORM)
    page = browser.post(asked.headers["Location"], {"password": PASSWORD, "next": PAGE})
    assert re.search(r'value="bp_[\w-]{43}"', page.text)
    assert ApiToken.objects.count() == 2


def test_the_page_ends_a_token(ada: User, trusted: Client) -> None:
    text = make(ada)

    answer = trusted.post(f"{PAGE}{ApiToken.objects.get().pk}/revoke/")

    assert answer.headers["Location"] == PAGE
    assert b"The token no longer works." in trusted.get(PAGE).content
    assert bearing(text).get(ME).status_code == 401


def test_the_page_ends_nobody_elses(ada: User, bo: User, trusted: Client) -> None:
    make(bo)
    token = ApiToken.objects.get()

    assert trusted.post(f"{PAGE}{token.pk}/revoke/").status_code == 404
    assert trusted.get(f"{PAGE}{token.pk}/revoke/").headers["Location"] == PAGE
    assert "My bot" not in trusted.get(PAGE).text
    assert ApiToken.objects.exists()


def test_the_page_shows_what_became_of_them(ada: User, trusted: Client) -> None:
    now = timezone.now()
    make(ada, name="<b>old</b>", now=now - timedelta(days=40), days=30)
    make(ada, name="Busy")
    ApiToken.objects.filter(name="Busy").update(last_used_at=now)

    page = trusted.get(PAGE).text

    assert "&lt;b&gt;old&lt;/b&gt;" in page
    assert "<b>old</b>" not in page
    assert page.count("Expired") == 1
    assert page.count("last used") == 1
    assert page.count("not used yet") == 1


def test_the_page_costs_the_same_however_many(
    ada: User, trusted: Client, django_assert_max_num_queries: Any
) -> None:
    for _ in range(15):
        make(ada)

    with django_assert_max_num_queries(8):
        trusted.get(PAGE)


# Elsewhere


def test_the_export_lists_tokens_without_what_opens(ada: User, now: datetime) -> None:
    text = make(ada, now=now, days=30)
    exports.request_export(user=ada, now=now)
    deliver(now)

    content = bytes(Export.objects.get().content).decode()
    [listed] = json.loads(content)["api_tokens"]
    assert (listed["name"], listed["scope"], listed["last_used_at"]) == ("My bot", "play", None)
    assert text not in content
    assert digest(text) not in content


@pytest.mark.long
def test_the_schema_says_how_to_sign_in(db: None) -> None:
    schema = Client().get("/api/v1/schema/", headers={"Accept": "application/vnd.oai.openapi+json"}).json()

    scheme = schema["components"]["securitySchemes"]["token"]
    assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")
    assert {"token": []} in schema["paths"]["/api/v1/me/"]["patch"]["security"]
    assert {"cookieAuth": []} in schema["paths"]["/api/v1/me/"]["patch"]["security"]


def test_a_lookup_goes_by_an_index(ada: User) -> None:
    rows = ApiToken.objects.filter(token_hash=digest("x")).select_related("user__player")
    if connection.vendor == "sqlite":
        assert "token_hash=?" in rows.explain()
    else:
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")
        assert "token_hash" in rows.explain()
