"""State machine over every format: late entries, withdrawals, no-shows, corrections."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from draw import facts, stages
from draw.comparison import list_changes
from draw.event import Entrant, EntrantId, Event, Kind, LeaveTime, Result, Stage, State, Take
from draw.formats import FORMATS
from draw.history import is_playoff
from draw.options import Options
from tests.draw import kit
from tests.tournaments import called

# Options to try; other formats are tried with their defaults.
OPTIONS: dict[str, list[dict[str, object]]] = {
    "single-elimination": [
        {},
        {"third_place": True},
        {"redraw": True},
        {"draw": "rating", "keep_apart": True},
    ],
    "double-elimination": [{}, {"recharge": False}, {"routing": "slots", "no_show_drops": True}],
    "last-chance": [{}, {"consolation": "AB.C.|.|.", "last_chance": "full"}],
    "first-match-losers": [{}, {"third_place": False}],
    "swiss": [{"rounds": 4}],
}
# Stages that take from each other.
CHAINS = {
    "groups, then a cup": (
        Stage("groups", "groups", Options.from_values(groups=2)),
        Stage("cup", "single-elimination", takes=(Take("groups", 1, 2, each_group=True),)),
    ),
    "swiss, then the title": (
        Stage("swiss", "swiss", Options.from_values(rounds=3)),
        Stage("title", "double-elimination", takes=(Take("swiss", 1, 4),)),
        Stage("rest", "progressive-consolation", takes=(Take("swiss", 5),)),
    ),
}
SIZES = {"last-chance": (9, 16)} | dict.fromkeys(CHAINS, (6, 17))
ENDS = st.sampled_from(
    [Kind.PLAYED] * 5
    + [Kind.FORFEIT, Kind.WALKOVER, Kind.NO_SHOW, Kind.DOUBLE_FORFEIT, Kind.WITHDRAWAL, Kind.VOID]
)


class Tournament(RuleBasedStateMachine):
    """One event of one format."""

    def __init__(self) -> None:
        super().__init__()
        self.event: Event | None = None
        self.late = 0

    @property
    def now(self) -> Event:
        assert self.event is not None
        return self.event

    @initialize(data=st.data(), form=st.sampled_from([*sorted(FORMATS), *CHAINS]))
    def announce(self, data: st.DataObject, form: str) -> None:
        tried = OPTIONS.get(form, [{}])
        options = tried[data.draw(st.integers(0, len(tried) - 1))]
        least, most = SIZES.get(form, (1, 17)) if options or form in CHAINS else (1, 17)
        event = kit.event(data.draw(st.integers(least, most)), form, **options)  # type: ignore[arg-type]
        stages = CHAINS.get(form, event.stages)
        names = data.draw(called.names(len(stages)))
        event = replace(event, stages=called.pure(stages, names))
        self.event = replace(
            event,
            entrants=tuple(
                replace(one, club=f"club {at % 3}", rating=1500 + at * 7 % 50)
                for at, one in enumerate(event.entrants)
            ),
        )

    @rule(data=st.data(), count=st.integers(1, 6))
    def play(self, data: st.DataObject, count: int) -> None:
        proposal = stages.propose(self.now)
        self.event = facts.make_pairings(self.now, proposal)
        for place in proposal.ready[:count]:
            kind = data.draw(ENDS)
            winner = (
                None
                if kind in (Kind.DOUBLE_FORFEIT, Kind.VOID)
                else data.draw(st.sampled_from(place.entrants))
            )
            self.event = facts.record_result(self.now, place.key, Result(kind, winner))

    @precondition(lambda self: self.event and self.event.rounds)
    @rule(data=st.data())
    def leave(self, data: st.DataObject) -> None:
        who = data.draw(st.sampled_from(self.now.entrants))
        self.event = kit.with_entrant(self.now, who.id, left=data.draw(st.sampled_from([None, *LeaveTime])))

    @precondition(lambda self: self.event and self.event.rounds)
    @rule()
    def come_late(self) -> None:
        made = [one for batch in self.now.rounds for one in batch.pairings]
        if self.now.stages[0].format == "lives" and any(map(is_playoff, made)):
            return  # they would wait for a round that never comes, so openings.py offers no way in
        self.late += 1
        arrived = max(batch.number for batch in self.now.rounds) + 1
        newcomer = Entrant(EntrantId(f"p{100 + self.late}"), arrived=arrived)
        self.event = replace(self.now, entrants=(*self.now.entrants, newcomer))

    @precondition(lambda self: self.event and self.event.rounds)
    @rule(data=st.data())
    def be_away(self, data: st.DataObject) -> None:
        away = data.draw(st.sets(st.sampled_from([one.id for one in self.now.entrants]), max_size=2))
        aside = replace(self.now, absent=frozenset(away))
        proposal = stages.propose(aside)
        kit.check(aside, proposal)
        made = {pairing.key for batch in self.now.rounds for pairing in batch.pairings}
        for place in proposal.ready:
            assert place.key in made or away.isdisjoint(place.entrants), f"{place.key}: one who is away"

    @precondition(lambda self: self.event and self.event.rounds)
    @rule(data=st.data(), keep=st.booleans())
    def correct(self, data: st.DataObject, keep: bool) -> None:
        decided = [one for batch in self.now.rounds for one in batch.pairings if one.result is not None]
        if not decided:
            return
        one = data.draw(st.sampled_from(decided))
        kind = data.draw(ENDS)
        winner = (
            None if kind in (Kind.DOUBLE_FORFEIT, Kind.VOID) else data.draw(st.sampled_from([one.a, one.b]))
        )
        before = stages.propose(self.now)
        corrected = facts.record_result(self.now, one.key, Result(kind, winner))
        after = stages.propose(corrected)
        kit.check(corrected, after)
        undone = facts.record_result(corrected, one.key, one.result)
        assert stages.propose(undone) == before
        assert not list_changes(before, before)
        mirrored = {(one.key, one.after, one.before) for one in list_changes(after, before)}
        assert mirrored == {(one.key, one.before, one.after) for one in list_changes(before, after)}
        if keep:
            self.event = corrected

    @invariant()
    def holds(self) -> None:
        if self.event is None:
            return
        proposal = stages.propose(self.event)
        kit.check(self.event, proposal)
        vacant = [place for place in proposal.places if place.state is State.VACANT]
        assert not [place for place in vacant if place.bracket == "main" and place.round == 1], (
            "bye meets bye"
        )

    def teardown(self) -> None:
        if self.event is not None:
            _, proposal, _ = kit.play_out(self.event)
            assert proposal.finished


TestTournament = Tournament.TestCase
TestTournament.settings = settings(
    max_examples=12,
    stateful_step_count=10,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@pytest.mark.slow
class TestLongTournament(Tournament.TestCase):
    settings = settings(
        max_examples=120,
        stateful_step_count=15,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
