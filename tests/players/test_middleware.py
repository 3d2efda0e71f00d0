"""Language, time and the viewer, for every page."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone, translation

from players.access import context
from players.accounts import accounts
from players.clubs import clubs
from players.middleware import LanguageMiddleware, ViewerMiddleware
from players.models import Club, User
from tests.clients import signed_in


def test_the_account_wins_over_cookie_and_browser(ada: User, now: datetime) -> None:
    browser = signed_in(ada)
    german = {"headers": {"Accept-Language": "de"}}

    assert browser.get("/clubs/", **german).headers["Content-Language"] == "de"
    browser.cookies["language"] = "en"
    assert browser.get("/clubs/", **german).headers["Content-Language"] == "en"
    accounts.change(user=ada, now=now, language="de")
    assert browser.get("/clubs/", headers={"Accept-Language": "en"}).headers["Content-Language"] == "de"


def test_the_language_does_not_stay_in_the_thread(client: Client, db: None) -> None:
    with translation.override("en"):
        client.get("/clubs/", headers={"Accept-Language": "de"})

        assert translation.get_language() == "en"


def test_a_visitor_loads_no_session_and_no_account(
    rf: RequestFactory, django_assert_num_queries: Callable[..., object], db: None
) -> None:
    class Untouchable:
        def __getattr__(self, name: str) -> object:
            raise AssertionError(name)

    def answer(request: HttpRequest) -> HttpResponse:
        return HttpResponse(timezone.get_current_timezone_name())

    request = rf.get("/")
    request.session = Untouchable()  # type: ignore[assignment]
    with django_assert_num_queries(0):  # type: ignore[attr-defined]
        assert LanguageMiddleware(ViewerMiddleware(answer))(request).content == b"UTC"


def test_a_stale_session_cookie_is_a_visitor(client: Client, db: None) -> None:
    client.cookies["session"] = "nonsense"

    assert client.get("/clubs/").context["viewer"].is_signed_in is False


@pytest.fixture
def seen_zone(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Note the time zone of each club page that is rendered."""
    from players.clubs import club_views as views

    zones: list[str] = []
    show = views.selectors.load_club_page

    def noted(**kwargs: object) -> object:
        zones.append(timezone.get_current_timezone_name())
        return show(**kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(views.selectors, "load_club_page", noted)
    return zones


def test_time_is_the_accounts_else_the_clubs_else_ours(
    ada: User, client: Client, seen_zone: list[str], now: datetime
) -> None:
    club = clubs.create(owner=ada, name="Oslo", time_zone="Europe/Oslo", now=now)
    client.get(club.get_absolute_url())
    client.force_login(ada)
    client.get(club.get_absolute_url())
    accounts.change(user=ada, now=now, time_zone="America/New_York")
    client.get(club.get_absolute_url())

    assert seen_zone == ["Europe/Oslo", "Europe/Oslo", "America/New_York"]
    assert timezone.get_current_timezone_name() == "UTC"


def test_the_last_club_is_remembered(ada: User, club: Club, now: datetime) -> None:
    second = clubs.create(owner=ada, name="Aarhus", now=now)
    browser = signed_in(ada)

    assert browser.get("/players/").context["viewer"].club.slug == second.slug
    browser.get(club.get_absolute_url())
    seen = browser.get("/players/").context["viewer"]

    assert (seen.club.slug, seen.club.role) == (club.slug, "owner")
    assert [each.name for each in seen.clubs] == ["Aarhus", "Bristol Backgammon"]


def test_a_club_one_has_left_is_forgotten(club: Club, bo: User, now: datetime) -> None:
    clubs.join(club=club, player=bo.player, now=now)
    browser = signed_in(bo)
    browser.get(club.get_absolute_url())
    clubs.leave(club=club, player=bo.player, now=now)

    assert browser.get("/players/").context["viewer"].club is None


def test_looking_again_writes_no_session(club: Club, ada: User) -> None:
    browser = signed_in(ada)
    browser.get(club.get_absolute_url())

    assert "session" not in browser.get(club.get_absolute_url()).cookies


def test_the_viewer_is_worked_out_only_if_asked(
    rf: RequestFactory, ada: User, django_assert_num_queries: Callable[..., object]
) -> None:
    request = rf.get("/")
    request.user = ada

    with django_assert_num_queries(0):  # type: ignore[attr-defined]
        assert "viewer" in context.viewer(request)


@pytest.mark.parametrize("path", ["/settings/", "/settings/data/", "/notices/", "/clubs/", "/api/v1/me/"])
def test_what_was_made_for_somebody_is_kept_nowhere(ada: User, path: str) -> None:
    answer = signed_in(ada).get(path)

    assert answer.status_code == 200
    assert "no-store" in answer.headers["Cache-Control"]


def test_what_a_program_is_told_by_its_token_is_kept_nowhere(client: Client, db: None) -> None:
    answer = client.get("/api/v1/clubs/", headers={"Authorization": "Bearer nobody"})

    assert "no-store" in answer.headers["Cache-Control"]


def test_what_everybody_is_shown_may_be_kept(client: Client, db: None) -> None:
    assert "Cache-Control" not in client.get("/clubs/").headers
