"""Clocks that run out while neither player is connected: the sweep flags each overdue player once."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from engine.actions import Flagged, TimeCredited, VoidedMatch
from engine.clock import DelayMethod, TimeControl
from engine.game import Termination
from engine.match import Crawford
from engine.side import BySide, Side
from matches.hooks import match_finished
from matches.journal import journal
from matches.models import Match
from matches.play import deadlines
from matches.state import commands, reasons
from matches.state.facts import Excused
from matches.state.status import Status
from matches.state.terms import FlagRule, Terms
from runtime import nodes
from runtime.models import Outage, SweepRun
from runtime.work import sweeps
from tests.matches.support import Table, club_terms, person

# The longest that we wait for a move that may be on its way.
GRACE = timedelta(seconds=2)
TICK = timedelta(milliseconds=1)


def facts(table: Table, kind: type | None = None) -> list[Any]:
    found = [step.line.fact for step in journal.iterate_steps(table.row)]
    return found if kind is None else [fact for fact in found if isinstance(fact, kind)]


def deadline(table: Table) -> datetime:
    found = table.row.deadline_at
    assert found is not None
    return found


def sweep(now: datetime) -> int:
    """Sweep as the runner does it, and check what must be so after every sweep."""
    found = deadlines.sweep(now)
    for row in Match.objects.all():
        assert list(journal.find_problems(row)) == []
    return found


@pytest.fixture
def playing(table: Table) -> Table:
    table.begin()
    return table


class TestFlags:
    def test_nobody_is_flagged_before_the_deadline_nor_while_a_move_may_be_on_its_way(
        self, playing: Table
    ) -> None:
        assert sweep(deadline(playing) - TICK) == 0
        assert sweep(deadline(playing) + GRACE - TICK) == 0
        assert facts(playing, Flagged) == []

    def test_the_flag_falls_once_and_the_match_is_lost(self, playing: Table) -> None:
        side = playing.state.owing[0]
        late = deadline(playing) + GRACE
        assert [sweep(late), sweep(late), sweep(late + timedelta(days=1))] == [1, 0, 0]
        row = playing.row
        assert facts(playing, Flagged) == [Flagged(side)]
        assert (row.status, row.winner, row.deadline_at) == (Status.FINISHED, side.other.word, None)
        assert playing.state.match.outcome.how is Termination.FLAG

    def test_the_line_says_that_the_server_did_it_when_it_did(self, playing: Table) -> None:
        late = deadline(playing) + timedelta(seconds=30)
        sweep(late)
        line = journal.list_lines(playing.row)[-1]
        assert (line.by, line.who, line.at) == ("server", "", journal.to_milliseconds(late))

    def test_a_move_that_came_first_wins(self, playing: Table) -> None:
        old = deadline(playing)
        playing.now = old - TICK
        playing.act()
        assert sweep(old + GRACE) == 0
        assert not playing.state.match.is_over

    def test_what_was_read_before_the_lock_decides_nothing(
        self, playing: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        old = deadline(playing)
        hold = deadlines._lock_unchanged

        def move_first(row: Match) -> bool:
            playing.now = old - TICK
            playing.act()
            return hold(row)

        monkeypatch.setattr(deadlines, "_lock_unchanged", move_first)
        assert sweep(old + GRACE) == 0
        assert facts(playing, Flagged) == []

    def test_whoever_watches_and_whoever_follows_hears_of_it(
        self, playing: Table, django_capture_on_commit_callbacks: Any
    ) -> None:
        heard: list[int] = []
        listener = lambda match_id, **_: heard.append(match_id)  # noqa: E731
        match_finished.connect(listener)
        try:
            with django_capture_on_commit_callbacks(execute=True):
                sweep(deadline(playing) + GRACE)
        finally:
            match_finished.disconnect(listener)
        assert heard == [playing.row.pk]

    def test_without_a_clock_and_a_limit_nobody_is_late(self, now: datetime, db: None) -> None:
        table = Table(now, agreed=club_terms(clock=None, limit=0))
        table.begin()
        assert sweep(now + timedelta(days=365)) == 0

    def test_one_match_that_breaks_does_not_hold_up_the_others(self, db: None, now: datetime) -> None:
        tables = [
            Table(now, players=(person(f"Ann{n}", now).player, person(f"Ben{n}", now).player))
            for n in range(3)
        ]
        for table in tables:
            table.begin()
        Match.objects.filter(pk=tables[1].match.pk).update(cache={"version": 1})
        assert deadlines.sweep(now + timedelta(hours=2)) == 2
        assert [table.row.status for table in tables] == ["finished", "live", "finished"]


class TestPoints:
    def agreed(self, points: int = 5, credit: int = 120_000) -> Terms:
        return club_terms(points, flag=FlagRule(1, credit))

    def test_a_flag_that_costs_a_point_gives_time_for_the_next(self, db: None, now: datetime) -> None:
        table = Table(now, agreed=self.agreed())
        table.begin()
        side = table.state.owing[0]
        late = deadline(table) + GRACE
        assert [sweep(late), sweep(late)] == [1, 0]
        assert facts(table)[-2:] == [Flagged(side, 1), TimeCredited(side, 120_000, "flag")]
        state = table.state
        assert state.match.score[side.other] == 1
        assert (state.owing, state.clock.turn) == ((side,), side)
        # A turn like any other, from now on: what it was late by is paid for with the point.
        assert deadline(table) == late + timedelta(seconds=120 + 12)

    def test_time_after_time_until_the_match_is_lost(self, db: None, now: datetime) -> None:
        table = Table(now, agreed=self.agreed(3))
        table.begin()
        side = table.state.owing[0]
        falls = 0
        while table.row.deadline_at:
            falls += sweep(deadline(table) + GRACE)
        assert falls == 3
        assert facts(table, Flagged) == [Flagged(side, 1)] * 3
        assert table.row.winner == side.other.word
        assert table.state.match.score[side.other] == 3

    @pytest.mark.long
    def test_between_games_the_point_can_bring_the_crawford_game(self, db: None, now: datetime) -> None:
        table = Table(now, agreed=self.agreed(2))
        table.sit_down()
        table.give(Side.WHITE, commands.Roll())
        assert table.state.owing == (Side.BLACK,)
        assert sweep(deadline(table) + GRACE) == 1
        match = table.state.match
        assert match.score == BySide(1, 0)
        assert match.crawford is Crawford.NOW
        assert match.game.crawford
        assert table.state.ready == {Side.WHITE}
        table.now = journal.to_datetime(table.state.at) + timedelta(seconds=5)
        table.give(Side.BLACK, commands.Roll())
        assert facts(table, Flagged) == [Flagged(Side.BLACK, 1)]

    def test_with_no_reserve_the_next_turn_has_its_delay(self, db: None, now: datetime) -> None:
        control = TimeControl(DelayMethod.SIMPLE, 0, 10_000)
        table = Table(now, agreed=replace(self.agreed(credit=0), control=control))
        table.begin()
        side = table.state.owing[0]
        late = deadline(table) + GRACE
        assert [sweep(late), sweep(late)] == [1, 0]
        assert facts(table)[-1] == Flagged(side, 1)
        assert table.state.match.score[side.other] == 1
        assert deadline(table) == late + timedelta(seconds=10)

    def test_the_opponents_claim_does_the_same(self, db: None, now: datetime) -> None:
        table = Table(now, agreed=self.agreed())
        table.begin()
        side = table.state.owing[0]
        table.now = deadline(table) + GRACE
        table.give(side.other, commands.ClaimFlag())
        assert sweep(table.now) == 0
        assert facts(table, Flagged) == [Flagged(side, 1)]


class TestOutages:
    @pytest.mark.long
    def test_while_our_pulse_is_silent_nothing_falls_and_nothing_is_written(self, playing: Table) -> None:
        due = deadline(playing)
        nodes.record_heartbeat(role="web", now=due - timedelta(seconds=30))
        for minute in range(1, 60):
            assert sweep(due + timedelta(minutes=minute)) == 0
        assert facts(playing, Excused) == []

    def test_afterwards_only_the_outage_is_written_and_the_deadline_moves_by_it(self, playing: Table) -> None:
        due = deadline(playing)
        nodes.record_heartbeat(role="web", now=due - timedelta(seconds=30))
        back = due + timedelta(minutes=10)
        nodes.record_heartbeat(role="web", now=back)
        head = playing.row.head
        assert [sweep(back), sweep(back)] == [1, 0]
        assert facts(playing)[head:] == [Excused(630_000)]
        assert deadline(playing) == back + timedelta(seconds=30)
        for second in range(1, 31):
            nodes.record_heartbeat(role="web", now=back + timedelta(seconds=second))
        assert sweep(deadline(playing)) == 0
        for second in range(31, 33):
            nodes.record_heartbeat(role="web", now=back + timedelta(seconds=second))
        assert sweep(deadline(playing) + GRACE) == 1
        assert len(facts(playing, Flagged)) == 1
        assert facts(playing, Excused) == [Excused(630_000)]

    def test_a_second_outage_is_taken_out_by_itself(self, playing: Table) -> None:
        due = deadline(playing)
        at = due - timedelta(seconds=30)
        nodes.record_heartbeat(role="web", now=at)
        for _ in range(3):
            at += timedelta(minutes=1)
            nodes.record_heartbeat(role="web", now=at)
            sweep(at)
        assert deadline(playing) == due + timedelta(minutes=3)
        assert sum(fact.milliseconds for fact in facts(playing, Excused)) == 180_000

    def test_nobody_is_flagged_before_a_heartbeat_later_than_the_deadline(self, playing: Table) -> None:
        """A process that died a second before it may be down for longer: that is seen only afterwards."""
        due = deadline(playing)
        nodes.record_heartbeat(role="web", now=due - TICK)
        assert sweep(due + GRACE) == 0
        nodes.record_heartbeat(role="web", now=due + TICK)
        assert sweep(due + GRACE) == 1

    def test_a_claim_within_seconds_of_our_return_finds_the_outage_too(self, playing: Table) -> None:
        due = deadline(playing)
        side = playing.state.owing[0]
        nodes.record_heartbeat(role="web", now=due - timedelta(milliseconds=100))
        # The first request after the restart, and another, both before the first heartbeat.
        for seconds in (60, 61.5):
            playing.now = due + timedelta(seconds=seconds)
            with pytest.raises(Exception, match="There is time left"):
                playing.give(side.other, commands.ClaimFlag())
        assert facts(playing, Flagged) == []

    def test_waiting_players_get_the_outage_as_well(self, db: None, now: datetime) -> None:
        table = Table(now, waits_until=now + timedelta(minutes=10))
        nodes.record_heartbeat(role="web", now=now + timedelta(minutes=5))
        nodes.record_heartbeat(role="web", now=now + timedelta(minutes=30))
        assert sweep(now + timedelta(minutes=30)) == 0
        for second in range(1, 302):
            nodes.record_heartbeat(role="web", now=now + timedelta(minutes=30, seconds=second))
        assert sweep(now + timedelta(minutes=35) - TICK) == 0
        assert sweep(now + timedelta(minutes=35)) == 1
        assert table.row.status == Status.VOID


class TestNobody:
    @pytest.mark.parametrize("came", [(), (Side.WHITE,), (Side.BLACK,)])
    def test_who_did_not_come_is_named(self, db: None, now: datetime, came: tuple[Side, ...]) -> None:
        until = now + timedelta(minutes=10)
        table = Table(now, waits_until=until)
        for side in came:
            table.promise(side)
        assert sweep(until - TICK) == 0
        assert [sweep(until), sweep(until)] == [1, 0]
        row = table.row
        assert (row.status, row.winner, row.deadline_at) == (Status.VOID, "", None)
        [fact] = facts(table, VoidedMatch)
        said = reasons.translate_reason(fact.reason, BySide("Ann", "Ben"))
        assert (
            said
            == {
                (): "Nobody came.",
                (Side.WHITE,): "Ben did not come.",
                (Side.BLACK,): "Ann did not come.",
            }[came]
        )

    def test_who_promised_and_never_unsealed_did_not_come_either(self, db: None, now: datetime) -> None:
        until = now + timedelta(minutes=10)
        table = Table(now, waits_until=until)
        for side in Side:
            table.promise(side)
        table.give(Side.WHITE, commands.Open(table.chain(Side.WHITE).head), shares={})
        assert sweep(until) == 1
        assert facts(table, VoidedMatch) == [VoidedMatch("did-not-come:black")]

    def test_who_came_in_time_plays(self, db: None, now: datetime) -> None:
        until = now + timedelta(minutes=10)
        table = Table(now, waits_until=until)
        table.sit_down()
        assert table.row.status == Status.LIVE
        assert sweep(until) == 0

    def test_without_a_last_moment_a_match_waits_for_ever(self, table: Table, now: datetime) -> None:
        assert sweep(now + timedelta(days=3_650)) == 0

    def test_both_may_be_missing_between_games_for_so_long(self, db: None, now: datetime) -> None:
        table = Table(now, agreed=club_terms(patience=600_000))
        table.sit_down()
        assert table.state.owing == (Side.WHITE, Side.BLACK)
        last = now + timedelta(minutes=10)
        assert deadline(table) == last
        assert sweep(last - TICK) == 0
        assert [sweep(last), sweep(last)] == [1, 0]
        assert facts(table, VoidedMatch) == [VoidedMatch(reasons.BOTH_AWAY)]

    def test_our_outage_is_not_their_absence(self, db: None, now: datetime) -> None:
        table = Table(now, agreed=club_terms(patience=600_000))
        table.sit_down()
        nodes.record_heartbeat(role="web", now=now + timedelta(minutes=1))
        nodes.record_heartbeat(role="web", now=now + timedelta(minutes=20))
        assert sweep(now + timedelta(minutes=20)) == 0

    def test_one_who_is_ready_makes_the_others_clock_run(self, db: None, now: datetime) -> None:
        table = Table(now, agreed=club_terms(pause=60_000))
        table.sit_down()
        table.give(Side.BLACK, commands.Roll())
        # A minute between games, the whole reserve, twelve seconds a turn.
        assert deadline(table) == now + timedelta(seconds=60 + 360 + 12)
        assert sweep(deadline(table) + GRACE) == 1
        assert facts(table, Flagged) == [Flagged(Side.WHITE)]

    def test_an_outage_before_it_runs_does_not_shorten_the_minute(self, db: None, now: datetime) -> None:
        table = Table(now)
        table.sit_down()
        table.give(Side.WHITE, commands.Roll())
        silent = now + timedelta(seconds=5), now + timedelta(seconds=65)
        Outage.objects.create(role="web", from_at=silent[0], to_at=silent[1])
        table.wait(seconds=130)
        table.give(Side.BLACK, commands.Roll())
        assert facts(table, Excused) == [Excused(60_000)]
        # Ten of 130 seconds were on the clock, and twelve are free.
        assert table.state.clock.reserve == BySide(360_000, 360_000)


class TestRunner:
    def test_it_is_swept_for_each_second(self, playing: Table) -> None:
        late = deadline(playing) + GRACE
        assert sweeps.run("matches.deadlines", now=late)
        assert not sweeps.run("matches.deadlines", now=late)
        assert SweepRun.objects.get(name="matches.deadlines").found == 1

    def test_where_nothing_is_due_one_indexed_query_is_all(self, playing: Table) -> None:
        early = deadline(playing) - TICK
        with CaptureQueriesContext(connection) as met:
            assert deadlines.sweep(early) == 0
        assert len(met) == 1
        assert "match_deadline" in plan(early)

    def test_a_flag_is_two_writes(self, playing: Table) -> None:
        late = deadline(playing) + GRACE
        with CaptureQueriesContext(connection) as met:
            assert deadlines.sweep(late) == 1
        told = [query["sql"].split()[0] for query in met if "SAVEPOINT" not in query["sql"]]
        # The cache moves by compare-and-set, and there is the line; the rest is looking.
        assert (told.count("UPDATE"), told.count("INSERT")) == (1, 1)


def plan(now: datetime) -> str:
    found = deadlines.list_due(now=now).values_list("pk", "deadline_at")[: deadlines.MOST]
    sql, given = found.query.sql_with_params()
    explain = "EXPLAIN QUERY PLAN " if connection.vendor == "sqlite" else "EXPLAIN "
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":  # of three rows it would read all
            cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(explain + sql, given)
        return "\n".join(str(row) for row in cursor.fetchall())
