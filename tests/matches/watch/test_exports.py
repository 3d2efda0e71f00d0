"""Downloads of a match can be verified without the server: the record, the dice, the journal."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import transaction

from engine import formats
from engine.actions import (
    Action,
    Paused,
    Resumed,
    RuledMatch,
    RuledPosition,
    TakenBack,
    VoidedGame,
    VoidedMatch,
)
from engine.board import STANDARD
from engine.cube import CENTRED
from engine.dice import Dice
from engine.fair import Party
from engine.fair_check import FairCheck, Trust, verify_log
from engine.fair_log import FairLog, ShareMode
from engine.game import Phase
from engine.rules import Rules
from engine.side import Side
from matches.journal import dice, journal
from matches.journal.dice import begin_dice
from matches.journal.journal import Draft
from matches.journal.lifecycle import record
from matches.play import automatic_facts, deadlines
from matches.state import commands, terms
from matches.state.facts import Asked
from matches.watch import exports
from players.models import Club
from tests.matches import files
from tests.matches.support import Table, club_terms

pytestmark = pytest.mark.django_db

BOTH = (Side.WHITE, Side.BLACK)


def direct(table: Table, *facts: Action) -> None:
    """Write what a director decides, and what follows from it."""
    with transaction.atomic():
        draft = Draft.load(journal.lock(table.match.pk), now=table.now, with_past=True)
        for fact in facts:
            draft.write(fact, by="director")
        automatic_facts.write_automatic_facts(draft)
        record(draft)


def new_chains(table: Table, reason: str) -> None:
    with transaction.atomic():
        draft = Draft.load(journal.lock(table.match.pk), now=table.now)
        begin_dice(draft, reason=reason)
        record(draft)
    table.sit_down()


def acts(table: Table, count: int) -> None:
    for _ in range(count):
        if not table.state.match.is_over:
            table.wait(seconds=1)
            table.act()


def checked(table: Table) -> tuple[FairLog, FairCheck]:
    """Write, read and verify the published dice, and compare them with the journal."""
    log = FairLog.parse(exports.build_dice_log(table.row).text().encode())
    check = verify_log(log)
    assert check.holds, check.problems
    assert log.counted() == tuple(counted(table))
    assert list(journal.find_problems(table.row)) == []
    return log, check


def counted(table: Table) -> Any:
    from engine.cli.dice_verification import _list_rolls

    return _list_rolls(exports.build_record(table.row))


@pytest.mark.long
@pytest.mark.parametrize("chained", [BOTH, (Side.WHITE,), ()])
def test_the_dice_of_a_match_hold(now: datetime, chained: tuple[Side, ...]) -> None:
    table = Table(now, chained=chained)
    table.play_out()
    _log, check = checked(table)
    labels = {trust for trust in Trust if check.count(trust)}
    assert (Trust.WEAKER in labels) is (chained != BOTH)
    assert check.count(Trust.WEAKER) in {0, len(check.rolls)}


def sparing(table: Table) -> None:
    """Act with no share that is not needed at once, so that rolls wait for the other's."""
    table.wait(seconds=1)
    state = table.state
    side = state.owing[0]
    command = table.next_command(side)
    is_needed = isinstance(command, commands.Roll | commands.Share)
    table.give(side, command, shares=table.shares(side, 1) if is_needed else {})


@pytest.mark.long
def test_strict_and_sealed_are_told_apart(now: datetime) -> None:
    table = Table(now)
    table.begin()
    for place in range(40):
        # The dice of a match are new in every run: now and then it is over sooner.
        if not table.state.owing:
            break
        if place % 4 == 0:
            acts(table, 1)
        else:
            sparing(table)
    log, check = checked(table)
    pending = {table.state.asked.number} if table.state.asked else set()
    asked = {
        line.fact.number for line in journal.list_lines(table.row) if isinstance(line.fact, Asked)
    } - pending
    assert asked
    assert {roll.number for roll in log.rolls if roll.mode is ShareMode.STRICT} == asked
    assert check.count(Trust.STRICT) == len(asked)
    assert check.count(Trust.SEALED) == len(log.rolls) - len(asked)


@pytest.mark.long
def test_words_stand_in_for_a_chain(now: datetime) -> None:
    table = Table(now, chained=[Side.BLACK])
    table.give(Side.WHITE, commands.Promise(words="a fine „day“"), shares={})
    table.promise(Side.BLACK)
    table.give(Side.BLACK, commands.Open(table.chain(Side.BLACK).head), shares={})
    acts(table, 30)
    log, check = checked(table)
    assert log.epochs[0].seeds.a == "a fine „day“"
    assert {roll.typed for roll in check.rolls} == {(Party.A,)}
    assert check.count(Trust.WEAKER) == len(check.rolls)


