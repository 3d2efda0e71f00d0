"""Events of topics: numbered without gaps, announced after the commit, and read with tokens."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.core import signing
from django.db import IntegrityError, transaction
from django.template import Context, Template

from runtime import stream
from runtime.install import verifiers
from runtime.models import Topic, TopicEvent
from runtime.stream import events, relay, tokens
from runtime.stream.events import Event
from tests.runtime.support import Undone, together, undone

pytestmark = pytest.mark.django_db


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> list[Event]:
    heard: list[Event] = []
    monkeypatch.setattr(relay, "broadcast", heard.append)
    return heard


def test_events_of_a_topic_are_numbered_from_one(now: datetime) -> None:
    assert [stream.publish("club.a", "n", {"n": n}, now=now) for n in (1, 2, 3)] == [1, 2, 3]
    assert stream.publish("club.b", "n", {}, now=now) == 1
    assert events.load_heads(["club.a", "club.b", "club.c"]) == {"club.a": 3, "club.b": 1, "club.c": 0}
    kept = events.find_source("club.a").since("club.a", 1, 200)
    assert [(e.seq, e.name, e.data) for e in kept] == [(2, "n", {"n": 2}), (3, "n", {"n": 3})]
    assert len(events.find_source("club.a").since("club.a", 0, 2)) == 2


def test_an_event_for_several_topics_is_numbered_in_each_by_two_statements(
    now: datetime, django_assert_num_queries: Callable[[int], Any]
) -> None:
    stream.publish("club.b", "n", {}, now=now)
    with django_assert_num_queries(2):
        given = stream.publish_to(["club.b", "club.a"], "n", {"n": 1}, now=now)
    assert given == events.load_heads(["club.a", "club.b"]) == {"club.a": 1, "club.b": 2}
    kept = [events.find_source(topic).since(topic, 0, 200)[-1] for topic in ("club.a", "club.b")]
    assert [(one.topic, one.seq, one.name, one.data) for one in kept] == [
        ("club.a", 1, "n", {"n": 1}),
        ("club.b", 2, "n", {"n": 1}),
    ]


@pytest.mark.django_db(transaction=True)
def test_readers_hear_after_the_commit_and_never_of_what_was_rolled_back(
    now: datetime, announced: list[Event]
) -> None:
    with transaction.atomic():
        stream.publish("club.a", "n", {}, now=now)
        assert announced == []
    assert [e.seq for e in announced] == [1]
    with pytest.raises(Undone), transaction.atomic():
        undone(lambda: stream.publish("club.a", "n", {}, now=now))
    assert [e.seq for e in announced] == [1]
    stream.publish("club.a", "n", {}, now=now)
    assert [e.seq for e in announced] == [1, 2], "a number that was rolled back is given again"


@pytest.mark.django_db(transaction=True)
def test_eight_publishers_leave_no_gap_and_no_double(now: datetime, announced: list[Event]) -> None:
    given = together(
        8, lambda place: [stream.publish("club.a", "n", {"by": place}, now=now) for _ in range(15)]
    )
    numbers = sorted(number for each in given for number in each)
    assert numbers == list(range(1, 121))
    assert list(TopicEvent.objects.order_by("seq").values_list("seq", flat=True)) == numbers
    assert Topic.objects.get().head == 120
    assert sorted(e.seq for e in announced) == numbers


@pytest.mark.django_db(transaction=True)
def test_without_the_counted_row_publishers_collide(now: datetime) -> None:
    met = threading.Barrier(4)

    def number_by_looking(_: int) -> str:
        last = (
            TopicEvent.objects.filter(topic="club.a").order_by("-seq").values_list("seq", flat=True).first()
            or 0
        )
        met.wait(10)
        try:
            TopicEvent.objects.create(topic="club.a", seq=last + 1, name="n", created_at=now)
        except IntegrityError:
            return "collided"
        return "kept"

    assert sorted(together(4, number_by_looking)) == ["collided"] * 3 + ["kept"]


def test_prune_forgets_old_events_and_keeps_the_count(now: datetime) -> None:
    stream.publish("club.a", "n", {}, now=now - events.KEPT_FOR - timedelta(seconds=1))
    stream.publish("club.a", "n", {}, now=now)
    assert events.prune(now=now) == 1
    assert events.load_heads(["club.a"]) == {"club.a": 2}
    assert stream.publish("club.a", "n", {}, now=now) == 3


@pytest.mark.parametrize("ages", [(9, 9, 0, 9), (0, 9, 0), (9, 0, 9, 9), (9, 9, 9), (0, 0), (9, 0, 9, 0, 9)])
def test_prune_leaves_no_gap_whatever_the_clock_said(ages: tuple[int, ...], now: datetime) -> None:
    old = events.KEPT_FOR + timedelta(seconds=1)
    for age in ages:
        stream.publish("club.a", "n", {}, now=now - old if age else now)
        stream.publish("club.b", "n", {}, now=now)
    events.prune(now=now)
    assert list(verifiers.verify_topics()) == []
    kept = list(TopicEvent.objects.filter(topic="club.a").order_by("seq").values_list("seq", flat=True))
    # All that is recent, and what came after it.
    first = next((place for place, age in enumerate(ages) if not age), len(ages))
    assert kept == list(range(first + 1, len(ages) + 1))
    assert TopicEvent.objects.filter(topic="club.b").count() == len(ages)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"a": 1},
        {"text": "Zeile\nzwei\r\n\u2028"},
        {"text": 'a "quote" and \\'},
        {"n": [1, {"x": None}]},
        {"t": "⚀⚅"},
    ],
)
def test_an_event_is_one_data_line_and_survives_the_way_between_processes(data: dict[str, Any]) -> None:
    event = Event("club.a", 7, "name", data)
    assert event.wire.endswith(b"\n\n")
    line = event.wire[:-2].decode()
    assert "\n" not in line
    assert "\r" not in line
    assert json.loads(line.removeprefix("data: ")) == {
        "topic": "club.a",
        "seq": 7,
        "name": "name",
        "data": data,
    }
    assert Event.from_json(event.as_json()) == event
    assert Event.from_json(event.as_json()).wire == event.wire


def test_a_family_of_topics_may_have_a_source_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    class Journal:
        def heads(self, topics: list[str]) -> dict[str, int]:
            return dict.fromkeys(topics, 42)

        def since(self, topic: str, seq: int, limit: int) -> list[Event]:
            return []

    monkeypatch.setattr(events, "_sources", {})
    events.register_source("match", Journal())  # type: ignore[arg-type]
    assert events.load_heads(["match.1", "club.a"]) == {"match.1": 42, "club.a": 0}


# Tokens


def test_a_token_gives_back_its_topics_and_where_they_stood(now: datetime) -> None:
    stream.publish("club.a", "n", {}, now=now)
    assert tokens.verify_token(stream.create_token(["club.a", "user.9"])).positions == {
        "club.a": 1,
        "user.9": 0,
    }


def test_a_watch_keeps_the_position_of_the_moment_it_was_taken(now: datetime) -> None:
    """No event between reading the positions of a page's topics and reading its rows may be lost."""
    seen = stream.record_positions("club.a")
    stream.publish("club.a", "n", {}, now=now)
    assert tokens.verify_token(stream.create_token([seen, "user.9"])).positions == {"club.a": 0, "user.9": 0}


