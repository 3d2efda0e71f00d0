"""Public pages that are made once for all visitors: never old, never another's."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from players.access import context, public_pages
from players.accounts import accounts
from players.clubs import clubs, merging
from players.models import Membership, Role
from runtime.versioned_cache import VersionedCache
from tests import machines
from tests.clubs import change_club
from tests.machines import in_batches
from tests.tournaments import onlookers
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.held import hold
from tests.tournaments.onlookers import Onlookers
from tests.tournaments.play.test_boards import conceded, laid_out
from tests.tournaments.support import text, url
from tests.tournaments.test_machine import Events
from tournaments.base import event_lines, local_times
from tournaments.models import Entry, Tournament
from tournaments.pages import event_parts, page_versions
from tournaments.plan import drawing, setup
from tournaments.plan.templates import StagePlan
from tournaments.play import corrections, departures, directing, event_control, incidents
from tournaments.status import Status

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("standing_clock")]


class Night:
    """A club's event with members and guests in it, and a clock that everybody reads."""

    def __init__(self, now: datetime) -> None:
        self.desk = Desk(now)
        rules = ({"length": 3, "minutes_a_point": "2", "delay_seconds": 12},)
        plan = a_plan([StagePlan(format="single-elimination", rules=rules)])
        self.desk.announce(plan, about="Bring a friend.")
        self.users = {name: self.desk.entrant(name) for name in ("Ann", "Ben", "Cid")}
        self.desk.do(directing.admit_named, names=["Dee Guest", "Eva Guest"])

    def draw(self) -> None:
        self.desk.do(drawing.publish)
        self.desk.fresh()

    def player(self, name: str) -> Any:
        return Entry.objects.select_related("player").get(tournament=self.desk.pk, player__name=name).player

    def board(self) -> Any:
        """Lay out a board for two who have accounts, and play until two of them meet."""
        users = {user.player.pk: user for user in self.users.values()}
        for _ in range(9):
            for row in self.desk.open():
                if row.a and row.b and {row.a.player_id, row.b.player_id} <= users.keys():
                    return laid_out(self.desk, users, row.key), users
            row = self.desk.open()[0]
            lost = [each.number for each in (row.a, row.b) if each and each.player_id not in users]
            won = next(each.number for each in (row.a, row.b) if each and each.number not in lost[:1])
            self.desk.play(row.key, won)
        raise AssertionError("no two of them meet")

    def onlookers(self) -> Onlookers:
        return Onlookers(
            self.desk.club, self.desk.event, member=self.users["Ann"], director=self.desk.director
        )


@pytest.fixture
def night(db: None, now: datetime, monkeypatch: pytest.MonkeyPatch) -> Night:
    made = Night(now)
    monkeypatch.setattr(timezone, "now", lambda: made.desk.now)
    return made


def a_result(night: Night) -> None:
    night.desk.play(night.desk.open()[0].key)


def a_correction(night: Night) -> None:
    row = next(row for row in night.desk.open() if row.a and row.b)
    night.desk.play(row.key)
    night.desk.do(
        corrections.correct_result,
        key=row.key,
        winner=row.b.number,
        score=(0, row.length),
        kind="played",
        reason="no",
    )


def a_live_board(night: Night) -> None:
    match, users = night.board()
    conceded(night.desk, match, users)


def a_merge(night: Night) -> None:
    director, now = night.desk.director, night.desk.now
    stays = clubs.add_guest(club=night.desk.club, name="Eva G.", by=director, now=now)
    merging.merge_guest(kept=stays, dropped=night.player("Eva Guest"), by=director, now=now)


def a_renamed_club(night: Night) -> None:
    change_club(
        night.desk.club, by=night.desk.director, name="There", city="Kiel", about="Come",
        time_zone="Asia/Tokyo", joining="invitation", now=night.desk.now,
    )  # fmt: skip


def another_announcement(night: Night) -> None:
    said = replace(setup.build_details(night.desk.fresh()), name="Friday", place="The cellar")
    night.desk.do(setup.edit, details=said)


