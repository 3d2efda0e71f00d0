"""The way to the first draw: a card keeps what was typed, who is there is said in one go, a date asks."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from django.test import Client

from players.clubs import clubs
from players.errors import NotAGuest
from tests.matches.http import Caller
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import text, url
from tournaments.base.settings import Settings
from tournaments.models import Tournament
from tournaments.play import directing
from tournaments.status import Status

pytestmark = pytest.mark.today


# Announcing


def typed(**more: str) -> dict[str, str]:
    return {
        "name": "Friday night open",
        "starts_at": "2031-11-28T20:15",
        "place": "The Old Duke",
        "match_length": "5",
        "about": "Bring change",
        "capacity": "12",
        "key": "bcdfghjk23",
        **more,
    }


def test_another_card_keeps_what_was_typed(desk: Desk, window: Client) -> None:
    address = url("create", desk.club.slug)

    page = text(window.post(address, typed(template="club-night", choose="swiss")))

    for kept in ("Friday night open", "2031-11-28T20:15", "The Old Duke", "Bring change", "bcdfghjk23"):
        assert kept in page
    assert 'name="template" value="swiss"' in page
    assert "field__error" not in page
    assert not Tournament.objects.exists()


def test_a_length_of_ones_own_stays_and_one_of_the_card_goes(desk: Desk, window: Client) -> None:
    address = url("create", desk.club.slug)

    own = text(window.post(address, typed(template="club-night", choose="weekend", match_length="13")))
    cards = text(window.post(address, typed(template="club-night", choose="weekend")))

    assert 'name="match_length" value="13"' in own
    assert 'name="match_length" value="9"' in cards


def test_an_evening_is_a_club_night_until_something_else_is_chosen(desk: Desk, window: Client) -> None:
    address = url("create", desk.club.slug)
    assert 'name="template" value="club-night"' in text(window.get(address))

    page = text(window.post(address, typed(template="club-night", choose="none")))

    assert 'name="template"' not in page
    window.post(address, typed(publish="yes"))
    assert not Tournament.objects.get().stages.exists()


# The draw


def test_everyone_is_here_and_drawn_at_one_click(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("single-elimination", Settings(needs_check_in=True)), 5)
    assert "Everyone is here, draw" in text(window.get(url("draw", desk.event.key)))
    refused = window.post(url("preview_draw", desk.event.key), {"stage": "1"})
    assert refused.status_code == 422
    assert "Everyone is here, draw" in refused.content.decode()

    page = text(
        window.post(url("preview_draw", desk.event.key), {"stage": "1", "everyone": "yes"}, follow=True)
    )

    assert "Guest 5" in page
    assert not desk.event.entries.filter(checked_in_at__isnull=True).exists()


def early(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination"), 4)
    Tournament.objects.filter(pk=desk.pk).update(starts_at=desk.now + timedelta(days=7))


def test_a_draw_days_before_its_date_asks(desk: Desk, window: Client) -> None:
    early(desk)
    address = url("publish_draw", desk.event.key)

    page = text(window.post(address, {"stage": "1", "witnesses": "Guest 3", "note": ""}))

    assert "This event is announced for" in page
    assert desk.fresh().status == Status.PUBLISHED
    assert 'value="Guest 3"' in page
    window.post(address, {"stage": "1", "witnesses": "Guest 3", "note": "", "start": "keep"})
    assert desk.fresh().status == Status.RUNNING
    assert desk.event.starts_at > desk.now + timedelta(days=6)


def test_the_start_can_be_moved_to_now(desk: Desk, window: Client) -> None:
    early(desk)

    window.post(
        url("publish_draw", desk.event.key), {"stage": "1", "witnesses": "", "note": "", "start": "now"}
    )

    assert desk.fresh().status == Status.RUNNING
    assert desk.event.starts_at < desk.now + timedelta(hours=1)


def test_today_asks_nothing(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("single-elimination"), 4)
    Tournament.objects.filter(pk=desk.pk).update(starts_at=desk.now)

    window.post(url("publish_draw", desk.event.key), {"stage": "1", "witnesses": "", "note": ""})

    assert desk.fresh().status == Status.RUNNING


# First steps


def test_a_new_director_is_led_to_the_evening_and_then_to_the_names(desk: Desk, window: Client) -> None:
    assert "Announce tonight" in window.get(f"/clubs/{desk.club.slug}/").content.decode()
    desk.announce(a_plan("single-elimination"))
    first = r'<a class="button button--primary"\s+href="{}"'
    roster, draw = (first.format(url(name, desk.event.key)) for name in ("roster", "draw"))
    assert re.search(roster, text(window.get(url("event", desk.event.key))))

    desk.do(directing.admit_named, names=["Ann Lee", "Bo Ray"])

    page = text(window.get(url("event", desk.event.key)))
    assert not re.search(roster, page)
    assert re.search(draw, page)


# Names of guests


def test_a_guest_is_renamed_in_place_and_every_page_follows(desk: Desk, window: Client) -> None:
    desk.start(a_plan("single-elimination"), 4)
    guest = desk.player(2)
    version = desk.event.version
    back = url("roster", desk.event.key)
    told = list(desk.event.rulings.values_list("pk", flat=True))

    answer = window.post(
        f"/clubs/{desk.club.slug}/members/{guest.key}/name/", {"name": "Zoë  Lund", "next": back}
    )

    assert (answer.status_code, answer["Location"]) == (302, back)
    assert "Zoë Lund" in text(window.get(url("bracket", desk.event.key)))
    assert desk.fresh().version > version
    assert list(desk.event.rulings.values_list("pk", flat=True)) == told


def test_who_has_an_account_is_renamed_by_nobody_else(desk: Desk) -> None:
    other = desk.member("Other")

    with pytest.raises(NotAGuest):
        clubs.rename_guest(club=desk.club, player=other.player, name="X", by=desk.director, now=desk.now)


def test_a_program_renames_a_guest(desk: Desk) -> None:
    guest = clubs.add_guest(club=desk.club, name="Bobb", by=desk.director, now=desk.now)
    caller = Caller(desk.director)

    answer = caller.client.patch(
        f"/api/v1/clubs/{desk.club.slug}/guests/{guest.key}/",
        json.dumps({"name": "Bob"}),
        content_type="application/json",
    )

    assert (answer.status_code, answer.json()["name"]) == (200, "Bob")
