"""A club's laptop under plain HTTP: no push, no service worker, no wake lock, and still every call is seen or heard."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from players.keys import new_key
from tests.browser.people import PHONE, account, club_of, drain, listening, snap, wear
from tests.browser.test_calls_by_voice import VOICE
from tests.browser.test_wall import TELEVISION, letters_of
from tournaments.base import codes
from tournaments.models import Pairing, PairingState
from tournaments.plan import drawing, setup
from tournaments.plan.templates import Plan, StagePlan
from tournaments.play import directing, results
from venue.models import Assignment, CallMode, Chair, Show
from venue.rooms import room_settings, rooms
from venue.screens import screens

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

PEOPLE = ("Ada Okafor", "Bo Lindqvist", "Cleo Marsh", "Dario Conti", "Elin Voss", "Femi Adeyemi")


@pytest.fixture
def lan(site: str, settings: SettingsWrapper) -> str:
    """The product under a name of the club's own network, which no browser trusts."""
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "barpoint.lan"]
    return f"http://barpoint.lan:{urlsplit(site).port}"


@pytest.mark.long
def test_every_call_of_an_evening_is_seen_or_heard_without_push(
    lan: str, another: Callable[..., Page]
) -> None:
    now = timezone.now()
    director, players = account("Zoe Desk"), [account(name) for name in PEOPLE]
    club = club_of(director, *players)
    room = rooms.open_room(club=club, by=director, name="Hall", labels="1, 2", now=now)
    event = setup.announce(
        club=club,
        by=director,
        key=new_key(),
        details=setup.Details(name="Tuesday", starts_at=now),
        now=now,
        plan=Plan(stages=(StagePlan(format="single-elimination"),), match_length=7),
    )
    directing.admit_members(
        tournament_id=event.pk, by=director, now=now, player_keys=[each.player.key for each in players]
    )
    room_settings.set_room(event=event, room=room, mode=CallMode.AUTOMATIC, by=director, now=now)

    wall = another(**TELEVISION)
    wall.add_init_script(VOICE)
    wall.goto(f"{lan}/tv")
    screen = screens.bind(club=club, by=director, letters=letters_of(wall), name="Hall", now=now)
    screens.change_settings(screen=screen, by=director, programme=[Show.CALLS], now=now, speaks=True)
    expect(wall.locator(".wall__club")).to_be_visible()
    code = codes.build_door_code(event.pk, now, now)
    phones = {each.pk: another(**PHONE) for each in players[:5]}
    for user in players[:5]:
        phone = phones[user.pk]
        wear(phone, lan, user)
        # By the code at the door, as a phone reads it; from there to the event.
        phone.goto(f"{lan}{reverse('tournaments:door', args=[code])}")
        phone.goto(f"{lan}{event.get_absolute_url()}")
        listening(phone)
        said = phone.evaluate(
            "[isSecureContext, 'serviceWorker' in navigator, 'PushManager' in window && 'serviceWorker' in navigator,"
            " 'wakeLock' in navigator]"
        )
        assert said == [False, False, False, False]
    # One is in the hall without a phone: the wall says it.
    drawing.publish(tournament_id=event.pk, by=director, now=now)

    seen: set[int] = set()
    while True:
        drain()
        calls = Assignment.objects.filter(ended_at=None).exclude(pk__in=seen).order_by("pk")
        if not calls:
            break
        for call in calls:
            seen.add(call.pk)
            words = f"Table {call.table}: "
            for chair in Chair.objects.filter(assignment=call).select_related("player__user"):
                name = chair.player.public_name
                wall.wait_for_function(
                    "([words, name]) => window.said.some(([, each]) => each.startsWith(words) && each.includes(name))",
                    arg=[words, name],
                )
                phone = phones.get(chair.player.user_id or 0)
                if phone is None:
                    continue
                card = phone.locator("dialog.called")
                expect(card.get_by_role("heading", name=f"Table {call.table}")).to_be_visible()
                expect(phone).to_have_title(re.compile("you are called"))
                snap(phone, f"lan-{call.pk}-{chair.pk}", full=False)
                with phone.expect_response("**/called/*/"):
                    card.get_by_role("button", name="I am at the table").click()
                phone.goto(f"{lan}{event.get_absolute_url()}")
                listening(phone)
            key = Pairing.objects.get(pk=call.pairing_id).key
            results.enter_result(
                tournament_id=event.pk, key=key, score=(7, 3), by=director, now=timezone.now()
            )
    assert not Pairing.objects.filter(tournament=event, state=PairingState.READY).exists()
    assert len(seen) == len(PEOPLE) - 1
    # Each once.
    assert wall.evaluate("window.said.length") == len(seen)
