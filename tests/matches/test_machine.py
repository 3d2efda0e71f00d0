"""A Hypothesis state machine: players, a director and the watch act at random, legally or not.

After each step the journal is replayed and compared with the row, the frames lead from the old snapshot to
the new one, and the match waits for the players that it says it waits for. A refused command changes nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from engine.board import STANDARD, Step
from engine.cube import Cube
from engine.dice import Dice
from engine.fair import Party
from engine.game import Phase
from engine.side import Side
from matches.journal import dice, journal, live
from matches.journal.journal import RequestIdentity
from matches.models import Absence, JournalEntry, Match
from matches.models.matches import Due
from matches.play import board_acts, deadlines, directing, play
from matches.play.play import CommandResult
from matches.state import commands, match_state, rulings
from matches.state.commands import Command
from matches.state.errors import MatchError
from matches.state.match_state import MatchState
from matches.state.rulings import Ruling
from matches.state.status import ENDED, Status
from matches.state.terms import FlagRule
from players.clubs import clubs
from runtime.idempotency import KeyReused
from runtime.models import Outage
from tests import machines
from tests.machines import in_batches
from tests.matches.support import Table, apply_frame, club_terms, person

WHITE, BLACK = Side
NOW = datetime(2026, 3, 5, 19, 0, tzinfo=UTC)
CHAIN = 7
SALTS = random.Random()

SIDES = st.sampled_from(list(Side))
COMMANDS: st.SearchStrategy[Command] = st.one_of(
    st.sampled_from(
        [
            commands.Roll(),
            commands.Share(),
            commands.Double(),
            commands.Beaver(),
            commands.Take(),
            commands.Drop(),
            commands.AcceptResignation(),
            commands.DeclineResignation(),
            commands.ClaimFlag(),
            commands.PlayOut(),
            commands.PlayOut(stop=True),
            commands.Promise(),
            commands.Promise(words="a few words"),
            commands.Promise(bytes(32)),
            commands.Open(bytes(32)),
            commands.Forgo("gone"),
            commands.Move(play="24/18 13/11"),
            commands.Move(play=""),
            commands.Move(play="nonsense"),
        ]
    ),
    st.builds(commands.OfferResignation, st.integers(1, 3)),
    st.builds(
        commands.Move,
        st.lists(st.builds(Step, st.integers(0, 25), st.integers(0, 25)), max_size=4).map(tuple),
    ),
)
RULINGS: st.SearchStrategy[Ruling] = st.one_of(
    st.sampled_from(
        [
            rulings.Pause(),
            rulings.Resume(),
            rulings.TakeBack(to_start_of=rulings.Start.TURN),
            rulings.TakeBack(to_start_of=rulings.Start.GAME),
            rulings.VoidGame(),
            rulings.SetPosition(STANDARD, BLACK, Cube(2, WHITE)),
            rulings.SetPosition(STANDARD, WHITE, Cube(), Dice(6, 5)),
            rulings.SetScore(1, 0),
            rulings.RuleMatch(WHITE),
        ]
    ),
    st.builds(rulings.TakeBack, st.integers(0, 60)),
    st.builds(rulings.CreditTime, SIDES, st.integers(1, 90_000)),
    st.sampled_from([rulings.VoidMatch(), rulings.VoidGame()]),
    st.builds(rulings.Penalise, SIDES, st.integers(1, 2)),
    st.builds(rulings.RuleGame, SIDES, st.integers(1, 2)),
)


# What clubs play otherwise.
HOUSE_RULES: list[dict[str, bool]] = [
    {},
    {"cube": False, "backgammons": False},
    {"cube": False, "gammons": False, "backgammons": False},
    {"crawford": False},
    {"jacoby": True},
]


class Matches(RuleBasedStateMachine):
    """One match, all users who can act on it, and the system clock."""

    def __init__(self) -> None:
        super().__init__()
        self.undone = transaction.atomic()
        self.undone.__enter__()
        self.sent: list[tuple[dict[str, Any], CommandResult]] = []
        self.number = 0

    @initialize(
        points=st.sampled_from([1, 3, 0]),
        is_timed=st.booleans(),
        chained=st.sampled_from([(WHITE, BLACK), (WHITE, BLACK), (BLACK,), ()]),
        points_a_flag=st.sampled_from([None, 1]),
        seed=st.integers(0, 99),
        has_begun=st.sampled_from([True, True, True, False]),
        house_rules=st.sampled_from(HOUSE_RULES),
    )
    def sit_down(
        self,
        points: int,
        is_timed: bool,
        chained: tuple[Side, ...],
        points_a_flag: int | None,
        seed: int,
        has_begun: bool,
        house_rules: dict[str, bool],
    ) -> None:
        SALTS.seed(seed)
        self.director = person("Dora", NOW)
        agreed = club_terms(
            points,
            clock="club" if is_timed and points else None,
            flag=FlagRule(points_a_flag, 60_000 if points_a_flag else 0),
        )
        if points:
            agreed = replace(agreed, rules=replace(agreed.rules, **house_rules))
        club = clubs.create(owner=self.director, name="Here", now=NOW)
        self.table = Table(
            NOW,
            agreed=agreed,
            chained=chained,
            seed=seed,
            club=club,
            waits_until=NOW + timedelta(minutes=10),
        )
        if has_begun:
            self.table.begin()
        self.past: MatchState = journal.replay(self.table.row)
        self.shown = live.build_snapshot(self.past)

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.undone.__exit__(None, None, None)

    # -- what anybody may try

    def attempt(self, act: Callable[[], Any]) -> Any:
        """Do something; if it is refused, nothing has changed."""
        before, lines = self.table.row, JournalEntry.objects.count()
        try:
            with transaction.atomic():
                return act()
        except (MatchError, KeyReused):
            after = self.table.row
            for field in before._meta.concrete_fields:
                assert getattr(before, field.attname) == getattr(after, field.attname), field.attname
            assert JournalEntry.objects.count() == lines
            return None

    def submit(self, side: Side, command: Command, *, shares: dict[int, bytes], after: int) -> None:
        self.number += 1
        told = {
            "match_id": self.table.match.pk,
            "player": self.table.player(side),
            "command": command,
            "after": after,
            "now": self.table.now,
            "shares": shares,
            "thought": 100,
            "trip": 300,
            "request": RequestIdentity(f"user.{side.word}", f"key-{self.number:04d}", "digest"),
        }
        answer = self.attempt(lambda: play.submit(**told))
        if answer is not None and answer.steps:
            self.sent.append((told, answer))

    def shares(self, side: Side, kind: str) -> dict[int, bytes]:
        table = self.table
        dicing = table.state.dicing
        if kind == "none" or not dicing.has_chain(Party.from_side(side)):
            return {}
        right = table.shares(side, {"one": 1, "three": 3}.get(kind, 2))
        match kind:
            case "later":
                return dict(list(right.items())[1:])
            case "wrong":
                return dict.fromkeys(right, bytes(32))
            case "theirs":
                return table.shares(side.other) if dicing.has_chain(Party.from_side(side.other)) else {}
            case _:
                return right

    @rule(
        side=SIDES,
        command=COMMANDS,
        kind=st.sampled_from(["none", "one", "two", "three", "later", "wrong", "theirs"]),
        behind=st.sampled_from([0, 0, 0, 1, -1]),
    )
    def command(self, side: Side, command: Command, kind: str, behind: int) -> None:
        self.submit(side, command, shares=self.shares(side, kind), after=max(0, self.table.row.head - behind))

    @precondition(lambda self: not self.table.state.match.is_over)
    @rule(count=st.integers(1, 8), kind=st.sampled_from(["none", "one", "two"]), pace=st.integers(0, 9_000))
    def play_on(self, count: int, kind: str, pace: int) -> None:
        """Act as honest programs do."""
        table = self.table
        for _ in range(count):
            owing = table.state.owing
            if not owing:
                return
            table.wait(milliseconds=pace)
            side = table.rng.choice(owing)
            dicing = table.state.dicing
            if Party.from_side(side) in dicing.owing:
                with suppress(MatchError):
                    table.act()
                continue
            command = table.next_command(side)
            is_needed = isinstance(command, commands.Roll | commands.Share)
            shares = self.shares(side, "one" if is_needed and kind == "none" else kind)
            self.submit(side, command, shares=shares, after=table.row.head)

    @precondition(lambda self: not self.table.state.match.is_over)
    @rule(count=st.integers(5, 20))
    def play_further(self, count: int) -> None:
        self.play_on(count=count, kind="two", pace=700)

    @precondition(lambda self: self.sent)
    @rule(which=st.integers(0, 999))
    def repeat(self, which: int) -> None:
        """A reconnecting program sends a request again: it gets its first answer."""
        told, answer = self.sent[which % len(self.sent)]
        head = self.table.row.head
        again = play.submit(**{**told, "now": self.table.now})
        assert self.table.row.head == head
        assert [step.line for step in again.steps] == [step.line for step in answer.steps]
        assert live.build_snapshot(again.state) == live.build_snapshot(answer.state)
        assert (again.refusal is None) is (answer.refusal is None)

    @precondition(lambda self: self.sent)
    @rule(which=st.integers(0, 999))
    def reuse(self, which: int) -> None:
        """The same key for something else is refused."""
        told, _answer = self.sent[which % len(self.sent)]
        other = {**told, "command": commands.Concede()}
        other["request"] = RequestIdentity(told["request"].actor, told["request"].key, "another")
        assert self.attempt(lambda: play.submit(**other)) is None

    @rule(given=RULINGS, behind=st.sampled_from([0, 0, 0, 1]))
    def ruling(self, given: Ruling, behind: int) -> None:
        self.number += 1
        row = self.table.row
        self.attempt(
            lambda: directing.rule(
                match_id=row.pk,
                user=self.director,
                ruling=given,
                reason="so it is",
                after=row.head - behind,
                now=self.table.now,
                request=RequestIdentity("director", f"ruling-{self.number}", "x"),
            )
        )

    @rule(side=SIDES, points=st.sampled_from([1, 1, 2, -1, -2]))
    def somebody_is_late_or_was_not(self, side: Side, points: int) -> None:
        match_id, now = self.table.match.pk, self.table.now
        self.attempt(lambda: board_acts.apply_penalty(match_id=match_id, side=side, points=points, now=now))

    # -- the watch

    @rule(milliseconds=st.sampled_from([-5_000, 1, 700, 11_000, 14_000, 45_000, 100_000]))
    def wait(self, milliseconds: int) -> None:
        self.table.wait(milliseconds=milliseconds)

    @precondition(lambda self: self.table.row.deadline_at is not None)
    @rule(offset=st.sampled_from([-1, 0, 1, 1_999, 2_500]))
    def wait_for_the_deadline(self, offset: int) -> None:
        self.table.now = self.table.row.deadline_at + timedelta(milliseconds=offset)

    @rule(seconds=st.integers(10, 200))
    def outage(self, seconds: int) -> None:
        """Make the web processes unreachable for some seconds."""
        began = self.table.now
        self.table.wait(seconds=seconds)
        if not Outage.objects.filter(role="web", from_at=began).exists():
            Outage.objects.create(role="web", from_at=began, to_at=self.table.now)

    @rule(side=SIDES)
    def lose_the_line(self, side: Side) -> None:
        Absence.objects.get_or_create(
            match=self.table.match, side=side.word, defaults={"since": self.table.now}
        )

    @rule()
    def sweep(self) -> None:
        due = self.table.row.deadline_at
        found = deadlines.sweep(self.table.now)
        assert not (found and (due is None or due > self.table.now))

    # -- what must be so

    @invariant()
    def the_journal_is_the_match(self) -> None:
        assert list(journal.find_problems(self.table.row)) == []

    @invariant()
    def frames_lead_to_the_snapshot(self) -> None:
        row = self.table.row
        for line in journal.list_lines(row, after=self.past.head):
            after = match_state.apply(self.past, line)
            self.shown = apply_frame(self.shown, live.build_frame(journal.Step(line, self.past, after)))
            self.past = after
        assert self.shown == live.build_snapshot(journal.load(row))

    @invariant()
    def it_waits_for_what_it_says(self) -> None:
        row, found = self.table.row, self.table.state
        owing = {side.word for side in found.owing}
        assert row.due == (Due.BOTH if len(owing) == 2 else next(iter(owing), ""))
        assert bool(owing) is (row.status in {Status.WAITING, Status.LIVE}), "somebody can always go on"
        if row.status in ENDED:
            assert row.deadline_at is None
            assert found.clock is None or found.clock.since is None
        if row.status == Status.LIVE:
            assert (row.deadline_at is not None) is row.is_limited
        if found.clock is not None:
            assert min(found.clock.reserve) >= 0
            running = found.clock.turn if found.clock.since is not None else None
            assert running is (None if found.match.paused else found.runs_for)

    @invariant()
    def dice_lie_only_when_they_were_thrown(self) -> None:
        found = self.table.state
        if found.asked is not None:
            assert found.match.game.phase is Phase.TO_ROLL
            assert found.asked.number == found.dicing.next
        thrown = JournalEntry.objects.filter(match=self.table.match, thrown__isnull=False).count()
        assert found.dicing.next == thrown + 1


def run(monkeypatch: pytest.MonkeyPatch, *, examples: int, steps: int, **more: Any) -> None:
    # Short, so that sets of chains are used up.
    monkeypatch.setattr(dice, "compute_chain_length", lambda points: CHAIN)
    # The same steps lead to the same dice, so that Hypothesis can look for fewer of them.
    monkeypatch.setattr(dice, "create_salt", lambda: SALTS.randbytes(32).hex())
    monkeypatch.setitem(Match._meta.get_field("key").__dict__, "_get_default", lambda: "m" * 10)
    machines.run(Matches, examples=examples, steps=steps, **more)


@pytest.mark.long
@pytest.mark.django_db
def test_whatever_happens_the_journal_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    run(monkeypatch, examples=8, steps=20, derandomize=True)


@pytest.mark.slow
@pytest.mark.django_db
def test_whatever_happens_the_journal_is_right_for_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    in_batches(lambda examples: run(monkeypatch, examples=examples, steps=50), examples=150)
