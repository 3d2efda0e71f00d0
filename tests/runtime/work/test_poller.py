"""The work of a process each second: one statement, a heartbeat when it is due, and sweeps that have work."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.play import deadlines
from runtime import batched_exists, nodes
from runtime.models import Node, Outbox, Pulse, SweepRun
from runtime.work import jobs, outbox, poller, sweeps
from runtime.work.poller import Poller
from runtime.work.sweeps import Sweep
from tests.matches.support import Table, club_terms

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
# For a move that may be on its way.
GRACE = timedelta(seconds=2)
WRITING = ("INSERT", "UPDATE", "DELETE")


class Sender:
    """A process that sends, and what it sent at each tick."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.poller = Poller(nodes.Heartbeat("web"), send=lambda sweep: self.sent.append(sweep.name))

    def tick(self, now: datetime) -> list[str]:
        self.sent.clear()
        self.poller.tick(now)
        return list(self.sent)


@pytest.fixture
def sender(now: datetime) -> Sender:
    """A sender after its first tick, which sends the sweeps without a query."""
    found = Sender()
    assert found.tick(now) == ["tidy"]
    return found


def spoken(act: Any) -> list[str]:
    with CaptureQueriesContext(connection) as met:
        act()
    return [query["sql"] for query in met]


def test_an_idle_second_is_one_statement(sender: Sender, now: datetime) -> None:
    for second in range(1, 9):  # sooner than any heart beats again
        said = spoken(lambda at=now + second * SECOND: sender.tick(at))
        assert len(said) == 1
        assert said[0].startswith("SELECT")
    assert not SweepRun.objects.exists()


@pytest.mark.long
def test_an_idle_quarter_of_an_hour_beats_each_half_minute_and_writes_nothing_else(
    sender: Sender, now: datetime
) -> None:
    sent, written = [], 0
    for second in range(1, 901):
        with CaptureQueriesContext(connection) as met:
            sent += sender.tick(now + second * SECOND)
        written += any(query["sql"].startswith(WRITING) for query in met)
    assert sent == ["tidy"]
    pace = nodes._get_slow_interval() - nodes.BEAT
    assert written == 900 // pace.total_seconds()


def test_only_what_has_something_to_do_is_sent(sender: Sender, now: datetime) -> None:
    outbox.queue_mail(to="kit@club.example", subject="s", body="b", dedupe_key="m", now=now)
    assert sender.tick(now + SECOND) == ["outbox-default"]
    assert sender.tick(now + 2 * SECOND) == ["outbox-default"], "until it is done, each second"
    Outbox.objects.update(done_at=now)
    assert sender.tick(now + 3 * SECOND) == []


def test_what_is_due_later_is_sent_when_it_is_due(sender: Sender, now: datetime) -> None:
    outbox.put(
        "runtime.mail", {}, dedupe_key="later", now=now, due_at=now + timedelta(seconds=2.5), queue="slow"
    )
    assert [sender.tick(now + second * SECOND) for second in (1, 2, 3)] == [[], [], ["outbox-slow"]]


def test_a_deadline_is_found_within_a_second_of_its_time(sender: Sender, now: datetime) -> None:
    table = Table(now)
    table.begin()
    due = table.row.deadline_at
    assert "matches.deadlines" not in sender.tick(due - timedelta(milliseconds=1))
    assert "matches.deadlines" in sender.tick(due + timedelta(milliseconds=999))


@pytest.mark.long
def test_a_flag_falls_by_what_is_sent_and_only_then_something_is_claimed(
    sender: Sender, now: datetime
) -> None:
    table = Table(now)
    table.begin()
    at, due = now, table.row.deadline_at
    assert due is not None
    while not table.state.match.is_over:
        at += SECOND
        for name in sender.tick(at):
            if name == "matches.deadlines":
                sweeps.run(name, now=at)
        assert at < due + timedelta(minutes=1)
    assert SweepRun.objects.get(name="matches.deadlines").claimed_at == at
    assert due + GRACE <= at < due + GRACE + SECOND


@pytest.mark.parametrize("name", [sweep.name for sweep in sweeps.list_sweeps() if sweep.due])
def test_a_sweep_with_nothing_to_do_is_one_question_and_writes_nothing(name: str, now: datetime) -> None:
    said = spoken(lambda: sweeps.run(name, now=now))
    assert len(said) == 1
    assert said[0].startswith("SELECT")
    assert not SweepRun.objects.exists()


def test_every_sweep_that_runs_each_few_seconds_has_a_question() -> None:
    assert [each.name for each in sweeps.list_sweeps() if each.due is None] == ["tidy"]


# The heart


