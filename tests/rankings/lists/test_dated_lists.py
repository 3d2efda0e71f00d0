"""Dated lists: made once for their day, from what was finished by then, and never changed afterwards."""

from __future__ import annotations

import csv
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rest_framework.test import APIClient

from players.accounts import accounts
from players.clubs import clubs, merging
from players.models import Player
from rankings import rate
from rankings import system as a_system
from rankings.errors import NotKeeper
from rankings.ledger import ledger, order, rated_matches
from rankings.lists import dated_lists, list_pages
from rankings.models import (
    DatedCorrection,
    DatedInterval,
    DatedList,
    DatedRating,
    LedgerEntry,
    PlayerRating,
    RatingList,
)
from runtime.models import Failure
from runtime.work import sweeps
from tests.clubs import change_club
from tests.deliveries import deliver
from tests.rankings.ledger.test_ledger import spread
from tests.rankings.rating_lists import open_list
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import Browser, strip_tags
from tournaments.models import Pairing
from tournaments.play import corrections

WEEK, MONTH = DatedInterval.WEEK, DatedInterval.MONTH


@pytest.fixture
def played(desk: Desk) -> list[str]:
    """A round robin of four, all played, each match in a week or two after the one before."""
    desk.start(a_plan("round-robin"), 4)
    keys: list[str] = []
    while rows := desk.open():
        desk.now += timedelta(minutes=1)
        desk.play(rows[0].key)
        keys.append(rows[0].key)
    spread(keys, desk.now)
    return keys


@pytest.fixture
def kept(desk: Desk, played: list[str], now: datetime) -> RatingList:
    """A list that rates them, dated each month, four months later; nothing is published yet."""
    rating_list = open_list(desk, since=now - timedelta(days=1), dated=MONTH)
    deliver(desk.now)
    desk.now += timedelta(days=120)
    return rating_list


def places(dated_list: DatedList) -> list[tuple[int, int, float]]:
    rows = DatedRating.objects.filter(dated_list=dated_list).order_by("place", "player")
    return list(rows.values_list("place", "player", "rating"))


@pytest.mark.parametrize(
    ("day", "each", "next_day"),
    [
        ("2026-11-22", WEEK, "2026-11-23"),
        ("2026-11-23", WEEK, "2026-11-30"),
        ("2026-11-30", MONTH, "2026-12-01"),
        ("2026-12-01", MONTH, "2027-01-01"),
        ("2024-01-31", MONTH, "2024-02-01"),
    ],
)
def test_the_days_of_dated_lists(day: str, each: str, next_day: str) -> None:
    assert dated_lists.find_next_day(date.fromisoformat(day), each) == date.fromisoformat(next_day)


def test_a_day_begins_by_the_clubs_clock(desk: Desk) -> None:
    desk.club.time_zone = "America/New_York"
    desk.club.save()
    rating_list = open_list(desk, dated=WEEK, since=datetime(2026, 3, 2, 3, tzinfo=UTC))
    # It was Sunday there, still.
    assert rating_list.dated_at == datetime(2026, 3, 2, 5, tzinfo=UTC)
    # Summer time began in the meantime.
    assert dated_lists.find_next_time(rating_list, datetime(2026, 3, 9, 12, tzinfo=UTC)) == datetime(
        2026, 3, 16, 4, tzinfo=UTC
    )


def test_a_new_time_zone_moves_the_next_list_to_midnight_of_the_same_day(desk: Desk) -> None:
    rating_list = open_list(desk, dated=WEEK, since=datetime(2026, 3, 1, 12, tzinfo=UTC))
    never = open_list(desk)
    assert rating_list.dated_at == datetime(2026, 3, 2, tzinfo=UTC)
    change_club(desk.club, by=desk.director, time_zone="America/New_York", now=desk.now)
    rating_list.refresh_from_db()
    never.refresh_from_db()
    assert rating_list.dated_at == datetime(2026, 3, 2, 5, tzinfo=UTC)
    assert never.dated_at is None


