"""The call paths in docs/architecture.md: each is run, and its functions are called in that order."""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from django.conf import settings

from engine import verdict
from matches.journal import live
from records.models import Outcome
from records.submissions import record_outcomes, submissions
from runtime.models import Queue
from runtime.stream import relay
from runtime.stream.guard import Reader
from runtime.stream.hub import Hub, TopicState
from runtime.work import outbox
from tests.matches.support import Table
from tests.records.submissions.test_record_outcomes import hand_in, record, reported, sits
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.pages.test_pages_player import Two
from tournaments.base.settings import Settings
from tournaments.play import backlog, deadlines, incidents, results

pytestmark = pytest.mark.django_db

ROOT = str(settings.BASE_DIR)
FAULTY = b""" 5 point match

 Game 1
 Ann : 0                         Ben : 0
  1) 31: 8/5 6/5                 42: 24/3
"""


def list_functions(title: str) -> list[str]:
    """The functions of one way, as the document has them."""
    text = (Path(ROOT) / "docs" / "architecture.md").read_text()
    section = text.split(f"\n### {title}\n")[1].split("\n#")[0]
    return re.findall(r"^\d+\. `([\w.]+)`", section, re.M)


def walked(walk: Callable[[], object]) -> list[str]:
    """The qualified names of the project's functions that a walk calls, in order."""
    calls: list[str] = []

    def look(frame: FrameType, event: str, _given: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(ROOT):
            calls.append(f"{frame.f_globals['__name__']}.{frame.f_code.co_qualname}")

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        walk()
    finally:
        sys.setprofile(before)
    return calls


def check(title: str, walk: Callable[[], object]) -> None:
    """Run a path, and check that the listed functions are called in the listed order."""
    names, calls = list_functions(title), iter(walked(walk))
    assert len(names) > 5
    missing = next((name for name in names if name not in calls), None)
    assert missing is None, f"{title}: {missing} is not called where it is told"


def test_a_play_reaches_its_watchers(
    now: datetime, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    table = Table(now)
    table.begin()
    topic = live.get_topic(table.row.key)
    hub = Hub()
    hub._topics[topic] = TopicState(table.head)
    monkeypatch.setattr(hub, "call_soon", lambda call, *args: call(*args))
    monkeypatch.setattr(relay, "HUB", hub)
    reader = Reader({topic: table.head})

    def walk() -> None:
        with django_capture_on_commit_callbacks(execute=True):
            table.act()
        news, lost = asyncio.run(hub.take(reader))
        assert [event.topic for event in news]
        assert lost == []

    check("A play to its watchers", walk)


def test_a_result_reaches_its_bracket(desk: Desk, django_capture_on_commit_callbacks: Any) -> None:
    desk.start(a_plan("single-elimination"), 8)
    first, second, *_ = desk.open()
    desk.play(first.key)

    def walk() -> None:
        with django_capture_on_commit_callbacks(execute=True):
            desk.do(results.enter_result, key=second.key, score=(5, 3))

    check("A result to its bracket", walk)


def test_a_deadline_ends_in_a_forfeit(desk: Desk) -> None:
    desk.start(a_plan("single-elimination", Settings(lateness=((15, None),))), 4)
    key, (here, _away) = next(iter(desk.pairs().items()))
    desk.do(incidents.record_arrival, key=key, entry=here)
    desk.now += timedelta(minutes=16)

    check("A deadline to a forfeit", lambda: deadlines.sweep(desk.now))
    assert desk.row(key).kind == "forfeit"


def test_a_file_reaches_its_verdict() -> None:
    check("A file to its verdict", lambda: verdict.judge(FAULTY))


def test_a_record_reaches_its_result(desk: Desk) -> None:
    two = Two(desk).start()
    a, b = sits(two)
    reported(two, b, 2, 5)
    row = hand_in(two, a, record(a, b), waits=True)
    submissions.adjudicate({"file": row.file.pk}, now=desk.now)

    check(
        "A record to its result", lambda: record_outcomes.decide_outcome({"submission": row.pk}, now=desk.now)
    )
    row.refresh_from_db()
    assert row.outcome == Outcome.CONFIRMED


def test_a_round_of_a_swiss_is_made_by_a_worker(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    monkeypatch.setattr(backlog, "MOST_PLAYERS", 3)
    desk.start(a_plan("swiss", rounds=3), 4)
    first, last = desk.open()
    desk.play(first.key)

    def walk() -> None:
        with django_capture_on_commit_callbacks(execute=True):
            desk.do(results.enter_result, key=last.key, score=(5, 3))
        outbox.drain(queue=Queue.SLOW, now=desk.now)

    check("A round of a Swiss by a worker", walk)
    assert {row.round.number for row in desk.open() if row.round} == {2}
