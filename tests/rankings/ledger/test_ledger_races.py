"""Several workers at one ledger in the same moment: each match is rated once, and nothing is lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, connections
from django.db.models import Count

from rankings import verifiers
from rankings.ledger import entries, ledger, rated_matches, rebuilding
from rankings.lists import dated_lists
from rankings.models import (
    DatedInterval,
    DatedList,
    LedgerEntry,
    RatingList,
    Rebuild,
    SeasonPoints,
    SeasonStanding,
)
from rankings.seasons import seasons
from rankings.seasons.seasons import SeasonTerms
from runtime.models import Outbox
from runtime.work import outbox
from tests.rankings import many
from tests.rankings.rating_lists import open_list
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Pairing, PairingState

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]
WORKERS, LONGEST = 5, 60


def together(work: Callable[[], object]) -> None:
    """Run the same work in all workers at once."""
    gate = threading.Barrier(WORKERS)
    problems: list[BaseException] = []

    def run() -> None:
        try:
            gate.wait(LONGEST)
            work()
        except Exception as problem:
            problems.append(problem)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run) for _ in range(WORKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONGEST)
    assert problems == []


@pytest.fixture
def played(desk: Desk) -> RatingList:
    """A list that has followed nothing yet of three events."""
    rating_list = open_list(desk)
    for _ in range(3):
        desk.start(a_plan("round-robin"), 4)
        while rows := desk.open():
            desk.now += timedelta(minutes=1)
            desk.play(rows[0].key)
    return rating_list


def once(rating_list: RatingList) -> None:
    assert LedgerEntry.objects.count() == 36
    assert rated_matches.list_entries(rating_list).count() == 36
    assert list(verifiers.find_problems(rating_list)) == []


def test_workers_that_are_told_the_same_rate_each_match_once(desk: Desk, played: RatingList) -> None:
    assert not LedgerEntry.objects.exists()
    events = list(desk.club.tournaments.order_by("pk").values_list("pk", flat=True))
    together(lambda: [ledger.update_lists(event_id=pk, now=desk.now) for pk in events])
    once(played)


def test_a_list_that_another_worker_has_updated_is_compared_again(
    desk: Desk, played: RatingList, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between comparison and lock, the other worker follows a correction and then the correction back."""
    event, lock, written = desk.pk, entries.lock_lists, []
    row = Pairing.objects.filter(tournament=event, state=PairingState.DECIDED).order_by("-decided_at")[0]
    assert ledger.update_lists(event_id=event, now=desk.now) == 12
    Pairing.objects.filter(pk=row.pk).update(winner=row.a_id if row.winner_id == row.b_id else row.b_id)

    def let_another_worker_in(lists: Any) -> list[RatingList]:
        monkeypatch.setattr(entries, "lock_lists", lock)
        written.append(ledger.update_lists(event_id=event, now=desk.now))
        Pairing.objects.filter(pk=row.pk).update(winner=row.winner_id)
        written.append(ledger.update_lists(event_id=event, now=desk.now))
        return lock(lists)

    monkeypatch.setattr(entries, "lock_lists", let_another_worker_in)
    assert ledger.update_lists(event_id=event, now=desk.now) == 0
    assert written == [4, 4]
    for other in desk.club.tournaments.exclude(pk=event):
        ledger.update_lists(event_id=other.pk, now=desk.now)
    assert list(verifiers.find_problems(played)) == []


def test_workers_that_share_the_outbox_rate_each_match_once(desk: Desk, played: RatingList) -> None:
    asked = dict(Outbox.objects.filter(kind=ledger.FOLLOW).values_list("pk", "requests"))
    assert sum(asked.values()) >= 18
    waiting = list(asked)
    together(lambda: [outbox.deliver(outbox_id=pk, now=desk.now) for pk in waiting])
    assert not Outbox.objects.filter(kind=ledger.FOLLOW, done_at__isnull=True).exists()
    # A worker may pass an event that another has taken but not yet rated; what it rates is then rated again, in order.
    assert LedgerEntry.objects.filter(voided_at__isnull=True).count() == 36
    assert rated_matches.list_entries(played).count() == 36
    assert list(verifiers.find_problems(played)) == []


def test_workers_make_each_dated_list_once(desk: Desk, played: RatingList) -> None:
    for row in Outbox.objects.filter(kind__startswith="rankings").values_list("pk", flat=True):
        outbox.deliver(outbox_id=row, now=desk.now)
    dated_lists.schedule(rating_list=played, each=DatedInterval.WEEK, by=desk.director, now=desk.now)
    later = desk.now + timedelta(weeks=4)
    together(lambda: dated_lists.sweep(later))
    assert DatedList.objects.count() == 4
    assert set(DatedList.objects.annotate(players=Count("ratings")).values_list("players", flat=True)) == {4}


MANY, EVENTS = 1_000, 10


def test_five_workers_rate_a_thousand_matches_once_each(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some are notified of events, some go on with the rebuild; what is much goes from the one to the
    other."""
    monkeypatch.setattr(many, "EACH", MANY // EVENTS)
    monkeypatch.setattr(ledger, "AT_ONCE", 150)
    monkeypatch.setattr(rated_matches, "PORTION", 40)
    rating_list = open_list(desk, since=desk.now - timedelta(days=1))
    many.play(desk.club, MANY, players=60, since=desk.now, every=timedelta(minutes=1))
    events = list(desk.club.tournaments.order_by("pk").values_list("pk", flat=True))
    assert len(events) == EVENTS
    turns = iter(range(WORKERS))

    def work() -> None:
        turn = next(turns)
        order = events[turn * 2 :] + events[: turn * 2]
        for pk in order if turn % 2 else order[::-1]:
            ledger.update_lists(event_id=pk, now=desk.now)
            rebuilding.sweep(desk.now)

    together(work)
    while rebuilding.sweep(desk.now + timedelta(hours=1)):
        pass
    assert LedgerEntry.objects.filter(voided_at__isnull=True).count() == 2 * MANY
    assert not Rebuild.objects.exists()
    assert list(verifiers.find_problems(rating_list)) == []


def test_workers_count_a_season_once(desk: Desk, played: RatingList) -> None:
    day = desk.now.date()
    terms = SeasonTerms("2026", day - timedelta(days=9), day)
    season = seasons.open_season(club=desk.club, by=desk.director, terms=terms, now=desk.now)
    SeasonPoints.objects.all().delete()
    SeasonStanding.objects.update(points=1)
    together(lambda: seasons.update_season(season_id=season.pk))
    assert (SeasonPoints.objects.count(), SeasonStanding.objects.count()) == (12, 4)
    assert list(seasons.find_problems(season)) == []


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite lets a transaction wait")
def test_a_month_that_takes_long_is_computed_to_its_end(
    desk: Desk, played: RatingList, monkeypatch: pytest.MonkeyPatch
) -> None:
    replay = entries.replay

    def slow(*said: Any, **more: Any) -> int:
        time.sleep(0.5)
        return replay(*said, **more)

    monkeypatch.setattr(entries, "replay", slow)
    with connection.cursor() as cursor:
        cursor.execute("SET idle_in_transaction_session_timeout = '100ms'")
    try:
        ledger.rebuild(list_id=played.pk, now=desk.now)
    finally:
        connection.close()
    once(played)
