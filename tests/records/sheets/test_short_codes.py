"""Short codes in place of a QR code: the papers that show them, their targets, and their rate limits."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from players.keys import LETTERS
from records.base.errors import TooManyShortCodes, UnknownShortCode
from records.models import ShortCode
from records.sheets import short_codes
from records.sheets.short_codes import TRIES, WIDE_TRIES
from runtime.http.rate_limits import ATTEMPTS
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import Browser
from tournaments.base import codes
from tournaments.hooks import TypedLetters
from venue.calls import calling
from venue.models import Table
from venue.rooms import rooms

pytestmark = pytest.mark.today

TYPE = "/m/"


@pytest.fixture(autouse=True)
def no_tries(db: None) -> None:
    ATTEMPTS.clear()


@pytest.fixture
def desk(desk: Desk, now: datetime) -> Desk:
    desk.start(a_plan("single-elimination"), 4)
    rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="1-2", now=now)
    return desk


@pytest.fixture
def director(desk: Desk) -> Browser:
    return Browser(desk.director)


def letters_on(page: str) -> list[str]:
    found: list[str] = re.findall(r'class="letters">(\w{3} \w{4})<', page)
    return found


def guess(number: int) -> str:
    """Return letters, other ones for each number."""
    letters = ""
    for _place in range(7):
        number, at = divmod(number, len(LETTERS))
        letters += LETTERS[at]
    return letters


def match_code(desk: Desk, now: datetime) -> str:
    return codes.extract_code(codes.build_match_address(desk.open()[0], now=now))


def give(code: str, now: datetime, begins: datetime | None = None) -> TypedLetters:
    return short_codes.assign_letters([code], begins or now, now)[code]


def test_every_printed_code_has_letters_that_lead_to_its_match(desk: Desk, director: Browser) -> None:
    key = desk.open()[0].key
    slips = director.get(reverse("tournaments:paper_slips", args=[desk.event.key])).content.decode()
    cards = director.get(reverse("venue:table_cards", args=[desk.club.slug])).content.decode()
    shown = director.get(reverse("records:code", args=[desk.event.key, key])).content.decode()
    assert [len(letters_on(page)) for page in (slips, cards, shown)] == [2, 2, 1]
    assert "at testserver/m/" in cards
    assert "Type at testserver/m/" in slips
    assert "Letters valid until" in cards, "the code itself lasts longer"
    # One match has one code, wherever it is shown.
    assert letters_on(shown)[0] in letters_on(slips)

    phone = Browser()
    said = letters_on(shown)[0]
    there = phone.post(TYPE, {"letters": f" {said.lower()} "})
    assert there["Location"] == codes.build_match_address(desk.row(key), now=timezone.now())
    assert "Which player are you?" in phone.get(there["Location"]).content.decode()


def test_letters_of_a_table_lead_to_what_is_played_there(desk: Desk, now: datetime) -> None:
    table = Table.objects.get(label="2")
    code = codes.extract_code(codes.build_table_address(table.key, now=now))
    calling.call(table=table, event=desk.fresh(), key=desk.open()[0].key, by=desk.director, now=now)

    there = Browser().post(TYPE, {"letters": give(code, now).letters})

    assert Browser().get(there["Location"]).status_code == 200


def test_a_code_has_the_same_letters_until_they_are_over(desk: Desk, now: datetime) -> None:
    row = desk.open()[0]
    row.deadline_at = now + timedelta(days=14)
    code = codes.build_match_code(row, now)
    first = give(code, now)
    assert give(code, now + timedelta(hours=1)).letters == first.letters
    assert ShortCode.objects.count() == 1
    assert timedelta(days=1) <= first.until - now <= timedelta(days=2), "good tonight, not for two weeks"
    # Shown on the next day they are good on that evening, too.
    assert give(code, now + timedelta(days=1)).until == first.until + timedelta(days=1)

    later = now + timedelta(days=5)
    with pytest.raises(UnknownShortCode):
        short_codes.resolve_letters(first.letters, address="192.0.2.1", now=later)
    assert give(code, later).letters != first.letters
    assert ShortCode.objects.count() == 1, "what is over is gone"


def test_cards_printed_before_the_event_are_good_on_its_evening(desk: Desk, now: datetime) -> None:
    code = codes.build_table_code("abcdefghij", desk.event.pk, now)
    begins = now + timedelta(days=4)
    assert give(code, now, begins).until - begins >= timedelta(days=1)
    assert give(code, now, now + timedelta(days=90)).until == codes.parse_code(code).until


def test_letters_are_seven_of_twenty_and_never_given_twice(
    desk: Desk, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = iter(["BCDFGHJ", "BCDFGHJ", "KLMNPQR"])
    monkeypatch.setattr(short_codes, "new_letters", lambda _length: next(drawn))
    one, other = (codes.build_table_code(key, desk.event.pk, now) for key in ("bbbbbbbbbb", "cccccccccc"))

    assert give(one, now).letters == "BCD FGHJ"
    assert give(other, now).letters == "KLM NPQR"

    monkeypatch.undo()
    fresh = give(codes.build_table_code("dddddddddd", desk.event.pk, now), now).letters.replace(" ", "")
    assert len(fresh) == 7
    assert set(fresh) <= set(LETTERS)
    assert not set(LETTERS) & set("AEIOU01258")


def test_wrong_letters_are_tried_slowly_from_one_network(desk: Desk, now: datetime) -> None:
    right = give(match_code(desk, now), now).letters
    wrong = "BCDFGHJ" if right.replace(" ", "") != "BCDFGHJ" else "BCDFGHK"
    for last in range(TRIES.free + 1):
        with pytest.raises(UnknownShortCode):
            short_codes.resolve_letters(wrong, address=f"2001:db8::{last:x}", now=now)
    with pytest.raises(TooManyShortCodes):
        short_codes.resolve_letters(right, address="2001:db8::ffff", now=now)
    # Others are not held up, and what is right costs nothing.
    for _ in range(TRIES.free * 2):
        short_codes.resolve_letters(right, address="192.0.2.1", now=now)


def test_an_hour_of_guessing_from_a_network_is_some_thirty_tries(now: datetime) -> None:
    """A network that changes its address for each try, and tries as often as it may."""
    tried = 0
    with time_machine.travel(now, tick=False) as clock:
        for second in range(0, 3600, 2):
            clock.move_to(now + timedelta(seconds=second))
            try:
                short_codes.resolve_letters(
                    guess(second), address=f"2001:db8::{second:x}", now=timezone.now()
                )
            except UnknownShortCode:
                tried += 1
            except TooManyShortCodes:
                pass
    assert TRIES.free < tried <= 35


def test_many_small_networks_of_one_large_one_are_bounded_together(now: datetime) -> None:
    tried = 0
    with time_machine.travel(now, tick=False) as clock:
        for number in range(900):
            clock.move_to(now + timedelta(seconds=number * 4))
            try:
                short_codes.resolve_letters(
                    guess(number), address=f"2001:db8:0:{number:x}::1", now=timezone.now()
                )
            except UnknownShortCode:
                tried += 1
            except TooManyShortCodes:
                pass
    assert WIDE_TRIES.free < tried <= 250


def test_the_page_says_why_letters_lead_nowhere(now: datetime) -> None:
    phone = Browser()
    assert phone.get(TYPE).status_code == 200
    assert phone.post(TYPE, {"letters": ""}).status_code == 422
    # Text that cannot be a short code is not counted as a try.
    for typed in ("BCD", "AEIOUAE", "12", "ßßßßßßß"):
        answer = phone.post(TYPE, {"letters": typed})
        assert answer.status_code == 404
        assert "No match has these letters now" in answer.content.decode()
    for _ in range(TRIES.free + 1):
        assert phone.post(TYPE, {"letters": "BCD FGHJ"}).status_code == 404
    answer = phone.post(TYPE, {"letters": "BCD FGHJ"})
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) > 0
    assert "Too many wrong letters" in answer.content.decode()


def test_a_refused_code_leads_to_the_page() -> None:
    assert f'href="{TYPE}"' in Browser().get("/m/nothing/").content.decode()
