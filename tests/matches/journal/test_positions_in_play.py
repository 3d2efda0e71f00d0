"""Positions of running matches between people: the current one, those around it, and both views of each."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine.actions import Played
from engine.board import Board
from engine.dice import ROLLS
from engine.formats import xgid
from engine.plays import legal_plays
from engine.side import Side
from engine.situation import Situation
from matches.journal import journal
from matches.journal.positions_in_play import PLIES_BACK, is_in_play
from matches.models import Match
from matches.state.commands import Concede
from matches.state.status import Status
from tests import prepared
from tests.matches.support import Table, club_terms

pytestmark = pytest.mark.django_db
PLAYS = 12
ELSEWHERE = xgid.decode("XGID=-a-B--CBB--AeC---c-dbA-A--:1:1:1:00:3:4:0:7:10").board


def in_the_middle(now: datetime) -> Table:
    """A match in which both have made some plays, with dice that lie."""
    table = Table(now, agreed=club_terms(5))
    table.begin()
    while table.state.match.game.plies < PLAYS or table.state.match.game.dice is None:
        table.act()
    return table


@pytest.fixture
def table(db: None, now: datetime) -> Table:
    return prepared.begin("a match in its middle", now, lambda: in_the_middle(now))


def boards(table: Table) -> list[Board]:
    """The positions of the match before each of its plays, and the present one."""
    steps = [step for step in journal.iterate_steps(table.row) if isinstance(step.line.fact, Played)]
    return [*(step.before.match.game.board for step in steps), table.state.match.game.board]


@pytest.mark.long
def test_the_present_position_stands_whoever_looks_at_it(table: Table) -> None:
    board = table.state.match.game.board
    assert is_in_play(board)
    assert is_in_play(board.mirrored())
    assert not is_in_play(ELSEWHERE)


def test_so_do_the_last_positions_and_not_those_long_gone(table: Table) -> None:
    gone = boards(table)
    for board in gone[-1 - PLIES_BACK :]:
        assert is_in_play(board)
        assert is_in_play(board.mirrored())
    assert not any(is_in_play(board) for board in gone[1 : -1 - PLIES_BACK - 2])


def test_so_does_whatever_the_next_play_may_lead_to(table: Table) -> None:
    game = table.state.match.game
    assert game.turn is not None
    assert game.dice is not None
    for after in legal_plays(game.board, game.turn, game.dice).results():
        assert is_in_play(after)
        assert is_in_play(after.mirrored())


def test_before_a_roll_that_is_every_roll(table: Table) -> None:
    while table.state.match.game.dice is not None or table.state.match.game.turn is None:
        table.act()
    game = table.state.match.game
    assert game.turn is not None
    for roll in ROLLS:
        assert is_in_play(legal_plays(game.board, game.turn, roll)[0].board)


def test_an_old_cache_is_not_relied_on(table: Table) -> None:
    row = table.row
    Match.objects.filter(pk=row.pk).update(cache={**row.cache, "version": 0, "match": {}})
    assert is_in_play(table.state.match.game.board)


def test_paused_it_is_still_being_played(table: Table) -> None:
    board = table.state.match.game.board
    Match.objects.filter(pk=table.match.pk).update(status=Status.PAUSED.value, deadline_at=None)
    assert is_in_play(board)


def test_over_or_against_a_bot_it_is_not(table: Table) -> None:
    board = table.state.match.game.board
    Match.objects.filter(pk=table.match.pk).update(has_bot=True)
    assert not is_in_play(board)
    Match.objects.filter(pk=table.match.pk).update(has_bot=False)
    table.give(Side.WHITE, Concede())
    assert not is_in_play(board)


def test_it_is_asked_of_two_queries_at_most(table: Table) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert not is_in_play(ELSEWHERE)
    assert len(asked) == 2
    with CaptureQueriesContext(connection) as asked:
        assert is_in_play(Situation.from_match(table.state.match).board)
    assert len(asked) <= 3
    Match.objects.filter(pk=table.match.pk).update(has_bot=True)
    with CaptureQueriesContext(connection) as asked:
        assert not is_in_play(ELSEWHERE)
    assert len(asked) == 1
