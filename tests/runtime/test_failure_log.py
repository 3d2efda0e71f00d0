"""Errors that a client or an outage can cause: one log line and a count."""

from __future__ import annotations

import asyncio
import io
import logging
import threading
from collections.abc import AsyncIterator, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import structlog
from django.core.cache.backends.redis import RedisCache
from django.db import OperationalError, connection
from django.db.backends.signals import connection_created
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from redis.exceptions import ConnectionError as RedisGone

from config.logs import build_settings
from runtime import cache, failure_log, redis_calls
from runtime.failure_log import DATABASE, DatabaseAwayFilter, SecurityFilter
from runtime.http.middleware import SLOW_SECONDS, RequestLogMiddleware
from runtime.redis_calls import RedisCalls
from runtime.stream import relay
from runtime.stream.hub import HUB
from tests.runtime.support import until
from tests.runtime.test_database_errors import error_from_server


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """The log lines of `failure_log` and of the request log."""
    from runtime.http import middleware

    with structlog.testing.capture_logs() as captured:
        for module in (failure_log, middleware):
            monkeypatch.setattr(module, "log", structlog.wrap_logger(structlog.PrintLogger()))
        yield captured


@pytest.fixture(autouse=True)
def _at_peace() -> Iterator[None]:
    yield
    DATABASE._failures = 0


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """The output of the standard library's loggers through the product's filters."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.addFilter(DatabaseAwayFilter())
    handler.addFilter(SecurityFilter())
    root, django = logging.getLogger(), logging.getLogger("django")
    kept, root.handlers = root.handlers, [handler]
    before, django.propagate = django.propagate, True
    yield stream
    root.handlers, django.propagate = kept, before


def test_the_filters_stand_before_the_only_handler() -> None:
    ours = build_settings(level="INFO", shape="console")
    assert list(ours["handlers"]) == ["stderr"]
    assert set(ours["handlers"]["stderr"]["filters"]) == set(ours["filters"]) == {"database_away", "security"}


# A stranger


@pytest.mark.django_db
def test_foreign_hosts_write_one_line_however_many_there_are(
    client: Client, written: io.StringIO, lines: list[dict[str, Any]]
) -> None:
    for n in range(40):
        assert client.get("/clubs/", headers={"Host": f"evil{n}.example"}).status_code == 400
    assert written.getvalue() == ""
    (line,) = [each for each in lines if each["event"] == "request.refused"]
    assert (line["kind"], line["count"]) == ("DisallowedHost", 1)
    assert "evil0.example" in line["why"]


def test_the_next_line_a_minute_later_says_how_many_there_were(
    lines: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(failure_log, "time", SimpleNamespace(monotonic=lambda: now[0]))
    ours = SecurityFilter()
    record = logging.LogRecord("django.security.DisallowedHost", logging.ERROR, "", 1, "no", None, None)
    for _ in range(40):
        assert not ours.filter(record)
    now[0] = failure_log.REFUSAL_SECONDS + 1
    assert not ours.filter(record)
    assert [line["count"] for line in lines] == [1, 40]
    assert ours.filter(logging.LogRecord("django.request", logging.ERROR, "", 1, "no", None, None))


# A database that is away


def test_a_database_that_is_away_writes_a_line_when_it_goes_and_one_when_it_is_back(
    written: io.StringIO, lines: list[dict[str, Any]]
) -> None:
    for _ in range(38):
        try:
            raise error_from_server("57P01")
        except OperationalError:
            logging.getLogger("django.request").exception("Internal Server Error")
            structlog.wrap_logger(
                logging.getLogger("runtime.work.sweeps"),
                processors=[structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
                wrapper_class=structlog.stdlib.BoundLogger,
            ).exception("sweep.failed")
    assert written.getvalue() == ""
    assert [line["event"] for line in lines] == ["database.away"]
    connection_created.send(sender=type(connection), connection=connection)
    connection_created.send(sender=type(connection), connection=connection)
    assert [line["event"] for line in lines] == ["database.away", "database.back"]
    assert lines[1]["failures"] == 76


def test_what_a_database_refuses_keeps_its_traceback(written: io.StringIO, lines: list[Any]) -> None:
    for error in (error_from_server("55P03"), error_from_server("54001"), ValueError("no")):
        try:
            raise error
        except Exception:
            logging.getLogger("runtime.test").exception("failed")
    assert written.getvalue().count("Traceback") == 3
    assert not lines


def test_an_error_that_came_of_a_lost_connection_is_one_of_them(written: io.StringIO) -> None:
    try:
        try:
            raise error_from_server(None)
        except OperationalError as error:
            raise RuntimeError("it could not be read") from error
    except RuntimeError:
        logging.getLogger("runtime.test").exception("failed")
    assert written.getvalue() == ""


# Redis


def test_calls_that_are_lost_are_counted(
    lines: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = RedisCalls()
    for _ in range(956):
        ours.submit(lambda: 1 / 0)
    done = threading.Event()
    monkeypatch.setattr(redis_calls, "REST_SECONDS", 0.0)
    until(lambda: ours._streak._failures == 956)
    assert [line["event"] for line in lines] == ["redis.calls_lost"]
    assert "ZeroDivisionError" in lines[0]["error"]
    until(lambda: (ours.submit(done.set), done.is_set())[1])
    until(lambda: len(lines) > 1)
    assert lines[1]["event"] == "redis.calls_made_again"
    assert lines[1]["failures"] >= 956


def test_a_redis_that_is_away_writes_two_lines_of_the_cache(
    lines: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: RedisCache, key: str) -> None:
        raise RedisGone(key)

    monkeypatch.setattr(cache, "REST_SECONDS", 0.0)
    servers = [cache.ForgivingRedisCache("redis://nowhere:1/0", {}) for _ in range(2)]
    with monkeypatch.context() as patch:
        patch.setattr(RedisCache, "get", fail)
        for _ in range(3):
            # Each thread has its own cache.
            for each in servers:
                each.get("a")
    monkeypatch.setattr(RedisCache, "get", lambda self, key: key)
    assert [each.get("a") for each in servers] == ["a", "a"]
    assert [line["event"] for line in lines] == ["cache.redis_gone", "cache.redis_back"]
    assert lines[0]["error"] == "ConnectionError: a"
    assert lines[1]["failures"] == 6


def test_a_redis_that_is_away_writes_two_lines_of_the_relay(
    lines: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Subscriber:
        """A client that reaches nothing three times, then subscribes and is ended."""

        tries = 0

        def pubsub(self, **_: object) -> Subscriber:
            return self

        async def __aenter__(self) -> Subscriber:
            Subscriber.tries += 1
            if Subscriber.tries <= 3:
                raise RedisGone("away")
            return self

        async def __aexit__(self, *_: object) -> None: ...

        async def aclose(self) -> None: ...

        async def subscribe(self, _: str) -> None: ...

        async def listen(self) -> AsyncIterator[dict[str, bytes]]:
            if Subscriber.tries == 0:
                yield {}
            raise asyncio.CancelledError

    monkeypatch.setattr(relay, "SHORTEST_PAUSE", 0.0)
    monkeypatch.setattr("redis.asyncio.Redis.from_url", lambda *_, **__: Subscriber())
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(relay.Relay()._listen())
    assert [line["event"] for line in lines] == ["relay.redis_gone", "relay.redis_back"]
    assert lines[1]["failures"] == 3


def test_looks_that_fail_write_two_lines(
    lines: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([OperationalError("away"), OperationalError("away"), None, asyncio.CancelledError()])

    async def look() -> None:
        if (answer := next(answers)) is not None:
            raise answer

    monkeypatch.setattr(relay, "LOOK_SECONDS", 0.0)
    monkeypatch.setattr(relay, "LOOK_SECONDS_ALONE", 0.0)
    monkeypatch.setattr(HUB, "look", look)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(relay.Relay()._compare_regularly())
    assert [line["event"] for line in lines] == ["relay.look_failed", "relay.look_succeeded"]
    assert lines[1]["failures"] == 2


# Requests


@pytest.mark.parametrize(
    ("status", "seconds", "level"),
    [
        (200, 0.0, "debug"),
        (404, 0.0, "debug"),
        (200, SLOW_SECONDS, "warning"),
        (500, 0.0, "error"),
        (503, 0.0, "error"),
    ],
)
def test_by_default_only_failed_and_slow_requests_are_logged(
    monkeypatch: pytest.MonkeyPatch, lines: list[dict[str, Any]], status: int, seconds: float, level: str
) -> None:
    watch = iter([0.0, seconds])
    monkeypatch.setattr("time.perf_counter", lambda: next(watch, seconds))
    RequestLogMiddleware(lambda _request: HttpResponse(status=status))(RequestFactory().get("/"))
    assert [(line["event"], line["log_level"]) for line in lines] == [("answered", level)]


def test_requests_that_fail_while_the_database_is_away_write_no_lines(lines: list[dict[str, Any]]) -> None:
    def view(_request: HttpRequest) -> HttpResponse:
        DATABASE.fail(error_from_server("08006"))
        return HttpResponse(status=503)

    for _ in range(9):
        RequestLogMiddleware(view)(RequestFactory().get("/"))
    assert [line["event"] for line in lines] == ["database.away"]
