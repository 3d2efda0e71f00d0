"""`/live/` over a real socket: what a browser would see."""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import transaction

from runtime import addresses, stream
from runtime.models import TopicEvent
from runtime.stream import app, events
from runtime.stream.hub import HUB
from tests.runtime.support import Listener, get, until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _nobody_left() -> Iterator[None]:
    until(lambda: HUB.open_streams == 0)
    yield
    until(lambda: HUB.open_streams == 0, within=5)


def say(n: int, *, now: datetime, topic: str = "club.a") -> None:
    stream.publish(topic, "n", {"n": n}, now=now)


def numbers(listener: Listener, count: int) -> list[int]:
    return [listener.event()["data"]["n"] for _ in range(count)]


def test_a_stream_begins_with_hello_and_its_position(front: int, now: datetime) -> None:
    say(1, now=now)
    with Listener(front, stream.create_token(["club.a", "club.b"])) as listener:
        assert listener.answer.status == 200
        assert listener.answer.headers["Content-Type"].startswith("text/event-stream")
        assert listener.answer.headers["Cache-Control"] == "no-store"
        assert listener.answer.headers["X-Accel-Buffering"] == "no"
        assert listener.event() == {"name": "hello"}
        assert listener.last_id == "1-0"


def test_an_event_arrives_at_once_and_carries_topic_number_name_and_data(front: int, now: datetime) -> None:
    with Listener(front, stream.create_token(["club.a"])) as listener:
        listener.event()
        say(7, now=now)
        assert listener.event() == {"topic": "club.a", "seq": 1, "name": "n", "data": {"n": 7}}
        assert listener.last_id == "1"


def test_what_was_rolled_back_is_not_heard(front: int, now: datetime) -> None:
    with Listener(front, stream.create_token(["club.a"])) as listener:
        listener.event()
        with transaction.atomic():
            say(1, now=now)
            transaction.set_rollback(True)
        say(2, now=now)
        assert numbers(listener, 1) == [2]


def test_a_token_opens_its_own_topics_and_no_other(front: int, now: datetime) -> None:
    with Listener(front, stream.create_token(["club.a"])) as listener:
        listener.event()
        say(1, now=now, topic="club.b")
        say(2, now=now)
        assert numbers(listener, 1) == [2]


@pytest.mark.parametrize("by", ["last_event_id", "after"])
def test_who_comes_back_gets_exactly_what_was_missed(front: int, now: datetime, by: str) -> None:
    token = stream.create_token(["club.a", "club.b"])
    with Listener(front, token) as listener:
        listener.event()
        say(1, now=now)
        say(2, now=now, topic="club.b")
        assert numbers(listener, 2) == [1, 2]
        last = listener.last_id
    assert last == "1-1"
    until(lambda: HUB.open_streams == 0)
    for n in (3, 4, 5):
        say(n, now=now)
    say(6, now=now, topic="club.b")
    with Listener(front, token, **{by: last}) as listener:
        assert listener.event() == {"name": "hello"}
        assert numbers(listener, 4) == [3, 4, 5, 6]
        say(7, now=now)
        assert numbers(listener, 1) == [7]


def test_what_happened_between_the_page_and_its_stream_is_heard(front: int, now: datetime) -> None:
    token = stream.create_token(["club.a"])
    say(1, now=now)
    with Listener(front, token) as listener:
        listener.event()
        assert numbers(listener, 1) == [1]


@pytest.mark.parametrize("nonsense", ["", "x", "1-2", "-1", "1.5", "9" * 40, "²", "1-", "%00"])
def test_a_last_id_that_makes_no_sense_counts_as_none(front: int, now: datetime, nonsense: str) -> None:
    token = stream.create_token(["club.a"])
    say(1, now=now)
    with Listener(front, token, last_event_id=nonsense) as listener:
        listener.event()
        assert numbers(listener, 1) == [1]


def test_who_missed_what_is_not_kept_any_more_is_told_to_start_afresh(front: int, now: datetime) -> None:
    token = stream.create_token(["club.a", "club.b"])
    for n in range(3):
        say(n, now=now - events.KEPT_FOR - timedelta(seconds=1))
    assert events.prune(now=now) == 3
    say(4, now=now, topic="club.b")
    with Listener(front, token) as listener:
        listener.event()
        heard = [listener.event(), listener.event()]
        assert {"name": "resync", "topic": "club.a"} in heard
        assert [e["data"] for e in heard if e["name"] == "n"] == [{"n": 4}]
        assert listener.last_id == "3-1"
        say(5, now=now)
        assert numbers(listener, 1) == [5]


