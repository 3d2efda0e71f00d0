"""Matches without a clock: an absent player, the opponent's claim, and the limit in days."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from engine.actions import Flagged, Paused, ResignDeclined, Resumed, VoidedMatch
from engine.board import Board
from engine.game import Phase, Termination
from engine.rules import Rules
from engine.side import Side
from matches.bots import bots
from matches.journal import journal
from matches.journal.journal import Draft
from matches.journal.lifecycle import record
from matches.models import Match
from matches.play import answers, deadlines, presence
from matches.state import commands, reasons
from matches.state.errors import Refused
from matches.state.status import Status
from matches.state.terms import LEAVE, LIMIT, Claim, Terms, build_terms
from runtime.models import Outage
from runtime.stream import presence as streams
from tests.matches.http import Caller
from tests.matches.support import Table, club_terms, person

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)
LEFT = timedelta(milliseconds=LEAVE)
DAYS = timedelta(milliseconds=LIMIT)


def come(table: Table, side: Side) -> None:
    streams.write_counts({f"seat.{table.match.key}.{side.word}": 1}, now=table.now)


def go(table: Table, side: Side) -> None:
    streams.write_counts({f"seat.{table.match.key}.{side.word}": 0}, now=table.now)


@pytest.fixture
def waits(now: datetime) -> Table:
    """A first play without a clock. The player on turn came to the board and left a minute later."""
    return waiting(now)


def waiting(now: datetime, **agreed: Any) -> Table:
    table = Table(now, agreed=club_terms(3, clock=None, **agreed))
    table.begin()
    for side in Side:
        come(table, side)
    table.wait(minutes=1)
    go(table, missing(table))
    return table


def missing(table: Table) -> Side:
    return table.state.owing[0]


def claim(table: Table) -> Any:
    return table.give(missing(table).other, commands.ClaimAbsence())


def refused(table: Table, side: Side | None = None) -> Refused:
    with pytest.raises(Refused) as caught:
        table.give(missing(table).other if side is None else side, commands.ClaimAbsence())
    return caught.value


def last(table: Table) -> tuple[str, Any]:
    line = journal.list_lines(table.row)[-1]
    return line.by, line.fact


def sound(table: Table) -> bool:
    return not list(journal.find_problems(table.row))


# The claim


def test_who_stays_away_for_so_long_loses_the_match_to_a_claim(waits: Table) -> None:
    side = missing(waits)
    assert "claim-absence" in answers.build_options(waits.state, side.other)["may"]
    assert "claim-absence" not in answers.build_options(waits.state, side)["may"]
    waits.now += LEFT - SECOND
    told = refused(waits)
    assert (told.code, told.context["milliseconds"]) == ("time-left", 1_000)
    waits.now += SECOND
    answer = claim(waits)
    assert answer.refusal is None
    assert last(waits) == ("server", Flagged(side))
    outcome = waits.state.match.outcome
    assert (outcome.winner, outcome.how) == (side.other, Termination.FLAG)
    assert (waits.row.status, waits.row.deadline_at) == (Status.FINISHED, None)
    assert sound(waits)


def test_where_so_agreed_the_match_is_void_and_says_why(now: datetime) -> None:
    table = waiting(now, claim=Claim.VOID)
    side = missing(table)
    table.now += LEFT
    claim(table)
    by, fact = last(table)
    assert (by, fact) == ("server", VoidedMatch(f"stayed-away:{side.word}"))
    assert table.row.status == Status.VOID
    assert sound(table)


def test_where_the_match_is_to_wait_nothing_can_be_claimed(now: datetime) -> None:
    table = waiting(now, claim=Claim.ADJOURN)
    table.now += 2 * LEFT
    assert refused(table).code == "no-claim"
    assert "claim-absence" not in answers.build_options(table.state, missing(table).other)["may"]
    side = missing(table)
    assert deadlines.sweep(table.now + DAYS) == 1
    assert last(table) == ("server", Flagged(side))


def test_who_comes_back_in_time_has_lost_nothing(waits: Table) -> None:
    waits.now += LEFT - SECOND
    come(waits, missing(waits))
    waits.now += 5 * LEFT
    assert refused(waits).code == "not-away"
    # Gone again, they have the whole time again.
    go(waits, missing(waits))
    waits.now += LEFT - SECOND
    assert refused(waits).code == "time-left"


def test_who_was_long_gone_when_it_became_their_turn_has_a_day(waits: Table) -> None:
    away, here = missing(waits), missing(waits).other
    waits.now += 3 * LEFT
    waits.give(away, waits.next_command(away))  # by a program, without looking at the page
    while waits.state.owing != (away,):
        waits.give(waits.state.owing[0], waits.next_command(waits.state.owing[0]))
    assert refused(waits, here).code == "time-left"
    waits.now += timedelta(days=1) - SECOND
    assert refused(waits, here).context["milliseconds"] == 1_000
    waits.now += SECOND
    claim(waits)
    assert waits.row.winner == here.word


def test_who_leaves_while_the_other_thinks_is_expected_back_as_soon(now: datetime) -> None:
    table = Table(now, agreed=club_terms(3, clock=None))
    table.begin()
    here, away = missing(table), missing(table).other
    for side in Side:
        come(table, side)
    go(table, away)
    table.wait(minutes=9)
    while table.state.owing == (here,):
        table.give(here, table.next_command(here))
    assert refused(table, here).context["milliseconds"] == LEAVE
    table.now += LEFT
    claim(table)
    assert table.row.winner == here.word


def test_nobody_claims_out_of_turn_nor_with_a_clock_nor_before_the_match_begins(now: datetime) -> None:
    table = waiting(now)
    table.now += 2 * LEFT
    assert refused(table, missing(table)).code == "not-awaited"
    people = person("Cleo", now).player, person("Dan", now).player
    timed = Table(now, players=people)
    timed.begin()
    assert refused(timed, timed.state.owing[0].other).code == "no-claim"
    waits_for_dice = Table(now, agreed=club_terms(clock=None), players=people)
    waits_for_dice.promise(Side.WHITE)
    with pytest.raises(Refused) as early:
        waits_for_dice.give(Side.WHITE, commands.ClaimAbsence(), shares={})
    assert early.value.code == "not-awaited"


def test_a_pause_stops_the_claim_and_begins_the_time_anew(waits: Table) -> None:
    def by_director(fact: Paused | Resumed) -> None:
        with transaction.atomic():
            draft = Draft.load(journal.lock(waits.match.pk), now=waits.now)
            draft.write(fact, by="director")
            record(draft)

    by_director(Paused())
    assert waits.row.deadline_at is None
    waits.now += 2 * LEFT
    assert refused(waits, Side.WHITE).code == refused(waits, Side.BLACK).code == "not-awaited"
    by_director(Resumed())
    assert refused(waits).code == "time-left"


def test_a_share_that_is_withheld_is_claimed_although_they_are_there(now: datetime) -> None:
    table = Table(now, agreed=club_terms(3, clock=None))
    table.begin()
    for side in Side:
        come(table, side)
    while table.state.match.game.phase is not Phase.TO_ROLL:
        table.give(table.state.owing[0], table.next_command(table.state.owing[0]), shares={})
    roller = table.state.owing[0]
    Match.objects.update(deposits={})
    table.give(roller, commands.Roll())
    assert (table.state.asked is not None, missing(table)) == (True, roller.other)
    table.now += LEFT - SECOND
    assert refused(table, roller).code == "time-left"
    table.now += SECOND
    claim(table)
    assert table.row.winner == roller.word
    assert sound(table)


def test_an_offer_to_resign_that_is_left_lying_is_declined_by_a_claim(now: datetime) -> None:
    table = waiting(now, claim=Claim.ADJOURN)
    side = missing(table)
    come(table, side)
    table.give(side, commands.OfferResignation(3))
    go(table, side.other)
    table.now += LEFT
    claim(table)
    assert last(table) == ("server", ResignDeclined(side.other))
    assert table.state.owing == (side,)
    assert sound(table)


def test_an_outage_of_ours_is_nobodys_absence(waits: Table) -> None:
    silent = waits.now + timedelta(minutes=1), waits.now + timedelta(minutes=4)
    Outage.objects.create(role="web", from_at=silent[0], to_at=silent[1])
    waits.now += LEFT + timedelta(minutes=2)
    assert refused(waits).context["milliseconds"] == 60_000


def test_claimed_twice_it_is_answered_as_before(waits: Table) -> None:
    side = missing(waits).other
    waits.now += LEFT
    first = waits.give(side, commands.ClaimAbsence(), key="mine")
    again = waits.give(side, commands.ClaimAbsence(), key="mine")
    assert [step.line for step in first.steps] == [step.line for step in again.steps]


# The days


def test_the_days_end_a_match_that_nobody_goes_on_with(waits: Table) -> None:
    side = missing(waits)
    deadline = waits.row.deadline_at
    assert deadlines.sweep(deadline - SECOND) == 0
    assert [deadlines.sweep(deadline), deadlines.sweep(deadline + DAYS)] == [1, 0]
    assert last(waits) == ("server", Flagged(side))
    assert sound(waits)


def test_each_act_begins_them_anew(waits: Table) -> None:
    first = waits.row.deadline_at
    waits.wait(days=3)
    waits.act()
    assert waits.row.deadline_at == waits.now + DAYS
    assert deadlines.sweep(first + SECOND) == 0
    assert sound(waits)


def test_between_games_both_may_stay_away_so_long_and_then_it_is_void(now: datetime) -> None:
    table = Table(now, agreed=club_terms(3, clock=None))
    table.sit_down()
    deadline = table.row.deadline_at
    assert len(table.state.owing) == 2
    assert deadline == now + DAYS
    assert deadlines.sweep(deadline) == 1
    assert last(table) == ("server", VoidedMatch(reasons.BOTH_AWAY))


def test_an_offer_to_resign_is_declined_when_the_days_are_over(now: datetime) -> None:
    table = Table(now, agreed=club_terms(3, clock=None))
    table.begin()
    side = missing(table)
    table.give(side, commands.OfferResignation(1))
    assert deadlines.sweep(now + DAYS) == 1
    assert (table.state.owing, table.row.deadline_at) == ((side,), now + 2 * DAYS)
    assert sound(table)


def test_a_match_agreed_before_has_no_limit_and_no_claim(now: datetime) -> None:
    new = build_terms(Rules(length=3), None)
    told = {name: value for name, value in new.to_json().items() if name not in {"leave", "claim", "limit"}}
    old = Terms.from_json(told)
    assert (old.leave, old.limit, old.is_limited) == (0, 0, False)
    table = Table(now, agreed=old)
    table.begin()
    assert (table.row.deadline_at, table.row.is_limited) == (None, False)
    assert deadlines.sweep(now + timedelta(days=365)) == 0
    assert refused(table).code == "no-claim"


def test_nobody_keeps_a_bot_waiting(now: datetime) -> None:
    table = Table(
        now,
        agreed=club_terms(3, clock=None),
        players=(person("Ann", now).player, bots.get_practice_bot().player),
    )
    terms = Terms.from_json(table.row.terms)
    assert (terms.leave, terms.limit, table.row.is_limited) == (0, 0, False)


def test_the_database_holds_who_is_limited_to_a_deadline(waits: Table) -> None:
    for changes in ({"deadline_at": None}, {"is_limited": False}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Match.objects.filter(pk=waits.match.pk).update(**changes)


# What the match does not wait for

SIDE_STEPS = [commands.PlayOut(), commands.Forgo("gone")]


def at_race(now: datetime) -> Table:
    """Two players at the board for a race; the player on turn has left."""
    board = Board.from_counts({6: 4, 5: 4, 4: 4, 3: 3}, {6: 4, 5: 4, 4: 4, 3: 3})
    table = Table(now, agreed=build_terms(Rules(length=3, start=board), None))
    table.begin()
    for side in Side:
        come(table, side)
    go(table, missing(table))
    return table


@pytest.mark.parametrize("command", SIDE_STEPS)
@pytest.mark.parametrize("is_own", [True, False])
def test_what_the_match_does_not_wait_for_gives_no_more_time(
    now: datetime, command: commands.Command, is_own: bool
) -> None:
    table = at_race(now)
    away, due = missing(table), table.row.deadline_at
    table.now += LEFT + SECOND
    table.give(away if is_own else away.other, command)
    assert (missing(table), table.row.deadline_at) == (away, due)
    assert sound(table)
    claim(table)
    assert table.row.winner == away.other.word


def test_the_time_that_it_gave_until_0_1_0_is_no_damage(now: datetime) -> None:
    table = at_race(now)
    table.now += LEFT
    table.give(missing(table).other, commands.PlayOut())
    idle = journal.to_milliseconds(table.now)

    def store(idle: int) -> None:
        deadline = journal.to_datetime(idle) + DAYS
        Match.objects.update(cache={**table.row.cache, "idle": idle}, deadline_at=deadline)

    store(idle + 1)
    assert not sound(table)
    store(idle)
    assert sound(table)
    # Further ones keep it, and the next move ends it.
    table.wait(days=1)
    table.give(missing(table).other, commands.PlayOut(stop=True))
    assert table.row.cache["idle"] == idle
    assert sound(table)
    table.act()
    assert table.row.deadline_at == table.now + DAYS
    assert sound(table)


# Published absences


def test_since_when_somebody_is_gone_is_told(waits: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: waits.now)
    side, since = missing(waits), journal.to_milliseconds(waits.now)
    waits.wait(minutes=3)
    seen = Caller(None).get(f"matches/{waits.match.key}/")["presence"]
    assert (seen[side.word], seen[f"{side.word}_since"], seen[f"{side.other.word}_since"]) == (
        False,
        since,
        None,
    )
    come(waits, side)
    assert presence.build_presence(waits.row, now=waits.now)[f"{side.word}_since"] is None


def test_terms_read_back(now: datetime) -> None:
    agreed = replace(build_terms(Rules(length=3), None), claim=Claim.VOID)
    assert Terms.from_json(agreed.to_json()) == agreed
    with pytest.raises(ValueError, match="draw"):
        Terms.from_json({**agreed.to_json(), "claim": "draw"})
