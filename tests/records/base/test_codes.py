"""The codes of a match and of a table: their content, their permitted users, and each refusal."""

from __future__ import annotations

import html
import re
from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from records.models import Holder, SheetAct
from records.sheets.coded_matches import AFTER_THE_END
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.pages.test_pages_player import Two
from tests.tournaments.support import Browser
from tournaments.base import codes
from tournaments.base.codes import MatchCode, TableCode
from tournaments.base.settings import Settings
from tournaments.models import PairingState, Report, ReportedBy, Tournament
from tournaments.play import corrections, results
from tournaments.status import Status
from venue.calls import calling
from venue.models import Table
from venue.rooms import rooms

pytestmark = pytest.mark.today

MATCH = "main/1.1"


@pytest.fixture(autouse=True)
def _database(db: None) -> None:
    """All of these need one."""


def text(answer: HttpResponse) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


class Phone:
    """A browser without an account, at an address."""

    def __init__(self, address: str) -> None:
        self.address, self.browser = address, Browser()
        self.status = 0

    def look(self) -> str:
        answer = self.browser.get(self.address)
        self.status = answer.status_code
        return text(answer)

    def post(self, do: str, **said: object) -> str:
        page = self.browser.get(self.address).content.decode()
        found = re.search(r'name="match" value="([^"]+)"', page)
        return self.send(do, match=found[1] if found else "", **said)

    def send(self, do: str, **said: object) -> str:
        answer = self.browser.post(self.address, {"do": do, **said})
        self.status = answer.status_code
        if answer.status_code == 302:
            return self.look_after()
        return text(answer)

    def look_after(self) -> str:
        return text(self.browser.get(self.address))

    def sit(self, number: int) -> Phone:
        self.post("who", player=number)
        assert self.status == 302
        return self


def address(two: Two) -> str:
    return codes.build_match_address(two.match(), now=timezone.now())


def code_in(where: str) -> str:
    return where.rstrip("/").rpartition("/")[2]


def numbers(two: Two) -> tuple[int, int]:
    row = two.match()
    return row.a.number, row.b.number


def refusal(page: Client, where: str) -> tuple[int, str]:
    answer = page.get(where)
    found = re.search(r'data-code="(\w+)"', answer.content.decode())
    return answer.status_code, found[1] if found else ""


def test_what_a_code_says_is_read_again(two: Two) -> None:
    row = two.match()
    now = timezone.now()
    code = codes.build_match_code(row, now)

    said = codes.parse_code(code)

    assert isinstance(said, MatchCode)
    assert (said.pairing_id, said.seats) == (row.pk, (row.a_id, row.b_id))
    assert timedelta(days=1) <= said.until - now <= timedelta(days=2)
    assert codes.build_match_code(row, now + timedelta(seconds=1)) == code
    table = codes.parse_code(codes.build_table_code("abcdefghij", 7, now))
    assert isinstance(table, TableCode)
    assert (table.table, table.event_id) == ("abcdefghij", 7)
    assert table.until - now <= timedelta(days=31)


def test_a_match_with_a_deadline_has_a_code_until_then(two: Two) -> None:
    row = two.match()
    row.deadline_at = timezone.now() + timedelta(days=14)

    assert codes.parse_code(codes.build_match_code(row, timezone.now())).until > row.deadline_at


@pytest.mark.parametrize(
    "spoil", [lambda code: code[:-1], lambda code: code.replace("-", "9-", 1), lambda _: "x~y"]
)
def test_nobody_else_makes_one(two: Two, spoil: object) -> None:
    code = codes.build_match_code(two.match(), timezone.now())
    spoiled = spoil(code)  # type: ignore[operator]
    assert spoiled != code

    assert codes.parse_code(spoiled) is None
    assert refusal(Browser(), f"/m/{spoiled}/") == (404, "code_unreadable")


def test_what_is_said_on_a_page_about_another_match_is_refused(two: Two) -> None:
    a, _b = numbers(two)
    phone = Phone(address(two)).sit(a)

    said = phone.send("report", match=str(uuid4()), a=5, b=2)

    assert phone.status == 409
    assert "another match" in said
    assert not Report.objects.exists()


