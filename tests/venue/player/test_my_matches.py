"""A player's own page: the next match, where it is, what to do about it, the way there and what follows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db.models import Q
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from careers import my_matches
from careers.my_matches import EventPath, MyEvent, StepAhead
from players.models import User
from records.sheets import tap_storage
from records.sheets.sheet import Tap
from tests.notices import leave_notice
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import expectations
from tournaments.base.settings import Settings
from tournaments.models import Pairing, Tournament
from tournaments.plan import drawing
from tournaments.play import deadlines, directing, entering, event_control, incidents, results
from venue.calls import calling, seats, table_filling
from venue.models import Assignment, CallMode, Room
from venue.player import call_answers
from venue.rooms import room_settings, rooms

ME = "/me/"


@pytest.fixture(autouse=True)
def _clock(desk: Desk) -> Iterator[None]:
    """Pages read the clock themselves."""
    with time_machine.travel(desk.now, tick=False):
        yield


@pytest.fixture
def two(desk: Desk) -> tuple[User, User]:
    return desk.member("Ada"), desk.member("Bo")


def begin(
    desk: Desk, users: tuple[User, ...], players: int = 0, form: str = "single-elimination"
) -> Tournament:
    """Start an event with these people first, and guests."""
    desk.announce(a_plan(form, Settings(lateness=((6, 1),))))
    desk.do(directing.admit_members, player_keys=[user.player.key for user in users])
    if players:
        desk.do(directing.admit_named, names=[f"Guest {number}" for number in range(1, players + 1)])
    desk.do(drawing.publish)
    return desk.fresh()


def a_room(desk: Desk, labels: str = "4") -> Room:
    return rooms.open_room(club=desk.club, by=desk.director, name="Lamp Room", labels=labels, now=desk.now)


def play_in(desk: Desk, room: Room, mode: CallMode = CallMode.CONFIRMED) -> None:
    room_settings.set_room(event=desk.event, room=room, mode=mode, by=desk.director, now=desk.now)


def page(client: Client, user: User) -> str:
    client.force_login(user)
    return client.get(ME).content.decode()


def words(client: Client, user: User) -> str:
    """The text of the page between its head and its foot."""
    main = page(client, user).partition("<main")[2].partition("</main>")[0]
    return re.sub(r"\s+", " ", strip_tags(main))


def own_match(desk: Desk, user: User) -> Pairing:
    rows = Pairing.objects.filter(tournament=desk.event, state="ready")
    return next(
        row
        for row in rows.select_related("a__player", "b__player")
        if user.player in {row.a.player, row.b.player}  # type: ignore[union-attr]
    )


def test_a_stranger_is_asked_to_sign_in(client: Client) -> None:
    assert client.get(ME).status_code == 302


def test_with_nothing_to_play_it_leads_to_what_is_on(
    desk: Desk, two: tuple[User, User], client: Client
) -> None:
    said = page(client, two[0])
    assert "You have no match at the moment" in said
    assert reverse("tournaments:calendar") in said


@pytest.mark.long
def test_it_goes_from_the_queue_to_the_table_to_the_sheet(
    desk: Desk, two: tuple[User, User], client: Client
) -> None:
    ada, bo = two
    event = begin(desk, two)
    play_in(desk, a_room(desk))
    waits = words(client, ada)
    assert "against Bo" in waits
    assert "You are waiting for a table; your match is next." in waits
    assert "Keep the score" not in waits, "nobody plays before they are called"

    made = table_filling.call_next(room=event.played_in.room, by=desk.director, now=desk.now)
    called = words(client, ada)
    assert "Table 4" in called
    assert "You are called: Table 4." in called
    assert "I am at the table" in called
    assert "Keep the score" not in called

    answer = client.post(reverse("venue:answer", args=[made.uid]), {"say": "here", "back": "me"})
    assert answer.headers["Location"] == ME
    here = words(client, ada)
    assert "You are at the table." in here
    assert "Keep the score" in here
    assert reverse("records:sheet", args=[event.key, "main/1.1"]) in page(client, ada)
    typed = f"{reverse('records:transcribe', args=[event.club.slug])}?match={own_match(desk, ada).uid}"
    assert f'href="{typed}"' in page(client, ada)

    call_answers.record_arrival(uid=made.uid, by=bo, now=desk.now)
    assert "Both are here. Play well!" in words(client, ada)
    desk.play("main/1.1")
    assert "against Bo" not in words(client, ada)
    assert "You have no match at the moment" in words(client, ada)


@pytest.mark.long
def test_a_player_in_two_events_waits_for_no_table_while_they_play(
    desk: Desk, two: tuple[User, User], client: Client
) -> None:
    ada, bo = two
    room = a_room(desk, "4-5")
    begin(desk, (ada,), 1)
    play_in(desk, room)
    made = table_filling.call_next(room=room, by=desk.director, now=desk.now)
    begin(desk, two)
    play_in(desk, room)

    assert "Your match is called as soon as you and your opponent are both free." in words(client, bo)
    assert "You are waiting for a table" not in words(client, bo)
    client.force_login(desk.director)
    desk_page = client.get(reverse("tournaments:desk", args=[desk.event.key])).content.decode()
    assert "Ada is still playing" in desk_page
    assert "has waited" not in desk_page

    seats.end_assignments([made], now=desk.now)
    assert "You are waiting for a table; " in words(client, bo)


def test_without_a_room_the_event_itself_asks_who_is_there(
    desk: Desk, two: tuple[User, User], client: Client
) -> None:
    ada, _bo = two
    begin(desk, two)
    row = own_match(desk, ada)
    assert "I am at the table" in words(client, ada)
    sent = client.post(
        reverse("tournaments:here", args=[desk.event.key]),
        {"match": row.key, "back": "me", "expects": _expects(row)},
    )
    assert sent.headers["Location"] == ME
    assert "Keep the score" in words(client, ada)


def test_an_adjourned_match_is_resumed(desk: Desk, two: tuple[User, User], client: Client) -> None:
    ada, _bo = two
    begin(desk, two)
    row = own_match(desk, ada)

    def tap(do: str) -> None:
        tap_storage.store_tap(
            tournament_id=desk.pk, match=row.key, key=f"key-of-{do}", what=Tap(do, 1), by=ada, now=desk.now
        )

    tap("adjourn")
    said = words(client, ada)
    assert "Resume the match" in said
    assert "Keep the score" not in said
    assert "I am at the table" not in said
    tap("take-up")
    assert "Resume the match" not in words(client, ada)


def _expects(row: Pairing) -> str:
    return expectations.serialize_state(expectations.build_row_state(row.tournament, row, expectations.SEATS))


def test_a_report_of_the_opponent_comes_before_everything_else(
    desk: Desk, two: tuple[User, User], client: Client
) -> None:
    ada, bo = two
    begin(desk, two)
    results.report_result(tournament_id=desk.pk, key="main/1.1", user=bo, score=(5, 2), now=desk.now)
    assert "Answer the report" in words(client, ada)
    own = words(client, bo)
    assert "Answer the report" not in own
    assert "Keep the score" not in own


@pytest.mark.long
def test_beside_a_report_to_confirm_the_sheet_is_a_plain_button(
    desk: Desk, two: tuple[User, User], client: Client
) -> None:
    ada, bo = two
    event = begin(desk, two)
    client.force_login(ada)
    main_acts = re.compile(r"button--primary button--large\"[^>]*>\s*([^<]+?)\s*<")

    assert main_acts.findall(client.get(event.get_absolute_url()).content.decode()) == ["Keep the score"]
    results.report_result(tournament_id=desk.pk, key="main/1.1", user=bo, score=(5, 2), now=desk.now)
    assert main_acts.findall(client.get(event.get_absolute_url()).content.decode()) == ["Confirm"]


def test_what_the_two_do_not_agree_on_waits_for_the_director(
    desk: Desk, two: tuple[User, User], client: Client
) -> None:
    ada, bo = two
    begin(desk, two)
    report = {"tournament_id": desk.pk, "key": "main/1.1", "now": desk.now}
    results.report_result(**report, user=bo, score=(5, 2))
    results.dispute_report(**report, user=ada, score=(5, 2))
    for user in two:
        said = words(client, user)
        assert "The director decides." in said
        for button in ("Answer the report", "I am at the table", "Keep the score"):
            assert button not in said


def test_a_report_is_not_answered_while_the_event_is_paused(
    desk: Desk, two: tuple[User, User], client: Client
) -> None:
    ada, bo = two
    begin(desk, two)
    results.report_result(tournament_id=desk.pk, key="main/1.1", user=bo, score=(5, 2), now=desk.now)
    desk.do(event_control.pause_event)
    said = words(client, ada)
    assert "Bo says" in said
    assert "Answer the report" not in said


def test_who_is_late_is_told_what_it_costs(desk: Desk, two: tuple[User, User], client: Client) -> None:
    ada, bo = two
    begin(desk, two)
    row = own_match(desk, bo)
    assert row.b
    present = row.a if row.a.player == bo.player else row.b
    desk.do(incidents.record_arrival, key=row.key, entry=present.number)
    deadlines.sweep(desk.now + timedelta(minutes=7))
    assert "You are late: your opponent begins with 1 point." in words(client, ada)
    assert "Your opponent is late: you begin with 1 point." in words(client, bo)


@pytest.mark.long
def test_of_a_league_the_most_urgent_matches_are_shown_and_the_others_counted(
    desk: Desk, two: tuple[User, User], client: Client
) -> None:
    ada, bo = two
    begin(desk, two, 8, "league")
    rows = Pairing.objects.filter(tournament=desk.event).filter(
        Q(a__player=ada.player) | Q(b__player=ada.player)
    )
    assert rows.filter(state="ready", opened_at__isnull=False).count() == 9
    soon = desk.now + timedelta(days=2)
    last = rows.order_by("position").last()
    Pairing.objects.filter(pk=last.pk).update(deadline_at=soon)
    Tournament.objects.filter(pk=desk.pk).update(stamp="another")
    said = words(client, ada)
    assert said.count("All about this match") == 3
    assert "6 more matches can be played now." in said
    own = my_matches.load_my_matches(ada.player, ada, now=desk.now)
    assert own.matches[0].meeting.key == last.key, "the one that has to be played first"
    assert "to be played by" in said.partition("Another match")[0]
    assert "9 matches can be played now" in said.partition("My schedule")[2]

    of_both = rows.get(Q(a__player=bo.player) | Q(b__player=bo.player))
    score = (5, 2) if of_both.a.player == bo.player else (2, 5)
    results.report_result(tournament_id=desk.pk, key=of_both.key, user=bo, score=score, now=desk.now)
    assert "Answer the report" in words(client, ada).partition("Another match")[0]


def test_the_likely_time_is_that_of_the_match_that_is_named() -> None:
    def ahead(*, waits: bool, begins_at: datetime | None) -> StepAhead:
        return StepAhead("Final", "", False, False, waits, begins_at, "", "")

    soon = datetime(2026, 11, 19, 20, tzinfo=UTC)
    held, known, unknown = (
        ahead(waits=False, begins_at=soon),
        ahead(waits=True, begins_at=soon),
        ahead(waits=True, begins_at=None),
    )
    for steps, expected in (((held, unknown, known), None), ((held, known), soon), ((held,), None)):
        event = MyEvent(None, None, EventPath((), steps), None)  # type: ignore[arg-type]
        assert event.next_at == expected


def test_a_paused_event_asks_for_nothing(desk: Desk, two: tuple[User, User], client: Client) -> None:
    begin(desk, two)
    desk.do(event_control.pause_event)
    said = words(client, two[0])
    assert "The event is paused" in said
    assert "I am at the table" not in said


def test_how_it_went_so_far_between_the_two(desk: Desk, two: tuple[User, User], client: Client) -> None:
    ada, bo = two
    for winner in (ada, ada, bo):
        begin(desk, two)
        row = own_match(desk, ada)
        assert row.b
        number = row.a.number if row.a.player == winner.player else row.b.number
        desk.play(row.key, number)
    begin(desk, two)
    assert "Head-to-head: you 2, Bo 1" in words(client, ada)
    assert "Head-to-head: you 1, Ada 2" in words(client, bo)


def test_the_way_says_what_was_played_what_comes_and_where_both_ways_lead(
    desk: Desk, two: tuple[User, User], client: Client
) -> None:
    ada, _bo = two
    desk.announce(a_plan("progressive-consolation"))
    desk.do(directing.admit_members, player_keys=[user.player.key for user in two])
    desk.do(directing.admit_named, names=[f"Guest {number}" for number in range(1, 7)])
    desk.do(drawing.publish)
    desk.fresh()
    first = own_match(desk, ada)
    before = words(client, ada)
    assert "If you win: Semi-finals" in before
    assert "If you lose: Consolation" in before

    assert first.b
    mine, theirs = (first.a, first.b) if first.a.player == ada.player else (first.b, first.a)
    desk.play(first.key, theirs.number)
    after = words(client, ada)
    assert f"{theirs.player.public_name} 0–5 lost" in after, "as it is told from her side"  # noqa: RUF001
    assert "Consolation" in after
    assert f"follow={mine.number}" in page(client, ada)


def test_the_schedule_has_every_event_one_has_entered(
    desk: Desk, two: tuple[User, User], client: Client
) -> None:
    ada, _bo = two
    begin(desk, two)
    desk.announce(a_plan("swiss", rounds=3))
    Tournament.objects.filter(pk=desk.pk).update(name="Friday Swiss", starts_at=desk.now + timedelta(days=1))
    entering.enter_own_player(tournament_id=desk.pk, user=ada, now=desk.now)
    desk.announce(a_plan("swiss", rounds=3))
    Tournament.objects.filter(pk=desk.pk).update(name="Not hers", starts_at=desk.now + timedelta(days=1))
    said = words(client, ada).partition("My schedule")[2]
    assert re.search(r"Thursday.*Running now.*Friday Swiss", said)
    assert "Not hers" not in said


def test_notices_are_there(desk: Desk, two: tuple[User, User], client: Client) -> None:
    leave_notice(user=two[0], text="You have a new role.", url="", dedupe_key="role", now=desk.now)
    assert "You have a new role." in words(client, two[0])


def test_the_place_moves_with_matches_of_other_events_of_the_room(
    desk: Desk, two: tuple[User, User], client: Client
) -> None:
    ada, _bo = two
    room = a_room(desk)
    earlier = begin(desk, (), 4)
    play_in(desk, room, CallMode.BY_HAND)
    desk.now += timedelta(minutes=1)
    begin(desk, two)
    play_in(desk, room, CallMode.BY_HAND)
    assert "2 matches are ahead of yours." in words(client, ada)
    calling.call(
        table=room.tables.get(label="4"), event=earlier, key="main/1.1", by=desk.director, now=desk.now
    )
    assert "1 match is ahead of yours." in words(client, ada)
    assert "A table should be free at" in words(client, ada)
    assert Assignment.objects.filter(ended_at=None).count() == 1


def test_with_a_table_of_the_events_own_it_says_which(
    desk: Desk, two: tuple[User, User], client: Client
) -> None:
    begin(desk, two)
    desk.do(incidents.call_match, key="main/1.1", table="9")
    assert "Table 9" in words(client, two[0])
