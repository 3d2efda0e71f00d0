"""Devices that may report a result with only its code: the two reports come from different devices."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from players.models import User
from tests.tournaments.event_desk import Desk
from tests.tournaments.play.test_results import start, users
from tournaments.base.errors import (
    CodeExpired,
    DirectorReports,
    NotYourMatch,
    ReportedElsewhere,
    SameDevice,
    SeatsMoved,
)
from tournaments.models import PairingState, Report, ReportedBy, ReportStatus
from tournaments.play import deadlines, results
from tournaments.play.code_holders import CodeHolder

__all__ = ["users"]
LONG = timedelta(days=1)


class Table:
    """A match of two, a first, and the phones around it."""

    def __init__(self, desk: Desk, users: list[User], **said: Any) -> None:
        self.desk = desk
        self.key, self.a, self.b = start(desk, users, **said)

    def holder(self, side: str, device: str, **other: Any) -> CodeHolder:
        row = self.desk.row(self.key)
        assert row.a_id
        assert row.b_id
        entry = row.a_id if side == "a" else row.b_id
        return CodeHolder(**{
            "seats": (row.a_id, row.b_id), "until": self.desk.now + LONG, "entry_id": entry, "device": device
        } | other)  # fmt: skip

    def report(self, who: User | CodeHolder, *score: int, **other: Any) -> Report:
        return results.report_result(**self._about(who, score), **other)

    def confirm(self, who: User | CodeHolder, *score: int) -> Any:
        return results.confirm_report(**self._about(who, score))

    def dispute(self, who: User | CodeHolder, *score: int) -> Any:
        return results.dispute_report(**self._about(who, score))

    def _about(self, who: User | CodeHolder, score: Any) -> dict[str, Any]:
        now = self.desk.now
        return {"tournament_id": self.desk.pk, "key": self.key, "user": who, "score": score, "now": now}

    @property
    def state(self) -> str:
        return self.desk.row(self.key).state


@pytest.fixture
def table(desk: Desk, users: list[User]) -> Table:
    """A match of an event in which either player reports."""
    return Table(desk, users)


def test_what_one_phone_reports_another_confirms(table: Table) -> None:
    said = table.report(table.holder("a", "one"), 5, 2)
    assert (said.device, said.status) == ("one", ReportStatus.OPEN)

    table.confirm(table.holder("b", "two"), 5, 2)

    row = table.desk.row(table.key)
    assert (row.state, row.score_a, row.score_b) == (PairingState.DECIDED, 5, 2)


@pytest.mark.parametrize("act", ["confirm", "dispute", "report"])
def test_the_same_device_never_answers_itself(table: Table, act: str) -> None:
    table.report(table.holder("a", "one"), 5, 2)

    with pytest.raises(SameDevice):
        getattr(table, act)(table.holder("b", "one"), 5, 2)

    assert table.state == PairingState.READY
    assert Report.objects.get().status == ReportStatus.OPEN


def test_nor_one_on_which_somebody_reported_who_was_signed_in(table: Table) -> None:
    table.report(table.a, 5, 2, device="one")

    with pytest.raises(SameDevice):
        table.confirm(table.holder("b", "one"), 5, 2)
    table.confirm(table.holder("b", "two"), 5, 2)
    assert table.state == PairingState.DECIDED


def test_the_opponents_account_confirms_anywhere(table: Table) -> None:
    table.report(table.holder("a", "one"), 5, 2)

    table.confirm(table.b, 5, 2)

    assert table.state == PairingState.DECIDED


def test_the_desk_confirms(table: Table) -> None:
    table.report(table.holder("a", "one"), 5, 2)

    table.desk.do(results.enter_result, key=table.key, score=(5, 2))

    assert table.state == PairingState.DECIDED


def test_two_phones_that_report_the_same_have_confirmed_it(table: Table) -> None:
    table.report(table.holder("a", "one"), 5, 2)

    assert table.report(table.holder("b", "two"), 5, 2).status in {
        ReportStatus.CONFIRMED,
        ReportStatus.DROPPED,
    }
    assert table.state == PairingState.DECIDED


def test_two_phones_that_differ_call_the_director(table: Table) -> None:
    table.report(table.holder("a", "one"), 5, 2)

    assert table.report(table.holder("b", "two"), 3, 5).status == ReportStatus.DISPUTED
    assert table.desk.row(table.key).needs_director == "dispute"


def test_who_takes_the_losers_name_has_admitted_nothing(table: Table) -> None:
    """Only a report from the loser's own account needs no confirmation; a tapped name is not enough."""
    assert table.report(table.holder("b", "one"), 5, 2).status == ReportStatus.OPEN
    assert table.state == PairingState.READY