@pytest.mark.long
def test_after_an_outage_each_missed_day_is_made_from_what_was_finished_by_then(
    desk: Desk, kept: RatingList
) -> None:
    assert sweeps.run("rankings.dated", now=desk.now)
    made = list(DatedList.objects.order_by("at"))
    assert [(each.day.day, each.made_at) for each in made] == [(1, desk.now)] * len(made)
    months = [each.day.month for each in made]
    assert months == list(range(months[0], months[0] + len(months)))
    for each in made:
        finished = set(
            rated_matches.list_entries(kept).filter(at__lt=each.at).values_list("match", flat=True)
        )
        assert sum(DatedRating.objects.filter(dated_list=each).values_list("matches", flat=True)) == 2 * len(
            finished
        )
    assert len({tuple(places(each)) for each in made}) >= 3
    kept.refresh_from_db()
    assert kept.dated_at > desk.now
    # Nothing is due now.
    assert not sweeps.run("rankings.dated", now=desk.now + timedelta(hours=1))


@pytest.mark.long
@pytest.mark.parametrize("system", ["fibs", "elo", "glicko2"])
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(days=st.lists(st.integers(0, 60), min_size=6, max_size=6), cut=st.integers(1, 62))
def test_a_dated_list_equals_the_ledger_at_its_day(
    played: list[str], desk: Desk, system: str, days: list[int], cut: int
) -> None:
    for key, day in zip(played, days, strict=True):
        Pairing.objects.filter(key=key).update(decided_at=desk.now + timedelta(days=day))
    rating_list = open_list(desk, system, since=desk.now - timedelta(days=1))
    ledger.rebuild(list_id=rating_list.pk, now=desk.now)
    at = desk.now + timedelta(days=cut) - timedelta(hours=1)
    finished = [each.outcome for each in rated_matches.list_matches(rating_list) if each.at < at]
    due = rate(a_system(system), finished)
    found = dated_lists.compute_placed_players(
        rating_list, at, least=order.get_provisional_limit(rating_list, at)
    )
    assert {str(each.player_id): each.rating for each in found} == {
        name: standing.rating for name, standing in due.players.items()
    }
    assert sum(each.matches for each in found) == 2 * len(finished)
    RatingList.objects.all().delete()


@pytest.mark.long
def test_a_dated_list_of_now_is_the_live_list(desk: Desk, kept: RatingList) -> None:
    for provisional_under in (0, 12, 100):
        kept.policies.update(provisional_under=provisional_under)
        live = list_pages.load_ranking(desk.club, desk.director, key=kept.key, number=1, now=desk.now)
        found = dated_lists.compute_placed_players(kept, desk.now, least=provisional_under)
        assert [(each.place, each.is_provisional, each.rating) for each in found] == [
            (row.place, row.is_provisional, row.rating) for row in live.page.rows
        ]


def test_ties_share_a_place(desk: Desk, kept: RatingList) -> None:
    # After the first match two have gained and two have not played: the others come in with the next ones.
    rows = dated_lists.compute_placed_players(kept, desk.now, least=0)
    figures = [round(each.rating, 2) for each in rows]
    assert [each.place for each in rows] == [
        1 + sum(other > figure for other in figures) for figure in figures
    ]


@pytest.mark.long
def test_movement_is_from_dated_list_to_dated_list(desk: Desk, kept: RatingList) -> None:
    dated_lists.sweep(desk.now)
    first, *_, before, last = DatedList.objects.order_by("at")
    assert not DatedRating.objects.filter(dated_list=first, was_place__isnull=False).exists()
    was = {player: place for place, player, _ in places(before)}
    for row in DatedRating.objects.filter(dated_list=last):
        assert row.was_place == was.get(row.player_id)
    live = list_pages.load_ranking(desk.club, desk.director, key=kept.key, number=1, now=desk.now)
    assert (live.movement.before, live.movement.after) == (before.day, last.day)
    now = {player: place for place, player, _ in places(last)}
    assert {player: move.up for player, move in live.movement.moves.items() if not move.is_new} == {
        player: was[player] - place for player, place in now.items() if player in was
    }


