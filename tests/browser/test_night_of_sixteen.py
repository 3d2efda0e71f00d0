"""A club night of sixteen with consolation on six tables: from "The same again" to the final order in few
presses.

The director presses, with the mouse or with the keyboard alone; sixteen phones check in, see their calls, and
report. The queue calls the matches automatically. At each turn the test checks for every player whether their
phone says where and when they play next.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from statistics import median, quantiles
from typing import Any

import pytest
from django.db import connections
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from players.models import User
from tests.browser.eyes import faults
from tests.browser.people import PHONE, drain, listening, overflow, snap, toast, wear
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import Browser, url
from tournaments.base.settings import Settings
from tournaments.models import Entry, Pairing, PairingState, Tournament
from tournaments.plan import drawing
from tournaments.play import directing, entering
from tournaments.status import Status
from venue.models import Assignment, CallMode
from venue.rooms import room_settings, rooms

pytestmark = pytest.mark.long
NAMES = (
    "Ada Okafor", "Bo Lindqvist", "Cem Aydin", "Dina Voss", "Emil Sand", "Fay Moreau", "Gita Rao", "Hugo Lind",
    "Ines Prado", "Jon Falk", "Kira Novak", "Leo Brandt", "Mia Toivonen", "Nils Berg", "Olga Petrova", "Pim Jansen",
)  # fmt: skip
MOST_PRESSES = 8
# As many stops as no page has.
MOST_TABS = 250
# More turns than any night of sixteen has.
MOST_TURNS = 60


class Mouse:
    """A director's hand on the mouse: every press is counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.presses = 0

    def press(self, role: Any, name: str) -> None:
        found = self.page.get_by_role(role, name=name, exact=True)
        found.and_(self.page.locator(":visible")).first.click()
        self.presses += 1


class Keys(Mouse):
    """A director without a mouse: Tab until what is meant has the focus, then Enter, which is what is counted."""

    def press(self, role: Any, name: str) -> None:
        found = self.page.get_by_role(role, name=name, exact=True)
        meant = found.and_(self.page.locator(":visible")).first
        expect(meant).to_be_visible()
        for _ in range(MOST_TABS):
            self.page.keyboard.press("Tab")
            if meant.evaluate("each => each === document.activeElement"):
                break
        else:
            raise AssertionError(f"Tab never came to {name}")
        self.page.keyboard.press("Enter")
        self.presses += 1


@dataclass
class Worker:
    """What the product's worker does beside the server: it carries out what changes have caused."""

    over: threading.Event = field(default_factory=threading.Event)
    problems: list[BaseException] = field(default_factory=list)

    def run(self) -> None:
        try:
            while not self.over.is_set():
                drain()
                self.over.wait(0.02)
        except BaseException as problem:
            self.problems.append(problem)
        finally:
            connections.close_all()


@pytest.fixture
def worker(site: str) -> Iterator[Worker]:
    found = Worker()
    thread = threading.Thread(target=found.run, name="worker")
    thread.start()
    yield found
    found.over.set()
    thread.join(60)
    assert not found.problems


@dataclass
class Night:
    """The sixteen and their phones."""

    desk: Desk
    people: dict[int, User]
    phones: dict[int, Browser]
    questions: list[str] = field(default_factory=list)
    event: Tournament = None  # type: ignore[assignment]

    def phone(self, entry: Entry) -> Browser:
        return self.phones[entry.player_id]

    def asks_nothing(self) -> None:
        """Record a question to the desk for each player whose phone does not say where and when they play."""
        for pk, phone in self.phones.items():
            told = phone.get("/api/v1/me/matches/").json()
            mine = next((each for each in told["events"] if each["event"] == self.event.key), None)
            answers = [
                bool(match["table"] or match["queue"] or match["step"])
                for match in told["matches"]
                if match["event"] == self.event.key
            ]
            if mine is not None and not answers:
                # The player has no open match: the page says whom they wait for, or that their evening is
                # over.
                answers = [bool(step["title"]) for step in mine["ahead"][:1]] or [True]
            if not answers or not all(answers):
                self.questions.append(f"{self.people[pk].player.name}: {told['matches']}, {mine}")

    def open(self) -> list[Assignment]:
        rows = Assignment.objects.filter(pairing__tournament=self.event, ended_at__isnull=True)
        rows = rows.filter(pairing__state=PairingState.READY).select_related(
            "pairing__a__player", "pairing__b__player", "table"
        )
        return list(rows.order_by("called_at", "pk"))

    def is_over(self) -> bool:
        self.event.refresh_from_db()
        return self.event.status == Status.FINISHED

    def play(self, call: Assignment, *, but: User | None) -> None:
        """Have two come to their table and report, from the phones in their pockets; *but* has their own
        page."""
        a, b = call.pairing.a, call.pairing.b
        assert a is not None
        assert b is not None
        if but is not None and but.player.pk in {a.player_id, b.player_id}:
            return
        for entry in (a, b):
            self.phone(entry).post(reverse("venue:answer", args=[call.uid]), {"say": "here"})
        length = str(call.pairing.length)
        said = {"match": call.pairing.key, "own": length, "other": str(call.pairing.position % 4)}
        assert self.phone(a).post(url("report", self.event.key), said).status_code == 302
        answer = self.phone(b).post(url("confirm", self.event.key), {"match": call.pairing.key})
        assert answer.status_code == 302
        call.pairing.refresh_from_db()
        assert call.pairing.state == PairingState.DECIDED


