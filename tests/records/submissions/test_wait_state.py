"""A page that waits for the referee: it polls less and less often, and explains a long wait."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from players.models import Club, User
from records.base import live
from records.models import Submission
from records.submissions import submissions, visible_submissions, wait_state
from records.submissions.submissions import SentFile
from runtime import nodes, stream
from runtime.stream.events import find_source
from tests.deliveries import deliver
from tests.records.conftest import CLEAN, WRONG

if TYPE_CHECKING:
    from pytest_django.fixtures import DjangoCaptureOnCommitCallbacks, SettingsWrapper


BUSY, NOBODY = "still checking earlier records", "no worker of this server is running"


def rows_of(user: User) -> list[Submission]:
    return list(visible_submissions.list_visible(user).order_by("pk"))


def test_each_verdict_is_told_once_and_the_page_that_was_read_before_misses_none(
    club: Club, otis: User, now: datetime, monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:  # fmt: skip
    told: list[stream.Event] = []
    monkeypatch.setattr(stream, "broadcast", told.append)
    sent = [SentFile("a.mat", CLEAN), SentFile("b.mat", WRONG)]
    (first, _) = submissions.hand_in(club=club, by=otis, files=sent, now=now)
    topic = live.get_topic(first.batch)
    wait = wait_state.find_wait_state(rows_of(otis), now=now)
    assert wait.news.positions == ((topic, 0),)

    with django_capture_on_commit_callbacks(execute=True):
        assert first.file is not None
        submissions.adjudicate({"file": first.file_id}, now=now)
        submissions.adjudicate({"file": first.file_id}, now=now)
    assert [(each.topic, each.seq) for each in told] == [(topic, 1)]
    half = wait_state.find_wait_state(rows_of(otis), now=now)
    assert half.news.positions == ((topic, 1),)

    with django_capture_on_commit_callbacks(execute=True):
        deliver(now)
    assert [(each.topic, each.seq) for each in told] == [(topic, 1), (topic, 2)]
    assert wait_state.find_wait_state(rows_of(otis), now=now) is None
    source = find_source(topic)
    assert stream.record_positions(topic).positions == ((topic, 2),)
    assert [each.seq for each in source.since(topic, 0, 200)] == [1, 2]
    assert [each.seq for each in source.since(topic, 1, 200)] == [2]
    assert source.since(topic, 2, 200) == []
    assert [each.seq for each in source.since(topic, 0, 1)] == [1]


def test_the_same_file_handed_in_twice_is_told_to_both(
    club: Club, otis: User, owner: User, now: datetime, monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:  # fmt: skip
    told: list[stream.Event] = []
    monkeypatch.setattr(stream, "broadcast", told.append)
    rows = [
        submissions.hand_in(club=club, by=by, files=[SentFile("a.mat", CLEAN)], now=now)[0]
        for by in (otis, owner)
    ]
    assert rows[0].file_id == rows[1].file_id
    with django_capture_on_commit_callbacks(execute=True):
        submissions.adjudicate({"file": rows[0].file_id}, now=now)
    assert {each.topic for each in told} == {live.get_topic(each.batch) for each in rows}


@given(st.integers(0, 90_000), st.integers(1, 90_000))
def test_the_longer_it_waits_the_more_seldom_it_asks(waited: int, more: int) -> None:
    first, later = wait_state.compute_interval(waited), wait_state.compute_interval(waited + more)
    assert wait_state.FIRST_LOOK <= first <= later <= wait_state.LAST_LOOK
    # A page polls less than once a second, and less than 310 times in ten hours.
    asked, at = 0, 0
    while at < 36_000:
        at += wait_state.compute_interval(at)
        asked += 1
    assert asked < 310


@pytest.mark.long
@pytest.mark.share
def test_who_waits_long_is_told_why(
    client: Client, club: Club, otis: User, now: datetime, settings: SettingsWrapper
) -> None:
    client.force_login(otis)
    (row,) = submissions.hand_in(club=club, by=otis, files=[SentFile("a.mat", CLEAN)], now=timezone.now())
    pages = [reverse("records:verdict", args=[club.slug, row.key])]
    submissions.hand_in(
        club=club, by=otis, files=[SentFile("a.mat", CLEAN), SentFile("b.mat", WRONG)], now=timezone.now()
    )
    batch = Submission.objects.order_by("-pk")[0].batch
    pages.append(reverse("records:batch", args=[club.slug, batch]))
    for page in pages:
        assert 'id="why"' not in client.get(page).content.decode()
    Submission.objects.update(at=timezone.now() - timedelta(seconds=30))
    for page in pages:
        assert NOBODY in client.get(page).content.decode()
        assert "load delay:3" in client.get(page).content.decode()
    # The club's own machine does all in one process; behind a Redis it is the workers who judge.
    settings.REDIS_URL = ""
    nodes.record_heartbeat(role="web", now=timezone.now(), name="the one")
    for page in pages:
        assert BUSY in client.get(page).content.decode()
    settings.REDIS_URL = "redis://nowhere.invalid/0"
    for page in pages:
        assert NOBODY in client.get(page).content.decode()
    nodes.record_heartbeat(role="worker", now=timezone.now(), name="a worker")
    for page in pages:
        assert BUSY in client.get(page).content.decode()


def test_a_file_that_was_judged_long_ago_waits_for_what_it_does_to_its_match(
    club: Club, otis: User, now: datetime
) -> None:
    submissions.hand_in(club=club, by=otis, files=[SentFile("a.mat", CLEAN)], now=now)
    deliver(now)
    later = now + timedelta(days=1)
    [row] = submissions.hand_in(club=club, by=otis, files=[SentFile("a.mat", CLEAN)], now=later)
    # Of a match, as far as waiting asks.
    row.pairing_id = 1
    row.file.refresh_from_db()

    assert visible_submissions.is_waiting(row, now=later + timedelta(seconds=2))
    assert not visible_submissions.is_waiting(row, now=later + timedelta(minutes=2))