@pytest.mark.long
def test_a_correction_moves_the_live_list_and_is_noted_on_the_next_dated_list(
    desk: Desk, kept: RatingList, played: list[str]
) -> None:
    dated_lists.sweep(desk.now)
    made = list(DatedList.objects.order_by("at"))
    before = [places(each) for each in made]
    row = desk.row(played[1])
    score = (0, row.length) if row.winner_id == row.a_id else (row.length, 0)
    assert row.a
    assert row.b
    assert row.winner
    loser = row.b if row.winner_id == row.a_id else row.a
    desk.now += timedelta(hours=1)
    desk.do(corrections.correct_result, key=row.key, score=score, reason="Misread")
    gone = desk.row(played[2])
    desk.do(corrections.correct_result, key=gone.key, kind="", reason="Never played")
    live = dict(PlayerRating.objects.filter(list=kept).values_list("player", "rating"))
    deliver(desk.now)
    assert dict(PlayerRating.objects.filter(list=kept).values_list("player", "rating")) != live
    assert [places(each) for each in made] == before
    kept.refresh_from_db()
    assert kept.dated_at is not None
    desk.now = kept.dated_at
    assert dated_lists.sweep(desk.now) == 1
    told = {
        each.match: (each.was_won_by_id, each.won_by_id)
        for each in DatedCorrection.objects.select_related("dated_list").filter(
            dated_list__day=desk.now.date()
        )
    }
    assert gone.a
    assert told == {
        row.uid: (row.winner.player_id, loser.player_id),
        gone.uid: (gone.winner.player_id, None),
    }
    # The players are compared, not their names.
    Player.objects.filter(pk__in=[row.winner.player_id, loser.player_id]).update(name="Ann Both")
    page = reverse("rankings:dated_list", args=[desk.club.slug, kept.key, desk.now.date()])
    assert "now won by Ann Both" in strip_tags(Browser().get(page).content.decode())
    # It is noted once.
    kept.refresh_from_db()
    assert kept.dated_at is not None
    assert dated_lists.sweep(kept.dated_at) == 1
    assert DatedCorrection.objects.count() == 2


@pytest.mark.long
def test_who_became_one_person_is_no_correction_and_keeps_their_movement(
    desk: Desk, kept: RatingList
) -> None:
    dated_lists.sweep(desk.now)
    last = DatedList.objects.order_by("at").last()
    dropped = desk.player(1)
    was = DatedRating.objects.get(dated_list=last, player=dropped).place
    other = clubs.add_guest(club=desk.club, name="Ada Bright", by=desk.director, now=desk.now)
    merging.merge_guest(kept=other, dropped=dropped, by=desk.director, now=desk.now)
    deliver(desk.now)
    ranking = list_pages.load_ranking(desk.club, desk.director, key=kept.key, number=1, now=desk.now)
    assert [row.move is None for row in ranking.page.rows] == [False] * 4
    kept.refresh_from_db()
    assert kept.dated_at is not None
    assert dated_lists.sweep(kept.dated_at) == 1
    assert DatedRating.objects.get(player=other).was_place == was
    assert not DatedCorrection.objects.exists()