def test_a_clock_that_starts_quickens_the_heart_within_a_second(sender: Sender, now: datetime) -> None:
    sender.tick(now + SECOND)
    assert Pulse.objects.get().seen_at == now
    Table(now + 2 * SECOND).begin()
    for second in range(3, 9):
        sender.tick(now + second * SECOND)
        pulse = Pulse.objects.get()
        assert (pulse.seen_at, pulse.until) == (now + second * SECOND, now + (second + 3) * SECOND)
        assert Node.objects.get().until == now + (second + 8) * SECOND


def test_when_the_last_clock_stands_it_slows_down_again(sender: Sender, now: datetime) -> None:
    table = Table(now)
    table.begin()
    sender.tick(now + SECOND)
    type(table.match).objects.update(deadline_at=None, status="paused")
    seen = set()
    for second in range(2, 29):
        sender.tick(now + second * SECOND)
        seen.add(Pulse.objects.get().seen_at)
    assert len(seen) <= 3
    assert nodes.list_outages(now, now + 29 * SECOND) == []


def test_a_match_by_correspondence_hurries_nobody_before_its_last_day(sender: Sender, now: datetime) -> None:
    table = Table(now, agreed=club_terms(clock="correspondence"))
    table.begin()
    due = table.row.deadline_at
    hurry = {"hurry": nodes.query_running_clocks}
    assert batched_exists.find_true(hurry, now=now + SECOND) == set()
    assert batched_exists.find_true(hurry, now=due - deadlines.SAME_DAY) == {"hurry"}


def test_who_only_looks_out_asks_one_short_question(now: datetime) -> None:
    worker = Poller(nodes.Heartbeat("worker"))
    worker.tick(now)
    [said] = spoken(lambda: worker.tick(now + SECOND))
    assert said.count("EXISTS") == 1


# Sending


def test_a_sweep_is_sent_to_its_queue_and_lapses(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[str, dict[str, Any]]] = []
    monkeypatch.setattr(jobs, "queue_task", lambda task, _, **what: sent.append((task, what)))
    for sweep in sweeps.list_sweeps():
        poller.queue_sweep(sweep)
        task, what = sent[-1]
        assert task == "runtime.sweep"
        assert (what["queue"], what["name"]) == (sweep.queue, sweep.name)
        assert what["expires"] >= max(5, sweep.every.total_seconds())


def test_a_worker_that_looks_sends_what_has_something_to_do(
    monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    sent: list[str] = []
    monkeypatch.setattr(poller, "queue_sweep", lambda sweep: sent.append(sweep.name))
    monkeypatch.setattr(poller, "_turns", sweeps.PollSchedule())
    poller.queue_due_sweeps(now=now)
    outbox.queue_mail(to="kit@club.example", subject="s", body="b", dedupe_key="m", now=now)
    poller.queue_due_sweeps(now=now + SECOND)
    assert sent == ["tidy", "outbox-default"]


def test_a_clock_that_is_put_back_stops_no_sweep(sender: Sender, now: datetime) -> None:
    assert sender.tick(now - timedelta(hours=2)) == ["tidy"]


# Questions


QUESTIONS: dict[str, batched_exists.Question] = {
    "seen": lambda at: [Node.objects.filter(seen_at__lte=at)],
    "before": lambda at: [Node.objects.filter(seen_at__lte=at - SECOND)],
    "after": lambda at: [Node.objects.filter(seen_at__lte=at + SECOND)],
    "never": lambda at: [Node.objects.none()],
    "either": lambda at: [Node.objects.none(), Pulse.objects.filter(until__gt=at)],
}


def test_many_questions_are_one_statement_and_each_knows_the_time(now: datetime) -> None:
    nodes.record_heartbeat(role="web", now=now, name="a")
    found = []
    for second in (-1, 0, 1, 3):
        said = spoken(
            lambda at=now + second * SECOND: found.append(batched_exists.find_true(QUESTIONS, now=at))
        )
        assert len(said) == 1
    assert found == [
        {"after", "either"},
        {"seen", "after", "either"},
        {"seen", "before", "after", "either"},
        {"seen", "before", "after"},
    ]


def test_no_question_is_no_statement(now: datetime) -> None:
    assert spoken(lambda: batched_exists.find_true({}, now=now)) == []


@pytest.mark.parametrize(
    "sweep", [each for each in sweeps.list_sweeps() if each.due], ids=lambda each: each.name
)
def test_a_question_with_a_gap_is_the_question_with_the_time(sweep: Sweep, now: datetime) -> None:
    """The SQL that is compiled once must give the results of the queryset."""
    assert sweep.due is not None
    sql, given = batched_exists._compile_question(sweep.due, connection.vendor)
    assert sql.count("%s") == len(given)
    whole = [rows.query.exists().get_compiler(connection=connection).as_sql() for rows in sweep.due(now)]
    # Remove the parentheses around expressions.
    plain = sql.replace("(%s)", "%s")
    assert plain == "(" + " OR ".join(f"EXISTS({text})" for text, _ in whole).replace("(%s)", "%s") + ")"
    assert batched_exists._fill_parameters(given, now) == [value for _, values in whole for value in values]
