"""Each kind of damage is found by what `bench.weekend` compares at the end."""

from __future__ import annotations

from typing import Any

import pytest

from bench import weekend_check

RESULT = {"act": "result", "key": "main/1.1", "score": [3, 1]}
ROW = {
    "uid": "1", "key": "main/1.1", "kind": "played", "state": "done", "score": [3, 1], "winner": 1, "bracket": "main", "round": 1,
    "a": {"entry": 1}, "b": {"entry": 2},
}  # fmt: skip


def find_lost(*bodies: dict[str, Any], rows: list[dict[str, Any]]) -> list[str]:
    return list(weekend_check.find_lost([("night", body, {}) for body in bodies], {"night": rows}))


def test_what_is_there_is_not_lost() -> None:
    assert find_lost(RESULT, rows=[ROW]) == []
    walkover = {"act": "walkover", "key": "main/1.1", "loser": 2}
    assert find_lost(walkover, rows=[{**ROW, "kind": "walkover", "score": None}]) == []


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [{**ROW, "kind": "", "score": None}],
        [{**ROW, "score": [1, 3]}],
        [{**ROW, "kind": "forfeit", "score": None}],
        [{**ROW, "key": "main/1.2"}],
    ],
)
def test_a_lost_result_is_found(rows: list[dict[str, Any]]) -> None:
    assert len(find_lost(RESULT, rows=rows)) == 1


def test_of_several_acts_the_last_counts() -> None:
    walkover = {"act": "walkover", "key": "main/1.1", "loser": 2}
    assert len(find_lost(RESULT, walkover, rows=[ROW])) == 1


@pytest.mark.parametrize(("logged", "problems"), [(0, 1), (1, 0), (2, 1)])
def test_an_act_that_was_done_twice_is_found(logged: int, problems: int) -> None:
    rulings = {"night": [{"act": "ENTERED_RESULT"}] * logged}
    assert len(list(weekend_check.find_doubled([("night", RESULT, {})], rulings))) == problems


@pytest.mark.parametrize(("first", "second", "problems"), [(1, 2, 0), (2, 1, 2)])
def test_wrong_places_are_found(first: int, second: int, problems: int) -> None:
    ranks = [{"entry": 1, "rank": first}, {"entry": 2, "rank": second}]
    found = weekend_check.find_wrong_places("night", "single-elimination", {}, [], [ROW], ranks)
    assert len(list(found)) == problems


def test_a_match_won_by_a_third_is_found() -> None:
    ranks = [{"entry": number, "rank": number} for number in (1, 2, 3)]
    found = weekend_check.find_wrong_places("night", "lives", {}, [], [{**ROW, "winner": 3}], ranks)
    assert next(iter(found)).endswith("won by somebody else")
