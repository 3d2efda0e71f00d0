"""Network lag of a turn: measured by the server, with tokens that are valid for one player only."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.core import signing

from matches.play import callers
from matches.play.callers import RECEIVED, MatchRate
from matches.state import lag
from tests.matches.http import Bot, Caller
from tests.matches.support import Table, person

pytestmark = pytest.mark.django_db

START = datetime(2026, 3, 5, 19, 0, tzinfo=UTC)


@pytest.fixture
def watch() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(START, tick=False) as traveller:
        yield traveller


@pytest.fixture
def board(watch: time_machine.Traveller) -> tuple[Table, Bot]:
    """A board on which the client has to play, and the clock runs."""
    table = Table(START)
    table.begin()
    user = table.player(table.state.owing[0]).user
    assert user is not None
    return table, Bot(user, table.match.key)


def measure(
    bot: Bot, watch: time_machine.Traveller, milliseconds: int, token: str = ""
) -> tuple[str, int | None]:
    """Get a token, and send it back so much later."""
    path = f"matches/{bot.match}/pulse/"
    token = token or bot.post(path, {})["token"]
    watch.shift(timedelta(milliseconds=milliseconds))
    answer = bot.post(path, {"token": token})
    return answer["token"], answer["round_trip_ms"]


def test_the_round_trip_is_measured_and_smoothed(
    board: tuple[Table, Bot], watch: time_machine.Traveller
) -> None:
    _table, bot = board
    first = bot.post(f"matches/{bot.match}/pulse/", {})
    assert first["round_trip_ms"] is None
    assert first["server_time_ms"] == round(START.timestamp() * 1000)
    token, trip = measure(bot, watch, 100, first["token"])
    assert trip == 100
    token, trip = measure(bot, watch, 200, token)
    assert trip == 130
    _token, trip = measure(bot, watch, 60_000, token)
    assert trip == 130, "a browser that slept says nothing of the network"
    assert measure(bot, watch, 200_000, token)[1] is None, "too old"


def test_what_the_network_took_is_forgiven_as_far_as_it_was_measured(
    board: tuple[Table, Bot], watch: time_machine.Traveller
) -> None:
    table, bot = board
    token, trip = measure(bot, watch, 300)
    assert trip == 300
    since = table.state.clock.since  # type: ignore[union-attr]
    seen = bot.look()
    watch.shift(timedelta(seconds=20))
    at = round(START.timestamp() * 1000) + 20_300
    move = {"type": "move", "steps": seen["plays"][0]["steps"]}
    answer = bot.give(seen["snapshot"]["head"], move, thought_ms=at - since - 5_000, pulse=token)
    line = answer["frames"][0]["line"]
    assert line["at"] == at
    assert line["lag"] == 300 + lag.SLACK, "five seconds were claimed"


@pytest.mark.parametrize("spoil", ["", "nonsense", "other", "match", "old", "untimed"])
def test_nothing_is_forgiven_without_a_token_of_ones_own(
    board: tuple[Table, Bot], watch: time_machine.Traveller, spoil: str
) -> None:
    table, bot = board
    token, _trip = measure(bot, watch, 300)
    actor = callers._signer.unsign(token).rsplit(".", 3)[0]
    now = round(START.timestamp() * 1000) + 300
    token = {
        "": "",
        "nonsense": token[:-1] + ("A" if token[-1] != "A" else "B"),
        "other": callers.create_pulse_token(actor=f"{actor}1", key=bot.match, at=now, trip=300),
        "match": callers.create_pulse_token(actor=actor, key="0123456789", at=now, trip=300),
        "old": callers.create_pulse_token(actor=actor, key=bot.match, at=now - callers.LIVES_MS, trip=300),
        "untimed": callers.create_pulse_token(actor=actor, key=bot.match, at=now, trip=300),
    }[spoil]
    seen = bot.look()
    watch.shift(timedelta(seconds=5))
    thought = None if spoil == "untimed" else 1
    move = {"type": "move", "steps": seen["plays"][0]["steps"]}
    answer = bot.give(seen["snapshot"]["head"], move, thought_ms=thought, pulse=token)
    assert "lag" not in answer["frames"][0]["line"]
    assert table.row.head == answer["head"]


def test_a_token_of_another_kind_is_none() -> None:
    other = signing.Signer(salt="barpoint.live").sign("user.1.abcdefghij.0.5")
    assert callers.read_pulse(other, actor="user.1", key="abcdefghij", now=0) is None
    assert callers.read_pulse("", actor="user.1", key="abcdefghij", now=0) is None


# When a request came in


def test_a_command_counts_from_when_it_arrived(
    board: tuple[Table, Bot], watch: time_machine.Traveller
) -> None:
    table, bot = board
    seen = bot.look()
    watch.shift(timedelta(seconds=30))
    body = {
        "after": seen["snapshot"]["head"],
        "command": {"type": "move", "steps": seen["plays"][0]["steps"]},
    }
    waited = 10.0
    answer = bot.post(
        f"matches/{bot.match}/commands/",
        body,
        **{RECEIVED: time.monotonic() - waited},  # type: ignore[arg-type]
    )
    line = answer["frames"][0]["line"]
    assert line["at"] == pytest.approx((START.timestamp() + 20) * 1000, abs=500)
    assert table.row.head == answer["head"]


@pytest.mark.parametrize("lie", ["0.0", "-1e9", "1", "x"])
def test_no_header_says_when(board: tuple[Table, Bot], watch: time_machine.Traveller, lie: str) -> None:
    _table, bot = board
    seen = bot.look()
    watch.shift(timedelta(seconds=7))
    body = {
        "after": seen["snapshot"]["head"],
        "command": {"type": "move", "steps": seen["plays"][0]["steps"]},
    }
    names = {"HTTP_BARPOINT_RECEIVED": lie, "HTTP_X_RECEIVED": lie, RECEIVED: lie}
    answer = bot.post(f"matches/{bot.match}/commands/", body, **names)  # type: ignore[arg-type]
    assert answer["frames"][0]["line"]["at"] == round((START.timestamp() + 7) * 1000)


def test_who_waits_in_line_for_long_has_not_come_before_the_line(
    board: tuple[Table, Bot], watch: time_machine.Traveller
) -> None:
    _table, bot = board
    seen = bot.look()
    watch.shift(timedelta(seconds=100))
    body = {
        "after": seen["snapshot"]["head"],
        "command": {"type": "move", "steps": seen["plays"][0]["steps"]},
    }
    received = {RECEIVED: time.monotonic() - 5_000}
    answer = bot.post(f"matches/{bot.match}/commands/", body, **received)  # type: ignore[arg-type]
    assert answer["frames"][0]["line"]["at"] >= round((START.timestamp() + 40) * 1000)


# Limits


@pytest.mark.long
def test_bots_may_play_fast_and_not_without_end(
    monkeypatch: pytest.MonkeyPatch, board: tuple[Table, Bot]
) -> None:
    from rest_framework.settings import api_settings
    from rest_framework.throttling import UserRateThrottle

    monkeypatch.setattr(api_settings, "DEFAULT_THROTTLE_CLASSES", [UserRateThrottle])
    monkeypatch.setattr(UserRateThrottle, "rate", "5/min", raising=False)
    monkeypatch.setattr(MatchRate, "most", 12)
    monkeypatch.setattr(MatchRate, "_counts", {})
    monkeypatch.setattr(time, "monotonic", lambda: 6_000_000.0)
    _table, bot = board
    for _ in range(12):
        bot.look()
    answer = bot.client.get(f"/api/v1/matches/{bot.match}/")
    assert answer.status_code == 429
    assert 0 < int(answer["Retry-After"]) <= 60
    assert Bot(person("Cleo", START), bot.match).look()["you"] is None, "each account has its own"
    monkeypatch.setattr(time, "monotonic", lambda: 6_000_060.0)
    bot.look()
    # Visitors are counted as everywhere else.
    visitor = Caller(None)
    codes = [visitor.client.get(f"/api/v1/matches/{bot.match}/").status_code for _ in range(7)]
    assert codes[:5] == [200] * 5