def test_a_page_of_one_match_stays_with_it_when_the_table_has_another(desk: Desk, now: datetime) -> None:
    desk.start(a_plan("single-elimination"), 4)
    _table, where, _ = a_table(desk, now)
    sheet = reverse("records:code_sheet", args=[code_in(where)])

    assert refusal(Browser(), f"{sheet}?match={uuid4()}") == (409, "other_match")
    assert refusal(Browser(), f"{sheet}?match=nonsense") == (409, "other_match")


@pytest.mark.long
def test_one_question_and_the_result_is_reported_and_confirmed(two: Two) -> None:
    a, b = numbers(two)
    one, other = Phone(address(two)), Phone(address(two))
    assert "Which player are you?" in one.look()
    one.sit(a)
    assert "Waiting for" in one.post("report", a=5, b=2)
    said = other.sit(b).look()
    assert "says: you 2" in said

    other.post("confirm", a=5, b=2)

    row = two.match()
    assert (row.state, row.score_a, row.score_b) == (PairingState.DECIDED, 5, 2)
    assert "The result stands." in one.look()
    assert one.status == 200
    # A device that comes after the match is decided gets an error.
    assert refusal(Browser(), address(two)) == (409, "match_decided")


@pytest.mark.long
def test_the_same_phone_does_not_confirm_itself(two: Two) -> None:
    a, b = numbers(two)
    phone = Phone(address(two)).sit(a)
    phone.post("report", a=5, b=2)
    phone.sit(b)

    for do in ("confirm", "report"):
        said = phone.post(do, a=5, b=2)
        assert phone.status == 409
        assert "was reported from this device" in said
    assert two.match().state == PairingState.READY


@pytest.mark.long
def test_nor_after_its_owner_has_signed_out(two: Two) -> None:
    a, b = numbers(two)
    row = two.match()
    phone = Phone(address(two))
    number = 0 if row.a and row.a.player.user_id == two.users[0].pk else 1
    phone.browser.force_login(two.users[number])
    # Anyone who plays here and is signed in is not asked.
    phone.post("report", a=5, b=2)
    assert Report.objects.get().by.number == a
    phone.browser.cookies.pop("session")
    phone.sit(b)

    phone.post("confirm", a=5, b=2)

    assert phone.status == 409
    assert two.match().state == PairingState.READY


@pytest.mark.long
def test_a_report_from_the_events_page_marks_its_browser(two: Two) -> None:
    _, b = numbers(two)
    row = two.match()
    number = 0 if row.a and row.a.player.user_id == two.users[0].pk else 1
    two.post(number, "report", own="5", other="2")
    assert Report.objects.get().device
    phone = Phone(address(two))
    phone.browser = two.browsers[number]
    phone.browser.cookies.pop("session")
    phone.sit(b)

    phone.post("confirm", a=5, b=2)

    assert phone.status == 409


@pytest.mark.long
def test_the_score_sheet_is_kept_without_an_account(two: Two) -> None:
    a, b = numbers(two)
    one = Phone(address(two)).sit(a)
    sheet = f"{address(two)}sheet/"
    game = {"do": "game", "key": "abcdefgh1", "number": "1", "winner": "a", "end": "backgammon", "cube": "2"}

    assert one.browser.get(sheet).status_code == 200
    assert one.browser.post(sheet, game).status_code == 302

    tap = SheetAct.objects.get()
    report = Report.objects.get()
    assert (tap.by, report.score_a, report.score_b) == (None, 5, 0)
    assert tap.device == report.device != ""
    # The other phone sees it, and may not undo what this one reported.
    other = Phone(address(two)).sit(b)
    assert "says: you 0" in other.look()
    undo = {"do": "undo", "key": "abcdefgh2", "number": "1"}
    assert other.browser.post(sheet, undo).status_code == 302
    assert Report.objects.get().status == "open"