@pytest.mark.long
@pytest.mark.parametrize(
    ("model", "changes"),
    [
        (DatedList, {"made_at": datetime(2026, 1, 1, tzinfo=UTC)}),
        (DatedRating, {"place": 1}),
        (DatedCorrection, {"won_by": None}),
    ],
)
def test_the_database_lets_nobody_change_a_dated_list(
    desk: Desk, kept: RatingList, played: list[str], model: Any, changes: dict[str, object]
) -> None:
    dated_lists.sweep(desk.now)
    first = DatedList.objects.order_by("at")[0]
    entry = LedgerEntry.objects.filter(is_a=True)[0]
    DatedCorrection.objects.create(
        dated_list=first, event=entry.event, match=entry.match, at=entry.at, a=entry.player, b=entry.opponent
    )
    with pytest.raises(IntegrityError, match="never changed"), transaction.atomic():
        model.objects.update(**changes)


@pytest.mark.long
def test_the_database_takes_no_second_list_of_a_day(desk: Desk, kept: RatingList) -> None:
    dated_lists.sweep(desk.now)
    made = DatedList.objects.order_by("at")[0]
    with pytest.raises(IntegrityError), transaction.atomic():
        DatedList.objects.create(list=kept, day=made.day, at=made.at + timedelta(hours=1), made_at=desk.now)


@pytest.mark.long
def test_a_list_that_has_not_followed_everything_waits(
    desk: Desk, kept: RatingList, played: list[str]
) -> None:
    desk.do(corrections.correct_result, key=played[0], kind="", reason="Never played")
    assert ledger.is_behind(kept)
    assert dated_lists.sweep(desk.now) == 0
    deliver(desk.now)
    assert dated_lists.sweep(desk.now) >= 3


def test_a_list_with_nobody_in_it_is_not_published(desk: Desk) -> None:
    rating_list = open_list(desk, dated=WEEK, since=desk.now - timedelta(days=700))
    deliver(desk.now)
    dated_lists.sweep(desk.now)
    assert not DatedList.objects.exists()
    rating_list.refresh_from_db()
    assert desk.now < rating_list.dated_at <= desk.now + timedelta(days=7)


def test_directors_say_how_often_from_now_on(desk: Desk, kept: RatingList) -> None:
    dated_lists.sweep(desk.now)
    made = DatedList.objects.count()
    stranger = accounts.register(email="s@example.org", password=None, name="Sten Far", now=desk.now)
    with pytest.raises(NotKeeper):
        dated_lists.schedule(rating_list=kept, each=WEEK, by=stranger, now=desk.now)
    dated_lists.schedule(rating_list=kept, each=DatedInterval.NEVER, by=desk.director, now=desk.now)
    desk.now += timedelta(days=100)
    assert dated_lists.sweep(desk.now) == 0
    held = dated_lists.schedule(rating_list=kept, each=WEEK, by=desk.director, now=desk.now)
    assert held.dated_at > desk.now
    assert dated_lists.sweep(held.dated_at) == 1
    assert DatedList.objects.count() == made + 1


# Pages and programs


@pytest.mark.long
def test_the_page_of_a_dated_list_shows_it_as_it_was(desk: Desk, kept: RatingList, played: list[str]) -> None:
    dated_lists.sweep(desk.now)
    last = DatedList.objects.order_by("at").last()
    top = DatedRating.objects.filter(dated_list=last).select_related("player").order_by("place")[0]
    desk.now += timedelta(hours=1)
    desk.do(corrections.correct_result, key=played[0], kind="", reason="Never played")
    deliver(desk.now)
    every = reverse("rankings:dated_lists", args=[desk.club.slug, kept.key])
    one = reverse("rankings:dated_list", args=[desk.club.slug, kept.key, last.day])
    assert one in Browser().get(every).content.decode()
    told = strip_tags(Browser().get(one).content.decode())
    assert f"{top.player.public_name} provisional {top.rating:.2f}" in told
    assert "This list never changes" in told
    kept.refresh_from_db()
    dated_lists.sweep(kept.dated_at)
    later = reverse("rankings:dated_list", args=[desk.club.slug, kept.key, kept.dated_at.date()])
    assert "no longer rated" in strip_tags(Browser().get(later).content.decode())
    for wrong in ("2026-02-31", "yesterday", "2026-01-02"):
        there = reverse("rankings:dated_list", args=[desk.club.slug, kept.key, wrong])
        assert Browser().get(there).status_code == 404


