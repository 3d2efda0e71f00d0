"""Appointments of league matches: proposed, accepted, declined, moved, called off, reminded of, and closed."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from html import unescape
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from fixtures import friendlies
from players.clubs import clubs, merging
from players.keys import new_key
from players.models import Notice, User
from tests import prepared
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import Browser, text, url
from tests.tournaments.test_races_in_events import together
from tournaments.base import event_view, local_times
from tournaments.base.errors import (
    AlreadyDone,
    AppointmentBegun,
    BadTimes,
    CannotPlayFriendly,
    NotByAppointment,
    NothingProposed,
    NotYourMatch,
    PastDeadline,
    ResultStands,
    TooEarlyToCome,
)
from tournaments.base.settings import Settings
from tournaments.models import Appointment, AppointmentStatus, Pairing, Ruling, Tournament
from tournaments.pages import viewer_part
from tournaments.plan import drawing
from tournaments.plan.templates import TEMPLATES
from tournaments.play import (
    appointing,
    appointments,
    arrivals,
    changes,
    corrections,
    deadlines,
    departures,
    entering,
    event_control,
    incidents,
    results,
)

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


class League:
    """A league of four members, and the first match of it."""

    def __init__(self, desk: Desk, **said: Any) -> None:
        self.desk = desk
        plan = TEMPLATES["league"].plan(5, 0)
        if said:
            plan = a_plan(plan.stages, Settings(**said))
        desk.announce(plan)
        users = [desk.entrant(name) for name in ("Ann", "Ben", "Cid", "Dee")]
        self.users = {user.player.pk: user for user in users}
        desk.do(drawing.publish)
        desk.fresh()
        self.key = next(row.key for row in desk.open() if row.round.number == 1)

    @property
    def row(self) -> Pairing:
        return self.desk.row(self.key)

    @property
    def two(self) -> tuple[User, User]:
        row = self.row
        return self.users[row.a.player_id], self.users[row.b.player_id]

    def do(self, act: Callable[..., Any], user: User, **said: Any) -> Any:
        return act(tournament_id=self.desk.pk, key=self.key, user=user, now=self.desk.now, **said)

    def propose(self, user: User, *after: timedelta, **said: Any) -> Appointment:
        return self.do(appointing.propose_times, user, times=[self.desk.now + each for each in after], **said)

    def accept(self, user: User, time: datetime) -> Appointment:
        return self.do(appointing.accept_time, user, time=time)

    def agree(self, after: timedelta) -> datetime:
        a, b = self.two
        self.propose(a, after)
        found = self.accept(b, self.desk.now + after)
        assert found.starts_at is not None
        return found.starts_at

    def line(self) -> Any:
        view = event_view.load_view(self.desk.fresh(), with_drafts=True)
        return appointments.find_appointment(view, view.by_key[self.key], now=self.desk.now)

    def statuses(self) -> list[str]:
        return list(
            Appointment.objects.filter(pairing=self.row).order_by("pk").values_list("status", flat=True)
        )


@pytest.fixture
def now() -> datetime:
    """Pages read the clock themselves."""
    return timezone.now().replace(second=0, microsecond=0)


@pytest.fixture
def league(db: None, now: datetime) -> League:
    return prepared.begin("league", now, lambda: League(Desk(now)))


def notes(user: User) -> list[str]:
    return list(
        Notice.objects.filter(user=user, dedupe_key__startswith="appointment").values_list("text", flat=True)
    )


# -- merging people


def test_what_was_proposed_to_a_guest_outlives_a_merge_and_its_undoing(league: League) -> None:
    """A friendly needs two accounts, and only who has none is merged: so an appointment is all that can be open."""
    desk, (ann, ben) = league.desk, league.two
    guest = clubs.add_guest(club=desk.club, name="Bennie", by=desk.director, now=desk.now)
    desk.event.entries.filter(player=ben.player).update(player=guest)
    eve = desk.member("Eve")
    league.propose(ann, DAY)
    with pytest.raises(CannotPlayFriendly):
        friendlies.propose(
            club=desk.club, proposer=ann.player, opponent=guest, length=5, now=desk.now, key=new_key()
        )
    merging.merge_guest(kept=eve.player, dropped=guest, by=desk.director, now=desk.now)
    assert league.statuses() == ["proposed"]
    league.accept(eve, desk.now + DAY)
    merging.unmerge(merge_id=eve.player.merges.get().pk, by=desk.director, now=desk.now)
    assert league.statuses() == ["agreed"]
    assert {league.row.a and league.row.a.player, league.row.b and league.row.b.player} == {ann.player, guest}


# -- proposing and accepting


def test_one_of_three_times_is_accepted_and_both_are_expected_then(league: League) -> None:
    a, b = league.two
    assert league.row.called_at is None
    league.propose(a, DAY, 2 * DAY, 3 * DAY, place="Back room", words="After work")
    assert len(notes(b)) == 1

    league.accept(b, league.desk.now + 2 * DAY)

    assert league.row.called_at == league.desk.now + 2 * DAY
    assert league.statuses() == ["agreed"]
    assert "accepts" in notes(a)[0]
    with pytest.raises(AlreadyDone):
        league.accept(b, league.desk.now + 2 * DAY)


@pytest.mark.parametrize(
    "after", [(), (DAY,) * 1 + (2 * DAY, 3 * DAY, 4 * DAY), (-HOUR,), (timedelta(),), (400 * DAY,)]
)
def test_none_four_past_and_far_times_are_refused(league: League, after: tuple[timedelta, ...]) -> None:
    with pytest.raises(BadTimes, match=f"Propose 1 to {appointing.MOST_TIMES} times,"):
        league.propose(league.two[0], *after)
    assert league.statuses() == []


def test_a_time_after_the_deadline_is_taken_only_where_it_is_meant(league: League) -> None:
    a, _b = league.two
    with pytest.raises(PastDeadline):
        league.propose(a, 8 * DAY)
    assert league.propose(a, 8 * DAY, late=True).status == AppointmentStatus.PROPOSED


def test_other_times_take_the_place_of_what_was_proposed(league: League) -> None:
    a, b = league.two
    first = league.propose(a, DAY)
    assert league.propose(a, DAY).pk == first.pk
    league.propose(b, 2 * DAY)
    assert league.statuses() == ["replaced", "proposed"]
    with pytest.raises(NothingProposed):
        league.accept(b, league.desk.now + DAY)
    with pytest.raises(NothingProposed):
        league.accept(b, league.desk.now + 2 * DAY)


@pytest.mark.long
def test_declining_taking_back_and_calling_off(league: League) -> None:
    a, b = league.two
    league.propose(a, DAY)
    with pytest.raises(NothingProposed):
        league.do(appointing.withdraw_proposal, b)
    league.do(appointing.decline_proposal, b, words="Working all week")
    assert "Working all week" in notes(a)[0]
    league.propose(a, DAY)
    league.do(appointing.withdraw_proposal, a)
    starts_at = league.agree(2 * DAY)
    league.do(appointing.cancel_appointment, b, words="Ill")
    assert league.statuses() == ["declined", "taken-back", "cancelled"]
    assert league.row.called_at is None
    league.desk.now = starts_at - DAY
    at = league.agree(DAY)
    league.desk.now = at
    with pytest.raises(AppointmentBegun):
        league.do(appointing.cancel_appointment, a)


def test_a_time_is_agreed_to_the_minute_as_it_was_proposed(league: League) -> None:
    a, b = league.two
    at = (league.desk.now + timedelta(days=1)).replace(second=0, microsecond=0)
    league.do(appointing.propose_times, a, times=[at])
    assert league.accept(b, at + timedelta(seconds=20)).starts_at == at
    with pytest.raises(AlreadyDone):
        league.accept(b, at)


def test_an_agreed_time_stands_until_another_is_accepted(league: League) -> None:
    _a, b = league.two
    starts_at = league.agree(DAY)
    league.propose(b, 3 * DAY)
    assert league.row.called_at == starts_at
    league.accept(league.two[0], league.desk.now + 3 * DAY)
    assert league.statuses() == ["replaced", "agreed"]
    assert league.row.called_at == league.desk.now + 3 * DAY


def test_only_the_two_and_only_matches_over_days(league: League) -> None:
    desk = league.desk
    stranger = next(user for user in league.users.values() if user not in league.two)
    with pytest.raises(NotYourMatch):
        league.propose(stranger, DAY)
    evening = League.__new__(League)
    evening.desk, evening.users = desk, league.users
    desk.announce(a_plan("single-elimination"))
    for user in league.users.values():
        entering.enter_own_player(tournament_id=desk.pk, user=user, now=desk.now)
    desk.do(drawing.publish)
    evening.key = next(iter(desk.pairs()))
    with pytest.raises(NotByAppointment):
        evening.propose(evening.two[0], DAY)


# -- what time does


def test_both_are_reminded_a_day_and_two_hours_before_once_each(league: League) -> None:
    a, b = league.two
    starts_at = league.agree(3 * DAY)
    before = {user: len(notes(user)) for user in (a, b)}
    for at, told in ((DAY + HOUR, 0), (DAY, 1), (DAY - HOUR, 1), (2 * HOUR, 2), (HOUR, 2), (-HOUR, 2)):
        for _ in range(2):
            appointing.sweep(starts_at - at)
        assert {user: len(notes(user)) - had for user, had in before.items()} == {a: told, b: told}, at


def test_a_sweep_that_comes_after_the_time_reminds_nobody(league: League) -> None:
    starts_at = league.agree(3 * DAY)
    had = len(notes(league.two[0]))
    appointing.sweep(starts_at + HOUR)
    assert len(notes(league.two[0])) == had
    assert not Appointment.objects.filter(remind_at__isnull=False).exists()


def test_nobody_comes_to_the_table_before_the_hour_or_the_last_day(league: League) -> None:
    row = league.row
    assert row.a
    assert row.deadline_at
    a = league.two[0]

    def come(at: datetime) -> None:
        incidents.record_arrival(
            tournament_id=league.desk.pk, key=league.key, entry=row.a.number, by=a, now=at
        )  # type: ignore[union-attr]

    with pytest.raises(TooEarlyToCome):
        come(league.desk.now)
    starts_at = league.agree(2 * DAY)
    with pytest.raises(TooEarlyToCome):
        come(starts_at - HOUR - timedelta(minutes=1))
    come(starts_at - HOUR)
    assert league.row.a_here_at == starts_at - HOUR


@pytest.mark.long
def test_the_pages_of_a_player_offer_to_come_only_near_the_hour(league: League, client: Browser) -> None:
    """The button appears an hour before the agreed time, not on the season's first day."""
    desk, row = league.desk, league.row
    assert row.a

    def is_offered(at: datetime) -> bool:
        view = event_view.load_view(desk.fresh(), with_drafts=True)
        return next(
            each.says_here
            for each in viewer_part.load_viewer_part(view, row.a, now=at).meetings
            if each.key == league.key
        )

    assert not is_offered(desk.now)
    client.force_login(league.two[0])
    for page in (url("event", desk.event.key), url("careers:me")):
        assert "I am at the table" not in text(client.get(page))
    starts_at = league.agree(2 * DAY)
    assert not is_offered(starts_at - HOUR - timedelta(minutes=1))
    assert is_offered(starts_at - HOUR)


