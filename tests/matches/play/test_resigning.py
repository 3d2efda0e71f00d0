"""Resigning in live play: permitted offers, offers that must be accepted, and unanswered offers."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import transaction

from engine.actions import Flagged, ResignAccepted, ResignDeclined, ResignOffered, RuledPosition
from engine.board import Board
from engine.clock import PRESETS
from engine.cube import Cube
from engine.game import Phase, Termination
from engine.rules import Rules
from engine.side import Side
from matches.journal import journal
from matches.journal.journal import Draft
from matches.journal.lifecycle import record
from matches.play import answers, deadlines
from matches.state import commands
from matches.state.errors import Refused
from matches.state.terms import build_terms
from runtime.models import Outage
from tests.matches.support import Table, club_terms

pytestmark = pytest.mark.django_db

# Longer than any clock at the board.
LONG = timedelta(hours=3)


def begun(now: datetime, points: int = 5, *, clock: str | None = "club", **agreed: Any) -> tuple[Table, Side]:
    table = Table(now, agreed=club_terms(points, clock=clock, **agreed))
    table.begin()
    return table, table.state.owing[0]


def refusal(table: Table, side: Side, command: commands.Command) -> Refused:
    with pytest.raises(Refused) as refused:
        table.give(side, command)
    return refused.value


def levels(table: Table, side: Side) -> list[int | str]:
    found: list[int | str] = answers.build_options(table.state, side)["resign_levels"]
    return found


def late(table: Table) -> datetime:
    found = table.row.deadline_at
    return found + timedelta(seconds=5)


def set_up(table: Table, board: Board, side: Side) -> None:
    with transaction.atomic():
        draft = Draft.load(journal.lock(table.match.pk), now=table.now)
        draft.write(RuledPosition(board, side, Cube(), None, "so it was"), by="director")
        record(draft)


def sound(table: Table) -> bool:
    return not list(journal.find_problems(table.row))


def facts(table: Table, kind: type) -> list[tuple[str, Any]]:
    return [(line.by, line.fact) for line in journal.list_lines(table.row) if isinstance(line.fact, kind)]


# What may be offered


def test_with_a_checker_off_only_a_single_game_may_be_resigned(now: datetime) -> None:
    table, side = begun(now)
    board = (
        Board.from_counts({6: 14}, {20: 15}) if side is Side.WHITE else Board.from_counts({20: 15}, {6: 14})
    )
    set_up(table, board, side)
    assert levels(table, side) == [1, "match"]
    for level in (2, 3):
        told = refusal(table, side, commands.OfferResignation(level))
        assert (told.code, told.context["rule"]) == ("resignation-too-high", "R69")
    table.give(side, commands.OfferResignation(1))


@pytest.mark.parametrize(("points", "most"), [(1, 1), (2, 2), (3, 3), (7, 3)])
def test_what_ends_the_match_is_the_most_that_may_be_resigned(now: datetime, points: int, most: int) -> None:
    table, side = begun(now, points)
    assert levels(table, side) == [*range(1, most + 1), "match"]
    for level in range(most + 1, 4):
        assert refusal(table, side, commands.OfferResignation(level)).code == "resignation-too-high"


def test_a_game_that_has_not_begun_is_not_resigned(now: datetime) -> None:
    table = Table(now, agreed=club_terms(5))
    table.sit_down()
    table.give(Side.WHITE, commands.Roll())
    assert table.state.owing == (Side.BLACK,)
    assert levels(table, Side.BLACK) == ["match"]
    assert refusal(table, Side.BLACK, commands.OfferResignation(1)).code == "not-your-turn"


def test_a_beaver_is_answered_before_a_game_is_resigned(now: datetime) -> None:
    rules = Rules.unlimited(beavers=True)
    table = Table(now, agreed=build_terms(rules, PRESETS["club"].control(5)))
    table.begin()
    side = table.state.owing[0]
    table.give(side, table.next_command(side))
    table.give(side.other, commands.Double())
    assert levels(table, side) == [1, "match"]
    table.give(side, commands.Beaver())
    assert levels(table, side.other) == ["match"]
    told = refusal(table, side.other, commands.OfferResignation(1))
    assert (told.code, told.context["rule"]) == ("resignation-too-low", "R46")
    table.give(side.other, commands.Drop())
    assert table.state.match.score[side] == 2


def test_an_odd_resignation_in_an_old_journal_is_still_read(now: datetime) -> None:
    table, side = begun(now, 1)
    with transaction.atomic():
        draft = Draft.load(journal.lock(table.match.pk), now=table.now)
        draft.write(ResignOffered(side, 3), by=side.word)
        draft.write(ResignDeclined(side.other), by=side.other.word)
        draft.write(ResignOffered(side, 2), by=side.word)
        draft.write(ResignAccepted(side.other), by=side.other.word)
        record(draft)
    assert table.row.winner == side.other.word
    assert sound(table)


# What may not be refused


@pytest.mark.parametrize("level", [1, 2, 3])
def test_with_a_clock_the_highest_value_may_not_be_refused(now: datetime, level: int) -> None:
    table, side = begun(now)
    table.give(side, commands.OfferResignation(level))
    told = answers.build_options(table.state, side.other)
    if level < 3:
        assert ("decline" in told["may"], "decline" in told["may_not"]) == (True, False)
        table.give(side.other, commands.DeclineResignation())
        return
    assert told["may"].count("accept") == 1
    assert "decline" not in told["may"]
    assert (told["may_not"]["decline"]["code"], told["may_not"]["decline"]["rule"]) == (
        "highest-value",
        "R69",
    )
    assert refusal(table, side.other, commands.DeclineResignation()).code == "highest-value"
    table.give(side.other, commands.AcceptResignation())
    assert table.state.match.score[side.other] == 3


def test_without_a_clock_anything_may_be_refused(now: datetime) -> None:
    table, side = begun(now, clock=None)
    table.give(side, commands.OfferResignation(3))
    assert "decline" in answers.build_options(table.state, side.other)["may"]
    table.give(side.other, commands.DeclineResignation())


# Unanswered offers


@pytest.mark.parametrize("clock", ["club", "blitz", "unified-2001", "correspondence"])
def test_an_unanswered_offer_counts_as_declined_and_costs_nobody_time(now: datetime, clock: str) -> None:
    table, side = begun(now, 5, clock=clock)
    table.wait(seconds=5)
    before = table.state.clock
    assert before is not None
    table.give(side, commands.OfferResignation(1))
    when = late(table)

    assert deadlines.sweep(when) == 1

    state = table.state
    assert (state.match.is_over, state.match.game.phase, state.owing) == (False, Phase.TO_PLAY, (side,))
    assert facts(table, Flagged) == []
    assert facts(table, ResignDeclined) == [("server", ResignDeclined(side.other))]
    # The turn goes on with its five seconds used, and neither reserve has changed.
    assert (state.clock.turn, state.clock.used, state.clock.lent) == (side, 5_000, None)
    assert state.clock.reserve == before.reserve
    assert sound(table)
    # And the clock that goes on can run out.
    assert deadlines.sweep(when + timedelta(days=40)) == 1
    assert (table.state.match.winner, facts(table, Flagged)) == (side.other, [("server", Flagged(side))])


def test_whoever_looks_at_the_clock_declines_it_too(now: datetime) -> None:
    table, side = begun(now)
    table.give(side, commands.OfferResignation(1))
    table.now = late(table)
    answer = table.give(side, commands.ClaimFlag())
    assert (answer.refusal, table.state.match.game.phase) == (None, Phase.TO_PLAY)
    assert table.state.refused is side


def test_an_answer_that_comes_too_late_is_told_so(now: datetime) -> None:
    table, side = begun(now)
    table.give(side, commands.OfferResignation(1))
    table.now = late(table)
    for _ in range(2):  # given again, answered as before
        answer = table.give(side.other, commands.AcceptResignation(), key="too late")
        assert answer.refusal.code == "offer-lapsed"
    assert not table.state.match.is_over
    assert sound(table)


def test_an_unanswered_offer_of_all_that_can_be_won_is_accepted(now: datetime) -> None:
    table, side = begun(now)
    table.give(side, commands.OfferResignation(3))
    assert deadlines.sweep(late(table)) == 1
    assert facts(table, ResignAccepted) == [("server", ResignAccepted(side.other))]
    found = table.state.match
    assert (found.results[-1].how, found.score[side.other], found.is_over) == (Termination.RESIGN, 3, False)
    assert sound(table)


@pytest.mark.parametrize("answer", [commands.DeclineResignation(), commands.AcceptResignation()])
def test_being_offered_a_resignation_costs_no_time(now: datetime, answer: commands.Command) -> None:
    # A plain clock has no free delay: each answer would cost.
    table, side = begun(now, 5, clock="unified-2001")
    before = table.state.clock.reserve[side.other]
    table.give(side, commands.OfferResignation(1))
    table.wait(minutes=2)
    table.give(side.other, answer)
    assert table.state.clock.reserve[side.other] == before
    assert sound(table)


def test_a_match_agreed_before_still_charges_for_the_answer(now: datetime) -> None:
    agreed = replace(build_terms(Rules(length=5), PRESETS["unified-2001"].control(5)), free_answers=False)
    told = agreed.to_json()
    del told["free_answers"]
    assert type(agreed).from_json(told) == agreed
    table = Table(now, agreed=agreed)
    table.begin()
    side = table.state.owing[0]
    before = table.state.clock.reserve
    table.give(side, commands.OfferResignation(1))
    table.wait(seconds=90)
    table.give(side.other, commands.DeclineResignation())
    assert table.state.clock.reserve == before.put(side.other, before[side.other] - 90_000)
    # But an unanswered offer does not lose the match there either.
    table.give(side, table.next_command(side))
    other = table.state.owing[0]
    before = table.state.clock.reserve
    table.give(other, commands.OfferResignation(2))
    assert deadlines.sweep(late(table)) == 1
    assert (table.state.owing, table.state.clock.reserve) == ((other,), before)
    assert sound(table)


def test_an_outage_of_ours_does_not_answer_for_anybody(now: datetime) -> None:
    table, side = begun(now)
    table.give(side, commands.OfferResignation(1))
    when = late(table)
    silent = table.now + timedelta(seconds=60), when - timedelta(seconds=2)
    Outage.objects.create(role="web", from_at=silent[0], to_at=silent[1])
    assert deadlines.sweep(when) <= 1
    assert table.state.match.game.phase is Phase.RESIGNING
    assert sound(table)
