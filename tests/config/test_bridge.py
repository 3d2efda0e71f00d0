"""The bridge between the loop and Django's threads: nothing of a request or an answer is lost or added on the way."""

from __future__ import annotations

import asyncio
import json
import threading
import time
import wsgiref.validate
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpResponse, StreamingHttpResponse
from django.urls import reverse

from config.front import bridge
from config.front.bridge import WsgiBridge
from config.front.limits import find_body_limit

Sent = list[dict[str, Any]]


def scope(**changes: Any) -> Any:
    return {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": "/",
        "raw_path": b"/",
        "query_string": b"",
        "root_path": "",
        "headers": [],
        "client": ("203.0.113.9", 4242),
        "server": ("127.0.0.1", 8000),
        **changes,
    }


def receiver(*messages: dict[str, Any]) -> Callable[[], Awaitable[Any]]:
    left = list(messages)

    async def receive() -> Any:
        return left.pop(0) if left else {"type": "http.disconnect"}

    return receive


def body(*pieces: bytes) -> list[dict[str, Any]]:
    return [
        {"type": "http.request", "body": piece, "more_body": place + 1 < len(pieces)}
        for place, piece in enumerate(pieces)
    ]


def send_request(application: Any, *messages: dict[str, Any], threads: int = 2, **changes: Any) -> Sent:
    """Ask one question of *application* and return what was sent."""
    sent: Sent = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def run() -> None:
        ours = WsgiBridge(application, threads=threads)
        try:
            await ours(scope(**changes), receiver(*(messages or body(b""))), send)
        finally:
            ours.close()

    asyncio.run(run())
    return sent


def text_of(sent: Sent) -> bytes:
    return b"".join(message.get("body", b"") for message in sent if message["type"] == "http.response.body")


def echo(view: Callable[[WSGIRequest], Any]) -> Any:
    """A WSGI application that reads its environment exactly as Django does."""

    def application(environ: dict[str, Any], start_response: Any) -> Any:
        response = view(WSGIRequest(environ))
        start_response(f"{response.status_code} {response.reason_phrase}", list(response.items()))
        return response

    return application


def capture_request(view: Callable[[WSGIRequest], Any], *messages: dict[str, Any], **changes: Any) -> Any:
    seen: list[Any] = []

    def note(request: WSGIRequest) -> HttpResponse:
        seen.append(view(request))
        return HttpResponse()

    send_request(echo(note), *messages, **changes)
    return seen[0]


# The environment


@pytest.mark.parametrize(
    ("headers", "wanted"),
    [
        ([(b"host", b"club.example")], {"HTTP_HOST": "club.example"}),
        ([(b"accept", b"a"), (b"accept", b"b")], {"HTTP_ACCEPT": "a,b"}),
        ([(b"cookie", b"a=1"), (b"cookie", b"b=2")], {"HTTP_COOKIE": "a=1; b=2"}),
        ([(b"x-forwarded-for", b"1.1.1.1"), (b"x-forwarded-for", b"2.2.2.2")], {"HTTP_X_FORWARDED_FOR": "1.1.1.1,2.2.2.2"}),
        ([(b"x_forwarded_for", b"6.6.6.6")], {"HTTP_X_FORWARDED_FOR": None}),
        ([(b"x-forwarded_for", b"6.6.6.6"), (b"x-forwarded-for", b"1.1.1.1")], {"HTTP_X_FORWARDED_FOR": "1.1.1.1"}),
        ([(b"content_length", b"99")], {"HTTP_CONTENT_LENGTH": None, "CONTENT_LENGTH": None}),
        ([(b"content-type", b"text/plain")], {"CONTENT_TYPE": "text/plain", "HTTP_CONTENT_TYPE": None}),
        ([(b"x-name", "Grüße".encode())], {"HTTP_X_NAME": "Grüße".encode().decode("latin-1")}),
        ([(b"x-empty", b"")], {"HTTP_X_EMPTY": ""}),
    ],
)  # fmt: skip
def test_headers_become_variables(headers: list[tuple[bytes, bytes]], wanted: dict[str, str | None]) -> None:
    env = capture_request(lambda request: dict(request.META), headers=headers)
    assert {name: env.get(name) for name in wanted} == wanted


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        (b"/", "/"),
        (b"/players/j%C3%BCrg/", "/players/jürg/"),
        ("/players/jürg/".encode(), "/players/jürg/"),
        (b"/a%20b", "/a b"),
        (b"/a+b", "/a+b"),
        (b"/a%252Fb", "/a%2Fb"),
        (b"/%E2%9A%80/", "/⚀/"),
    ],
)
def test_paths_arrive_as_django_would_read_them(raw: bytes, path: str) -> None:
    assert capture_request(lambda request: request.path_info, raw_path=raw, path="/never") == path