def test_lateness_runs_from_the_agreed_time_and_not_from_the_season_s_start(desk: Desk) -> None:
    league = League(desk, lateness=((5, 1), (15, None)), no_show_minutes=20, reporting="both")
    assert deadlines.sweep(desk.now + DAY) == 0
    starts_at = league.agree(2 * DAY)
    row = league.row
    incidents.record_arrival(
        tournament_id=desk.pk, key=league.key, entry=row.a.number, by=league.two[0], now=starts_at - HOUR
    )
    deadlines.sweep(starts_at + timedelta(minutes=4))
    assert league.row.b_late == 0
    deadlines.sweep(starts_at + timedelta(minutes=6))
    assert league.row.b_late == 1
    deadlines.sweep(starts_at + timedelta(minutes=16))
    assert (league.row.kind, league.row.winner) == ("forfeit", row.a)
    assert league.statuses() == ["over"]


def test_a_pause_does_not_move_the_agreed_time(league: League) -> None:
    starts_at = league.agree(3 * DAY)
    league.desk.do(event_control.pause_event)
    league.desk.now += DAY
    league.desk.do(event_control.resume_event)
    assert league.row.called_at == starts_at


def test_a_time_that_passed_while_the_event_was_paused_is_to_be_agreed_again(desk: Desk) -> None:
    league = League(desk, no_show_minutes=20, no_show_policy="double")
    league.agree(2 * HOUR)
    desk.do(event_control.pause_event)
    desk.now += DAY
    desk.do(event_control.resume_event)
    deadlines.sweep(desk.now + HOUR)
    assert (league.row.kind, league.row.called_at, league.statuses()) == ("", None, ["over"])
    starts_at = league.agree(DAY)
    assert (league.row.called_at, league.statuses()) == (starts_at, ["over", "agreed"])


