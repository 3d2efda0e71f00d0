"""Two events share a room and twelve people, as Hypothesis directs them: nobody is ever in two places.

After each act everything that is written down is carried out, and the room is held against the rules.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from careers import my_matches
from players.models import Player
from runtime.models import Outbox
from runtime.refusals import Refusal
from runtime.work import outbox
from tests import machines
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Pairing, PairingState, Tournament
from tournaments.plan import drawing
from tournaments.play import corrections, departures, directing, event_control, incidents
from tournaments.status import Status
from venue import verifiers
from venue.calls import calling, queue_input, table_filling
from venue.models import Assignment, CallMode, Chair, EventRoom, QueueRun, TableState
from venue.player import player_calls as room_mine
from venue.queue import find_next_calls, sort_matches
from venue.queue_files import read_room, serialize_answer
from venue.rooms import room_settings, rooms

if TYPE_CHECKING:
    from careers.my_matches import MyMatch

NOW = datetime(2026, 11, 19, 19, 30, tzinfo=UTC)
PLAYERS = 12


def proposes(event: str) -> bool:
    """True if the queue of this event's room proposes tables; else directors call by hand."""
    return EventRoom.objects.get(event__key=event).mode != CallMode.BY_HAND


class SharedRoom(RuleBasedStateMachine):
    """A room of four tables in which two events are called by themselves."""

    def __init__(self) -> None:
        super().__init__()
        self.around = transaction.atomic()
        self.around.__enter__()
        self.desk = Desk(NOW)
        self.room = rooms.open_room(
            club=self.desk.club, by=self.desk.director, name="Lamp Room", labels="1-4", now=NOW
        )
        self.events: list[Tournament] = []
        self.looked = 0

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.around.__exit__(None, None, None)

    @initialize(forms=st.tuples(*[st.sampled_from(["single-elimination", "swiss", "round-robin"])] * 2))
    def begin(self, forms: tuple[str, str]) -> None:
        """Start both events with the same people."""
        for form in forms:
            options = {"rounds": 3} if form == "swiss" else {}
            self.desk.announce(a_plan(form, **options), 0 if self.events else PLAYERS)
            if self.events:
                same = self.events[0].entries.values_list("player__key", flat=True)
                self.desk.do(directing.admit_members, player_keys=list(same))
            self.mode(self.desk.event, CallMode.AUTOMATIC)
            self.desk.do(drawing.publish)
            self.events.append(self.desk.fresh())
        self.work()

    def mode(self, event: Tournament, mode: CallMode) -> None:
        room_settings.set_room(
            event=event, room=self.room, mode=mode, by=self.desk.director, now=self.desk.now
        )

    def work(self) -> None:
        """Carry out what is written down, as workers do."""
        for _ in range(30):
            due = Outbox.objects.filter(kind=table_filling.NEXT, done_at__isnull=True)
            done = [
                outbox.deliver(outbox_id=pk, now=self.desk.now) for pk in due.values_list("pk", flat=True)
            ]
            if not any(done):
                return
        raise AssertionError("calls lead to calls for ever")

    def at_tables(self) -> list[Assignment]:
        rows = Assignment.objects.filter(ended_at__isnull=True).select_related("pairing__tournament", "table")
        return list(rows.order_by("pk"))

    def choose(self, event: Tournament) -> None:
        self.desk.event = Tournament.objects.get(pk=event.pk)

    @rule(which=st.integers(0, 11), minutes=st.integers(0, 20))
    def a_match_ends(self, which: int, minutes: int) -> None:
        self.desk.now += timedelta(minutes=minutes)
        if found := self.at_tables():
            row = found[which % len(found)].pairing
            self.choose(row.tournament)
            try:
                self.desk.play(row.key)
            except Refusal:
                return
        self.work()

    @rule(which=st.integers(0, 11))
    def a_result_is_taken_back(self, which: int) -> None:
        done = Pairing.objects.filter(state=PairingState.DECIDED, kind="played").select_related("tournament")
        if rows := list(done.order_by("pk")):
            row = rows[which % len(rows)]
            self.choose(row.tournament)
            try:
                self.desk.do(corrections.correct_result, key=row.key, kind="", reason="Typed wrongly")
            except Refusal:
                return
        self.work()

    @rule(which=st.integers(0, 3), state=st.sampled_from(list(TableState)))
    def a_table_changes(self, which: int, state: TableState) -> None:
        table = list(self.room.tables.order_by("position"))[which]
        if state is TableState.BROKEN:
            try:
                calling.break_table(table=table, by=self.desk.director, now=self.desk.now)
            except Refusal:
                return
        else:
            rooms.set_state(table=table, by=self.desk.director, state=state, now=self.desk.now)
        self.work()

    @rule(which=st.integers(0, 11), table=st.integers(0, 3), act=st.booleans())
    def a_director_calls(self, which: int, table: int, act: bool) -> None:
        ready = Pairing.objects.filter(state=PairingState.READY).select_related("tournament").order_by("pk")
        if rows := list(ready):
            row, at = rows[which % len(rows)], list(self.room.tables.order_by("position"))[table]
            self.choose(row.tournament)
            try:
                if act:
                    self.desk.do(incidents.call_match, key=row.key, table=at.label)
                else:
                    calling.call(
                        table=at, event=row.tournament, key=row.key, by=self.desk.director, now=self.desk.now
                    )
            except Refusal:
                return
        self.work()

    @rule(which=st.integers(0, 1), mode=st.sampled_from(list(CallMode)))
    def the_mode_changes(self, which: int, mode: CallMode) -> None:
        try:
            self.mode(self.events[which], mode)
        except Refusal:
            return
        self.work()

    @rule(which=st.integers(0, 1), number=st.integers(1, PLAYERS))
    def somebody_leaves(self, which: int, number: int) -> None:
        self.choose(self.events[which])
        try:
            self.desk.do(departures.withdraw_entry, entry=number)
        except Refusal:
            return
        self.work()

    @rule(which=st.integers(0, 1), pause=st.booleans())
    def a_pause(self, which: int, pause: bool) -> None:
        self.choose(self.events[which])
        try:
            self.desk.do(event_control.pause_event if pause else event_control.resume_event)
        except Refusal:
            return
        self.work()

    @invariant()
    def nobody_is_in_two_places(self) -> None:
        open_ones = self.at_tables()
        tables = [each.table_id for each in open_ones]
        assert len(tables) == len(set(tables))
        sitting = list(Chair.objects.filter(ended_at__isnull=True).values_list("player_id", flat=True))
        assert len(sitting) == len(set(sitting)) == 2 * len(open_ones)
        assert list(verifiers.verify_tables()) == []

    @invariant()
    def nobody_waits_beside_a_free_table(self) -> None:
        read_now = queue_input.load_queue_input(self.room, now=self.desk.now, modes=(CallMode.AUTOMATIC,))
        assert find_next_calls(read_now.room) == ()

    @invariant()
    def every_answer_can_be_computed_again(self) -> None:
        for run in QueueRun.objects.order_by("-pk")[:3]:
            asked = read_room(run.asked)
            assert serialize_answer(asked, find_next_calls(asked.room)) == {"calls": run.calls}

    @invariant()
    def a_players_page_says_what_the_room_computes(self) -> None:
        # One of the twelve, another each time.
        self.looked += 1
        everybody = list(Player.objects.filter(entries__tournament=self.events[0]).order_by("pk"))
        player = everybody[self.looked * 5 % len(everybody)]
        own = my_matches.load_my_matches(player, self.desk.director, now=self.desk.now)
        read_of = {(one.event.key, one.meeting.key): one for one in own.matches}
        assert set(read_of) == set(self.to_play(player))
        for (event, key), one in read_of.items():
            self.hold_against_the_room(player, event, key, one)

    def to_play(self, player: Player) -> list[tuple[str, str]]:
        """Return the matches that a person is to play now, from the rows alone."""
        own = Q(a__player=player) | Q(b__player=player)
        rows = Pairing.objects.filter(
            own,
            state=PairingState.READY,
            opened_at__isnull=False,
            tournament__status=Status.RUNNING,
        )
        return list(rows.values_list("tournament__key", "key"))

    def hold_against_the_room(self, player: Player, event: str, key: str, one: MyMatch) -> None:
        """Compare table, place in the queue and button of a match with what the room computes of itself."""
        at = Assignment.objects.filter(
            ended_at=None, pairing__tournament__key=event, pairing__key=key
        ).first()
        called = room_mine.find_call_to(player, event, key)
        place = room_mine.find_place(Tournament.objects.get(key=event), key, now=self.desk.now)
        room = queue_input.load_queue_input(self.room, now=self.desk.now, modes=tuple(CallMode)).room
        order = [match.id for match in sort_matches(room)]
        name = f"{event}/{key}"
        assert (called is not None) == (at is not None)
        if at is not None and called is not None:
            assert place is None
            assert called.table == at.table.label
            wanted = None if one.event.is_paused else reverse("venue:answer", args=[at.uid])
            assert (one.step and one.step.address) == wanted
        elif place is not None:
            assert order[place.before] == name
            # Who was called by the event's own act, to a table that is taken, waits in the queue all the same.
            assert one.meeting.is_called or one.step is None
            called_next = {call.match for call in find_next_calls(room)}
            assert place.likely_at is None or place.likely_at >= self.desk.now
            assert place.likely_at is None or name not in called_next or not proposes(event)
        else:
            assert name not in order

    @invariant()
    def what_is_over_holds_nothing(self) -> None:
        for event in self.events:
            status = Tournament.objects.values_list("status", flat=True).get(pk=event.pk)
            if status != Status.RUNNING:
                assert not Assignment.objects.filter(pairing__tournament=event, ended_at=None).exists()


@pytest.mark.long
@pytest.mark.django_db
def test_nobody_is_ever_in_two_places() -> None:
    machines.run(SharedRoom, examples=8, steps=12, derandomize=True)


@pytest.mark.slow
@pytest.mark.django_db
def test_nobody_is_ever_in_two_places_for_minutes() -> None:
    machines.in_batches(lambda examples: machines.run(SharedRoom, examples=examples, steps=30), examples=200)
