"""Calls that a person has not answered who would: one line at the desk, and none where there is any sign from
the table."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from players.accounts import accounts
from players.models import Player
from runtime.models import TopicEvent
from tests.records.base.test_codes import Phone
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import Browser
from tournaments.base import codes
from tournaments.models import Pairing
from tournaments.plan import drawing
from tournaments.play import results, table_play
from venue.calls import table_filling
from venue.models import Assignment, CallMode, Chair
from venue.player import call_answers
from venue.rooms import room_settings, rooms

UNANSWERED = "not answered"


@pytest.fixture
def night(desk: Desk) -> Iterator[Desk]:
    """Eight guests of whom four are called to two tables, three minutes ago."""
    room = rooms.open_room(club=desk.club, by=desk.director, name="Hall", labels="1-2", now=desk.now)
    desk.announce(a_plan("single-elimination"), 8)
    room_settings.set_room(
        event=desk.event, room=room, mode=CallMode.AUTOMATIC, by=desk.director, now=desk.now
    )
    desk.do(drawing.publish)
    table_filling.fill(room_id=room.pk, now=desk.now)
    desk.fresh()
    with time_machine.travel(later(desk), tick=False):
        yield desk


@pytest.fixture
def director(night: Desk) -> Client:
    return Browser(night.director)


def later(desk: Desk) -> datetime:
    return desk.now + timedelta(minutes=3)


def called() -> list[Pairing]:
    rows = Pairing.objects.filter(assignments__ended_at__isnull=True, assignments__isnull=False)
    return list(rows.select_related("tournament", "a__player", "b__player").order_by("pk"))


def give_accounts() -> None:
    """Give everybody who is called an account."""
    for number, chair in enumerate(Chair.objects.order_by("pk")):
        email = f"player{number}@example.org"
        user = accounts.register(
            email=email, password=None, name=f"Player {number}", now=chair.assignment.called_at
        )
        Player.objects.filter(user=user).update(user=None)
        Player.objects.filter(pk=chair.player_id).update(user=user)


def page(desk: Desk, director: Client) -> str:
    return director.get(reverse("tournaments:desk", args=[desk.event.key])).content.decode()


def test_of_guests_nobody_expects_an_answer(night: Desk, director: Client) -> None:
    assert len(called()) == 2
    shown = page(night, director)
    assert UNANSWERED not in shown
    assert "Nothing at the moment." in shown


@pytest.mark.long
def test_one_line_names_all_and_one_press_answers_it(night: Desk, director: Client) -> None:
    give_accounts()
    assert [call_answers.sweep(later(night)), call_answers.sweep(later(night))] == [2, 0]

    shown = page(night, director)

    assert "2 calls are not answered" in shown
    assert '<span class="count">1</span>' in shown
    form = shown.partition("They are all here")[0].rpartition("<form")[2]
    assert form.count('name="table"') == form.count('name="saw"') == 2
    tables = Assignment.objects.order_by("pk").values_list("table__key", "uid")
    said = {"table": [key for key, _uid in tables], "saw": [str(uid) for _key, uid in tables], "act": "here"}
    director.post(reverse("venue:change_table", args=[night.event.key]), said)
    assert not Assignment.objects.filter(started_at__isnull=True).exists()
    assert UNANSWERED not in page(night, director)


def test_who_has_answered_is_not_named(night: Desk, director: Client) -> None:
    give_accounts()
    first = Chair.objects.select_related("assignment", "player__user").order_by("pk")[0]
    assert first.player.user
    call_answers.acknowledge_call(uid=first.assignment.uid, by=first.player.user, now=later(night))

    line = page(night, director).partition("2 calls are not answered")[2].partition("</li>")[0]

    assert first.player.public_name not in line
    assert line.count(",") == 1, "both of the other match"


@pytest.mark.long
@pytest.mark.parametrize("sign", ["code", "code and name", "report", "sheet", "dispute"])
def test_any_sign_from_the_table_is_enough(night: Desk, director: Client, sign: str) -> None:
    give_accounts()
    row, _other = called()
    told = TopicEvent.objects.filter(topic=f"event.{night.event.key}").count()
    phone = Phone(codes.build_match_address(row, now=later(night)))
    if sign == "report":
        user = row.a.player.user if row.a else None
        assert user
        results.report_result(tournament_id=night.pk, key=row.key, user=user, score=(5, 2), now=later(night))
    elif sign == "sheet":
        table_play.set_score(night.event, row, (1, 0), now=later(night))
    elif sign == "dispute":
        Pairing.objects.filter(pk=row.pk).update(needs_director="dispute")
    else:
        phone.look()
        assert TopicEvent.objects.filter(topic=f"event.{night.event.key}").count() == told + 1, (
            "the desk looks again"
        )
        phone.look()
        assert TopicEvent.objects.filter(topic=f"event.{night.event.key}").count() == told + 1, "once"
    if sign == "code and name" and row.a:
        phone.sit(row.a.number)
        phone.look()
        seen = Chair.objects.filter(seen_at__isnull=False).values_list("player_id", flat=True)
        assert list(seen) == [row.a.player_id]

    assert "1 call is not answered" in page(night, director)
