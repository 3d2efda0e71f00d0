"""Free tables get the next matches: by the queue, once, and so that anyone can compute it again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any

import pytest

from careers import my_matches
from records.sheets import tap_storage
from records.sheets.sheet import Tap
from runtime import receivers
from runtime.models import Outbox, TopicEvent
from runtime.work import outbox
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import bracket_cache, event_view
from tournaments.base.settings import Settings
from tournaments.models import Pairing, PairingState, RulingKind
from tournaments.plan import drawing
from tournaments.plan.templates import TEMPLATES
from tournaments.play import (
    changes,
    corrections,
    deadlines,
    directing,
    event_control,
    incidents,
)
from tournaments.status import Status
from venue.calls import calling, queue_input, seats, table_filling, tables
from venue.desk import room_queue
from venue.errors import NothingToCall, OtherClub
from venue.models import Assignment, CallMode, EventRoom, QueueRun, Room, TableState
from venue.queue import MatchId, find_next_calls
from venue.queue_files import read_room, serialize_answer
from venue.rooms import room_settings, rooms


@pytest.fixture
def room(desk: Desk) -> Room:
    """A room with two tables."""
    return rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="1-2", now=desk.now)


def begin(desk: Desk, room: Room, mode: CallMode = CallMode.AUTOMATIC, players: int = 8) -> None:
    """Start an event that is played in a room."""
    desk.announce(a_plan("single-elimination"), players)
    room_settings.set_room(event=desk.event, room=room, mode=mode, by=desk.director, now=desk.now)
    desk.do(drawing.publish)
    desk.fresh()


def work(desk: Desk) -> int:
    """Carry out what is written down, as a worker does; return how much that was."""
    due = list(
        Outbox.objects.filter(kind=table_filling.NEXT, done_at__isnull=True).values_list("pk", flat=True)
    )
    done = sum(outbox.deliver(outbox_id=pk, now=desk.now) for pk in due)
    return done + (work(desk) if done else 0)


def store_game(desk: Desk, match: str, number: int) -> None:
    """Write a game on the score sheet of a match."""
    tap_storage.store_tap(
        tournament_id=desk.pk, match=match, key=f"key-of-{number}", by=desk.director, now=desk.now,
        what=Tap("game", number, winner="a"),
    )  # fmt: skip


def at_tables() -> dict[str, str]:
    found = Assignment.objects.filter(ended_at__isnull=True).order_by("table__position")
    return dict(found.values_list("table__label", "pairing__key"))


@pytest.mark.parametrize("is_by_rule", [False, True])
def test_a_match_that_is_open_again_is_at_its_table_again(desk: Desk, room: Room, is_by_rule: bool) -> None:
    begin(desk, room, players=4)
    work(desk)
    key = at_tables()["2"]
    if is_by_rule:
        desk.do(incidents.record_walkover, key=key, loser=desk.pairs()[key][0])
    else:
        desk.play(key)
    ruling = desk.ruling()
    assert "2" not in at_tables()
    desk.now += timedelta(seconds=5)

    if is_by_rule:
        desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="The wrong table")
    else:
        desk.do(corrections.undo_result, ruling_id=ruling.pk)

    assert at_tables()["2"] == key


def test_a_match_that_is_open_again_waits_for_a_table_if_its_table_is_taken(desk: Desk, room: Room) -> None:
    desk.announce(a_plan("single-elimination", Settings(lateness=((5, 1),))), 8)
    room_settings.set_room(
        event=desk.event, room=room, mode=CallMode.AUTOMATIC, by=desk.director, now=desk.now
    )
    desk.do(drawing.publish)
    work(desk)
    key = at_tables()["1"]
    desk.now += timedelta(minutes=1)
    desk.do(incidents.record_arrival, key=key, entry=desk.pairs()[key][0])
    desk.play(key)
    ruling = desk.ruling()
    desk.now += timedelta(seconds=5)
    work(desk)
    assert "1" in at_tables()

    desk.do(corrections.undo_result, ruling_id=ruling.pk)

    row = desk.row(key)
    assert (row.called_at, row.table, row.a_here_at, row.due_at) == (None, "", None, None)
    desk.play(at_tables()["2"])
    work(desk)
    assert at_tables()["2"] == key
    assert desk.row(key).called_at == desk.now


def test_a_match_that_is_open_again_gets_its_table_from_the_match_that_followed(
    desk: Desk, room: Room
) -> None:
    begin(desk, room, players=4)
    work(desk)
    first, second = at_tables().values()
    desk.play(first)
    desk.now += timedelta(minutes=1)
    desk.play(second)
    ruling = desk.ruling()
    final = desk.open()[0].key
    calling.call(
        table=room.tables.get(label="2"), event=desk.event, key=final, by=desk.director, now=desk.now
    )
    desk.now += timedelta(seconds=5)

    desk.do(corrections.undo_result, ruling_id=ruling.pk)

    assert at_tables() == {"2": second}
    assert desk.row(second).table == "2"


def test_a_match_that_a_correction_reopens_is_waited_for_again(desk: Desk, room: Room) -> None:
    begin(desk, room, players=4)
    work(desk)
    key = at_tables()["2"]
    for number in desk.pairs()[key]:
        desk.do(incidents.record_arrival, key=key, entry=number)
    desk.play(key)
    desk.now += timedelta(minutes=30)

    desk.do(corrections.correct_result, key=key, kind="", reason="They played to 3")
    work(desk)
    calling.update_assignments(desk.fresh(), now=desk.now)

    made = Assignment.objects.get(pairing__key=key, ended_at__isnull=True)
    assert made.started_at is None
    assert not made.chairs.filter(here_at__isnull=False).exists()


def test_tables_are_filled_when_an_event_begins_and_when_a_table_is_free(desk: Desk, room: Room) -> None:
    begin(desk, room)
    assert at_tables() == {}
    assert work(desk) > 0
    before = at_tables()
    assert list(before) == ["1", "2"]
    desk.play(before["1"])
    work(desk)
    after = at_tables()
    assert after["2"] == before["2"]
    assert after["1"] not in before.values()
    assert list(tables.verify_tables()) == []


def test_who_does_it_again_calls_nothing_more(desk: Desk, room: Room) -> None:
    begin(desk, room)
    assert len(table_filling.fill(room_id=room.pk, now=desk.now)) == 2
    before = at_tables()
    assert table_filling.fill(room_id=room.pk, now=desk.now) == []
    work(desk)
    assert at_tables() == before
    assert QueueRun.objects.count() == 1


def test_a_call_asks_little_and_leaves_the_bracket_as_it_is(
    desk: Desk, room: Room, django_assert_max_num_queries: Callable[[int], Any]
) -> None:
    begin(desk, room)
    work(desk)
    one = at_tables()["1"]
    desk.play(one)
    with django_assert_max_num_queries(40):
        assert len(table_filling.fill(room_id=room.pk, now=desk.now)) == 1
    desk.fresh()
    assert bracket_cache.find_ranking(desk.event) is not None
    # It is the bracket of the rows: what is played next opens what follows.
    while open_ones := list(at_tables().values()):
        desk.play(open_ones[0])
        work(desk)
    desk.fresh()
    assert desk.event.status == Status.FINISHED


def test_a_call_tells_the_pages_of_the_other_events_in_the_room(desk: Desk, room: Room) -> None:
    begin(desk, room)
    first = desk.event
    begin(desk, room, players=4)
    told = TopicEvent.objects.filter(topic=f"event.{desk.event.key}", name=seats.ROOM)
    before = told.count()
    made = table_filling.fill(room_id=room.pk, now=desk.now)
    assert {each.pairing.tournament_id for each in made} == {first.pk}
    assert told.count() == before + 1


def test_whoever_sat_down_elsewhere_meanwhile_leaves_the_table_to_the_next(
    desk: Desk, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The room is read, and before its calls are written a person is called to a table of another room."""
    begin(desk, room)
    first = desk.event
    bar = rooms.open_room(club=desk.club, by=desk.director, name="Bar", labels="9", now=desk.now)
    desk.announce(a_plan("single-elimination"), 0)
    desk.do(directing.admit_members, player_keys=list(first.entries.values_list("player__key", flat=True)))
    desk.do(drawing.publish)
    pairings = queue_input.load_pairings

    def once_elsewhere(found: Iterable[queue_input.OpenMatch]) -> dict[MatchId, Pairing]:
        monkeypatch.setattr(queue_input, "load_pairings", pairings)
        rows = pairings(found)
        busy = next(iter(rows.values())).a.player_id
        key = next(row.key for row in desk.open() if busy in (row.a.player_id, row.b.player_id))
        calling.call(table=bar.tables.get(), event=desk.event, key=key, by=desk.director, now=desk.now)
        return rows

    monkeypatch.setattr(queue_input, "load_pairings", once_elsewhere)
    Outbox.objects.all().delete()
    assert len(table_filling.fill(room_id=room.pk, now=desk.now)) == 1
    work(desk)
    assert set(at_tables()) == {"1", "2", "9"}