def test_the_sheet_asks_first_who_one_is(two: Two) -> None:
    sheet = f"{address(two)}sheet/"

    assert Browser().get(sheet)["Location"] == address(two)
    answer = Browser().get(sheet, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (409, "who_are_you")
    assert "First choose which player you are." in Phone(address(two)).post("report", a=5, b=2)


def test_it_expires(two: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    where = address(two)
    phone = Phone(where).sit(numbers(two)[0])
    real = timezone.now
    monkeypatch.setattr("django.utils.timezone.now", lambda: real() + timedelta(days=2))

    assert refusal(phone.browser, where) == (410, "code_expired")
    phone.send("report", match=str(two.match().uid), a=5, b=2)
    assert phone.status == 410
    assert not Report.objects.exists()


@pytest.mark.long
def test_it_is_good_for_these_two_only(two: Two) -> None:
    where = address(two)
    phone = Phone(where).sit(numbers(two)[0])
    two.desk.do(corrections.exchange_players, entry=numbers(two)[0], other=numbers(two)[1], reason="mixed up")
    row = two.match()
    # Exchanged, they sit under each other's numbers; moved, another person sits here.
    row.a, row.b = row.b, row.a
    row.save()

    assert refusal(phone.browser, where) == (409, "code_moved")
    phone.send("report", match=str(row.uid), a=5, b=2)
    assert phone.status == 409
    assert not Report.objects.exists()


@pytest.mark.long
def test_what_is_sent_of_a_decided_match_is_refused(two: Two) -> None:
    phone = Phone(address(two)).sit(numbers(two)[0])
    uid = str(two.match().uid)
    two.desk.do(results.enter_result, key=MATCH, score=(2, 5))

    said = phone.send("report", match=uid, a=5, b=2)

    assert phone.status == 409
    assert "Its result: Runa" in said or "Its result: Otis" in said
    assert two.match().score_b == 5


@pytest.mark.long
def test_what_is_sent_of_another_match_is_refused(two: Two) -> None:
    phone = Phone(address(two)).sit(numbers(two)[0])

    said = phone.send("report", match="another", a=5, b=2)

    assert phone.status == 409
    assert "belongs to another match" in said
    assert not Report.objects.exists()


@pytest.mark.long
def test_a_table_leads_to_the_match_at_it(two: Two, now: datetime) -> None:
    desk = two.desk
    room = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="4", now=now)
    table = room.tables.get()
    where = codes.build_table_address(table.key, now=now)
    assert refusal(Browser(), where) == (409, "nobody_at_table")
    calling.call(table=table, event=desk.fresh(), key=MATCH, by=desk.director, now=now)
    a, b = numbers(two)
    Phone(where).sit(a).post("report", a=5, b=2)

    # The code of the match itself leads to the same.
    Phone(address(two)).sit(b).post("confirm", a=5, b=2)

    assert two.match().state == PairingState.DECIDED
    assert refusal(Browser(), where) == (409, "nobody_at_table")


def a_table(desk: Desk, now: datetime) -> tuple[Table, str, str]:
    """Call the first match to a table; return the table, its code's address and the key of the match."""
    room = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="4", now=now)
    table = room.tables.get()
    first = next(iter(desk.pairs()))
    where = codes.build_table_address(table.key, now=now)
    calling.call(table=table, event=desk.fresh(), key=first, by=desk.director, now=now)
    return table, where, first


@pytest.mark.long
def test_the_code_of_a_table_ends_with_its_event_and_returns_with_it(desk: Desk, now: datetime) -> None:
    desk.start(a_plan("single-elimination"), 4)
    _, where, _ = a_table(desk, now)
    assert Browser().get(where).status_code == 200

    over = now - AFTER_THE_END
    event = Tournament.objects.filter(pk=desk.event.pk)
    event.update(status=Status.FINISHED, finished_at=over + timedelta(hours=1))
    assert Browser().get(where).status_code == 200, "the last reports still come in"
    event.update(finished_at=over)
    assert refusal(Browser(), where) == (410, "code_expired")

    event.update(status=Status.RUNNING, finished_at=None)
    assert Browser().get(where).status_code == 200

    event.update(status=Status.CANCELLED)
    assert refusal(Browser(), where) == (410, "code_expired")


@pytest.mark.long
def test_the_code_of_an_event_that_is_over_does_not_open_the_next_one(desk: Desk, now: datetime) -> None:
    desk.start(a_plan("single-elimination"), 4)
    table, where, first = a_table(desk, now)
    desk.do(results.enter_result, key=first, score=(5, 1))
    Tournament.objects.filter(pk=desk.event.pk).update(
        status=Status.FINISHED, finished_at=now - timedelta(days=7)
    )

    assert codes.build_table_address(table.key, now=now) == "", "no event is open"

    desk.start(a_plan("single-elimination"), 4)
    calling.call(table=table, event=desk.fresh(), key=next(iter(desk.pairs())), by=desk.director, now=now)

    assert refusal(Browser(), where) == (410, "code_expired")
    assert Browser().get(codes.build_table_address(table.key, now=now)).status_code == 200


