"""Resolving written plays: real spellings that must be understood, and real mistakes that must be named."""

from __future__ import annotations

import random

import pytest

from engine.board import STANDARD, Board
from engine.dice import ROLLS, Dice
from engine.formats.notation import parse_play
from engine.plays import is_legal, legal_plays
from engine.resolve import ResolvedPlay, resolve_play
from engine.sheet import Hop
from engine.side import BLACK, WHITE, Side
from tests.engine.slow_plays import mutated, random_board

Counts = dict[int, int]
# No checker blocks the way: black is on the bar.
AWAY = {0: 1}


def read(mine: Counts, theirs: Counts, roll: str) -> ResolvedPlay:
    """Resolve ``dice: play`` for white, with black on *theirs*, points in white's numbering."""
    board = Board.from_counts(mine, {25 - point: number for point, number in theirs.items()})
    dice, _, play = roll.partition(":")
    resolved = resolve_play(board, WHITE, Dice.parse(dice), parse_play(play))
    mirrored = resolve_play(board.mirrored(), BLACK, Dice.parse(dice), parse_play(play))
    assert (mirrored.steps, mirrored.fault, mirrored.notes) == (
        resolved.steps,
        resolved.fault,
        resolved.notes,
    )
    return resolved


@pytest.mark.parametrize(
    ("mine", "theirs", "roll", "left"),
    [
        ({25: 2, 6: 3}, {15: 1}, "55: Bar/15*(2)", {15: 2, 6: 3}),
        ({25: 2, 6: 3}, {}, "22: bar/21(2)", {21: 2, 6: 3}),
        ({25: 2, 6: 3}, {}, "66: Bar/13(2)", {13: 2, 6: 3}),
        ({25: 2, 6: 3}, {17: 1}, "44: bar/17*(2)", {17: 2, 6: 3}),
        ({10: 1, 6: 2, 3: 1}, {}, "66: 10/off 6/off(2)", {3: 1}),
        ({6: 1, 4: 2, 1: 1}, {}, "55: 6/off 4/off(2)", {1: 1}),
        ({8: 2, 4: 1}, {}, "44: 8/off(2)", {4: 1}),
        ({11: 1, 6: 1, 5: 1, 2: 2}, {}, "66: 11/Off 6/Off 5/Off", {2: 2}),
        ({4: 1, 2: 2, 1: 1}, {}, "33: 4/off 2/off(2)", {1: 1}),
        ({7: 1, 5: 1, 4: 1, 2: 1}, {}, "44: 7/off 5/1 4/off", {2: 1, 1: 1}),
        ({5: 4}, {4: 1}, "11: 5/4*(4)", {4: 4}),
        ({15: 1, 5: 2}, {}, "55: 15/Off 5/Off", {5: 1}),
        ({8: 3, 6: 2}, {2: 1}, "33: 8/2*(2)", {8: 1, 2: 2, 6: 2}),
        ({13: 3, 6: 2}, {}, "44: 13/5(2)", {13: 1, 5: 2, 6: 2}),
        ({24: 1, 18: 1}, {}, "65: 18/13 24/18", {18: 1, 13: 1}),
        ({22: 1, 6: 1}, {}, "44: 22/6", {6: 2}),
        ({13: 1, 6: 1}, {}, "54: 13/4", {4: 1, 6: 1}),
        ({7: 1, 6: 1}, {}, "52: 7/off", {6: 1}),
        ({8: 1, 6: 1}, {}, "62: 8/2 6/4", {2: 1, 4: 1}),
        ({6: 1}, {5: 2}, "61: 6/off 0/0", {}),
        ({25: 1, 6: 1}, {20: 2, 21: 2}, "54: 0/0", {25: 1, 6: 1}),
    ],
)
def test_what_must_be_understood(mine: Counts, theirs: Counts, roll: str, left: Counts) -> None:
    resolved = read(mine, theirs or AWAY, roll)
    assert resolved.fault is None
    assert resolved.play is not None
    points = resolved.board.points(WHITE)
    assert {point: number for point, number in enumerate(points) if point and number} == left
    assert resolved.board_after == resolved.board


