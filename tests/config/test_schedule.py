"""The schedule: every sweep in it, at the pace and place its package asked for, and no message that is meant for later."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.apps import apps

from config.celery import QUEUES, SCHEDULE, app
from runtime import sweeps
from runtime.models import Queue
from tests.runtime.support import ROOT


@pytest.fixture(autouse=True)
def _all_tasks_are_known() -> None:
    app.loader.import_default_modules()


def differences(
    schedule: dict[str, tuple[float, str]], registered: dict[str, tuple[float, str]]
) -> dict[str, tuple[tuple[float, str] | None, tuple[float, str] | None]]:
    """Return what one side has and the other has not, or has otherwise."""
    return {
        name: (schedule.get(name), registered.get(name))
        for name in schedule.keys() | registered.keys()
        if schedule.get(name) != registered.get(name)
    }


def registered() -> dict[str, tuple[float, str]]:
    return {sweep.name: (sweep.every.total_seconds(), str(sweep.queue)) for sweep in sweeps.registered()}


def test_the_schedule_holds_every_registered_sweep_and_no_other() -> None:
    assert apps.ready
    assert differences(SCHEDULE, registered()) == {}


@pytest.mark.parametrize("name", sorted(SCHEDULE))
def test_one_missing_or_different_on_either_side_would_be_found(name: str) -> None:
    known = registered()
    assert set(differences({k: v for k, v in SCHEDULE.items() if k != name}, known)) == {name}
    assert set(differences(SCHEDULE, {k: v for k, v in known.items() if k != name})) == {name}
    every, queue = SCHEDULE[name]
    assert set(differences({**SCHEDULE, name: (every + 1, queue)}, known)) == {name}
    assert set(differences({**SCHEDULE, name: (every, "another")}, known)) == {name}


def test_beat_sends_each_sweep_by_name_to_its_queue_and_lets_it_lapse() -> None:
    entries = app.conf.beat_schedule
    assert len(entries) == len(SCHEDULE)
    for name, (every, queue) in SCHEDULE.items():
        entry = entries[f"sweep-{name}"]
        assert entry["task"] == "runtime.sweep"
        assert entry["task"] in app.tasks
        assert entry["kwargs"] == {"name": name}
        assert entry["schedule"] == timedelta(seconds=every)
        assert entry["options"]["queue"] == queue
        assert entry["options"]["expires"] >= every


def test_there_are_three_queues_and_everyone_means_the_same_three() -> None:
    assert set(QUEUES) == set(Queue.values) == {queue.name for queue in app.conf.task_queues}
    assert "runtime.deliver" in app.tasks


LATER = re.compile(r"\b(eta|countdown)\s*=")
PACKAGES = ("config", "runtime", "engine", "players", "matches", "tournaments")


def test_no_message_is_sent_for_later() -> None:
    """Deadlines are columns, messages are hints (docs/adr/0005)."""
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if LATER.search(line)
    ]
    assert found == []
    assert LATER.search("task.apply_async(countdown=5)")
    assert LATER.search("send_task('x', eta = later)")
    assert not LATER.search("beta=1, metadata=2")


def test_services_never_import_tasks() -> None:
    found = [
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("services/*.py")
        if re.search(r"(from|import)\s+\S*\btasks\b|send_task|\.delay\(|apply_async", path.read_text())
    ]
    assert found == []