def call_another(desk: Desk, table: Table, *, begun: datetime) -> Tournament:
    """Start another event that began at *begun*, and call its first match to the table."""
    desk.do(results.enter_result, key=next(iter(desk.pairs())), score=(5, 1))
    event = desk.start(a_plan("single-elimination"), 4)
    Tournament.objects.filter(pk=event.pk).update(starts_at=begun, started_at=begun)
    calling.call(
        table=table, event=desk.fresh(), key=next(iter(desk.pairs())), by=desk.director, now=desk.now
    )
    return event


@pytest.mark.long
def test_a_card_for_the_room_opens_events_of_the_next_three_days(desk: Desk, now: datetime) -> None:
    desk.start(a_plan("single-elimination"), 4)
    table, where, _ = a_table(desk, now)
    printed = codes.parse_code(code_in(where))
    assert isinstance(printed, TableCode)
    other = call_another(desk, table, begun=now + timedelta(hours=2))
    assert Browser().get(where).status_code == 200, "a side event of the same evening"

    began = Tournament.objects.filter(pk=other.pk)
    began.update(started_at=now - timedelta(days=50))
    assert Browser().get(where).status_code == 200, "a league in its last week"
    began.update(started_at=printed.printed + timedelta(days=3))
    assert Browser().get(where).status_code == 200
    began.update(started_at=printed.printed + timedelta(days=3, minutes=1))
    assert refusal(Browser(), where) == (409, "other_event")


@pytest.mark.long
def test_cards_that_are_printed_before_a_weekend_open_its_side_events(desk: Desk, now: datetime) -> None:
    event = desk.start(a_plan("single-elimination"), 4)
    table, _, _ = a_table(desk, now)
    where = reverse(
        "records:at_table", args=[codes.build_table_code(table.key, event.pk, now - timedelta(days=20))]
    )
    call_another(desk, table, begun=now + timedelta(days=2))

    assert Browser().get(where).status_code == 200


@pytest.mark.long
def test_an_old_card_opens_nothing_next_month(desk: Desk, now: datetime) -> None:
    """A league that goes on keeps a photographed card alive for 30 days; others at the table are out of its reach."""
    league = desk.start(a_plan("single-elimination"), 4)
    began = now - timedelta(days=40)
    Tournament.objects.filter(pk=league.pk).update(starts_at=began, started_at=began, name="Winter League")
    table, _, _ = a_table(desk, now)
    printed = now - timedelta(days=25)
    for_room, for_league = (
        reverse(
            "records:at_table",
            args=[codes.build_table_code(table.key, league.pk, printed, is_for_event=is_for_event)],
        )
        for is_for_event in (False, True)
    )
    assert [Browser().get(each).status_code for each in (for_room, for_league)] == [200, 200], (
        "its own matches"
    )

    call_another(desk, table, begun=now)

    uid, number = str(desk.row(next(iter(desk.pairs()))).uid), desk.entry(1).number
    for where in (for_room, for_league):
        phone = Browser()
        assert refusal(phone, where) == (409, "other_event")
        assert "This code is for Winter League" in text(phone.get(where))
        for said in ({"do": "who", "player": number}, {"do": "report", "a": 5, "b": 0}):
            assert phone.post(where, {"match": uid, **said}).status_code == 409
        for way in ("sheet/", "photos/", "transcription/"):
            assert phone.get(f"{where}{way}?match={uid}").status_code == 409
        api = phone.get(f"/api/v1/codes/{code_in(where)}/")
        assert (api.status_code, api.json()["code"]) == (409, "other_event")
    assert not Holder.objects.exists()
    assert not Report.objects.exists()
    assert Browser().get(codes.build_table_address(table.key, now=now)).status_code == 200, "a new print does"


@pytest.mark.long
def test_a_card_for_an_event_opens_no_other(desk: Desk, now: datetime) -> None:
    event = desk.start(a_plan("single-elimination"), 4)
    table, for_room, _ = a_table(desk, now)
    for_event = codes.build_table_address(table.key, now=now, event_id=event.pk)
    assert Browser().get(for_event).status_code == 200

    other = call_another(desk, table, begun=now)

    assert Browser().get(for_room).status_code == 200
    assert refusal(Browser(), for_event) == (409, "other_event")
    for_other = codes.build_table_address(table.key, now=now, event_id=other.pk)
    assert Browser().get(for_other).status_code == 200


