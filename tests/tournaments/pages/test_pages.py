"""The pages, for a stranger, a player and a director."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from players.clubs import clubs
from players.models import Club, Joining, Membership, User
from runtime.stream.rights import ReadRequest
from tests.tournaments.support import Browser, text, url
from tournaments.models import Entry, Tournament
from tournaments.pages import access
from tournaments.status import Status

pytestmark = pytest.mark.today


# Home


def test_an_empty_site_says_what_to_do_first(client: Client, db: None) -> None:
    page = text(client.get("/"))

    assert "Start your club" in page
    assert "No clubs here yet" in page


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
    event: Callable[..., Tournament], otis: User, runa: User
) -> None:
    event(name="Tonight's event")
    browser = Browser(otis)

    page = text(browser.get("/"))
    assert "Your evening" in page
    assert page.count("button--large") == 1
    made = Tournament.objects.get()
    assert url("enter", made.key) in page

    browser.post(url("enter", made.key))
    assert "You are in" in text(browser.get("/"))


def test_a_director_at_home_is_led_to_the_result(
    event: Callable[..., Tournament], greta: User, otis: User, runa: User
) -> None:
    made = event(Status.RUNNING, players=(otis, runa))

    assert f"{made.get_absolute_url()}#finish" in text(Browser(greta).get("/"))


def test_a_stranger_with_an_account_is_led_to_a_club(club: Club, stranger: User) -> None:
    page = text(Browser(stranger).get("/"))

    assert "You are not in a club yet" in page
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
    client.force_login(otis)
    assert client.get(made.get_absolute_url()).status_code == 404
    client.force_login(greta)
    assert "Announce it" in text(client.get(made.get_absolute_url()))


def test_news_of_a_draft_are_its_directors_own(
    event: Callable[..., Tournament], greta: User, otis: User
) -> None:
    draft, public = event(Status.DRAFT), event()
    root = User.objects.create_superuser("root@example.org", "three old pennies")

    for person, count in ((greta, 2), (root, 2), (otis, 1), (AnonymousUser(), 1)):
        wishes = [ReadRequest(person, f"{access.FAMILY}.{each.key}") for each in (draft, public)]
        assert len(list(access.allow_event_topics(wishes))) == count


def test_the_page_by_role(
    event: Callable[..., Tournament], greta: User, otis: User, stranger: User, client: Client
) -> None:
    made = event(players=(otis,))

    def seen_by(user: User | None) -> str:
        client.logout()
        if user:
            client.force_login(user)
        return text(client.get(made.get_absolute_url()))

    assert "Sign in to enter" in seen_by(None)
    assert "Join the club and enter" in seen_by(stranger)
    assert "Withdraw myself" in seen_by(otis)
    assert "Enter players" in seen_by(greta)
    assert re.search(r">\s*Enter myself\s*<", seen_by(greta))
    for user in (None, stranger, otis):
        page = seen_by(user)
        assert "Enter players" not in page
        assert ">Log<" not in page
        # Those that tell of a match that begins and of a call are on every page.
        assert page.count("<dialog") == page.count('id="begun"') + page.count('id="called"')


def test_joining_on_the_way_in(
    event: Callable[..., Tournament], club: Club, stranger: User, greta: User, now: datetime
) -> None:
    made, browser = event(), Browser(stranger)

    browser.post(url("enter", made.key))
    assert not Entry.objects.exists()

    browser.post(url("enter", made.key), {"join": "yes"})
    assert Entry.objects.get().player == stranger.player
    assert Membership.objects.filter(club=club, player=stranger.player).exists()


def test_a_closed_club_is_not_joined_that_way(
    event: Callable[..., Tournament], club: Club, stranger: User
) -> None:
    club.joining = Joining.INVITATION
    club.save(update_fields=["joining"])
    made, browser = event(), Browser(stranger)

    assert "Members can enter" in text(browser.get(made.get_absolute_url()))
    browser.post(url("enter", made.key), {"join": "yes"})
    assert not Entry.objects.exists()
