"""Estimated starts of queued matches."""

from __future__ import annotations

from draw.forecast.queue import QueueMatch, QueueTable, estimate_starts
from draw.forecast.room import SLOWEST
from draw.random_stream import RandomStream

AVERAGE = 40.0


def starts(tables: list[QueueTable], *matches: QueueMatch) -> list[float | None]:
    return estimate_starts(tables, matches, RandomStream("evening"))


def playing(*players: str, began: float = 0, is_on_stream: bool = False) -> QueueTable:
    return QueueTable(is_on_stream, players, began, AVERAGE)


def waiting(
    *players: str, needs_stream: bool = False, breaks: tuple[tuple[float, float], ...] = ()
) -> QueueMatch:
    return QueueMatch(players, AVERAGE, needs_stream, breaks)


def test_a_free_table_is_there_at_once_and_the_next_when_a_match_is_over() -> None:
    first, second = starts([QueueTable(is_on_stream=False)], waiting("a", "b"), waiting("c", "d"))
    assert first == 0
    assert 0.8 * AVERAGE < second < 1.2 * AVERAGE


def test_of_many_tables_one_is_free_before_an_average_match_is_over() -> None:
    (one,) = starts([playing("a", "b")], waiting("x", "y"))
    (of_six,) = starts([playing(f"a{n}", f"b{n}") for n in range(6)], waiting("x", "y"))
    assert of_six < 0.8 * one


def test_a_match_that_takes_long_is_over_any_moment_and_not_before_now() -> None:
    assert starts([playing("a", "b", began=-10 * AVERAGE)], waiting("x", "y")) == [0]
    (late,) = starts([playing("a", "b", began=-AVERAGE)], waiting("x", "y"))
    assert 0 <= late <= (SLOWEST - 1) * AVERAGE


def test_who_plays_elsewhere_is_waited_for() -> None:
    tables = [playing("a", "b"), QueueTable(is_on_stream=False), QueueTable(is_on_stream=False)]
    busy, other = starts(tables, waiting("a", "c"), waiting("d", "e"))
    assert other == 0
    assert busy > 0.6 * AVERAGE
    first, again = starts([QueueTable(is_on_stream=False)] * 2, waiting("a", "b"), waiting("b", "c"))
    assert first == 0
    assert again > 0.6 * AVERAGE


def test_no_match_begins_in_a_break() -> None:
    breaks = ((10.0, 90.0), (90.0, 100.0))
    first, second = starts(
        [QueueTable(is_on_stream=False)], waiting("a", "b", breaks=breaks), waiting("c", "d", breaks=breaks)
    )
    assert first == 0
    assert second == 100


def test_the_stream_keeps_its_tables_while_others_are_free() -> None:
    tables = [QueueTable(is_on_stream=True), QueueTable(is_on_stream=False)]
    other, streamed = starts(tables, waiting("a", "b"), waiting("c", "d", needs_stream=True))
    assert (other, streamed) == (0, 0)
    # An unused stream table is an ordinary table.
    assert starts(tables, waiting("a", "b"), waiting("c", "d")) == [0, 0]


def test_without_a_table_nobody_knows() -> None:
    assert starts([], waiting("a", "b")) == [None]
    only_others = [QueueTable(is_on_stream=False)]
    assert starts(only_others, waiting("a", "b", needs_stream=True), waiting("c", "d")) == [None, 0]
    assert starts(only_others) == []
