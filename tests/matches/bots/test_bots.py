"""The server's own players: they do all they owe, at once, in honest dice; and no match with one is ever stuck."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine.fair import Party
from engine.fair_log import ShareMode
from engine.game import Phase, Termination
from engine.side import Side
from matches import hooks
from matches.bots import bots, minds
from matches.hooks import match_due
from matches.journal import journal
from matches.lobby import challenges
from matches.models import Bot, Habits, Match
from matches.play.terms_validation import read_terms
from matches.receivers import wake_bot
from matches.state import commands
from matches.state.commands import Command
from matches.state.dicing import Stage
from matches.state.errors import BadTerms
from matches.state.facts import Asked
from matches.state.status import Status
from players.models import Player
from runtime.hooks import Hook
from runtime.work import sweeps
from tests.matches.support import Table, club_terms, person

if TYPE_CHECKING:
    from pytest_django import DjangoCaptureOnCommitCallbacks

pytestmark = pytest.mark.django_db
WHITE, BLACK = Side
HUMAN, BOT = WHITE, BLACK


def against_bot(now: datetime, **more: Any) -> Table:
    """A match whose black player is the practice bot, before the first action."""
    return Table(now, players=(person("Ann", now).player, bots.get_practice_bot().player), **more)


def act(table: Table) -> None:
    """Submit one action that the human player owes."""
    state = table.state
    if HUMAN not in state.sealing:
        table.give(HUMAN, table.next_command(HUMAN))
    elif state.dicing.stage is Stage.PROMISING:
        table.promise(HUMAN)
    else:
        table.give(HUMAN, commands.Open(table.chain(HUMAN).head), shares={})


def play_out(table: Table) -> int:
    """Play the match to its end; return how much the bot did."""
    done = 0
    for _ in range(2_000):
        done += bots.act(match_id=table.match.pk, now=table.now)
        if table.row.status in {Status.FINISHED, Status.VOID}:
            return done
        assert table.state.owing == (HUMAN,)
        table.wait(seconds=1)
        act(table)
    raise AssertionError("the match does not end")


@pytest.mark.long
@pytest.mark.parametrize("chained", [(HUMAN,), ()])
@pytest.mark.parametrize("points", [1, 3, 5])
def test_a_whole_match_against_the_bot(now: datetime, chained: tuple[Side, ...], points: int) -> None:
    table = against_bot(now, agreed=club_terms(points), chained=chained, seed=points)

    assert play_out(table) > 5
    assert list(journal.find_problems(table.row)) == []
    assert table.match.has_bot
    lines = journal.list_lines(table.row)
    # Its shares lie there before anybody needs them; where it danced too often to lay down new ones, it answers
    # in the same moment.
    for line, after in pairwise(lines):
        if isinstance(line.fact, Asked) and line.fact.side is HUMAN:
            assert (after.by, after.at) == (BOT.word, line.at)
    thrown = [line.thrown for line in lines if line.thrown]
    assert all(each.links[Party.from_side(BOT)] is not None for each in thrown)
    assert ShareMode.SEALED in {each.mode for each in thrown}


@pytest.mark.long
def test_a_bot_that_is_asked_for_its_share_gives_it(now: datetime) -> None:
    table = against_bot(now, seed=6)
    Habits.objects.create(player=table.white, auto_roll=False)
    for _ in range(600):
        bots.act(match_id=table.match.pk, now=table.now)
        if table.state.match.is_over:
            break
        # As after many rolls in which the bot had nothing to do.
        Match.objects.update(deposits={"A": table.row.deposits.get("A", {}), "B": {}})
        table.wait(seconds=1)
        act(table)

    assert table.row.status == Status.FINISHED
    asked = [line.fact.side for line in journal.list_lines(table.row) if isinstance(line.fact, Asked)]
    assert HUMAN in asked
    assert list(journal.find_problems(table.row)) == []


@pytest.mark.long
def test_two_bots_get_along_without_anybody(now: datetime) -> None:
    other = Bot.objects.create(player=Player.objects.create(name="Pop (bot)"), slug="pop")
    table = Table(now, players=(bots.get_practice_bot().player, other.player), agreed=club_terms(3))

    for second in range(60):
        if table.row.status == Status.FINISHED:
            break
        assert sweeps.run("matches.bots", now=now + timedelta(seconds=second))

    assert table.row.status == Status.FINISHED
    assert list(journal.find_problems(table.row)) == []


def test_two_bots_hold_up_nobody_who_moves(now: datetime) -> None:
    other = Bot.objects.create(player=Player.objects.create(name="Pop (bot)"), slug="pop")
    table = Table(now, players=(bots.get_practice_bot().player, other.player), agreed=club_terms(3))

    assert not bots.is_single_bot_due(table.row)


@pytest.mark.long
def test_the_bot_answers_before_the_person_is_answered(
    now: datetime, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    table = against_bot(now, agreed=club_terms(1, clock=None), seed=3)

    for _ in range(400):
        with django_capture_on_commit_callbacks(execute=True):
            act(table)
        if table.state.match.is_over:
            break
        assert table.state.owing == (HUMAN,)

    assert table.row.status == Status.FINISHED


def test_a_bot_that_nobody_woke_is_found(now: datetime) -> None:
    table = against_bot(now)
    others = Table(now, players=(table.white, person("Ben", now).player))
    table.promise(HUMAN)

    assert table.row.due == "black"
    assert list(bots.list_waiting()) == [table.match]
    assert sweeps.run("matches.bots", now=now)
    assert table.row.due == "white"
    assert list(bots.list_waiting()) == []
    assert others.row.due == "both"


def test_finding_the_waiting_asks_an_index(now: datetime) -> None:
    bots.get_practice_bot()
    with CaptureQueriesContext(connection) as asked:
        list(bots.list_waiting().values_list("pk", flat=True))
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {'QUERY PLAN ' * (connection.vendor == 'sqlite')}{asked[-1]['sql']}")
        plan = " ".join(map(str, cursor.fetchall()))

    if connection.vendor == "sqlite":
        assert "SCAN" not in plan
        assert "match_with_bot_due" in plan


def test_one_broken_match_holds_up_no_other(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = [against_bot(now)]
    tables.append(Table(now, players=(tables[0].white, bots.get_practice_bot().player)))
    for table in tables:
        table.promise(HUMAN)
    broken = tables[0].match.pk
    whole = bots.act

    def sometimes(*, match_id: int, now: datetime, is_sweep: bool) -> int:
        if match_id == broken:
            raise ZeroDivisionError
        return whole(match_id=match_id, now=now, is_sweep=is_sweep)

    monkeypatch.setattr(bots, "act", sometimes)

    assert bots.sweep(now=now) == 1
    assert [table.row.due for table in tables] == ["black", "white"]


def test_a_mind_that_wants_nothing_does_nothing(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    table = against_bot(now)
    monkeypatch.setattr(hooks, "MINDS", Hook())
    hooks.MINDS.add("club", replace(minds.CLUB, decide=lambda _thought: None))

    assert 0 < play_until_the_bot_thinks(table) < 20
    assert table.state.owing == (BOT,)
    assert bots.act(match_id=table.match.pk, now=table.now) == 0


def play_until_the_bot_thinks(table: Table) -> int:
    """Play on until it is the bot's to decide something, and return how much the person did."""
    for done in range(100):
        bots.act(match_id=table.match.pk, now=table.now)
        if HUMAN not in table.state.owing:
            return done
        act(table)
    raise AssertionError("it never comes to that")


