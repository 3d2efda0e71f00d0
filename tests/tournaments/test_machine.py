"""Events as Hypothesis directs them: everything that can go wrong on a night does, at any moment.

After each act the rows are held against what would be proposed, whoever refuses has changed nothing, and an act
that is taken back leaves the rows as they were. At the end everybody who is left plays on, and it finishes.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

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

from draw.event import Kind
from draw.formats import FORMATS
from players.models import Player
from tests import machines
from tests.draw.kit import check_places
from tests.draw.test_machine import OPTIONS, SIZES
from tests.draw.test_machine_rounds import MANNERS
from tests.machines import in_batches
from tests.tournaments import called
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.test_events import CHAINS
from tournaments.base import event_rows, standings
from tournaments.base.errors import AlreadyDone, NotRestorable, TournamentError
from tournaments.models import Entry, Pairing, Round, RoundStatus, Ruling, Stage
from tournaments.plan import drawing, plan_edits
from tournaments.plan.templates import StagePlan
from tournaments.play import (
    arrivals,
    backlog,
    corrections,
    departures,
    event_control,
    incidents,
    inspection,
    openings,
    pairing_jobs,
    preview,
    progress,
    results,
)
from tournaments.status import Status

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

    from django.db.models import Model

    from tournaments.plan.templates import Plan

NOW = datetime(2026, 3, 5, 19, 0, tzinfo=UTC)
WON_WITHOUT_PLAY = [incidents.record_walkover, incidents.record_forfeit, incidents.record_no_show]
KINDS = st.sampled_from(
    [kind.value for kind in Kind if kind is not Kind.DRAWN] + [Kind.PLAYED.value] * 4 + [""]
)
# Turns: each plays a round, or publishes one. Every plan here has an end far below.
ENOUGH = 200


def listed(options: dict[str, Any]) -> dict[str, Any]:
    return {name: list(value) if isinstance(value, tuple) else value for name, value in options.items()}


# Every format as it comes, in every manner, and stages that take from each other.
TRIED: list[tuple[str, dict[str, Any]]] = [
    *((form, listed(dict(options))) for form in sorted(FORMATS) for options in OPTIONS.get(form, [{}])),
    *((form, listed(options)) for form, options in MANNERS),
    *((chain, {}) for chain in sorted(CHAINS)),
]


def as_usual(form: str, name: str) -> StagePlan:
    """Return a stage with what its format cannot do without: a Swiss comes to no end of its own (P50)."""
    return plan_edits.change_format(StagePlan(format=form, name=name), form)


@st.composite
def planned(draw: st.DrawFn) -> tuple[tuple[int, int], Plan]:
    """One of those, or any format after any other; called as somebody might call it."""
    if draw(st.integers(0, 4)):
        form, options = draw(st.sampled_from(TRIED))
        stages = tuple(CHAINS.get(form) or a_plan(form, **options).stages)
        sizes = SIZES.get(form, (3, 17)) if options or form in CHAINS else (3, 17)
        return sizes, a_plan(called.planned(stages, draw(called.names(len(stages)))))
    first, then = (as_usual(draw(st.sampled_from(sorted(FORMATS))), name) for name in "ab")
    second = replace(then, takes=({"stage": "a", "first": 1, "last": draw(st.integers(2, 6))},))
    return (3, 12), a_plan(called.planned((first, second), draw(called.names(2))))


class Events(RuleBasedStateMachine):
    """One event, from its draw on."""

    def __init__(self) -> None:
        super().__init__()
        self.around = transaction.atomic()
        self.around.__enter__()
        self.desk = Desk(NOW)
        self.newcomers = 0
        self.uids: dict[UUID, tuple[type[Model], int]] = {}

    def teardown(self) -> None:
        try:
            if self.desk.event is not None:
                self.play_on()
        finally:
            transaction.set_rollback(True)
            self.around.__exit__(None, None, None)

    # -- beginnings

    @initialize(tried=planned(), more=st.integers(0, 9), draft=st.booleans(), seed=st.integers(0, 9))
    def begin(self, tried: tuple[tuple[int, int], Plan], more: int, draft: bool, seed: int) -> None:
        (least, most), plan = tried
        self.desk.start(plan, min(least + more, most), seed=str(seed))
        if draft:
            Stage.objects.filter(tournament=self.desk.event).update(pairs="draft")

    @property
    def is_on(self) -> bool:
        return self.desk.event is not None and self.desk.fresh().status == Status.RUNNING

    def rows(self, **which: Any) -> list[Pairing]:
        found = Pairing.objects.filter(tournament=self.desk.event, opened_at__isnull=False, **which)
        return list(found.select_related("a", "b").order_by("stage__number", "position"))

    def entries(self) -> list[int]:
        there = Entry.objects.filter(tournament=self.desk.event, withdrawn_at__isnull=True)
        return list(there.order_by("number").values_list("number", flat=True))

    def attempt(self, act: Callable[..., Any], **what: Any) -> Any:
        """Carry out an act; what is refused changes nothing."""
        self.desk.now += timedelta(minutes=1)
        before = self.desk.image()
        try:
            with transaction.atomic():
                return self.desk.do(act, **what)
        except TournamentError:
            assert self.desk.image() == before
            return None

    # -- a night

    @precondition(lambda self: self.is_on)
    @rule(data=st.data(), count=st.integers(1, 5))
    def play(self, data: st.DataObject, count: int) -> None:
        for row in self.desk.open()[:count]:
            fresh = self.desk.row(row.key)
            if fresh.state != "ready" or not self.is_on or fresh.a is None or fresh.b is None:
                continue
            points = data.draw(st.integers(0, fresh.length - 1))
            score = (fresh.length, points) if data.draw(st.booleans()) else (points, fresh.length)
            self.desk.do(results.enter_result, key=row.key, score=score)

    @precondition(lambda self: self.is_on)
    @rule(data=st.data())
    def end_otherwise(self, data: st.DataObject) -> None:
        if not (todo := self.desk.open()):
            return
        row = data.draw(st.sampled_from(todo))
        assert row.a
        assert row.b
        act = data.draw(
            st.sampled_from([*WON_WITHOUT_PLAY, incidents.record_double_forfeit, incidents.void_match])
        )
        what: dict[str, Any] = {"key": row.key, "reason": "as it was"}
        if act in WON_WITHOUT_PLAY:
            what["loser"] = data.draw(st.sampled_from([row.a.number, row.b.number]))
        self.attempt(act, **what)

    @precondition(lambda self: self.is_on)
    @rule(data=st.data(), after=st.booleans())
    def somebody_leaves(self, data: st.DataObject, after: bool) -> None:
        self.attempt(departures.withdraw_entry, entry=data.draw(st.sampled_from(self.entries())), after=after)

    @precondition(lambda self: self.is_on)
    @rule(data=st.data())
    def somebody_is_sent_home(self, data: st.DataObject) -> None:
        who = data.draw(st.sampled_from(self.entries()))
        self.attempt(departures.disqualify_entry, entry=who, reason="threw a checker")

    @precondition(lambda self: self.is_on)
    @rule(data=st.data(), away=st.booleans())
    def somebody_is_away(self, data: st.DataObject, away: bool) -> None:
        who = data.draw(st.sets(st.sampled_from(self.entries()), min_size=1, max_size=2))
        self.attempt(departures.mark_away if away else departures.mark_back, entries=who)

    @precondition(lambda self: self.is_on)
    @rule()
    def somebody_comes_late(self) -> None:
        """Whoever is let in stands somewhere; whoever finds no place is told so, and nothing has changed."""
        self.newcomers += 1
        late = self.attempt(arrivals.enter_latecomer, name=f"Latecomer {self.newcomers}")
        assert late is None or late.number not in openings.list_without_place(self.desk.event)

    @precondition(lambda self: self.is_on)
    @rule(data=st.data())
    def somebody_comes_late_and_chooses(self, data: st.DataObject) -> None:
        self.newcomers += 1
        places = [*(way.place for way in openings.list_openings(self.desk.event)), openings.WAIT]
        place = data.draw(st.sampled_from(places))
        late = self.attempt(arrivals.enter_latecomer, name=f"Latecomer {self.newcomers}", place=place)
        assert late is not None, "what is offered is there"
        assert late.waits or late.number not in openings.list_without_place(self.desk.event)

    @precondition(lambda self: self.is_on)
    @rule(data=st.data())
    def somebody_is_replaced(self, data: st.DataObject) -> None:
        self.newcomers += 1
        who = data.draw(st.sampled_from(self.entries()))
        self.attempt(arrivals.substitute_player, entry=who, name=f"Substitute {self.newcomers}", reason="ill")

    @precondition(lambda self: self.desk.event is not None)
    @rule(data=st.data())
    def two_were_confused(self, data: st.DataObject) -> None:
        one, other = data.draw(st.lists(st.sampled_from(self.entries()), min_size=2, max_size=2))
        self.taken_back(data, corrections.exchange_players, entry=one, other=other, reason="wrong name")

    @precondition(lambda self: self.desk.event is not None)
    @rule(data=st.data())
    def a_result_was_wrong(self, data: st.DataObject) -> None:
        decided = [row for row in self.rows() if row.kind]
        if not decided:
            return
        row = data.draw(st.sampled_from(decided))
        assert row.a
        assert row.b
        what: dict[str, Any] = {"key": row.key, "reason": "misread", "kind": data.draw(KINDS)}
        winner = data.draw(st.sampled_from([row.a.number, row.b.number]))
        if what["kind"] == Kind.PLAYED:
            what["score"] = (row.length, 1) if winner == row.a.number else (2, row.length)
        else:
            what["winner"] = winner
        self.taken_back(data, corrections.correct_result, **what)

    def taken_back(self, data: st.DataObject, act: Callable[..., Ruling], **what: Any) -> None:
        """Foresee an act, carry it out, and perhaps take it back: then the rows are what they were."""
        self.a_worker_comes()
        before = self.desk.image()
        self.desk.now += timedelta(minutes=1)
        try:
            seen = preview.preview_act(self.desk.pk, lambda: self.desk.do(act, **what))
        except TournamentError:
            assert self.desk.image() == before
            return
        assert self.desk.image() == before, "the preview has left something behind"
        ruling = self.desk.do(act, **what)
        after = self.desk.image()
        assert (
            seen.after.ranking == event_rows.compute_proposal(event_rows.load_rows(self.desk.fresh())).ranking
        )
        assert {place.key for place in seen.after.places} >= {
            row["key"] for row in after["pairings"].values()
        }
        if data.draw(st.booleans()):
            self.desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="it was right after all")
            assert self.desk.image() == before

    @precondition(lambda self: self.desk.event is not None)
    @rule(data=st.data())
    def any_act_is_taken_back(self, data: st.DataObject) -> None:
        rulings = Ruling.objects.filter(tournament=self.desk.event, before__isnull=False, restored_by=None)
        if not (keys := list(rulings.order_by("pk").values_list("pk", flat=True))):
            return
        which = data.draw(st.sampled_from(keys))
        before = self.desk.image()
        try:
            with transaction.atomic():
                self.desk.do(corrections.undo_act, ruling_id=which, reason="back again")
        except (NotRestorable, AlreadyDone):
            assert self.desk.image() == before

    @precondition(lambda self: self.is_on)
    @rule()
    def the_next_round_is_published(self) -> None:
        self.publish()

    @precondition(lambda self: self.desk.event is not None)
    @rule()
    def a_round_is_added(self) -> None:
        if self.newcomers < 2:
            self.newcomers += 1
            self.attempt(event_control.add_round)

    @precondition(lambda self: self.desk.event is not None)
    @rule(playoff=st.booleans())
    def ties_are_broken_otherwise(self, playoff: bool) -> None:
        self.attempt(event_control.break_ties, playoff=playoff, reason="it matters")

    @precondition(lambda self: self.is_on)
    @rule(minutes=st.integers(1, 60))
    def all_stand_still(self, minutes: int) -> None:
        self.desk.do(event_control.pause_event)
        self.desk.now += timedelta(minutes=minutes)
        self.desk.do(event_control.resume_event)

    @precondition(lambda self: self.desk.event is not None)
    @rule()
    def a_worker_comes(self) -> None:
        """Do what was left to a worker, when its time has come; where nothing was, nothing changes."""
        waits_for = self.desk.fresh().pairing_at
        if waits_for is not None:
            self.desk.now = max(self.desk.now, waits_for)
        is_done = pairing_jobs.pair_event(tournament_id=self.desk.pk, now=self.desk.now)
        assert is_done == (waits_for is not None)
        assert list(inspection.find_problems(self.desk.fresh())) == []

    @invariant()
    def it_is_settled(self) -> None:
        if self.desk.event is not None and self.desk.fresh().pairing_at is None:
            assert list(inspection.find_problems(self.desk.event)) == []
            proposal = event_rows.compute_proposal(event_rows.load_rows(self.desk.fresh()))
            check_places(proposal)
            assert standings.compute_standings(self.desk.fresh()).order == proposal.ranking
            before = self.desk.image()
            assert not progress.advance_event(tournament_id=self.desk.pk, now=self.desk.now)
            assert self.desk.image() == before

    @invariant()
    def each_row_has_its_own_uid_for_ever(self) -> None:
        """Whatever is exchanged, dropped, made anew or brought back."""
        there = {
            (model, pk): uid
            for model in (Entry, Pairing, Ruling, Player)
            for pk, uid in model._default_manager.values_list("pk", "uid")
        }
        known = {row: uid for uid, row in self.uids.items()}
        assert {row: uid for row, uid in there.items() if known.get(row, uid) != uid} == {}
        fresh = {uid: row for row, uid in there.items() if row not in known}
        assert len(fresh) == len(there.keys() - known.keys())
        assert not fresh.keys() & self.uids.keys()
        self.uids |= fresh

    # -- the end

    def publish(self) -> bool:
        """Do what waits for the director: answer how a tie is decided, publish a drafted round, or draw a stage."""
        if self.desk.leave_to_lot():
            return True
        batch = (
            Round.objects.filter(stage__tournament=self.desk.event, status=RoundStatus.DRAFT)
            .select_related("stage")
            .order_by("stage__number", "number")
            .first()
        )
        if batch is not None:
            self.desk.do(event_control.publish_round, stage=batch.stage.number, number=batch.number)
            return True
        for stage in Stage.objects.filter(tournament=self.desk.event, draw__isnull=True):
            if self.attempt(drawing.publish, stage=stage.number) is not None:
                return True
        return False

    def play_on(self) -> None:
        there = Entry.objects.filter(tournament=self.desk.event, withdrawn_at__isnull=True)
        away = list(there.filter(is_absent=True).values_list("number", flat=True))
        if away and self.is_on:
            self.desk.do(departures.mark_back, entries=away)
        for _ in range(ENOUGH):
            self.a_worker_comes()
            if not self.is_on:
                break
            todo = self.desk.open()
            if not todo:
                assert self.publish(), "nothing to play, nothing to publish, and not over"
            for row in todo:
                if self.desk.row(row.key).state == "ready":
                    self.desk.play(row.key)
        assert self.desk.fresh().status == Status.FINISHED


def run(*, examples: int, steps: int, **more: Any) -> None:
    machines.run(Events, examples=examples, steps=steps, **more)


@pytest.mark.long
@pytest.mark.django_db
def test_whatever_happens_an_event_is_right_and_ends() -> None:
    run(examples=8, steps=10, derandomize=True)


@pytest.mark.long
@pytest.mark.django_db
def test_the_same_where_a_worker_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backlog, "MOST_PLAYERS", 0)
    run(examples=5, steps=10, derandomize=True)


@pytest.mark.slow
@pytest.mark.django_db
def test_the_same_where_a_worker_pairs_for_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backlog, "MOST_PLAYERS", 0)
    in_batches(lambda examples: run(examples=examples, steps=25), examples=100)


@pytest.mark.slow
@pytest.mark.django_db
def test_whatever_happens_an_event_is_right_and_ends_for_minutes() -> None:
    in_batches(lambda examples: run(examples=examples, steps=25), examples=250)
