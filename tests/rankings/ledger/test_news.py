"""Webhooks of a club are called with the changed list or season."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from players.clubs import webhooks
from rankings import receivers
from rankings.ledger import ledger
from rankings.lists import dated_lists
from rankings.models import DatedInterval, DatedList
from rankings.seasons import seasons
from rankings.seasons.seasons import SeasonTerms
from runtime.models import Outbox
from tests.rankings.rating_lists import open_list
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.play import corrections

if TYPE_CHECKING:
    from django_assert_num_queries import DjangoAssertNumQueries


def list_calls() -> list[dict[str, Any]]:
    rows = Outbox.objects.filter(kind=webhooks.KIND).order_by("pk").values_list("payload", flat=True)
    bodies = [row["body"] for row in rows]
    return [
        {name: body[name] for name in body if name != "at"}
        for body in bodies
        # Of events there is more (test_told.py).
        if body["type"].startswith(("list.", "season."))
    ]


@pytest.fixture
def heard(desk: Desk) -> None:
    """A person listens; the calls stay in the outbox."""
    webhooks.add(club=desk.club, url="https://hooks.example.org/barpoint", by=desk.director, now=desk.now)


def follow(desk: Desk, kind: str) -> None:
    tell = {ledger.FOLLOW: receivers.update_from_event, seasons.FOLLOW: seasons.update_event_seasons}[kind]
    for row in Outbox.objects.filter(kind=kind, done_at__isnull=True).order_by("pk"):
        tell(row.payload, now=desk.now)
    Outbox.objects.filter(kind=kind).update(done_at=desk.now)


def test_following_a_running_event_asks_once_for_lists_and_once_for_seasons(
    desk: Desk, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    day = desk.now.date()
    terms = SeasonTerms("2026", day, day + timedelta(days=300))
    seasons.open_season(club=desk.club, by=desk.director, terms=terms, now=desk.now)
    desk.start(a_plan("round-robin"), 2)
    with django_assert_num_queries(2):
        ledger.queue_update(desk.event, now=desk.now)
        seasons.queue_update(desk.event, now=desk.now)


@pytest.mark.long
@pytest.mark.usefixtures("heard")
def test_a_list_that_changed_or_was_published_is_told_of_once(desk: Desk) -> None:
    kept = open_list(desk, dated=DatedInterval.WEEK)
    desk.start(a_plan("round-robin"), 4)
    desk.play_out()
    follow(desk, ledger.FOLLOW)
    assert list_calls() == [{"type": "list.changed", "list": kept.key}]
    # Nothing has changed, so no webhook is called.
    desk.now += timedelta(hours=1)
    ledger.update_lists(event_id=desk.pk, now=desk.now)
    assert len(list_calls()) == 1
    desk.now += timedelta(days=8)
    dated_lists.sweep(desk.now)
    day = DatedList.objects.get(list=kept).day
    assert list_calls()[1:] == [{"type": "list.published", "list": kept.key, "day": day.isoformat()}]
    ledger.rebuild(list_id=kept.pk, now=desk.now)
    assert list_calls()[2:] == [{"type": "list.changed", "list": kept.key}]


@pytest.mark.long
@pytest.mark.usefixtures("heard")
def test_a_season_that_changed_is_told_of(desk: Desk) -> None:
    day = desk.now.date()
    terms = SeasonTerms("2026", day, day + timedelta(days=300))
    season = seasons.open_season(club=desk.club, by=desk.director, terms=terms, now=desk.now)
    one = {"type": "season.changed", "season": season.key}
    assert list_calls() == [one]
    desk.now += timedelta(hours=1)
    desk.start(a_plan("round-robin"), 4)
    desk.play_out()
    follow(desk, seasons.FOLLOW)
    assert list_calls() == [one, one]
    desk.now += timedelta(hours=1)
    ledger.update_lists(event_id=desk.pk, now=desk.now)
    seasons.update_event_seasons({"event": desk.pk}, now=desk.now)
    assert list_calls() == [one, one]


@pytest.mark.long
@pytest.mark.usefixtures("heard")
def test_what_is_told_leads_somewhere(desk: Desk, client: Any) -> None:
    kept = open_list(desk)
    desk.start(a_plan("round-robin"), 4)
    desk.play_out()
    follow(desk, ledger.FOLLOW)
    [call] = list_calls()
    answer = client.get(reverse("api:rating-list-ranking", args=[call["list"]])).json()
    assert answer["count"] == 4
    row = desk.event.pairings.exclude(winner=None).order_by("pk")[0]
    score = (0, row.length) if row.winner_id == row.a_id else (row.length, 0)
    desk.now += timedelta(hours=1)
    desk.do(corrections.correct_result, key=row.key, score=score, reason="Misread")
    follow(desk, ledger.FOLLOW)
    assert list_calls() == [call, call]
    assert kept.key == call["list"]