@pytest.mark.long
def test_a_call_says_why_and_computed_again_from_its_log_it_is_the_same(desk: Desk, room: Room) -> None:
    begin(desk, room)
    work(desk)
    while open_ones := list(at_tables().values()):
        desk.now += timedelta(minutes=9)
        desk.play(open_ones[0])
        work(desk)
    runs = QueueRun.objects.all()
    assert runs.count() > 3
    for run in runs:
        asked = read_room(run.asked)
        assert serialize_answer(asked, find_next_calls(asked.room)) == {"calls": run.calls}
    made = Assignment.objects.exclude(run=None)
    assert made.count() == 7
    assert {each.why["blocks"] for each in made} == {0, 1, 2}
    assert max(each.why["minutes"] for each in made) >= 9
    players = {entry.player.key for entry in desk.event.entries.select_related("player")}
    assert {each.why["longest"] for each in made} <= players


def test_an_old_answer_is_forgotten_and_its_calls_stay(desk: Desk, room: Room) -> None:
    begin(desk, room)
    assert len(table_filling.fill(room_id=room.pk, now=desk.now)) == 2
    before = list(Assignment.objects.values_list("pk", "why"))
    receivers.prune_all(desk.now + table_filling.RUNS_KEPT_FOR)
    assert QueueRun.objects.count() == 1
    receivers.prune_all(desk.now + table_filling.RUNS_KEPT_FOR + timedelta(seconds=1))
    assert not QueueRun.objects.exists()
    assert list(Assignment.objects.values_list("pk", "why")) == before


