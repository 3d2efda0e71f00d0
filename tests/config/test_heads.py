"""Limits on a request's head: refused in the event loop before a page, a file or a stream parses any of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from http import cookies
from typing import TYPE_CHECKING, Any

import django.http.cookie
import pytest

from config import asgi
from config.front import heads
from config.front.heads import check_head
from config.front.limits import Limits
from runtime.stream import app
from tests.config.test_bridge import receiver, scope

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

# 31 KB of escapes in quotes: 2 s of CPU for `http.cookies` before 3.11.10 and 3.12.6.
ATTACK = b'sessionid="' + rb"\a" * 15_500 + b'"'
SEVERAL_LINES = [(b"cookie", b"a%d=" % number + b"x" * 1_000) for number in range(5)]


def answer(**changes: Any) -> tuple[int, list[Any]]:
    """Ask the whole application, as every set-up serves it."""
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(asgi.application(scope(**changes), receiver(), send))
    return sent[0]["status"], sent


@pytest.fixture
def nothing_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    def parse(*_: Any) -> None:
        raise AssertionError("a cookie was parsed")

    async def serve(*_: Any) -> None:
        raise AssertionError("the request was passed on")

    monkeypatch.setattr(cookies, "_unquote", parse)
    monkeypatch.setattr(django.http.cookie, "parse_cookie", parse)
    monkeypatch.setattr(asgi, "bridge", serve)
    monkeypatch.setattr(asgi, "live", serve)


@pytest.mark.usefixtures("nothing_is_parsed")
@pytest.mark.parametrize(
    "path", ["/", "/live/", "/static/css/base.css", "/api/v1/clubs/", "/healthz", "/nowhere"]
)
@pytest.mark.parametrize(
    "lines",
    [
        [(b"cookie", ATTACK)],
        [(b"cookie", b"a=" + b"x" * heads.COOKIE_BYTES)],
        [(b"cookie", b'a="' + rb"\134" * (heads.COOKIE_ESCAPES + 1) + b'"')],
        [(b"cookie", b";" * heads.COOKIES)],
        SEVERAL_LINES,
    ],
    ids=["escapes", "long", "few escapes", "many", "several lines"],
)
def test_cookies_over_the_limit_are_refused_on_every_path(path: str, lines: list[Any]) -> None:
    status, sent = answer(path=path, raw_path=path.encode(), headers=lines)
    assert status == 431
    assert b"cookies" in sent[1]["body"]


def test_what_a_browser_sends_is_read() -> None:
    kept = b"sessionid=" + b"a" * 32 + b"; csrftoken=" + b"b" * 32 + b"; device=" + b"c" * 1_400
    message = b"messages=" + b"d" * 2_048
    assert check_head(scope(headers=[(b"cookie", kept), (b"cookie", message)])) is None


@pytest.mark.usefixtures("nothing_is_parsed")
@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"query_string": b"a=" + b"x" * heads.QUERY_BYTES}, 414),
        ({"query_string": b"&" * heads.QUERY_FIELDS}, 414),
        ({"path": "/" * (heads.PATH_PARTS + 1), "raw_path": b"/" * (heads.PATH_PARTS + 1)}, 414),
        ({"path": "/" * (heads.PATH_PARTS + 1), "raw_path": b"/" + b"%2f" * heads.PATH_PARTS}, 414),
        ({"path": "/a", "raw_path": b"/" + b"a" * heads.PATH_BYTES}, 414),
        ({"headers": [(b"accept-language", b"en," * 3_000)]}, 431),
        ({"headers": [(b"if-none-match", b'"a",' * 3_000)]}, 431),
        ({"headers": [(b"range", b"bytes=" + b"0-1," * 3_000)]}, 431),
        ({"headers": [(b"x-forwarded-for", b"::1," * 3_000)]}, 431),
        ({"headers": [(b"content-type", b"multipart/form-data; boundary=" + b"a" * heads.LINE_BYTES)]}, 431),
        ({"headers": [(b"x", b"y")] * (Limits().header_lines + 1)}, 431),
        ({"headers": [(b"x", b"y" * 8_000)] * 5}, 431),
    ],
)
def test_other_parts_of_a_head_are_bounded(changes: dict[str, Any], status: int) -> None:
    """Without the guard, too: this is the application, not the protocol."""
    assert answer(**changes)[0] == status


@pytest.mark.usefixtures("nothing_is_parsed")
def test_health_is_answered_by_the_event_loop_and_waits_for_no_thread() -> None:
    status, sent = answer(path="/healthz", raw_path=b"/healthz")
    assert (status, sent[1]["body"]) == (200, b"ok\n")
    assert answer(path="/healthz", raw_path=b"/healthz", method="HEAD")[1][1]["body"] == b""


def test_a_stream_finds_its_session_without_unquoting(
    monkeypatch: pytest.MonkeyPatch, settings: SettingsWrapper
) -> None:
    settings.SESSION_COOKIE_NAME = "sessionid"

    def refuse(_: str) -> str:
        raise AssertionError("unquoted")

    monkeypatch.setattr(cookies, "_unquote", refuse)
    find: Callable[..., str] = lambda *lines: app._read_session_key(  # noqa: E731
        scope(headers=[(b"cookie", line) for line in lines])
    )
    assert find(b'a="\\134"; sessionid=first', b"sessionid = last ;b=c") == "last"
    assert find(b"xsessionid=no; sessionid") == ""
    assert find() == ""
