"""The pages, for a stranger, a player and a director."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from django.utils import timezone

from players.keys import new_key
from players.models import Joining, Membership
from players.services import accounts, clubs
from tournaments.models import Entry, Tournament
from tournaments.services import directing
from tournaments.status import Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpResponse
    from django.test import Client

    from players.models import Club, User


@pytest.fixture
def now() -> datetime:
    """The pages read the clock themselves."""
    return timezone.now().replace(microsecond=0)


def text(response: HttpResponse) -> str:
    assert response.status_code == 200, response.status_code
    return response.content.decode()


def url(name: str, *args: str) -> str:
    return reverse(f"tournaments:{name}", args=args)


# Home


def test_an_empty_house_says_what_to_do_first(client: Client, db: None) -> None:
    page = text(client.get("/"))

    assert "Start your club" in page
    assert "No club lives here yet" in page


def test_a_stranger_sees_tonight_and_the_latest_results(
    client: Client, event: Callable[..., Tournament], otis: User, runa: User
) -> None:
    event(Status.RUNNING, players=(otis, runa), name="Playing now")
    event(Status.FINISHED, players=(runa, otis), name="Played out")
    event(Status.DRAFT, name="Not yet told")

    page = text(client.get("/"))

    assert page.index("Playing now") < page.index("Played out")
    assert "Runa Vik" in page
    assert "Not yet told" not in page


def test_a_member_sees_the_evening_with_one_thing_to_do(
    event: Callable[..., Tournament], otis: User, runa: User, sign_in: Callable[[User], Client]
) -> None:
    event(name="Tonight's event")
    browser = sign_in(otis)

    page = text(browser.get("/"))
    assert "Your evening" in page
    assert page.count("button--large") == 1
    made = Tournament.objects.get()
    assert url("enter", made.key) in page

    browser.post(url("enter", made.key))
    assert "You are in" in text(browser.get("/"))


def test_a_director_at_home_is_led_to_the_result(
    event: Callable[..., Tournament],
    greta: User,
    otis: User,
    runa: User,
    sign_in: Callable[[User], Client],
) -> None:
    made = event(Status.RUNNING, players=(otis, runa))

    assert f"{made.get_absolute_url()}#finish" in text(sign_in(greta).get("/"))


def test_a_stranger_with_an_account_is_led_to_a_club(
    club: Club, stranger: User, sign_in: Callable[[User], Client]
) -> None:
    page = text(sign_in(stranger).get("/"))

    assert "You belong to no club yet" in page
    assert club.name in page


# Calendar


def test_the_calendar_groups_by_month_and_filters_by_club(
    client: Client, event: Callable[..., Tournament], stranger: User, now: datetime
) -> None:
    event(name="Near", starts_at=now + timedelta(days=2))
    event(name="Far", starts_at=now + timedelta(days=70))
    other = clubs.create(owner=stranger, name="Elsewhere", now=now)

    page = text(client.get(url("calendar")))
    assert page.index("Near") < page.index("Far")
    assert page.count("<h2>") == 2
    assert "Near" not in text(client.get(url("calendar"), {"club": other.slug}))


def test_what_nobody_started_slips_into_the_past(
    client: Client, event: Callable[..., Tournament], now: datetime
) -> None:
    event(name="Forgotten", starts_at=now - timedelta(days=2))
    event(name="Late start", starts_at=now - timedelta(hours=3))

    ahead, past = text(client.get(url("calendar"))), text(client.get(url("calendar"), {"when": "past"}))

    assert "Late start" in ahead
    assert "Forgotten" not in ahead
    assert "Forgotten" in past


@pytest.mark.parametrize(
    "query", [{"page": "0"}, {"page": "x"}, {"page": "99999"}, {"page": "٣"}, {"club": "no-such"}]
)
def test_nonsense_in_the_address_is_not_found(client: Client, db: None, query: dict[str, str]) -> None:
    assert client.get(url("calendar"), query).status_code == 404


# One event


def test_drafts_are_their_directors_own(
    event: Callable[..., Tournament], greta: User, otis: User, client: Client
) -> None:
    made = event(Status.DRAFT)

    assert client.get(made.get_absolute_url()).status_code == 404
    client.force_login(otis, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get(made.get_absolute_url()).status_code == 404
    client.force_login(greta, backend="django.contrib.auth.backends.ModelBackend")
    assert "Announce it" in text(client.get(made.get_absolute_url()))


def test_the_page_by_role(
    event: Callable[..., Tournament], greta: User, otis: User, stranger: User, client: Client
) -> None:
    made = event(players=(otis,))

    def seen_by(user: User | None) -> str:
        client.logout()
        if user:
            client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return text(client.get(made.get_absolute_url()))

    assert "Sign in to enter" in seen_by(None)
    assert "Join the club and enter" in seen_by(stranger)
    assert "Withdraw" in seen_by(otis)
    assert "Enter players" in seen_by(greta)
    for user in (None, stranger, otis):
        page = seen_by(user)
        assert "Enter players" not in page
        assert "What was done" not in page
        assert "<dialog" not in page


def test_joining_on_the_way_in(
    event: Callable[..., Tournament],
    club: Club,
    stranger: User,
    sign_in: Callable[[User], Client],
    greta: User,
    now: datetime,
) -> None:
    made, browser = event(), sign_in(stranger)

    browser.post(url("enter", made.key))
    assert not Entry.objects.exists()

    browser.post(url("enter", made.key), {"join": "yes"})
    assert Entry.objects.get().player == stranger.player
    assert Membership.objects.filter(club=club, player=stranger.player).exists()


def test_a_closed_club_is_not_joined_that_way(
    event: Callable[..., Tournament], club: Club, stranger: User, sign_in: Callable[[User], Client]
) -> None:
    club.joining = Joining.INVITATION
    club.save(update_fields=["joining"])
    made, browser = event(), sign_in(stranger)

    assert "Members can enter" in text(browser.get(made.get_absolute_url()))
    browser.post(url("enter", made.key), {"join": "yes"})
    assert not Entry.objects.exists()


def test_a_whole_evening_at_the_desk(
    club: Club, greta: User, otis: User, runa: User, sign_in: Callable[[User], Client], now: datetime
) -> None:
    browser = sign_in(greta)
    form = {
        "key": new_key(),
        "name": "Thursday <b>night</b>",
        "starts_at": "2031-03-06T19:30",
        "format_label": "Swiss, 5 rounds",
        "match_length": "7",
        "capacity": "",
        "place": "",
        "about": "Line one\n\n<script>alert(1)</script>",
    }
    assert "Announce an event" in text(browser.get(url("create", club.slug)))
    response = browser.post(url("create", club.slug), form)
    made = Tournament.objects.get()
    assert response.url == made.get_absolute_url()
    # 19:30 in Berlin, in winter.
    assert made.starts_at == datetime(2031, 3, 6, 18, 30, tzinfo=UTC)
    assert made.status == Status.DRAFT

    browser.post(url("publish", made.key))
    browser.post(url("admit", made.key), {"player": [otis.player.key, runa.player.key]})
    browser.post(url("admit_guest", made.key), {"name": "Uncle Bob"})
    browser.post(url("take_out", made.key), {"player": runa.player.key})
    browser.post(url("start", made.key))
    made.refresh_from_db()
    assert made.status == Status.RUNNING
    page = text(browser.get(made.get_absolute_url()))
    assert "<script>alert" not in page
    assert "<b>night" not in page

    bob = Entry.objects.get(player__name="Uncle Bob").player
    wrong = browser.post(url("finish", made.key), {f"place-{otis.player.key}": "3", f"place-{bob.key}": "1"})
    assert wrong.status_code == 409
    # The browser would have stopped a 3 among two; the page says why and keeps what was typed.
    assert 'value="3"' in wrong.content.decode()
    browser.post(url("finish", made.key), {f"place-{otis.player.key}": "2", f"place-{bob.key}": "1"})
    made.refresh_from_db()
    assert made.status == Status.FINISHED
    assert "Winner" in text(browser.get(made.get_absolute_url()))

    browser.post(url("reopen", made.key), {"reason": ""})
    made.refresh_from_db()
    assert made.status == Status.FINISHED
    browser.post(url("reopen", made.key), {"reason": "Swapped"})
    browser.post(url("cancel", made.key), {"reason": "Fire alarm"})
    made.refresh_from_db()
    assert made.status == Status.CANCELLED
    assert "Fire alarm" in text(browser.get(made.get_absolute_url()))

    key = new_key()
    again = browser.post(url("clone", made.key), {"key": key})
    assert again.url == reverse("tournaments:event", args=[key])
    assert browser.post(url("clone", made.key), {"key": key}).url == again.url
    assert Tournament.objects.count() == 2
    browser.post(url("discard", key))
    assert Tournament.objects.count() == 1


def test_who_came_in_after_the_form_was_opened_is_not_forgotten(
    event: Callable[..., Tournament],
    greta: User,
    otis: User,
    runa: User,
    director: User,
    sign_in: Callable[[User], Client],
    now: datetime,
) -> None:
    made = event(Status.RUNNING, players=(otis, runa))
    directing.admit(tournament_id=made.pk, player_keys=[director.player.key], by=greta, now=now)

    page = sign_in(greta).post(
        url("finish", made.key), {f"place-{otis.player.key}": "1", f"place-{runa.player.key}": "2"}
    )

    assert page.status_code == 409
    assert "Somebody has entered meanwhile: Pavel Dorn" in page.content.decode()


@pytest.mark.parametrize(
    "bad",
    [
        {"name": "Night\u202etrap"},
        {"name": ""},
        {"match_length": "0"},
        {"match_length": "26"},
        {"capacity": "1"},
        {"starts_at": "soon"},
        # In the night when summer time begins this hour does not exist.
        {"starts_at": "2031-03-30T02:30"},
        {"key": "../../etc"},
    ],
)
def test_a_form_that_cannot_be_kept_says_so(
    club: Club, greta: User, sign_in: Callable[[User], Client], bad: dict[str, str]
) -> None:
    form = {"key": new_key(), "name": "Night", "starts_at": "2031-03-06T19:30", "match_length": "7"} | bad

    response = sign_in(greta).post(url("create", club.slug), form)

    assert response.status_code == 422
    assert not Tournament.objects.exists()


ACTS = [
    "edit",
    "publish",
    "discard",
    "clone",
    "admit",
    "admit_guest",
    "take_out",
    "start",
    "finish",
    "cancel",
    "reopen",
]


@pytest.mark.parametrize("name", ACTS)
def test_only_directors_act(
    event: Callable[..., Tournament], otis: User, runa: User, client: Client, name: str
) -> None:
    made = event(players=(otis, runa))

    assert client.post(url(name, made.key)).status_code == 302
    client.force_login(otis, backend="django.contrib.auth.backends.ModelBackend")
    assert client.post(url(name, made.key), {"reason": "x", "name": "x"}).status_code == 403

    made.refresh_from_db()
    assert made.status == Status.PUBLISHED
    assert made.entries.count() == 2


@pytest.mark.parametrize("name", [*ACTS[1:], "enter", "withdraw"])
def test_looking_changes_nothing(
    event: Callable[..., Tournament], greta: User, sign_in: Callable[[User], Client], name: str
) -> None:
    assert sign_in(greta).get(url(name, event().key)).status_code == 405


def test_a_refusal_is_said_and_leads_back(
    event: Callable[..., Tournament], greta: User, sign_in: Callable[[User], Client]
) -> None:
    made = event()

    response = sign_in(greta).post(url("start", made.key), follow=True)

    assert response.redirect_chain == [(made.get_absolute_url(), 302)]
    assert "At least two players must have entered." in text(response)


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


def test_a_players_results(
    client: Client, event: Callable[..., Tournament], otis: User, runa: User, greta: User
) -> None:
    event(Status.FINISHED, players=(otis, runa), name="Played out")
    event(Status.RUNNING, players=(otis, runa), name="Still playing")

    whole = text(client.get(url("player_results", otis.player.key)))
    part = text(client.get(url("player_results", otis.player.key), headers={"HX-Request": "true"}))

    assert "<html" in whole
    assert "<html" not in part
    assert "Played out" in part
    assert "Still playing" not in part
    assert client.get(url("player_results", "bcdfghjkmn")).status_code == 404


def test_who_hides_is_not_looked_up(
    client: Client, event: Callable[..., Tournament], otis: User, runa: User, greta: User, now: datetime
) -> None:
    made = event(Status.FINISHED, players=(otis, runa), name="Played out")
    accounts.change(user=otis, now=now, hidden_from_search=True)
    address = url("player_results", otis.player.key)

    def seen_by(user: User | None) -> bool:
        client.logout()
        if user:
            client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
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
    entries = client.get(f"/api/v1/events/{made.key}/entries/").json()

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
    directing.reopen(tournament_id=made.pk, reason="Swapped", by=greta, now=now)

    entries = client.get(f"/api/v1/events/{made.key}/entries/").json()

    assert [each["place"] for each in entries] == [None, None]
    assert "medal--gold" not in text(client.get(made.get_absolute_url()))


# Queries


@pytest.fixture
def crowd(club: Club, greta: User, now: datetime) -> list[str]:
    return [clubs.add_guest(club=club, name=f"Guest {number}", by=greta, now=now).key for number in range(90)]


@pytest.mark.parametrize("status", [Status.PUBLISHED, Status.RUNNING, Status.FINISHED])
def test_a_page_of_64_costs_no_more_than_14_queries(
    event: Callable[..., Tournament],
    crowd: list[str],
    greta: User,
    sign_in: Callable[[User], Client],
    django_assert_max_num_queries: Callable[..., object],
    now: datetime,
    status: Status,
) -> None:
    made = event()
    directing.admit(tournament_id=made.pk, player_keys=crowd[:64], by=greta, now=now)
    if status is not Status.PUBLISHED:
        directing.start(tournament_id=made.pk, by=greta, now=now)
    if status is Status.FINISHED:
        places = {key: place for place, key in enumerate(crowd[:64], 1)}
        directing.record_finish(tournament_id=made.pk, places=places, by=greta, now=now)
    browser = sign_in(greta)
    browser.get(made.get_absolute_url())

    with django_assert_max_num_queries(14):  # type: ignore[attr-defined]
        text(browser.get(made.get_absolute_url()))


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

    with django_assert_max_num_queries(14):  # type: ignore[attr-defined]
        text(client.get("/"))
    client.force_login(greta, backend="django.contrib.auth.backends.ModelBackend")
    with django_assert_max_num_queries(14):  # type: ignore[attr-defined]
        text(client.get("/"))
    with django_assert_max_num_queries(10):  # type: ignore[attr-defined]
        text(client.get(url("calendar")))