@pytest.mark.long
def test_what_was_meant_for_the_match_before_is_refused_at_a_table(desk: Desk, now: datetime) -> None:
    desk.start(a_plan("single-elimination"), 4)
    room = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="4", now=now)
    table = room.tables.get()
    first, second = list(desk.pairs())
    where = codes.build_table_address(table.key, now=now)
    calling.call(table=table, event=desk.fresh(), key=first, by=desk.director, now=now)
    phone = Phone(where)
    phone.look()
    uid = str(desk.row(first).uid)
    number = desk.row(first).a.number  # type: ignore[union-attr]
    desk.do(results.enter_result, key=first, score=(5, 1))
    calling.call(table=table, event=desk.fresh(), key=second, by=desk.director, now=now)

    phone.send("who", match=uid, player=number)

    assert phone.status == 409
    assert not Holder.objects.exists()


@pytest.mark.long
def test_a_sheet_that_a_table_led_to_hears_that_its_match_is_over(desk: Desk, now: datetime) -> None:
    desk.start(a_plan("single-elimination"), 4)
    room = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="4", now=now)
    first, second = list(desk.pairs())
    where = codes.build_table_address(room.tables.get().key, now=now)
    calling.call(table=room.tables.get(), event=desk.fresh(), key=first, by=desk.director, now=now)
    row = desk.row(first)
    phone = Phone(where).sit(row.a.number)
    asked = {"Accept": "application/json"}
    tap = {"do": "game", "key": "a-tap-of-the-first", "number": 1, "winner": "a", "match": str(row.uid)}

    def meets(status: int, code: str = "") -> str:
        for answer in (
            phone.browser.get(f"{where}sheet/", {"match": str(row.uid)}, headers=asked),
            phone.browser.post(f"{where}sheet/", tap, headers=asked),
        ):
            assert (answer.status_code, answer.json().get("code", "")) == (status, code)
        return str(answer.json().get("problem", ""))

    meets(200)
    assert SheetAct.objects.count() == 1
    desk.do(results.enter_result, key=first, score=(5, 1))
    assert "This match is over. Its result: " in meets(409, "match_decided")
    # With others at the table as well: nothing is written on their sheet.
    calling.call(table=room.tables.get(), event=desk.fresh(), key=second, by=desk.director, now=now)
    meets(409, "match_decided")
    assert (
        phone.browser.get(f"{where}sheet/", {"match": "nothing"}, headers=asked).json()["code"]
        == "other_match"
    )
    assert SheetAct.objects.count() == 1


@pytest.mark.long
def test_in_an_event_of_the_director_nothing_is_reported(now: datetime) -> None:
    two = Two(Desk(now), Settings(reporting=ReportedBy.DIRECTOR)).start()
    phone = Phone(address(two)).sit(numbers(two)[0])

    assert "the director enters the results" in phone.look()
    phone.post("report", a=5, b=2)
    assert phone.status == 409


@pytest.mark.long
def test_silence_is_counted_down(now: datetime) -> None:
    two = Two(Desk(now), Settings(confirm_minutes=15)).start()
    phone = Phone(address(two)).sit(numbers(two)[0])

    phone.post("report", a=5, b=2)

    assert "Becomes final at" in phone.look()
    assert "data-until=" in phone.browser.get(address(two)).content.decode()


def test_the_code_is_shown_to_the_two_and_to_directors(two: Two) -> None:
    where = f"/events/{two.key}/code/{MATCH}/"
    assert "<svg" in two.browsers[0].get(where).content.decode()
    director = Browser(two.desk.director)
    assert where in director.get(f"/events/{two.key}/matches/{MATCH}/").content.decode()
    assert "<svg" in director.get(where).content.decode()
    assert Browser().get(where).status_code == 302


def test_the_code_of_a_table_is_shown_to_directors(two: Two, now: datetime) -> None:
    desk = two.desk
    room = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="4", now=now)
    where = f"/clubs/{desk.club.slug}/tables/{room.tables.get().key}/code/"
    director = Browser(desk.director)

    assert where in director.get(f"/clubs/{desk.club.slug}/rooms/").content.decode()
    assert "<svg" in director.get(where).content.decode()
    assert two.browsers[0].get(where).status_code == 403
