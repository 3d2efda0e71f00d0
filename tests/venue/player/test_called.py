"""A player's own call: the card, the page, the event's page and the home page say the same."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from matches.models import Habits
from players.accounts import accounts
from players.models import Notice, User
from runtime.models import TopicEvent
from runtime.transactions import TransactionTooLong
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base.settings import Settings
from tournaments.plan import drawing
from tournaments.play import arrivals, directing, event_control
from venue.calls import calling, calls, table_filling
from venue.errors import NotAtTable
from venue.models import Assignment, CallMode, Room
from venue.player import call_answers, player_call_views, player_calls
from venue.rooms import room_settings, rooms

PART = {"HX-Request": "true"}


@pytest.fixture
def two(desk: Desk) -> tuple[User, User]:
    """Two players with accounts, in an event with two guests and one table, before the first call."""
    ada, bo = desk.member("Ada"), desk.member("Bo")
    room = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="4", now=desk.now)
    desk.announce(a_plan("single-elimination", Settings(lateness=((6, 1),))))
    desk.do(directing.admit_members, player_keys=[ada.player.key, bo.player.key])
    room_settings.set_room(
        event=desk.event, room=room, mode=CallMode.CONFIRMED, by=desk.director, now=desk.now
    )
    desk.do(drawing.publish)
    desk.fresh()
    return ada, bo


def call(desk: Desk) -> Assignment:
    room: Room = desk.event.played_in.room
    return table_filling.call_next(room=room, by=desk.director, now=desk.now)


def card(client: Client, user: User) -> str:
    client.force_login(user)
    answer = client.get(reverse("venue:called"), headers=PART)
    return "" if answer.status_code == 204 else answer.content.decode()


def test_who_waits_is_told_how_many_are_before_them(
    desk: Desk, two: tuple[User, User], client: Client
) -> None:
    ada, _ = two
    assert card(client, ada) == ""
    assert "You are not called" in client.get(reverse("venue:called")).content.decode()
    page = client.get(reverse("tournaments:event", args=[desk.event.key])).content.decode()
    assert "You are waiting for a table; your match is next." in page


def test_the_card_the_event_and_the_home_page_say_the_same(
    desk: Desk, two: tuple[User, User], client: Client
) -> None:
    ada, _ = two
    call(desk)
    shown = card(client, ada)
    for words in ("Table 4", "Bo", "I am coming", "I am at the table", "called, too", desk.event.name):
        assert words in shown
    for page in (
        reverse("tournaments:event", args=[desk.event.key]),
        reverse("home"),
        reverse("venue:called"),
    ):
        said = client.get(page).content.decode()
        assert "Table 4" in said
        assert "Bo" in said


def test_a_page_that_asks_again_is_told_what_has_changed_in_the_room_alone(
    desk: Desk, two: tuple[User, User], client: Client
) -> None:
    ada, bo = two
    made = call(desk)
    client.force_login(ada)
    where = reverse("tournaments:event", args=[desk.event.key])
    first = client.get(where, headers=PART)
    call_answers.acknowledge_call(uid=made.uid, by=bo, now=desk.now)
    again = client.get(where, headers={**PART, "If-None-Match": first.headers.get("ETag", "")})
    assert again.status_code == 200
    assert "Your opponent is on the way." in again.content.decode()


def test_somebody_who_only_watches_is_told_that_nothing_has_changed(
    desk: Desk, two: tuple[User, User], client: Client
) -> None:
    call(desk)
    fan = accounts.register(email="fan@example.org", password=None, name="Fay Nan", now=desk.now)
    client.force_login(fan)
    where = reverse("tournaments:event", args=[desk.event.key])
    first = client.get(where, headers=PART)
    again = client.get(where, headers={**PART, "If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304


def test_both_are_told_on_their_open_pages(desk: Desk, two: tuple[User, User]) -> None:
    call(desk)
    told = TopicEvent.objects.filter(name="called").values_list("topic", flat=True)
    assert set(told) == {f"user.{user.pk}" for user in two}


def test_coming_here_and_playing_each_have_their_time(
    desk: Desk, two: tuple[User, User], client: Client
) -> None:
    ada, bo = two
    made = call(desk)
    start = desk.now
    desk.now += timedelta(minutes=1)
    call_answers.acknowledge_call(uid=made.uid, by=ada, now=desk.now)
    call_answers.acknowledge_call(uid=made.uid, by=ada, now=desk.now + timedelta(hours=1))
    assert "on the way" in card(client, bo)
    desk.now += timedelta(minutes=1)
    call_answers.record_arrival(uid=made.uid, by=bo, now=desk.now)
    assert "already at the table" in card(client, ada)
    desk.now += timedelta(minutes=1)
    call_answers.record_arrival(uid=made.uid, by=ada, now=desk.now)
    (now,) = calls.list_calls(desk.event.played_in.room)
    seen = {one.name: ((one.seen_at - start).seconds, (one.here_at - start).seconds) for one in now.players}
    assert seen == {"Ada": (60, 180), "Bo": (120, 120)}
    assert (now.state, (now.started_at - start).seconds) == ("playing", 180)


def test_the_card_says_that_an_opponent_is_on_the_way_only_if_they_have_seen_the_call(
    desk: Desk, two: tuple[User, User], client: Client
) -> None:
    ada, bo = two
    made = call(desk)
    call_answers.record_arrival(uid=made.uid, by=ada, now=desk.now)
    assert "Your opponent has not come yet." in card(client, ada)
    call_answers.acknowledge_call(uid=made.uid, by=bo, now=desk.now)
    assert "Your opponent is on the way." in card(client, ada)


def test_the_time_to_be_at_the_table_moves_with_a_pause(desk: Desk, two: tuple[User, User]) -> None:
    ada, bo = two
    made = call(desk)
    call_answers.record_arrival(uid=made.uid, by=bo, now=desk.now)
    desk.do(event_control.pause_event)
    desk.now += timedelta(minutes=10)
    desk.do(event_control.resume_event)

    shown = player_calls.find_call(ada.player)

    assert shown.due_at == desk.row(made.pairing.key).due_at == made.called_at + timedelta(minutes=16)


def test_only_the_two_answer_and_only_while_they_are_called(
    desk: Desk, two: tuple[User, User], client: Client
) -> None:
    ada, _ = two
    made = call(desk)
    with pytest.raises(NotAtTable):
        call_answers.acknowledge_call(uid=made.uid, by=desk.director, now=desk.now)
    calling.withdraw_call(assignment=made, by=desk.director, now=desk.now)
    with pytest.raises(NotAtTable):
        call_answers.record_arrival(uid=made.uid, by=ada, now=desk.now)


def test_without_script_a_form_answers_and_comes_back_to_the_event(
    desk: Desk, two: tuple[User, User], client: Client
) -> None:
    ada, _ = two
    made = call(desk)
    client.force_login(ada)
    page = client.get(reverse("tournaments:event", args=[desk.event.key])).content.decode()
    address = reverse("venue:answer", args=[made.uid])
    assert address in page
    sent = client.post(address, {"say": "here", "event": desk.event.key}, follow=True)
    assert sent.redirect_chain[-1][0] == reverse("tournaments:event", args=[desk.event.key])
    assert address not in sent.content.decode()
    assert made.chairs.get(player=ada.player).here_at is not None


@pytest.mark.parametrize("headers", [{}, PART])
def test_an_answer_that_took_too_long_is_not_shown_as_given(
    desk: Desk,
    two: tuple[User, User],
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    headers: dict[str, str],
) -> None:
    def take_too_long(**_of_act: object) -> None:
        raise TransactionTooLong

    monkeypatch.setitem(player_call_views.ACTS, "here", take_too_long)
    client.force_login(two[0])
    client.raise_request_exception = False
    answer = client.post(reverse("venue:answer", args=[call(desk).uid]), {"say": "here"}, headers=headers)
    assert (answer.status_code, answer["Retry-After"]) == (503, "30")


@pytest.mark.parametrize("event", ["é", "a/b", ""])
def test_an_answer_with_no_key_of_an_event_comes_back_to_the_call(
    desk: Desk, two: tuple[User, User], client: Client, event: str
) -> None:
    made = call(desk)
    client.force_login(two[0])
    sent = client.post(reverse("venue:answer", args=[made.uid]), {"say": "here", "event": event})
    assert (sent.status_code, sent.url) == (302, reverse("venue:called"))


def test_the_room_is_named_where_the_club_has_two(desk: Desk, two: tuple[User, User], client: Client) -> None:
    call(desk)
    assert "Lamp Room" not in card(client, two[0])

    # A table with the same label is in the other room.
    rooms.open_room(club=desk.club, by=desk.director, name="Cellar", labels="4", now=desk.now)
    assert "Lamp Room" in card(client, two[0])
    page = client.get(reverse("tournaments:event", args=[desk.event.key])).content.decode()
    assert "You are called: Table 4, Lamp Room." in page


def test_who_wants_it_is_told_by_e_mail_once_a_match(desk: Desk, two: tuple[User, User]) -> None:
    ada, bo = two
    Habits.objects.create(player=ada.player, mails_call=True)
    made = call(desk)
    rooms.add_tables(room=desk.event.played_in.room, labels="5", by=desk.director, now=desk.now)

    other = desk.event.played_in.room.tables.get(label="5")
    calling.move(table=other, event=desk.event, key=made.pairing.key, by=desk.director, now=desk.now)

    found = Notice.objects.filter(text__contains="is called")
    [notice] = found.filter(user=ada)
    assert notice.text == "Your match with Bo is called."
    assert notice.url == desk.event.get_absolute_url()
    assert not found.filter(user=bo).exists()


def test_an_e_mail_says_that_another_opponent_has_come_to_the_match(
    desk: Desk, two: tuple[User, User]
) -> None:
    ada, bo = two
    Habits.objects.create(player=ada.player, mails_call=True)
    call(desk)
    number = desk.event.entries.get(player=bo.player).number

    desk.do(arrivals.substitute_player, entry=number, name="Zoe Late", reason="ill")
    call(desk)

    found = Notice.objects.filter(user=ada, text__contains="is called").order_by("pk")
    assert [each.text for each in found] == [
        "Your match with Bo is called.",
        "Your match with Zoe Late is called.",
    ]
