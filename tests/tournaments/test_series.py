"""Series: evenings by the club's clock, each announced once, like their model; changed, paused and skipped."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from django.db import IntegrityError, connections, transaction
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from fixtures import series
from fixtures import series_pages as selectors
from fixtures.rhythm import WEEK, Rhythm
from fixtures.series import SeriesTerms
from money.models import EventMoney
from money.terms import terms as money_terms
from players.keys import new_key
from rankings.seasons import season_events, seasons
from runtime.work import sweeps
from tests.tournaments.desk import a_plan
from tournaments.base import series_words
from tournaments.base.errors import (
    AlreadyDone,
    BadSeries,
    ChangedMeanwhile,
    EveningAnnounced,
    NoModel,
    NoSuchEvening,
    NotDirector,
)
from tournaments.base.settings import Settings
from tournaments.models import Ruling, RulingKind, Series, SeriesDay, Stage, Tournament
from tournaments.plan import planning, setup
from tournaments.status import Status
from venue.models import CallMode, EventRoom
from venue.rooms import modes, rooms

if TYPE_CHECKING:
    from django.test import Client

    from players.models import Club, User

TUESDAY = 1
# Clocks go back on Sunday, 25 October.
BERLIN = "Europe/Berlin"
NOW = datetime(2026, 10, 14, 10, tzinfo=UTC)
ZONES = (
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Africa/Casablanca",
    "Asia/Kolkata",
    "UTC",
)


# On which days, by the clock on the wall


rhythms = st.builds(
    Rhythm,
    weekday=st.integers(0, 6),
    at=st.times(timezones=st.none()).map(lambda at: at.replace(second=0, microsecond=0, fold=0)),
    zone=st.sampled_from(ZONES),
    days_before=st.integers(1, 60),
)
moments = st.datetimes(datetime(2020, 1, 1), datetime(2036, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


@pytest.mark.long
@given(rhythms, moments)
def test_every_evening_is_that_weekday_and_that_hour_by_the_clock_on_the_wall(
    how: Rhythm, now: datetime
) -> None:
    days = list(islice(how.days(now), 60))
    zone = ZoneInfo(how.zone)
    assert {day.weekday() for day in days} == {how.weekday}
    assert {after - day for day, after in pairwise(days)} == {WEEK}
    assert now < how.start(days[0])
    assert how.start(days[0] - WEEK) <= now
    for day in days:
        shown = how.start(day).astimezone(zone)
        wall = datetime.combine(day, how.at)
        # Where the change to summer time skips the hour there is no such moment; an hour or less later there is.
        skipped = wall.replace(tzinfo=zone).astimezone(UTC).astimezone(zone).replace(tzinfo=None) != wall
        late = shown.replace(tzinfo=None) - wall
        assert late == timedelta() if not skipped else timedelta() < late <= timedelta(hours=1)


@given(rhythms, moments)
def test_an_evening_is_announced_so_many_days_before_at_the_same_hour(how: Rhythm, now: datetime) -> None:
    day = next(how.days(now))
    told = how.announced(day)
    assert told == how.start(day - timedelta(days=how.days_before))
    # Hours that the clocks are put forward or back lie between at most.
    hours = how.start(day) - told - timedelta(days=how.days_before)
    assert abs(hours) <= timedelta(hours=2)
    assert told < how.start(day)


@given(rhythms, moments, st.integers(0, 400), st.sets(st.integers(0, 20)))
def test_a_last_day_and_skipped_days_take_evenings_away_and_change_no_other(
    how: Rhythm, now: datetime, within: int, skipped: set[int]
) -> None:
    whole = list(islice(how.days(now), 60))
    until = now.date() + timedelta(days=within)
    ends = Rhythm(weekday=how.weekday, at=how.at, zone=how.zone, days_before=how.days_before, until=until)
    without = {whole[at] for at in skipped}
    assert list(ends.days(now, without=without)) == [
        day for day in whole if day <= until and day not in without
    ]
    assert all(ends.has(day, now) == (day <= until) for day in whole)


def test_half_past_seven_stays_half_past_seven_when_summer_time_ends_and_begins() -> None:
    how = Rhythm(weekday=TUESDAY, at=time(19, 30), zone=BERLIN, days_before=6)
    assert how.start(date(2026, 10, 20)) == datetime(2026, 10, 20, 17, 30, tzinfo=UTC)
    assert how.start(date(2026, 10, 27)) == datetime(2026, 10, 27, 18, 30, tzinfo=UTC)
    assert how.announced(date(2026, 10, 27)) == datetime(2026, 10, 21, 17, 30, tzinfo=UTC)
    assert how.start(date(2027, 3, 30)) == datetime(2027, 3, 30, 17, 30, tzinfo=UTC)


def test_months_and_years_end_between_two_evenings() -> None:
    how = Rhythm(weekday=3, at=time(19), zone=BERLIN, days_before=31)
    found = list(islice(how.days(datetime(2027, 12, 20, tzinfo=UTC)), 11))
    assert found[0] == date(2027, 12, 23)
    assert found[9:] == [date(2028, 2, 24), date(2028, 3, 2)]
    assert how.announced(date(2028, 3, 2)).date() == date(2028, 1, 31)


def test_an_hour_that_is_skipped_is_an_hour_later_and_one_that_comes_twice_is_the_first() -> None:
    how = Rhythm(weekday=6, at=time(2, 30), zone=BERLIN, days_before=1)
    assert how.start(date(2026, 3, 29)) == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
    assert how.start(date(2026, 10, 25)) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


# Announced


@pytest.fixture
def model(club: Club, greta: User) -> Tournament:
    """A Tuesday night of the past, with a room, fees and a side pool."""
    start = datetime(2026, 10, 6, 17, 30, tzinfo=UTC)
    made = start - timedelta(days=9)
    settings = Settings(entries_close_at=start - timedelta(hours=1), needs_check_in=True)
    event = setup.announce(
        club=club,
        by=greta,
        key=new_key(),
        details=setup.Details(
            name="Tuesday night", starts_at=start, place="Back room", match_length=7, capacity=24
        ),
        plan=replace(a_plan("progressive-consolation", settings), match_length=7),
        now=made,
    )
    room = rooms.open_room(club=club, by=greta, name="Room", labels="1-6", now=made)
    modes.play_in(event=event, room=room, mode=CallMode.AUTOMATIC, by=greta, now=made)
    agreed = money_terms.MoneyTerms("EUR", fee=1000, prizes={"main": ["60", "40"]})
    money_terms.agree(tournament_id=event.pk, terms=agreed, by=greta, now=made)
    money_terms.open_pool(tournament_id=event.pk, terms=money_terms.PoolTerms("Bar", 500), by=greta, now=made)
    return event


def said(**other: Any) -> SeriesTerms:
    usual: dict[str, Any] = {
        "name": "Tuesday night",
        "weekday": TUESDAY,
        "at": time(19, 30),
        "days_before": 6,
    }
    return SeriesTerms(**{**usual, **other})


@pytest.fixture
def tuesdays(club: Club, greta: User, model: Tournament) -> Series:
    """A series from Wednesday, 14 October on; the Tuesday after is announced at half past seven."""
    return series.begin(club=club, by=greta, key=new_key(), terms=said(), now=NOW)


def made(row: Series) -> list[Tournament]:
    return list(Tournament.objects.filter(series_day__series=row).order_by("starts_at"))


def test_the_next_evening_is_announced_at_its_moment_and_once(tuesdays: Series) -> None:
    due = datetime(2026, 10, 14, 17, 30, tzinfo=UTC)
    assert tuesdays.due_at == due
    assert series.sweep(due - timedelta(seconds=1)) == 0
    assert series.sweep(due) == 1
    assert series.sweep(due + timedelta(seconds=1)) == 0
    [event] = made(tuesdays)
    assert (event.name, event.status) == ("Tuesday night", Status.PUBLISHED)
    assert event.starts_at == datetime(2026, 10, 20, 17, 30, tzinfo=UTC)
    tuesdays.refresh_from_db()
    assert tuesdays.due_at == due + WEEK


def test_it_is_like_its_model_in_options_room_and_money(tuesdays: Series, model: Tournament) -> None:
    assert tuesdays.due_at is not None
    series.sweep(tuesdays.due_at)
    [event] = made(tuesdays)
    later = event.starts_at - model.starts_at
    plan = planning.plan_of(model)
    assert plan is not None
    assert planning.plan_of(event) == planning.postponed(plan, later)
    assert event.entries_close_at == event.starts_at - timedelta(hours=1)
    assert (event.place, event.match_length, event.capacity) == ("Back room", 7, 24)
    [used] = EventRoom.objects.filter(event=event)
    assert (used.room.name, used.mode, event.waits_for_call) == ("Room", CallMode.AUTOMATIC, True)
    money = EventMoney.objects.get(event=event)
    assert (money.fee, money.prizes) == (1000, {"main": ["60", "40"]})
    assert [pool.name for pool in money.pools.all()] == ["Bar"]
    assert not money.lines.exists()
    assert not event.entries.exists()


def test_it_counts_in_the_season_of_its_model(tuesdays: Series, club: Club, greta: User) -> None:
    terms = seasons.SeasonTerms("Autumn", date(2026, 10, 1), date(2026, 12, 31), "Tuesday")
    season = seasons.open_season(club=club, by=greta, terms=terms, now=NOW)
    assert tuesdays.due_at is not None
    series.sweep(tuesdays.due_at)
    [event] = made(tuesdays)
    Tournament.objects.filter(pk=event.pk).update(
        status=Status.FINISHED, started_at=event.starts_at, finished_at=event.starts_at
    )
    assert [*season_events.events(season)] == [event]


def test_the_log_says_that_no_director_did_it(tuesdays: Series) -> None:
    assert tuesdays.due_at is not None
    series.sweep(tuesdays.due_at)
    [ruling] = Ruling.objects.filter(tournament=made(tuesdays)[0])
    assert (ruling.act, ruling.by) == (RulingKind.ANNOUNCED, None)


def test_without_a_chosen_model_it_is_like_the_last_time(
    tuesdays: Series, club: Club, greta: User, model: Tournament
) -> None:
    again = setup.clone(tournament_id=model.pk, by=greta, key=new_key(), now=model.starts_at)
    setup.publish(tournament_id=again.pk, by=greta, now=model.starts_at)
    Tournament.objects.filter(pk=again.pk).update(match_length=9)
    assert tuesdays.due_at is not None
    series.sweep(tuesdays.due_at)
    assert made(tuesdays)[0].match_length == 9


def test_what_is_far_ahead_is_announced_week_by_week_until_nothing_is_due(
    club: Club, greta: User, model: Tournament
) -> None:
    row = series.begin(club=club, by=greta, key=new_key(), terms=said(days_before=28), now=NOW)
    while series.sweep(NOW):
        pass
    assert [event.starts_at.date() for event in made(row)] == [
        date(2026, 10, 20) + week * WEEK for week in range(4)
    ]


def test_an_evening_that_passed_while_nobody_ran_is_not_announced_afterwards(tuesdays: Series) -> None:
    series.sweep(datetime(2026, 10, 20, 17, 31, tzinfo=UTC))
    assert made(tuesdays) == []
    tuesdays.refresh_from_db()
    assert tuesdays.due_at == datetime(2026, 10, 21, 17, 30, tzinfo=UTC)


def test_it_ends_with_its_last_day(club: Club, greta: User, model: Tournament) -> None:
    row = series.begin(club=club, by=greta, key=new_key(), terms=said(until=date(2026, 10, 27)), now=NOW)
    for day in range(60):
        series.sweep(NOW + timedelta(days=day))
    assert [event.starts_at.date() for event in made(row)] == [date(2026, 10, 20), date(2026, 10, 27)]
    row.refresh_from_db()
    assert row.due_at is None


def test_another_time_zone_of_the_club_is_another_hour(tuesdays: Series, club: Club) -> None:
    type(club).objects.filter(pk=club.pk).update(time_zone="America/New_York")
    due = tuesdays.due_at
    assert due is not None
    series.sweep(due)
    assert made(tuesdays) == []
    series.sweep(due + timedelta(hours=6))
    assert made(tuesdays)[0].starts_at == datetime(2026, 10, 20, 23, 30, tzinfo=UTC)


def test_an_evening_that_a_director_has_made_already_is_taken_and_not_made_twice(
    tuesdays: Series, club: Club, greta: User
) -> None:
    start = datetime(2026, 10, 20, 17, 30, tzinfo=UTC)
    mine = setup.draft(
        club=club,
        by=greta,
        key=new_key(),
        details=setup.Details(name="Tuesday night", starts_at=start),
        now=NOW,
    )
    assert tuesdays.due_at is not None
    series.sweep(tuesdays.due_at)
    [event] = made(tuesdays)
    assert (event.pk, event.status) == (mine.pk, Status.PUBLISHED)
    assert Tournament.objects.filter(starts_at=start).count() == 1


def test_what_cannot_be_announced_pauses_the_series_and_says_why(
    tuesdays: Series, model: Tournament, club: Club, greta: User
) -> None:
    other = series.begin(
        club=club, by=greta, key=new_key(), terms=said(name="Other", like=model.key), now=NOW
    )
    Stage.objects.filter(tournament=model).delete()
    assert tuesdays.due_at is not None
    assert series.sweep(tuesdays.due_at) == 2
    tuesdays.refresh_from_db()
    assert tuesdays.trouble == NoModel.code
    assert Series.objects.filter(pk=tuesdays.pk, due_at__isnull=True, paused_at__isnull=False).exists()
    assert selectors.view(tuesdays, now=NOW).trouble == NoModel.sentence
    assert not SeriesDay.objects.filter(series=tuesdays).exists()
    # The one that names its model has nothing to do with it.
    assert len(made(other)) == 1
    assert series.sweep(tuesdays.created_at + timedelta(days=3)) == 0


# By five workers, and by one that dies


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_held", [False, True])
def test_five_workers_announce_an_evening_once(
    club: Club, greta: User, model: Tournament, monkeypatch: pytest.MonkeyPatch, is_held: bool
) -> None:
    row = series.begin(club=club, by=greta, key=new_key(), terms=said(), now=NOW)
    due = row.due_at
    assert due is not None
    gate, problems = threading.Barrier(5), list[BaseException]()
    if not is_held:
        # Without the lock the constraint alone is left: it lets one through, and the others' work is undone.
        monkeypatch.setattr(
            series, "_hold", lambda pk: Series.objects.select_related("club").filter(pk=pk).first()
        )

    def work() -> None:
        try:
            gate.wait(60)
            series.sweep(due)
        except Exception as problem:
            problems.append(problem)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert {type(problem) for problem in problems} <= (set() if is_held else {IntegrityError})
    assert len(made(row)) == 1
    assert Tournament.objects.filter(name="Tuesday night").count() == 2


def test_a_worker_that_dies_before_the_end_leaves_nothing_and_the_next_one_does_it(
    tuesdays: Series, monkeypatch: pytest.MonkeyPatch
) -> None:
    class KilledError(BaseException):
        pass

    def die(*_: object, **__: object) -> None:
        raise KilledError

    due = tuesdays.due_at
    assert due is not None
    with monkeypatch.context() as patched:
        patched.setattr(series, "_keep", die)
        with pytest.raises(KilledError), transaction.atomic():
            series.sweep(due)
    assert made(tuesdays) == []
    assert not SeriesDay.objects.exists()
    series.sweep(due)
    assert len(made(tuesdays)) == 1


def test_the_database_knows_one_event_of_a_series_and_day(tuesdays: Series) -> None:
    SeriesDay.objects.create(series=tuesdays, day=date(2026, 10, 20))
    with pytest.raises(IntegrityError), transaction.atomic():
        SeriesDay.objects.create(series=tuesdays, day=date(2026, 10, 20))


def test_the_sweep_sleeps_until_something_is_due(tuesdays: Series) -> None:
    [sweep] = [each for each in sweeps.registered() if each.name == "tournaments.series"]
    assert tuesdays.due_at is not None
    assert sweeps.with_work([sweep], now=tuesdays.due_at - timedelta(seconds=1)) == set()
    assert sweeps.with_work([sweep], now=tuesdays.due_at) == {sweep.name}


# Changed, paused, skipped


def test_a_skipped_day_has_no_event_and_can_come_back(tuesdays: Series, greta: User) -> None:
    day = date(2026, 10, 20)
    after = series.skip(series=tuesdays, day=day, by=greta, now=NOW)
    assert after.due_at == datetime(2026, 10, 21, 17, 30, tzinfo=UTC)
    with pytest.raises(AlreadyDone):
        series.skip(series=tuesdays, day=day, by=greta, now=NOW)
    assert series.unskip(series=tuesdays, day=day, by=greta, now=NOW).due_at == tuesdays.due_at
    with pytest.raises(AlreadyDone):
        series.unskip(series=tuesdays, day=day, by=greta, now=NOW)


@pytest.mark.parametrize("day", [date(2026, 10, 21), date(2026, 10, 13)])
def test_only_an_evening_to_come_is_skipped(tuesdays: Series, greta: User, day: date) -> None:
    with pytest.raises(NoSuchEvening):
        series.skip(series=tuesdays, day=day, by=greta, now=NOW)


def test_an_announced_evening_is_not_skipped(tuesdays: Series, greta: User) -> None:
    due = tuesdays.due_at
    assert due is not None
    series.sweep(due)
    with pytest.raises(EveningAnnounced):
        series.skip(series=tuesdays, day=date(2026, 10, 20), by=greta, now=due)


def test_paused_nothing_is_announced_and_what_passed_meanwhile_never_is(
    tuesdays: Series, greta: User
) -> None:
    series.pause(series=tuesdays, by=greta, now=NOW)
    with pytest.raises(AlreadyDone):
        series.pause(series=tuesdays, by=greta, now=NOW)
    assert series.sweep(NOW + 3 * WEEK) == 0
    later = NOW + WEEK
    after = series.go_on(series=tuesdays, by=greta, now=later)
    assert after.due_at == datetime(2026, 10, 21, 17, 30, tzinfo=UTC)


def test_who_changes_what_somebody_else_has_changed_is_told(tuesdays: Series, greta: User) -> None:
    after = series.amend(series=tuesdays, by=greta, terms=said(weekday=3), seen=tuesdays.version, now=NOW)
    assert after.due_at == datetime(2026, 10, 9, 17, 30, tzinfo=UTC)
    with pytest.raises(ChangedMeanwhile):
        series.amend(series=tuesdays, by=greta, terms=said(), seen=tuesdays.version, now=NOW)


@pytest.mark.parametrize(
    "wrong", [{"days_before": 0}, {"days_before": 61}, {"weekday": 7}, {"until": date(2026, 10, 19)}]
)
def test_a_series_without_an_evening_is_refused(
    club: Club, greta: User, model: Tournament, wrong: dict[str, Any]
) -> None:
    with pytest.raises(BadSeries):
        series.begin(club=club, by=greta, key=new_key(), terms=said(**wrong), now=NOW)


def test_a_series_without_a_model_is_refused(club: Club, greta: User) -> None:
    for like in ("", "nonesuch22"):
        with pytest.raises(NoModel):
            series.begin(club=club, by=greta, key=new_key(), terms=said(like=like), now=NOW)


def test_only_directors_have_series(club: Club, otis: User, tuesdays: Series) -> None:
    with pytest.raises(NotDirector):
        series.begin(club=club, by=otis, key=new_key(), terms=said(), now=NOW)
    for act in (series.pause, series.go_on, series.end):
        with pytest.raises(NotDirector):
            act(series=tuesdays, by=otis, now=NOW)


def test_ended_it_announces_nothing_and_its_events_stay(tuesdays: Series, greta: User) -> None:
    due = tuesdays.due_at
    assert due is not None
    series.sweep(due)
    [event] = made(tuesdays)
    series.end(series=tuesdays, by=greta, now=due)
    assert series.sweep(due + 5 * WEEK) == 0
    event = Tournament.objects.get(pk=event.pk)
    assert series_words.said_of(event) == ""


# Pages


@pytest.fixture
def now_there(client: Client, greta: User, tuesdays: Series) -> Client:
    """Greta at the page, long after: what is to come is what the page reads from the clock."""
    client.force_login(greta, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.mark.long
def test_a_director_sees_skips_pauses_and_changes_on_the_clubs_page(
    now_there: Client, club: Club, tuesdays: Series
) -> None:
    page = reverse("fixtures:series", args=[club.slug])
    shown = now_there.get(page).content.decode()
    assert "Every Tuesday at 19:30" in shown
    assert "is announced on" in shown
    [first, *_] = selectors.evenings(tuesdays, now=datetime.now(UTC))

    def press(act: str, /, **data: object) -> str:
        where = reverse(f"fixtures:{act}_series", args=[club.slug, tuesdays.key])
        return now_there.post(where, data, follow=True).content.decode()

    assert "Skipped: no event" in press("skip", day=first.day.isoformat())
    assert "Skipped: no event" not in press("unskip", day=first.day.isoformat())
    assert "Paused" in press("pause")
    assert "This has been done already." in press("pause")
    assert "The series goes on." in press("resume")
    form = now_there.get(reverse("fixtures:amend_series", args=[club.slug, tuesdays.key])).context["form"]
    tuesdays.refresh_from_db()
    typed = {**form.initial, "weekday": "3", "at": "20:00", "until": "", "like": ""}
    assert "Every Thursday at 20:00" in press("amend", **typed)
    # The same form once more was made from what has changed since.
    again = press("amend", **{**typed, "weekday": "4"})
    assert "Somebody has changed the series meanwhile." in again
    assert "No series yet" in press("end")


def test_a_form_that_is_sent_twice_begins_one(now_there: Client, club: Club, model: Tournament) -> None:
    where = reverse("fixtures:begin_series", args=[club.slug])
    form = now_there.get(where, {"like": model.key}).context["form"]
    assert form.initial["name"] == "Tuesday night"
    assert (form.initial["weekday"], form.initial["at"]) == (TUESDAY, time(19, 30))
    typed = {**form.initial, "name": "Second", "at": "19:30", "days_before": "6", "seen": "0", "until": ""}
    for _ in range(2):
        assert now_there.post(where, typed).status_code == 302
    assert Series.objects.filter(name="Second", like=model).count() == 1
    bad = now_there.post(where, {**typed, "days_before": "0", "key": new_key()})
    assert bad.status_code == 422


def test_the_event_says_that_it_belongs_to_the_series(now_there: Client, tuesdays: Series) -> None:
    assert tuesdays.due_at is not None
    series.sweep(tuesdays.due_at)
    [event] = made(tuesdays)
    shown = now_there.get(event.get_absolute_url()).content.decode()
    assert "Every Tuesday at 19:30" in shown
    now_there.logout()
    shown = now_there.get(event.get_absolute_url()).content.decode()
    assert "Every Tuesday at 19:30" in shown
    assert reverse("fixtures:series", args=[event.club.slug]) not in shown


# Over HTTP


def test_programs_keep_series(
    now_there: Client, club: Club, tuesdays: Series, model: Tournament, otis: User
) -> None:
    def ask(method: str, path: str, data: object = None, status: int = 200) -> Any:
        answer = now_there.generic(
            method,
            f"/api/v1/series/{path}",
            data="" if data is None else json.dumps(data),
            content_type="application/json",
            headers={"Idempotency-Key": new_key()},
        )
        assert answer.status_code == status, answer.content
        return answer.json() if answer.content else None

    asked = {
        "club": club.slug, "name": "Fridays", "weekday": 4, "at": "20:15", "days_before": 3, "like": model.key,
    }  # fmt: skip
    told = ask("POST", "", asked, 201)
    assert (told["at"], told["like"], told["paused"], told["until"]) == ("20:15", model.key, False, None)
    key, day = told["key"], told["evenings"][0]["day"]
    assert ask("POST", f"{key}/skip/", {"day": day})["evenings"][0]["skipped"] is True
    assert ask("POST", f"{key}/skip/", {"day": day}, 409)["code"] == "already_done"
    assert ask("POST", f"{key}/unskip/", {"day": day})["evenings"][0]["skipped"] is False
    paused = ask("POST", f"{key}/pause/")
    assert (paused["paused"], paused["due_at"]) == (True, None)
    seen = ask("POST", f"{key}/resume/")["version"]
    changed = ask("PATCH", f"{key}/", {"seen": seen, "until": "2099-01-01"})
    assert (changed["until"], changed["name"]) == ("2099-01-01", "Fridays")
    assert ask("PATCH", f"{key}/", {"seen": seen, "name": "Other"}, 409)["code"] == "changed_meanwhile"
    for nonsense in ("19:30:15", "24:00", "half past seven", "", None, 7):
        assert ask("PATCH", f"{key}/", {"seen": seen + 1, "at": nonsense}, 400)["code"] == "invalid"
    assert ask("PATCH", f"{key}/", {"seen": seen + 1, "days_before": 99}, 400)["code"] == "invalid"
    for nonsense in ({"name": "Other"}, [], [1], "x", None):
        assert ask("PATCH", f"{key}/", nonsense, 400)["code"] == "invalid"
    assert {row["name"] for row in ask("GET", f"?club={club.slug}")["results"]} == {
        "Fridays",
        "Tuesday night",
    }
    ask("DELETE", f"{key}/", status=204)
    ask("GET", f"{key}/", status=404)
    now_there.force_login(otis, backend="django.contrib.auth.backends.ModelBackend")
    assert ask("GET", "")["results"] == []
    assert ask("POST", "", asked, 403)["code"] == "not_director"