def test_players_of_a_match_without_a_call_in_another_event_are_not_called(desk: Desk, room: Room) -> None:
    begin(desk, room, CallMode.BY_HAND, players=2)
    other, one = desk.event, desk.open()[0]
    tap_storage.store_tap(
        tournament_id=desk.pk, match=one.key, key="key-of-game", by=desk.director, now=desk.now,
        what=Tap("game", 1, winner="a"),
    )  # fmt: skip
    desk.announce(a_plan("single-elimination"))
    room_settings.set_room(
        event=desk.event, room=room, mode=CallMode.AUTOMATIC, by=desk.director, now=desk.now
    )
    desk.do(directing.admit_members, player_keys=list(other.entries.values_list("player__key", flat=True)))
    desk.do(drawing.publish)
    desk.fresh()
    assert table_filling.fill(room_id=room.pk, now=desk.now) == []

    final, desk.event = desk.event, other
    desk.play(one.key)
    [made] = table_filling.fill(room_id=room.pk, now=desk.now)
    assert made.pairing.tournament_id == final.pk


def test_lateness_runs_from_the_call(desk: Desk, room: Room) -> None:
    settings = Settings(lateness=((5, 1),), no_show_minutes=30)
    desk.announce(a_plan("single-elimination", settings), 8)
    room_settings.set_room(event=desk.event, room=room, mode=CallMode.BY_HAND, by=desk.director, now=desk.now)
    desk.do(drawing.publish)
    one = desk.open()[0]
    assert (one.called_at, one.due_at) == (None, None)
    desk.do(incidents.record_arrival, key=one.key, entry=one.a.number)
    desk.now += timedelta(minutes=20)
    deadlines.sweep(desk.now)
    assert desk.row(one.key).b_late == 0
    calling.call(
        table=room.tables.get(label="1"), event=desk.event, key=one.key, by=desk.director, now=desk.now
    )
    desk.now += timedelta(minutes=5)
    deadlines.sweep(desk.now)
    assert desk.row(one.key).b_late == 1


