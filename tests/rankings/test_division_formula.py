"""Promotion and relegation follow from the table alone and keep every player."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankings.__main__ import main
from rankings.formulas.divisions import (
    ABSENT,
    BY_LOT,
    DOWN,
    UP,
    Division,
    DivisionMove,
    Member,
    draw_lot,
    list_moves,
)
from rankings.formulas.values import BadMatches

pytestmark = pytest.mark.pure
PLACES = st.lists(st.one_of(st.none(), st.integers(1, 4)), max_size=4).map(tuple)


@st.composite
def leagues(draw: st.DrawFn) -> list[Division]:
    """Divisions of few players with few different points, so that many are equal."""
    found, number = [], 0
    for at in range(draw(st.integers(1, 4))):
        members = []
        for _ in range(draw(st.integers(0, 7))):
            number += 1
            members.append(Member(f"p{number}", draw(st.integers(0, 3)), draw(PLACES)))
        up, down = draw(st.integers(0, 4)), draw(st.integers(0, 4))
        found.append(Division(f"D{at}", up, down, tuple(members)))
    return found


def filter_division(found: Sequence[DivisionMove], division: int) -> list[DivisionMove]:
    return [move for move in found if move.division == division]


@given(leagues(), st.text(max_size=5))
def test_everybody_goes_somewhere_once_and_no_further_than_next_door(
    league: list[Division], lot: str
) -> None:
    found = list_moves(league, lot)
    assert Counter(move.player for move in found) == Counter(
        member.player for division in league for member in division.members
    )
    for move in found:
        assert 0 <= move.to < len(league)
        assert move.to - move.division == {UP: -1, DOWN: 1}.get(move.goes, 0)


@given(leagues(), st.text(max_size=5))
def test_as_many_go_as_the_division_says_and_nobody_who_was_absent_goes_up(
    league: list[Division], lot: str
) -> None:
    found = list_moves(league, lot)
    for at, division in enumerate(league):
        inside = filter_division(found, at)
        present = sum(bool(member.places) for member in division.members)
        ups = sum(move.goes == UP for move in inside)
        downs = sum(move.goes == DOWN for move in inside)
        assert ups == (min(division.up, present) if at else 0)
        is_last = at == len(league) - 1
        assert downs == (0 if is_last else min(division.down, len(inside) - ups))
        assert all(move.events for move in inside if move.goes == UP)


@given(leagues(), st.text(max_size=5))
def test_nobody_passes_whoever_stands_above_and_only_a_lot_parts_equals(
    league: list[Division], lot: str
) -> None:
    found = list_moves(league, lot)
    for at in range(len(league)):
        inside = filter_division(found, at)
        assert [move.to for move in inside] == sorted(move.to for move in inside)
        assert [move.place for move in inside] == sorted(move.place for move in inside)
        assert [(not move.events, -move.points) for move in inside] == sorted(
            (not move.events, -move.points) for move in inside
        )
        for place, count in Counter(move.place for move in inside).items():
            equal = [move for move in inside if move.place == place]
            parted = len({move.goes for move in equal}) > 1
            assert {move.why == BY_LOT for move in equal} == {parted}
            if parted:
                lots = [draw_lot(lot, move.player) for move in equal]
                assert (count > 1, lots) == (True, sorted(lots))
            for move in equal:
                assert (move.why == ABSENT) <= (not move.events)


@pytest.mark.long
@pytest.mark.share
@given(leagues(), st.text(max_size=5), st.randoms())
def test_the_order_in_which_players_are_told_does_not_matter(
    league: list[Division], lot: str, chance: Any
) -> None:
    mixed = [
        Division(each.name, each.up, each.down, tuple(chance.sample(each.members, len(each.members))))
        for each in league
    ]
    assert list_moves(mixed, lot) == list_moves(league, lot)


@given(leagues())
def test_another_lot_moves_only_equals(league: list[Division]) -> None:
    one, other = (
        {move.player: (move.goes, move.place, move.why) for move in list_moves(league, lot)}
        for lot in ("a", "b")
    )
    for player, (goes, place, why) in one.items():
        assert other[player][1:] == (place, why)
        assert other[player][0] == goes or why == BY_LOT


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (Member("a", 9, (2,)), Member("b", 8, (1, 1))),
        # Equal points: who was there, then more first places, then more second ones, then a place to count at all.
        (Member("a", 0, (None,)), Member("b", 0, ())),
        (Member("a", 9, (1, 4)), Member("b", 9, (2, 2))),
        (Member("a", 9, (1, 2, 4)), Member("b", 9, (1, 3, 3))),
        (Member("a", 9, (1, 4)), Member("b", 9, (1, None))),
    ],
)
def test_the_published_order(better: Member, worse: Member) -> None:
    for members in ((better, worse), (worse, better)):
        found = list_moves([Division("One", 0, 0, members)], "lot")
        assert [(move.player, move.place) for move in found] == [("a", 1), ("b", 2)]


def test_a_lot_can_be_drawn_again_by_anybody() -> None:
    # printf 's1:Ann' | sha256sum
    assert draw_lot("s1", "Ann")[:8] == "42064ea8"
    pair = (Member("Ann", 5, (1,)), Member("Bob", 5, (1,)))
    first, second = list_moves([Division("Top", 0, 0, ()), Division("Low", 1, 0, pair)], "s1")
    assert (first.goes, first.why, first.place) == (UP, BY_LOT, 1)
    assert (second.goes, second.why, second.place) == ("stays", BY_LOT, 1)
    assert first.player == min(("Ann", "Bob"), key=lambda name: draw_lot("s1", name))


def test_nobody_is_in_two_divisions_and_there_are_not_too_many() -> None:
    twice = Division("One", 0, 0, (Member("a"),))
    with pytest.raises(BadMatches, match="a is in two"):
        list_moves([twice, twice], "")
    with pytest.raises(BadMatches, match="at most 20"):
        list_moves([Division(str(at), 0, 0, ()) for at in range(21)], "")


def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], data: object) -> tuple[int, str]:
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(data)))
    status = main(["divisions", "-"])
    told = capsys.readouterr()
    return status, told.out or told.err


def test_the_command_does_the_same_sum(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    league = {
        "lot": "s1",
        "divisions": [
            {"name": "First", "down": 1, "players": {"Ann": {"points": "11.50", "places": [1]}, "Bob": {}}},
            {"name": "Second", "up": 1, "players": {"Cyd": {"points": 3, "places": [None, 2]}}},
        ],
    }
    status, told = run(monkeypatch, capsys, league)
    assert status == 0
    assert [(row["player"], row["points"], row["goes"], row["to"]) for row in json.loads(told)["players"]] == [
        ("Ann", "11.50", "stays", "First"), ("Bob", "0.00", "down", "Second"), ("Cyd", "3.00", "up", "First"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ([], "an object"),
        ({"divisions": 1}, "a list of divisions"),
        ({"divisions": [1]}, r"divisions\[0\]"),
        ({"divisions": [{"name": 1, "players": {}}]}, r"divisions\[0\].name"),
        ({"divisions": [{"name": "A", "up": -1, "players": {}}]}, r"divisions\[0\].up"),
        ({"divisions": [{"name": "A", "players": {"x": {"points": -1}}}]}, "points"),
        ({"divisions": [{"name": "A", "players": {"x": {"places": 1}}}]}, "places"),
        ({"divisions": [{"name": "A", "players": {"x": {"places": [0]}}}]}, "places"),
    ],
)
def test_the_command_says_what_it_cannot_read(
    wrong: object, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    status, told = run(monkeypatch, capsys, wrong)
    assert status == 2
    assert len(told.splitlines()) == 1
    assert re.search(said, told)
