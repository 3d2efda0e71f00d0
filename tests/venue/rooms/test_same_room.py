"""An event that is announced from the last one's card is played in the same room and for the same money."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.utils import timezone

from money.models import EventMoney
from money.terms import terms
from players.keys import new_key
from tests.clients import signed_in
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import url
from tournaments.models import Tournament
from venue.models import CallMode, EventRoom
from venue.rooms import room_settings, rooms


@pytest.fixture
def last(db: None) -> Desk:
    """An event of a week ago, in a room and for money."""
    desk = Desk(timezone.now().replace(microsecond=0) - timedelta(days=7))
    desk.announce(a_plan("swiss", rounds=2), 4)
    room = rooms.open_room(club=desk.club, by=desk.director, name="Back room", labels="1-6", now=desk.now)
    room_settings.set_room(
        event=desk.event, room=room, mode=CallMode.CONFIRMED, by=desk.director, now=desk.now
    )
    money = terms.MoneyTerms(currency="EUR", fee=500, prizes={"main": ["100"]})
    desk.do(terms.set_terms, terms=money)
    return desk


@pytest.mark.parametrize("button", ["publish", "draft"])
def test_the_card_of_the_last_event_brings_its_room(last: Desk, button: str) -> None:
    window = signed_in(last.director)
    day = timezone.now() + timedelta(days=1)
    said = {
        "template": f"like-{last.event.key}",
        "key": new_key(),
        "name": "Thursday again",
        "starts_at": day.strftime("%Y-%m-%dT19:30"),
        "match_length": "5",
        button: "yes",
    }
    address = url("create", last.club.slug)
    form = window.get(address, {"template": said["template"]}).context["form"]
    said = {name: str(value) for name, value in form.initial.items() if value} | said

    answer: HttpResponse = window.post(address, said)
    window.post(address, said)

    assert answer.status_code == 302
    made = Tournament.objects.get(name="Thursday again")
    used = EventRoom.objects.get(event=made)
    assert (used.room.name, used.mode) == ("Back room", CallMode.CONFIRMED)
    assert made.waits_for_call
    assert EventMoney.objects.get(event=made).fee == 500
    if button == "draft":
        # Who announces a draft goes on with who is in.
        assert window.post(url("publish", made.key))["Location"] == url("roster", made.key)


def test_any_minute_can_be_chosen_after_an_event_that_began_at_an_odd_one(last: Desk) -> None:
    """A browser counts the steps of a field from the proposed value: in steps of five from 04:13 there is no 06:00."""
    window = signed_in(last.director)
    page = window.get(url("create", last.club.slug)).content.decode()

    [field] = re.findall(r'<input type="datetime-local"[^>]*>', page)
    assert "step" not in field


def test_a_league_is_announced_without_a_room(last: Desk) -> None:
    window = signed_in(last.director)
    address, room = url("create", last.club.slug), EventRoom.objects.get().room

    def read_proposal(**said: str) -> str:
        return window.post(address, said).context["form"]["room"].value() or ""

    assert window.get(address, {"template": "swiss"}).context["form"]["room"].value() == room.key
    assert window.get(address, {"template": "league"}).context["form"]["room"].value() == ""
    assert read_proposal(choose="league", template="swiss", room=room.key) == ""
    # The director's own choice stays; an evening is played in the room again.
    assert read_proposal(players="8", template="league", room=room.key) == room.key
    assert read_proposal(choose="swiss", template="league", room="") == room.key