def test_no_token_is_needed_to_read_nothing() -> None:
    assert tokens.verify_token(stream.create_token([])).positions == {}


def test_a_token_for_too_many_topics_is_a_mistake() -> None:
    most = [f"club.{n:074}" for n in range(12)]
    longest = stream.create_token(most)
    assert list(tokens.verify_token(longest).positions) == most
    assert len(longest) < 2000, "it is part of an address"
    with pytest.raises(ValueError, match="12"):
        stream.create_token([f"club.{n}" for n in range(tokens.MOST_TOPICS + 1)])


def test_an_expired_token_is_bad() -> None:
    with time_machine.travel(datetime(2026, 3, 5, 19, 0, tzinfo=UTC), tick=False) as clock:
        good = stream.create_token(["club.a"])
        clock.shift(tokens.VALID_SECONDS - 1)
        assert tokens.verify_token(good).positions == {"club.a": 0}
        clock.shift(2)
        with pytest.raises(tokens.BadToken):
            tokens.verify_token(good)


def _changed(value: str, at: int) -> str:
    return value[:at] + ("A" if value[at] != "A" else "B") + value[at + 1 :]


def test_a_token_with_any_letter_changed_is_bad() -> None:
    good = stream.create_token(["club.a"])
    # The last letter of base64 carries bits that do not count.
    for place in range(len(good) - 1):
        with pytest.raises(tokens.BadToken):
            tokens.verify_token(_changed(good, place))


@pytest.mark.parametrize(
    "bad",
    ["", "x", ":::", "\x00", "é", "a" * 5000]
    + [
        signing.dumps(value, salt=tokens.SALT)
        for value in ("text", 7, None, [1, 2], [["a"]], [["a", "b"]], {"a": 1})
    ]
    + [signing.dumps([["club.a", 1]], salt="another"), signing.dumps([["club.a", 1]])],
    # After the colon comes the second it was signed in, which two test processes need not share.
    ids=lambda bad: ascii(bad.partition(":")[0][:8]),
)
def test_what_is_no_token_of_ours_is_bad(bad: str) -> None:
    with pytest.raises(tokens.BadToken):
        tokens.verify_token(bad)


def test_a_key_that_was_rotated_away_still_opens_for_a_while(settings: Any) -> None:
    good = stream.create_token(["club.a"])
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another key altogether, long enough"
    assert tokens.verify_token(good).positions == {"club.a": 0}
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(tokens.BadToken):
        tokens.verify_token(good)


class _Viewer:
    topic = "user.9"


@pytest.mark.parametrize(
    ("variables", "topics"),
    [
        ({}, None),
        ({"live_topics": ["club.a"]}, {"club.a"}),
        ({"viewer": _Viewer()}, {"user.9"}),
        ({"live_topics": ["club.a"], "viewer": _Viewer()}, {"club.a", "user.9"}),
        ({"live_topics": [], "viewer": object()}, None),
    ],
)
def test_a_page_gets_a_token_for_its_topics_and_its_viewer(
    variables: dict[str, Any], topics: set[str] | None
) -> None:
    text = Template("{% live_token %}").render(Context(variables))
    assert (set(tokens.verify_token(text).positions) if text else None) == topics