@pytest.mark.parametrize(
    ("mine", "theirs", "roll", "code", "rule", "point"),
    [
        ({13: 3, 7: 2}, AWAY, "55: 13/8 13/3 7/2(2)", "dice-mismatch", "R12", None),
        ({13: 3, 10: 1, 7: 1}, AWAY, "52: 13/8 10/8 7/8", "backwards", "R17", None),
        ({8: 1, 7: 1, 6: 1}, AWAY, "43: 8/13 7/4 6/4", "backwards", "R17", None),
        ({14: 1, 15: 1, 6: 1}, AWAY, "65: 14/8 15/10 6/8", "backwards", "R17", None),
        ({6: 3}, AWAY, "65: 6/25 6/6", "backwards", "R17", None),
        ({13: 3}, AWAY, "63: 13/9 13/7", "dice-mismatch", "R12", None),
        ({7: 3}, AWAY, "41: 7/1", "dice-mismatch", "R12", None),
        ({14: 1, 8: 2}, AWAY, "43: 14/11 8/5", "dice-mismatch", "R12", None),
        ({8: 3}, AWAY, "21: 8/7 8/7 8/6", "dice-mismatch", "R12", None),
        ({17: 1, 6: 1, 5: 1}, {3: 2}, "22: 17/15 6/4 5/1", "blocked", "R14", "point 3"),
        ({24: 2, 6: 2}, {22: 2}, "22: 6/4 6/4 24/22 24/22", "blocked", "R14", "point 22"),
        ({8: 1}, AWAY, "21: 9/8 8/6", "empty-source", "R01", "point 9"),
        ({8: 1}, AWAY, "21: bar/23 8/7", "empty-source", "R01", "the bar"),
        ({8: 1}, AWAY, "21: 8/6 8/7", "empty-source", "R01", "point 8"),
        ({25: 1, 8: 2}, {4: 1}, "21: 8/6 8/7", "bar-ignored", "R26", None),
        ({25: 2, 8: 2}, {4: 1}, "21: bar/23 8/7", "bar-ignored", "R26", None),
        ({25: 2}, {4: 1}, "21: bar/22", "bar-ignored", "R26", None),
        ({8: 1, 6: 2, 5: 1}, AWAY, "65: 6/off 5/off", "early-bearoff", "R32", None),
        ({8: 1}, AWAY, "65: 6/off 5/off", "early-bearoff", "R32", None),
        ({6: 1, 4: 2, 1: 2}, AWAY, "42: 1/off 4/off", "wrong-bearoff", "R34", "point 1"),
        ({9: 1, 6: 2}, AWAY, "64: 9/5", "partial-play", "R19", None),
        ({22: 1, 6: 2}, AWAY, "64: 22/16", "partial-play", "R19", None),
        ({8: 4}, AWAY, "22: 8/6(3)", "partial-play", "R22", None),
        ({20: 1}, {9: 2}, "65: 20/15", "smaller-die", "R21", None),
        ({20: 1}, AWAY, "65:", "cannot-move-but-could", "R24", None),
        ({25: 1, 6: 1, 5: 1}, {21: 2, 1: 2}, "54: bar/20 5/1", "blocked", "R14", "point 1"),
        ({25: 2, 4: 1, 2: 1}, {20: 2}, "53: bar/22 2/off", "early-bearoff", "R32", None),
    ],
)
def test_what_must_be_refused(
    mine: Counts, theirs: Counts, roll: str, code: str, rule: str, point: str | None
) -> None:
    resolved = read(mine, theirs, roll)
    assert (resolved.fault.code, resolved.fault.rule) == (code, rule)
    if point is not None:
        assert resolved.fault.facts["point"] == point
    assert (resolved.play, resolved.steps, resolved.notes) == (None, (), ())
    assert resolved.board == resolved.before


def test_a_play_may_break_one_rule_or_another() -> None:
    # By 4 it is blocked; by 1 the 3 would have to bear off from the 3 point.
    resolved = read({7: 1, 3: 1}, {4: 2}, "63: 7/off")
    assert (resolved.fault.code, resolved.fault.facts) == ("illegal-play", {})


@pytest.mark.parametrize(
    ("mine", "theirs", "roll", "after"),
    [
        ({13: 3}, AWAY, "63: 13/9 13/7", {13: 1, 9: 1, 7: 1}),
        ({8: 1, 7: 1, 6: 1}, AWAY, "43: 8/13 7/4 6/4", {13: 1, 4: 2}),
        ({8: 1, 6: 2, 5: 1}, AWAY, "65: 6/off 5/off", {8: 1, 6: 1}),
        ({8: 4}, AWAY, "22: 8/6(3)", {8: 1, 6: 3}),
        ({20: 1}, AWAY, "65:", {20: 1}),
        ({20: 1}, {9: 2}, "65: 20/15", {15: 1}),
        ({9: 1}, AWAY, "21: 8/7 7/5", None),
        ({24: 2, 6: 2}, {22: 2}, "22: 6/4 6/4 24/22 24/22", None),
        ({6: 3}, AWAY, "65: 6/25 6/6", None),
    ],
)
def test_a_refused_play_may_be_carried_out(
    mine: Counts, theirs: Counts, roll: str, after: Counts | None
) -> None:
    board = read(mine, theirs, roll).board_after
    points = {} if board is None else board.points(WHITE)
    assert after == (None if board is None else {p: points[p] for p in range(1, 26) if points[p]})


