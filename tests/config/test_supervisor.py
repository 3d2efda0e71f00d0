"""Who is replaced when, with processes that are only played."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from config import notice, supervisor
from config.notice import Notice
from config.supervisor import Supervisor

if TYPE_CHECKING:
    from pathlib import Path


class Played:
    """A child that comes up when the test says so."""

    said: list[str] = []
    all: list[Any] = []

    def __init__(self, listener: int, _figures: object, place: int, *, is_new: bool) -> None:
        self.name = f"{'new' if is_new else 'old'} at {listener}"
        self.place = place
        self.is_alive = True
        self.is_ready = not is_new
        self.status = None
        self.all.append(self)
        self.said.append(f"{self.name} begins")

    def come_up(self) -> None:
        self.is_ready = True
        self.said.append(f"{self.name} is ready")

    def complaint(self, _seconds: int) -> str:
        return "It is broken."

    def leave(self) -> None:
        self.said.append(f"{self.name} is told to leave")

    def kill(self) -> None:
        self.is_alive = False


class Listener:
    def __init__(self, number: int) -> None:
        self.number = number

    def fileno(self) -> int:
        return self.number


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> Supervisor:
    monkeypatch.setattr(supervisor, "Child", Played)
    monkeypatch.setattr(Played, "said", [])
    monkeypatch.setattr(Played, "all", [])
    settings.DATA_DIR = tmp_path
    listeners: Any = [Listener(1), Listener(2)]
    both = Supervisor(listeners)
    both._children = [both._start(listener) for listener in listeners]
    Played.said.clear()
    return both


def look(at: Supervisor, times: int = 2) -> None:
    for _ in range(times):
        at._replace_the_dead(pause=lambda _seconds: None)
        at._go_on_reloading()


def test_nobody_leaves_before_the_next_one_is_ready_and_one_follows_the_other(two: Supervisor) -> None:
    two._ask()
    look(two, 5)
    assert Played.said == ["new at 1 begins"]
    Played.all[2].come_up()
    look(two, 5)
    Played.all[0].is_alive = False
    look(two, 5)
    Played.all[3].come_up()
    look(two, 5)
    Played.all[1].is_alive = False
    look(two, 5)
    assert Played.said == [
        "new at 1 begins", "new at 1 is ready", "old at 1 is told to leave",
        "new at 2 begins", "new at 2 is ready", "old at 2 is told to leave",
    ]  # fmt: skip
    assert two._children == Played.all[2:]
    assert sorted([*two._free, *(child.place for child in two._children)]) == [0, 1, 2, 3]
    assert (two._done, two._outcome) == (1, "")


def test_the_old_ones_stay_where_the_new_one_does_not_come_up(two: Supervisor) -> None:
    two._ask()
    look(two)
    Played.all[2].is_alive = False
    look(two, 3)
    assert two._children == Played.all[:2]
    assert all(child.is_alive for child in Played.all[:2])
    assert two._outcome == "It is broken. The old release goes on serving."
    assert sorted(two._free) == [2, 3]


def test_it_is_said_how_far_it_went(two: Supervisor) -> None:
    two._ask()
    look(two)
    Played.all[2].come_up()
    look(two)
    Played.all[0].is_alive = False
    look(two, 2)
    Played.all[3].is_alive = False
    look(two, 3)
    assert two._children == [Played.all[2], Played.all[1]]
    assert two._outcome == "It is broken. 1 of 2 web processes are new, the others go on as they were."


def test_a_new_one_that_takes_too_long_is_ended(two: Supervisor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "START_SECONDS", 0)
    two._ask()
    look(two, 3)
    assert not Played.all[2].is_alive
    assert two._children == Played.all[:2]
    assert two._done == 1


def test_whoever_asks_while_one_runs_gets_another(two: Supervisor) -> None:
    two._ask()
    look(two)
    two._ask()
    Played.all[2].is_alive = False
    look(two, 2)
    assert two._done == 1
    look(two)
    assert len(Played.all) == 4
    Played.all[3].is_alive = False
    look(two, 2)
    assert two._done == 2


def test_one_that_dies_meanwhile_is_replaced_and_then_leaves(two: Supervisor) -> None:
    two._ask()
    look(two)
    Played.all[0].is_alive = False
    look(two)
    assert Played.said[-1] == "old at 1 begins"
    Played.all[2].come_up()
    look(two)
    assert Played.said[-1] == "old at 1 is told to leave"
    assert two._children[0] is Played.all[2]


# What it lets others read


def test_a_notice_is_of_one_who_lives(tmp_path: Path) -> None:
    assert notice.read(tmp_path, 8000) is None
    ours = Notice(tmp_path, 8000)
    ours.tell(asked=2, done=1, outcome="It is broken.")
    ours.tell(asked=2, done=2, outcome="")
    found = notice.read(tmp_path, 8000)
    assert found is not None
    assert (found.asked, found.done, found.outcome) == (2, 2, "")
    assert notice.read(tmp_path, 8001) is None
    ours.close()
    assert json.loads((tmp_path / "run" / "web-8000.json").read_text())["asked"] == 2
    assert notice.read(tmp_path, 8000) is None, "its number may be a stranger's by now"


def test_where_nothing_can_be_written_nothing_is_told(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("in the way")
    ours = Notice(tmp_path, 8000)
    ours.tell(asked=0, done=0, outcome="")
    ours.close()


def test_a_second_one_does_not_write_over_the_first(tmp_path: Path) -> None:
    first = Notice(tmp_path, 8000)
    first.tell(asked=0, done=0, outcome="first")
    second = Notice(tmp_path, 8000)
    second.tell(asked=0, done=0, outcome="second")
    found = notice.read(tmp_path, 8000)
    assert found is not None
    assert found.outcome == "first"
    second.close()
    first.close()
