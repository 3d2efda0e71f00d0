"""Each roll's reason: why it was strict, sealed or weaker."""

from __future__ import annotations

from datetime import datetime

from engine.game import Phase
from engine.side import Side
from matches.state import commands
from matches.state.commands import Command
from matches.watch.dice_views import Reason, load_reasons
from tests.matches.support import Table, club_terms


def on_turn(table: Table) -> Side:
    side = table.state.match.game.turn
    assert side is not None
    return side


def give(table: Table, side: Side, command: Command, shares: int) -> None:
    table.give(side, command, shares=table.shares(side, shares))


def play(table: Table, shares: int) -> None:
    """Make the play of the dice that lie, and leave so many shares."""
    game = table.state.match.game
    assert game.phase is Phase.TO_PLAY
    give(table, on_turn(table), table.next_command(on_turn(table)), shares)


def last(table: Table) -> Reason:
    return [*load_reasons(table.row).values()][-1]


def sit_down(now: datetime, **details: object) -> Table:
    """Begin a match, with only the shares that the opening needs."""
    table = Table(now, **details)  # type: ignore[arg-type]
    table.sit_down()
    while table.state.match.game.phase is Phase.OPENING:
        for side in table.state.owing:
            give(table, side, commands.Roll(), 1)
    return table


def test_strict_with_a_living_cube_and_sealed_once_it_is_dead(db: None, now: datetime) -> None:
    table = sit_down(now, agreed=club_terms(2))
    assert last(table) is Reason.OPENING

    # The cube is alive: the share comes when the roll is requested.
    play(table, 0)
    doubler = on_turn(table)
    give(table, doubler, commands.Roll(), 1)
    assert table.state.asked is not None
    give(table, doubler.other, commands.Share(), 1)
    assert last(table) is Reason.ASKED

    # A person is away: the share lies there already.
    play(table, 1)
    give(table, doubler.other, commands.Roll(), 1)
    assert last(table) is Reason.AHEAD

    # Two points to go and the cube on two: neither player has another decision to make.
    play(table, 0)
    give(table, doubler, commands.Double(), 0)
    give(table, doubler.other, commands.Take(), 1)
    give(table, doubler, commands.Share(), 1)
    assert last(table) is Reason.NO_DOUBLE
    play(table, 1)
    give(table, doubler.other, commands.Roll(), 1)
    assert last(table) is Reason.NO_DOUBLE


def test_days_are_a_reason(db: None, now: datetime) -> None:
    table = sit_down(now, agreed=club_terms(3, clock="correspondence"))
    play(table, 1)
    give(table, on_turn(table), commands.Roll(), 1)

    assert last(table) is Reason.CORRESPONDENCE


def test_who_gives_no_share_is_named_as_the_reason(db: None, now: datetime) -> None:
    table = sit_down(now, chained=[Side.WHITE])
    play(table, 1)
    give(table, on_turn(table), commands.Roll(), 1)

    assert set(load_reasons(table.row).values()) == {Reason.SILENT}