def another_colour(night: Night) -> None:
    change_club(night.desk.club, by=night.desk.director, felt="plum", now=night.desk.now)


def a_guest_renamed(night: Night) -> None:
    guest = night.player("Dee Guest")
    clubs.rename_guest(
        club=night.desk.club, player=guest, name="Dora Guest", by=night.desk.director, now=night.desk.now
    )


def a_new_director(night: Night) -> None:
    clubs.set_role(
        club=night.desk.club, player=night.users["Ben"].player, role=Role.DIRECTOR, by=night.desk.director,
        now=night.desk.now,
    )  # fmt: skip


def change(**what: Any) -> Callable[[Night], None]:
    return lambda night: accounts.change(user=night.users["Ann"], now=night.desk.now, **what)


def do(act: Callable[..., Any], **what: Any) -> Callable[[Night], None]:
    return lambda night: night.desk.do(act, **what)


BEFORE: dict[str, Callable[[Night], Any]] = {
    "drawn": Night.draw,
    "a member enters": lambda night: night.desk.entrant("Fay"),
    "another announcement": another_announcement,
    "cancelled": do(directing.cancel_event, reason="Nobody has a board"),
}
WHILE: dict[str, Callable[[Night], Any]] = {
    "a result": a_result,
    "a result corrected": a_correction,
    "a match at a live board": a_live_board,
    "a player leaves": do(departures.withdraw_entry, entry=1),
    "somebody is sent home": do(departures.disqualify_entry, entry=2, reason="threw a checker"),
    "a pause": do(event_control.pause_event, reason="Dinner"),
    "an account is renamed": change(name="Anna"),
    "an alias is shown": change(alias="The Shark", shown_as="alias"),
    "a guest is renamed": a_guest_renamed,
    "the club chooses another colour": another_colour,
    "an account is erased": lambda night: accounts.erase(user=night.users["Ben"], now=night.desk.now),
    "two are one": a_merge,
    "the club is renamed": a_renamed_club,
    "another director": a_new_director,
    "the end": lambda night: night.desk.play_out(),
    "the end before all is played": do(event_control.end_event_early, reason="Last bus"),
}


@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["a result", "an alias is shown", "an account is erased", "two are one", "the club is renamed"]
)
def test_after_an_act_the_next_visitor_sees_it(night: Night, name: str) -> None:
    night.draw()
    who = Onlookers(night.desk.club, night.desk.event)
    who.visit(("de",))

    WHILE[name](night)
    who.look(("de",))


@pytest.mark.long
@pytest.mark.parametrize("name", [*BEFORE, *WHILE])
def test_after_every_act_pages_are_as_they_would_be_made(night: Night, name: str) -> None:
    if name in WHILE:
        night.draw()
    who = night.onlookers()
    who.visit()
    assert len(public_pages.CACHE) > 20, "nothing is kept"

    (BEFORE | WHILE)[name](night)
    who.look()


def test_when_entries_close_nobody_is_asked_to_enter(night: Night) -> None:
    at = night.desk.now + timedelta(seconds=20)
    Tournament.objects.filter(pk=night.desk.pk).update(entries_close_at=at)
    address = url("event", night.desk.event.key)
    for step, is_open in ((-10, True), (-0.000001, True), (0, False), (10, False)):
        night.desk.now = at + timedelta(seconds=step)
        page = text(Client().get(address))
        assert ("Sign in to enter" in page) == is_open


@pytest.mark.long
def test_without_the_state_old_pages_are_noticed(night: Night, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_versions, "compute_event_key", lambda key, *, now: (key,))
    night.draw()
    who = Onlookers(night.desk.club, night.desk.event)
    who.visit(("en",))

    a_result(night)
    with pytest.raises(AssertionError, match="visitor"):
        who.look(("en",))