def test_who_has_seen_more_than_there_is_starts_afresh(front: int, now: datetime) -> None:
    say(1, now=now)
    with Listener(front, stream.create_token(["club.a"]), last_event_id="40") as listener:
        listener.event()
        assert listener.event() == {"name": "resync", "topic": "club.a"}
        assert listener.last_id == "1"


def test_a_burst_is_heard_whole_and_in_order(front: int, now: datetime) -> None:
    with Listener(front, stream.create_token(["club.a"])) as listener:
        listener.event()
        with transaction.atomic():
            for n in range(150):
                say(n, now=now)
        assert numbers(listener, 150) == list(range(150))


def test_twenty_readers_hear_the_same(front: int, now: datetime) -> None:
    token = stream.create_token(["club.a"])
    listeners = [Listener(front, token) for _ in range(20)]
    try:
        for listener in listeners:
            listener.event()
        assert HUB.open_streams == 20
        assert b"barpoint_streams_open 20" in get(front, "/metrics")[1]
        for n in range(5):
            say(n, now=now)
        for listener in listeners:
            assert numbers(listener, 5) == list(range(5))
    finally:
        for listener in listeners:
            listener.close()


@pytest.mark.parametrize("token", ["", "forged", None])
def test_without_a_valid_token_there_is_no_stream(front: int, token: str | None) -> None:
    path = "/live/" if token is None else f"/live/?t={token}"
    status, body, headers = get(front, path)
    assert status == 403
    assert b"Reload" in body
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_a_stream_is_only_read(front: int, method: str) -> None:
    assert get(front, f"/live/?t={stream.create_token(['club.a'])}", method=method)[0] == 405


def test_head_gets_the_head_and_no_stream(front: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", front, timeout=3)
    connection.request("HEAD", f"/live/?t={stream.create_token(['club.a'])}")
    answer = connection.getresponse()
    assert (answer.status, answer.read()) == (200, b"")
    assert answer.headers["Content-Type"].startswith("text/event-stream")
    # The request is over: the connection takes the next one.
    connection.request("GET", "/healthz")
    assert connection.getresponse().read() == b"ok\n"
    connection.close()
    assert get(front, "/live/?t=forged", method="HEAD")[0] == 403


def test_a_silent_stream_is_kept_alive_by_comments(
    front: int, monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    monkeypatch.setattr(app, "KEEPALIVE_SECONDS", 0.05)
    with Listener(front, stream.create_token(["club.a"])) as listener:
        listener.event()
        assert [listener.block() for _ in range(3)] == [[":"]] * 3
        say(1, now=now)
        assert numbers(listener, 1) == [1]


def test_who_leaves_is_forgotten(front: int) -> None:
    listener = Listener(front, stream.create_token(["club.a"]))
    listener.event()
    assert HUB.open_streams == 1
    assert "club.a" in HUB._topics
    listener.close()
    until(lambda: HUB.open_streams == 0, within=5)
    assert HUB._topics == {}


def test_who_is_cut_off_without_a_word_is_forgotten_too(front: int) -> None:
    raw = socket.create_connection(("127.0.0.1", front))
    raw.sendall(f"GET /live/?t={stream.create_token(['club.a'])} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    until(lambda: HUB.open_streams == 1)
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")
    raw.close()
    until(lambda: HUB.open_streams == 0, within=5)


def test_when_there_are_too_many_streams_the_next_is_asked_to_wait(
    front: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "MOST_STREAMS", 1)
    with Listener(front, stream.create_token(["club.a"])) as listener:
        listener.event()
        status, _, headers = get(front, f"/live/?t={stream.create_token(['club.a'])}")
        assert status == 503
        assert int(headers["retry-after"]) > 0


def test_one_address_has_only_so_many_streams_and_a_place_becomes_free(front: int, settings: Any) -> None:
    settings.STREAMS_PER_ADDRESS = 1
    address = f"/live/?t={stream.create_token(['club.a'])}"
    with Listener(front, stream.create_token(["club.a"])) as listener:
        listener.event()
        assert get(front, address)[0] == 429
    until(lambda: HUB.open_streams == 0, within=5)
    with Listener(front, stream.create_token(["club.a"])) as listener:
        listener.event()


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, [b"192.0.2.7"], "203.0.113.9"),
        (1, [b"192.0.2.7"], "192.0.2.7"),
        (1, [b"6.6.6.6, 192.0.2.7"], "192.0.2.7"),
        (1, [b"6.6.6.6", b"192.0.2.7"], "192.0.2.7"),
        (2, [b"6.6.6.6, 192.0.2.7, 10.0.0.1"], "192.0.2.7"),
        (2, [b"192.0.2.7"], "203.0.113.9"),
    ],
)
def test_behind_a_proxy_a_stream_belongs_to_whom_the_proxy_saw(
    proxies: int, forwarded: list[bytes], address: str, settings: Any
) -> None:
    settings.TRUSTED_PROXIES = proxies
    headers = [(b"x-forwarded-for", value) for value in forwarded]
    assert addresses.find_networks({"client": ("203.0.113.9", 4242), "headers": headers}) == (address,)  # type: ignore[arg-type, typeddict-item]