def test_an_event_that_moves_into_a_room_waits_for_calls_and_one_that_leaves_it_does_not(
    desk: Desk, room: Room
) -> None:
    desk.start(a_plan("single-elimination"), 8)
    where = {"event": desk.event, "by": desk.director, "now": desk.now}
    room_settings.set_room(room=room, mode=CallMode.BY_HAND, **where)
    open_ones = Pairing.objects.filter(tournament=desk.event, state=PairingState.READY)
    assert set(open_ones.values_list("called_at", flat=True)) == {None}
    calling.call(table=room.tables.get(label="1"), key=desk.open()[0].key, **where)
    room_settings.set_room(room=None, mode=CallMode.BY_HAND, **where)
    assert not open_ones.filter(called_at=None).exists()
    assert not EventRoom.objects.exists()
    other = Desk.__new__(Desk)
    other.__dict__ |= desk.__dict__
    other.club = type(desk.club).objects.create(slug="else", name="Else", created_at=desk.now)
    elsewhere = Room.objects.create(club=other.club, name="Far", created_at=desk.now)
    with pytest.raises(OtherClub):
        room_settings.set_room(room=elsewhere, mode=CallMode.BY_HAND, **where)


def test_matches_played_by_appointment_are_not_called_from_the_queue(desk: Desk, room: Room) -> None:
    desk.announce(TEMPLATES["league"].plan(5, 0), 4)
    where = {"event": desk.event, "by": desk.director, "now": desk.now}
    room_settings.set_room(room=room, mode=CallMode.AUTOMATIC, **where)
    desk.do(drawing.publish)
    work(desk)
    assert at_tables() == {}
    assert not queue_input.has_waiting_matches(room.pk)
    with pytest.raises(NothingToCall):
        table_filling.call_next(room=room, by=desk.director, now=desk.now)
    used = EventRoom.objects.get(event=desk.event)
    assert room_queue.compute_queue(used, now=desk.now).queue == ()

    # The two may come to the club on a night: a director calls them by hand.
    calling.call(table=room.tables.get(label="1"), key=desk.open()[0].key, **where)
    assert at_tables() == {"1": desk.open()[0].key}


def test_players_of_a_league_in_a_room_report_without_a_call(desk: Desk, room: Room) -> None:
    desk.announce(TEMPLATES["league"].plan(5, 0), 4)
    room_settings.set_room(
        event=desk.event, room=room, mode=CallMode.AUTOMATIC, by=desk.director, now=desk.now
    )
    desk.do(drawing.publish)
    view = event_view.load_view(desk.fresh())
    assert not any(view.waits_for_call(play) for play in view.plays if play.is_open)
    assert all(play.called_at is None for play in view.plays)
    one = desk.open()[0]
    assert one.a is not None
    steps = my_matches.build_event_path(view, one.a.number, {}).ahead
    assert steps
    assert all(step.is_now for step in steps if step.is_open)


def test_an_event_that_leaves_its_room_takes_back_the_calls_to_which_nobody_came(
    desk: Desk, room: Room
) -> None:
    begin(desk, room, CallMode.BY_HAND)
    where = {"event": desk.event, "by": desk.director, "now": desk.now}
    one, two = desk.open()[:2]
    calling.call(table=room.tables.get(label="1"), key=one.key, **where)
    calling.call(table=room.tables.get(label="2"), key=two.key, **where)
    assert two.a is not None
    desk.do(incidents.record_arrival, key=two.key, entry=two.a.number)

    room_settings.set_room(room=None, mode=CallMode.BY_HAND, **where)

    assert at_tables() == {"2": two.key}
    assert (desk.row(one.key).table, desk.row(two.key).table) == ("", "2")
    # Without a room a match is expected as soon as it is open.
    assert desk.row(one.key).called_at == desk.now


def test_an_event_that_changes_its_room_is_called_in_the_new_one(desk: Desk, room: Room) -> None:
    begin(desk, room)
    work(desk)
    assert len(at_tables()) == 2
    hall = rooms.open_room(club=desk.club, by=desk.director, name="Hall", labels="11-14", now=desk.now)
    room_settings.set_room(
        event=desk.event, room=hall, mode=CallMode.AUTOMATIC, by=desk.director, now=desk.now
    )
    work(desk)
    assert sorted(at_tables()) == ["11", "12", "13", "14"]