@pytest.mark.long
def test_a_chain_that_was_lost_serves_up_to_there(now: datetime) -> None:
    table = Table(now)
    table.begin()
    acts(table, 10)
    table.give(Side.WHITE, commands.Forgo("the phone fell into the sea"), shares={})
    acts(table, 20)
    log, check = checked(table)
    missing = [roll.links.a is None for roll in log.rolls]
    assert missing == sorted(missing)
    assert True in missing
    assert False in missing
    assert check.rolls[-1].absent == (Party.A,)


def test_a_chain_that_was_lost_before_it_was_shown_is_none(now: datetime) -> None:
    table = Table(now)
    for side in BOTH:
        table.promise(side)
    table.give(Side.WHITE, commands.Forgo("the wrong browser"), shares={})
    table.give(Side.BLACK, commands.Open(table.chain(Side.BLACK).head), shares={})
    acts(table, 20)
    log, check = checked(table)
    assert log.rolls
    assert log.epochs[0].commitments.a is None
    assert log.epochs[0].heads.b is not None
    assert {roll.absent for roll in check.rolls} == {(Party.A,)}


@pytest.mark.long
def test_sets_of_chains_that_are_used_up(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dice, "compute_chain_length", lambda points: 4)
    table = Table(now)
    acts(table, 80)
    log, check = checked(table)
    assert len(log.epochs) >= 3
    assert [epoch.first for epoch in log.epochs] == list(range(1, 4 * len(log.epochs), 4))
    assert check.notes == ()


@pytest.mark.long
def test_chains_that_began_early_are_noted_with_the_reason(now: datetime) -> None:
    table = Table(now)
    table.begin()
    acts(table, 12)
    while table.state.match.game.phase is not Phase.TO_ROLL or table.state.asked:
        acts(table, 1)
    new_chains(table, "a new telephone")
    acts(table, 12)
    log, check = checked(table)
    assert len(log.epochs) == 2
    assert [note.code for note in check.notes] == ["epoch-early"]
    assert "a new telephone" in check.notes[0].message


def test_chains_that_served_no_roll_are_left_out(now: datetime) -> None:
    table = Table(now)
    table.sit_down()
    table.chains.clear()
    new_chains(table, "promised with the wrong match")
    acts(table, 12)
    log, _check = checked(table)
    assert [(epoch.first, epoch.reason) for epoch in log.epochs] == [(1, "promised with the wrong match")]


def test_chains_that_were_never_opened_are_no_epoch(now: datetime) -> None:
    table = Table(now)
    table.promise(Side.WHITE)
    direct(table, VoidedMatch("nobody came"))
    log, check = checked(table)
    assert log.epochs == log.rolls == check.rolls == ()
    assert table.row.status == "void"


def test_what_a_director_took_back_is_marked(now: datetime) -> None:
    table = Table(now)
    table.begin()
    acts(table, 8)
    to = table.state.match.facts
    before = len(exports.build_dice_log(table.row).rolls)
    acts(table, 9)
    gone = len(exports.build_dice_log(table.row).rolls)
    direct(table, TakenBack(to, "played in the wrong order"))
    acts(table, 8)
    log, _check = checked(table)
    assert gone > before
    assert [roll.number for roll in log.rolls if roll.taken_back] == list(range(before + 1, gone + 1))


@pytest.mark.long
def test_a_takeback_may_be_taken_back(now: datetime) -> None:
    table = Table(now)
    table.begin()
    acts(table, 6)
    to = table.state.match.facts
    acts(table, 8)
    whole = table.state.match.facts
    direct(table, TakenBack(to))
    acts(table, 4)
    lost = {roll.number for roll in exports.build_dice_log(table.row).rolls[-2:]}
    direct(table, TakenBack(whole))
    log, _check = checked(table)
    assert {roll.number for roll in log.rolls if roll.taken_back} >= lost
    acts(table, 6)
    checked(table)


def test_a_game_that_was_made_void_took_its_rolls_along(now: datetime) -> None:
    table = Table(now, agreed=terms.build_terms(Rules(length=5, cube=False), None))
    table.begin()
    acts(table, 10)
    rolls = len(exports.build_dice_log(table.row).rolls)
    direct(table, VoidedGame("the board was set up wrongly"))
    acts(table, 10)
    log, _check = checked(table)
    assert [roll.taken_back for roll in log.rolls[:rolls]] == [True] * rolls
    assert not log.rolls[-1].taken_back