@pytest.mark.long
@pytest.mark.parametrize("ended", ["an account is erased", "two are one"])
def test_of_a_finished_event_too_names_go_at_once(night: Night, ended: str) -> None:
    night.draw()
    night.desk.play_out()
    who = night.onlookers()
    who.visit(("en",))

    WHILE[ended](night)
    who.look(("en",))
    gone = "Ben" if ended == "an account is erased" else "Eva Guest"
    assert gone not in text(who.visitor.get(url("standings", night.desk.event.key)))


@pytest.mark.long
def test_lists_turn_with_the_clock_alone(night: Night) -> None:
    """An evening begins, is over and falls out of sight; a day ends."""
    event = night.desk.event
    start = event.starts_at + timedelta(days=2, seconds=7.25)
    Tournament.objects.filter(pk=event.pk).update(starts_at=start)
    who = night.onlookers()
    moments = [-event_lines.NIGHT, event_lines.NIGHT, event_lines.LINGERS, timedelta(0)]
    turns = [start + wait for wait in moments]
    turns += [
        start.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=day) for day in (0, 1)
    ]
    for turn in sorted(turns):
        for step in (-0.000001, 0, 0.000001):
            night.desk.now = turn + timedelta(seconds=step)
            for address in ("/", "/events/", "/events/?when=past", url("club_events", night.desk.club.slug)):
                given = who.visitor.get(address)
                assert onlookers.inside(given) == onlookers.inside(
                    onlookers.alone(who.visitor, address, {})
                ), (turn, step, address)


@pytest.mark.long
def test_what_is_said_of_the_end_turns_with_the_five_minutes(night: Night) -> None:
    """On the front page and the club's, to the moment, though nothing else has happened."""
    night.draw()
    night.desk.now += timedelta(hours=3)
    turn = local_times.compute_slot_end(night.desk.now)
    who = Onlookers(night.desk.club, night.desk.event)
    told = set()
    for step in (-0.000001, 0, 0.000001):
        night.desk.now = turn + timedelta(seconds=step)
        for address in ("/", url("club_events", night.desk.club.slug)):
            given = who.visitor.get(address)
            assert onlookers.inside(given) == onlookers.inside(onlookers.alone(who.visitor, address, {}))
            told |= set(re.findall(r'datetime="([^"]+)" data-format="time"', given.text))
    assert len(told) > 1


# Whose


@pytest.mark.long
def test_a_visitor_never_gets_what_was_made_for_somebody(night: Night) -> None:
    night.draw()
    who = night.onlookers()
    for address, headers in who.addresses():
        for client in who.people.values():
            client.get(address, headers=headers)
        assert len(public_pages.CACHE) == 1, "only the page where the visitor's cookie came from"


def test_whoever_has_a_session_or_a_message_gets_a_page_of_their_own(night: Night) -> None:
    address = f"/clubs/{night.desk.club.slug}/"
    for cookies, headers in (
        ({"session": "unknown"}, {}),
        ({"messages": "W10"}, {}),
        ({}, {"Authorization": "Bearer x"}),
    ):
        client = Client()
        client.cookies.load(cookies)
        client.get(address, headers=headers)
    assert len(public_pages.CACHE) == 0
    Client().get(address)
    assert len(public_pages.CACHE) == 1


def test_each_visitor_has_a_secret_of_their_own_and_can_press(night: Night) -> None:
    address = f"/clubs/{night.desk.club.slug}/"
    pages = []
    for _ in range(2):
        client = Client(enforce_csrf_checks=True)
        page = text(client.get(address))
        assert "csrf" in client.cookies
        secret = onlookers.SECRETS.search(page)
        pages.append(secret[2])
        said = {"theme": "dark", "next": address, "csrfmiddlewaretoken": secret[2]}
        assert client.post("/settings/appearance/", said).status_code == 302
        assert 'data-theme="dark"' in text(client.get(address))
    assert pages[0] != pages[1]
    assert 'data-theme="auto"' in text(Client().get(address))