def test_one_key_calls_the_next_and_only_that(desk: Desk, room: Room) -> None:
    begin(desk, room, CallMode.CONFIRMED)
    work(desk)
    assert at_tables() == {}
    for labels in (["1"], ["1", "2"]):
        table_filling.call_next(room=room, by=desk.director, now=desk.now)
        assert list(at_tables()) == labels
    with pytest.raises(NothingToCall):
        table_filling.call_next(room=room, by=desk.director, now=desk.now)
    assert desk.event.rulings.filter(act=RulingKind.CALLED, by=desk.director).count() == 2


def test_by_hand_the_queue_calls_nobody(desk: Desk, room: Room) -> None:
    begin(desk, room, CallMode.BY_HAND)
    work(desk)
    with pytest.raises(NothingToCall):
        table_filling.call_next(room=room, by=desk.director, now=desk.now)
    assert at_tables() == {}


def test_a_table_that_breaks_sends_its_match_back_and_one_that_is_mended_gets_the_next(
    desk: Desk, room: Room
) -> None:
    begin(desk, room)
    work(desk)
    match = at_tables()["1"]
    table = room.tables.get(label="1")
    calling.break_table(table=table, by=desk.director, now=desk.now)
    work(desk)
    assert list(at_tables()) == ["2"]
    assert desk.row(match).called_at is None
    rooms.change_table(table=table, by=desk.director, label="1", state=TableState.FREE, tags=(), now=desk.now)
    work(desk)
    assert at_tables()["1"] == match


def test_a_match_with_a_score_is_called_again_when_its_table_is_lost(desk: Desk, room: Room) -> None:
    begin(desk, room)
    work(desk)
    match = at_tables()["1"]
    store_game(desk, match, 1)
    calling.break_table(table=room.tables.get(label="1"), by=desk.director, now=desk.now)
    # The game that they had just ended.
    store_game(desk, match, 2)

    found = queue_input.load_queue_input(room, now=desk.now, modes=[CallMode.AUTOMATIC])
    assert found.room.ready[0].id.endswith(match)
    view = event_view.load_view(desk.fresh())
    play = view.by_key[match]
    assert (play.is_playing, view.score(play)) == (False, ("2", "0"))

    desk.play(at_tables()["2"])
    work(desk)
    assert at_tables() == {"2": match}
    assert desk.row(match).running["score"] == [2, 0]
    assert event_view.load_view(desk.fresh()).by_key[match].is_playing


def test_others_who_come_to_the_place_of_a_match_with_a_score_are_called(desk: Desk, room: Room) -> None:
    begin(desk, room, players=4)
    work(desk)
    first, second = at_tables().values()
    row = desk.play(first)
    desk.play(second)
    work(desk)
    [final] = at_tables().values()
    store_game(desk, final, 1)

    score = (1, row.length) if row.winner_id == row.a_id else (row.length, 1)
    desk.do(corrections.correct_result, key=first, score=score, reason="Misread")
    assert desk.row(final).running == {}
    work(desk)
    assert list(at_tables().values()) == [final]


@pytest.mark.parametrize("has_score", [False, True])
def test_exchanged_players_whose_table_is_freed_are_called_again(
    desk: Desk, room: Room, has_score: bool
) -> None:
    begin(desk, room)
    work(desk)
    one, two = map(desk.row, at_tables().values())
    if has_score:
        store_game(desk, one.key, 1)
    desk.do(corrections.exchange_players, entry=one.a.number, other=two.a.number, reason="Mixed up")

    assert at_tables() == {}
    for key in (one.key, two.key):
        assert (desk.row(key).called_at, desk.row(key).table) == (None, "")
    work(desk)
    assert set(at_tables().values()) == {one.key, two.key}