@pytest.mark.long
def test_a_director_sets_the_pace_on_the_page(desk: Desk, kept: RatingList) -> None:
    every = reverse("rankings:dated_lists", args=[desk.club.slug, kept.key])
    address = reverse("rankings:schedule", args=[desk.club.slug, kept.key])
    assert address not in Browser().get(every).content.decode()
    browser = Browser(desk.director)
    assert address in browser.get(every).content.decode()
    assert browser.post(address, {"each": "week"})["Location"] == every
    kept.refresh_from_db()
    assert kept.dated == WEEK
    assert browser.post(address, {"each": "fortnight"})["Location"] == every
    kept.refresh_from_db()
    assert kept.dated == WEEK


@pytest.mark.long
def test_the_api_tells_dated_lists_and_lets_directors_set_the_pace(
    desk: Desk, kept: RatingList, played: list[str]
) -> None:
    dated_lists.sweep(desk.now)
    desk.now += timedelta(hours=1)
    desk.do(corrections.correct_result, key=played[0], kind="", reason="Never played")
    deliver(desk.now)
    kept.refresh_from_db()
    assert kept.dated_at is not None
    dated_lists.sweep(kept.dated_at)
    address = f"/api/v1/rating-lists/{kept.key}/"
    found = APIClient().get(f"{address}dated/").json()["results"]
    last = DatedList.objects.order_by("at").last()
    assert (found[0]["day"], found[0]["players"], found[0]["corrections"]) == (str(last.day), 4, 1)
    rows = APIClient().get(f"{address}dated/{last.day}/").json()["results"]
    assert [(row["place"], row["rating"]) for row in rows] == [
        (place, rating) for place, _, rating in sorted(places(last), key=lambda row: (row[0], -row[2]))
    ]
    (corrected,) = APIClient().get(f"{address}dated/{last.day}/corrections/").json()["results"]
    assert corrected["won_by"] is None
    assert corrected["was_won_by"] in (corrected["a"], corrected["b"])
    answer = APIClient().get(f"{address}dated/{last.day}/ranking.csv")
    lines = list(csv.DictReader(answer.content.decode().splitlines()))
    assert [float(line["rating"]) for line in lines] == [row["rating"] for row in rows]
    live = APIClient().get(f"{address}ranking.csv").content.decode().splitlines()
    assert len(live) == 5
    assert APIClient().get(f"{address}dated/2020-01-01/").status_code == 404

    assert APIClient().patch(address, {"dated": "week"}).status_code == 401
    director = APIClient()
    director.force_login(desk.director)
    assert director.patch(address, {"dated": "daily"}).status_code == 400
    assert director.patch(address, {"dated": "week"}).json()["dated"] == "week"


def test_a_list_that_cannot_be_dated_waits_longer_each_time_and_holds_up_no_other(
    desk: Desk, kept: RatingList, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = open_list(desk, "elo", since=desk.now - timedelta(days=1), dated=WEEK)
    deliver(desk.now)
    RatingList.objects.update(dated_at=desk.now)
    honest, tries = dated_lists.create_next_list, []

    def make_next(*, list_id: int, now: datetime) -> bool:
        if list_id == kept.pk:
            tries.append(now)
            raise ValueError("no such day")
        return honest(list_id=list_id, now=now)

    monkeypatch.setattr(dated_lists, "create_next_list", make_next)
    for second in range(5):
        dated_lists.sweep(desk.now + timedelta(seconds=second))
    assert [(at - desk.now).seconds for at in tries] == [0, 1, 3]
    other.refresh_from_db()
    assert other.dated_at > desk.now
    assert [(row.subject, row.last_error) for row in Failure.objects.all()] == [
        (str(kept.pk), "ValueError: no such day")
    ]
