"""A single position: its question, and the engine's answer (the five best plays or the cube equities)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from engine.errors import IllegalAction
from engine.formats import xgid
from engine.game import Game, Phase
from engine.plays import legal_plays
from engine.rules import Rules
from engine.side import BLACK, BySide
from engine.situation import Offer, Resignation, Situation, Stage
from opinion.judging.oracle import CubeWorth, Oracle, WeighedPlay
from opinion.judging.passes import (
    DEPTHS,
    MOST_SHOWN,
    Candidate,
    build_candidate,
    exclude_boards,
    has_ended,
    rank_plays,
)
from opinion.judging.spots import Choice, Spot, Throw, to_numbers

# The highest cube in XGID, 1024.
HIGHEST_ASKED: Final = 1 << 10


class Question(StrEnum):
    PLAY = "play"
    DOUBLE = "double"
    TAKE = "take"
    # None: the side can only roll.
    ROLL = "roll"


class Advice(StrEnum):
    """The best cube actions of both sides."""

    NO_DOUBLE = "no double, take"
    DOUBLE_TAKE = "double, take"
    DOUBLE_PASS = "double, pass"  # noqa: S105 - no password
    TOO_GOOD = "too good, pass"


@dataclass(frozen=True, slots=True)
class Judgement:
    # The best plays, best first.
    plays: tuple[Candidate, ...] = ()
    cube: CubeWorth | None = None


def strip_names(situation: Situation) -> Situation:
    """Return the position without names, reduced to what an XGID contains."""
    named = replace(situation, resignation=None, stage=Stage.PLAYING, players=BySide("", ""))
    return xgid.decode(xgid.encode(named))


def compute_key(situation: Situation) -> str:
    """Return the cache key of a position: its XGID from the view of the side on roll.

    >>> white = xgid.decode("XGID=-b----E-C---eE---c-e----B-:1:-1:-1:31:2:1:0:7:10")
    >>> compute_key(white)
    '-b----E-C---eE---c-e----B-:1:1:1:31:1:2:0:7:10'
    """
    return xgid.encode(situation if situation.turn is BLACK else turn_situation(situation)).removeprefix(
        xgid.PREFIX
    )


def turn_situation(situation: Situation) -> Situation:
    cube, resignation, score = situation.cube, situation.resignation, situation.score
    return replace(
        situation,
        board=situation.board.mirrored(),
        turn=situation.turn.other,
        cube=replace(cube, owner=None if cube.owner is None else cube.owner.other),
        score=BySide(score.black, score.white),
        resignation=None if resignation is None else Resignation(resignation.side.other, resignation.level),
    )


def build_game(situation: Situation) -> Game:
    """Return the game at a position, before its roll."""
    length, score = situation.length, situation.score
    return Game(
        rules=Rules(length=length, cube=bool(situation.highest), jacoby=situation.jacoby),
        board=situation.board,
        cube=situation.cube,
        phase=Phase.TO_ROLL,
        turn=situation.turn,
        crawford=situation.crawford,
        away=score.map(lambda points: length - points) if length else None,
    )


def find_double_refusal(situation: Situation) -> IllegalAction | None:
    """Return why the side on roll may not double; None if it may."""
    return build_game(situation).why_no_double


def find_question(situation: Situation) -> Question:
    if situation.offer is not None:
        return Question.TAKE
    if situation.dice is not None:
        return Question.PLAY
    game = build_game(situation)
    return Question.ROLL if game.why_no_double or game.is_dead_double else Question.DOUBLE


def explain_refusal(situation: Situation) -> str:
    """Return why the engine cannot evaluate a position; "" if it can."""
    if situation.offer in (Offer.BEAVER, Offer.RACCOON):
        return "The engine does not know beavers."
    if situation.offer is not None and find_double_refusal(situation):
        return "Nobody can have doubled in this position."
    if not situation.highest and situation.length > 1:
        return "The engine knows only play in which gammons and the cube count."
    if situation.cube.value > HIGHEST_ASKED:
        return "The engine knows no cube as high."
    return ""


def find_advice(cube: CubeWorth) -> Advice:
    """Return the best cube actions of both sides.

    >>> from opinion.judging.oracle import CubeWorth
    >>> find_advice(CubeWorth(0.5, 0.7, (), 1)).value, find_advice(CubeWorth(1.1, 1.4, (), 1)).value
    ('double, take', 'too good, pass')
    """
    is_take = cube.take <= 1
    if cube.no_double < cube.double:
        return Advice.DOUBLE_TAKE if is_take else Advice.DOUBLE_PASS
    return Advice.NO_DOUBLE if is_take else Advice.TOO_GOOD


def evaluate_position(oracle: Oracle, situation: Situation, level: int) -> Judgement:
    """Evaluate a position with at most *level* plies."""
    if find_question(situation) is Question.PLAY:
        return Judgement(_evaluate_plays(oracle, situation, level))
    return Judgement(cube=oracle.cubes([Spot.at(situation)], level)[0])


def _evaluate_plays(oracle: Oracle, situation: Situation, level: int) -> tuple[Candidate, ...]:
    assert situation.dice is not None  # noqa: S101 - a play has dice
    throw = Throw(Spot.at(situation), situation.dice)
    found = oracle.plays([throw])[0]
    best = found[0]
    if len(found) > 1 and level > 1:
        found = evaluate_deeper(oracle, throw, found, 2, MOST_SHOWN)
        if level > 2 and found[0].equity - found[1].equity < DEPTHS[3].gap:
            near = [each for each in found if found[0].equity - each.equity <= DEPTHS[3].worse]
            found = evaluate_deeper(oracle, throw, found, 3, min(len(near), DEPTHS[3].plays))
    legal = legal_plays(situation.board, situation.turn, situation.dice)
    spelled = {to_numbers(play.board, situation.turn): play.notation for play in legal}
    assert best.board in spelled  # noqa: S101 - the oracle knows our plays
    return tuple(build_candidate(each, spelled[each.board]) for each in found[:MOST_SHOWN])


def evaluate_deeper(
    oracle: Oracle, throw: Throw, plays: tuple[WeighedPlay, ...], level: int, most: int
) -> tuple[WeighedPlay, ...]:
    """Evaluate the *most* best plays again at *level*, unless one of them ends the game."""
    boards = tuple(each.board for each in plays[:most])
    if any(has_ended(board) for board in boards):
        return plays
    return rank_plays((*oracle.weigh([Choice(throw, boards)], level)[0], *exclude_boards(plays, boards)))
