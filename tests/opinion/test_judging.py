"""Errors, what counts, luck: the formulas of docs/opinion.md, with an oracle that needs no engine."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import verdict
from engine.actions import (
    Action,
    Beavered,
    Doubled,
    Dropped,
    Opened,
    Played,
    Rolled,
    RuledPosition,
    TakenBack,
    Took,
)
from engine.board import HYPERGAMMON, NACKGAMMON, STANDARD, Board
from engine.cube import Cube
from engine.dice import ROLLS, Dice
from engine.match import Match, replay
from engine.plays import legal_plays
from engine.record import Record
from engine.rules import Rules
from engine.side import BySide, Side
from opinion.judging import formulas
from opinion.judging.decisions import Decision, Kind, Part, Stakes, list_decisions
from opinion.judging.documents import serialize_analysis
from opinion.judging.figures import (
    Totals,
    adjust_for_luck,
    build_line,
    compute_figures,
    explain_no_pr,
    find_label,
)
from opinion.judging.oracle import CubeWorth
from opinion.judging.passes import JudgedDecision, judge
from opinion.judging.spots import Owner, Spot, explain_unsupported, to_numbers
from tests.engine.shared import SAMPLES
from tests.opinion.fakes import PipOracle

pytestmark = pytest.mark.pure
# Enough for every kind of decision.
SOME = 120
NAMES = BySide("Ann", "Ben")
WHITE, BLACK = Side.WHITE, Side.BLACK


@cache
def five_points() -> Record:
    return verdict.judge((SAMPLES / "records" / "five-points.mat").read_bytes())[0].record


@cache
def judged_at(level: int) -> tuple[JudgedDecision, ...]:
    return tuple(judge(PipOracle(), list_decisions(five_points()), level, with_luck=False))


def first_play(match: Match) -> Played:
    game = match.game
    assert game.turn is not None
    assert game.dice is not None
    return Played(game.turn, legal_plays(game.board, game.turn, game.dice)[0].steps)


def after(rules: Rules, *actions: Action) -> Record:
    """Return a record of *actions*, in which a play that is not given is the first legal one."""
    played: list[Action] = []
    for action in actions:
        match = replay(rules, played)
        if match.game.dice is not None and not isinstance(action, Played | TakenBack):
            played.append(first_play(match))
        played.append(action)
    return Record(NAMES, rules, tuple(played))


def set_up(rules: Rules, cube: Cube, *then: Action) -> tuple[Decision, ...]:
    """Return the decisions after a director has set up a game in which black is on roll."""
    placed = RuledPosition(STANDARD, BLACK, cube)
    return list_decisions(Record(NAMES, rules, (Opened(3, 1), Played(WHITE, ()), placed, *then)[2:]))


# -- questions to the engine -----------------------------------------------------------------------


def test_each_roll_and_each_cube_of_a_match_is_asked_about_once() -> None:
    record = five_points()
    asked = list_decisions(record)
    rolled = [m for m in record.story() if isinstance(m.action, Rolled | Opened)]
    turned = [m for m in record.story() if isinstance(m.action, Doubled | Took | Dropped)]
    assert len([each for each in asked if each.thrown]) == len(rolled)
    assert len([each for each in asked if each.done in ("double", "take", "pass")]) == len(turned)
    assert len({(each.fact, each.kind) for each in asked}) == len(asked)


def test_an_answer_is_asked_as_the_doubler_saw_it() -> None:
    asked = set_up(Rules(length=7), Cube(2, BLACK), Doubled(BLACK), Took(WHITE))
    assert [(each.side, each.kind, each.done) for each in asked] == [
        (BLACK, Kind.DOUBLE, "double"),
        (WHITE, Kind.TAKE, "take"),
    ]
    assert asked[0].spot == asked[1].spot
    assert asked[0].spot.owner is Owner.MINE
    assert asked[1].stakes.loss == pytest.approx(1 - asked[0].stakes.win)


@pytest.mark.parametrize(
    ("rules", "cube"),
    [(Rules(length=1), Cube()), (Rules(length=3), Cube(4, BLACK)), (Rules(length=7), Cube(2, WHITE))],
    ids=["one point", "dead cube", "not theirs"],
)
def test_who_cannot_double_to_any_purpose_is_not_asked(rules: Rules, cube: Cube) -> None:
    asked = set_up(rules, cube, Rolled(BLACK, Dice(3, 1)))
    assert [each.kind for each in asked] == [Kind.ROLL]


def test_who_may_double_and_rolls_is_asked() -> None:
    asked = set_up(Rules(length=7), Cube(), Rolled(BLACK, Dice(3, 1)))
    assert [(each.kind, each.done) for each in asked] == [(Kind.DOUBLE, "no double"), (Kind.ROLL, "")]


def test_beavers_are_not_judged() -> None:
    rules = Rules.unlimited(beavers=True)
    asked = set_up(rules, Cube(), Doubled(BLACK), Beavered(WHITE), Took(BLACK))
    assert [(each.side, each.kind) for each in asked] == [(BLACK, Kind.DOUBLE)]


def test_what_was_taken_back_was_never_played() -> None:
    record = after(
        Rules(length=5), Opened(3, 1), Rolled(BLACK, Dice(6, 5)), TakenBack(2), Rolled(BLACK, Dice(2, 1))
    )
    assert [str(each.dice) for each in list_decisions(record) if each.thrown] == ["31", "21"]


def test_a_race_and_the_opening_are_told_apart() -> None:
    parts = {each.part for each in list_decisions(five_points()) if each.kind is Kind.PLAY}
    assert parts == set(Part)


def test_far_scores_are_asked_as_nearer_ones() -> None:
    match = Match.start(Rules(length=64))
    assert Spot.from_match(match, WHITE).away == (25, 25)


@pytest.mark.parametrize("cube", [0, 3, -1])
def test_a_spot_that_cannot_be_is_not_made(cube: int) -> None:
    with pytest.raises(ValueError, match="cube"):
        Spot(to_numbers(STANDARD, WHITE), cube)


def test_a_board_that_cannot_be_is_not_made() -> None:
    with pytest.raises(ValueError, match="position"):
        Spot((0, *[1] * 20, 0, 0, 0, 0, 0))
    with pytest.raises(ValueError, match="position"):
        Spot((-1, *to_numbers(STANDARD, WHITE)[1:]))


def test_only_play_that_the_engine_knows_is_judged() -> None:
    assert [bool(explain_unsupported(rules)) for rules in (
        Rules(length=7),
        Rules(length=1, cube=False),
        Rules(length=5, start=NACKGAMMON),
        Rules.unlimited(),
        Rules(length=5, start=HYPERGAMMON),
        Rules.best_of(5),
        Rules(length=5, jacoby=True),
        Rules(length=5, backgammons=False),
    )] == [False] * 4 + [True] * 4  # fmt: skip


# -- what it is worth -----------------------------------------------------------------------------


def a_cube_decision(done: str) -> Decision:
    then: dict[str, tuple[Action, ...]] = {
        "no double": (Rolled(BLACK, Dice(3, 1)),),
        "double": (Doubled(BLACK), Took(WHITE)),
        "take": (Doubled(BLACK), Took(WHITE)),
        "pass": (Doubled(BLACK), Dropped(WHITE)),
    }
    return next(each for each in set_up(Rules(length=7), Cube(), *then[done]) if each.done == done)


@pytest.mark.parametrize(
    ("done", "no_double", "take", "error", "counted", "fault", "best"),
    [
        ("no double", 0.60, 0.50, 0.00, True, "", "no double"),
        ("no double", 0.60, 0.75, 0.15, True, "missed double", "double"),
        ("no double", 0.90, 1.30, 0.10, True, "missed double", "double"),
        ("no double", 0.60, 0.30, 0.00, False, "", "no double"),
        ("no double", -0.1, -0.15, 0.00, False, "", "no double"),
        # Too good: on for the gammon.
        ("no double", 1.30, 1.60, 0.00, False, "", "no double"),
        ("double", 0.60, 0.50, 0.10, True, "wrong double", "no double"),
        ("double", 0.60, 0.75, 0.00, True, "", "double"),
        ("double", 1.30, 1.60, 0.30, True, "wrong double", "no double"),
        ("take", 0.60, 0.75, 0.00, True, "", "take"),
        ("take", 0.90, 1.30, 0.30, True, "wrong take", "pass"),
        ("pass", 0.60, 0.75, 0.25, True, "wrong pass", "take"),
        ("pass", 0.90, 1.30, 0.00, True, "", "pass"),
    ],
)
def test_decisions_about_the_cube(
    done: str, no_double: float, take: float, error: float, counted: bool, fault: str, best: str
) -> None:
    decision, worth = a_cube_decision(done), CubeWorth(no_double, take, (0.5,), 1)
    found = round(formulas.compute_loss(decision.done, worth), 9)
    assert found == pytest.approx(error)
    assert formulas.is_counted(decision, found, worth) is counted
    assert formulas.classify_error(decision, worth, found) == fault
    assert formulas.find_best_action(decision, worth) == best


def test_an_error_costs_more_on_a_higher_cube() -> None:
    match = Match.start(Rules(length=7))
    doubled = replace(match, game=replace(match.game, cube=Cube(2, WHITE)))
    low, high = Stakes.from_match(match, WHITE), Stakes.from_match(doubled, WHITE)
    assert low.chance(1.0) == pytest.approx(low.win)
    assert low.chance(-1.0) == pytest.approx(low.loss)
    assert 1.8 < high.cost(0.1) / low.cost(0.1) < 2.2


def test_in_unlimited_play_a_cost_is_in_points() -> None:
    match = Match.start(Rules.unlimited())
    doubled = replace(match, game=replace(match.game, cube=Cube(4, WHITE)))
    assert Stakes.from_match(doubled, WHITE).cost(0.1) == pytest.approx(0.4)


@given(st.lists(st.floats(-3, 3), min_size=21, max_size=21))
def test_luck_over_all_rolls_sums_to_nought(worths: list[float]) -> None:
    total = sum(roll.weight * formulas.compute_luck(worths, roll) for roll in ROLLS)
    assert abs(total) < 1e-6


@given(*[st.lists(st.floats(-3, 3), min_size=21, max_size=21)] * 2)
def test_luck_of_who_begins_sums_to_nought_over_both_sides(mine: list[float], theirs: list[float]) -> None:
    singles = [roll for roll in ROLLS if not roll.is_double]
    total = sum(
        formulas.compute_opening_luck(mine, theirs, roll) - formulas.compute_opening_luck(theirs, mine, roll)
        for roll in singles
    )
    assert abs(total) < 1e-6


# -- a whole match --------------------------------------------------------------------------------


@pytest.mark.long
def test_the_same_match_is_judged_the_same_however_it_is_portioned() -> None:
    asked = list_decisions(five_points())[:SOME]
    whole = judge(PipOracle(), asked, 3)
    portions = [each for at in range(0, len(asked), 7) for each in judge(PipOracle(), asked[at : at + 7], 3)]
    assert whole == portions


def test_each_play_is_among_its_candidates_and_none_is_better_than_the_best() -> None:
    for each in judged_at(2):
        if each.decision.is_play_with_a_choice:
            level = [play for play in each.candidates if play.level == each.level]
            assert each.decision.done in [play.play for play in level]
            assert each.best == max(level, key=lambda play: play.equity).play
            assert each.error >= 0


@pytest.mark.long
def test_deeper_looks_only_where_it_could_matter() -> None:
    asked = list_decisions(five_points())
    oracle = PipOracle()
    judged = judge(oracle, asked, 3, with_luck=False)
    first = {each.decision: each for each in judged_at(1)}
    plays = [each for each in asked if each.is_play_with_a_choice]
    assert oracle.asked.count("plays") == len(plays)
    assert oracle.asked.count("weigh 3") < oracle.asked.count("weigh 2") < len(plays)
    for each in judged:
        if each.level == 1 and each.decision in plays:
            ranked = first[each.decision].candidates
            assert first[each.decision].error == 0
            assert len(ranked) == 1 or ranked[0].equity - ranked[1].equity >= 0.04 - 1e-9


def test_what_counts_is_what_is_divided_by() -> None:
    judged = judged_at(2)
    for side in Side:
        mine = [each for each in judged if each.decision.side is side]
        totals = compute_figures(build_line(each) for each in mine).totals
        assert totals.counted == len([each for each in mine if each.counted])
        assert totals.pr == pytest.approx(500 * sum(each.error for each in mine) / totals.counted, abs=0.01)
        by_fault = compute_figures(build_line(each) for each in mine).by_fault
        assert sum(each.error for each in by_fault.values()) == pytest.approx(totals.error)


def test_an_oracle_that_does_not_know_a_play_is_not_believed() -> None:
    asked = next(each for each in list_decisions(five_points()) if each.is_play_with_a_choice)
    with pytest.raises(LookupError, match="does not know"):
        judge(PipOracle(), [replace(asked, after=to_numbers(Board.from_counts({1: 1}, {1: 1}), WHITE))], 1)


# -- figures --------------------------------------------------------------------------------------


def test_matches_are_pooled_by_sums() -> None:
    short, long = Totals(counted=10, error=0.4, squares=0.16), Totals(counted=90, error=0.6, squares=0.36)
    assert (short.pr, long.pr) == (20.0, 3.33)
    assert (short + long).pr == 5.0


@pytest.mark.parametrize(
    ("counted", "level", "why"), [(49, 3, "counted"), (50, 2, ""), (50, 1, "level"), (49, 1, "level")]
)
def test_no_pr_is_published_from_one_ply_or_few_decisions(counted: int, level: int, why: str) -> None:
    totals = Totals(counted=counted, error=0.5)
    assert explain_no_pr(totals, level) == why
    assert (totals.published(level) is None) is bool(why)


def test_the_interval_is_that_of_the_mean() -> None:
    # Half of 100 decisions an error of 0.02: the deviation of one is about 0.01.
    totals = Totals(counted=100, error=1.0, squares=50 * 0.02**2)
    assert totals.interval == pytest.approx(1.96 * 500 * 0.01005 / 10, abs=0.01)


def test_labels() -> None:
    assert [find_label(pr) for pr in (0.5, 5.0, 8.0, 12.0, 20.0)] == [
        "grandmaster", "master", "advanced", "intermediate", "beginner"
    ]  # fmt: skip


def test_a_result_without_its_dice() -> None:
    assert adjust_for_luck(0.5, Totals(luck_cost=0.3), Totals(luck_cost=-0.1)) == 0.1


def test_the_document_says_why_there_is_no_pr() -> None:
    found = serialize_analysis("pips", "1", 1, judged_at(1))
    assert list(found) == ["engine", "version", "level", "sides", "decisions", "note"]
    assert [set(side) for side in found["sides"]] == [{"pr", "counted", "error", "luck"}] * 2
    assert [side["pr"] for side in found["sides"]] == [None, None]
    assert "1 ply" in found["note"]
    deeper = serialize_analysis("pips", "1", 2, judged_at(2))
    assert "note" not in deeper
    assert all(side["pr"] > 0 for side in deeper["sides"])
