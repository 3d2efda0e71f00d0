"""Codes on a screen at the computer that serves: where no phone reaches it, there is none, and the page says what to do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.records.base.test_codes import Phone
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import Browser
from tournaments.base import codes
from venue.rooms import rooms

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

HERE = {"host": "127.0.0.1:8000"}
SAID = "Phones do not reach this computer"


@pytest.mark.long
@pytest.mark.parametrize("is_reached", [False, True])
def test_where_phones_do_not_reach_us_a_page_shows_no_code_and_says_so(
    db: None, settings: SettingsWrapper, is_reached: bool
) -> None:
    settings.OWN_ADDRESSES = ["192.168.7.20"] if is_reached else []
    now = timezone.now()
    desk = Desk(now)
    desk.start(a_plan("single-elimination"), 4)
    [first, *_] = desk.open()
    room = rooms.open_room(club=desk.club, by=desk.director, name="Hall", labels="1", now=now)
    director = Browser(desk.director)
    phone = Phone(codes.build_match_address(first, now=now)).sit(first.a.number if first.a else 0)
    pages = [
        director.get(reverse("records:code", args=[desk.event.key, first.key]), headers=HERE),
        director.get(
            reverse("records:table_code", args=[desk.club.slug, room.tables.get().key]), headers=HERE
        ),
        phone.browser.get(phone.address, headers=HERE),
    ]
    for answer in pages:
        page = answer.content.decode()
        assert answer.status_code == 200
        assert ('class="qr"' in page) == is_reached
        assert (SAID in page) != is_reached
        assert (reverse("players:phones") in page) != is_reached
        assert "127.0.0.1" not in re.sub(r"<head.*?</head>", "", page, flags=re.DOTALL)