@pytest.mark.parametrize("way", ["at once", "undo"])
def test_what_is_taken_back_leaves_the_agreed_time(league: League, way: str) -> None:
    desk, starts_at = league.desk, league.agree(3 * DAY)
    if way == "at once":
        desk.play(league.key)
    else:
        desk.do(departures.withdraw_entry, entry=league.row.a.number)
    assert league.statuses() == ["over"]
    ruling = desk.ruling().pk
    desk.now += timedelta(seconds=10)
    if way == "at once":
        desk.do(corrections.undo_result, ruling_id=ruling)
    else:
        desk.do(corrections.undo_act, ruling_id=ruling, reason="It was another player")
    assert (league.row.state, league.row.called_at, league.statuses()) == ("ready", starts_at, ["agreed"])
    assert Appointment.objects.get().remind_at == starts_at - DAY


# -- what closes


def test_a_result_a_report_a_withdrawal_and_a_void_close_what_is_open(league: League) -> None:
    a, b = league.two
    league.propose(a, DAY)
    league.do(results.report_result, a, score=(5, 0))
    assert league.statuses() == ["over"]
    league.do(results.confirm_report, b, score=(5, 0))
    with pytest.raises(ResultStands):
        league.propose(a, DAY)
    league.desk.do(corrections.correct_result, key=league.key, kind="", reason="Misread")
    league.propose(a, DAY)
    league.desk.do(incidents.void_match, key=league.key, reason="No board")
    assert league.statuses() == ["over", "over"]