@pytest.fixture
def night(site: str) -> Night:
    """Last week's evening, played to its end, and the phones of its sixteen."""
    desk = Desk((timezone.now() - timedelta(days=7)).replace(microsecond=0))
    people = {}
    for name in NAMES:
        user = desk.member(name)
        people[user.player.pk] = user
    desk.announce(a_plan("progressive-consolation", Settings(needs_check_in=True)))
    # The event begins shortly, on the same evening a week later, so the desk does not offer to move the
    # start.
    Tournament.objects.filter(pk=desk.pk).update(starts_at=desk.now + timedelta(minutes=5))
    desk.do(directing.admit_members, player_keys=[user.player.key for user in people.values()])
    desk.do(entering.check_in_entries, entries=list(range(1, len(NAMES) + 1)))
    room = rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="1-6", now=desk.now)
    room_settings.set_room(
        event=desk.event, room=room, mode=CallMode.AUTOMATIC, by=desk.director, now=desk.now
    )
    desk.do(drawing.publish)
    desk.play_out()
    assert desk.fresh().status == Status.FINISHED
    drain()
    phones = {}
    for pk, user in people.items():
        phones[pk] = Browser()
        phones[pk].force_login(user)
    return Night(desk, people, phones)


@pytest.mark.parametrize("hand_of", [Mouse, Keys])
def test_a_night_of_sixteen_in_few_presses(
    site: str,
    page: Page,
    another: Callable[..., Page],
    night: Night,
    worker: Worker,
    hand_of: type[Mouse],
    capsys: pytest.CaptureFixture[str],
) -> None:
    before, words = night.desk.event, hand_of.__name__.lower()
    page.set_viewport_size({"width": 1280, "height": 900})
    wear(page, site, night.desk.director)
    page.goto(before.get_absolute_url())
    listening(page)
    hand = hand_of(page)

    hand.press("link", "The same again next week")
    hand.press("button", "Make the draft")
    expect(page.get_by_text("Look it over, then announce it.")).to_be_visible()
    hand.press("link", "Announce it")
    hand.press("button", "Announce it")
    # Who announces a draft comes to its roster.
    hand.press("button", "Enter the 16 from last time")
    expect(page.get_by_text("16 players entered.")).to_be_visible()
    night.event = Tournament.objects.exclude(pk=before.pk).get()
    assert night.event.waits_for_call, "it is played in the same room"

    # Check-in: everybody says it on their own phone, one of them on a page.
    # The second time, where it is about the director's keys, all sixteen do without.
    ada = next(iter(night.people.values())) if hand_of is Mouse else None
    phone = _with_a_page(night, another(**PHONE), site, ada) if ada is not None else None
    for pk, browser in night.phones.items():
        if ada is None or pk != ada.player.pk:
            browser.post(url("check_in", night.event.key))
    expect(page.locator("#event-roster .is-here")).to_have_count(16)
    snap(page, f"night-1-roster-{words}")

    hand.press("link", "Go to the draw")
    hand.press("button", "Draw")
    expect(page.locator(".drawn__pair")).to_have_count(8)
    snap(page, f"night-2-draw-{words}")
    hand.press("button", "Publish")
    expect(page.get_by_role("heading", name="Director's desk")).to_be_visible()
    listening(page)
    if phone is not None:
        phone.goto("/me/")
        listening(phone)

    # From here on the director presses nothing: the queue calls, and the phones report.
    turn = 0
    while not night.is_over():
        turn += 1
        assert turn < MOST_TURNS, "the night goes on for ever"
        calls = _called(night)
        if night.is_over():
            break
        if turn in {1, 4}:
            expect(
                page.locator(".room__table--called, .room__table--seen, .room__table--here").first
            ).to_be_visible()
            snap(page, f"night-3-desk-{turn}-{words}")
        night.asks_nothing()
        for call in calls:
            night.play(call, but=ada)
        if phone is not None and ada is not None:
            _play_at_the_page(night, phone, ada, f"{turn}-{words}")

    assert hand.presses <= MOST_PRESSES
    assert night.questions == []
    _final(night, page, words)
    if phone is not None:
        phone.goto(night.event.get_absolute_url())
        expect(phone.locator("#event-head .podium").first).to_be_visible()
        assert overflow(phone) <= 0
    waited = _from_result_to_call(night)
    with capsys.disabled():
        print(
            f"\nnight of sixteen by {words}: {hand.presses} presses, {len(waited)} calls after a result, "
            f"median {median(waited):.2f} s, nine in ten within {quantiles(waited, n=10)[-1]:.2f} s"
        )


