"""Presence at the board: announced at once, counted, and an absent player's effect on the clock."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import transaction

from engine.actions import Flagged, TimeCredited
from engine.side import Side
from matches.journal import journal, live
from matches.journal.journal import Draft
from matches.journal.lifecycle import record
from matches.models import Absence, Audience, Match
from matches.play import deadlines
from matches.play import presence as board
from matches.state import commands
from matches.state.errors import MatchError, Stale
from matches.state.facts import Excused, Fact, Held
from matches.state.terms import TUNNEL, FlagRule
from runtime.models import Outage, TopicEvent
from runtime.stream import presence
from runtime.work import sweeps
from tests.matches.http import Caller
from tests.matches.support import Table, club_terms

pytestmark = pytest.mark.django_db
WHITE, BLACK = Side
CLUB_DELAY = 12_000


@pytest.fixture
def board_(table: Table) -> Table:
    """The first play of a match, with both players at the board."""
    table.begin()
    for side in Side:
        come(table, side)
    return table


def seat(table: Table, side: Side) -> str:
    return f"seat.{table.match.key}.{side.word}"


def come(table: Table, side: Side) -> None:
    presence.write_counts({seat(table, side): 1}, now=table.now)


def go(table: Table, side: Side) -> None:
    presence.write_counts({seat(table, side): 0}, now=table.now)


def runner(table: Table) -> Side:
    side = table.state.clock.turn
    assert side is not None
    return side


def held(table: Table) -> list[Held]:
    return [line.fact for line in journal.list_lines(table.row) if isinstance(line.fact, Held)]


def list_events(table: Table) -> list[dict[str, Any]]:
    rows = TopicEvent.objects.filter(topic=f"presence.{table.match.key}", name="presence").order_by("seq")
    return list(rows.values_list("data", flat=True))


def sound(table: Table) -> bool:
    return not list(journal.find_problems(table.row))


# Presence


def test_whoever_comes_and_goes_is_told_of(table: Table) -> None:
    come(table, WHITE)
    come(table, BLACK)
    go(table, WHITE)
    go(table, BLACK)
    come(table, WHITE)
    assert list_events(table) == [
        {"white": True},
        {"black": True},
        {"white": False},
        {"black": False},
        {"white": True},
    ]


def test_the_snapshot_says_who_is_there(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: table.now)

    def seen() -> Any:
        return Caller(None).get(f"matches/{table.match.key}/")["presence"]

    assert seen() == {"white": False, "black": False, "watching": 0}
    come(table, BLACK)
    presence.write_counts({f"gallery.{table.match.key}": 7}, now=table.now)
    presence.write_counts({f"gallery.{table.match.key}": 5}, now=table.now, node="elsewhere")
    assert seen() == {"white": False, "black": True, "watching": 12}


def test_how_many_look_on_is_told_when_it_changes_and_not_before(table: Table, now: datetime) -> None:
    gallery = f"gallery.{table.match.key}"
    sweep = next(each for each in sweeps.list_sweeps() if each.name == "matches.audiences")
    assert sweep.run(table.now) == 0
    for count, changed in ((3, 1), (3, 0), (5, 1), (0, 1), (0, 0)):
        presence.write_counts({gallery: count}, now=table.now)
        assert sweep.run(table.now) == changed
    assert list_events(table) == [{"watching": 3}, {"watching": 5}, {"watching": 0}]
    assert Audience.objects.get().watching == 0


def test_a_topic_of_no_match_harms_nobody(now: datetime) -> None:
    presence.write_counts({"seat.nothing000.white": 1, "seat.a": 1, "gallery.nothing000": 2}, now=now)
    assert board.publish_audience_counts(now=now) == 0
    presence.write_counts({"seat.nothing000.white": 0, "seat.a": 0, "gallery.nothing000": 0}, now=now)
    assert not Absence.objects.exists()


# The clock of one who is gone


def test_a_clock_stands_while_its_side_is_gone_and_runs_on_when_it_is_back(board_: Table) -> None:
    side = runner(board_)
    reserve = board_.state.clock.reserve[side]
    board_.wait(seconds=10)
    go(board_, side)
    board_.wait(seconds=20)
    come(board_, side)
    assert held(board_) == [Held(side, 20_000)]
    board_.wait(seconds=10)
    board_.give(side, board_.next_command(side))
    assert board_.state.clock.reserve[side] == reserve - (20_000 - CLUB_DELAY)
    assert sound(board_)
    assert not Absence.objects.exists()


def test_watchers_see_what_was_held(board_: Table) -> None:
    side = runner(board_)
    go(board_, side)
    board_.wait(seconds=5)
    come(board_, side)
    shown = live.build_snapshot(board_.state)["clock"]
    assert shown["held"] == ([5_000, 0] if side is WHITE else [0, 5_000])


def test_the_allowance_is_for_the_whole_match_and_then_the_clock_simply_runs(board_: Table) -> None:
    side = runner(board_)
    reserve = board_.state.clock.reserve[side]
    go(board_, side)
    board_.wait(seconds=50)
    board_.give(side, board_.next_command(side))
    assert held(board_) == [Held(side, TUNNEL)]
    assert board_.state.clock.reserve[side] == reserve - (20_000 - CLUB_DELAY)
    while runner(board_) is not side:
        board_.act()
    reserve = board_.state.clock.reserve[side]
    come(board_, side)
    go(board_, side)
    board_.wait(seconds=40)
    board_.give(side, board_.next_command(side))
    assert held(board_) == [Held(side, TUNNEL)]
    assert board_.state.clock.reserve[side] == reserve - (40_000 - CLUB_DELAY)
    assert sound(board_)


@pytest.mark.long
def test_whoever_comes_and_goes_all_the_time_gains_no_more(board_: Table) -> None:
    """Off and on as often as the network lets anybody: the sum stays within what was agreed."""
    rng = random.Random(5)
    side = runner(board_)
    began, reserve = board_.state.clock.since, board_.state.clock.reserve[side]
    gone = 0
    for _ in range(25):
        board_.wait(seconds=rng.uniform(0.5, 3))
        go(board_, side)
        away = rng.randint(500, 4_000)
        board_.wait(milliseconds=away)
        gone += away
        come(board_, side)
    assert gone > TUNNEL
    board_.give(side, board_.next_command(side))
    taken = journal.to_milliseconds(board_.now) - began
    assert sum(fact.milliseconds for fact in held(board_)) == TUNNEL
    assert board_.state.clock.reserve[side] == reserve - (taken - TUNNEL - CLUB_DELAY)
    assert sound(board_)


def test_who_was_gone_before_the_turn_began_is_held_from_its_beginning(board_: Table) -> None:
    side = runner(board_)
    other = side.other
    go(board_, other)
    board_.wait(seconds=8)
    board_.give(side, board_.next_command(side))
    while runner(board_) is not other:
        board_.act()
    board_.wait(seconds=6)
    come(board_, other)
    assert held(board_) == [Held(other, 6_000)]


def test_who_acts_is_back_whatever_the_stream_says(board_: Table) -> None:
    side = runner(board_)
    go(board_, side)
    board_.wait(seconds=5)
    board_.give(side, board_.next_command(side))
    assert held(board_) == [Held(side, 5_000)]
    assert not Absence.objects.exists()


def test_who_never_came_is_not_gone(table: Table) -> None:
    """A program that reads no stream thinks on its own time."""
    table.begin()
    side = runner(table)
    reserve = table.state.clock.reserve[side]
    table.wait(seconds=22)
    table.give(side, table.next_command(side))
    assert held(table) == []
    assert table.state.clock.reserve[side] == reserve - 10_000


def test_where_nothing_was_agreed_nothing_is_held(now: datetime) -> None:
    table = Table(now, agreed=club_terms(absence=0))
    table.begin()
    side = runner(table)
    come(table, side)
    go(table, side)
    assert not Absence.objects.exists()
    assert list_events(table)[-1] == {side.word: False}


def test_a_pause_and_what_came_before_it_are_told_apart(board_: Table) -> None:
    from engine.actions import Paused, Resumed
    from matches.play import clocks

    def director(fact: Any) -> None:
        with transaction.atomic():
            draft = Draft.load(journal.lock(board_.match.pk), now=board_.now)
            clocks.exclude_interruptions(draft)
            draft.write(fact, by="director")
            record(draft)

    side = runner(board_)
    reserve = board_.state.clock.reserve[side]
    go(board_, side)
    board_.wait(seconds=7)
    director(Paused("fire alarm"))
    board_.wait(minutes=10)
    director(Resumed())
    board_.wait(seconds=4)
    come(board_, side)
    assert held(board_) == [Held(side, 7_000), Held(side, 4_000)]
    board_.wait(seconds=12)
    board_.give(side, board_.next_command(side))
    assert board_.state.clock.reserve[side] == reserve


def test_an_outage_of_ours_is_not_paid_twice(board_: Table) -> None:
    side = runner(board_)
    reserve = board_.state.clock.reserve[side]
    board_.wait(seconds=4)
    go(board_, side)
    board_.wait(seconds=5)
    Outage.objects.create(role="web", from_at=board_.now, to_at=board_.now + timedelta(seconds=8))
    board_.wait(seconds=11)
    come(board_, side)
    facts = [line.fact for line in journal.list_lines(board_.row)][-2:]
    assert facts == [Held(side, 8_000), Excused(8_000)]
    board_.wait(seconds=10)
    board_.give(side, board_.next_command(side))
    # 4 + 10 seconds of 30 were the player's own.
    assert board_.state.clock.reserve[side] == reserve - (14_000 - CLUB_DELAY)
    assert sound(board_)


# Flags


@pytest.mark.long
def test_no_flag_falls_while_the_clock_stands_and_it_falls_once_it_has(board_: Table) -> None:
    side = runner(board_)
    deadline = board_.state.deadline
    board_.now = journal.to_datetime(deadline - 5_000)
    go(board_, side)
    for second in range(30):
        head = board_.row.head
        assert deadlines.sweep(board_.now + timedelta(seconds=second)) == 0
        assert board_.row.head == head, "nothing is written as long as nothing has happened"
    board_.wait(seconds=38)
    assert deadlines.sweep(board_.now) == 1
    facts = [line.fact for line in journal.list_lines(board_.row)]
    assert facts[-2:] == [Held(side, TUNNEL), Flagged(side)]
    assert sound(board_)


def test_a_claim_of_the_opponent_waits_too_and_leaves_no_trace(board_: Table) -> None:
    side = runner(board_)
    board_.now = journal.to_datetime(board_.state.deadline - 5_000)
    go(board_, side)
    board_.wait(seconds=15)
    head = board_.row.head
    with pytest.raises(MatchError) as refused:
        board_.give(side.other, commands.ClaimFlag())
    assert refused.value.code == "time-left"
    answer = board_.give(side.other, commands.Share())
    assert answer.steps == ()
    assert board_.row.head == head == answer.state.head
    come(board_, side)
    assert held(board_) == [Held(side, 15_000)]
    assert not board_.state.match.is_over


def test_a_flag_that_had_fallen_before_stays_fallen(board_: Table) -> None:
    side = runner(board_)
    board_.now = journal.to_datetime(board_.state.deadline + 8_000)
    go(board_, side)
    board_.wait(seconds=10)
    come(board_, side)
    assert any(isinstance(line.fact, Flagged) for line in journal.list_lines(board_.row))


def test_a_board_on_which_only_a_clock_stood_is_the_same_board(board_: Table) -> None:
    side = runner(board_)
    seen = board_.row.head
    go(board_, side)
    board_.wait(seconds=5)
    come(board_, side)
    assert board_.row.head == seen + 1
    board_.give(side, board_.next_command(side), after=seen)
    with pytest.raises(Stale):
        board_.give(runner(board_), commands.Roll(), after=seen)


def write(table: Table, fact: Fact, by: str) -> None:
    with transaction.atomic():
        draft = Draft.load(journal.lock(table.match.pk), now=table.now)
        draft.write(fact, by=by)
        record(draft)


def test_a_move_that_was_sent_during_an_outage_of_ours_counts(board_: Table) -> None:
    """What the server writes when it is back, and what a director gives for it, changes no board."""
    side = runner(board_)
    seen = board_.row.head
    go(board_, side)
    Outage.objects.create(role="web", from_at=board_.now, to_at=board_.now + timedelta(seconds=20))
    board_.wait(seconds=25)
    come(board_, side)
    write(board_, TimeCredited(side, 30_000, "the server was away"), "director")
    kinds = [type(line.fact) for line in journal.list_lines(board_.row, after=seen)]
    assert kinds == [Held, Excused, TimeCredited]
    board_.give(side, board_.next_command(side), after=seen)
    assert sound(board_)


def test_a_move_from_before_a_flag_that_cost_points_is_stale(now: datetime) -> None:
    """The time credited for the next game does not make it the board on which the move was given."""
    table = Table(now, agreed=club_terms(flag=FlagRule(1, 60_000)))
    table.begin()
    side, seen = runner(table), table.row.head
    table.now = journal.to_datetime(table.state.deadline + 8_000)
    assert deadlines.sweep(table.now) == 1
    kinds = [type(line.fact) for line in journal.list_lines(table.row, after=seen)]
    assert TimeCredited in kinds
    with pytest.raises(Stale):
        table.give(side, table.next_command(side), after=seen)


def test_who_has_left_a_match_that_is_over_is_forgotten(board_: Table) -> None:
    side = runner(board_)
    go(board_, side.other)
    board_.give(side, commands.Concede())
    assert Absence.objects.count() == 1
    assert board.delete_ended_absences() == 1
    go(board_, side)
    assert not Absence.objects.exists()


@pytest.mark.long
def test_it_is_the_same_from_the_journal_alone(board_: Table) -> None:
    rng = random.Random(8)
    for _ in range(60):
        if board_.state.match.is_over:
            break
        board_.wait(seconds=rng.choice([1, 4, 9]))
        side = rng.choice(list(Side))
        rng.choice([come, go])(board_, side)
        board_.wait(seconds=rng.choice([0.2, 5]))
        board_.act()
    assert held(board_)
    row = Match.objects.get(pk=board_.match.pk)
    assert list(journal.find_problems(row)) == []
    total = [sum(f.milliseconds for f in held(board_) if f.side is side) for side in Side]
    assert total == [*journal.replay(row).held]
    assert max(total) <= TUNNEL