def test_withdrawal_and_a_substitute_close_what_is_agreed(league: League) -> None:
    league.agree(DAY)
    row = league.row
    league.desk.do(arrivals.substitute_player, entry=row.a.number, name="Gus", reason="Ill")
    assert league.statuses() == ["over"]
    assert league.row.called_at is None

    other = League.__new__(League)
    other.desk, other.users = league.desk, league.users
    other.key = next(
        each.key for each in league.desk.open() if {each.a.player_id, each.b.player_id} <= set(league.users)
    )
    other.agree(DAY)
    league.desk.do(departures.withdraw_entry, entry=other.row.b.number)
    assert other.statuses() == ["over"]


# -- what is seen


def test_the_director_sees_who_is_silent_since_when_and_rulings_name_it(league: League) -> None:
    row = league.row
    assert row.a
    assert row.b

    def since() -> str:
        return local_times.format_zoned_moment(league.desk.now, league.desk.club.time_zone)

    line = league.line()
    assert (line.state, line.text) == ("silent", f"Neither has proposed a time since {since()}.")

    league.desk.now += DAY
    league.propose(league.two[0], DAY)
    line = league.line()
    one, other = (side.player.name for side in (row.a, row.b))
    said = f"{one} has proposed times; {other} has not answered since {since()}."
    assert (line.state, line.text) == ("proposed", said)

    league.desk.do(incidents.record_forfeit, key=league.key, loser=row.b.number)
    data = Ruling.objects.get(tournament=league.desk.event, act="FORFEIT").data
    assert (data["silent"], data["since"]) == ([row.b.number], league.desk.now.isoformat())
    page = Browser(league.desk.director)
    assert "no answer since" in text(page.get(url("rulings", league.desk.event.key)))


def test_the_director_sees_what_both_have_written(league: League) -> None:
    a, b = league.two
    one, other = a.player.name, b.player.name
    league.propose(a, DAY, words="After work?")
    league.do(appointing.decline_proposal, b, words="On tour")
    league.agree(2 * DAY)
    league.do(appointing.cancel_appointment, b, words="Ill")

    assert league.line().words == (f"{one}: After work?", f"{other}: On tour", f"{other}: Ill")


def test_the_clock_s_ruling_names_who_was_silent(desk: Desk) -> None:
    league = League(desk, reporting="both")
    stage = desk.event.stages.get()
    stage.deadline_policy = "double"
    stage.save()
    league.propose(league.two[0], DAY)
    row = league.row
    assert row.deadline_at
    deadlines.sweep(row.deadline_at + HOUR)
    data = Ruling.objects.get(tournament=desk.event, act="DOUBLE_FORFEIT", data__key=league.key).data
    assert data["silent"] == [row.b.number]