def test_a_draft_is_never_kept(night: Night) -> None:
    key = night.desk.event.key
    Client().get(url("event", key))
    assert len(public_pages.CACHE) == 1
    Tournament.objects.filter(pk=night.desk.pk).update(status=Status.DRAFT)

    assert Client().get(url("event", key)).status_code == 404
    who = night.onlookers()
    assert who.people["director"].get(url("event", key)).status_code == 200
    assert who.visitor.get(url("event", key)).status_code == 404


def test_addresses_that_nobody_wrote_are_answered_and_not_kept(night: Night) -> None:
    night.draw()
    for query in ("?follow=" + "1" * 300, "?as=lists", "?ask=leave&x=1"):
        assert Client().get(url("bracket", night.desk.event.key) + query).status_code == 200
    assert len(public_pages.CACHE) == 0


BUSTING = ("?x=1", "?utm_source=a&fbclid=b", "?x=" + "1" * 2_000, "?x=1&x=2", "?" + "&" * 500)


@pytest.mark.long
def test_parameters_that_a_page_does_not_know_lead_to_the_same_page(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    night.draw()
    made: list[str] = []
    make = public_pages._render_and_cache

    def counted(request: Any, *args: Any, **named: Any) -> Any:
        made.append(request.get_full_path())
        return make(request, *args, **named)

    monkeypatch.setattr(public_pages, "_render_and_cache", counted)
    slug = night.desk.club.slug
    addresses = [
        *("/", "/boards/", "/clubs/", "/events/", "/for/players/", "/play/boards/"),
        *("/help/", "/help/rules/", "/help/glossary/", "/help/exercises/", "/help/terms/"),
        *(
            f"/clubs/{slug}/",
            f"/clubs/{slug}/events/",
            f"/clubs/{slug}/rules/",
            f"/embed/clubs/{slug}/events/",
        ),
        *(
            url(name, night.desk.event.key)
            for name in ("event", "bracket", "standings", "players", "schedule")
        ),
    ]
    addresses = [each for each in addresses if Client().get(each).status_code == 200]
    assert len(addresses) >= 14
    assert len(made) == len(addresses) == len(set(made))

    for address in addresses:
        plain = onlookers.inside(Client().get(address))
        for query in BUSTING:
            answer = Client().get(address + query)
            assert answer.status_code == 200
            assert onlookers.inside(answer) == plain, address + query
        assert Client().get(address + "?%00=%00").status_code == 400, "no address has control characters"

    assert len(made) == len(addresses), "nothing was made again"
    assert len(public_pages.CACHE) == len(addresses), "nobody pushes out what others are given"


def test_what_a_page_knows_counts_once_beside_what_it_does_not_know(night: Night) -> None:
    night.draw()
    page = url("bracket", night.desk.event.key)
    whole = onlookers.inside(Client().get(page + "?follow=2"))
    kept = len(public_pages.CACHE)

    for query in (
        "?follow=1&follow=2",
        "?utm_medium=mail&follow=2",
        "?follow=2&x=1&x=2",
        "?&&follow=2&",
        "?%66ollow=%32",
    ):
        assert onlookers.inside(Client().get(page + query)) == whole

    assert len(public_pages.CACHE) == kept
    assert onlookers.inside(Client().get(page)) != whole


def test_a_search_is_read_although_other_parameters_are_not(night: Night) -> None:
    found = Client().get("/clubs/?q=nobody-is-called-so&utm_source=mail")
    assert "nobody-is-called-so" in found.text
    assert "nobody-is-called-so" not in Client().get("/clubs/").text


def test_no_such_page_and_no_such_method_are_answered_as_ever(night: Night) -> None:
    missing = Client().get("/clubs/nowhere/")
    assert missing.status_code == 404
    assert context.SHARED not in missing.wsgi_request.META
    assert onlookers.SECRETS.search(missing.text)
    page = url("event", night.desk.event.key)
    assert Client().post(page).status_code == 405
    whole = Client().get(page)
    head = Client().head(page)
    assert (head.status_code, head.content) == (200, b"")
    assert head["Content-Length"] == whole["Content-Length"]


# At once


def test_many_who_ask_at_once_are_one_piece_of_work() -> None:
    cache = VersionedCache(public_pages.MOST_BYTES)
    now = timezone.now()
    made, together = [], threading.Barrier(6)

    def ask() -> None:
        together.wait()
        with cache.making("page"):
            if cache.find("page", 1, now=now) is None:
                made.append(1)
                cache.put("page", public_pages.build_entry(1, b"text", iter(()), now=now))

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert not cache._making


def test_the_shelf_has_so_much_room() -> None:
    now = timezone.now()
    cache = VersionedCache(100_000)
    for number in range(50):
        cache.put(number, public_pages.build_entry(1, b"x" * 8_000, iter(()), now=now))
        assert cache.find(0, 1, now=now), "what is asked for stays"
    assert cache.size == sum(one.size for one in cache._kept.values()) <= cache.room
    assert cache.find(1, 1, now=now) is None
    cache.put("large", public_pages.build_entry(1, b"x" * 50_000, iter(()), now=now))
    assert cache.find("large", 1, now=now) is None


def test_kept_is_right_as_long_as_mark_and_time_say() -> None:
    now = timezone.now()
    until = now + timedelta(seconds=5)
    one = public_pages.build_entry(1, b"text", iter(()), now=now, until=until)
    assert one.is_right(1, now)
    assert not one.is_right(2, now)
    assert not one.is_right(1, until)
    assert not one.is_right(1, now - timedelta(microseconds=1))
    longest = public_pages.build_entry(1, b"text", iter(()), now=now)
    assert not longest.is_right(1, now + public_pages.LASTS)
    assert longest.value.text("secret") == b"text"


# Changes of events


class Watched(Events):
    """Any night, and a person who comes back after each act."""

    who: Onlookers | None = None

    def __init__(self) -> None:
        super().__init__()
        public_pages.CACHE.clear()
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(timezone, "now", lambda: self.desk.now)
        # A large event's forecast may be some seconds old (`test_timetable`).
        self.patch.setattr(event_parts, "KEPT", timedelta(0))

    def teardown(self) -> None:
        try:
            super().teardown()
        finally:
            self.patch.undo()

    @precondition(lambda self: self.desk.event is not None)
    @rule(data=st.data(), name=st.sampled_from(["Mo", "Zoé", "<b>"]))
    def a_guest_is_renamed(self, data: st.DataObject, name: str) -> None:
        who = self.desk.player(data.draw(st.sampled_from(self.entries())))
        if Membership.objects.filter(player=who, club=self.desk.club).exists():
            clubs.rename_guest(
                club=self.desk.club, player=who, name=name, by=self.desk.director, now=self.desk.now
            )

    @precondition(lambda self: self.is_on)
    @rule(data=st.data())
    def somebody_is_called(self, data: st.DataObject) -> None:
        if todo := self.desk.open():
            self.attempt(incidents.call_match, key=data.draw(st.sampled_from(todo)).key, table="7")

    @precondition(lambda self: self.desk.event is not None)
    @rule(hours=st.integers(0, 9))
    def time_passes(self, hours: int) -> None:
        self.desk.now += timedelta(hours=hours, seconds=13)

    @invariant()
    def pages_are_as_they_would_be_made(self) -> None:
        if self.desk.event is not None:
            self.who = self.who or Onlookers(self.desk.club, self.desk.event)
            self.who.look(("en",))

    @invariant()
    def what_is_kept_is_as_it_would_be_read(self) -> None:
        if self.desk.event is not None:
            hold(self.desk)


@pytest.mark.long
def test_whatever_happens_pages_are_as_they_would_be_made() -> None:
    machines.run(Watched, examples=2, steps=5, derandomize=True)


@pytest.mark.slow
def test_whatever_happens_pages_are_as_they_would_be_made_for_minutes() -> None:
    in_batches(lambda examples: machines.run(Watched, examples=examples, steps=15), examples=60)
