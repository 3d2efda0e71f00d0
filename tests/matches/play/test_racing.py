"""A race that both agreed to play out: rolled and played by itself, with the shares of both, until one stops it."""

from __future__ import annotations

from datetime import datetime

import pytest

from engine.actions import Doubled, Played, Rolled
from engine.board import Board
from engine.fair import Party
from engine.game import Phase
from engine.rules import Rules
from engine.side import Side
from matches.bots import bots
from matches.journal import journal, live
from matches.models import Match
from matches.play import answers
from matches.state import commands, facts, terms
from matches.state.errors import Refused
from matches.state.match_state import MatchState
from tests.matches.support import Table, person

pytestmark = pytest.mark.django_db

RACE = Board.from_counts({6: 4, 5: 4, 4: 4, 3: 3}, {6: 4, 5: 4, 4: 4, 3: 3})
CONTACT = Board.from_counts({24: 1, 6: 4}, {24: 1, 6: 4})


def at_race(now: datetime, start: Board = RACE, length: int = 3) -> Table:
    """Two are in the first turn of a game."""
    table = Table(now, agreed=terms.build_terms(Rules(length=length, start=start), None))
    table.begin()
    return table


def give_what_is_owed(table: Table) -> None:
    """Do what an open page does by itself: give the share that is waited for, and nothing else."""
    (side,) = table.state.owing
    table.give(side, commands.Share())


def run(table: Table, game: int = 1) -> None:
    """Run both pages until this game is over."""
    for _ in range(200):
        if table.state.match.number != game or table.state.match.is_over:
            return
        give_what_is_owed(table)
    raise AssertionError("the race does not end")


def test_a_race_is_played_to_its_end_once_both_agree(now: datetime) -> None:
    table = at_race(now)
    table.give(Side.WHITE, commands.PlayOut())
    assert table.state.playing_out == {Side.WHITE}
    assert live.build_snapshot(table.state)["playing_out"] == ["white"]
    assert table.state.match.game.phase is Phase.TO_PLAY
    before = table.state.match.game.board
    table.give(Side.BLACK, commands.PlayOut())
    assert table.state.match.game.board != before

    run(table)
    (result,) = table.state.match.results
    assert result.points >= 1
    # What was agreed on for one race is not agreed on for the next.
    assert table.state.playing_out == frozenset()


def test_every_roll_of_it_is_made_of_the_shares_of_both(now: datetime) -> None:
    table = at_race(now)
    for side in Side:
        table.give(side, commands.PlayOut())
    run(table)
    rolls = [line for line in journal.list_lines(table.row) if isinstance(line.fact, Rolled)]
    assert len(rolls) > 8
    for line in rolls:
        assert line.thrown is not None
        assert all(line.thrown.links[party] is not None for party in Party)
    plays = [line for line in journal.list_lines(table.row) if isinstance(line.fact, Played)]
    assert {line.by for line in plays} == {"server"}


def test_it_takes_off_as_many_as_can_be(now: datetime) -> None:
    table = at_race(now, Board.from_counts({1: 8}, {1: 8}), length=1)
    for side in Side:
        table.give(side, commands.PlayOut())
    run(table)
    for step in journal.iterate_steps(table.row):
        if isinstance(step.line.fact, Played):
            dice = step.before.match.game.dice
            left = step.before.match.game.board.count(step.line.fact.side, 1)
            assert len(step.line.fact.steps) == min(left, 4 if dice.high == dice.low else 2)


def test_either_may_stop_it_and_nobody_doubles_meanwhile(now: datetime) -> None:
    table = at_race(now)
    for side in Side:
        table.give(side, commands.PlayOut())
    state = table.state
    (turn,) = state.owing
    assert state.match.game.phase is Phase.TO_ROLL or state.asked is not None
    if state.asked is None:
        assert "double" not in answers.build_options(state, turn)["may"]
        with pytest.raises(Refused) as refused:
            table.give(turn, commands.Double(), shares={})
        assert refused.value.code == "playing-out"
    table.give(Side.WHITE, commands.PlayOut(stop=True), shares={})
    assert table.state.playing_out == {Side.BLACK}
    head = table.head
    give_what_is_owed(table)
    made = [line.fact for line in journal.list_lines(table.row) if line.seq > head]
    assert not any(isinstance(fact, Played | Doubled) for fact in made)


def test_where_somebody_may_be_hit_nothing_is_played_out(now: datetime) -> None:
    table = at_race(now, CONTACT)
    assert "play-out" not in answers.build_options(table.state, Side.WHITE)["may"]
    for command, code in ((commands.PlayOut(), "no-race"), (commands.PlayOut(stop=True), "not-playing-out")):
        with pytest.raises(Refused) as refused:
            table.give(Side.WHITE, command)
        assert refused.value.code == code


def test_to_agree_twice_writes_one_line(now: datetime) -> None:
    table = at_race(now)
    for _ in range(2):
        table.give(Side.WHITE, commands.PlayOut())
    agreed = [line for line in journal.list_lines(table.row) if isinstance(line.fact, facts.PlaysOut)]
    assert len(agreed) == 1


def test_a_bot_agrees_at_once(now: datetime) -> None:
    bot = bots.get_practice_bot().player
    ann = person("Ann", now).player
    agreed = terms.build_terms(Rules(length=1, start=RACE), None)
    table = Table(now, agreed=agreed, players=(ann, bot))
    bots.act(match_id=table.match.pk, now=now)
    table.promise(Side.WHITE)
    bots.act(match_id=table.match.pk, now=now)
    table.give(Side.WHITE, commands.Open(table.chain(Side.WHITE).head), shares={})
    bots.act(match_id=table.match.pk, now=now)
    while table.state.match.game.phase is Phase.OPENING:
        if Side.WHITE in table.state.owing:
            table.give(Side.WHITE, commands.Roll())
        bots.act(match_id=table.match.pk, now=now)
    table.give(Side.WHITE, commands.PlayOut())
    for _ in range(200):
        bots.act(match_id=table.match.pk, now=now)
        if table.state.match.is_over:
            break
        give_what_is_owed(table)
    assert table.state.match.is_over
    assert Match.objects.get().status == "finished"


def test_what_was_agreed_survives_the_cache(now: datetime) -> None:
    table = at_race(now)
    table.give(Side.WHITE, commands.PlayOut())
    state, row = table.state, table.row
    told = state.to_json()
    again = MatchState.from_json(row.key, row.white_key, row.black_key, state.terms, told)
    assert again == state
    # A cache that was written before there was such a thing.
    del told["playing_out"]
    assert (
        MatchState.from_json(row.key, row.white_key, row.black_key, state.terms, told).playing_out
        == frozenset()
    )
