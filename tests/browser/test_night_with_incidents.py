"""A night of sixteen guests at six tables with incidents, directed by clicks that are counted.

It begins with a stranger who founds a club. Two guests come late, one does not come, two dispute, a result
is corrected two rounds later, and one goes home. It is played as a Swiss, where latecomers join with the
next round and the wrong result has been paired on, and as the knock-out with consolation that is proposed,
where latecomers wait for the places of others and the correction takes later results with it.

After each act and each round, what the API and the public page show is compared with what follows from the
results that the test has entered (`tests.simulation.checker`): in a Swiss every player's place, points,
tie-breaks and number of matches, in a knock-out who meets whom, which results count, and the places that
each player has or can reach.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from players.models import User
from tests.browser.eyes import faults
from tests.browser.people import PHONE, listening, overflow, snap, toast
from tests.browser.test_few_acts import Counted, play_first_night
from tests.browser.test_first_run import NAMES
from tests.browser.test_night_of_sixteen import Worker, worker
from tests.browser.test_table_reports import reports, says
from tests.runtime.support import until
from tests.simulation import checker
from tests.simulation.checker import ConsolationSheet, Ending, EventPlan, Seat, SwissTable
from tournaments.base import codes
from tournaments.models import Entry, Pairing, Tournament
from tournaments.play import results
from tournaments.status import Status
from venue.models import Table

pytestmark = pytest.mark.long
__all__ = ["worker"]
# The director does not play.
GUESTS = (*NAMES[1:], "Rosa Nilsen")
LATE = ("Gia Moreau", "Theo Lang")
ROUNDS = 5
MOST_CLICKS = 25
ACCOUNT_FIELDS = 3
# More turns than a knock-out of sixteen has.
MOST_TURNS = 12
# Seconds.
PATIENCE = 30.0
# No round of the event is after it.
NEVER = 99
LOOKS = ((1280, "light"), (1280, "dark"), (375, "light"), (375, "dark"))


@dataclass
class Act:
    """An act of the director, and what it took; taps are those of guests on their phones."""

    name: str
    clicks: int = 0
    fields: int = 0
    taps: int = 0
    is_result: bool = False


class Director(Counted):
    """A director whose clicks and fields are counted by act."""

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self.acts: list[Act] = []

    @contextmanager
    def act(self, name: str, *, is_result: bool = False) -> Iterator[Act]:
        """Count what is clicked and filled within."""
        self.clicks = self.fields = 0
        done = Act(name, is_result=is_result)
        yield done
        done.clicks, done.fields = self.clicks, self.fields
        self.acts.append(done)

    def count_clicks(self) -> int:
        """Return the clicks of everything but results."""
        return sum(act.clicks for act in self.acts if not act.is_result)

    def format_acts(self) -> str:
        """Return a table of the acts; those of one name are one line."""
        lines = [f"{'act':<44}{'times':>6}{'clicks':>8}{'fields':>8}{'taps':>6}"]
        for is_result in (False, True):
            acts = [act for act in self.acts if act.is_result is is_result]
            lines.extend(
                _format_line(name, [act for act in acts if act.name == name])
                for name in dict.fromkeys(act.name for act in acts)
            )
            lines.append(_format_line("RESULTS" if is_result else "BEYOND RESULTS", acts))
        return "\n".join(lines)


def _format_line(name: str, acts: list[Act]) -> str:
    sums = [sum(getattr(act, of) for act in acts) for of in ("clicks", "fields", "taps")]
    return f"{name:<44}{len(acts):>6}{sums[0]:>8}{sums[1]:>8}{sums[2]:>6}"


@dataclass
class Night:
    """The results that the test has entered, and the pages that show them."""

    event: Tournament
    by: User
    page: Page
    public: Page
    form: str = "swiss"
    # By match: kind, winner, score.
    entered: dict[str, tuple[str, int, list[int] | None]] = field(default_factory=dict)
    pairs: dict[str, set[int]] = field(default_factory=dict)
    # By entry: the rounds in which it is not there.
    away: dict[int, range] = field(default_factory=dict)
    checks: int = 0

    def ask(self, what: str) -> list[dict[str, Any]]:
        found = self.public.request.get(f"/api/v1/events/{self.event.key}/{what}/?page_size=200")
        return list(found.json()["results"])

    def names(self) -> dict[int, str]:
        return {row["number"]: row["name"] for row in self.ask("entries")}

    def find_entry(self, name: str) -> int:
        return next(number for number, each in self.names().items() if each == name)

    def open(self, number: int = 0) -> list[dict[str, Any]]:
        """Wait until matches of a round, or any, are open, and return them."""
        return until(
            lambda: [
                row for row in self.ask("pairings") if row["state"] == "ready" and number in {0, row["round"]}
            ]
        )

    def called(self, number: int = 0) -> list[dict[str, Any]]:
        """Wait until matches of a round, or any, are called, and return them in the order of their tables."""
        found = until(lambda: [row for row in self.open(number) if row["table"]])
        return sorted(found, key=lambda row: int(row["table"]))

    def enter(self, row: dict[str, Any]) -> None:
        """Enter a result without the browser."""
        score = choose_score(row)
        results.enter_result(
            tournament_id=self.event.pk, key=row["key"], score=score, by=self.by, now=timezone.now()
        )
        self.note(row, score)

    def note(self, row: dict[str, Any], score: tuple[int, int]) -> None:
        winner = row["a"]["entry"] if score[0] > score[1] else row["b"]["entry"]
        self.entered[row["key"]] = ("played", winner, list(score))
        self.pairs[row["key"]] = {row["a"]["entry"], row["b"]["entry"]}

    def check(self) -> None:
        """Compare the API and the open public page with what was entered."""
        pairings, ranking = until(self._load)
        shown = {row["key"]: row for row in pairings if row["b"]["entry"]}
        found = {key: (row["kind"], row["winner"], row["score"]) for key, row in shown.items() if row["kind"]}
        assert found == self.entered
        table = SwissTable([self._read_match(row) for row in shown.values()], self.away)
        self._check_byes(table, pairings)
        wanted = table.rank()
        assert [(each.entry, each.rank, each.shared) for each in wanted] == [
            (row["entry"], row["rank"], row["shared"]) for row in ranking
        ]
        for each, row in zip(wanted, ranking, strict=True):
            figures = {name: Fraction(row["figures"][name]) for name in each.figures}
            assert figures == each.figures, self.names()[each.entry]
        # Each match gives a point to one of its two; each bye one once its round is over.
        assert sum(table.points.values()) == len(self.entered) + self._count_byes(table)
        self._check_page(wanted)
        self.checks += 1

    def is_over(self) -> bool:
        self.event.refresh_from_db()
        return self.event.status == Status.FINISHED

    def _load(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]] | None:
        """Load matches and order of one moment; None if something changed between the two."""
        before = self.ask("pairings")
        ranking = self.ask("standings")
        return (before, ranking) if self.ask("pairings") == before else None

    def _read_match(self, row: dict[str, Any]) -> Any:
        kind, winner, _score = self.entered.get(row["key"], ("", None, None))
        a, b = (SimpleNamespace(number=row[side]["entry"]) for side in "ab")
        return SimpleNamespace(
            a=a,
            b=b,
            kind=kind,
            winner=winner and SimpleNamespace(number=winner),
            round=SimpleNamespace(number=row["round"]),
        )

    def _check_byes(self, table: SwissTable, pairings: list[dict[str, Any]]) -> None:
        """In a finished round, the entrants without a match have the bye: at most one, and each once."""
        byes = {number: table.list_byes(number) for number in range(1, table.rounds + 1)}
        shown = {row["round"]: [row["a"]["entry"]] for row in pairings if row["state"] == "bye"}
        assert {number: each for number, each in byes.items() if each} == {
            number: each for number, each in shown.items() if byes.get(number) or number < table.rounds
        }
        once = Counter(entry for each in byes.values() for entry in each)
        assert set(once.values()) <= {1}, byes

    def _count_byes(self, table: SwissTable) -> int:
        return sum(len(table.list_byes(number)) for number in range(1, table.rounds + 1))

    def _check_page(self, wanted: list[checker.SwissRank]) -> None:
        """Wait until the open public page says the same."""
        names = self.names()
        rows = self.public.locator("table.standings tbody tr:has(th[scope=row])")
        expect(rows.locator("th[scope=row] > a")).to_have_text([names[each.entry] for each in wanted])
        expect(rows.locator("td:nth-of-type(1)")).to_have_text(
            [re.compile(rf"^\D*{each.rank}(\D{each.rank + each.shared - 1})?\D*$") for each in wanted]
        )
        expect(rows.locator("td:nth-of-type(2)")).to_have_text([str(each.played) for each in wanted])
        expect(rows.locator("td:nth-of-type(3)")).to_have_text(
            [format_points(each.figures["points"]) for each in wanted]
        )


@dataclass
class KnockOutNight(Night):
    """A knock-out with consolation."""

    form: str = "knock-out"
    seats: dict[str, tuple[Seat, Seat]] = field(default_factory=dict)
    late: dict[tuple[str, int], int] = field(default_factory=dict)

    def read_draw(self) -> None:
        """Store the published bracket."""
        for row in self.ask("pairings"):
            one, other = (
                Seat(row[side]["origin"], row[side]["of"], row[side]["entry"] or 0) for side in "ab"
            )
            self.seats[row["key"]] = one, other

    def check(self) -> None:
        """Compare the API and the open public page with what was entered."""
        pairings, ranking = until(self._load)
        sheet = self._build_sheet()
        decided = {row["key"]: (row["kind"], row["winner"], row["score"]) for row in pairings if row["kind"]}
        assert decided == {key: self.entered[key] for key in sheet.counts}
        sits = {row["key"]: tuple(row[side]["entry"] for side in "ab") for row in pairings}
        assert sits == {key: (a or None, b or None) for key, (a, b) in sheet.sits.items()}
        spans = sheet.list_spans()
        found = {row["entry"]: (row["rank"], row["rank"] + row["shared"] - 1, row["open"]) for row in ranking}
        assert found == spans
        names = self.names()
        # Before the first places are certain, the page says of those who play only where they are.
        wanted = {
            names[entry]: {_format_span(span), "" if span.is_open else _format_span(span)}
            for entry, span in spans.items()
        }
        until(lambda: self._shows(wanted), within=PATIENCE)
        self.checks += 1

    def forget_lost_results(self) -> None:
        """Forget what a correction has taken with it: if the same two meet there again, they play again."""
        self.entered = {key: self.entered[key] for key in self._build_sheet().counts}

    def _build_sheet(self) -> ConsolationSheet:
        endings = {
            key: Ending(frozenset(self.pairs[key]), kind, winner)
            for key, (kind, winner, _score) in self.entered.items()
        }
        gone = {entry for entry, rounds in self.away.items() if rounds.stop == NEVER}
        return ConsolationSheet(self.seats, endings, gone, self.late)

    def _shows(self, wanted: dict[str, set[str]]) -> bool:
        """True if the public page shows one of the wanted texts as the place of each player."""
        rows = self.public.locator("table.standings tbody tr:has(th[scope=row])")
        found: list[list[str]] = rows.evaluate_all(
            "rows => rows.map(row => [row.querySelector('th > a').innerText, row.cells[0].innerText])"
        )
        # A medal says that it is one of a place.
        shown = {name: place.replace("Place", "").strip() for name, place in found}
        return shown.keys() == wanted.keys() and all(shown[name] in texts for name, texts in wanted.items())


def _format_span(span: checker.Span) -> str:
    return f"{span.first}" if span.first == span.last else f"{span.first}–{span.last}"  # noqa: RUF001


def choose_score(row: dict[str, Any]) -> tuple[int, int]:
    """Choose the result of a match; two of three go to the first player."""
    lost, length = row["number"] % 5, row["length"]
    return (length, lost) if (row["round"] + row["number"]) % 3 else (lost, length)


def format_points(points: Fraction) -> str:
    whole, rest = divmod(points, 1)
    return f"{whole}" if not rest else f"{whole or ''}½"


def look(page: Page, name: str) -> None:
    """Look at a page in four ways; axe looks at the last."""
    for width, theme in LOOKS:
        page.set_viewport_size({"width": width, "height": 800 if width > 1000 else 740})
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        assert overflow(page) <= 0, (name, width)
        snap(page, f"incidents-{name}-{width}-{theme}", full=False)
        snap(page, f"incidents-{name}-{width}-{theme}-full")
    assert faults(page) == [], name
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 800})


def type_result(night: Night, hand: Director, row: dict[str, Any]) -> None:
    """Type the result of a match into its row of the desk, and submit it with Enter."""
    score = choose_score(row)
    with hand.act("result typed at the desk", is_result=True):
        entry = night.page.locator(f".match--desk:has([name=match][value='{row['key']}']) input[name=score]")
        entry.fill(f"{score[0]} {score[1]}")
        hand.fields += 1
        entry.press("Enter")
        expect(entry).to_have_count(0)
    night.note(row, score)


def open_phones(night: Night, row: dict[str, Any], another: Callable[..., Page]) -> tuple[Page, Page]:
    """Have the two of a match open the code of their table, each on their own phone, and say who they are."""
    table = Table.objects.get(room__events__event=night.event, label=row["table"])
    address = codes.build_table_address(table.key, now=timezone.now())
    names = night.names()
    phones = another(**PHONE), another(**PHONE, color_scheme="dark")
    for phone, side in zip(phones, "ab", strict=True):
        phone.goto(address)
        says(phone, names[row[side]["entry"]])
    return phones


def play_round(night: Night, hand: Director, number: int = 0) -> None:
    """Play what is open of a round, or at all: the first is typed at the desk, the others come at once."""
    rows = night.open(number)
    type_result(night, hand, rows[0])
    night.check()
    for row in rows[1:]:
        night.enter(row)
    night.check()


def let_in(night: Night, hand: Director, name: str, number: int) -> None:
    """Enter a latecomer, who plays from the next round on."""
    with hand.act("a latecomer"):
        hand.follow("Let a latecomer in")
        hand.fill("Or a guest's name", name)
        hand.press("Let a latecomer in")
        expect(toast(night.page, f"{name}: From round {number} on.")).to_be_visible()
    night.away[night.find_entry(name)] = range(1, number)
    night.check()


def put_on_list(night: Night, hand: Director, name: str) -> None:
    """Put a latecomer on the waiting list: the bracket is full."""
    with hand.act("a latecomer on the waiting list"):
        hand.follow("Let a latecomer in")
        hand.fill("Or a guest's name", name)
        expect(night.page.get_by_label("On the waiting list")).to_be_checked()
        look(night.page, f"{night.form}-late")
        hand.press("Let a latecomer in")
        expect(toast(night.page, f"{name}: On the waiting list")).to_be_visible()
    night.check()


def give_place(night: KnockOutNight, hand: Director, name: str) -> None:
    """Let in the player whom the desk names, since a place has come free."""
    needs = night.page.locator(".needs")
    expect(needs).to_contain_text(f"There is a place for {name}")
    look(night.page, f"{night.form}-place")
    with hand.act("a free place for a latecomer"):
        hand.click(needs.get_by_role("button", name=f"Let in {name}"))
        expect(toast(night.page, f"{name}: Consolation")).to_be_visible()
    entry = night.find_entry(name)
    [seat] = [
        (row["key"], "ab".index(side))
        for row in night.ask("pairings")
        for side in "ab"
        if row[side]["entry"] == entry and row[side]["origin"] == "late"
    ]
    night.late[seat] = entry
    night.away[entry] = range(0)
    night.check()


def enter_no_show(night: Night, hand: Director, row: dict[str, Any]) -> None:
    """The second player of a match does not come."""
    table = night.page.locator(f".room__table:has([name=match][value='{row['key']}'])")
    missing = night.names()[row["b"]["entry"]]
    with hand.act("a no-show from the table's menu"):
        hand.click(table.locator(".menu > summary"))
        hand.press(f"No-show: {missing}")
        expect(toast(night.page, "The no-show is entered.")).to_be_visible()
    night.entered[row["key"]] = ("no-show", row["a"]["entry"], None)
    night.pairs[row["key"]] = {row["a"]["entry"], row["b"]["entry"]}
    night.check()


def dispute(night: Night, hand: Director, row: dict[str, Any], another: Callable[..., Page]) -> None:
    """One reports on the phone, the other disputes; the director says who is right."""
    names = night.names()
    score = choose_score(row)
    one, other = open_phones(night, row, another)
    reports(one, *score)
    other.get_by_role("button", name="Dispute").click()
    expect(one.get_by_text("The director decides")).to_be_visible()
    expect(night.page.locator(".needs .count")).to_have_text("1")
    look(night.page, f"{night.form}-dispute")
    with hand.act("ruling on a dispute") as act:
        # Who they are, the report, the dispute.
        act.taps = 4
        hand.follow("Rule on this match")
        look(night.page, f"{night.form}-ruling")
        hand.fill(r"Why\?", "I watched the last game")
        hand.click(night.page.get_by_role("button", name=f"{names[row['a']['entry']]} is right:"))
        expect(toast(night.page, "The ruling is made")).to_be_visible()
    night.note(row, score)
    for phone in (one, other):
        expect(phone.get_by_text("I watched the last game")).to_be_visible()
    look(one, f"{night.form}-ruled-phone")
    night.check()


def report_by_phones(night: Night, hand: Director, row: dict[str, Any], another: Callable[..., Page]) -> None:
    """One reports, the other confirms."""
    score = choose_score(row)
    with hand.act("result on two phones", is_result=True) as act:
        act.taps = 4
        one, other = open_phones(night, row, another)
        reports(one, *score)
        other.get_by_role("button", name="Confirm").click()
        expect(other.get_by_text("The result stands.").first).to_be_visible()
    night.note(row, score)
    night.check()


def correct(night: Night, hand: Director, key: str, loses: str = "") -> None:
    """Turn a result round that has been paired on; the page says what is lost with it."""
    row = next(each for each in night.ask("pairings") if each["key"] == key)
    names = night.names()
    said = f"{names[row['a']['entry']]} – {names[row['b']['entry']]}"  # noqa: RUF001
    score = (row["score"][1], row["score"][0])
    with hand.act("a correction two rounds later"):
        tabs = night.page.get_by_role("navigation", name="Which matches")
        hand.click(tabs.get_by_role("link", name=re.compile("^Decided")))
        look(night.page, f"{night.form}-decided")
        hand.click(night.page.get_by_role("link", name=re.compile(rf"^Correct\s*: {said}$")))
        hand.fill("Score", f"{score[0]} {score[1]}")
        if loses:
            expect(night.page.locator("#preview-card")).to_contain_text(loses)
        hand.fill(r"Why\?", "Wrong way round")
        look(night.page, f"{night.form}-correction")
        hand.press("Correct the result")
        expect(toast(night.page, "The result is corrected.")).to_be_visible()
        # The desk is where the director left it; the next results are typed elsewhere.
        hand.click(tabs.get_by_role("link", name=re.compile("^To be played")))
    night.note(row, score)
    night.check()


def withdraw(night: Night, hand: Director, row: dict[str, Any]) -> None:
    """The second player of a match goes home at once."""
    name = night.names()[row["b"]["entry"]]
    with hand.act("a withdrawal"):
        hand.follow("Withdraw a player")
        hand.choose("Player", name)
        hand.press("See the consequences")
        expect(night.page.get_by_role("heading", name="What will happen")).to_be_visible()
        look(night.page, f"{night.form}-withdrawal")
        hand.press("Withdraw a player")
        expect(toast(night.page, "The player is withdrawn.")).to_be_visible()
    night.entered[row["key"]] = ("withdrawal", row["a"]["entry"], None)
    night.pairs[row["key"]] = {row["a"]["entry"], row["b"]["entry"]}
    night.away[row["b"]["entry"]] = range(row["round"] + 1, NEVER)
    night.check()


def begin(hand: Director, another: Callable[..., Page], form: type[Night], template: str = "") -> Night:
    """Found the club and publish the draw; the public page of the standings is open from then on."""
    page = hand.page
    page.set_viewport_size({"width": 1280, "height": 800})
    with hand.act("founding the club, and the draw"):
        first = play_first_night(page, GUESTS, template)
        hand.clicks, hand.fields = first.clicks, first.fields + ACCOUNT_FIELDS
    listening(page)
    expect(page.locator(".room__table--called")).to_have_count(6)
    event = Tournament.objects.get()
    public = another(viewport={"width": 1280, "height": 800})
    public.goto(f"/events/{event.key}/standings/")
    listening(public)
    night = form(event, User.objects.get(), page, public)
    night.away = dict.fromkeys(night.names(), range(0))
    return night


def test_a_swiss_with_incidents_takes_few_clicks(
    site: str, page: Page, another: Callable[..., Page], worker: Worker, capsys: pytest.CaptureFixture[str]
) -> None:
    hand = Director(page)
    night = begin(hand, another, Night, "Swiss")
    night.check()
    look(page, "swiss-first-round")

    # Round 1: one does not come, another comes late.
    first_round = night.called(1)
    enter_no_show(night, hand, first_round[0])
    let_in(night, hand, LATE[0], 2)
    report_by_phones(night, hand, first_round[1], another)
    play_round(night, hand, 1)

    # Round 2: a bye, the second latecomer, and a dispute.
    let_in(night, hand, LATE[1], 3)
    dispute(night, hand, night.called(2)[1], another)
    play_round(night, hand, 2)

    # Round 3 is under way when a result of the first turns out to be wrong.
    rows = night.called(3)
    type_result(night, hand, rows[0])
    night.enter(rows[1])
    night.check()
    correct(night, hand, first_round[2]["key"])
    play_round(night, hand, 3)

    # Round 4: one goes home in the middle of a match.
    withdraw(night, hand, night.called(4)[2])
    play_round(night, hand, 4)

    # Round 5 is the last.
    look(page, "swiss-last-round")
    look(night.public, "swiss-standings")
    play_round(night, hand, ROUNDS)

    finish(night, hand, capsys)


def test_a_knock_out_with_incidents_takes_few_clicks(
    site: str, page: Page, another: Callable[..., Page], worker: Worker, capsys: pytest.CaptureFixture[str]
) -> None:
    hand = Director(page)
    night = begin(hand, another, KnockOutNight)
    night.read_draw()
    night.check()

    # Two come late and wait. One does not come and one goes home: the consolation has a place for each.
    first_round = night.called()
    for name in LATE:
        put_on_list(night, hand, name)
    enter_no_show(night, hand, first_round[0])
    give_place(night, hand, LATE[0])
    report_by_phones(night, hand, first_round[1], another)
    withdraw(night, hand, first_round[2])
    give_place(night, hand, LATE[1])
    play_round(night, hand)

    # Quarter-finals, and the consolation begins.
    dispute(night, hand, night.called()[1], another)
    play_round(night, hand)

    # The semi-finals are under way when a result of the first round turns out to be wrong.
    rows = night.called()
    type_result(night, hand, rows[0])
    correct(night, hand, first_round[3]["key"], "no longer count")
    night.forget_lost_results()
    look(night.public, "knock-out-standings")
    for _ in range(MOST_TURNS):
        if night.is_over():
            break
        play_round(night, hand)

    finish(night, hand, capsys)


def finish(night: Night, hand: Director, capsys: pytest.CaptureFixture[str]) -> None:
    """The event ends automatically, every entrant has a place, and the director needed few clicks."""
    page = night.page
    expect(page.get_by_role("button", name="Archive the event")).to_be_visible()
    assert night.is_over()
    entries = list(Entry.objects.filter(tournament=night.event))
    rows = list(Pairing.objects.filter(tournament=night.event).select_related("a", "b", "winner", "round"))
    plan = EventPlan([{"format": night.form}], 0, len(entries), is_paired_by_worker=False, is_quiet=False)
    assert list(checker.find_problems(plan, entries, rows)) == []
    assert len(entries) == len(GUESTS) + len(LATE)
    assert {entry.number: entry.place for entry in entries} == {
        row["entry"]: row["rank"] for row in night.ask("standings")
    }
    look(page, f"{night.form}-over")
    look(night.public, f"{night.form}-order")
    clicks = hand.count_clicks()
    with capsys.disabled():
        print(f"\n{night.form}\n{hand.format_acts()}\n{night.checks} times compared")
    assert clicks <= MOST_CLICKS