def test_nobody_overrules_another_device_for_the_same_player(table: Table) -> None:
    table.report(table.a, 5, 2, device="one")

    with pytest.raises(ReportedElsewhere):
        table.report(table.holder("a", "two"), 2, 5)
    # To say the same again is nothing new.
    table.report(table.holder("a", "two"), 5, 2)
    assert Report.objects.count() == 1


def test_whoever_reported_may_report_otherwise_from_the_same_device(table: Table) -> None:
    table.report(table.holder("a", "one"), 5, 2)
    table.report(table.holder("a", "one"), 5, 3)

    assert list(Report.objects.order_by("pk").values_list("status", flat=True)) == ["dropped", "open"]


def test_silence_confirms_after_the_events_time(desk: Desk, users: list[User]) -> None:
    table = Table(desk, users, confirm_minutes=10)
    said = table.report(table.holder("a", "one"), 5, 2)
    assert said.confirms_at == desk.now + timedelta(minutes=10)

    deadlines.sweep(desk.now + timedelta(minutes=9))
    assert table.state == PairingState.READY
    deadlines.sweep(desk.now + timedelta(minutes=10))
    assert table.state == PairingState.DECIDED


def test_the_club_chooses_the_director_alone(desk: Desk, users: list[User]) -> None:
    table = Table(desk, users, reporting=ReportedBy.DIRECTOR)

    with pytest.raises(DirectorReports):
        table.report(table.holder("a", "one"), 5, 2)


def test_the_club_chooses_both(desk: Desk, users: list[User]) -> None:
    table = Table(desk, users, reporting=ReportedBy.BOTH)
    table.report(table.holder("b", "one"), 5, 2)
    assert table.state == PairingState.READY

    table.report(table.holder("a", "two"), 5, 2)

    assert table.state == PairingState.DECIDED


@pytest.mark.parametrize("has_account", [True, False])
def test_the_club_chooses_that_a_report_stands_at_once(
    desk: Desk, users: list[User], has_account: bool
) -> None:
    table = Table(desk, users, reporting=ReportedBy.OPEN)

    table.report(table.a if has_account else table.holder("b", "one"), 5, 2)

    assert table.state == PairingState.DECIDED


@pytest.mark.parametrize("act", ["report", "confirm", "dispute"])
def test_a_code_that_has_expired(table: Table, act: str) -> None:
    table.report(table.holder("a", "one"), 5, 2)

    with pytest.raises(CodeExpired) as refusal:
        getattr(table, act)(table.holder("b", "two", until=table.desk.now), 5, 2)
    assert refusal.value.code == "code_expired"
    assert table.state == PairingState.READY


@pytest.mark.parametrize("act", ["report", "confirm", "dispute"])
def test_a_code_made_for_others(table: Table, act: str) -> None:
    table.report(table.holder("a", "one"), 5, 2)
    row = table.desk.row(table.key)
    moved = table.holder("b", "two", seats=(row.b_id, row.a_id))

    with pytest.raises(SeatsMoved) as refusal:
        getattr(table, act)(moved, 5, 2)
    assert refusal.value.code == "code_moved"
    assert table.state == PairingState.READY


def test_somebody_who_does_not_play_here(table: Table) -> None:
    with pytest.raises(NotYourMatch):
        table.report(table.holder("a", "one", entry_id=10**6), 5, 2)