def test_a_closing_hub_sends_everyone_home_with_a_time_to_come_back(front: int) -> None:
    listeners = [Listener(front, stream.create_token(["club.a"])) for _ in range(3)]
    try:
        for listener in listeners:
            listener.event()
        HUB.call_soon(HUB.close)
        for listener in listeners:
            (line,) = listener.block()
            word, _, milliseconds = line.partition(": ")
            assert word == "retry"
            assert 500 <= int(milliseconds) <= 3000
            with pytest.raises(EOFError):
                listener.block()
        status, body, _ = get(front, "/readyz")
        assert status == 503
        assert b"closing" in body
        assert get(front, "/healthz")[0] == 200
    finally:
        HUB.is_closing = False
        for listener in listeners:
            listener.close()


def test_who_comes_to_a_process_that_is_ending_is_told_to_come_back(front: int) -> None:
    """Not refused: a browser takes a 503 for the end of its stream."""
    HUB.close()
    try:
        with Listener(front, stream.create_token(["club.a"])) as listener:
            assert listener.answer.status == 200
            assert listener.event() == {"name": "hello"}
            assert listener.block()[0].startswith("retry: ")
            with pytest.raises(EOFError):
                listener.block()
    finally:
        HUB.is_closing = False
    until(lambda: HUB.open_streams == 0)


def test_a_reader_who_does_not_read_holds_up_nobody(front: int, now: datetime) -> None:
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.connect(("127.0.0.1", front))
    raw.sendall(f"GET /live/?t={stream.create_token(['club.a'])} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    until(lambda: HUB.open_streams == 1)
    try:
        with Listener(front, stream.create_token(["club.a"])) as listener:
            listener.event()
            for n in range(60):
                stream.publish("club.a", "n", {"n": n, "text": "x" * 20_000}, now=now)
            assert numbers(listener, 60) == list(range(60))
    finally:
        raw.close()


def test_pages_are_answered_while_streams_are_open(front: int) -> None:
    with Listener(front, stream.create_token(["club.a"])) as listener:
        listener.event()
        assert get(front, "/healthz")[:2] == (200, b"ok\n")


def test_two_who_publish_at_once_are_heard_in_the_order_of_their_numbers(front: int, now: datetime) -> None:
    with Listener(front, stream.create_token(["club.a"])) as listener:
        listener.event()

        def publish_some() -> None:
            from django.db import connections

            for n in range(20):
                say(n, now=now)
            connections.close_all()

        threads = [threading.Thread(target=publish_some) for _ in range(4)]
        for thread in threads:
            thread.start()
        seqs = [listener.event(within=10)["seq"] for _ in range(80)]
        for thread in threads:
            thread.join()
        assert seqs == list(range(1, 81))
    assert TopicEvent.objects.count() == 80


def test_a_page_that_follows_nothing_may_still_ask(front: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", front, timeout=5)
    connection.request("GET", f"/live/?t={stream.create_token([])}")
    answer: Any = connection.getresponse()
    assert answer.status == 200
    assert answer.readline() == b"id: \n"
    answer.close()
    connection.close()
