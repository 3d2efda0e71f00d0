"""A phone at a table after its match: it remembers its player and shows the result and the next match."""

from __future__ import annotations

import pytest
from django.utils import timezone

from tests.records.base.test_codes import Phone, code_in, refusal
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import Browser
from tournaments.base import codes
from tournaments.base.settings import Settings
from tournaments.models import Decision, Entry, Pairing
from tournaments.play import disputes
from venue.calls import calling
from venue.models import Table
from venue.rooms import rooms

pytestmark = pytest.mark.today


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """A round robin of four guests in a room of three tables, under way."""
    rooms.open_room(club=desk.club, by=desk.director, name="Hall", labels="1-3", now=desk.now)
    desk.start(a_plan("round-robin", Settings(confirm_minutes=20)), 4)
    return desk


def table(desk: Desk, label: str) -> Table:
    return desk.club.rooms.get().tables.get(label=label)


def call(desk: Desk, row: Pairing, label: str) -> str:
    """Call a match to a table, and return the address in the table's code."""
    calling.call(table=table(desk, label), event=desk.fresh(), key=row.key, by=desk.director, now=desk.now)
    return codes.build_table_address(table(desk, label).key, now=timezone.now())


def both(row: Pairing) -> tuple[Entry, Entry]:
    assert row.a
    assert row.b
    return row.a, row.b


def name(entry: Entry) -> str:
    return entry.player.public_name


def disputed(desk: Desk) -> tuple[Pairing, Phone, Phone]:
    """Have two phones at the first table report opposite results."""
    row = desk.open()[0]
    where = call(desk, row, "1")
    a, b = both(row)
    one, other = Phone(where).sit(a.number), Phone(where).sit(b.number)
    one.post("report", a=5, b=3)
    other.post("report", a=3, b=5)
    return row, one, other


def next_of(desk: Desk, entry: Entry) -> Pairing:
    return next(row for row in desk.open() if entry.pk in {row.a_id, row.b_id})


@pytest.mark.long
def test_after_a_ruling_both_phones_say_what_stands_why_and_what_is_next(desk: Desk) -> None:
    row, one, other = disputed(desk)
    a, b = both(row)

    desk.do(
        disputes.rule_on_match,
        key=row.key,
        decision=Decision.ACCEPT.value,
        entry=b.number,
        reason="I watched the last game",
    )

    for phone, me, them, points in ((one, a, b, "3–5"), (other, b, a, "5–3")):  # noqa: RUF001
        said = phone.look()
        assert phone.status == 200
        assert f"You are {name(me)}." in said
        assert f"The result stands. {name(me)} {points} {name(them)}" in said
        assert f"You {'win' if me == b else 'lose'} {points}." in said
        assert "I watched the last game" in said
        assert "Which player are you?" not in said

    others = next(each for each in desk.open() if not {a.pk, b.pk} & {each.a_id, each.b_id})
    call(desk, others, "1")
    said = one.look()
    assert f"You are {name(a)}." in said, "whoever plays at this table now"
    assert "Which player are you?" not in said
    # Another player who takes the phone can choose another name.
    one.address += "?change"
    assert "Which player are you?" in one.look()


@pytest.mark.long
def test_a_phone_goes_on_to_the_next_match_without_being_asked(desk: Desk) -> None:
    row, one, _other = disputed(desk)
    a, _b = both(row)
    desk.do(disputes.rule_on_match, key=row.key, score=(5, 4), reason="Both remember it now")
    second = desk.open()[0]
    desk.play(second.key)
    following = next_of(desk, a)
    where = call(desk, following, "2")
    opponent = next(entry for entry in both(following) if entry.pk != a.pk)

    said = one.look()
    assert f"against {name(opponent)}" in said
    assert "Table 2" in said
    assert (
        code_in(codes.build_match_address(following, now=timezone.now()))
        in one.browser.get(one.address).content.decode()
    )

    there = Phone(where)
    there.browser = one.browser
    assert f"You are {name(a)}." in there.look()
    assert "Waiting for" in there.post("report", a=5, b=1)
    # With the code of another match the phone has to choose a player.
    theirs = next(each for each in desk.open() if a.pk not in {each.a_id, each.b_id})
    there.address = codes.build_match_address(theirs, now=timezone.now())
    assert "Which player are you?" in there.look()


@pytest.mark.long
def test_a_ruling_to_play_on_is_said_at_the_table(desk: Desk) -> None:
    row, one, _other = disputed(desk)
    desk.do(disputes.rule_on_match, key=row.key, decision=Decision.PLAY_ON.value, reason="Nobody knows")

    said = one.look()

    assert "The director has decided: You play on. Nobody knows" in said
    assert "Report the result" in said


@pytest.mark.long
def test_a_phone_that_has_said_nothing_is_told_nothing(desk: Desk) -> None:
    row, one, _other = disputed(desk)
    desk.do(disputes.rule_on_match, key=row.key, score=(5, 4), reason="Both remember it now")

    assert refusal(Browser(), one.address) == (409, "nobody_at_table")
    assert "Both remember it now" not in Browser().get(one.address).content.decode()


@pytest.mark.long
def test_the_place_is_told_as_it_stands_in_the_final_order(db: None) -> None:
    desk = Desk(timezone.now().replace(microsecond=0))
    rooms.open_room(club=desk.club, by=desk.director, name="Hall", labels="1-3", now=desk.now)
    desk.start(a_plan("single-elimination"), 4)
    row = desk.open()[0]
    where = call(desk, row, "1")
    a, b = both(row)
    phones = {entry: Phone(where).sit(entry.number) for entry in (a, b)}
    desk.play(row.key)
    desk.play_out()

    places = {desk.entry(entry.number).place: phone.look() for entry, phone in phones.items()}
    assert "Your place: 3–4 " in places[3]  # noqa: RUF001