def _with_a_page(night: Night, phone: Page, site: str, user: User) -> Page:
    """Check a person in on their own phone's page."""
    wear(phone, site, user)
    phone.goto(night.event.get_absolute_url())
    phone.get_by_role("button", name="I am here").click()
    expect(toast(phone, "You are checked in.")).to_be_visible()
    return phone


def _called(night: Night) -> list[Assignment]:
    """Wait until a person is called, or all is played."""
    pause = threading.Event()
    for _ in range(3_000):
        if (calls := night.open()) or night.is_over():
            return calls
        pause.wait(0.04)
    raise AssertionError("nobody is called, and the event is not over")


def _play_at_the_page(night: Night, phone: Page, ada: User, words: str) -> None:
    """Have Ada answer her call on the card that fills her screen, and report on her page; her opponent agrees."""
    call = next(
        (
            each
            for each in night.open()
            if each.pairing.a
            and each.pairing.b
            and ada.player.pk in {each.pairing.a.player_id, each.pairing.b.player_id}
        ),
        None,
    )
    if call is None:
        return
    card = phone.locator("dialog.called")
    expect(card.get_by_role("heading", name=f"Table {call.table}", exact=True)).to_be_visible()
    snap(phone, f"night-4-card-{words}", full=False)
    card.get_by_role("button", name="I am at the table").click()
    expect(card.get_by_text("You are at the table.")).to_be_visible()
    phone.goto(night.event.get_absolute_url())
    other = call.pairing.b if call.pairing.a and call.pairing.a.player_id == ada.player.pk else call.pairing.a
    assert other is not None
    night.phone(other).post(reverse("venue:answer", args=[call.uid]), {"say": "here"})
    if card.is_visible():
        card.get_by_role("button", name="Close").click()
    phone.locator(".mine").get_by_role("textbox", name="You").fill(str(call.pairing.length))
    phone.locator(".mine").get_by_role("textbox", name=other.player.name).fill("2")
    phone.get_by_role("button", name="Report", exact=True).click()
    expect(phone.get_by_text("You have reported").first).to_be_visible()
    said = {"match": call.pairing.key}
    assert night.phone(other).post(url("confirm", night.event.key), said).status_code == 302
    phone.goto("/me/")
    listening(phone)


def _final(night: Night, page: Page, words: str) -> None:
    """The event ends automatically, and every entrant has a place."""
    expect(page.get_by_role("button", name="Archive the event")).to_be_visible()
    assert faults(page) == []
    assert overflow(page) <= 0
    snap(page, f"night-5-over-{words}")
    places = Counter(Entry.objects.filter(tournament=night.event).values_list("place", flat=True))
    assert None not in places
    assert sum(places.values()) == len(NAMES)
    assert places[1] == 1
    page.goto(f"{night.event.get_absolute_url()}standings/")
    expect(page.locator("tbody tr")).to_have_count(len(NAMES))
    snap(page, f"night-6-order-{words}")


def _from_result_to_call(night: Night) -> list[float]:
    """The delay of each call, from the time at which its table was free and both players were known."""
    calls = list(
        Assignment.objects.filter(pairing__tournament=night.event)
        .select_related("pairing")
        .order_by("called_at")
    )
    found = []
    for call in calls:
        before = [each.ended_at for each in calls if each.table_id == call.table_id and each.ended_at]
        free = max((at for at in before if at <= call.called_at), default=None)
        opened = call.pairing.opened_at
        assert opened is not None
        if free is not None:
            found.append((call.called_at - max(free, opened)).total_seconds())
    assert len(calls) == Pairing.objects.filter(tournament=night.event, kind="played").count()
    return found