@pytest.mark.long
def test_pages_calendar_export_and_who_may_see_it(league: League, client: Browser) -> None:
    key, (a, b) = league.desk.event.key, league.two
    league.propose(a, DAY, words="Bring your board")
    client.force_login(b)
    page = text(client.get(url("event", key)))
    assert "Bring your board" in page
    assert text(client.get(url("careers:me"))).count("Answer the proposed times") == 1
    calendar = url("appointment_calendar", key, league.key)
    assert client.get(calendar).status_code == 404
    league.accept(b, league.desk.now + DAY)
    answer = client.get(calendar).content.decode()
    assert answer.count("BEGIN:VEVENT") == 1
    assert f"{league.desk.now + DAY:%Y%m%dT%H%M%SZ}" in answer
    assert [one["words"] for one in appointments.export_appointments(a.player)] == ["Bring your board"]
    assert "words" not in appointments.export_appointments(b.player)[0]

    stranger = next(user for user in league.users.values() if user not in league.two)
    client.force_login(stranger)
    assert client.get(calendar).status_code == 404
    assert "Bring your board" not in text(client.get(url("event", key)))
    assert client.get(url("appointments", key)).status_code == 403
    client.force_login(league.desk.director)
    assert "Bring your board" in text(client.get(url("appointments", key)))
    appointing.erase_texts(a.player)
    assert not Appointment.objects.exclude(words="").exists()


def test_only_the_next_of_several_open_matches_shows_the_form_for_times(
    league: League, client: Browser
) -> None:
    client.force_login(league.two[0])
    page = text(client.get(url("event", league.desk.event.key)))

    assert page.count('<details class="mine__arrange"') == 3
    assert page.count('<details class="mine__arrange" open>') == 1
    assert page.index('<details class="mine__arrange" open>') < page.index("Another match")
    assert page.count("Another match") == 2


def test_a_form_that_answers_an_older_page_does_nothing(league: League, client: Browser) -> None:
    a, b = league.two
    league.propose(a, DAY)
    client.force_login(b)
    old = {"match": league.key, "expects": '{"a":1,"b":2,"players":[],"appointments":[]}', "words": "On tour"}
    answer = client.post(url("decline_times", league.desk.event.key), old)
    assert league.statuses() == ["proposed"]
    assert (answer.status_code, answer.text.count('value="On tour"')) == (409, 1)

    league.accept(b, league.desk.now + DAY)
    answer = client.post(url("cancel_appointment", league.desk.event.key), old)
    assert league.statuses() == ["agreed"]
    assert (answer.status_code, answer.text.count('value="On tour"')) == (409, 1)


@pytest.mark.parametrize("time", ["", "soon", "2026-02-30T10:00:00+00:00", "0001-01-01T00:00:00+14:00"])
def test_a_time_that_the_page_did_not_offer_is_refused(league: League, client: Browser, time: str) -> None:
    a, b = league.two
    league.propose(a, DAY)
    client.force_login(b)
    page = client.get(url("event", league.desk.event.key)).content.decode()
    form = page[page.index(url("accept_time", league.desk.event.key)) :]
    expects = unescape(re.findall(r'name="expects" value="([^"]*)"', form)[0])

    said = {"match": league.key, "expects": expects, "time": time}
    answer = client.post(url("accept_time", league.desk.event.key), said, follow=True)

    assert "This time is not proposed any more." in text(answer)
    assert league.statuses() == ["proposed"]


def test_a_report_of_a_league_becomes_final_on_a_day(desk: Desk, client: Browser) -> None:
    league = League(desk, confirm_minutes=48 * 60)
    a, _b = league.two
    league.do(results.report_result, a, score=(5, 2))
    client.force_login(a)

    page = text(client.get(url("event", desk.event.key)))

    final_at, zone = desk.now + 2 * DAY, desk.club.time_zone
    assert f">{local_times.format_moment(final_at, zone)}</time>." in page
    assert f">{local_times.format_moment(desk.now, zone)}</time>" in page
    assert "Propose times" not in page[: page.index("Another match")]


def test_a_form_comes_back_with_what_was_typed_and_asks_about_the_deadline(
    league: League, client: Browser
) -> None:
    a, _b = league.two
    client.force_login(a)
    late = f"{league.desk.now + 8 * DAY:%Y-%m-%dT%H:%M}"
    path, said = (
        url("propose_times", league.desk.event.key),
        {"match": league.key, "time0": late, "place": "Bar"},
    )
    answer = client.post(path, said)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert late in page
    assert 'value="Bar"' in page
    assert 'name="late"' in page
    assert client.post(path, {**said, "late": "yes"}).status_code == 302
    assert league.statuses() == ["proposed"]
    assert client.post(path, {**said, "time0": "soon"}).status_code == 422


