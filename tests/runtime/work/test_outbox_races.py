"""Many at one row of the outbox: first shown to go wrong with the guard off, then not."""

from __future__ import annotations

import threading
import time
from datetime import datetime
from typing import Any

import pytest
from django.db import transaction
from django.db.models import F

from runtime.models import Outbox, Topic
from runtime.work import outbox
from tests.runtime.support import together

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("_handlers")]


# All of them hold a connection at once: fewer than the pool has.
RIVALS = 6


def count(payload: dict[str, Any], *, now: datetime) -> None:
    Topic.objects.filter(name="effects").update(head=F("head") + 1)


@pytest.fixture(autouse=True)
def _counting() -> None:
    Topic.objects.create(name="effects")
    outbox.register("tests.count", count)


def effects() -> int:
    return Topic.objects.get(name="effects").head


def deliver_from_everywhere(outbox_id: int, *, now: datetime, threads: int = RIVALS) -> list[bool]:
    return together(threads, lambda _: outbox.deliver(outbox_id=outbox_id, now=now))


def test_without_the_guards_every_thread_does_it(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    met = threading.Barrier(RIVALS)

    def claim_without_comparing(_row: Outbox, *, now: datetime) -> bool:
        met.wait(10)
        return True

    monkeypatch.setattr(outbox, "_claim", claim_without_comparing)
    monkeypatch.setattr(outbox, "_mark_done", lambda row, *, now: None)
    outbox.put("tests.count", {}, dedupe_key="a", now=now)
    deliver_from_everywhere(Outbox.objects.get().pk, now=now)
    assert effects() == RIVALS


def test_without_the_claim_the_mark_alone_keeps_it_to_one_effect(
    now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    met = threading.Barrier(RIVALS)

    def claim_without_comparing(_row: Outbox, *, now: datetime) -> bool:
        met.wait(10)
        return True

    monkeypatch.setattr(outbox, "_claim", claim_without_comparing)
    outbox.put("tests.count", {}, dedupe_key="a", now=now)
    done = deliver_from_everywhere(Outbox.objects.get().pk, now=now)
    assert (effects(), done.count(True)) == (1, 1)


@pytest.mark.long
def test_many_threads_do_each_row_once(now: datetime) -> None:
    for place in range(12):
        outbox.put("tests.count", {}, dedupe_key=f"row {place}", now=now)
    for row in Outbox.objects.all():
        assert deliver_from_everywhere(row.pk, now=now).count(True) == 1
    assert effects() == 12
    assert set(Outbox.objects.values_list("attempts", flat=True)) == {1}


@pytest.mark.long
def test_eight_drains_at_once_do_each_row_once(now: datetime) -> None:
    for place in range(40):
        outbox.put("tests.count", {}, dedupe_key=f"row {place}", now=now)
    done = together(8, lambda _: outbox.drain(queue="default", now=now))
    assert sum(done) == 40
    assert effects() == 40


def test_an_email_is_sent_once_by_eight_drains(now: datetime, mailoutbox: list[Any]) -> None:
    for place in range(10):
        outbox.queue_mail(to="kit@club.example", subject=str(place), body="", dedupe_key=f"m{place}", now=now)
    together(8, lambda _: outbox.drain(queue="default", now=now))
    assert sorted(int(message.subject) for message in mailoutbox) == list(range(10))


@pytest.mark.long
def test_of_eight_puts_with_one_key_and_one_time_exactly_one_is_news(now: datetime) -> None:
    for place in range(10):
        key = f"key {place}"
        news = together(8, lambda _, key=key: outbox.put("tests.count", {}, dedupe_key=key, now=now))
        assert news.count(True) == 1
    assert Outbox.objects.count() == 10


@pytest.mark.long
def test_the_put_that_waited_for_a_rollback_is_news(now: datetime) -> None:
    """Two changes with one consequence: the first is rolled back while the second waits for it."""
    inside = threading.Event()

    def first_or_second(place: int) -> bool:
        if place == 0:
            with transaction.atomic():
                outbox.put("tests.count", {}, dedupe_key="a", now=now)
                inside.set()
                time.sleep(0.3)
                transaction.set_rollback(True)
            return False
        assert inside.wait(10)
        with transaction.atomic():
            return outbox.put("tests.count", {}, dedupe_key="a", now=now)

    assert together(2, first_or_second) == [False, True]
    assert Outbox.objects.count() == 1


def test_a_slow_handler_that_outlives_its_lease_has_no_effect_of_its_own(now: datetime) -> None:
    inside, go_on = threading.Event(), threading.Event()
    runs: list[int] = []

    def be_slow_once(payload: dict[str, Any], *, now: datetime) -> None:
        runs.append(1)
        if len(runs) == 1:
            inside.set()
            assert go_on.wait(10)
        count(payload, now=now)

    # External, so that the first holds no lock while it is slow.
    outbox.register("tests.slow", be_slow_once, external=True)
    outbox.put("tests.slow", {}, dedupe_key="a", now=now)
    row = Outbox.objects.get()

    def slow_or_quick(place: int) -> bool:
        if place == 0:
            return outbox.deliver(outbox_id=row.pk, now=now)
        assert inside.wait(10)
        done = outbox.deliver(outbox_id=row.pk, now=now + outbox.LEASE)
        go_on.set()
        return done

    assert together(2, slow_or_quick) == [False, True]
    row.refresh_from_db()
    assert row.done_at == now + outbox.LEASE