def test_the_bot_does_all_it_owes_in_one_transaction(
    now: datetime, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    table = against_bot(now, seed=2)
    table.promise(HUMAN)
    bots.act(match_id=table.match.pk, now=now)
    table.give(HUMAN, commands.Open(table.chain(HUMAN).head), shares={})
    before = table.row.head

    assert bots.act(match_id=table.match.pk, now=now) >= 1
    assert table.row.head > before
    assert bots.act(match_id=table.match.pk, now=now) == 0


@pytest.mark.long
def test_it_plays_where_a_stranger_may_double_resign_and_leave(now: datetime) -> None:
    table = against_bot(now, agreed=club_terms(7), seed=4)
    answered = 0
    for _ in range(600):
        bots.act(match_id=table.match.pk, now=table.now)
        state = table.state
        if state.match.is_over:
            break
        table.wait(seconds=1)
        can_resign = state.match.game.phase is Phase.TO_PLAY and state.refused is not HUMAN
        if can_resign and table.rng.random() < 0.2:
            most = state.match.game.find_highest_level(HUMAN)
            table.give(HUMAN, commands.OfferResignation(table.rng.randint(1, most)))
            bots.act(match_id=table.match.pk, now=table.now)
            assert table.state.match.game.resigning is None
            answered += 1
        else:
            act(table)

    assert answered
    assert table.row.status == Status.FINISHED
    assert list(journal.find_problems(table.row)) == []


def test_a_bot_that_comes_too_late_loses_on_time(now: datetime) -> None:
    table = against_bot(now)
    table.promise(HUMAN)
    bots.act(match_id=table.match.pk, now=now)
    table.give(HUMAN, commands.Open(table.chain(HUMAN).head), shares={})
    bots.act(match_id=table.match.pk, now=now)
    while table.state.match.game.phase is Phase.OPENING:
        bots.act(match_id=table.match.pk, now=now)
        if HUMAN in table.state.owing and table.state.match.game.phase is Phase.OPENING:
            table.give(HUMAN, commands.Roll())
    while table.state.owing != (BOT,):
        act(table)

    bots.act(match_id=table.match.pk, now=now + timedelta(hours=5))

    outcome = table.state.match.outcome
    assert (outcome.winner, outcome.how) == (HUMAN, Termination.FLAG)


@pytest.mark.long
def test_a_changed_key_of_the_server_is_remembered(now: datetime, settings: Any) -> None:
    table = against_bot(now, seed=5)
    table.promise(HUMAN)
    bots.act(match_id=table.match.pk, now=now)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "a new one"

    assert play_out(table)
    assert list(journal.find_problems(table.row)) == []


def test_a_lost_key_stops_the_bot_and_no_sweep(now: datetime, settings: Any) -> None:
    table = against_bot(now)
    table.promise(HUMAN)
    bots.act(match_id=table.match.pk, now=now)
    table.give(HUMAN, commands.Open(table.chain(HUMAN).head), shares={})
    settings.SECRET_KEY = "a new one, and the old one forgotten"

    assert bots.sweep(now=now) == 0
    assert table.row.due == "both"


# -- who they are


def test_the_practice_bot_is_one_and_always_there() -> None:
    first = bots.get_practice_bot()

    assert bots.get_practice_bot() == first
    assert Player.objects.get().name == minds.CLUB.player
    Bot.objects.all().delete()
    assert bots.get_practice_bot() != first


def test_who_comes_second_finds_the_first_ones_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    there = bots.get_practice_bot()
    look = Bot.objects.select_related

    class Blind:
        def filter(self, **_: object) -> Any:
            monkeypatch.setattr(Bot.objects, "select_related", look)
            return Bot.objects.none()

    monkeypatch.setattr(Bot.objects, "select_related", lambda *_: Blind())

    assert bots.get_practice_bot() == there
    assert Player.objects.count() == 1


def test_anyone_may_challenge_it_to_a_friendly_match(now: datetime) -> None:
    ann = person("Ann", now).player
    bot = bots.get_practice_bot()
    row = challenges.offer(challenger=ann, opponent=bot.player, terms=read_terms(length=5), now=now)

    # It has promised already: one thing less to wait for.
    assert row.match.has_bot
    assert Match.objects.get().due in {"white", "black"}
    Bot.objects.update(is_active=False)
    with pytest.raises(BadTerms, match="cannot be challenged"):
        challenges.offer(challenger=ann, opponent=bot.player, terms=read_terms(length=5), now=now)


# -- what it costs those who play without one


def queries_of(table: Table, side: Side, command: Command, within: Any) -> int:
    with CaptureQueriesContext(connection) as asked, within(execute=True):
        table.give(side, command)
    return len(asked)


def test_a_move_between_people_asks_for_nothing_more(
    table: Table, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    counts = []
    for is_connected in (True, False):
        table.begin()
        if not is_connected:
            assert match_due.disconnect(dispatch_uid="matches.wake_bot")
        side = table.state.owing[0]
        counts.append(queries_of(table, side, table.next_command(side), django_capture_on_commit_callbacks))
        table = Table(table.now, players=(table.white, table.black))
    match_due.connect(wake_bot, dispatch_uid="matches.wake_bot")

    assert counts[0] == counts[1] > 0
