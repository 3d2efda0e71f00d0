"""The state of a match from its lines alone: what it owes, when its clocks run, and that JSON loses nothing of it."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from engine.actions import Doubled, Opened, Paused, Played, ResignOffered, Resumed, Rolled, TimeCredited, Took
from engine.clock import DelayMethod, TimeControl
from engine.dice import Dice
from engine.errors import IllegalAction, Impossible, Unreadable
from engine.fair import ByParty, Chain, Party, compute_commitment
from engine.fair_log import ShareMode
from engine.game import Phase
from engine.plays import legal_plays
from engine.rules import Rules
from engine.side import Side
from matches.state import facts, terms
from matches.state.dicing import Dicing, Stage
from matches.state.facts import Asked, DiceBegun, Excused, Forwent, Line, Promised, Readied, Thrown, Unsealed
from matches.state.match_state import MatchState, apply
from matches.state.status import FOLLOWING, Status, may_follow

WHITE, BLACK = Side
MINUTES = 60_000
CONTROL = TimeControl(DelayMethod.SIMPLE, 2 * MINUTES, 12_000)
PLAIN = ByParty(None, None, bytes(32))


class Written:
    """A match state to which lines are added, by default a second apart."""

    def __init__(self, rules: Rules | None = None, control: TimeControl | None = CONTROL) -> None:
        agreed = terms.build_terms(rules or Rules(length=3), control)
        self.state = MatchState.start("k7", "ann", "ben", agreed)
        self.at = 1_000_000
        self.number = 0

    def add(self, *given: facts.Fact, by: str = "server", after: int = 1_000, lag: int = 0) -> MatchState:
        for fact in given:
            self.at += after
            thrown = None
            if isinstance(fact, Rolled | Opened):
                self.number += 1
                thrown = Thrown(self.number, ShareMode.SEALED, PLAIN)
            line = Line(self.state.head + 1, self.at, by, fact, "", lag, thrown)
            self.state = apply(self.state, line)
            again = json.loads(json.dumps(self.state.to_json()))
            assert MatchState.from_json("k7", "ann", "ben", self.state.terms, again) == self.state
            assert facts.from_json(json.loads(json.dumps(facts.to_json(fact)))) == fact
        return self.state

    def begin(self) -> MatchState:
        head = bytes(32)
        sealed = compute_commitment("k7", Party.SERVER, "club.example", head)
        self.add(DiceBegun(1, 256, "club.example"), Promised(Party.SERVER, sealed))
        self.add(Promised(Party.A), Promised(Party.B))
        return self.add(Unsealed(Party.SERVER, head))

    def open(self) -> MatchState:
        self.begin()
        return self.add(Readied(WHITE), Readied(BLACK), Opened(3, 1))


def test_it_begins_when_all_dice_are_shown() -> None:
    written = Written()
    assert written.state.status is Status.WAITING
    assert not written.state.begun
    state = written.begin()
    assert state.status is Status.LIVE
    assert state.dicing.stage is Stage.READY
    assert state.owing == (WHITE, BLACK)
    assert state.clock.turn is None
    assert state.deadline == state.at + state.terms.patience


def test_the_winner_of_the_opening_roll_is_on_the_clock() -> None:
    state = Written().open()

    assert state.owing == (WHITE,)
    assert state.clock.turn is WHITE
    assert state.clock.since == state.at
    assert state.deadline == state.at + 12_000 + 2 * MINUTES


def test_a_double_hits_the_clock_and_so_does_its_answer() -> None:
    written = Written()
    state = written.open()
    plays = legal_plays(state.match.game.board, WHITE, Dice(3, 1))
    written.add(Played(WHITE, plays[0].steps), by="white", after=15_000)
    assert written.state.clock.reserve[WHITE] == 2 * MINUTES - 3_000
    written.add(Doubled(BLACK), by="black", after=5_000)
    assert written.state.clock.turn is WHITE
    written.add(Took(WHITE), by="white", after=20_000)
    assert written.state.clock.turn is BLACK
    assert written.state.clock.reserve[WHITE] == 2 * MINUTES - 11_000
    assert written.state.clock.reserve[BLACK] == 2 * MINUTES


def test_lag_that_was_forgiven_is_neither_charged_nor_left_in_the_quota() -> None:
    written = Written()
    state = written.open()
    plays = legal_plays(state.match.game.board, WHITE, Dice(3, 1))

    after = written.add(Played(WHITE, plays[0].steps), by="white", after=13_000, lag=400)

    assert after.clock.reserve[WHITE] == 2 * MINUTES - 600
    assert after.quota[WHITE] == state.quota[WHITE] - 400 + 1_000
    assert after.quota[BLACK] == state.quota[BLACK]


def test_a_roll_that_waits_for_a_share_runs_on_the_clock_of_the_one_who_owes_it() -> None:
    written = Written()
    state = written.open()
    plays = legal_plays(state.match.game.board, WHITE, Dice(3, 1))
    written.add(Played(WHITE, plays[0].steps), by="white")
    written.add(Asked(BLACK, 2), by="black", after=10_000)
    assert written.state.owing == (WHITE,)
    assert written.state.clock.turn is WHITE
    written.add(Rolled(BLACK, Dice(6, 5)), by="white", after=14_000)
    assert written.state.clock.reserve[WHITE] == 2 * MINUTES - 2_000
    assert written.state.clock.turn is BLACK
    assert written.state.clock.used == 10_000


def test_a_second_request_for_the_same_roll_is_refused() -> None:
    written = Written()
    state = written.open()
    plays = legal_plays(state.match.game.board, WHITE, Dice(3, 1))
    written.add(Played(WHITE, plays[0].steps), by="white")
    written.add(Asked(BLACK, 2), by="black")
    for fact in (Asked(BLACK, 2), Asked(WHITE, 2), Readied(WHITE)):
        with pytest.raises(IllegalAction):
            written.add(fact)


def test_a_pause_stops_everything_and_an_end_of_it_goes_on_where_it_was() -> None:
    written = Written()
    written.open()
    written.add(Paused("fire alarm"), by="director", after=5_000)
    assert written.state.status is Status.PAUSED
    assert written.state.deadline is None
    assert written.state.owing == ()
    written.add(TimeCredited(WHITE, 7_000), by="director", after=600_000)
    written.add(Resumed(), by="director")
    assert written.state.status is Status.LIVE
    assert written.state.clock.used == 5_000
    assert written.state.clock.reserve[WHITE] == 2 * MINUTES + 7_000


def test_an_outage_is_taken_out_of_the_turn() -> None:
    written = Written()
    state = written.open()
    due = state.deadline
    written.add(Excused(30_000), after=40_000)
    assert written.state.deadline == due + 30_000
    assert written.state.excused == written.at


def test_a_fischer_clock_gains_nothing_by_getting_ready() -> None:
    written = Written(control=TimeControl(DelayMethod.FISCHER, 2 * MINUTES, 10_000))
    written.begin()
    written.add(Readied(WHITE))
    assert written.state.clock.turn is BLACK
    written.add(Readied(BLACK), Opened(6, 2))
    assert written.state.clock.reserve[BLACK] == 2 * MINUTES


def test_a_tie_is_thrown_again_by_both() -> None:
    written = Written()
    written.begin()
    written.add(Readied(WHITE), Readied(BLACK), Opened(4, 4))
    assert written.state.owing == (WHITE, BLACK)
    assert written.state.dicing.next == 2


def test_lines_have_no_gaps_and_do_not_go_back() -> None:
    written = Written()
    state = written.begin()
    with pytest.raises(IllegalAction, match="cannot follow"):
        apply(state, Line(state.head + 2, state.at, "white", Readied(WHITE)))
    with pytest.raises(IllegalAction, match="back in time"):
        apply(state, Line(state.head + 1, state.at - 1, "white", Readied(WHITE)))


def test_an_unknown_fact_is_not_guessed_at() -> None:
    with pytest.raises(Unreadable):
        facts.from_json({"v": 1, "fact": "danced"})
    with pytest.raises(Unreadable):
        facts.from_json({"v": 2, "fact": "readied", "side": "white"})
    with pytest.raises(Unreadable):
        facts.from_json({"v": 1, "fact": "readied", "side": "green"})


def test_a_resignation_is_answered_on_lent_time() -> None:
    written = Written()
    written.open()
    written.add(ResignOffered(WHITE, 1), by="white", after=3_000)
    assert written.state.owing == (BLACK,)
    assert written.state.clock.lent == 3_000


@pytest.mark.parametrize("name", ["a", "b", "server"])
def test_every_change_of_a_line_changes_its_hash(name: str) -> None:
    line = Line(7, 1_000, "white", Readied(WHITE), "ann", 5, Thrown(1, ShareMode.STRICT, PLAIN))
    links = replace(PLAIN, **{name: bytes([9] * 32)})
    others = [
        replace(line, seq=8),
        replace(line, at=1_001),
        replace(line, by="black"),
        replace(line, who="ben"),
        replace(line, fact=Readied(BLACK)),
        replace(line, lag=6),
        replace(line, thrown=Thrown(1, ShareMode.STRICT, links)),
        replace(line, thrown=None),
    ]
    hashes = {facts.compute_hash("0" * 64, each.body()) for each in (line, *others)}
    assert len(hashes) == len(others) + 1
    assert facts.compute_hash("1" * 64, line.body()) not in hashes


def test_promises_and_heads_are_taken_once_and_from_one_alone() -> None:
    chain = Chain.grow(bytes([1] * 32), 8)
    dicing = Dicing("k7", ByParty("ann", "ben", "club")).begun(DiceBegun(1, 8, "club"))
    promised = {p: compute_commitment("k7", p, dicing.users[p], chain.head) for p in Party}
    dicing = dicing.after_promise(Promised(Party.A, promised[Party.A]))
    with pytest.raises(IllegalAction, match="already"):
        dicing.after_promise(Promised(Party.A, promised[Party.A]))
    with pytest.raises(IllegalAction, match="the same"):
        dicing.after_promise(Promised(Party.B, promised[Party.A]))
    with pytest.raises(IllegalAction, match="nothing to unseal"):
        dicing.after_unsealing(Unsealed(Party.A, chain.head))
    dicing = dicing.after_promise(Promised(Party.B, promised[Party.B]))
    dicing = dicing.after_promise(Promised(Party.SERVER, promised[Party.SERVER]))
    with pytest.raises(IllegalAction, match="not the head"):
        dicing.after_unsealing(Unsealed(Party.A, bytes(32)))
    dicing = dicing.after_unsealing(Unsealed(Party.A, chain.head))
    # Bound to the part, the promise of the same chain looks different; its head betrays it.
    with pytest.raises(IllegalAction, match="same chain"):
        dicing.after_unsealing(Unsealed(Party.B, chain.head))


def test_shares_are_those_of_the_chain_and_of_the_next_rolls() -> None:
    chains = {p: Chain.grow(bytes([n] * 32), 8) for n, p in enumerate(Party, 1)}
    dicing = Dicing("k7", ByParty("ann", "ben", "club")).begun(DiceBegun(1, 8, "club"))
    for party, chain in chains.items():
        dicing = dicing.after_promise(
            Promised(party, compute_commitment("k7", party, dicing.users[party], chain.head))
        )
    for party, chain in chains.items():
        dicing = dicing.after_unsealing(Unsealed(party, chain.head))
    share = chains[Party.A].share
    dicing.check_share(Party.A, 1, share(1))
    dicing.check_share(Party.A, 3, share(3))
    for number, link in [(1, share(2)), (2, share(1)), (1, chains[Party.B].share(1)), (1, bytes(32))]:
        with pytest.raises(IllegalAction):
            dicing.check_share(Party.A, number, link)
    for number in (0, 4, 9):
        with pytest.raises(IllegalAction, match="next roll is number 1"):
            dicing.check_share(Party.A, number, share(1))
    rolled = dicing.after_throw(
        Thrown(1, ShareMode.SEALED, ByParty(share(1), None, chains[Party.SERVER].share(1)))
    )
    rolled.check_share(Party.A, 2, share(2))
    rolled.check_share(Party.B, 2, chains[Party.B].share(2))
    gone = rolled.after_forgoing(Forwent(WHITE))
    assert not gone.has_chain(Party.A)
    with pytest.raises(IllegalAction):
        gone.check_share(Party.A, 2, share(2))
    with pytest.raises(IllegalAction):
        gone.after_forgoing(Forwent(WHITE))


def test_the_table_of_states_is_closed() -> None:
    assert set(FOLLOWING) == set(Status)
    assert not any(may_follow(ended, Status.WAITING) for ended in (Status.LIVE,))
    for before in Status:
        assert may_follow(before, before)


def test_random_states_read_back_from_json() -> None:
    rng = random.Random(7)
    written = Written(Rules(length=5))
    written.begin()
    while not written.state.match.is_over:
        state = written.state
        game, side = state.match.game, state.owing[0]
        if game.phase is Phase.OPENING:
            if len(state.owing) == 2:
                written.add(Readied(WHITE), Readied(BLACK))
            else:
                written.add(Readied(side))
            first, second = rng.sample(range(1, 7), 2)
            written.add(Opened(first, second))
        elif game.phase is Phase.TO_ROLL:
            if game.why_no_double is None and rng.random() < 0.1:
                written.add(Doubled(side), by=side.word, after=rng.randint(0, 20_000))
                written.add(Took(side.other), by=side.other.word)
            else:
                dice = Dice.from_numbers(rng.randint(1, 6), rng.randint(1, 6))
                written.add(Rolled(side, dice), by=side.word, after=rng.randint(0, 3_000))
        else:
            plays = legal_plays(game.board, side, game.dice)
            written.add(Played(side, rng.choice(plays).steps), by=side.word, after=rng.randint(0, 9_000))
    assert written.state.match.is_over


def test_terms_read_back_and_fit_their_clock() -> None:
    live = terms.build_terms(Rules(length=7), CONTROL, "club", flag=terms.FlagRule(2, 60_000), delay=90_000)
    assert terms.Terms.from_json(json.loads(json.dumps(live.to_json()))) == live
    assert not live.is_correspondence
    days = terms.build_terms(Rules(length=7), TimeControl(DelayMethod.SIMPLE, 10 * terms.DAY, 2 * terms.DAY))
    assert days.is_correspondence
    assert days.pause == 2 * terms.DAY
    assert terms.Terms.from_json({"rules": {"length": 3}}).control is None


@pytest.mark.parametrize("timing", [DelayMethod.PLAIN, DelayMethod.BRONSTEIN, DelayMethod.FISCHER])
def test_a_flag_that_costs_points_is_followed_by_time_to_play(timing: DelayMethod) -> None:
    control = TimeControl(timing, reserve=60_000, delay=0 if timing is DelayMethod.PLAIN else 8_000)
    with pytest.raises(Impossible):
        terms.Terms(Rules(length=0), control, flag=terms.FlagRule(1))
    assert terms.Terms(Rules(length=0), control, flag=terms.FlagRule(1, 1_000)).flag.credit == 1_000
    # With simple delay every turn has at least the delay.
    assert terms.Terms(Rules(length=0), CONTROL, flag=terms.FlagRule(1)).flag.points == 1