@pytest.mark.long
def test_a_tie_that_a_director_set_aside_need_not_be_thrown_again(now: datetime) -> None:
    table = Table(now)
    for seed in range(60):
        table = Table(now, seed=seed, players=(table.white, table.black))
        table.sit_down()
        for side in BOTH:
            table.give(side, commands.Roll(), shares=table.shares(side, 1))
        if table.state.match.game.ties:
            break
    assert table.state.match.game.phase is Phase.OPENING
    direct(table, RuledPosition(STANDARD, Side.BLACK, CENTRED, Dice(3, 1), "as on the photograph"))
    acts(table, 10)
    log, _check = checked(table)
    assert log.rolls[0].is_tie
    assert log.rolls[0].taken_back


def test_a_roll_that_was_asked_for_and_never_made(now: datetime) -> None:
    table = Table(now, agreed=club_terms(3, clock=None))
    table.begin()
    while table.state.asked is None:
        sparing(table)
    asked = table.state.asked
    direct(table, Paused())
    direct(table, Resumed())
    direct(table, RuledMatch(asked.side, "the other has gone home"))
    log, _check = checked(table)
    assert asked.number == len(log.rolls) + 1


def test_after_an_asked_roll_was_taken_back_the_same_share_serves(now: datetime) -> None:
    table = Table(now)
    table.begin()
    while table.state.asked is None:
        sparing(table)
    direct(table, TakenBack(table.state.match.facts))
    assert table.state.asked is None
    acts(table, 10)
    checked(table)


@pytest.mark.long
def test_the_site_may_move_while_a_match_is_on(
    now: datetime, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dice, "compute_chain_length", lambda points: 6)
    table = Table(now)
    acts(table, 14)
    settings.PUBLIC_HOST = "elsewhere.example"
    acts(table, 30)
    log, _check = checked(table)
    assert len(log.epochs) > 1


# The record


@pytest.mark.long
@pytest.mark.parametrize("length", [1, 3, 0])
def test_the_record_is_the_match(now: datetime, length: int) -> None:
    table = Table(now, agreed=club_terms(length, clock=None))
    acts(table, 60)
    if not table.state.match.is_over:
        table.give(Side.WHITE, commands.Concede())
    wanted = exports.build_record(table.row)
    assert [*wanted.players] == ["Ann", "Ben"]
    assert wanted.replay().score == table.state.match.score
    files.tell_the_match(table.row)


@pytest.mark.long
def test_a_finished_match_keeps_its_score_in_every_format(now: datetime) -> None:
    table = Table(now)
    table.play_out()
    files.tell_the_match(table.row)


def test_a_position_that_a_director_set_is_in_every_file(now: datetime) -> None:
    table = Table(now)
    table.begin()
    acts(table, 3)
    turn = table.state.match.game.turn or Side.WHITE
    direct(table, RuledPosition(STANDARD, turn.other, CENTRED, Dice(3, 1), "the board was knocked over"))
    acts(table, 6)
    table.give(Side.WHITE, commands.Concede())
    files.tell_the_match(table.row)
    text = formats.write(exports.build_record(table.row), "mat").decode()
    assert "; The position was set, " in text
    assert "the board was knocked over" in text


def test_a_match_that_was_lost_on_time_says_so_in_every_file(now: datetime) -> None:
    table = Table(now)
    table.begin()
    due = table.row.deadline_at
    deadlines.sweep(due + timedelta(seconds=3))
    files.tell_the_match(table.row)
    for name in ("mat", "sgf"):
        text = formats.write(exports.build_record(table.row), name).decode()
        assert "ran out of time and lost the match" in text
        # A roll with an empty play would be read as a dance.
        assert ": \n" not in text


def test_the_day_of_a_record_is_that_of_the_club(now: datetime) -> None:
    row = Table(now).row
    row.created_at = datetime(2026, 3, 1, 3, tzinfo=UTC)
    row.club = Club(time_zone="America/New_York")

    assert dict(exports.build_record(row).tags)["EventDate"] == "2026.02.28"


def test_names_are_those_that_everyone_may_read(now: datetime) -> None:
    table = Table(now)
    table.white.alias, table.white.shown_as = "Nobody", "alias"
    table.white.save(update_fields=["alias", "shown_as"])
    assert exports.build_record(table.row).players.white == "Nobody"


# The journal


@pytest.mark.long
def test_the_journal_can_be_hashed_by_anybody(now: datetime) -> None:
    table = Table(now)
    table.play_out()
    told = json.loads(json.dumps(exports.build_document(table.row)))
    assert told["format"] == "barpoint-journal"

    def hashed(before: str, what: dict[str, Any]) -> str:
        text = json.dumps(what, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(f"barpoint/journal/v1|{before}|{text}".encode()).hexdigest()

    before = hashed("", {name: told[name] for name in ("match", "white", "black", "terms")})
    assert told["genesis"] == before
    for number, line in enumerate(told["lines"], 1):
        wanted = line.pop("hash")
        before = hashed(before, line)
        assert before == wanted, number
    assert before == table.row.head_hash
    assert len(told["lines"]) == table.row.head