def test_a_table_breaks_though_its_match_ends_at_that_moment(
    desk: Desk, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(desk, room)
    work(desk)
    match, table = at_tables()["1"], room.tables.get(label="1")
    lock = changes.lock_event

    def lock_after_its_result(tournament_id: int) -> Any:
        monkeypatch.setattr(changes, "lock_event", lock)
        desk.play(match)
        return lock(tournament_id)

    monkeypatch.setattr(changes, "lock_event", lock_after_its_result)
    calling.break_table(table=table, by=desk.director, now=desk.now)

    table.refresh_from_db()
    assert table.state == TableState.BROKEN
    assert desk.row(match).state == PairingState.DECIDED


def test_an_adjourned_match_leaves_its_table_and_is_called_no_more_until_it_is_resumed(
    desk: Desk, room: Room
) -> None:
    begin(desk, room)
    work(desk)
    first = at_tables()["1"]

    def tap(do: str, **said: object) -> None:
        tap_storage.store_tap(
            tournament_id=desk.pk, match=first, key=f"key-of-{do}", by=desk.director, now=desk.now,
            what=Tap(do, 1 if do == "game" else 2, **said),
        )  # fmt: skip

    tap("game", winner="a")
    assert at_tables()["1"] == first
    tap("adjourn")
    work(desk)
    # Another one has got its table.
    assert first not in at_tables().values()
    assert len(at_tables()) == 2
    row = Pairing.objects.get(tournament=desk.event, key=first)
    assert (row.table, row.called_at) == ("", None)
    found = queue_input.load_queue_input(room, now=desk.now, modes=[CallMode.AUTOMATIC])
    assert not [each for each in found.room.ready if each.id.endswith(first)]
    assert row.a.player.key not in {name for each in found.room.running for name in each.players}
    for key in list(at_tables().values()):
        desk.play(key)
        work(desk)
    assert first not in at_tables().values()

    # By hand it is called all the same: they come to go on.
    desk.now += timedelta(days=7)
    [free] = rooms.add_tables(room=room, by=desk.director, labels="9", now=desk.now)
    calling.call(table=free, event=desk.fresh(), key=first, by=desk.director, now=desk.now)
    assert first in at_tables().values()
    tap("take-up")
    assert first in at_tables().values()
    work(desk)
    # They keep playing where they sit, and no other match can use them at the same time.
    found = queue_input.load_queue_input(room, now=desk.now, modes=[CallMode.AUTOMATIC])
    assert row.a.player.key in {name for each in found.room.running for name in each.players}


def test_a_paused_event_is_not_called(desk: Desk, room: Room) -> None:
    begin(desk, room)
    desk.do(event_control.pause_event)
    work(desk)
    assert at_tables() == {}
    desk.do(event_control.resume_event)
    work(desk)
    assert list(at_tables()) == ["1", "2"]


def test_a_call_by_the_event_s_own_act_takes_the_table_of_that_label(desk: Desk, room: Room) -> None:
    begin(desk, room, CallMode.BY_HAND)
    one, two, *_ = desk.open()
    desk.do(incidents.call_match, key=one.key, table="2")
    desk.do(incidents.call_match, key=two.key, table="2")
    assert at_tables() == {"2": one.key}
    desk.now += timedelta(minutes=20)
    assert desk.row(two.key).table == "2"
    # Called again, it moves, and the other one gets the table.
    desk.do(incidents.call_match, key=one.key, table="1")
    assert at_tables() == {"1": one.key, "2": two.key}


@pytest.mark.long
def test_a_match_that_is_opened_again_waits_for_a_table(desk: Desk, room: Room, correct: Callable) -> None:
    begin(desk, room)
    work(desk)
    first = at_tables()["1"]
    desk.play(first)
    work(desk)
    correct(first)
    assert first not in at_tables().values()
    desk.play(at_tables()["1"])
    work(desk)
    assert first in at_tables().values()


def test_two_events_share_a_room_and_nobody_is_in_two_places(desk: Desk, room: Room) -> None:
    rooms.add_tables(room=room, by=desk.director, labels="3-8", now=desk.now)
    begin(desk, room)
    first = desk.event
    desk.announce(a_plan("single-elimination"), seed="9")
    desk.do(directing.admit_members, player_keys=list(first.entries.values_list("player__key", flat=True)))
    room_settings.set_room(
        event=desk.event, room=room, mode=CallMode.AUTOMATIC, by=desk.director, now=desk.now
    )
    desk.do(drawing.publish)
    work(desk)
    # Four matches seat all eight, across both events.
    assert len(at_tables()) == 4
    assert list(tables.verify_tables()) == []


@pytest.fixture
def correct(desk: Desk) -> Callable[[str], object]:
    """Open a match again."""
    return lambda key: desk.do(corrections.correct_result, key=key, kind="", reason="Typed wrongly")
