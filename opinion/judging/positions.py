"""A position by itself: what it asks, and what an engine thinks of it. The five best plays, or what the cube is worth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from engine.formats import xgid
from engine.game import Game, Phase
from engine.plays import legal_plays
from engine.rules import Rules
from engine.side import BLACK, BySide
from engine.situation import Offer, Resignation, Situation, Stage
from opinion.judging.passes import DEPTHS, DIGITS, MOST_SHOWN, Candidate, has_ended, not_in, ranked
from opinion.judging.spots import Choice, Spot, Throw, numbers

if TYPE_CHECKING:
    from engine.errors import IllegalAction
    from opinion.judging.oracle import CubeWorth, Oracle, Weighed

# The highest cube of which XGID can speak, 1024.
HIGHEST_ASKED: Final = 1 << 10


class Question(StrEnum):
    """What the side to act has to decide."""

    PLAY = "play"
    DOUBLE = "double"
    TAKE = "take"
    # It can only roll.
    ROLL = "roll"


class Advice(StrEnum):
    """What is best about the cube, for both sides."""

    NO_DOUBLE = "no double, take"
    DOUBLE_TAKE = "double, take"
    DOUBLE_PASS = "double, pass"  # noqa: S105 - no password
    TOO_GOOD = "too good, pass"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an engine thinks of a position."""

    question: Question
    # The deepest level of it.
    level: int
    # The best plays, the best first.
    plays: tuple[Candidate, ...] = ()
    cube: CubeWorth | None = None


def plain(situation: Situation) -> Situation:
    """Return a position without names and with nothing that an XGID does not say."""
    named = replace(situation, resignation=None, stage=Stage.PLAYING, players=BySide("", ""))
    return xgid.decode(xgid.encode(named))


def key(situation: Situation) -> str:
    """Return what a position is known by: its XGID, turned so that the side on roll is the player below.

    >>> white = xgid.decode("XGID=-b----E-C---eE---c-e----B-:1:-1:-1:31:2:1:0:7:10")
    >>> key(white)
    '-b----E-C---eE---c-e----B-:1:1:1:31:1:2:0:7:10'
    """
    return xgid.encode(situation if situation.turn is BLACK else turned(situation)).removeprefix(xgid.PREFIX)


def turned(situation: Situation) -> Situation:
    """Return a position with the sides exchanged."""
    cube, resignation, score = situation.cube, situation.resignation, situation.score
    return replace(
        situation,
        board=situation.board.mirrored(),
        turn=situation.turn.other,
        cube=replace(cube, owner=None if cube.owner is None else cube.owner.other),
        score=BySide(score.black, score.white),
        resignation=None if resignation is None else Resignation(resignation.side.other, resignation.level),
    )


def game_of(situation: Situation) -> Game:
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


def why_no_double(situation: Situation) -> IllegalAction | None:
    """Return why the side on roll may not double, or need not think of it; None if it may."""
    return game_of(situation).why_no_double


def question(situation: Situation) -> Question:
    """Return what is to be decided."""
    if situation.offer is not None:
        return Question.TAKE
    if situation.dice is not None:
        return Question.PLAY
    game = game_of(situation)
    return Question.ROLL if game.why_no_double or game.is_dead_double else Question.DOUBLE


def why_not(situation: Situation) -> str:
    """Return why no engine has an opinion on a position; "" if one has."""
    if situation.offer in (Offer.BEAVER, Offer.RACCOON):
        return "The engine does not know beavers."
    if situation.offer is not None and why_no_double(situation):
        return "Nobody can have doubled in this position."
    if not situation.highest and situation.length > 1:
        return "The engine knows only play in which gammons and the cube count."
    if situation.cube.value > HIGHEST_ASKED:
        return "The engine knows no cube as high."
    return ""


def advice(cube: CubeWorth) -> Advice:
    """Return what is best for both sides.

    >>> advice(CubeWorth(0.5, 0.7, (), 1)).value, advice(CubeWorth(1.1, 1.4, (), 1)).value
    ('double, take', 'too good, pass')
    """
    is_take = cube.take <= 1
    if cube.no_double < cube.double:
        return Advice.DOUBLE_TAKE if is_take else Advice.DOUBLE_PASS
    return Advice.NO_DOUBLE if is_take else Advice.TOO_GOOD


def answer(oracle: Oracle, situation: Situation, level: int) -> Judgement:
    """Return what the oracle thinks of a position, no deeper than *level*."""
    asked = question(situation)
    if asked is Question.PLAY:
        plays = _plays(oracle, situation, level)
        return Judgement(asked, max((each.level for each in plays), default=1), plays)
    worth = oracle.cubes([Spot.at(situation)], level)[0]
    return Judgement(asked, worth.level, cube=worth)


def _plays(oracle: Oracle, situation: Situation, level: int) -> tuple[Candidate, ...]:
    assert situation.dice is not None  # noqa: S101 - a play has dice
    throw = Throw(Spot.at(situation), situation.dice)
    found = oracle.plays([throw])[0]
    best = found[0]
    if len(found) > 1 and level > 1:
        found = deeper(oracle, throw, found, 2, MOST_SHOWN)
        if level > 2 and found[0].equity - found[1].equity < DEPTHS[3].gap:
            near = [each for each in found if found[0].equity - each.equity <= DEPTHS[3].worse]
            found = deeper(oracle, throw, found, 3, min(len(near), DEPTHS[3].plays))
    legal = legal_plays(situation.board, situation.turn, situation.dice)
    spelled = {numbers(play.board, situation.turn): play.notation for play in legal}
    assert best.board in spelled  # noqa: S101 - the oracle knows our plays
    return tuple(_candidate(each, spelled[each.board]) for each in found[:MOST_SHOWN])


def deeper(
    oracle: Oracle, throw: Throw, plays: tuple[Weighed, ...], level: int, most: int
) -> tuple[Weighed, ...]:
    """Weigh the best plays again. What ends the game needs no search."""
    boards = tuple(each.board for each in plays[:most])
    if any(has_ended(board) for board in boards):
        return plays
    return ranked((*oracle.weigh([Choice(throw, boards)], level)[0], *not_in(plays, boards)))


def _candidate(each: Weighed, notation: str) -> Candidate:
    chances = tuple(round(chance, DIGITS) for chance in each.chances)
    return Candidate(notation, round(each.equity, DIGITS), chances, each.level)
