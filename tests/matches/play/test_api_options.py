"""The server accepts exactly the commands that it offers to a player."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from django.db import transaction

from engine.actions import Paused, Resumed
from engine.fair import Party
from engine.plays import legal_plays
from engine.rules import Rules
from engine.side import Side
from matches.journal import journal
from matches.journal.journal import Draft
from matches.journal.lifecycle import record
from matches.models import Habits
from matches.play import answers
from matches.state import commands, terms
from matches.state.commands import Command
from matches.state.errors import MatchError
from matches.state.match_state import MatchState
from tests.matches.support import Table, club_terms

pytestmark = pytest.mark.django_db


class Undone(Exception):
    """Ends an attempt that was accepted."""


def attempts(table: Table, state: MatchState, side: Side) -> Iterator[tuple[str, Command, dict[int, bytes]]]:
    """One honest attempt at each kind of command."""
    dicing, game = state.dicing, state.match.game
    has_chain = dicing.has_chain(Party.from_side(side))
    shares = table.shares(side) if has_chain and answers.Stage.READY is dicing.stage else {}
    steps: Any = ()
    if game.turn is side and game.dice is not None:
        steps = legal_plays(game.board, side, game.dice)[0].steps
    yield "promise", commands.Promise(), {}
    yield "open", commands.Open(table.chain(side).head), {}
    yield "forgo", commands.Forgo(), {}
    yield "share", commands.Share(), shares or {dicing.next: bytes(32)}
    yield "roll", commands.Roll(), shares
    yield "move", commands.Move(steps), {}
    yield "double", commands.Double(), {}
    yield "beaver", commands.Beaver(), {}
    yield "take", commands.Take(), {}
    yield "drop", commands.Drop(), {}
    yield "accept", commands.AcceptResignation(), {}
    yield "decline", commands.DeclineResignation(), {}
    yield "play-out", commands.PlayOut(), {}
    for level in (1, 2, 3):
        yield f"resign {level}", commands.OfferResignation(level), {}
    yield "resign match", commands.Concede(), {}


def accepted(table: Table, side: Side) -> set[str]:
    """Which commands the server takes now; nothing of it stays."""
    state, found = table.state, set()
    for word, command, shares in attempts(table, state, side):
        with contextlib.suppress(MatchError, Undone), transaction.atomic():
            table.give(side, command, shares=shares)
            found.add(word)
            raise Undone
    return found


def list_player_options(state: MatchState, side: Side) -> set[str]:
    """The options of a player as the API serializes them."""
    said = answers.build_options(state, side)
    levels = {f"resign {level}" for level in said["resign_levels"]}
    assert bool(levels) is ("resign" in said["may"])
    return {*said["may"], *levels} - {"claim-flag", "claim-absence", "resign"}


def compare(table: Table) -> None:
    state = table.state
    for side in Side:
        assert list_player_options(state, side) == accepted(table, side), (
            state.match.game.phase,
            state.owing,
            side,
        )


def pause(table: Table, fact: Paused | Resumed) -> None:
    with transaction.atomic():
        draft = Draft.load(journal.lock(table.match.pk), now=table.now)
        draft.write(fact, by="director")
        record(draft)


def wander(table: Table, boards: int) -> None:
    """Play at random, with resignations and pauses among it, and compare at every board."""
    for _ in range(boards):
        compare(table)
        state = table.state
        if state.match.is_over:
            return
        table.wait(seconds=1)
        if state.begun and table.rng.random() < 0.15:
            side = table.rng.choice(state.owing)
            if "resign 1" in list_player_options(state, side):
                table.give(side, commands.OfferResignation(1))
                continue
        if state.begun and table.rng.random() < 0.05:
            pause(table, Paused())
            compare(table)
            pause(table, Resumed())
        table.act()


@pytest.mark.long
@pytest.mark.parametrize("chained", [(Side.WHITE, Side.BLACK), (Side.BLACK,), ()])
def test_the_next_board_of_a_match(now: datetime, chained: tuple[Side, ...]) -> None:
    wander(Table(now, chained=chained, seed=5), 16)


@pytest.mark.long
@pytest.mark.parametrize("length", [1, 2])
def test_without_a_cube_and_in_the_crawford_game(now: datetime, length: int) -> None:
    wander(Table(now, agreed=club_terms(length), seed=7), 16)


@pytest.mark.long
def test_unlimited_with_beavers(now: datetime) -> None:
    agreed = terms.build_terms(Rules.unlimited(beavers=True), None)
    table = Table(now, agreed=agreed, seed=2)
    table.begin()
    while not any(word == "take" for side in Side for word in list_player_options(table.state, side)):
        compare(table)
        side = table.state.owing[0]
        may = list_player_options(table.state, side)
        table.give(side, commands.Double()) if "double" in may else table.act()
    assert "beaver" in list_player_options(table.state, table.state.owing[0])
    compare(table)
    table.give(table.state.owing[0], commands.Beaver())
    compare(table)


def test_when_it_is_over_there_is_nothing(now: datetime) -> None:
    table = Table(now)
    table.begin()
    table.give(Side.WHITE, commands.Concede())
    compare(table)
    assert answers.build_options(table.state, Side.WHITE)["may"] == []


def test_the_reason_for_no_double_is_told(now: datetime) -> None:
    table = Table(now, agreed=club_terms(1), chained=())
    Habits.objects.create(player=table.white, auto_roll=False)
    Habits.objects.create(player=table.black, auto_roll=False)
    table.begin()
    reasons = set()
    for _ in range(12):
        state = table.state
        for side in Side:
            reasons |= {
                (why["code"], why["rule"]) for why in answers.build_options(state, side)["may_not"].values()
            }
        table.act(shares={})
    assert reasons == {("no-cube", "R53")}
