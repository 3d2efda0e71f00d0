"""Each damage to places and matches is found by the checker alone."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from tests.simulation import checker
from tests.simulation.checker import NOBODY, ConsolationSheet, Ending, EventPlan, Seat


def entries(*places: int | None) -> list[Any]:
    """Return entries 1, 2, 3 ... with these places."""
    return [
        SimpleNamespace(number=number, place=place, waits=False) for number, place in enumerate(places, 1)
    ]


def match(a: int, b: int, winner: int, *, number: int = 1, bracket: str = "main", **more: Any) -> Any:
    """Return a match that was played, from the numbers of the entries."""
    one, other = SimpleNamespace(number=a), SimpleNamespace(number=b)
    won = {a: one, b: other}.get(winner, SimpleNamespace(number=winner))
    row = {
        "id": (a, b, number), "key": f"{number}.{a}", "a": one, "b": other, "winner": won, "a_id": a, "b_id": b,
        "winner_id": winner, "kind": "played", "score_a": 3 if winner == a else 1, "score_b": 3 if winner == b else 1,
        "is_cancelled": False, "bracket": bracket, "round": SimpleNamespace(number=number),
    }  # fmt: skip
    return SimpleNamespace(**{**row, **more})


def find(form: str, places: list[Any], rows: list[Any], **options: Any) -> list[str]:
    plan = EventPlan(
        [{"format": form, "options": options}], 0, len(places), is_paired_by_worker=False, is_quiet=True
    )
    return list(checker.find_problems(plan, places, rows))


CUP = [match(1, 4, 1), match(2, 3, 2), match(1, 2, 1, number=2)]
ALL_PLAY_ALL = [match(1, 2, 1), match(1, 3, 1, number=2), match(2, 3, 2, number=3)]


def test_what_is_right_is_not_objected_to() -> None:
    assert find("single-elimination", entries(1, 2, 3, 3), CUP) == []
    assert find("round-robin", entries(1, 2, 3), ALL_PLAY_ALL) == []
    # The third sat out in the first round.
    assert find("swiss", entries(1, 3, 2), [match(1, 2, 1), match(1, 3, 1, number=2)]) == []


@pytest.mark.parametrize(
    ("form", "places", "rows", "says"),
    [
        ("single-elimination", entries(1, 2, 3, None), CUP, "no place: [4]"),
        ("single-elimination", entries(1, 2, 4, 4), CUP, "place 4 follows, where 3 is free"),
        ("single-elimination", entries(2, 1, 3, 3), CUP, "2 is first with 1 defeats"),
        ("single-elimination", entries(1, 2, 3, 3), CUP[1:], "4 is on place 3 with 0 defeats of 1"),
        ("double-elimination", entries(1, 2, 3, 3), CUP, "2 is on place 2 with 1 defeats of 2"),
        ("round-robin", entries(2, 1, 3), ALL_PLAY_ALL, "2 with 1.0 stands above 1 with 2.0"),
        ("league", entries(1, 3, 2), ALL_PLAY_ALL, "3 with 0.0 stands above 2 with 1.0"),
        (
            "swiss",
            entries(1, 2, 3),
            [match(1, 2, 1), match(1, 3, 1, number=2), match(2, 3, 3, number=3)],
            "2 with",
        ),
        ("lives", entries(1, 2), [match(1, 2, 3)], "1.1: won by somebody else"),
        ("lives", entries(1, 2), [match(1, 1, 1)], "1.1: one against himself"),
        ("lives", entries(1, 2), [match(1, 2, 1, score_a=0)], "1.1: 0-1, and the other one won"),
    ],
)
def test_damage_is_found(form: str, places: list[Any], rows: list[Any], says: str) -> None:
    found = find(form, places, rows)

    assert any(each.startswith(says) for each in found), found


# The worked example of docs/pairing-rounds.md: eight players from A to H, the first named having won.
EXAMPLE = ("A-E B-F C-G D-H", "A-B C-D E-F G-H", "C-A B-E D-G F-H", "B-C A-D E-H F-G")


def test_a_swiss_is_ranked_as_in_the_worked_example() -> None:
    rows = [
        match(ord(a) - 64, ord(b) - 64, ord(a) - 64, number=number)
        for number, made in enumerate(EXAMPLE, 1)
        for a, b in (pair.split("-") for pair in made.split())
    ]
    table = checker.SwissTable(rows, dict.fromkeys(range(1, 9), ())).rank()
    found = {chr(64 + each.entry): tuple(map(int, each.figures.values())) for each in table}
    assert found == {
        "A": (3, 8, 10, 7), "B": (3, 8, 10, 7), "C": (3, 8, 9, 6), "D": (2, 7, 7, 1),
        "E": (2, 8, 8, 2), "F": (2, 6, 6, 1), "G": (1, 7, 7, 0), "H": (0, 6, 7, 0),
    }  # fmt: skip
    assert [(chr(64 + each.entry), each.rank) for each in table[:4]] == [
        ("A", 1),
        ("B", 1),
        ("C", 3),
        ("E", 4),
    ]


def test_a_swiss_counts_byes_and_absences() -> None:
    rows = [
        match(1, 2, 1),
        match(1, 3, 1, number=2, kind="no-show"),
        match(1, 4, 0, number=3, kind=""),
        match(5, 6, 5, number=3),
    ]
    # The third has the bye of the first round; three come in the third; the second leaves after the first.
    away = {1: (), 2: (2, 3), 3: (3,), 4: (1, 2), 5: (1, 2), 6: (1, 2)}
    table = checker.SwissTable(rows, away)
    assert table.list_byes(1) == [3]
    assert table.points == {1: 2, 2: 0, 3: 1, 4: 0, 5: 1, 6: 0}
    [first, *_rest] = table.rank()
    # The second counts half a point for each round it was gone, the third 1½, and an open match as three halves.
    assert (first.entry, first.figures["buchholz"], first.played) == (1, Fraction(4), 2)
    # Without a result in it, the third round does not count.
    [first, *_rest] = checker.SwissTable(rows[:3], away).rank()
    assert first.figures["buchholz"] == Fraction(3, 2)


# Four in a cup: the losers of the first round meet in the consolation, its winner and the loser of the final do not.
SEATS = {
    "main/1.1": (Seat("draw", entry=1), Seat("draw", entry=4)),
    "main/1.2": (Seat("draw", entry=2), Seat("draw", entry=3)),
    "main/2.1": (Seat("winner", "main/1.1"), Seat("winner", "main/1.2")),
    "consolation/1.1": (Seat("loser", "main/1.1"), Seat("loser", "main/1.2")),
}


def won(winner: int, loser: int, kind: str = "played") -> Ending:
    return Ending(frozenset({winner, loser}), kind, winner)


def test_a_consolation_is_followed_from_results() -> None:
    sheet = ConsolationSheet(SEATS, {"main/1.1": won(1, 4)})
    assert sheet.sits["consolation/1.1"] == (4, None)
    assert sheet.list_spans() == {1: (1, 2, True), 2: (1, 4, True), 3: (1, 4, True), 4: (3, 4, True)}

    endings = {
        "main/1.1": won(1, 4),
        "main/1.2": won(2, 3),
        "main/2.1": won(2, 1),
        "consolation/1.1": won(4, 3),
    }
    spans = ConsolationSheet(SEATS, endings).list_spans()
    assert spans == {2: (1, 1, False), 1: (2, 2, False), 4: (3, 3, False), 3: (4, 4, False)}
    # The first match turns out to have ended otherwise: what was played since does not count.
    assert ConsolationSheet(SEATS, endings | {"main/1.1": won(4, 1)}).counts.keys() == {
        "main/1.1",
        "main/1.2",
    }


def test_nobody_drops_into_a_consolation_without_having_come() -> None:
    endings = {"main/1.1": won(1, 4, "no-show"), "main/1.2": won(2, 3)}
    sheet = ConsolationSheet(SEATS, endings)
    assert sheet.sits["consolation/1.1"] == (NOBODY, 3)
    assert sheet.list_spans() == {1: (1, 2, True), 2: (1, 2, True), 3: (3, 3, False), 4: (4, 4, False)}

    late = ConsolationSheet(SEATS, endings, late={("consolation/1.1", 0): 5})
    assert late.sits["consolation/1.1"] == (5, 3)
    assert late.list_spans() | {1: None, 2: None} == {
        1: None,
        2: None,
        3: (3, 5, True),
        4: (4, 5, False),
        5: (3, 5, True),
    }


def test_differences_are_described() -> None:
    assert checker.describe_difference({"a": 1, "b": 2}, {"a": 1, "c": 3}) == [
        "b: 2 for None",
        "c: None for 3",
    ]