@pytest.mark.parametrize("path", ["/", "/players/jürg/", "/a b", "/a%2Fb", "/100%/"])
@pytest.mark.parametrize("raw", [None, b"", "missing"])
def test_a_server_that_gives_no_raw_path_is_believed_and_nothing_is_decoded_twice(
    path: str, raw: Any
) -> None:
    changes = {} if raw == "missing" else {"raw_path": raw}
    question = scope(path=path, **changes)
    if raw == "missing":
        del question["raw_path"]
    env = bridge.build_environ(question, b"", 0.0)
    assert WSGIRequest(env).path_info == path


def test_the_rest_of_the_environment_says_who_asks_what_of_whom() -> None:
    env = capture_request(
        lambda request: dict(request.META),
        method="POST",
        scheme="https",
        query_string=b"q=j%C3%BCrg&x=1",
        server=("club.example", 443),
        http_version="1.0",
    )
    assert {
        k: env[k] for k in ("REQUEST_METHOD", "QUERY_STRING", "REMOTE_ADDR", "SERVER_NAME", "SERVER_PORT")
    } == {
        "REQUEST_METHOD": "POST",
        "QUERY_STRING": "q=j%C3%BCrg&x=1",
        "REMOTE_ADDR": "203.0.113.9",
        "SERVER_NAME": "club.example",
        "SERVER_PORT": "443",
    }
    assert (env["wsgi.url_scheme"], env["SERVER_PROTOCOL"], env["SCRIPT_NAME"]) == ("https", "HTTP/1.0", "")


@pytest.mark.parametrize("absent", [{"client": None}, {"server": None}, {"server": ("/run/sock", None)}])
def test_a_socket_without_an_address_is_no_failure(absent: dict[str, Any]) -> None:
    assert capture_request(lambda request: request.META["REMOTE_ADDR"], **absent) in {"", "203.0.113.9"}


# The body


@pytest.mark.parametrize(
    "pieces",
    [
        (b"",),
        (b"one",),
        (b"one", b"", b"two", b"three"),
        (b"x" * find_body_limit("/").size,),
        (b"x" * 1_000, b"y"),
        (b"a" * 70_000, b"b" * 70_000, b"c" * 70_000),
    ],
    ids=["empty", "one", "pieces", "just in memory", "one too many", "on disk"],
)
@pytest.mark.parametrize("is_chunked", [False, True])
def test_a_body_arrives_whole_whatever_its_size_and_pieces(
    pieces: tuple[bytes, ...], is_chunked: bool, settings: Any
) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = None
    whole = b"".join(pieces)
    headers = (
        [(b"transfer-encoding", b"chunked")]
        if is_chunked
        else [(b"content-length", str(len(whole)).encode())]
    )
    assert (
        capture_request(lambda request: request.body, *body(*pieces), method="POST", headers=headers) == whole
    )


