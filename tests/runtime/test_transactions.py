"""A transaction that holds the database for too long is rolled back, counted and answered with a code."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from config import pages, problems
from runtime import transactions
from runtime.http import views
from runtime.http.middleware import RequestLogMiddleware
from runtime.metrics import COUNTERS
from runtime.models import Outbox, SweepRun
from runtime.transactions import LARGEST_FACTOR, TransactionTooLong
from runtime.work import outbox, sweeps

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

MORNING = datetime(2026, 5, 1, 9, tzinfo=UTC)
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def no_time(settings: SettingsWrapper) -> None:
    """Every transaction is too long from its first statement on."""
    settings.TRANSACTION_SECONDS = -1


def write(name: str = "kept") -> None:
    SweepRun.objects.create(name=name, claimed_at=MORNING)


def test_it_is_rolled_back_at_its_next_statement(settings: SettingsWrapper) -> None:
    settings.TRANSACTION_SECONDS = 600

    def take_long() -> None:
        with transaction.atomic():
            write()
            connection._ends = 0.0
            write("late")

    with transactions.limit_transactions("a request"), pytest.raises(TransactionTooLong):
        take_long()
    assert not SweepRun.objects.exists()


@pytest.mark.usefixtures("no_time")
def test_the_connection_goes_on_afterwards() -> None:
    with (
        transactions.limit_transactions("a request"),
        pytest.raises(TransactionTooLong),
        transaction.atomic(),
    ):
        write()
    with transaction.atomic():
        write()
    assert SweepRun.objects.count() == 1


@pytest.mark.usefixtures("no_time")
def test_a_savepoint_does_not_save_it() -> None:
    def take_long() -> None:
        with transaction.atomic():
            try:
                with transaction.atomic():
                    write()
            except TransactionTooLong:
                write("instead")

    with transactions.limit_transactions("a request"), pytest.raises(TransactionTooLong):
        take_long()
    assert not SweepRun.objects.exists()


@pytest.mark.usefixtures("no_time")
def test_commands_are_not_limited() -> None:
    with transaction.atomic():
        write()
    assert SweepRun.objects.exists()


def test_a_single_long_statement_is_interrupted(settings: SettingsWrapper) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL's statement_timeout does that there")
    settings.TRANSACTION_SECONDS = 0.01
    endless = (
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000000000)"
        " SELECT max(i) FROM n"
    )
    with (
        transactions.limit_transactions("a request"),
        pytest.raises(TransactionTooLong),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(endless)


@pytest.mark.services
def test_the_wait_for_the_first_lock_does_not_count(settings: SettingsWrapper) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite waits before the transaction begins")
    settings.TRANSACTION_SECONDS = 1
    write()
    is_held, told = threading.Event(), []

    def hold() -> None:
        with transaction.atomic():
            SweepRun.objects.select_for_update().get(name="kept")
            is_held.set()
            time.sleep(1.5)
        connection.close()

    other = threading.Thread(target=hold)
    other.start()
    assert is_held.wait(10)
    with transactions.limit_transactions("a request"), transaction.atomic():
        SweepRun.objects.select_for_update().get(name="kept")
        told.append(connection.is_late())
        SweepRun.objects.filter(name="kept").update(last_error="changed")
        # What follows counts, another lock as well.
        connection._ends = 0.0
        with pytest.raises(TransactionTooLong):
            SweepRun.objects.select_for_update().get(name="kept")
        transaction.set_rollback(True)
    other.join()
    assert told == [False]


def test_a_job_may_take_longer_each_time_it_is_tried_again(settings: SettingsWrapper) -> None:
    settings.TRANSACTION_SECONDS = 100
    spans = []
    for attempt in (1, 2, LARGEST_FACTOR + 1):
        with transactions.limit_transactions("a job", attempt=attempt), transaction.atomic():
            spans.append(round(connection._ends - connection._began))
    assert spans == [100, 200, 100 * LARGEST_FACTOR]


def test_a_job_that_took_too_long_is_done_when_it_is_tried_again(settings: SettingsWrapper) -> None:
    settings.TRANSACTION_SECONDS = 100
    spans: list[int] = []

    def carry_out(payload: Mapping[str, Any], *, now: datetime) -> None:
        spans.append(round(connection._ends - connection._began))
        if len(spans) == 1:
            connection._ends = 0.0
        write("late")

    outbox.register("tests.slow", carry_out)
    try:
        with transaction.atomic():
            outbox.put("tests.slow", {}, dedupe_key="once", now=MORNING)
        job = Outbox.objects.get(dedupe_key="once").pk
        assert not outbox.deliver(outbox_id=job, now=MORNING)
        assert not SweepRun.objects.filter(name="late").exists()
        assert outbox.deliver(outbox_id=job, now=MORNING + timedelta(minutes=1))
    finally:
        outbox._handlers.pop("tests.slow")
    assert SweepRun.objects.filter(name="late").exists()
    assert spans == [100, 200]


def test_a_sweep_that_catches_its_errors_has_the_longest_time_in_each_run(settings: SettingsWrapper) -> None:
    settings.TRANSACTION_SECONDS = 100
    spans: list[int] = []

    def look(now: datetime) -> int:
        with contextlib.suppress(TransactionTooLong), transaction.atomic():
            spans.append(round(connection._ends - connection._began))
            connection._ends = 0.0
            return SweepRun.objects.count()
        return 0

    sweeps.register("tests.slow", timedelta(seconds=10), look)
    try:
        for minute in range(2):
            assert sweeps.run("tests.slow", now=MORNING + timedelta(minutes=minute))
    finally:
        sweeps._sweeps.pop("tests.slow")
    assert not SweepRun.objects.get(name="tests.slow").last_error
    assert spans == [100 * LARGEST_FACTOR] * 2


@pytest.mark.usefixtures("no_time")
def test_the_limit_can_be_lifted_for_what_cannot_be_cut() -> None:
    with transactions.limit_transactions("a job", attempt=2):
        with transactions.lift_limit(), transaction.atomic():
            write()
        with pytest.raises(TransactionTooLong), transaction.atomic():
            write("late")
    assert SweepRun.objects.count() == 1


def test_what_runs_after_the_commit_is_no_part_of_it() -> None:
    began: list[object] = []
    before = sum(COUNTERS.total().transactions.in_bucket)
    with transactions.limit_transactions("a request"), transaction.atomic():
        transaction.on_commit(lambda: began.append(connection._began))
        write()
    assert began == [None]
    assert sum(COUNTERS.total().transactions.in_bucket) == before + 1


def test_requests_are_limited() -> None:
    seen: list[float | None] = []

    def view(request: HttpRequest) -> HttpResponse:
        with transaction.atomic():
            seen.append(connection._ends)
        return HttpResponse()

    RequestLogMiddleware(view)(RequestFactory().get("/"))
    assert seen[0] is not None


def test_programs_and_people_are_told_so() -> None:
    response = problems.handle_error(TransactionTooLong(), {})
    assert (response.status_code, response.data["code"]) == (503, "transaction_too_long")
    assert response["Retry-After"] == "5"
    request = RequestFactory().get("/")
    with contextlib.suppress(TransactionTooLong):
        try:
            raise TransactionTooLong
        finally:
            page = pages.server_error(request)
    assert page.status_code == 503
    assert str(TransactionTooLong()) in page.content.decode()


def test_metrics_show_the_longest() -> None:
    with transactions.limit_transactions("a request"), transaction.atomic():
        write()
    COUNTERS.count_transaction(1.75)
    text = views.render_metrics(now=MORNING)
    assert 'barpoint_transaction_seconds_bucket{le="2.5"}' in text
    longest = next(
        line for line in text.splitlines() if line.startswith("barpoint_transaction_longest_seconds ")
    )
    assert float(longest.split()[1]) >= 1.75
