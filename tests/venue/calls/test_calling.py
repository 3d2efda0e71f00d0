"""A match at a table: called, played, ended. No player is at two tables, even with several events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from players.accounts import accounts
from players.clubs import clubs, merging
from players.models import Merge
from tests.tournaments.event_desk import Desk, a_plan
from tests.venue.forms import kept
from tournaments.base.errors import NotDirector
from tournaments.models import Pairing, RulingKind, Tournament
from tournaments.plan import drawing
from tournaments.play import corrections, directing, event_control, incidents
from venue.calls import calling, tables
from venue.errors import OtherClub, PlayerBusy, TableBroken, TableInUse, TableTaken
from venue.models import Assignment, Chair, Room, Table, TableState
from venue.rooms import rooms


@pytest.fixture
def room(desk: Desk) -> Room:
    """A room with three tables and an event of four."""
    desk.start(a_plan("single-elimination"), 4)
    return rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels="1-3", now=desk.now)


def called(desk: Desk, room: Room, label: str, key: str) -> Assignment:
    table = room.tables.get(label=label)
    return calling.call(table=table, event=desk.event, key=key, by=desk.director, now=desk.now)


def open_ones() -> list[tuple[str, str]]:
    found = Assignment.objects.filter(ended_at__isnull=True).order_by("table__label")
    return list(found.values_list("table__label", "pairing__key"))


def second_event(desk: Desk) -> tuple[Tournament, Tournament]:
    """Begin another event with the same four people; return both."""
    first = desk.event
    desk.announce(a_plan("single-elimination"))
    desk.do(directing.admit_members, player_keys=list(first.entries.values_list("player__key", flat=True)))
    desk.do(drawing.publish)
    return first, desk.fresh()


def test_a_call_is_the_match_s_call_too_and_lateness_runs_from_it(desk: Desk, room: Room) -> None:
    one, _ = desk.open()
    desk.now += timedelta(minutes=7)
    made = called(desk, room, "2", one.key)
    row = desk.row(one.key)
    assert (row.table, row.called_at, made.called_at) == ("2", desk.now, desk.now)
    assert {chair.player_id for chair in made.chairs.all()} == {row.a.player_id, row.b.player_id}


def test_only_directors_of_the_club_call_move_and_break(desk: Desk, room: Room) -> None:
    one, _ = desk.open()
    called(desk, room, "1", one.key)
    table, said = room.tables.get(label="2"), {"event": desk.event, "key": one.key, "now": desk.now}
    stranger = accounts.register(email="x@example.org", password=None, name="Xe", now=desk.now)
    acts: list[Callable[[], object]] = [
        lambda: calling.call(table=table, by=stranger, **said),
        lambda: calling.move(table=table, by=stranger, **said),
        lambda: calling.break_table(table=table, by=stranger, now=desk.now),
    ]
    for act in acts:
        with pytest.raises(NotDirector):
            act()
    elsewhere = clubs.create(owner=desk.director, name="Elsewhere", now=desk.now)
    theirs = rooms.open_room(club=elsewhere, by=desk.director, name="Room", labels="1", now=desk.now)
    for put in (calling.call, calling.move):
        with pytest.raises(OtherClub):
            put(table=theirs.tables.get(), by=desk.director, **said)
    assert open_ones() == [("1", one.key)]


def test_a_result_frees_the_table_in_the_same_transaction(desk: Desk, room: Room) -> None:
    one, two = desk.open()
    called(desk, room, "1", one.key)
    called(desk, room, "2", two.key)
    desk.play(one.key)
    assert open_ones() == [("2", two.key)]
    assert not Chair.objects.filter(assignment__pairing=one, ended_at__isnull=True).exists()
    assert list(tables.verify_tables()) == []


def test_two_matches_never_share_a_table_and_a_match_that_moves_frees_its_own(desk: Desk, room: Room) -> None:
    one, two = desk.open()
    called(desk, room, "1", one.key)
    with pytest.raises(TableTaken):
        called(desk, room, "1", two.key)
    assert desk.row(two.key).table == ""
    called(desk, room, "3", one.key)
    called(desk, room, "1", two.key)
    assert open_ones() == [("1", two.key), ("3", one.key)]
    with pytest.raises(TableInUse):
        rooms.remove_table(table=room.tables.get(label="1"), by=desk.director, now=desk.now)


def test_a_broken_table_gets_nobody_and_a_held_one_only_by_hand(desk: Desk, room: Room) -> None:
    (one, _), table = desk.open(), room.tables.get(label="1")
    rooms.change_table(
        table=table, by=desk.director, label="1", state=TableState.BROKEN, tags=(), now=desk.now
    )
    with pytest.raises(TableBroken):
        called(desk, room, "1", one.key)
    rooms.change_table(table=table, by=desk.director, label="1", state=TableState.HELD, tags=(), now=desk.now)
    called(desk, room, "1", one.key)
    assert open_ones() == [("1", one.key)]


def test_nobody_is_called_in_two_events_at_once(desk: Desk, room: Room) -> None:
    first, second = second_event(desk)
    begun = Pairing.objects.filter(tournament=first, state="ready").order_by("key").first()
    calling.call(table=room.tables.get(label="1"), event=first, key=begun.key, by=desk.director, now=desk.now)
    theirs = {begun.a.player_id, begun.b.player_id}
    for other in Pairing.objects.filter(tournament=second, state="ready"):
        if theirs & {other.a.player_id, other.b.player_id}:
            with pytest.raises(PlayerBusy):
                called(desk, room, "2", other.key)
    with pytest.raises(IntegrityError), transaction.atomic():
        Chair.objects.create(
            assignment=Assignment.objects.create(
                table=room.tables.get(label="3"), pairing=desk.open()[0], called_at=desk.now
            ),
            player_id=theirs.pop(),
        )


def test_it_is_played_from_when_both_are_there(desk: Desk, room: Room) -> None:
    one, _ = desk.open()
    made = called(desk, room, "1", one.key)
    for entry in (one.a, one.b):
        assert Assignment.objects.get(pk=made.pk).started_at is None
        desk.now += timedelta(minutes=1)
        desk.do(incidents.record_arrival, key=one.key, entry=entry.number)
    assert Assignment.objects.get(pk=made.pk).started_at == desk.now
    assert made.chairs.filter(here_at__isnull=True).count() == 0


def test_an_event_that_ends_holds_no_table_and_the_verifier_finds_one_that_would(
    desk: Desk, room: Room
) -> None:
    one, two = desk.open()
    called(desk, room, "1", one.key)
    called(desk, room, "2", two.key)
    desk.do(directing.cancel_event, reason="The roof leaks")
    assert open_ones() == []
    Assignment.objects.filter(pairing=one).update(ended_at=None)
    assert list(tables.verify_tables()) != []


def test_a_round_that_is_a_draft_again_holds_no_table(desk: Desk) -> None:
    plan = a_plan("swiss", rounds=3)
    desk.start(replace(plan, stages=(replace(plan.stages[0], pairs="draft"),)), 4)
    hall = rooms.open_room(club=desk.club, by=desk.director, name="Hall", labels="1-2", now=desk.now)
    desk.do(event_control.publish_round, stage=1, number=1)
    made = called(desk, hall, "1", desk.open()[0].key)
    published = desk.event.rulings.get(act=RulingKind.PUBLISHED_ROUND)

    desk.do(corrections.undo_act, ruling_id=published.pk, reason="Two brothers meet")

    assert not desk.open()
    assert not open_ones()
    assert list(tables.verify_tables()) == []
    Assignment.objects.filter(pk=made.pk).update(ended_at=None)
    assert any("which is not to be played" in said for said in tables.verify_tables())


@pytest.mark.long
def test_directors_call_from_the_page_of_the_match_and_everybody_sees_the_table(
    desk: Desk, room: Room, client: Client
) -> None:
    one, _ = desk.open()
    client.force_login(desk.director)
    page = reverse("tournaments:pairing", args=[desk.event.key, one.key])
    at = reverse("venue:call", args=[desk.club.slug, room.tables.get(label="2").key])
    assert at in client.get(page).content.decode()
    sent = client.post(at, kept(client, page, at), follow=True)
    assert "This match is at table 2." in sent.content.decode()
    assert at not in sent.content.decode()
    other = reverse("tournaments:pairing", args=[desk.event.key, desk.open()[1].key])
    free = reverse("venue:call", args=[desk.club.slug, room.tables.get(label="1").key])
    # The table was still free when the page was made.
    again = client.post(at, kept(client, other, free), follow=True)
    assert "are at table 2 now." in again.content.decode()

    client.logout()
    shown = client.get(reverse("venue:rooms", args=[desk.club.slug])).content.decode()
    assert one.a.player.public_name in shown
    assert Table.objects.count() == 3


def test_a_merged_guest_keeps_their_chair(desk: Desk, room: Room) -> None:
    one, _ = desk.open()
    made = called(desk, room, "1", one.key)
    known = clubs.add_guest(club=desk.club, name="Known", by=desk.director, now=desk.now)
    merging.merge_guest(kept=known, dropped=one.a.player, by=desk.director, now=desk.now)
    assert made.chairs.filter(player=known, ended_at__isnull=True).exists()
    assert open_ones() == [("1", one.key)]

    # Undone while they are called, they stay at the table, and are no longer called there as another person.
    later = desk.now + timedelta(minutes=1)
    merging.unmerge(merge_id=Merge.objects.get().pk, by=desk.director, now=later)
    assert made.chairs.filter(player=one.a.player, ended_at__isnull=True).exists()
    assert not made.chairs.filter(player=known).exists()
    assert open_ones() == [("1", one.key)]


def test_a_call_to_a_table_is_taken_back_on_the_page_of_the_match(desk: Desk, client: Client) -> None:
    """An event without a room has no tables on its desk."""
    desk.start(a_plan("single-elimination"), 4)
    room = rooms.open_room(club=desk.club, by=desk.director, name="Room", labels="1", now=desk.now)
    key = desk.open()[0].key
    calling.call(table=room.tables.get(label="1"), event=desk.event, key=key, by=desk.director, now=desk.now)
    client.force_login(desk.director)
    address = reverse("venue:change_table", args=[desk.event.key])

    fields = kept(client, reverse("tournaments:pairing", args=[desk.event.key, key]), address)
    client.post(address, {**fields, "act": "take-back"})

    assert not Assignment.objects.filter(ended_at__isnull=True).exists()
    assert desk.row(key).table == ""