def test_what_programs_are_told(league: League, client: Browser) -> None:
    a, b = league.two
    league.propose(a, DAY)
    client.force_login(b)
    told = client.get("/api/v1/me/matches/").json()["matches"]
    mine = next(one for one in told if one["match"] == league.key)
    assert mine["step"] == "agree"
    assert mine["appointment"]["by_me"] is False
    assert len(mine["appointment"]["times"]) == 1


# -- at once


@pytest.fixture
def open_league(transactional_db: None, now: datetime, monkeypatch: pytest.MonkeyPatch) -> League:
    monkeypatch.undo()
    return League(Desk(now))


@pytest.mark.long
def test_two_acceptances_and_a_proposal_at_once_leave_one_answer(open_league: League) -> None:
    league = open_league
    a, b = league.two
    league.propose(a, DAY, 2 * DAY)
    told = together(
        [
            lambda: league.accept(b, league.desk.now + DAY),
            lambda: league.accept(b, league.desk.now + 2 * DAY),
            lambda: league.propose(a, 3 * DAY),
        ]
    )
    agreed = Appointment.objects.filter(pairing=league.row, status=AppointmentStatus.AGREED)
    assert told["done"] + told["nothing_proposed"] == 3
    assert agreed.count() <= 1
    assert league.row.called_at == (agreed.get().starts_at if agreed else None)


@pytest.mark.services
def test_without_the_guards_a_time_is_accepted_that_was_taken_away(
    open_league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite's writers stand in line anyway")
    league = open_league
    a, b = league.two
    league.propose(a, DAY)
    read = threading.Barrier(2)

    def late(one: Appointment, status: AppointmentStatus, *, by: Any, now: datetime, **more: Any) -> None:
        read.wait(60)
        Appointment.objects.filter(pk=one.pk).update(
            status=status.value, answered_by=by, answered_at=now, **more
        )
        one.status = status.value

    monkeypatch.setattr(appointing, "_set_status", late)
    monkeypatch.setattr(
        changes, "lock_event", lambda pk: Tournament.objects.select_related("club").get(pk=pk)
    )
    told = together(
        [
            lambda: league.do(appointing.decline_proposal, b),
            lambda: league.do(appointing.withdraw_proposal, a),
        ]
    )
    assert told == {"done": 2}


@pytest.mark.services
def test_with_the_guards_one_of_the_two_is_told(open_league: League) -> None:
    league = open_league
    a, b = league.two
    league.propose(a, DAY)
    told = together(
        [
            lambda: league.do(appointing.decline_proposal, b),
            lambda: league.do(appointing.withdraw_proposal, a),
        ]
    )
    assert told == {"done": 1, "nothing_proposed": 1}


@pytest.mark.long
def test_the_database_holds_together(league: League) -> None:
    league.agree(DAY)
    call_command("verify")


def test_a_proposal_has_one_answer_even_without_the_lock(league: League) -> None:
    a, b = league.two
    one = league.propose(a, DAY)
    league.accept(b, league.desk.now + DAY)
    row = league.row
    assert row.b

    with pytest.raises(NothingProposed):
        appointing._set_status(one, AppointmentStatus.DECLINED, by=row.b, now=league.desk.now)
    assert Appointment.objects.get(pk=one.pk).status == AppointmentStatus.AGREED


def test_a_report_in_a_league_is_sent_to_the_opponent_who_may_not_look_for_days(league: League) -> None:
    a, b = league.two
    score = (league.row.length, 2)
    results.report_result(
        tournament_id=league.desk.pk, key=league.key, user=a, score=score, now=league.desk.now
    )
    told = Notice.objects.filter(dedupe_key__startswith="report.")
    assert [(each.user, each.text) for each in told] == [
        (
            b,
            f"{a.player.name} reported the result of your match in Thursday. It counts from "
            f"{local_times.format_zoned_moment(league.desk.now + 2 * DAY, league.desk.club.time_zone)} "
            "unless you dispute it.",
        )
    ]


def test_a_report_that_waits_for_its_confirmation_says_so(desk: Desk) -> None:
    league = League(desk, confirm_minutes=None)
    a, b = league.two
    results.report_result(
        tournament_id=desk.pk, key=league.key, user=a, score=(league.row.length, 2), now=desk.now
    )
    (told,) = Notice.objects.filter(user=b, dedupe_key__startswith="report.")
    assert told.text == f"{a.player.name} reported the result of your match in Thursday: please confirm it."