@pytest.mark.parametrize("path", ["/clubs/", "/api/v1/me/"])
def test_a_body_that_is_too_large_is_refused_and_nothing_is_called(path: str) -> None:
    called: list[int] = []
    piece = b"x" * (find_body_limit(path).size // 4)
    pieces = body(piece, piece, piece, piece, b"y")
    sent = send_request(echo(lambda request: called.append(1)), *pieces, method="POST", path=path)
    assert sent[0]["status"] == 413
    assert f"{find_body_limit(path).size // 1024} KiB".encode() in text_of(sent)
    assert called == []


def test_a_body_announced_as_too_large_is_not_read() -> None:
    headers = [(b"content-length", str(find_body_limit("/").size + 1).encode())]
    read: list[int] = []

    async def receive() -> Any:
        read.append(1)
        return {"type": "http.disconnect"}

    sent: Sent = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def run() -> None:
        ours = WsgiBridge(echo(lambda request: HttpResponse()), threads=1)
        await ours(scope(method="POST", headers=headers), receive, send)
        ours.close()

    asyncio.run(run())
    assert sent[0]["status"] == 413
    assert read == []


def test_the_api_refuses_a_large_body_in_its_own_form() -> None:
    path = "/api/v1/me/"
    sent = send_request(
        echo(lambda request: HttpResponse()),
        *body(b"x" * find_body_limit(path).size, b"y"),
        method="POST",
        path=path,
    )
    assert dict(sent[0]["headers"])[b"content-type"] == b"application/problem+json"
    said = json.loads(text_of(sent))
    assert (said["status"], said["code"]) == (413, "too_large")


def test_a_body_of_exactly_the_most_is_taken(settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = None
    piece = b"x" * (find_body_limit("/").size // 4)
    sent = send_request(
        echo(lambda request: HttpResponse(len(request.body))),
        *body(piece, piece, piece, piece),
        method="POST",
    )
    # Without a length in the head it is the body that counts.
    assert sent[0]["status"] == 200
    assert text_of(sent) == str(find_body_limit("/").size).encode()


def test_a_thousand_lines_of_one_name_are_joined_once() -> None:
    class Counted(bytes):
        """A value that counts how often it is turned into text."""

        turned = 0

        def decode(self, *args: Any, **kwargs: Any) -> str:
            Counted.turned += 1
            return super().decode(*args, **kwargs)

    headers = [(b"x", Counted(b"a" * 30)) for _ in range(1_000)]
    env = bridge.build_environ(scope(headers=headers), b"", 0.0)
    assert env["HTTP_X"] == ",".join(["a" * 30] * 1_000)
    assert Counted.turned == 1_000


def test_who_leaves_before_the_end_of_the_question_gets_no_answer() -> None:
    called: list[int] = []
    sent = send_request(
        echo(lambda request: called.append(1)),
        {"type": "http.request", "body": b"half", "more_body": True},
        {"type": "http.disconnect"},
        method="POST",
    )
    assert sent == []
    assert called == []


# The answer


def test_status_headers_and_body_are_those_of_the_view() -> None:
    def view(request: WSGIRequest) -> HttpResponse:
        answer = HttpResponse("Grüße", status=418)
        answer["X-One"] = "1"
        answer.set_cookie("a", "1")
        answer.set_cookie("b", "2")
        return answer

    def application(environ: Any, start_response: Any) -> Any:
        answer = view(WSGIRequest(environ))
        cookies = [("Set-Cookie", morsel.OutputString()) for morsel in answer.cookies.values()]
        start_response("418 I'm a Teapot", [*answer.items(), *cookies])
        return answer

    start, *rest = send_request(application)
    assert start["status"] == 418
    assert (b"x-one", b"1") in start["headers"]
    assert [value for name, value in start["headers"] if name == b"set-cookie"] == [
        b"a=1; Path=/",
        b"b=2; Path=/",
    ]
    assert all(name == name.lower() for name, _ in start["headers"])
    assert rest == [{"type": "http.response.body", "body": "Grüße".encode(), "more_body": False}]


def test_a_streaming_answer_goes_out_piece_by_piece_while_it_is_made() -> None:
    made: list[int] = []
    sent: Sent = []
    seen_after: list[int] = []

    def pieces() -> Iterator[bytes]:
        for number in range(3):
            made.append(number)
            yield str(number).encode()

    async def send(message: Any) -> None:
        sent.append(message)
        seen_after.append(len(made))

    async def run() -> None:
        ours = WsgiBridge(echo(lambda request: StreamingHttpResponse(pieces())), threads=1)
        await ours(scope(), receiver(*body(b"")), send)
        ours.close()

    asyncio.run(run())
    assert [m.get("body") for m in sent[1:]] == [b"0", b"1", b"2", b""]
    assert [m.get("more_body") for m in sent[1:]] == [True, True, True, False]
    assert seen_after[1:4] == [1, 2, 3]


def test_an_answer_is_closed_when_it_was_sent_and_when_it_failed() -> None:
    closed: list[str] = []

    class Answer(HttpResponse):
        def close(self) -> None:
            closed.append("whole")
            super().close()

    class Stream(StreamingHttpResponse):
        def close(self) -> None:
            closed.append("streamed")
            super().close()

    def broken() -> Iterator[bytes]:
        yield b"a"
        raise ZeroDivisionError

    send_request(echo(lambda request: Answer("x")))
    send_request(echo(lambda request: Stream(iter([b"x"]))))
    with pytest.raises(ZeroDivisionError):
        send_request(echo(lambda request: Stream(broken())))
    assert closed == ["whole", "streamed", "streamed"]


def test_a_failure_of_the_application_reaches_the_server_and_the_next_request_is_answered() -> None:
    calls: list[int] = []
    sent: Sent = []

    def application(environ: Any, start_response: Any) -> Iterable[bytes]:
        calls.append(1)
        if len(calls) == 1:
            raise ZeroDivisionError
        start_response("200 OK", [])
        return HttpResponse("well")

    async def send(message: Any) -> None:
        sent.append(message)

    async def run() -> None:
        ours = WsgiBridge(application, threads=1)
        with pytest.raises(ZeroDivisionError):
            await ours(scope(), receiver(*body(b"")), send)
        assert sent == []
        await ours(scope(), receiver(*body(b"")), send)
        ours.close()

    asyncio.run(run())
    assert text_of(sent) == b"well"


def test_a_plain_wsgi_application_that_begins_late_is_heard() -> None:
    """PEP 3333: the head may come with the first piece, as a generator does it."""

    def late(environ: Any, start_response: Any) -> Iterator[bytes]:
        start_response("201 Created", [("X-Late", "yes")])
        yield b"one"
        yield b"two"

    sent = send_request(late)
    assert sent[0]["status"] == 201
    assert sent[0]["headers"] == [(b"x-late", b"yes")]
    assert text_of(sent) == b"onetwo"


def test_a_plain_wsgi_application_may_say_nothing_at_all() -> None:
    def silent(environ: Any, start_response: Any) -> list[bytes]:
        start_response("204 No Content", [])
        return []

    sent = send_request(silent)
    assert sent[0]["status"] == 204
    assert text_of(sent) == b""
    assert sent[-1]["more_body"] is False


@pytest.mark.parametrize(
    ("changes", "messages"),
    [
        ({}, body(b"")),
        (
            {"method": "POST", "headers": [(b"content-length", b"3"), (b"content-type", b"text/plain")]},
            body(b"a", b"bc"),
        ),
        (
            {
                "raw_path": b"/j%C3%BCrg",
                "query_string": b"a=b",
                "headers": [(b"host", b"x"), (b"cookie", b"a=1")],
            },
            body(b""),
        ),
        ({"method": "HEAD"}, body(b"")),
        ({"client": None, "server": None}, body(b"")),
    ],
)
@pytest.mark.filterwarnings("error")
def test_the_reference_validator_has_nothing_to_say(
    changes: dict[str, Any], messages: list[dict[str, Any]]
) -> None:
    def application(environ: Any, start_response: Any) -> list[bytes]:
        text = environ["wsgi.input"].read(10)
        environ["wsgi.errors"].flush()
        is_silent = environ["REQUEST_METHOD"] == "HEAD"
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [] if is_silent else [text, b"!"]

    sent = send_request(wsgiref.validate.validator(application), *messages, **changes)
    assert sent[0]["status"] == 200


# Many at once


def test_requests_are_answered_at_once_in_as_many_threads_as_there_are() -> None:
    met = threading.Barrier(4, timeout=10)

    def view(request: WSGIRequest) -> HttpResponse:
        met.wait()
        return HttpResponse(threading.current_thread().name)

    names: list[bytes] = []

    async def run() -> None:
        ours = WsgiBridge(echo(view), threads=4)

        async def one() -> None:
            sent: Sent = []

            async def send(message: Any) -> None:
                sent.append(message)

            await ours(scope(), receiver(*body(b"")), send)
            names.append(text_of(sent))

        await asyncio.gather(*(one() for _ in range(4)))
        ours.close()

    asyncio.run(run())
    assert len(set(names)) == 4


def test_the_loop_goes_on_while_a_page_is_made() -> None:
    is_made, go_on = threading.Event(), threading.Event()
    waited: list[bool] = []

    def make(request: object) -> HttpResponse:
        is_made.set()
        waited.append(go_on.wait(60))
        return HttpResponse()

    async def run() -> None:
        ours = WsgiBridge(echo(make), threads=1)
        waiting = asyncio.ensure_future(ours(scope(), receiver(*body(b"")), _swallow))
        while not is_made.is_set():
            await asyncio.sleep(0.01)
        go_on.set()
        await waiting
        ours.close()

    asyncio.run(run())
    assert waited == [True]


async def _swallow(message: Any) -> None:
    pass


def test_an_act_starts_before_pages_that_came_first() -> None:
    begun: list[str] = []
    may_end = threading.Event()

    def view(request: WSGIRequest) -> HttpResponse:
        begun.append(str(request.method))
        assert may_end.wait(10)
        return HttpResponse()

    async def run() -> None:
        ours = WsgiBridge(echo(view), threads=4, at_once=1, moment=60.0)
        runs = []
        for method in ("GET", "GET", "HEAD", "POST"):
            asked = ours(scope(method=method), receiver(*body(b"")), _swallow)
            runs.append(asyncio.ensure_future(asked))
            await asyncio.sleep(0)
        may_end.set()
        await asyncio.gather(*runs)
        ours.close()

    asyncio.run(run())
    assert begun == ["GET", "POST", "GET", "HEAD"]


def test_a_move_does_not_wait_for_pages() -> None:
    move = reverse("api:match-commands", args=["abcdefgh23"])
    begun: list[str] = []
    may_end = threading.Event()

    def view(request: WSGIRequest) -> HttpResponse:
        begun.append(f"{request.method} {request.path}")
        assert request.path == move or may_end.wait(10)
        return HttpResponse()

    async def run() -> None:
        ours = WsgiBridge(echo(view), threads=1)
        asked = [
            ("GET", "/"),
            ("POST", "/enter/"),
            ("GET", "/api/v1/matches/m/"),
            ("POST", move),
        ]
        runs = [
            asyncio.ensure_future(
                ours(scope(method=method, path=path, raw_path=path.encode()), receiver(*body(b"")), _swallow)
            )
            for method, path in asked
        ]
        await runs[-1]
        assert not {"POST /enter/", "GET /api/v1/matches/m/"} & {*begun}
        may_end.set()
        await asyncio.gather(*runs)
        ours.close()

    asyncio.run(run())
    assert len(begun) == len(set(begun)) == 4


def test_when_the_line_is_too_long_the_next_is_asked_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "LONGEST_LINE", 3)
    go_on = threading.Event()
    answers: list[int] = []

    async def run() -> None:
        ours = WsgiBridge(echo(lambda request: go_on.wait(10) and HttpResponse()), threads=1)

        async def one() -> None:
            sent: Sent = []

            async def send(message: Any) -> None:
                sent.append(message)

            # A request whose body arrives slowly waits in the queue like all others.
            async def receive() -> Any:
                await asyncio.sleep(0.02)
                return body(b"")[0]

            await ours(scope(), receive, send)
            answers.append(sent[0]["status"])
            if sent[0]["status"] == 503:
                assert (b"retry-after", b"2") in sent[0]["headers"]

        everyone = [asyncio.ensure_future(one()) for _ in range(8)]
        await asyncio.sleep(0.2)
        go_on.set()
        await asyncio.gather(*everyone)
        await one()
        ours.close()

    asyncio.run(run())
    assert sorted(answers) == [200] * 4 + [503] * 5
    assert answers[-1] == 200, "when the line is gone the next is served again"


def test_a_reader_that_is_slow_holds_a_thread_and_no_memory() -> None:
    made: list[int] = []
    may_read = asyncio.Event

    def pieces() -> Iterator[bytes]:
        for number in range(50):
            made.append(number)
            yield b"x" * 1000

    async def run() -> None:
        reading = may_read()

        async def send(message: Any) -> None:
            await reading.wait()

        ours = WsgiBridge(echo(lambda request: StreamingHttpResponse(pieces())), threads=1)
        answering = asyncio.ensure_future(ours(scope(), receiver(*body(b"")), send))
        await asyncio.sleep(0.1)
        assert len(made) <= 1
        reading.set()
        await answering
        ours.close()

    asyncio.run(run())
    assert len(made) == 50


def test_a_request_is_stamped_when_all_of_it_is_here() -> None:
    """Anyone who sends the head early and the rest late has come late; and no header says otherwise."""
    seen: list[float] = []

    def application(env: Any, start: Any) -> list[bytes]:
        seen.append(env["barpoint.received"])
        start("200 OK", [])
        return [b""]

    class Slow:
        """A caller who thinks between the first half of the body and the second."""

        def __init__(self) -> None:
            self.left = body(b"first ", b"second")
            self.began = 0.0

        async def receive(self) -> Any:
            if len(self.left) == 1:
                await asyncio.sleep(0.05)
                self.began = time.monotonic()
            return self.left.pop(0) if self.left else {"type": "http.disconnect"}

    slow = Slow()

    async def send(message: Any) -> None:
        pass

    async def run() -> None:
        ours = WsgiBridge(application, threads=1)
        headers = [(b"barpoint.received", b"0"), (b"barpoint-received", b"0"), (b"x-barpoint.received", b"0")]
        try:
            await ours(scope(method="POST", headers=headers), slow.receive, send)
        finally:
            ours.close()

    asyncio.run(run())
    assert slow.began <= seen[0] <= time.monotonic()


def test_a_file_is_answered_while_every_page_thread_is_busy() -> None:
    """The page waits for the file: if the file waited for a page's thread, neither would ever be answered."""
    file_is_served = threading.Event()
    waited: list[bool] = []

    def application(env: Any, start: Any) -> Iterable[bytes]:
        if env["PATH_INFO"].startswith("/static/"):
            file_is_served.set()
        else:
            # The limit only ends a test that would hang.
            waited.append(file_is_served.wait(20))
        start("200 OK", [])
        return HttpResponse("")

    async def send(_message: Any) -> None:
        pass

    async def run() -> None:
        ours = WsgiBridge(application, threads=1)
        try:
            page = asyncio.ensure_future(ours(scope(), receiver(*body(b"")), send))
            await asyncio.sleep(0)
            await ours(scope(path="/static/a.css", raw_path=b"/static/a.css"), receiver(*body(b"")), send)
            await page
        finally:
            ours.close()

    asyncio.run(run())
    assert waited == [True]
