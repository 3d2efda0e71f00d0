"""The middleware of every request: a number, one log line without secrets, metrics, and a content policy."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import structlog
from django.db import connection
from django.db.utils import OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone

from runtime import database_errors, transactions
from runtime.http import views
from runtime.http.middleware import RequestLogMiddleware
from runtime.metrics import COUNTERS
from runtime.models import Node, Outage, Presence, SweepRun
from runtime.stream.hub import HUB
from runtime.work import outbox, sweeps

pytestmark = pytest.mark.django_db

HEX = re.compile(r"^[0-9a-f]{32}$")


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, Any]]]:
    """The log lines of RequestLogMiddleware."""
    from runtime.http import middleware

    with structlog.testing.capture_logs() as captured:
        monkeypatch.setattr(middleware, "log", structlog.wrap_logger(structlog.PrintLogger()))
        yield captured


# The number


def test_a_request_without_a_number_gets_one(client: Client) -> None:
    first, second = client.get("/clubs/"), client.get("/clubs/")
    assert HEX.match(first["X-Request-ID"])
    assert first["X-Request-ID"] != second["X-Request-ID"]


@pytest.mark.parametrize(
    "given", ["abcdefgh", "0f8fad5b-d9cb-469f-a165-70867728950e", "Trace_1.2-x", "a" * 64]
)
def test_a_number_that_came_along_is_kept(client: Client, given: str) -> None:
    assert client.get("/clubs/", headers={"X-Request-ID": given})["X-Request-ID"] == given


@pytest.mark.parametrize(
    "given", ["short", "a" * 65, "with space 1", "<script>alert", "line\x0bbreak", "ünïcödé-id", "a;b=c;d=e"]
)
def test_what_is_no_number_is_replaced(client: Client, given: str) -> None:
    assert HEX.match(client.get("/clubs/", headers={"X-Request-ID": given})["X-Request-ID"])


def test_a_number_with_a_line_break_at_its_end_is_replaced() -> None:
    request = RequestFactory().get("/clubs/", headers={"X-Request-ID": "abcdefgh\n"})
    answer = RequestLogMiddleware(lambda request: HttpResponse())(request)
    assert HEX.match(answer["X-Request-ID"])


def test_every_line_of_a_request_carries_its_number() -> None:
    seen: list[Any] = []

    def view(request: HttpRequest) -> HttpResponse:
        seen.append(structlog.contextvars.get_contextvars()["request_id"])
        return HttpResponse()

    answer = RequestLogMiddleware(view)(RequestFactory().get("/"))
    assert seen == [answer["X-Request-ID"]]


def test_background_work_has_more_patience_than_a_request_and_a_request_more_than_a_move() -> None:
    seen: list[float] = []

    def view(_request: HttpRequest) -> HttpResponse:
        seen.append(transactions.LIMIT.patience)
        with transactions.hurry():
            seen.append(transactions.LIMIT.patience)
        seen.append(transactions.LIMIT.patience)
        return HttpResponse()

    RequestLogMiddleware(view)(RequestFactory().get("/"))
    assert seen == [transactions.REQUEST_PATIENCE, 0.0, transactions.REQUEST_PATIENCE]
    assert 0.0 < transactions.REQUEST_PATIENCE < transactions.BACKGROUND_PATIENCE


# The line


def test_one_line_says_method_path_status_and_time(client: Client, lines: list[dict[str, Any]]) -> None:
    client.get("/clubs/?q=secret-word")
    (line,) = lines
    assert (line["method"], line["path"], line["status"]) == ("GET", "/clubs/", 200)
    assert line["ms"] > 0
    assert "secret-word" not in str(lines)


SECRET = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    "path",
    [
        f"/join/{SECRET}/",
        f"/welcome/{SECRET}/",
        f"/accounts/confirm-email/{SECRET}/",
        f"/accounts/password/reset/key/1-{SECRET}/",
        f"/helping/{SECRET}/",
        f"/m/{SECRET}/",
        f"/m/{SECRET}/sheet/",
        f"/d/{SECRET}/",
        # Without the slash: answered by a redirect or a 404, and as secret.
        f"/join/{SECRET}",
        f"/welcome/{SECRET}",
        f"/accounts/confirm-email/{SECRET}",
        f"/accounts/password/reset/key/1-{SECRET}",
        # With the characters that followed the link in the e-mail: no URL of the product.
        f"/join/{SECRET}).",
        f"/join/{SECRET}/%3E",
    ],
)
@pytest.mark.parametrize("is_public", [False, True])
def test_a_path_that_lets_somebody_in_is_not_written_down(
    client: Client, lines: list[dict[str, Any]], settings: Any, path: str, is_public: bool
) -> None:
    # Over plain http a public address answers with a redirect before any view is found.
    settings.SECURE_SSL_REDIRECT = is_public
    client = Client(raise_request_exception=False)
    client.get(path)
    assert lines
    assert SECRET not in str(lines)


# The figures


def test_requests_are_counted_by_method_and_status(client: Client, now: datetime) -> None:
    def counted() -> int:
        found = re.search(
            r'barpoint_requests_total\{method="GET",status="200"\} (\d+)', views.render_metrics(now=now)
        )
        return int(found[1]) if found else 0

    before = counted()
    for _ in range(3):
        client.get("/clubs/")
    assert counted() == before + 3


def test_a_method_that_nobody_knows_adds_no_figure_of_its_own(client: Client, now: datetime) -> None:
    """Otherwise invented methods could fill the memory, and a quote could break the page of metrics."""
    for method in ("BREW", 'GE"T', "X" * 50):
        client.generic(method, "/clubs/")
    text = views.render_metrics(now=now)
    assert "BREW" not in text
    assert 'GE"T' not in text


FIGURE = re.compile(r'^[a-z_]+(\{[a-z_]+="[^"\\\n]*"(,[a-z_]+="[^"\\\n]*")*\})? [0-9.e+-]+$')


def test_the_figures_are_in_prometheus_form_and_tell_what_there_is(client: Client, now: datetime) -> None:
    outbox.queue_mail(to="kit@club.example", subject="s", body="b", dedupe_key="m", now=timezone.now())
    Node.objects.create(
        name="a", role="web", started_at=now, seen_at=now, until=timezone.now() + timedelta(seconds=8)
    )
    Outage.objects.create(role="web", from_at=now, to_at=timezone.now())
    SweepRun.objects.create(name="tidy", claimed_at=now, finished_at=now)
    Presence.objects.create(topic="seat.a", node="a", readers=3, seen_at=timezone.now())
    client.get("/clubs/")
    answer = client.get("/metrics")
    text = answer.content.decode()
    for line in text.splitlines():
        assert line.startswith(("# HELP ", "# TYPE ")) or FIGURE.match(line), line
    for wanted in (
        'barpoint_queue_length{queue="default"} 1',
        'barpoint_queue_length{queue="clocks"} 0',
        "barpoint_outbox_pending 1",
        "barpoint_outbox_failed 0",
        'barpoint_nodes_alive{role="web"} 1',
        "barpoint_outages_total 1",
        f'barpoint_sweep_last_run_seconds{{sweep="tidy"}} {now.timestamp():.3f}',
        "barpoint_streams_open 0",
        "barpoint_present_topics 1",
        "barpoint_present_readers 3",
    ):
        assert wanted in text.splitlines()
    assert "kit@club.example" not in text


def test_the_histogram_adds_up(now: datetime) -> None:
    for seconds in (0.001, 0.2, 99.0):
        COUNTERS.count(method="GET", status=200, seconds=seconds)
    lines = views.render_metrics(now=now).splitlines()
    buckets = [int(line.split()[1]) for line in lines if line.startswith("barpoint_request_seconds_bucket")]
    assert buckets == sorted(buckets)
    assert f"barpoint_request_seconds_count {buckets[-1]}" in lines


def test_counting_from_many_threads_loses_nothing(now: datetime) -> None:
    def counted() -> int:
        found = re.search(r'method="HEAD",status="418"\} (\d+)', views.render_metrics(now=now))
        return int(found[1]) if found else 0

    before = counted()
    threads = [
        threading.Thread(
            target=lambda: [COUNTERS.count(method="HEAD", status=418, seconds=0.01) for _ in range(500)]
        )
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counted() == before + 4000


# The policy


@pytest.mark.parametrize(
    ("path", "status"),
    [("/", 200), ("/clubs/", 200), ("/nothing-here/", 404), ("/api/v1/nothing/", 404), ("/admin/", 302), ("/accounts/login/", 200),
     ("/clubs", 301), ("/styleguide/", 200)],
)  # fmt: skip
def test_every_answer_tells_the_browser_to_load_nothing_but_ours(
    client: Client, path: str, status: int
) -> None:
    answer = client.get(path)
    assert answer.status_code == status
    policy = dict(part.strip().split(" ", 1) for part in answer["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'self'"
    assert policy["script-src"] == "'self'"
    assert policy["object-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "camera=()" in answer["Permissions-Policy"]


def test_a_refused_form_and_a_failure_have_the_policy_too(monkeypatch: pytest.MonkeyPatch) -> None:
    strict = Client(enforce_csrf_checks=True)
    answer = strict.post("/accounts/login/", {})
    assert answer.status_code == 403
    assert "Content-Security-Policy" in answer
    from config import urls

    monkeypatch.setattr(urls.urlpatterns[0], "callback", _fail)
    answer = Client(raise_request_exception=False).get("/")
    assert answer.status_code == 500
    assert "Content-Security-Policy" in answer
    assert HEX.match(answer["X-Request-ID"])


def _fail(request: HttpRequest) -> HttpResponse:
    raise ZeroDivisionError


# What machines ask


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
@pytest.mark.parametrize("host", ["10.1.2.3", "anything.example", "localhost"])
def test_machines_may_ask_by_any_name_without_a_session_over_plain_http(
    client: Client, settings: Any, path: str, host: str
) -> None:
    settings.SECURE_SSL_REDIRECT = True
    answer = client.get(path, headers={"host": host})
    assert answer.status_code == 200
    assert answer.cookies == {}
    assert "no-store" in answer["Cache-Control"]
    assert client.post(path, headers={"host": host}).status_code == 405


def test_people_may_not_ask_by_any_name(client: Client) -> None:
    assert client.get("/clubs/", headers={"host": "anything.example"}).status_code == 400


def test_health_asks_nothing_of_the_database(client: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        assert client.get("/healthz").content == b"ok\n"


def test_readiness_tells_which_sweeps_are_late_and_lets_visitors_in_all_the_same(client: Client) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 200
    late = answer.json()["sweeps"]
    assert late.startswith("late: ")
    assert "tidy" in late
    assert "matches" not in late, "what has nothing to do is not late"
    for sweep in sweeps.list_sweeps():
        sweeps.run(sweep.name, now=timezone.now())
    assert client.get("/readyz").json() == {"process": "ok", "database": "ok", "sweeps": "ok"}


def test_readiness_is_503_while_the_database_is_away(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    class Away:
        def cursor(self) -> None:
            raise OperationalError("connection refused")

    monkeypatch.setattr(views, "connection", Away())
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["database"] == "does not answer"
    assert "refused" not in answer.content.decode()
    assert client.get("/healthz").status_code == 200


@pytest.mark.skipif(connection.vendor != "sqlite", reason="a server's disk is its own affair")
def test_readiness_is_503_while_nothing_can_be_written(
    client: Client, monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path
    assert client.get("/readyz").status_code == 200
    monkeypatch.setattr(database_errors, "LEAST_ROOM", 1 << 60)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["database"] == "cannot write: the disk is full"


@pytest.mark.skipif(connection.vendor != "sqlite", reason="a server's disk is its own affair")
@pytest.mark.parametrize(("path", "place"), [("/", 0), ("/api/nowhere", -1)])
def test_whoever_writes_to_a_full_disk_is_told_so(
    monkeypatch: pytest.MonkeyPatch, path: str, place: int
) -> None:
    """SQLite itself refuses here: its file may not grow."""

    def write(_request: HttpRequest, **_: object) -> HttpResponse:
        with connection.cursor() as cursor:
            before = cursor.execute("PRAGMA max_page_count").fetchone()[0]
            cursor.execute(f"PRAGMA max_page_count = {cursor.execute('PRAGMA page_count').fetchone()[0]}")
            try:
                cursor.execute("CREATE TABLE much AS SELECT randomblob(9000000) AS x")
            finally:
                cursor.execute(f"PRAGMA max_page_count = {before}")
        return HttpResponse()

    from config import urls

    monkeypatch.setattr(urls.urlpatterns[place], "callback", write)
    answer = Client(raise_request_exception=False).get(path)
    assert answer.status_code == 503
    assert "disk_full" in answer.text
    assert "half a minute" not in answer.text


def test_readiness_is_503_while_closing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HUB, "is_closing", True)
    assert client.get("/readyz").status_code == 503


def test_the_connection_is_still_good_after_all_this() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)
