"""Matches through the services: what is played, what is refused, what is answered twice."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.db import transaction

from engine.actions import Flagged, Opened, Played, Rolled, TakenBack, TimeCredited, VoidedMatch
from engine.fair_log import ShareMode
from engine.game import Phase, Termination
from engine.plays import legal_plays
from engine.rules import Rules
from engine.side import Side
from matches.journal import dice, journal, live
from matches.journal.journal import Draft
from matches.journal.lifecycle import record
from matches.models import Habits, JournalEntry, Match
from matches.state import commands, terms
from matches.state.errors import NotAPlayer, Refused, Stale
from matches.state.facts import Asked, DiceBegun, Excused, Readied
from matches.state.status import Status
from matches.state.terms import FlagRule
from runtime import transactions
from runtime.idempotency import KeyReused
from runtime.models import Outage
from tests.matches.support import Table, club_terms, person

pytestmark = pytest.mark.django_db
WHITE, BLACK = Side


def kinds(table: Table, after: int = 0) -> list[type]:
    return [type(line.fact) for line in journal.list_lines(table.row, after=after)]


def sound(table: Table) -> bool:
    assert list(journal.find_problems(table.row)) == []
    return True


def test_a_command_passes_other_requests_at_the_gate(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    lock, seen = journal.lock, []

    def note_patience(match_id: int) -> Match:
        seen.append(transactions.LIMIT.patience)
        return lock(match_id)

    monkeypatch.setattr(journal, "lock", note_patience)
    with transactions.limit_transactions("POST /", patience=transactions.REQUEST_PATIENCE):
        table.promise(WHITE)
    assert seen == [0.0]


@pytest.mark.long
@pytest.mark.parametrize("chained", [(WHITE, BLACK), (WHITE,), ()])
@pytest.mark.parametrize("points", [1, 3])
def test_a_whole_match(now: datetime, chained: tuple[Side, ...], points: int) -> None:
    table = Table(now, agreed=club_terms(points), chained=chained, seed=points)

    ended = table.play_out()

    assert table.row.status == Status.FINISHED
    assert max(ended.match.score) >= points
    assert table.row.winner == ended.match.winner.word
    assert table.row.deadline_at is None
    assert table.row.due == ""
    assert sound(table)


def test_a_match_waits_until_all_dice_are_sealed_and_shown(table: Table) -> None:
    assert table.row.status == Status.WAITING
    assert table.row.due == "both"
    with pytest.raises(Refused, match="not been sealed"):
        table.give(WHITE, commands.Roll(), shares={})
    table.promise(WHITE)
    assert table.row.due == "black"
    table.promise(BLACK)
    assert table.row.due == "both"
    table.give(WHITE, commands.Open(table.chain(WHITE).head), shares={})
    table.give(BLACK, commands.Open(table.chain(BLACK).head), shares={})

    assert table.row.status == Status.LIVE
    assert table.row.due == "both"
    assert table.row.deadline_at is not None


def test_the_share_of_a_player_who_deposited_nothing_is_asked_for(table: Table) -> None:
    table.begin()
    side = table.state.owing[0]
    game = table.state.match.game
    table.give(side, commands.Move(legal_plays(game.board, side, game.dice)[0].steps), shares={})
    table.match.deposits = {}
    table.match.save(update_fields=["deposits"])

    table.give(side.other, commands.Roll(), shares=table.shares(side.other, 1))

    assert table.state.asked is not None
    assert table.state.owing == (side,)
    assert table.state.clock.turn is side, "the clock of the one who owes runs"
    with pytest.raises(Refused, match="being rolled"):
        table.give(side.other, commands.Double())
    table.wait(seconds=3)
    table.give(side, commands.Share(), shares=table.shares(side, 1))
    lines = journal.list_lines(table.row)
    rolled = next(line for line in reversed(lines) if isinstance(line.fact, Rolled))
    assert rolled.thrown.mode is ShareMode.STRICT
    assert rolled.fact.side is side.other
    assert table.state.asked is None
    assert sound(table)


def test_a_roll_without_ones_share_is_refused(table: Table) -> None:
    table.sit_down()

    with pytest.raises(Refused) as refused:
        table.give(WHITE, commands.Roll(), shares={})

    assert refused.value.code == "share-needed"
    assert refused.value.context["number"] == 1
    assert Readied not in kinds(table)


def test_both_may_sit_down_for_the_next_game_at_once(table: Table) -> None:
    table.sit_down()
    head = table.row.head

    table.give(WHITE, commands.Roll(), after=head)
    table.give(BLACK, commands.Roll(), after=head)

    assert Opened in kinds(table)
    assert sound(table)


def test_ready_twice_is_refused_and_does_not_count_for_the_next_game(table: Table) -> None:
    table.sit_down()
    head = table.row.head
    table.give(WHITE, commands.Roll(), after=head)
    with pytest.raises(Refused, match="ready already"):
        table.give(WHITE, commands.Roll(), after=head)
    table.open()
    loser = table.state.owing[0]
    table.give(loser, commands.OfferResignation(1))
    table.give(loser.other, commands.AcceptResignation())
    assert table.state.match.game.phase is Phase.OPENING

    with pytest.raises(Stale):
        table.give(WHITE, commands.Roll(), after=head)


def test_a_command_for_an_old_board_is_stale(table: Table) -> None:
    table.begin()
    side = table.state.owing[0]

    with pytest.raises(Stale) as stale:
        table.give(side, table.next_command(side), after=table.row.head - 1)

    assert stale.value.head == table.row.head


def test_a_command_given_again_gets_its_first_answer(table: Table) -> None:
    table.begin()
    side, head = table.state.owing[0], table.row.head
    command = table.next_command(side)
    first = table.give(side, command, after=head, key="the-same-key")
    table.wait(seconds=5)
    table.act()
    rows = JournalEntry.objects.count()

    again = table.give(side, command, after=head, key="the-same-key")

    assert JournalEntry.objects.count() == rows
    assert [step.line for step in again.steps] == [step.line for step in first.steps]
    assert live.build_snapshot(again.state) == live.build_snapshot(first.state)
    with pytest.raises(KeyReused):
        table.give(side, commands.Concede(), after=head, key="the-same-key")


def test_only_players_play(table: Table, now: datetime) -> None:
    table.begin()
    table.white, stranger = person("Cora", now).player, table.white
    with pytest.raises(NotAPlayer):
        table.give(WHITE, commands.Concede())
    table.white = stranger


def test_nobody_moves_for_the_opponent(table: Table) -> None:
    table.begin()
    side = table.state.owing[0]
    before = table.row.head
    for command in (table.next_command(side), commands.Roll(), commands.Double(), commands.Take()):
        with pytest.raises(Refused):
            table.give(side.other, command)
    assert table.row.head == before


@pytest.mark.parametrize(("level", "kind"), [(1, 1), (2, 2), (3, 3)])
def test_a_resignation_is_offered_and_accepted(now: datetime, level: int, kind: int) -> None:
    table = Table(now, agreed=club_terms(7))
    table.begin()
    side = table.state.owing[0]
    table.give(side, commands.OfferResignation(level))
    assert table.state.owing == (side.other,)

    table.give(side.other, commands.AcceptResignation())

    assert table.state.match.results[-1].kind == kind
    assert table.state.match.score[side.other] == level
    assert sound(table)


def test_a_refused_resignation_is_not_offered_again_in_the_same_turn(table: Table) -> None:
    table.begin()
    side = table.state.owing[0]
    reserve = table.state.clock.reserve
    table.wait(seconds=8)
    table.give(side, commands.OfferResignation(1))
    table.give(side.other, commands.DeclineResignation())

    with pytest.raises(Refused) as refused:
        table.give(side, commands.OfferResignation(2))

    assert refused.value.code == "resignation-refused"
    assert live.build_snapshot(table.state)["declined"] == side.word
    table.wait(seconds=8)
    table.give(side, table.next_command(side))
    assert live.build_snapshot(table.state)["declined"] is None
    # Asking did not begin another free time: 16 seconds were used of 12 that are free.
    assert table.state.clock.reserve[side] == reserve[side] - 4_000
    assert sound(table)


def test_a_match_is_conceded_at_any_time(table: Table) -> None:
    table.begin()
    side = table.state.owing[0].other

    table.give(side, commands.Concede(), after=0)

    assert table.row.status == Status.FINISHED
    assert table.state.match.outcome.how is Termination.CONCESSION
    assert table.state.match.winner is side.other
    with pytest.raises(Refused):
        table.give(side.other, commands.Roll())


def test_a_move_after_the_deadline_is_a_fallen_flag(table: Table) -> None:
    table.begin()
    side = table.state.owing[0]
    deadline = table.state.deadline
    table.now = journal.to_datetime(deadline)
    command = table.next_command(side)

    answer = table.give(side, command, key="too-late-now")

    assert answer.refusal.code == "time-over"
    assert kinds(table)[-1] is Flagged
    assert table.row.winner == side.other.word
    again = table.give(side, command, key="too-late-now")
    assert [step.line for step in again.steps] == [step.line for step in answer.steps]
    assert again.refusal.code == "time-over"
    assert sound(table)


def test_a_move_a_moment_before_it_counts(table: Table) -> None:
    table.begin()
    side = table.state.owing[0]
    table.now = journal.to_datetime(table.state.deadline - 1)

    table.give(side, table.next_command(side))

    assert Flagged not in kinds(table)
    assert table.state.clock.reserve[side] == 1


def test_a_claim_waits_for_a_move_that_may_be_on_its_way(table: Table) -> None:
    table.begin()
    side = table.state.owing[0]
    table.now = journal.to_datetime(table.state.deadline + 500)
    with pytest.raises(Refused, match="time left"):
        table.give(side.other, commands.ClaimFlag())
    table.wait(seconds=2)

    answer = table.give(side.other, commands.ClaimFlag())

    assert answer.refusal is None
    assert table.row.winner == side.other.word


def test_a_flag_may_cost_points_and_give_time(now: datetime) -> None:
    rule = FlagRule(points=2, credit=60_000)
    table = Table(now, agreed=club_terms(7, flag=rule))
    table.begin()
    side = table.state.owing[0]
    table.now = journal.to_datetime(table.state.deadline)
    command = table.next_command(side)

    table.give(side, command)

    assert kinds(table)[-2:] == [Flagged, TimeCredited]
    assert table.state.match.score[side.other] == 2
    assert table.state.clock.reserve[side] == 60_000
    assert table.state.owing == (side,)
    table.give(side, command)
    assert sound(table)


def test_an_outage_of_ours_is_nobodys_time(table: Table) -> None:
    table.begin()
    side = table.state.owing[0]
    reserve = table.state.clock.reserve[side]
    began = table.now
    Outage.objects.create(
        role="web",
        from_at=began + (d := journal.to_datetime(2_000) - journal.to_datetime(0)),
        to_at=began + 31 * d,
    )
    table.wait(seconds=75)

    table.give(side, table.next_command(side))

    excused = next(line for line in journal.list_lines(table.row) if isinstance(line.fact, Excused))
    assert excused.fact.milliseconds == 60_000
    assert table.state.clock.reserve[side] == reserve - 3_000, "15 seconds of turn, 12 of them free"
    assert sound(table)


def test_whoever_is_missing_between_games_has_a_while_before_it_costs(table: Table) -> None:
    table.sit_down()
    table.give(WHITE, commands.Roll())
    reserve = table.state.clock.reserve[BLACK]
    table.wait(seconds=60 + 12 + 5)

    table.give(BLACK, commands.Roll())

    assert table.state.clock.reserve[BLACK] == reserve - 5_000


def passes(now: datetime, name: str, *, wants_to_see: bool) -> list[str]:
    """Play one game; return who made the plays that were none."""
    players = tuple(person(f"{each}{name}", now).player for each in ("Ann", "Ben"))
    table = Table(now, agreed=club_terms(1), players=players, chained=(), seed=5)
    for side in Side:
        Habits.objects.create(player=table.player(side), auto_pass=not wants_to_see, auto_roll=False)
    table.play_out()
    assert sound(table)
    plays = [line for line in journal.list_lines(table.row) if isinstance(line.fact, Played)]
    return [line.by for line in plays if not line.fact.steps]


@pytest.mark.long
@pytest.mark.parametrize(("wants_to_see", "by"), [(False, {"server"}), (True, {"white", "black"})])
def test_a_pass_follows_by_itself_unless_the_player_wants_to_see_it(
    now: datetime, wants_to_see: bool, by: set[str]
) -> None:
    # The dice are the server's own: most games have a dance, and of nine one has.
    for attempt in range(9):
        if made := passes(now, f"{wants_to_see}{attempt}", wants_to_see=wants_to_see):
            assert set(made) <= by
            return
    raise AssertionError("nobody danced in nine games")


@pytest.mark.long
def test_chains_that_are_used_up_are_followed_by_new_ones(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dice, "ROLLS_A_POINT", 7)
    table = Table(now, agreed=club_terms(3))

    table.play_out()

    begun = [line.fact for line in journal.list_lines(table.row) if isinstance(line.fact, DiceBegun)]
    assert len(begun) >= 3
    assert [fact.first for fact in begun[:3]] == [1, 22, 43]
    assert sound(table)


@pytest.mark.long
def test_a_lost_chain_does_not_stop_the_match(table: Table) -> None:
    table.begin()
    side = table.state.owing[0]
    table.give(side, commands.Forgo("a new telephone"), shares={})
    table.chained -= {side}

    table.play_out()

    assert table.row.status == Status.FINISHED
    assert sound(table)


@pytest.mark.long
def test_a_roll_that_was_asked_for_survives_a_takeback(table: Table) -> None:
    table.begin()
    side = table.state.owing[0]
    game = table.state.match.game
    facts = table.state.match.facts
    table.give(side, commands.Move(legal_plays(game.board, side, game.dice)[0].steps), shares={})
    table.match.deposits = {}
    table.match.save(update_fields=["deposits"])
    share = table.shares(side.other, 1)
    table.give(side.other, commands.Roll(), shares=share)
    assert kinds(table)[-1] is Asked
    with transaction.atomic():
        draft = Draft.load(journal.lock(table.row.pk), now=table.now, with_past=True)
        draft.write(TakenBack(facts, "a checker fell"), by="director")
        record(draft)
    assert table.state.owing == (side,)

    table.play_out()

    assert sound(table)


@pytest.mark.long
def test_unlimited_play_goes_on_until_somebody_leaves(now: datetime) -> None:
    table = Table(now, agreed=terms.build_terms(Rules.unlimited(), None))
    table.begin()
    for _ in range(150):
        table.wait(seconds=1)
        table.act()
    assert table.row.status == Status.LIVE
    assert table.row.deadline_at == table.now + timedelta(days=14)
    table.give(WHITE, commands.Concede())
    assert table.row.status == Status.FINISHED
    assert sound(table)


def test_who_leaves_money_play_in_a_game_loses_the_cube(now: datetime) -> None:
    table = Table(now, agreed=terms.build_terms(Rules.unlimited(), None))
    table.begin()
    while table.state.match.game.phase is Phase.OPENING:
        table.act()
    table.give(WHITE, commands.Concede())
    assert (table.row.white_score, table.row.black_score) == (0, 1)
    assert sound(table)

    def store(points: int) -> list[str]:
        row = table.row
        played = {**row.cache["match"], "score": [0, points]}
        Match.objects.update(black_score=points, cache={**row.cache, "match": played})
        return list(journal.find_problems(table.row))

    # Version 0.1.0 did not count this game.
    assert store(0) == []
    assert len(store(2)) == 2
    assert store(1) == []


def test_a_watch_that_goes_back_writes_nothing_into_the_past(table: Table) -> None:
    table.begin()
    table.wait(seconds=-3_600)
    before = table.state.at

    table.act()

    assert table.state.at == before
    assert sound(table)


def test_who_read_a_match_before_its_lock_writes_nothing_over_others(now: datetime) -> None:
    table = Table(now)
    table.begin()
    head = table.head
    one, other = (Draft.load(table.row, now=now, with_past=True) for _ in range(2))
    for draft in (one, other):
        draft.write(VoidedMatch("power cut"), by="director")
    with transaction.atomic():
        journal.lock(table.match.pk)
        record(one)

    with transaction.atomic():
        journal.lock(table.match.pk)
        with pytest.raises(Stale):
            record(other)
    assert table.head == head + 1