def test_hits_of_a_refused_play_are_hits() -> None:
    board = read({13: 3}, {9: 1, 5: 1}, "65: 13/9/5").board_after
    assert (board.bar(BLACK), board.count(WHITE, 5)) == (2, 1)


@pytest.mark.parametrize(
    ("mine", "theirs", "roll", "notes"),
    [
        ({13: 1, 6: 1}, {8: 1}, "65: 13/8* 8/2", ()),
        ({13: 1, 6: 1}, {8: 1}, "65: 13/8 8/2", ("missing-hit",)),
        ({13: 1, 6: 1}, {8: 1, 7: 1}, "65: 13/8/2", ("missing-hit",)),
        ({13: 1, 6: 1}, {4: 1}, "65: 13/8* 8/2", ("phantom-hit",)),
        ({13: 1, 6: 1}, {8: 1, 2: 1}, "65: 13/8 8/2*", ("missing-hit",)),
        ({13: 1, 6: 1}, {8: 1, 7: 1}, "65: 13/2", ("ambiguous-play",)),
        ({3: 1}, {2: 1}, "51: 3/off", ("last-checker-die",)),
        ({3: 1}, {2: 1}, "51: 3/2*/off", ()),
        ({3: 1}, {2: 1}, "51: 3/2/off", ("missing-hit",)),
        ({3: 1}, AWAY, "51: 3/off", ()),
        ({8: 1}, {2: 1}, "62: 8/off", ()),
    ],
)
def test_notes(mine: Counts, theirs: Counts, roll: str, notes: tuple[str, ...]) -> None:
    resolved = read(mine, theirs, roll)
    assert resolved.fault is None
    assert resolved.notes == notes


def test_the_marks_decide() -> None:
    both = {19: 1, 15: 1}
    assert (
        read({21: 1, 6: 1}, both, "62: 21/15*/13").play == read({21: 1, 6: 1}, both, "62: 21/15* 15/13").play
    )
    assert read({21: 1, 6: 1}, both, "62: 21/19*/13").board.count(BLACK, 6) == 0
    # Without a mark, the way that hits nothing.
    quiet = read({21: 1, 6: 1}, {19: 1}, "62: 21/13")
    assert (quiet.steps[0].target, quiet.notes, quiet.ambiguous) == (15, (), True)
    marked = resolve_play(quiet.before, WHITE, Dice(6, 2), [Hop((21, 13), (19,))])
    assert (marked.steps[0].target, marked.notes, marked.ambiguous) == (19, (), True)
    assert not read({21: 1, 6: 1}, AWAY, "62: 21/13").ambiguous


def test_the_last_checker_wins_as_much() -> None:
    resolved = read({3: 1}, {2: 1}, "51: 3/off")
    assert is_legal(resolved.before, WHITE, Dice(5, 1), resolved.steps)
    assert resolved.board.winner is WHITE


def test_what_is_resolved_is_legal() -> None:
    resolve_mutants(random.Random(41), 1_500)


@pytest.mark.slow
def test_what_is_resolved_is_legal_of_many() -> None:
    resolve_mutants(random.Random(42), 10_000)


def resolve_mutants(rng: random.Random, number: int) -> None:
    """Change legal plays: what `resolve` makes of them is a legal play to the points that were named, or a fault."""
    faults = 0
    board, side, dice, plays = STANDARD, WHITE, ROLLS[0], legal_plays(STANDARD, WHITE, ROLLS[0])
    for turn in range(number):
        if turn % 5 == 0:
            board, side, dice = random_board(rng), rng.choice(list(Side)), rng.choice(ROLLS)
            plays = legal_plays(board, side, dice)
        steps = mutated(rng, plays[rng.randrange(len(plays))].steps)
        inside = [step for step in steps if 0 <= step.source <= 25 and 0 <= step.target <= 25]
        resolved = resolve_play(board, side, dice, [Hop(tuple(step)) for step in inside])
        if resolved.fault:
            faults += 1
            assert resolved.play is None
        else:
            assert resolved.play is not None
            assert plays.to(resolved.board) == resolved.play
            assert is_legal(board, side, dice, resolved.steps)
            if "last-checker-die" not in resolved.notes:
                assert resolved.board.points(side) == _moved(board.points(side), inside)
    assert faults > number // 2


def _moved(points: tuple[int, ...], steps: list[tuple[int, int]]) -> tuple[int, ...]:
    after = list(points)
    for source, target in steps:
        if source:
            after[source] -= 1
            after[target] += 1
    return tuple(after)


def test_a_double_may_be_stopped_on_the_way_between_what_is_told() -> None:
    board = Board.from_counts({14: 1, 6: 14}, {25 - 11: 2, 6: 13})
    fault = resolve_play(board, Side.WHITE, Dice(1, 1), parse_play("14/10")).fault
    assert (fault.code, fault.facts) == ("blocked", {"point": "point 11"})
