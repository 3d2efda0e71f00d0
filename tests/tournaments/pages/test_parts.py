"""Parts of other pages, the API, the back office, and what pages cost."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.accounts import accounts
from players.clubs import clubs
from players.models import Club, User
from tests.tournaments.support import Browser, text, url
from tournaments.models import Tournament
from tournaments.play import directing
from tournaments.status import Status


@pytest.fixture
def now(standing_clock: None) -> datetime:
    """The frozen time: pages read the clock, and no cached page may expire between two requests."""
    return timezone.now().replace(microsecond=0)


# Parts of other pages


def test_the_club_slot_and_the_whole_page(
    client: Client, event: Callable[..., Tournament], club: Club, otis: User, runa: User
) -> None:
    event(Status.FINISHED, players=(otis, runa), name="Played out")

    whole = text(client.get(url("club_events", club.slug)))
    part = text(client.get(url("club_events", club.slug), headers={"HX-Request": "true"}))

    assert "<html" in whole
    assert "<html" not in part
    assert "Played out" in whole
    assert "Played out" in part


@pytest.mark.long
def test_the_clubs_pages_lead_to_each_other(client: Client, club: Club, greta: User) -> None:
    def tabs(address: str) -> str:
        page = text(client.get(address))
        return page[page.index('<nav class="tabs"') :].partition("</nav>")[0]

    events, home = url("club_events", club.slug), club.get_absolute_url()
    assert f'<a href="{events}" aria-current="page">Events</a>' in tabs(events)
    assert f'<a href="{events}">Events</a>' in tabs(home)
    assert "Members" not in tabs(events)
    client.force_login(greta)
    for name in ("Club", "Events", "Members", "Invitations", "Settings"):
        assert f">{name}</a>" in tabs(events)
        assert f">{name}</a>" in tabs(home)


def test_a_players_results(
    client: Client, event: Callable[..., Tournament], otis: User, runa: User, greta: User
) -> None:
    event(Status.FINISHED, players=(otis, runa), name="Played out")
    event(Status.RUNNING, players=(otis, runa), name="Still playing")

    whole = text(client.get(url("careers:player_results", otis.player.key)))
    part = text(client.get(url("careers:player_results", otis.player.key), headers={"HX-Request": "true"}))

    assert "<html" in whole
    assert "<html" not in part
    assert "Played out" in part
    assert "Still playing" not in part
    assert client.get(url("careers:player_results", "bcdfghjkmn")).status_code == 404


@pytest.mark.long
def test_who_hides_is_not_looked_up(
    client: Client, event: Callable[..., Tournament], otis: User, runa: User, greta: User, now: datetime
) -> None:
    made = event(Status.FINISHED, players=(otis, runa), name="Played out")
    accounts.change(user=otis, now=now, hidden_from_search=True)
    address = url("careers:player_results", otis.player.key)

    def seen_by(user: User | None) -> bool:
        client.logout()
        if user:
            client.force_login(user)
        return "Played out" in text(client.get(address))

    assert [seen_by(None), seen_by(runa), seen_by(otis), seen_by(greta)] == [False, False, True, True]
    # The result of the event itself names everyone.
    assert "Otis Fenn" in text(client.get(made.get_absolute_url()))


def test_who_has_left_has_no_name(
    client: Client, event: Callable[..., Tournament], otis: User, runa: User, now: datetime
) -> None:
    made = event(Status.FINISHED, players=(otis, runa))

    accounts.erase(user=otis, now=now)

    page = text(client.get(made.get_absolute_url()))
    assert "Otis Fenn" not in page
    assert "Former player" in page


# API


def test_the_api_reads_what_the_pages_show(
    client: Client, event: Callable[..., Tournament], club: Club, otis: User, runa: User
) -> None:
    made = event(Status.FINISHED, players=(otis, runa))
    event(Status.DRAFT)

    listed = client.get("/api/v1/events/").json()
    one = client.get(f"/api/v1/events/{made.key}/").json()
    entries = client.get(f"/api/v1/events/{made.key}/entries/").json()["results"]

    assert [each["key"] for each in listed["results"]] == [made.key]
    assert (one["club"], one["status"], one["entered"]) == (club.slug, "FINISHED", 2)
    assert [(each["name"], each["place"]) for each in entries] == [("Otis Fenn", 1), ("Runa Vik", 2)]
    assert client.get("/api/v1/events/", {"status": "RUNNING"}).json()["count"] == 0
    assert client.get("/api/v1/events/", {"status": "PAUSED"}).status_code == 400
    assert client.post("/api/v1/events/", {}).status_code in {401, 403, 405}


def test_a_reopened_result_is_not_public_any_more(
    client: Client, event: Callable[..., Tournament], greta: User, otis: User, runa: User, now: datetime
) -> None:
    made = event(Status.FINISHED, players=(otis, runa))
    directing.reopen_event(tournament_id=made.pk, reason="Swapped", by=greta, now=now)

    entries = client.get(f"/api/v1/events/{made.key}/entries/").json()["results"]

    assert [each["place"] for each in entries] == [None, None]
    assert "medal--gold" not in text(client.get(made.get_absolute_url()))


# Queries


@pytest.fixture
def crowd(club: Club, greta: User, now: datetime) -> list[str]:
    return [clubs.add_guest(club=club, name=f"Guest {number}", by=greta, now=now).key for number in range(90)]


@pytest.mark.parametrize("status", [Status.PUBLISHED, Status.RUNNING, Status.FINISHED])
def test_a_page_of_64_costs_no_more_than_15_queries(
    event: Callable[..., Tournament],
    crowd: list[str],
    greta: User,
    django_assert_max_num_queries: Callable[..., object],
    now: datetime,
    status: Status,
) -> None:
    made = event()
    directing.admit_members(tournament_id=made.pk, player_keys=crowd[:64], by=greta, now=now)
    if status is not Status.PUBLISHED:
        directing.start_event(tournament_id=made.pk, by=greta, now=now)
    if status is Status.FINISHED:
        places = {key: place for place, key in enumerate(crowd[:64], 1)}
        directing.record_finish(tournament_id=made.pk, places=places, by=greta, now=now)
    browser = Browser(greta)
    browser.get(made.get_absolute_url())

    with django_assert_max_num_queries(15):  # type: ignore[attr-defined]
        text(browser.get(made.get_absolute_url()))


@pytest.mark.long
def test_home_costs_no_more_than_14_queries(
    event: Callable[..., Tournament],
    greta: User,
    otis: User,
    runa: User,
    client: Client,
    django_assert_max_num_queries: Callable[..., object],
) -> None:
    for _number in range(4):
        event(players=(otis, runa))
        event(Status.FINISHED, players=(otis, runa))
    event(Status.DRAFT)

    # Two of them request the boards outside events, which have their own state.
    with django_assert_max_num_queries(14):  # type: ignore[attr-defined]
        text(client.get("/"))
    client.force_login(greta)
    with django_assert_max_num_queries(12):  # type: ignore[attr-defined]
        text(client.get("/"))
    with django_assert_max_num_queries(10):  # type: ignore[attr-defined]
        text(client.get(url("calendar")))


# Back office


@pytest.mark.long
def test_the_back_office_looks_and_changes_nothing(
    event: Callable[..., Tournament], greta: User, otis: User, runa: User
) -> None:
    made = event(Status.FINISHED, players=(otis, runa))
    greta.is_staff = greta.is_superuser = True
    greta.save(update_fields=["is_staff", "is_superuser"])
    browser = Browser(greta)

    assert "Thursday night" in text(browser.get(reverse("admin:tournaments_tournament_changelist")))
    page = text(browser.get(reverse("admin:tournaments_tournament_change", args=[made.pk])))
    assert "Otis Fenn" in page
    assert 'name="_save"' not in page
    assert browser.get(reverse("admin:tournaments_tournament_add")).status_code == 403
