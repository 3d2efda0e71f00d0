"""The passes of an analysis, each one ply deeper.

The first evaluates everything and its luck, the second close decisions and errors, the third those among them
that are still close or errors.

A pass repeats the previous ones for its decisions, so that it depends on nothing else and results are
reproducible.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.plays import legal_plays
from opinion.judging import formulas
from opinion.judging.decisions import Decision, Kind
from opinion.judging.oracle import Chances, CubeWorth, Oracle, WeighedPlay
from opinion.judging.spots import Choice, Numbers, Throw, to_numbers

LEVELS: Final = (1, 2, 3)
DIGITS: Final = 4
MOST_SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class Depth:
    """The criteria for decisions to evaluate again at a level, and for their plays."""

    # A play is evaluated again if the second best is closer to the best than this, or if it was an error.
    gap: float
    # The same for a double compared with no double.
    cube_gap: float
    # Maximum number of plays, and their maximum loss.
    plays: int
    worse: float


DEPTHS: Final[Mapping[int, Depth]] = {
    2: Depth(gap=0.04, cube_gap=0.2, plays=5, worse=0.16),
    3: Depth(gap=0.02, cube_gap=0.1, plays=3, worse=0.08),
}


class Candidate(NamedTuple):
    """A play for display, in notation; stored as JSON in this order."""

    play: str
    equity: float
    chances: Chances
    level: int


@dataclass(frozen=True, slots=True)
class JudgedDecision:
    decision: Decision
    # The pass that its figures come from; 0 if there was nothing to decide.
    level: int = 0
    # The error in equity, and its cost in match winning chance (or points).
    error: float = 0.0
    cost: float = 0.0
    counted: bool = False
    best: str = ""
    fault: str = ""
    candidates: tuple[Candidate, ...] = ()
    cube: CubeWorth | None = None
    luck: float | None = None
    luck_cost: float | None = None
    # The side's match winning chance after the best decision; points in money play.
    chance: float | None = None


def judge(
    oracle: Oracle, decisions: Sequence[Decision], level: int, *, with_luck: bool = True
) -> list[JudgedDecision]:
    """Evaluate decisions; results are in the same order."""
    plays = _evaluate_plays(oracle, [each for each in decisions if each.is_play_with_a_choice], level)
    cubes = _evaluate_cubes(
        oracle, [each for each in decisions if each.kind in (Kind.DOUBLE, Kind.TAKE)], level
    )
    lucky = _compute_luck(oracle, [each for each in decisions if each.thrown]) if with_luck else {}
    return [
        _build_judged_decision(each, plays.get(each), cubes.get(each), lucky.get(each)) for each in decisions
    ]


# -- plays ----------------------------------------------------------------------------------------


def _evaluate_plays(
    oracle: Oracle, asked: Sequence[Decision], level: int
) -> dict[Decision, tuple[WeighedPlay, ...]]:
    found = (
        dict(zip(asked, oracle.plays([_build_throw(each) for each in asked]), strict=True)) if asked else {}
    )
    for deeper in range(2, level + 1):
        depth = DEPTHS[deeper]
        unsure = [each for each in asked if _is_unsure(each, found[each], depth)]
        choices = [
            Choice(_build_throw(each), _list_boards_to_reevaluate(each, found[each], depth))
            for each in unsure
        ]
        open_choices = [choice for choice in choices if choice.boards]
        answers = iter(oracle.weigh(open_choices, deeper) if open_choices else ())
        for each, choice in zip(unsure, choices, strict=True):
            if choice.boards:
                found[each] = rank_plays((*next(answers), *exclude_boards(found[each], choice.boards)))
    return found


def _build_throw(decision: Decision) -> Throw:
    assert decision.dice is not None  # noqa: S101 - a play has dice
    return Throw(decision.spot, decision.dice)


def _is_unsure(decision: Decision, plays: Sequence[WeighedPlay], depth: Depth) -> bool:
    """True if another play could be best, or the one played was an error."""
    compared = _list_comparable(plays)
    is_close = len(compared) > 1 and compared[0].equity - compared[1].equity < depth.gap
    return is_close or compute_play_error(decision, plays) > 0


def _list_boards_to_reevaluate(
    decision: Decision, plays: Sequence[WeighedPlay], depth: Depth
) -> tuple[Numbers, ...]:
    """Return the boards to evaluate again, near best ones and the one played; none if one ends the game."""
    compared = _list_comparable(plays)
    near = [each.board for each in compared if compared[0].equity - each.equity <= depth.worse][: depth.plays]
    chosen = near if decision.after in near else [*near, decision.after]
    return () if any(has_ended(board) for board in chosen) else tuple(chosen)


def has_ended(board: Numbers) -> bool:
    """True if the side that moved has borne off all checkers."""
    return not any(number > 0 for number in board[1:])


def exclude_boards(plays: Sequence[WeighedPlay], boards: Sequence[Numbers]) -> tuple[WeighedPlay, ...]:
    """Return the plays that lead to none of these boards."""
    return tuple(each for each in plays if each.board not in boards)


def rank_plays(plays: Sequence[WeighedPlay]) -> tuple[WeighedPlay, ...]:
    """Sort plays by level, deepest first, since levels are not comparable; then by equity."""
    return tuple(sorted(plays, key=lambda each: (-each.level, -each.equity, each.board)))


def _list_comparable(plays: Sequence[WeighedPlay]) -> Sequence[WeighedPlay]:
    return [each for each in plays if each.level == plays[0].level]


def compute_play_error(decision: Decision, plays: Sequence[WeighedPlay]) -> float:
    """Return the equity that the play made loses to the best play of its level.

    :raises LookupError: the oracle does not know the play.
    """
    played = next((each for each in plays if each.board == decision.after), None)
    if played is None:
        raise LookupError(f"the oracle does not know {decision.done} in {decision.xgid}")
    best = max(each.equity for each in plays if each.level == played.level)
    lost = best - played.equity
    return lost if lost >= formulas.SAME else 0.0


# -- the cube -------------------------------------------------------------------------------------


def _evaluate_cubes(oracle: Oracle, asked: Sequence[Decision], level: int) -> dict[Decision, CubeWorth]:
    found: dict[Decision, CubeWorth] = {}
    unsure = list(asked)
    for deeper in range(1, level + 1):
        if deeper > 1:
            unsure = [each for each in unsure if _is_cube_unsure(each, found[each], DEPTHS[deeper])]
        if unsure:
            spots = [each.spot for each in unsure]
            found |= zip(unsure, oracle.cubes(spots, deeper), strict=True)
    return found


def _is_cube_unsure(decision: Decision, worth: CubeWorth, depth: Depth) -> bool:
    if formulas.compute_loss(decision.done, worth) > 0:
        return True
    margin = worth.take - 1.0 if decision.kind is Kind.TAKE else worth.no_double - worth.double
    return abs(margin) < depth.cube_gap


# -- luck -----------------------------------------------------------------------------------------


def _compute_luck(oracle: Oracle, thrown: Sequence[Decision]) -> dict[Decision, float]:
    spots = [spot for each in thrown for spot in each.thrown]
    answers = iter(oracle.rolls(spots) if spots else ())
    found: dict[Decision, float] = {}
    for each in thrown:
        assert each.dice is not None  # noqa: S101 - a throw has dice
        rolls = [next(answers) for _ in each.thrown]
        found[each] = (
            formulas.compute_luck(rolls[0], each.dice)
            if len(rolls) == 1
            else formulas.compute_opening_luck(rolls[0], rolls[1], each.dice)
        )
    return found


# -- together -------------------------------------------------------------------------------------


def _build_judged_decision(
    decision: Decision, plays: tuple[WeighedPlay, ...] | None, cube: CubeWorth | None, luck: float | None
) -> JudgedDecision:
    error = best_worth = 0.0
    best, level = "", 0
    candidates: tuple[Candidate, ...] = ()
    if plays is not None:
        error, level, best_worth = compute_play_error(decision, plays), plays[0].level, plays[0].equity
        candidates = _list_candidates(decision, plays)
        best = candidates[0].play
    elif cube is not None:
        error, level = formulas.compute_loss(decision.done, cube), cube.level
        error = error if error >= formulas.SAME else 0.0
        best = formulas.find_best_action(decision, cube)
        best_worth = -min(cube.take, 1.0) if decision.kind is Kind.TAKE else cube.best
    stakes = decision.stakes
    return JudgedDecision(
        decision,
        level=level,
        error=round(error, DIGITS),
        cost=round(stakes.cost(error), DIGITS + 2),
        counted=level > 0 and formulas.is_counted(decision, error, cube),
        best=best,
        fault=formulas.classify_error(decision, cube, error),
        candidates=candidates,
        cube=cube,
        luck=None if luck is None else round(luck, DIGITS + 2),
        luck_cost=None if luck is None else round(stakes.cost(luck), DIGITS + 2),
        chance=round(stakes.chance(best_worth), DIGITS) if level else None,
    )


def _list_candidates(decision: Decision, plays: Sequence[WeighedPlay]) -> tuple[Candidate, ...]:
    """Return the best plays in notation, and the one played."""
    assert decision.board is not None  # noqa: S101 - a play is made on a board
    assert decision.dice is not None  # noqa: S101
    legal = legal_plays(decision.board, decision.side, decision.dice)
    spelled = {to_numbers(play.board, decision.side): play.notation for play in legal}
    chosen = list(plays[:MOST_SHOWN])
    if all(each.board != decision.after for each in chosen):
        chosen += [each for each in plays if each.board == decision.after]
    return tuple(build_candidate(each, spelled[each.board]) for each in chosen)


def build_candidate(each: WeighedPlay, notation: str) -> Candidate:
    chances = tuple(round(chance, DIGITS) for chance in each.chances)
    return Candidate(notation, round(each.equity, DIGITS), chances, each.level)
