"""The head of a page leaves a phone three quarters of its screen, and nothing is lost where there is less room."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Final

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from players.clubs import clubs
from players.keys import new_key
from players.models import Club, User
from tests.browser.eyes import faults
from tests.browser.people import PHONE, account, club_of, overflow, snap, wear
from tournaments.models import Pairing, Tournament
from tournaments.plan import drawing, setup
from tournaments.plan.templates import Plan, StagePlan
from tournaments.play import directing, entering, results

QUARTER: Final = 812 / 4
NAMES: Final = ["Ann-Kathrin Lund", "Benedek Szalókvári", "Leilani Kapuareyes", "Cid Varga"]


def event_of(club: Club, by: User, name: str, *, hours: int, players: int = 4) -> Tournament:
    """Announce an evening that can be entered here, so many hours from now."""
    now = timezone.now()
    details = setup.Details(
        name=name, starts_at=now + timedelta(hours=hours), place="The Lamp Room, upstairs", capacity=16
    )
    plan = Plan(stages=(StagePlan(format="single-elimination"),), match_length=5)
    event = setup.announce(club=club, by=by, key=new_key(), details=details, now=now, plan=plan)
    directing.admit_named(tournament_id=event.pk, names=NAMES[:players], by=by, now=now)
    return event


def played(event: Tournament, by: User, matches: int) -> None:
    drawing.publish(tournament_id=event.pk, by=by, now=timezone.now())
    for _ in range(matches):
        row = Pairing.objects.filter(tournament=event, state="ready").order_by("position").first()
        results.enter_result(tournament_id=event.pk, key=row.key, score=(5, 3), by=by, now=timezone.now())


def plays_everywhere(user: User) -> None:
    """Bring a person into the club and its next evening."""
    club = Club.objects.get()
    clubs.join(club=club, player=user.player, now=timezone.now())
    event = Tournament.objects.get(name="Lighthouse Winter Open")
    entering.enter_own_player(tournament_id=event.pk, user=user, now=timezone.now())


@pytest.fixture
def addresses() -> dict[str, str]:
    """The pages that begin with felt: each event in another state."""
    ada = account("Ada Okafor")
    club = club_of(ada)
    coming = event_of(club, ada, "Lighthouse Winter Open", hours=30, players=2)
    running, over = (event_of(club, ada, name, hours=-1) for name in ("Saturday knock-out", "Autumn cup"))
    played(running, ada, 1)
    played(over, ada, 3)
    return {
        "coming": coming.get_absolute_url(),
        "running": running.get_absolute_url(),
        "bracket": f"{running.get_absolute_url()}bracket/",
        "finished": over.get_absolute_url(),
        "club": club.get_absolute_url(),
        "home": "/",
    }


@pytest.mark.long
def test_a_head_takes_a_quarter_of_a_phone_at_most(
    site: str, another: Callable[..., Page], addresses: dict[str, str]
) -> None:
    """A little more where a person has something to do there, or the phone is an old one."""
    most = {"visitor": QUARTER, "member": QUARTER, "player": 205, "director": 210}
    otis = account("Otis Fenn")
    people = {"member": otis, "player": otis, "director": User.objects.get(player__name="Ada Okafor")}
    tall, sizes = {}, {}
    for who in most:
        if who == "player":
            plays_everywhere(otis)
        for width, height in ((375, 812), (320, 640)):
            phone = another(**{**PHONE, "viewport": {"width": width, "height": height}})
            if who in people:
                wear(phone, site, people[who])
            for name, address in addresses.items():
                phone.goto(address)
                head = phone.locator(".felt--band").bounding_box()
                snap(phone, f"head-{name}-{who}-{width}", full=False)
                sizes[f"{name} {who} {width}"] = round(head["height"])
                if head["height"] > (most[who] if width == 375 else max(205, most[who])):
                    tall[name, who, width] = round(head["height"])
            phone.close()
    assert tall == {}, sizes


@pytest.mark.long
def test_everything_a_director_can_do_is_in_reach_on_a_phone(
    site: str, another: Callable[..., Page], addresses: dict[str, str]
) -> None:
    """What is not a button of the head is under "More"."""
    phone = another(**PHONE)
    wear(phone, site, User.objects.get(player__name="Ada Okafor"))
    due = {
        "coming": {"Draw", "Roster", "Enter myself", "Change the format", "Change the announcement"},
        "running": {"Director's desk", "Change the announcement", "Cancel the event"},
        "finished": {"Reopen"},
    }
    for name, words in due.items():
        phone.goto(addresses[name])
        phone.locator(".event-head summary", has_text="More").tap()
        for word in words:
            found = phone.locator(".event-head").get_by_text(word, exact=True)
            expect(found.first).to_be_visible()
            assert found.count() == 1, word
        snap(phone, f"head-{name}-more", full=False)
        assert overflow(phone) <= 0
        assert faults(phone) == []


@pytest.mark.long
@pytest.mark.parametrize(("width", "height"), [(320, 640), (640, 400)])
def test_nothing_is_lost_on_a_small_screen_nor_at_two_hundred_per_cent(
    site: str, page: Page, addresses: dict[str, str], width: int, height: int
) -> None:
    # A window of 1280 by 800 at 200 % is one of 640 by 400.
    page.set_viewport_size({"width": width, "height": height})
    for name, address in addresses.items():
        page.goto(address)
        assert overflow(page) <= 0, name
        assert faults(page) == [], name
        for text in page.locator(".felt--band :is(h1, .felt__title, .path__who, .path__score)").all():
            assert text.evaluate("each => each.scrollWidth <= each.clientWidth + 1 || !each.clientWidth"), (
                name
            )


def test_what_is_pressed_in_a_head_is_as_large_as_a_finger(
    another: Callable[..., Page], addresses: dict[str, str]
) -> None:
    phone = another(**PHONE)
    for name, address in addresses.items():
        phone.goto(address)
        small = phone.locator(".felt--band :is(.button, .tabs > a)").evaluate_all(
            """found => found.filter(each => each.offsetParent && each.getBoundingClientRect().height < 44)
                .map(each => each.textContent.trim())"""
        )
        assert small == [], name
